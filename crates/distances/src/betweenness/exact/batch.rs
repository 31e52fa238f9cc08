//! Brandes's algorithm from several sources at a time, one per lane of vectors of `f64`.
//!
//! All lanes advance level by level. A class of nodes may be at different levels in different
//! lanes; masks record which, and an arc is followed for all lanes of a level together. In the
//! forward pass, the value of a class in a lane is sigma, the number of shortest paths to each of
//! its nodes. In the backward pass, once the class's dependencies are known, it is
//!
//!   alpha = (sum over its nodes w of weight(w) + delta(w)) / sigma
//!
//! so that delta(v) = sigma(v) times the sum of alpha over the next level's classes that v leads
//! to. Both passes read a row once for each level at which its class is in some lane.
//!
//! A search has no node at level 0. It starts at level 1, with the successors that the sources it
//! stands for have in common. It may come back to such a source, which then adds no path, because
//! its successors are at level 1.

use super::folded::Folded;
use super::lane_values::{LaneSet, LaneValues};
use super::node_set::NodeSet;
use super::source_weights::SourceWeights;
use crate::betweenness::path_count::{LARGEST, LARGEST_EXACT};
use webrank_base::Node;
use webrank_base::parallel::simd::Simd;

/// The working memory of a batch on one graph. Between batches, everything except `entries` and
/// `ends` is zero.
pub(crate) struct BatchWorkspace<const L: usize> {
    values: Vec<LaneValues<L>>,
    /// The lanes that have reached each class.
    seen: Vec<LaneSet>,
    /// In the forward pass, the lanes that reach a class at the next level; in the backward pass,
    /// those that reached it at the following level.
    next: Vec<LaneSet>,
    touched: NodeSet,
    /// The classes of one level.
    fresh: Vec<Node>,
    /// The classes of all levels, each with the lanes in which it is at that level.
    entries: Vec<(Node, LaneSet)>,
    /// The end of each level in `entries`.
    ends: Vec<usize>,
    /// The arcs of one row that some lane follows, each with the lanes that do.
    hits: Vec<(Node, LaneSet)>,
    /// The hits of all rows read in the forward pass: a stack that the backward pass pops. Only
    /// about one arc in twenty would be a hit if the rows were read again.
    recorded: Vec<(Node, LaneSet)>,
    /// The number of hits of each row; [`UNRECORDED`] if they are not in `recorded`.
    counts: Vec<u32>,
    /// The maximal number of hits to record.
    most_recorded: usize,
    /// A bit for each class with corrections.
    corrected: Vec<u64>,
    reached: [u32; L],
    /// The largest number of paths to a class, or to all of its nodes together as they pass to the
    /// next level.
    largest: f64,
    /// The roundings behind the alphas of the levels that the backward pass has done.
    roundings: u64,
}

impl<const L: usize> BatchWorkspace<L> {
    /// A workspace that keeps at most `most_recorded` hits, of 16 bytes each, in addition to what
    /// the graph needs.
    pub fn new(graph: &Folded, most_recorded: usize) -> Self {
        let classes = graph.num_classes();
        BatchWorkspace {
            values: vec![LaneValues::ZERO; classes],
            seen: vec![0; classes],
            next: vec![0; classes],
            touched: NodeSet::new(classes),
            fresh: Vec::new(),
            entries: Vec::new(),
            ends: Vec::new(),
            hits: vec![(0, 0); graph.largest_row() + 1],
            recorded: Vec::new(),
            counts: Vec::new(),
            most_recorded,
            corrected: vec![0; classes.div_ceil(64)],
            reached: [0; L],
            largest: 0.0,
            roundings: 0,
        }
    }

    /// Puts a class at level 1 of a lane.
    pub fn start(&mut self, class: Node, lane: usize) {
        self.values[class as usize].0[lane] = 1.0;
        self.next[class as usize] |= 1 << lane;
        self.touched.add(class);
    }

    /// Searches forward from the classes that were started. False if some number of paths is too
    /// large for this engine; then only [`clear`](Self::clear) may follow.
    pub fn forward(&mut self, graph: &Folded, simd: Simd) -> bool {
        simd.run(ForwardPass {
            workspace: self,
            graph,
        })
    }

    /// Whether a lane has reached a class.
    pub fn has_reached(&self, class: Node, lane: usize) -> bool {
        self.seen[class as usize] >> lane & 1 == 1
    }

