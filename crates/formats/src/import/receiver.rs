//! The receiver of the nodes and arcs of readers of all formats.

use super::ids::Ids;
use super::notes::{Note, Notes};
use super::numbering::Numbering;
use super::weights::Weights;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::free_memory;
use webrank_base::progress::Progress;
use webrank_base::shown::quoted;
use webrank_graph::arcs::{ArcStore, Element};
use webrank_graph::csr::check_num_nodes;
pub use webrank_tables::read::cells::Problem;

/// Takes the nodes and arcs of a graph, in any order.
pub trait Receiver {
    /// The node that a text means: its name, or its number from 0 if fields are numbers.
    fn key(&mut self, text: &str) -> Result<Node, Problem>;

    /// The node that an integer means: the same, without a text.
    fn integer(&mut self, integer: i64) -> Result<Node, Problem>;

    /// The node with a number from 0, in formats that number their nodes.
    fn number(&mut self, number: u64) -> Result<Node, Problem>;

    /// All nodes with numbers from 0 to below `count`, which a file says that it has, with arcs or without.
    fn declare(&mut self, count: u64) -> Result<(), Problem>;

    /// An arc between nodes that were asked for. If arcs have no weights, the weight is 1.
    fn arc(&mut self, source: Node, target: Node, weight: f64) -> Result<(), Problem>;

    /// An arc in both directions, whatever those of the other arcs are.
    fn edge(&mut self, one: Node, other: Node, weight: f64) -> Result<(), Problem>;

    /// Something that the reader assumed or left out.
    fn note(&mut self, note: Note);

    /// A record that cannot be used: an error, unless such records are tolerated.
    fn bad(&mut self, problem: Error) -> Result<()>;
}

/// Reports a record that cannot be used; `wrong` adds its place.
///
/// # Errors
/// If work cannot go on, or if no more such records are tolerated.
pub(super) fn settle(
    taken: Result<(), Problem>,
    to: &mut dyn Receiver,
    wrong: impl FnOnce(String) -> Error,
) -> Result<()> {
    match taken {
        Ok(()) => Ok(()),
        Err(Problem::Record(problem)) => to.bad(wrong(problem)),
        Err(Problem::Other(problem)) => Err(problem),
    }
}

/// A receiver that keeps everything.
pub(super) struct Collector<'a, E: Element> {
    pub(super) arcs: ArcStore<E>,
    pub(super) nodes: Nodes,
    /// The graph stays in memory.
    pub(super) is_in_memory: bool,
    /// Fields are numbers of nodes.
    pub(super) is_numbered: bool,
    pub(super) is_too_far: &'a AtomicBool,
    pub(super) ids: Ids,
    /// Each arc stands for its reverse, too.
    pub(super) is_undirected: bool,
    pub(super) keeps_loops: bool,
    pub(super) takes_weights: bool,
    pub(super) weights: Weights,
    pub(super) tolerance: Tolerance,
    pub(super) counts: Counts,
    pub(super) notes: Notes,
    pub(super) progress: &'a dyn Progress,
}

/// Why a name with this byte is refused.
fn not_in_names(byte: u8) -> &'static str {
    match byte {
        b'\n' => "a name contains a line feed, but names are kept one per line; rename it",
        _ => "a name contains a NUL byte: is the file UTF-16 (--encoding utf-16le or utf-16be)?",
    }
}

/// The nodes met so far.
// An import has only one: its size does not matter.
#[allow(clippy::large_enum_variant)]
pub(super) enum Nodes {
    Named(Numbering),
    /// Nodes have numbers from 0 to below `count`; rows for `fits` nodes fit into memory.
    Numbered {
        count: u64,
        fits: u64,
    },
}

impl Nodes {
    pub(super) fn are_there(&self) -> bool {
        match self {
            Nodes::Named(names) => names.len() > 0,
            Nodes::Numbered { count, .. } => *count > 0,
        }
    }

    pub(super) fn numbered() -> Self {
        Nodes::Numbered {
            count: 0,
            fits: SMALL,
        }
    }
}

/// So many nodes fit into every memory.
const SMALL: u64 = 1 << 23;

/// The reason for so many nodes.
#[derive(Clone, Copy)]
enum Claim {
    /// The number of a node.
    Number,
    /// The file, before its arcs.
    File,
}

