//! The nodes of rows, and those of columns.

use super::super::super::receiver::{Problem, Receiver};
use super::super::counted_from_1;
use super::super::unique_names::{NodeMap, UniqueNames};
use super::header::Mode;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory::reserve;
use webrank_base::shown::quoted;

/// The nodes of one kind.
pub(super) struct Ends {
    count: u64,
    /// The suffix of a label that another node has.
    kind: &'static str,
    nodes: Nodes,
}

enum Nodes {
    /// Numbers from this one on.
    Numbered(u64),
    /// In the order of their labels.
    Given(Vec<Node>),
    /// The labels met so far, and the same in small letters.
    Embedded(NodeMap, NodeMap),
}

impl Ends {
    /// Nodes with numbers; the last one is declared.
    pub(super) fn numbered(count: u64, first: u64, to: &mut dyn Receiver) -> Result<Self, Problem> {
        to.declare(first + count)?;
        Ok(Ends {
            count,
            kind: "",
            nodes: Nodes::Numbered(first),
        })
    }

    /// Nodes with names; those without labels are called by their numbers.
    pub(super) fn named(
        mode: Mode,
        kind: &'static str,
        names: &mut UniqueNames,
        to: &mut dyn Receiver,
    ) -> Result<Self, Problem> {
        let mut nodes = Vec::new();
        let count = mode.count;
        if mode.are_embedded {
            // Labels may be given as well, so that nodes without arcs are there.
            let (mut seen, mut small) = (NodeMap::default(), NodeMap::default());
            for label in &mode.labels {
                let letters = label.to_lowercase();
                if small.get(&letters).is_some() {
                    let label = quoted(label);
                    return Err(format!("two nodes have the label {label}").into());
                }
                let node = names.declare(label, kind, to)?;
                seen.insert(label, node)?;
                small.insert(&letters, node)?;
            }
            let nodes = Nodes::Embedded(seen, small);
            return Ok(Ends { count, kind, nodes });
        }
        let labelled = mode.labels.len() as u64;
        if count > MAX_UNLABELLED + 2 * labelled {
            let problem = format!("{count} nodes, of which only {labelled} have a label");
            return Err(problem.into());
        }
        for number in 0..count {
            let mut text = itoa::Buffer::new();
            let name = match mode.labels.get(number as usize) {
                Some(label) => label,
                None => text.format(number + 1),
            };
            reserve(&mut nodes, 1, "nodes")?;
            nodes.push(names.declare(name, &format!("{kind} {}", number + 1), to)?);
        }
        let nodes = Nodes::Given(nodes);
        Ok(Ends { count, kind, nodes })
    }

    /// The node of a row or a column, from 0. Embedded labels have no order.
    pub(super) fn nth(&self, place: u64, to: &mut dyn Receiver) -> Result<Node, Problem> {
        match &self.nodes {
            Nodes::Numbered(first) => to.number(first + place),
            Nodes::Given(nodes) => match nodes.get(place as usize) {
                Some(&node) => Ok(node),
                None => Err(format!("node {} has no label", place + 1).into()),
            },
            Nodes::Embedded(..) => Err("labels are embedded".to_owned().into()),
        }
    }

    /// The node that a word means: its number from 1, or its label, whose capital letters do not matter.
    pub(super) fn find(
        &mut self,
        word: &str,
        names: &mut UniqueNames,
        to: &mut dyn Receiver,
    ) -> Result<Node, Problem> {
        let count = self.count;
        let Nodes::Embedded(seen, small) = &mut self.nodes else {
            let number = counted_from_1(word, count).map_err(|problem| {
                format!("{problem}; 'labels embedded' says that lines have labels")
            })?;
            return self.nth(number, to);
        };
        if let Some(node) = seen.get(word) {
            return Ok(node);
        }
        let letters = word.to_lowercase();
        if let Some(node) = small.get(&letters) {
            seen.insert(word, node)?;
            return Ok(node);
        }
        if small.len() as u64 >= count {
            let label = quoted(word);
            let problem =
                format!("the label {label} is one more than the {count} nodes that n says");
            return Err(problem.into());
        }
        let node = names.declare(word, self.kind, to)?;
        seen.insert(word, node)?;
        small.insert(&letters, node)?;
        Ok(node)
    }

    /// Declares nodes that are counted, but have no label; returns how many there are.
    pub(super) fn declare_rest(
        &self,
        names: &mut UniqueNames,
        to: &mut dyn Receiver,
    ) -> Result<u64, Problem> {
        let Nodes::Embedded(seen, small) = &self.nodes else {
            return Ok(0);
        };
        let (count, labelled) = (self.count, small.len() as u64);
        if labelled < count && small.len() < seen.len() {
            let problem = format!(
                "n says that there are {count} nodes, but only {labelled} labels differ in more than \
                 capital letters, which do not matter in UCINET; give nodes different labels"
            );
            return Err(problem.into());
        }
        if count > MAX_UNLABELLED + 2 * labelled {
            let problem =
                format!("n says that there are {count} nodes, but only {labelled} have labels");
            return Err(problem.into());
        }
        for number in labelled..count {
            names.declare(&(number + 1).to_string(), "without a label", to)?;
        }
        Ok(count - labelled)
    }
}

/// More nodes without labels are a damaged number.
const MAX_UNLABELLED: u64 = 1 << 20;
