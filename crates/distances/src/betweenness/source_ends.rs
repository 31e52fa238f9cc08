//! The end nodes of the paths from some sources: a breadth-first search from each, 512 at a time.

use crate::traversal::bit_parallel::{LANES, Mask, Tally, Workspace};
use crate::traversal::lane_counts::Counter;
use ndarray::Array1;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::simd::Simd;
use webrank_base::parallel::tasks;
use webrank_base::parallel::workspaces::Pool;
use webrank_base::progress::Progress;
use webrank_graph::{Csr, Successors};

/// The number of batches whose counts are held at a time.
const BATCHES_AT_A_TIME: usize = 8;

/// For each node, the number of pairs that it is an end of, of those whose first node is a source
/// and that a path joins. The sources are different nodes.
///
/// O(m) for each 512 sources at worst; 192 bytes per node and thread, and 40 per node for counts.
///
/// # Errors
/// [`Interrupted`](webrank_base::error::Error::Interrupted) when the user stops the run.
pub fn ends_from(
    successors: Successors<Csr>,
    sources: &[Node],
    progress: &dyn Progress,
) -> Result<Array1<f64>> {
    let rows = successors.0;
    let n = rows.num_nodes();
    let rooms = Pool::new(|| Workspace::new(n));
    let mut ends = Array1::<f64>::zeros(n);
    progress.begin("counting ends", Some(sources.len() as u64));
    for group in sources.chunks(BATCHES_AT_A_TIME * LANES) {
        let parts = tasks::try_map(group.chunks(LANES), |batch| {
            progress.check()?;
            let mut reached = Reached {
                by: vec![0; n],
                from: Counter::new(),
            };
            rooms.with(|room| {
                room.clear();
                for (lane, &source) in batch.iter().enumerate() {
                    room.exclude(source, lane);
                    for &x in rows.row(source).iter().filter(|&&x| x != source) {
                        room.start(x, lane);
                    }
                }
                room.search(rows, &mut reached, Simd::best());
            });
            let mut counts = [0; LANES];
            reached.from.take(&mut counts);
            Ok((batch, reached.by, counts))
        })?;
        for (batch, by, counts) in parts {
            // Sums of integers below 2^53 are exact in any order.
            for (end, by) in ends.iter_mut().zip(by) {
                *end += f64::from(by);
            }
            for (&source, count) in batch.iter().zip(counts) {
                ends[source as usize] += f64::from(count);
            }
        }
        progress.advance(group.len() as u64);
    }
    progress.end();
    Ok(ends)
}

/// How many sources of a batch reach each node, and how many nodes each source reaches.
struct Reached {
    by: Vec<u32>,
    from: Counter,
}

impl Tally for Reached {
    #[inline(always)]
    fn reach(&mut self, node: Node, new: Mask, _level: u32) {
        self.by[node as usize] += new.count();
        self.from.add(new, 1);
    }

    #[inline(always)]
    fn end_level(&mut self, _level: u32) -> bool {
        true
    }
}
