//! Rows from sorted runs.

use super::element::Element;
use super::run::{Run, Side, merge};
use crate::Csr;
use crate::bundle::{Content, RowVisitor};
use crate::bvgraph::compress::parts;
use serde::Serialize;
use std::ops::Range;
use std::sync::Arc;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::reserve;
use webrank_base::output::TemporaryFolder;
use webrank_base::parallel::tasks;

/// What becomes of arcs that are given several times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Duplicates {
    /// The first one counts
    #[default]
    Drop,
    /// Weights are added, in the order of the input; without weights, each weighs 1
    Sum,
    /// The largest weight counts
    Max,
    /// The smallest weight counts
    Min,
    /// They are refused
    Error,
}

/// Sorted arcs, as rows without duplicates.
pub struct SortedArcs<E: Element> {
    num_nodes: usize,
    runs: Vec<Run<E>>,
    duplicates: Duplicates,
    side: Side,
    /// The bytes of a run on disk that are read at once.
    buffer: usize,
    /// Runs on disk need their folder.
    _folder: Option<Arc<TemporaryFolder>>,
}

impl<E: Element> SortedArcs<E> {
    pub(super) fn new(
        num_nodes: usize,
        runs: Vec<Run<E>>,
        buffer: usize,
        duplicates: Duplicates,
        folder: Option<Arc<TemporaryFolder>>,
    ) -> Self {
        SortedArcs {
            num_nodes,
            runs,
            duplicates,
            side: Side::StoredGraph,
            buffer,
            _folder: folder,
        }
    }

    /// The number of arcs, duplicates included.
    pub fn arcs(&self) -> u64 {
        self.runs.iter().map(Run::arcs).sum()
    }

    /// Adds another arc to one with the same ends.
    fn unite(&self, from: Node, to: Node, weight: &mut f64, more: f64) -> Result<()> {
        let (source, target) = match self.side {
            Side::StoredGraph => (from, to),
            Side::Target => (to, from),
        };
        match self.duplicates {
            Duplicates::Drop => {}
            Duplicates::Max => *weight = weight.max(more),
            Duplicates::Min => *weight = weight.min(more),
            Duplicates::Sum if (*weight + more).is_finite() => *weight += more,
            Duplicates::Sum => {
                let problem = format!(
                    "the weights of the arc {source} -> {target} add up to more than a 64-bit number \
                     can hold; scale them down"
                );
                return Err(Error::Rows { problem });
            }
            Duplicates::Error => {
                let problem = format!(
                    "the arc from node {source} to node {target} is given twice; say what becomes of \
                     duplicates: drop, sum, max or min"
                );
                return Err(Error::Rows { problem });
            }
        }
        Ok(())
    }

    /// Calls `visit` for the rows of a range that are not empty. O(their arcs).
    ///
    /// # Errors
    /// As for [`Self::rows`].
    pub fn rows_with_arcs(&self, range: Range<usize>, visit: &mut RowVisitor) -> Result<()> {
        let Some(last) = range.end.checked_sub(1) else {
            return Ok(());
        };
        let from = (range.start as u64) << 32;
        let cursors = self.runs.iter();
        let cursors = cursors.map(|run| run.cursor(self.side, from, self.buffer));
        let (mut row, mut weights): (Vec<Node>, Vec<f64>) = (Vec::new(), Vec::new());
        let mut node = 0;
        let last_key = (last as u64) << 32 | u64::from(u32::MAX);
        merge(cursors.collect::<Result<_>>()?, last_key, |arc| {
            let (source, target) = ((arc.key() >> 32) as Node, arc.key() as Node);
            if node != source && !row.is_empty() {
                visit(node, &row, &weights)?;
                row.clear();
                weights.clear();
            }
            node = source;
            if row.last() == Some(&target) {
                return match weights.last_mut() {
                    Some(weight) => self.unite(source, target, weight, arc.weight()),
                    None => self.unite(source, target, &mut 1.0, 1.0),
                };
            }
            reserve(&mut row, 1, "a row")?;
            row.push(target);
            if E::WEIGHTED {
                reserve(&mut weights, 1, "a row")?;
                weights.push(arc.weight());
            }
            Ok(())
        })?;
        match row.is_empty() {
            true => Ok(()),
            false => visit(node, &row, &weights),
        }
    }

    /// All rows in memory, and the weights of their arcs.
    ///
    /// # Errors
    /// As for [`Self::rows`], and if memory is short.
    pub fn in_memory(&self) -> Result<(Csr, Option<Vec<f64>>)> {
        let parts = tasks::try_map(self.parts(), |part| {
            let (mut ends, mut targets, mut all) = (Vec::new(), Vec::new(), Vec::new());
            reserve(&mut ends, part.len(), "rows")?;
            self.rows(part, &mut |_, row, weights| {
                reserve(&mut targets, row.len(), "rows")?;
                targets.extend_from_slice(row);
                reserve(&mut all, weights.len(), "weights")?;
                all.extend_from_slice(weights);
                ends.push(targets.len() as u64);
                Ok(())
            })?;
            Ok::<_, Error>((ends, targets, all))
        })?;
        let (mut offsets, mut targets, mut weights) = (vec![0], Vec::new(), Vec::new());
        for (ends, part, of_part) in parts {
            let before = targets.len() as u64;
            reserve(&mut offsets, ends.len(), "rows")?;
            offsets.extend(ends.into_iter().map(|end| before + end));
            reserve(&mut targets, part.len(), "rows")?;
            targets.extend(part);
            reserve(&mut weights, of_part.len(), "weights")?;
            weights.extend(of_part);
        }
        let rows = Csr::from_checked(offsets, targets);
        Ok((rows, E::WEIGHTED.then_some(weights)))
    }
}

impl<E: Element> Content for SortedArcs<E> {
    fn num_nodes(&self) -> usize {
        self.num_nodes
    }

    fn is_weighted(&self) -> bool {
        E::WEIGHTED
    }

    /// Parts that do not depend on how the runs are cut.
    fn parts(&self) -> Vec<Range<usize>> {
        parts(self.num_nodes, self.arcs())
    }

    fn rows(&self, range: Range<usize>, visit: &mut RowVisitor) -> Result<()> {
        let mut next = range.start;
        self.rows_with_arcs(range.clone(), &mut |node, row, weights| {
            (next..node as usize).try_for_each(|empty| visit(empty as Node, &[], &[]))?;
            next = node as usize + 1;
            visit(node, row, weights)
        })?;
        (next..range.end).try_for_each(|empty| visit(empty as Node, &[], &[]))
    }

    fn reverse(&mut self) -> Result<()> {
        self.runs.iter_mut().for_each(Run::reverse);
        self.side = match self.side {
            Side::StoredGraph => Side::Target,
            Side::Target => Side::StoredGraph,
        };
        Ok(())
    }
}