    /// The number of nodes that a lane has reached.
    pub fn reached(&self, lane: usize) -> u32 {
        self.reached[lane]
    }

    /// The roundings behind a dependency, after the backward pass: see
    /// [`ties`](crate::betweenness::ties).
    ///
    /// Numbers of paths are sums of integers, exact up to 2^53. Larger ones are rounded sums over
    /// groups of the level above, so all levels together add no more terms than there are groups,
    /// and each level multiplies once by group sizes. A dependency is a sum of quotients of two
    /// such numbers.
    pub fn roundings(&self, graph: &Folded) -> u64 {
        let counting = if self.largest <= LARGEST_EXACT {
            0
        } else {
            (graph.num_groups() + self.ends.len()) as u64
        };
        2 * counting + self.roundings + L.ilog2() as u64
    }

    /// The number of levels of the batch.
    pub fn levels(&self) -> usize {
        self.ends.len()
    }

    /// Adds to `scores[g]` the dependencies of all lanes on the nodes of group g.
    pub fn backward(
        &mut self,
        graph: &Folded,
        starts: &SourceWeights<L>,
        scores: &mut [f64],
        simd: Simd,
    ) {
        for class in starts.corrected() {
            self.corrected[class as usize / 64] |= 1 << (class % 64);
        }
        simd.run(BackwardPass {
            workspace: self,
            graph,
            starts,
            scores,
        });
        for class in starts.corrected() {
            self.corrected[class as usize / 64] = 0;
        }
    }

    /// Forgets the batch.
    pub fn clear(&mut self) {
        self.touched.take(&mut self.fresh);
        for class in self.fresh.drain(..) {
            self.values[class as usize] = LaneValues::ZERO;
            self.next[class as usize] = 0;
        }
        for (class, _) in self.entries.drain(..) {
            self.values[class as usize] = LaneValues::ZERO;
            self.seen[class as usize] = 0;
            self.next[class as usize] = 0;
        }
        self.ends.clear();
        self.recorded.clear();
        self.counts.clear();
        self.reached = [0; L];
        self.largest = 0.0;
        self.roundings = 0;
    }

    /// Makes a level of the classes that the last level offered paths to; returns the largest
    /// number of paths on it, or `None` if it is empty.
    #[inline(always)]
    fn settle(&mut self, graph: &Folded) -> Option<f64> {
        let start = self.entries.len();
        let mut largest = LaneValues::<L>::ZERO;
        self.touched.take(&mut self.fresh);
        // No closure here: it might be compiled without wide vector instructions.
        for &class in &self.fresh {
            let c = class as usize;
            let new = std::mem::take(&mut self.next[c]);
            self.seen[c] |= new;
            self.entries.push((class, new));
            let size: u32 = graph.sizes()[graph.groups(class)].iter().sum();
            for l in 0..L {
                self.reached[l] += (new >> l & 1) as u32 * size;
                let paths = self.values[c].0[l];
                largest.0[l] = if paths > largest.0[l] {
                    paths
                } else {
                    largest.0[l]
                };
            }
        }
        self.fresh.clear();
        self.ends.push(self.entries.len());
        let largest = largest.0.into_iter().fold(0.0, f64::max);
        (self.entries.len() > start).then_some(largest)
    }

    /// Offers the paths of the level just settled to the classes that it leads to.
    #[inline(always)]
    fn push(&mut self, graph: &Folded, level: std::ops::Range<usize>) {
        for i in level {
            let (class, front) = self.entries[i];
            let paths = self.values[class as usize].only(front);
            for group in graph.groups(class) {
                let found = scan(graph.row(group), front, &self.seen, true, &mut self.hits);
                let fits = self.recorded.len() + found <= self.most_recorded;
                self.counts
                    .push(if fits { found as u32 } else { UNRECORDED });
                if found == 0 {
                    continue;
                }
                if fits {
                    self.recorded.extend_from_slice(&self.hits[..found]);
                }
                let offered = paths.scaled(graph.sizes()[group] as f64);
                for &(w, new) in &self.hits[..found] {
                    let value = &mut self.values[w as usize];
                    *value = value.plus(offered.only(new));
                    self.next[w as usize] |= new;
                    self.touched.add(w);
                }
            }
        }
    }

