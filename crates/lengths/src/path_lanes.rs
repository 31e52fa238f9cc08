//! Dependencies by small whole lengths, from 512 sources at a time.
//!
//! One [`RingSearch`] finds the distances of 512 sources. They are then taken 8 at a time: an arc v -> w of
//! length l is on shortest paths of the sources for which d(w) = d(v) + l, which one comparison of 8
//! distances tells. So the arcs are read once for 8 sources, and only those on shortest paths again. Nodes
//! follow in the order of their distances: those that stand at one distance in some lanes count paths there
//! for these lanes together. On the way back, alpha(w) = (1 + delta(w)) / sigma(w), and
//!
//!   delta(v) = sigma(v) times the sum of alpha(w) over arcs v -> w on shortest paths (Brandes 2001)
//!
//! Nodes have numbers of their own in a batch, in the order in which they are reached, so that what is read
//! stays in the cache where few nodes are reached.

use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::simd::Simd;
use webrank_base::progress::Progress;
use webrank_distances::betweenness::dependency_sums::{DependencySums, SourceSearch};
use webrank_distances::traversal::bit_parallel::LANES;
use webrank_distances::traversal::ring::{RingSearch, ShortArcs};

/// The sources whose paths are counted together: a vector of 512 bits.
const WIDTH: usize = 8;

/// No distance: a source does not reach the node.
const FAR: u16 = u16::MAX;

/// Distances up to this are held; an arc farther is still below [`FAR`].
const MOST: u16 = FAR - 256;

/// Numbers of paths up to this are exact.
const LARGEST: f64 = (1u64 << 53) as f64;

/// A number for each source of a block.
type Values = [f64; WIDTH];

/// Searches from 512 sources at a time; from one after the other where distances or numbers of paths are
/// too large.
pub(crate) struct PathLanes<'g, S> {
    graph: ShortArcs<'g>,
    /// Longer paths do not count.
    cutoff: u64,
    ring: RingSearch,
    one_by_one: S,
    /// The number that each node has in this batch; meaningless if it is not reached.
    local: Vec<u32>,
    /// The nodes by these numbers, and the distances of each from the sources.
    nodes: Vec<Node>,
    distances: Vec<[u16; LANES]>,
    /// The arcs between them: where rows begin, and targets with lengths.
    offsets: Vec<u32>,
    arcs: Vec<(u32, u16)>,
    block: Block,
}

/// The state of 8 sources.
#[derive(Default)]
struct Block {
    near: Vec<[u16; WIDTH]>,
    /// The arcs on shortest paths, with the lanes for which they are; where those of each node begin.
    hits: Vec<(u32, u8)>,
    first_hit: Vec<u32>,
    /// Nodes with the lanes in which they stand at a distance, by distance; where each distance ends.
    entries: Vec<(u32, u8)>,
    ends: Vec<u32>,
    /// sigma; on the way back alpha, where that is known.
    values: Vec<Values>,
    /// The dependencies of the block on each node.
    sums: Vec<f64>,
    roundings: u64,
}

/// The bytes of a workspace.
pub(crate) fn memory(num_nodes: usize, num_arcs: u64, longest: u32) -> u64 {
    let lists = 4 + 4 + 2 * LANES + 4;
    // Distances, first hits, values, sums, and an entry for each lane.
    let block = 2 * WIDTH + 4 + 8 * WIDTH + 8 + 8 * WIDTH;
    RingSearch::memory(num_nodes, longest)
        .saturating_add((num_nodes as u64).saturating_mul((lists + block) as u64))
        .saturating_add(num_arcs.saturating_mul(16))
}

impl<'g, S: SourceSearch> PathLanes<'g, S> {
    /// A workspace for a graph whose arcs have lengths up to `longest`, at most 255, where paths up to
    /// `cutoff` count; `one_by_one` adds what this search cannot count.
    pub fn new(graph: ShortArcs<'g>, longest: u32, cutoff: u64, one_by_one: S) -> Self {
        debug_assert!(longest <= 255);
        let n = graph.offsets.len() - 1;
        PathLanes {
            graph,
            cutoff,
            ring: RingSearch::new(n, longest),
            one_by_one,
            local: vec![0; n],
            nodes: Vec::new(),
            distances: Vec::new(),
            offsets: Vec::new(),
            arcs: Vec::new(),
            block: Block::default(),
        }
    }

