//! Which hubs and authorities are connected by steps that go back and forth along arcs.
//!
//! Nodes with successors are hubs, nodes with predecessors authorities; two hubs are connected if they
//! have a successor in common. A worker has all arcs from its hubs, so it knows which of them are
//! connected by authorities that they touch, whoever has these. Such a group has a label, at first its
//! least hub. An authority takes the least label of its predecessors' groups, and these take its own,
//! until nothing changes: as many rounds as a connection has to go from worker to worker, each with
//! [8 bytes for each touched node](super::Division::touched) in both directions.

use super::Exchange;
use super::pieces::LocalPartition;
use std::collections::BTreeMap;
use std::mem::take;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory::filled;
use webrank_base::progress::Progress;
use webrank_graph::DisjointSets;
use webrank_graph::shards::Range64;
use webrank_linear::runs::RunRows;

/// The label of a node without arcs in a direction.
const NONE: u64 = u64::MAX;

/// The sizes of the hubs and authorities of one label.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LabelGroup {
    pub hubs: u64,
    pub authorities: u64,
    /// The number of arcs from the hubs, all of which lead to the authorities.
    pub arcs: u64,
}

/// The groups of a worker's nodes.
pub struct Groups {
    hubs: Vec<u64>,
    authorities: Vec<u64>,
    /// The nodes of this worker.
    range: Range64,
    /// The groups whose least hub is a node of this worker, by this.
    own: Vec<LabelGroup>,
    others: BTreeMap<u64, LabelGroup>,
}

/// The sets of a worker's hubs, and for each distinct row of a part a hub in it.
struct Local {
    sets: DisjointSets,
    own: Vec<Vec<Option<Node>>>,
    away: Vec<Vec<Option<Node>>>,
}

impl LocalPartition {
    /// The groups of all hubs and authorities, given the indegrees of this worker's nodes. O(n + m), and
    /// O(n) for each round. At most 120 bytes a node.
    ///
    /// # Errors
    /// If rows in a file cannot be read, if there is not enough memory, if another worker fails, or if
    /// the user interrupts.
    pub fn groups(
        &self,
        exchange: &mut Exchange,
        indegrees: &[u64],
        progress: &dyn Progress,
    ) -> Result<Groups> {
        let mut local = self.local()?;
        let n = self.outdegrees.len();
        let label = |node: usize| self.range.start + node as u64;
        // The labels of representatives count.
        let mut labels: Vec<u64> = (0..n).map(label).collect();
        let mut authorities = filled(NONE, n, "the labels")?;
        for round in 1.. {
            progress.remark(&format!("round {round} of what is connected"));
            progress.check()?;
            self.to_authorities(exchange, &mut local, &labels, &mut authorities)?;
            let is_changed = self.to_hubs(exchange, &mut local, &mut labels, &authorities)?;
            let changed = exchange.gather([is_changed.into()])?;
            if changed.iter().all(|[changed]| *changed == 0) {
                break;
            }
        }
        for node in 0..n {
            labels[node] = match self.outdegrees[node] {
                0 => NONE,
                // Representatives come first.
                _ => labels[local.sets.find(node as Node) as usize],
            };
        }
        let mut groups = Groups {
            hubs: labels,
            authorities,
            range: self.range.clone(),
            own: filled(LabelGroup::default(), n, "the groups")?,
            others: BTreeMap::new(),
        };
        groups.count(indegrees);
        groups.add_up(exchange)?;
        Ok(groups)
    }

    /// Joins the hubs in each row.
    fn local(&self) -> Result<Local> {
        // Sets are the same in whatever order their members come.
        let sets = DisjointSets::new(self.outdegrees.len());
        let hubs_of = |rows: &RunRows, first: usize| {
            let mut hubs = filled(None, rows.num_rows(), "the hubs of rows")?;
            rows.sums(&rows.blocks(), &mut hubs, |row| {
                let mut nodes = row.nodes().map(|node| first as Node + node);
                let hub = nodes.next()?;
                nodes.for_each(|node| sets.join(hub, node));
                Some(hub)
            })?;
            Ok(hubs)
        };
        let pieces = || self.pieces.iter();
        let own = pieces().map(|piece| hubs_of(&piece.own, piece.nodes.start));
        let own = own.collect::<Result<_>>()?;
        let away = pieces().map(|piece| hubs_of(&piece.away, piece.nodes.start));
        let away = away.collect::<Result<_>>()?;
        Ok(Local { sets, own, away })
    }

    /// Authorities take the least label of their predecessors.
    fn to_authorities(
        &self,
        exchange: &mut Exchange,
        local: &mut Local,
        labels: &[u64],
        authorities: &mut [u64],
    ) -> Result<()> {
        let Local { sets, own, away } = local;
        let labels_of = |hubs: &[Vec<Option<Node>>]| -> Vec<Vec<u64>> {
            let label =
                |hub: &Option<Node>| hub.map_or(NONE, |hub| labels[sets.find(hub) as usize]);
            let of_piece = |hubs: &Vec<Option<Node>>| hubs.iter().map(label).collect();
            hubs.iter().map(of_piece).collect()
        };
        let (mut own, mut away) = (labels_of(own), labels_of(away));
        self.join_rows(
            exchange,
            authorities,
            |piece| Ok(take(&mut own[piece])),
            |piece| Ok(take(&mut away[piece])),
            u64::min,
        )?;
        exchange.gather([])?;
        Ok(())
    }