    /// Turns the sigma of a level's classes into alpha, given the alpha of the following level,
    /// whose lanes are in `next`; adds their dependencies to `scores`. The order within the level
    /// is backward, as hits are popped from their stack.
    #[inline(always)]
    fn pull(
        &mut self,
        graph: &Folded,
        starts: &SourceWeights<L>,
        level: std::ops::Range<usize>,
        scores: &mut [f64],
    ) {
        let (mut most_hits, mut most_groups) = (0, 0);
        for i in level.rev() {
            let (class, front) = self.entries[i];
            let paths = self.values[class as usize];
            let mut total = LaneValues::ZERO;
            let mut class_size = 0.0;
            let groups = graph.groups(class);
            most_groups = most_groups.max(groups.len());
            for group in groups.rev() {
                let size = graph.sizes()[group] as f64;
                class_size += size;
                let count = self.counts.pop().unwrap_or(0);
                if count == 0 {
                    continue;
                }
                let mut sum = LaneValues::ZERO;
                if count == UNRECORDED {
                    let found = scan(graph.row(group), front, &self.next, false, &mut self.hits);
                    for &(w, below) in &self.hits[..found] {
                        sum = sum.plus(self.values[w as usize].only(below));
                    }
                    most_hits = most_hits.max(found);
                } else {
                    let first = self.recorded.len() - count as usize;
                    for &(w, below) in &self.recorded[first..] {
                        sum = sum.plus(self.values[w as usize].only(below));
                    }
                    self.recorded.truncate(first);
                    most_hits = most_hits.max(count as usize);
                }
                let dependency = sum.times(paths);
                scores[group] += dependency.sum();
                total = total.plus(dependency.scaled(size));
            }
            let is_corrected = self.corrected[class as usize / 64] >> (class % 64) & 1 == 1;
            let weight = starts.weight(class, class_size, is_corrected);
            let value = &mut self.values[class as usize];
            for (l, value) in value.0.iter_mut().enumerate() {
                let alpha = (weight.0[l] + total.0[l]) / paths.0[l];
                *value = if front >> l & 1 == 1 { alpha } else { *value };
            }
        }
        // These are: the sum of alphas, times sigma, times size, the sum over groups, plus weight,
        // over sigma.
        self.roundings += (most_hits + most_groups + 4) as u64;
    }
}

/// Marks a row whose hits were not recorded.
const UNRECORDED: u32 = u32::MAX;

/// Writes to the start of `hits` the nodes of `row` that some lane of `front` has in `lanes`, or
/// with `inverted` does not have; returns their number. Most nodes have none, unpredictably, so
/// there is no branch.
#[inline(always)]
fn scan(
    row: &[Node],
    front: LaneSet,
    lanes: &[LaneSet],
    inverted: bool,
    hits: &mut [(Node, LaneSet)],
) -> usize {
    let flip = if inverted { !0 } else { 0 };
    let mut found = 0;
    for &w in row {
        let hit = front & (lanes[w as usize] ^ flip);
        hits[found] = (w, hit);
        found += (hit != 0) as usize;
    }
    found
}

/// The code that is compiled for each vector width.
struct ForwardPass<'a, const L: usize> {
    workspace: &'a mut BatchWorkspace<L>,
    graph: &'a Folded,
}

impl<const L: usize> pulp::NullaryFnOnce for ForwardPass<'_, L> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        let mut start = 0;
        while let Some(largest) = self.workspace.settle(self.graph) {
            if largest > LARGEST {
                return false;
            }
            self.workspace.largest = self.workspace.largest.max(largest);
            let end = self.workspace.entries.len();
            self.workspace.push(self.graph, start..end);
            start = end;
        }
        true
    }
}

struct BackwardPass<'a, const L: usize> {
    workspace: &'a mut BatchWorkspace<L>,
    graph: &'a Folded,
    starts: &'a SourceWeights<L>,
    scores: &'a mut [f64],
}

impl<const L: usize> pulp::NullaryFnOnce for BackwardPass<'_, L> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let BackwardPass {
            workspace,
            graph,
            starts,
            scores,
        } = self;
        let mut below = workspace.entries.len()..workspace.entries.len();
        for level in (0..workspace.ends.len()).rev() {
            let start = if level == 0 {
                0
            } else {
                workspace.ends[level - 1]
            };
            let here = start..workspace.ends[level];
            workspace.pull(graph, starts, here.clone(), scores);
            for &(class, _) in &workspace.entries[below] {
                workspace.next[class as usize] = 0;
            }
            for &(class, lanes) in &workspace.entries[here.clone()] {
                workspace.next[class as usize] = lanes;
            }
            below = here;
        }
    }
}