    /// Finds the distances of a batch. False if one is too large.
    fn find_distances(&mut self, sources: &[Node]) -> bool {
        let PathLanes {
            ring,
            local,
            nodes,
            distances,
            ..
        } = self;
        nodes.clear();
        distances.clear();
        let mut fits = true;
        let settle = |distance: u64, node: Node, lanes: &[u64; LANES / 64]| {
            let place = &mut local[node as usize];
            if nodes.get(*place as usize) != Some(&node) {
                *place = nodes.len() as u32;
                nodes.push(node);
                distances.push([FAR; LANES]);
            }
            fits &= distance <= u64::from(MOST);
            let row = &mut distances[*place as usize];
            for (word, &lanes) in lanes.iter().enumerate() {
                let mut lanes = lanes;
                while lanes != 0 {
                    row[64 * word + lanes.trailing_zeros() as usize] = distance as u16;
                    lanes &= lanes - 1;
                }
            }
        };
        ring.visit(self.graph, sources, self.cutoff, settle, |_, _| ());
        fits
    }

    /// Lists the arcs between the nodes that are reached, by their numbers.
    fn number_arcs(&mut self) {
        self.offsets.clear();
        self.arcs.clear();
        self.offsets.push(0);
        for &node in &self.nodes {
            let first = self.graph.offsets[node as usize] as usize;
            let end = self.graph.offsets[node as usize + 1] as usize;
            for &(target, length) in &self.graph.arcs[first..end] {
                let place = self.local[target as usize];
                // Beyond a cutoff there are others.
                if self.nodes.get(place as usize) == Some(&target) {
                    self.arcs.push((place, length as u16));
                }
            }
            self.offsets.push(self.arcs.len() as u32);
        }
    }

    /// Adds the dependencies of at most 512 sources to `sums`. False, and without having added any, if
    /// distances or numbers of paths are too large.
    fn add_batch(
        &mut self,
        sources: &[Node],
        sums: &mut DependencySums,
        progress: &dyn Progress,
    ) -> Result<bool> {
        if !self.find_distances(sources) || u32::try_from(self.graph.arcs.len()).is_err() {
            return Ok(false);
        }
        self.number_arcs();
        self.block.sums.clear();
        self.block.sums.resize(self.nodes.len(), 0.0);
        self.block.roundings = 0;
        for first in (0..sources.len()).step_by(WIDTH) {
            progress.check()?;
            let near = self.distances.iter();
            self.block.near.clear();
            self.block.near.extend(
                near.map(|row| -> [u16; WIDTH] { std::array::from_fn(|lane| row[first + lane]) }),
            );
            let is_counted = Simd::best().run(Kernel {
                block: &mut self.block,
                offsets: &self.offsets,
                arcs: &self.arcs,
            });
            if !is_counted {
                return Ok(false);
            }
        }
        for (&node, &sum) in self.nodes.iter().zip(&self.block.sums) {
            sums.values[node as usize] += sum;
        }
        // Dependencies of 8 sources are added by halves, and then to those of the batch.
        let roundings = self.block.roundings + WIDTH.ilog2() as u64 + 1;
        sums.roundings = sums.roundings.max(roundings);
        if !sums.ends.is_empty() {
            self.count_ends(sources, &mut sums.ends);
        }
        Ok(true)
    }

    /// Counts, for each node, the paths of the batch that begin or end there.
    fn count_ends(&self, sources: &[Node], ends: &mut [u64]) {
        for (&node, row) in self.nodes.iter().zip(&self.distances) {
            for (&source, &distance) in sources.iter().zip(row) {
                let is_end = u64::from(distance != FAR && distance != 0);
                ends[node as usize] += is_end;
                ends[source as usize] += is_end;
            }
        }
    }
}

impl<S: SourceSearch> SourceSearch for PathLanes<'_, S> {
    fn add(
        &mut self,
        sources: &[Node],
        sums: &mut DependencySums,
        progress: &dyn Progress,
    ) -> Result<()> {
        let batches = sources.len().div_ceil(LANES).max(1);
        for batch in sources.chunks(sources.len().div_ceil(batches).max(1)) {
            if self.add_batch(batch, sums, progress)? {
                progress.advance(batch.len() as u64);
            } else {
                self.one_by_one.add(batch, sums, progress)?;
            }
        }
        Ok(())
    }
}

/// The part that is compiled for each vector width. False if a number of paths is too large.
struct Kernel<'a> {
    block: &'a mut Block,
    offsets: &'a [u32],
    arcs: &'a [(u32, u16)],
}

impl pulp::NullaryFnOnce for Kernel<'_> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        self.block.find_hits(self.offsets, self.arcs);
        self.block.sort_entries();
        let is_counted = self.block.forward();
        if is_counted {
            self.block.backward();
        }
        is_counted
    }
}