    /// Hubs take the least label of their successors; says whether that is new to any.
    fn to_hubs(
        &self,
        exchange: &mut Exchange,
        local: &mut Local,
        labels: &mut [u64],
        authorities: &[u64],
    ) -> Result<bool> {
        let Local { sets, own, away } = local;
        let mut is_changed = false;
        let mut lower = |hub: Option<Node>, label: u64| {
            if let Some(hub) = hub {
                let own = &mut labels[sets.find(hub) as usize];
                is_changed |= label < *own;
                *own = label.min(*own);
            }
        };
        self.send_to_touching(exchange, |node| authorities[node])?;
        let touched = self.values_of_touched(exchange, |node| authorities[node])?;
        for (index, piece) in self.pieces.iter().enumerate() {
            for (node, &label) in authorities[piece.nodes.clone()].iter().enumerate() {
                lower(own[index][piece.own.row_of(node)], label);
            }
            for (row, &label) in touched[index].iter().enumerate() {
                lower(away[index][piece.away.row_of(row)], label);
            }
        }
        Ok(is_changed)
    }
}

impl Groups {
    /// The group of a hub of this worker.
    pub fn of_hub(&self, node: usize) -> Option<LabelGroup> {
        self.of(self.hubs[node])
    }

    /// The group of an authority of this worker.
    pub fn of_authority(&self, node: usize) -> Option<LabelGroup> {
        self.of(self.authorities[node])
    }

    fn of(&self, label: u64) -> Option<LabelGroup> {
        match label {
            NONE => None,
            label if self.range.contains(&label) => {
                Some(self.own[(label - self.range.start) as usize])
            }
            label => self.others.get(&label).copied(),
        }
    }

    fn entry(&mut self, label: u64) -> &mut LabelGroup {
        match self.range.contains(&label) {
            true => &mut self.own[(label - self.range.start) as usize],
            false => self.others.entry(label).or_default(),
        }
    }

    /// Counts the nodes of this worker.
    fn count(&mut self, indegrees: &[u64]) {
        for (node, &indegree) in indegrees.iter().enumerate() {
            let (hub, authority) = (self.hubs[node], self.authorities[node]);
            if hub != NONE {
                self.entry(hub).hubs += 1;
            }
            if authority != NONE {
                let group = self.entry(authority);
                group.authorities += 1;
                group.arcs += indegree;
            }
        }
    }

    /// Adds up what all workers have counted, and tells each what has come of its groups. Two exchanges
    /// of 32 bytes for each group that a worker has part of and another the least hub.
    fn add_up(&mut self, exchange: &mut Exchange) -> Result<()> {
        let (me, workers) = (exchange.index(), exchange.workers());
        let ranges = exchange.gather([self.range.start, self.range.end])?;
        for (to, &[start, end]) in ranges.iter().enumerate().filter(|&(to, _)| to != me) {
            // An empty range has no groups.
            let groups = self.others.range(start..end.max(start));
            exchange.send(
                to,
                groups
                    .flat_map(|(&label, group)| group.words(label))
                    .collect(),
            )?;
        }
        let mut counted: Vec<Option<Vec<u64>>> = vec![None; workers];
        for _ in 1..workers {
            let (from, words) = exchange.receive()?;
            let (groups, rest) = words.as_chunks();
            if counted[from].is_some() || !rest.is_empty() {
                return Err(exchange.not_planned(from));
            }
            for &words in groups {
                let (label, group) = LabelGroup::of_words(words);
                if !self.range.contains(&label) {
                    return Err(exchange.not_planned(from));
                }
                let all = self.entry(label);
                all.hubs += group.hubs;
                all.authorities += group.authorities;
                all.arcs += group.arcs;
            }
            let labels = groups.iter().map(|&words| LabelGroup::of_words(words).0);
            counted[from] = Some(labels.collect());
        }
        exchange.gather([])?;
        for (to, labels) in counted.into_iter().enumerate().filter(|&(to, _)| to != me) {
            let labels = labels.into_iter().flatten();
            let words = labels.flat_map(|label| self.entry(label).words(label));
            let words = words.collect();
            exchange.send(to, words)?;
        }
        for _ in 1..workers {
            let (from, words) = exchange.receive()?;
            let (groups, rest) = words.as_chunks();
            for &words in groups {
                let (label, group) = LabelGroup::of_words(words);
                match self.others.get_mut(&label) {
                    Some(own) => *own = group,
                    None => return Err(exchange.not_planned(from)),
                }
            }
            if !rest.is_empty() {
                return Err(exchange.not_planned(from));
            }
        }
        exchange.gather([])?;
        Ok(())
    }
}

impl LabelGroup {
    fn words(self, label: u64) -> [u64; 4] {
        [label, self.hubs, self.authorities, self.arcs]
    }

    fn of_words([label, hubs, authorities, arcs]: [u64; 4]) -> (u64, Self) {
        let group = LabelGroup {
            hubs,
            authorities,
            arcs,
        };
        (label, group)
    }
}