/// The bytes that a node without arcs takes at least: its row, where the graph goes to files.
const OF_ROW: u64 = 8;

/// Its rows while they are sorted, in memory, or what any command has of it later.
const IN_MEMORY: u64 = 32;

/// Refuses a number, perhaps a slip, if memory cannot hold so many nodes even without arcs.
fn check_rows_fit(nodes: u64, of_node: u64, free: u64, claim: Claim) -> Result<(), String> {
    let bytes = of_node.saturating_mul(nodes);
    if nodes <= SMALL || bytes <= free {
        return Ok(());
    }
    let gigabytes = |bytes: u64| bytes as f64 / 1e9;
    let (needed, free) = (gigabytes(bytes), gigabytes(free));
    Err(match claim {
        Claim::Number => format!(
            "node {}: a graph with nodes up to this number takes {needed:.1} GB or more, but \
             {free:.1} GB are allowed or free; if numbers have gaps, import them as names, without \
             --ids",
            nodes - 1
        ),
        Claim::File => format!(
            "the file says that there are {nodes} nodes, which take {needed:.1} GB or more even \
             without arcs, but {free:.1} GB are allowed or free; is the number right?"
        ),
    })
}

/// The counts of the arcs that were read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counts {
    /// Arcs given, reversed ones included.
    pub(super) arcs: u64,
    /// Arcs given that weigh something, loops that are left out included.
    pub(super) given: u64,
    /// Given arcs without a direction.
    pub(super) undirected: u64,
    /// Arcs from a node to itself.
    pub(super) loops: u64,
    /// Since progress was last reported.
    unreported: u64,
}

/// Records that cannot be used, as far as they are tolerated.
#[derive(Debug, Default)]
pub(super) struct Tolerance {
    pub(super) allowed: u64,
    pub(super) skipped: u64,
    /// The first of them.
    pub(super) first: Vec<String>,
}

impl Tolerance {
    pub(super) fn allowing(allowed: u64) -> Self {
        Tolerance {
            allowed,
            ..Tolerance::default()
        }
    }

    fn accept(&mut self, problem: Error) -> Result<()> {
        if self.skipped == self.allowed {
            return Err(problem);
        }
        self.skipped += 1;
        if self.first.len() < 10 {
            self.first.push(problem.to_string());
        }
        Ok(())
    }
}

const PROGRESS_ARCS: u64 = 1 << 16;

impl<E: Element> Collector<'_, E> {
    /// The node that a list calls by this number.
    #[inline]
    fn listed(&mut self, id: u64) -> Result<Node, Problem> {
        let number = self.ids.number(id)?;
        let node = self.number(number)?;
        self.ids.see(node)?;
        Ok(node)
    }

    /// Makes nodes of the numbers below `count`, which are more than before, if they fit into memory.
    fn grow(&mut self, count: u64, claim: Claim) -> Result<(), Problem> {
        let Nodes::Numbered { count: known, fits } = &mut self.nodes else {
            return Ok(());
        };
        if count > *fits {
            let of_node = if self.is_in_memory { IN_MEMORY } else { OF_ROW };
            let checked = check_num_nodes(count).map_err(|problem| problem.to_string());
            let checked =
                checked.and_then(|()| check_rows_fit(count, of_node, free_memory(), claim));
            self.is_too_far.fetch_or(checked.is_err(), Relaxed);
            checked?;
            *fits = count.saturating_mul(2).min(u64::from(Node::MAX));
        }
        *known = count;
        Ok(())
    }

    /// Makes nodes of all rows of the table of nodes.
    pub(super) fn declare_nodes(&mut self) -> Result<()> {
        if let Nodes::Named(names) = &mut self.nodes {
            self.ids
                .names()
                .try_for_each(|name| names.number(name).map(drop))?;
        }
        Ok(())
    }
}