impl Block {
    /// Finds the arcs on shortest paths of some lane.
    #[inline(always)]
    fn find_hits(&mut self, offsets: &[u32], arcs: &[(u32, u16)]) {
        self.hits.resize(arcs.len() + 1, (0, 0));
        self.first_hit.clear();
        let mut found = 0;
        for v in 0..self.near.len() {
            self.first_hit.push(found as u32);
            let here = self.near[v];
            let reached = lanes(|lane| here[lane] != FAR);
            if reached == 0 {
                continue;
            }
            for &(w, length) in &arcs[offsets[v] as usize..offsets[v + 1] as usize] {
                let there = &self.near[w as usize];
                let hit = lanes(|lane| there[lane] == here[lane].wrapping_add(length)) & reached;
                self.hits[found] = (w, hit);
                found += usize::from(hit != 0);
            }
        }
        self.first_hit.push(found as u32);
    }

    /// Sorts nodes by distance, those that stand at one distance in several lanes together.
    #[inline(always)]
    fn sort_entries(&mut self) {
        self.ends.clear();
        // One place more: counts are one ahead, so that they become first places and then ends.
        for here in &self.near {
            each_distance(here, |distance, _| {
                let place = usize::from(distance) + 1;
                if self.ends.len() <= place {
                    self.ends.resize(place + 1, 0);
                }
                self.ends[place] += 1;
            });
        }
        for place in 1..self.ends.len() {
            self.ends[place] += self.ends[place - 1];
        }
        let count = self.ends.last().copied().unwrap_or(0);
        self.entries.resize(count as usize, (0, 0));
        for (v, here) in self.near.iter().enumerate() {
            each_distance(here, |distance, lanes| {
                let place = &mut self.ends[usize::from(distance)];
                self.entries[*place as usize] = (v as u32, lanes);
                *place += 1;
            });
        }
        self.ends.pop();
    }

    /// Counts paths. False if a number is too large.
    #[inline(always)]
    fn forward(&mut self) -> bool {
        self.values.clear();
        self.values.resize(self.near.len(), [0.0; WIDTH]);
        let sources = self.ends.first().copied().unwrap_or(0) as usize;
        for &(v, lanes) in &self.entries[..sources] {
            self.values[v as usize] = only([1.0; WIDTH], lanes);
        }
        let mut largest: Values = [0.0; WIDTH];
        for &(v, lanes) in &self.entries {
            let paths = only(self.values[v as usize], lanes);
            for lane in 0..WIDTH {
                largest[lane] = if paths[lane] > largest[lane] {
                    paths[lane]
                } else {
                    largest[lane]
                };
            }
            let hits = self.first_hit[v as usize] as usize..self.first_hit[v as usize + 1] as usize;
            for &(w, hit) in &self.hits[hits] {
                let new = only(paths, hit);
                let value = &mut self.values[w as usize];
                for lane in 0..WIDTH {
                    value[lane] += new[lane];
                }
            }
        }
        largest.iter().all(|&paths| paths <= LARGEST)
    }

    /// Adds the dependencies.
    #[inline(always)]
    fn backward(&mut self) {
        let mut end = self.entries.len();
        for level in (0..self.ends.len()).rev() {
            let first = match level {
                0 => 0,
                _ => self.ends[level - 1] as usize,
            };
            let mut most = 0;
            for &(v, lanes) in self.entries[first..end].iter().rev() {
                let hits =
                    self.first_hit[v as usize] as usize..self.first_hit[v as usize + 1] as usize;
                most = most.max(hits.len());
                let mut below: Values = [0.0; WIDTH];
                for &(w, hit) in &self.hits[hits] {
                    let alpha = only(self.values[w as usize], hit & lanes);
                    for lane in 0..WIDTH {
                        below[lane] += alpha[lane];
                    }
                }
                let value = &mut self.values[v as usize];
                let mut dependency: Values = [0.0; WIDTH];
                for lane in 0..WIDTH {
                    dependency[lane] = below[lane] * value[lane];
                    let alpha = (1.0 + dependency[lane]) / value[lane];
                    let is_here = lanes >> lane & 1 == 1;
                    value[lane] = if is_here { alpha } else { value[lane] };
                }
                // At distance 0 are the sources themselves.
                if level > 0 {
                    self.sums[v as usize] += sum(dependency);
                }
            }
            // A sum of alphas, times sigma, plus 1, over sigma.
            self.roundings += if end > first { most as u64 + 3 } else { 0 };
            end = first;
        }
    }
}

