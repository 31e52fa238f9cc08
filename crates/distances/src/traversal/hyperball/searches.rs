//! Breadth-first searches from 512 sources at a time along the rows of a worker: the lanes that reach its nodes are
//! joined as registers are.
//!
//! Space: 64 bytes per node, and 68 more for each node that new lanes reach at a step.

use super::joins::Joins;
use super::parts::PartRows;
use super::rows::BallRows;
use super::slice::{Changes, Slice};
use crate::traversal::bit_parallel::LANES;
use crate::traversal::pulled::{Counts, PARTS};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory;
use webrank_base::progress::Progress;
use webrank_cluster::Exchange;

/// The bytes of the lanes of a node.
const WIDTH: usize = LANES / 8;

/// The bytes of a node while a step is computed.
pub const OF_NODE: u64 = 2 * WIDTH as u64 + 12;

/// Searches along the rows of a worker.
pub struct PartSearches<'g>(pub &'g PartRows);

impl PartSearches<'_> {
    /// Searches from nodes of this worker, each with its lane, together with other workers. `visit` gets each level,
    /// and the nodes of this worker that new lanes reach, with the numbers of these.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read; if there is not enough memory; if another worker fails; if the
    /// user interrupts.
    pub(crate) fn run(
        &self,
        sources: &[(Node, usize)],
        exchange: &mut Exchange,
        progress: &dyn Progress,
        mut visit: impl FnMut(u32, &[Changes<Counts>]),
    ) -> Result<()> {
        let mut lanes = memory::filled(0u8, self.0.num_nodes() * WIDTH, "searches")?;
        for &(node, lane) in sources {
            lanes[node as usize * WIDTH + lane / 8] |= 1 << (lane % 8);
        }
        let mut nodes: Vec<Node> = sources.iter().map(|&(node, _)| node).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let mut slice = Slice::<Union>::begin(BallRows::Parts(self.0), WIDTH, lanes, nodes);
        for level in 1.. {
            match slice.advance(exchange, progress)? {
                Some(changes) => visit(level, &changes),
                None => break,
            }
        }
        Ok(())
    }
}

/// All lanes that reach a node.
struct Union;

impl Joins for Union {
    type Change = Counts;

    #[inline]
    fn join(own: &mut [u8], others: &[u8]) {
        for (own, other) in own.iter_mut().zip(others) {
            *own |= other;
        }
    }

    fn change(before: &[u8], after: &[u8]) -> Counts {
        let (before, after) = (before.as_chunks().0, after.as_chunks().0);
        let mut counts = [0; PARTS];
        for (count, (before, after)) in counts.iter_mut().zip(before.iter().zip(after)) {
            let [before, after] = [before, after].map(|&bytes| u32::from_le_bytes(bytes));
            *count = (after & !before).count_ones() as u8;
        }
        counts
    }

    fn both(one: Counts, other: Counts) -> Counts {
        std::array::from_fn(|part| one[part] + other[part])
    }
}
