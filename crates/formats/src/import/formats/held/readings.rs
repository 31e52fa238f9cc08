//! The meanings that the ends of edges may have, if they are numbers.

use super::named::Named;
use super::{Edge, Ends, FROM_PLACE, Held, LINE, NOBODY};
use webrank_base::error::{Error, Result};

/// Which readings of all ends find nodes.
pub(in crate::import::formats) struct Readings {
    /// As ids.
    pub(in crate::import::formats) as_ids: bool,
    /// As places in the list of nodes.
    pub(in crate::import::formats) as_places: bool,
    /// Whether both lead to the same nodes.
    pub(in crate::import::formats) is_same: bool,
}

impl Held {
    /// An error that concerns nodes, at the first of them.
    pub(in crate::import::formats) fn wrong_of_nodes(&self, problem: &str) -> Error {
        let line = self.nodes.first().map_or(1, |node| node.line);
        Error::line(&self.path, line, problem)
    }

    /// Ends that are numbers, read as ids and as places.
    pub(in crate::import::formats) fn readings(&mut self) -> Result<Readings> {
        let of_id = self.places_of_ids()?;
        let mut found = Readings {
            as_ids: true,
            as_places: true,
            is_same: true,
        };
        for edge in &self.edges {
            for end in ends_by_id(edge) {
                let place = self.ids.text(end).parse().ok();
                let place = place.filter(|&place: &usize| place < self.nodes.len());
                let by_id = Some(of_id[end as usize]).filter(|&place| place != NOBODY);
                found.as_ids &= by_id.is_some();
                found.as_places &= place.is_some();
                found.is_same &= by_id.map(|place| place as usize) == place;
            }
        }
        Ok(found)
    }

    /// Labels become the ids of nodes that have none: of all of them if edges need them (`must`),
    /// otherwise if all have different ones.
    ///
    /// # Errors
    /// If a node that must have a label has none, or has that of another.
    pub(in crate::import::formats) fn labels_become_ids(&mut self, must: bool) -> Result<()> {
        let why = self.why_labels_are_no_names()?;
        if let Some(why) = why {
            return match must {
                true => Err(self.wrong_of_nodes(&format!("nodes have no ids, and {why}"))),
                false => Ok(()),
            };
        }
        for place in 0..self.nodes.len() {
            let label = self.label(place).to_owned();
            self.nodes[place].id = Some(self.ids.number(&label)?);
        }
        Ok(())
    }
}

/// The ends of an edge that are ids.
fn ends_by_id(edge: &Edge) -> impl Iterator<Item = u32> {
    let source = (edge.line & FROM_PLACE == 0).then_some(edge.source);
    source.into_iter().chain([edge.target])
}

impl Named {
    /// Checks that edges stand in the lists of both their ends, if they should.
    ///
    /// Each edge adds a random number, which depends on its ends, in one direction, and takes it away in the
    /// other: what is left is 0 if all are there twice, and by chance once in 2^64 files.
    pub(super) fn check_symmetry(&self) -> Result<()> {
        if !self.held.lists_are_symmetric || self.held.ends == Ends::Places {
            return Ok(());
        }
        let mut balance = 0u64;
        let mut first = None;
        for edge in &self.held.edges {
            let (source, target) = (edge.source, self.of_id[edge.target as usize]);
            if source as usize >= self.held.nodes.len() || target == NOBODY {
                // An error where the edge is given.
                continue;
            }
            let (low, high) = (source.min(target), source.max(target));
            let random = mixed(u64::from(low) << 32 | u64::from(high));
            balance = match source.cmp(&target) {
                std::cmp::Ordering::Less => balance.wrapping_add(random),
                std::cmp::Ordering::Greater => balance.wrapping_sub(random),
                std::cmp::Ordering::Equal => balance,
            };
            first = first.or(Some(edge.line & LINE));
        }
        let problem = "the graph is undirected, but some edges stand in the list of one end only; say \
                       \"directed\": true, or add them";
        match balance {
            0 => Ok(()),
            _ => Err(Error::line(&self.held.path, first.unwrap_or(1), problem)),
        }
    }
}

/// A number that looks random (SplitMix64's last step).
fn mixed(number: u64) -> u64 {
    let mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}