impl<E: Element> Receiver for Collector<'_, E> {
    fn key(&mut self, text: &str) -> Result<Node, Problem> {
        match &mut self.nodes {
            Nodes::Named(names) if !self.is_numbered => {
                let text = self.ids.name(text)?;
                if text.is_empty() {
                    return Err("a name is empty".to_owned().into());
                }
                if let Some(place) = memchr::memchr2(b'\n', 0, text.as_bytes()) {
                    return Err(not_in_names(text.as_bytes()[place]).to_owned().into());
                }
                Ok(names.number(text)?)
            }
            _ => {
                let number = text.trim().parse().map_err(|_| {
                    format!(
                        "{} is not a node number; without --ids, fields are names",
                        quoted(text)
                    )
                });
                self.listed(number?)
            }
        }
    }

    fn integer(&mut self, integer: i64) -> Result<Node, Problem> {
        match (&mut self.nodes, u64::try_from(integer)) {
            (Nodes::Named(names), _) if !self.is_numbered => {
                let mut buffer = itoa::Buffer::new();
                Ok(names.number(self.ids.name(buffer.format(integer))?)?)
            }
            (_, Ok(number)) => self.listed(number),
            (_, Err(_)) => {
                Err(format!("{integer} is not a node number; without --ids, it is a name").into())
            }
        }
    }

    #[inline]
    fn number(&mut self, number: u64) -> Result<Node, Problem> {
        match &mut self.nodes {
            Nodes::Numbered { count, .. } => {
                if number >= *count {
                    self.grow(number.saturating_add(1), Claim::Number)?;
                }
                Ok(number as Node)
            }
            Nodes::Named(names) => Ok(names.number(itoa::Buffer::new().format(number))?),
        }
    }

    fn declare(&mut self, count: u64) -> Result<(), Problem> {
        match &self.nodes {
            Nodes::Numbered { count: known, .. } if count > *known => self.grow(count, Claim::File),
            Nodes::Numbered { .. } => Ok(()),
            // Only those that occur count.
            Nodes::Named(_) if self.is_numbered => Ok(()),
            Nodes::Named(_) => (0..count).try_for_each(|number| self.number(number).map(drop)),
        }
    }

    #[inline]
    fn arc(&mut self, source: Node, target: Node, weight: f64) -> Result<(), Problem> {
        let weight = if self.takes_weights { weight } else { 1.0 };
        let Some(weight) = self.weights.take(weight, E::WEIGHTED)? else {
            return Ok(());
        };
        self.counts.given += 1;
        self.counts.undirected += u64::from(self.is_undirected);
        if source == target {
            self.counts.loops += 1;
            if !self.keeps_loops {
                return Ok(());
            }
        }
        self.arcs.push(source, target, weight)?;
        self.counts.arcs += 1;
        if self.is_undirected && source != target {
            self.arcs.push(target, source, weight)?;
            self.counts.arcs += 1;
        }
        self.counts.unreported += 1;
        if self.counts.unreported == PROGRESS_ARCS {
            self.counts.unreported = 0;
            self.progress.check()?;
            self.progress.advance(PROGRESS_ARCS);
        }
        Ok(())
    }

    fn edge(&mut self, one: Node, other: Node, weight: f64) -> Result<(), Problem> {
        let before = std::mem::replace(&mut self.is_undirected, true);
        let taken = self.arc(one, other, weight);
        self.is_undirected = before;
        taken
    }

    fn note(&mut self, note: Note) {
        self.notes.add(note);
    }

    fn bad(&mut self, problem: Error) -> Result<()> {
        self.tolerance.accept(problem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_need_more_than_all_memory_are_refused() {
        assert!(check_rows_fit(1000, IN_MEMORY, 0, Claim::File).is_ok());
        assert!(check_rows_fit(1 << 30, OF_ROW, 8 << 30, Claim::Number).is_ok());
        let all = u32::MAX as u64;
        let problem = check_rows_fit(all, OF_ROW, 8 << 30, Claim::Number).unwrap_err();
        assert!(problem.starts_with("node 4294967294: "), "{problem}");
        assert!(
            problem.contains("takes 34.4 GB or more, but 8.6 GB are"),
            "{problem}"
        );
        assert!(problem.contains("without --ids"), "{problem}");
        let problem = check_rows_fit(all, IN_MEMORY, 8 << 30, Claim::File).unwrap_err();
        assert!(
            problem.contains("says that there are 4294967295 nodes, which take 137.4 GB"),
            "{problem}"
        );
        assert!(!problem.contains("--ids"), "{problem}");
    }
}