/// The lanes for which something is true.
#[inline(always)]
fn lanes(is_true: impl Fn(usize) -> bool) -> u8 {
    let mut lanes = 0;
    for lane in 0..WIDTH {
        lanes |= u8::from(is_true(lane)) << lane;
    }
    lanes
}

/// Calls `visit` with each distance and the lanes that have it.
#[inline(always)]
fn each_distance(here: &[u16; WIDTH], mut visit: impl FnMut(u16, u8)) {
    let mut left = lanes(|lane| here[lane] != FAR);
    while left != 0 {
        let distance = here[left.trailing_zeros() as usize];
        let same = lanes(|lane| here[lane] == distance);
        visit(distance, same);
        left &= !same;
    }
}

/// The values of these lanes, 0 in others.
#[inline(always)]
fn only(values: Values, lanes: u8) -> Values {
    std::array::from_fn(|lane| match lanes >> lane & 1 {
        1 => values[lane],
        _ => 0.0,
    })
}

/// Added in one order, by halves.
#[inline(always)]
fn sum(mut values: Values) -> f64 {
    let mut width = WIDTH;
    while width > 1 {
        width /= 2;
        for lane in 0..width {
            values[lane] += values[lane + width];
        }
    }
    values[0]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cutoff;
    use crate::betweenness::sums_of;
    use crate::distance::Plus;
    use crate::engine::{OnLengths, Prepared};
    use crate::source::LengthSource;
    use proptest::prelude::*;
    use webrank_base::progress::Silent;
    use webrank_base::random::SplitMix;
    use webrank_distances::betweenness::dependency_sums::Items;
    use webrank_graph::{Direction, Graph};

    /// Sums from many sources at a time are those from one after the other, but for rounding.
    struct BothWays;

    impl OnLengths for BothWays {
        type Found = ();

        fn run<D: Plus<A>, A: Clone + Ord + Send + Sync>(
            self,
            graph: Prepared<D, A>,
        ) -> Result<()> {
            let (order, _) = graph.lanes.clone().expect("lengths are small");
            let items = Items::Nodes { ends: true };
            let many = sums_of(&graph, &order, items, None, &Silent)?;
            let one = DependencySums::of(&graph, &order, items, None, &Silent)?;
            assert_eq!(many.ends, one.ends);
            let bound = (many.roundings + one.roundings) as f64 * f64::EPSILON;
            for (a, b) in many.values.iter().zip(&one.values) {
                assert!((a - b).abs() <= bound * a.max(*b), "{a} {b}");
            }
            Ok(())
        }
    }

    fn both_ways(graph: &Graph, lengths: Vec<f64>, cutoff: Option<f64>) {
        let lengths = LengthSource::Values(lengths.into());
        let cutoff = cutoff.map(|cutoff| Cutoff::new(cutoff).unwrap());
        let lengths = lengths.read(graph, &Silent).unwrap().always_in_lanes();
        lengths.along(Direction::Out, cutoff, BothWays).unwrap();
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn lanes_change_sums_by_rounding_only(
            n in 1..1300u64, arcs in 0..4u64, longest in 1..=16u64, tenths: bool, cut in 0..50u64,
            seed: u64,
        ) {
            let mut random = SplitMix::new(seed);
            let mut ends = vec![(0, 0)];
            ends.extend((0..arcs * n).map(|_| (random.below(n) as Node, random.below(n) as Node)));
            let graph = Graph::from_arcs(n as usize, ends).unwrap();
            let length = |_| (1 + random.below(longest)) as f64 / if tenths { 10.0 } else { 1.0 };
            let lengths = (0..graph.num_arcs()).map(length).collect();
            both_ways(&graph, lengths, (cut > 0).then_some(cut as f64 / 2.0));
        }
    }

    #[test]
    fn what_is_too_much_for_lanes_is_counted_one_by_one() {
        // 2^60 paths: diamonds, one after the other.
        let diamond =
            |i: Node| [(0, 1), (0, 2), (1, 3), (2, 3)].map(|(v, w)| (3 * i + v, 3 * i + w));
        let diamonds = Graph::from_arcs(181, (0..60).flat_map(diamond)).unwrap();
        both_ways(&diamonds, vec![3.0; 240], None);
        // Distances beyond 16 bits, with a way around.
        let path = (0..5000).map(|v| (v, v + 1));
        let path = Graph::from_arcs(5001, path.chain([(0, 4999)])).unwrap();
        let lengths = (0..5001).map(|i| [1.0, 16.0][usize::from(i > 1)]).collect();
        both_ways(&path, lengths, None);
    }
}
