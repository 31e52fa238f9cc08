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
//! Nodes have numbers of their own in a batch, in the order in which they are reached, and 8 sources look at
//! those alone that one of them reaches: most graphs of packages or papers have few.

use super::path_block::{Block, FAR, Kernel, MOST, WIDTH};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::simd::Simd;
use webrank_base::progress::Progress;
use webrank_distances::betweenness::dependency_sums::{DependencySums, SourceSearch};
use webrank_distances::traversal::bit_parallel::LANES;
use webrank_distances::traversal::ring::{RingSearch, ShortArcs};

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
    /// The blocks of sources that reach each, a bit for each block, and the nodes that each block reaches.
    blocks: Vec<u64>,
    reached: Vec<Vec<u32>>,
    /// The arcs between them: where rows begin, and targets with lengths.
    offsets: Vec<u32>,
    arcs: Vec<(u32, u16)>,
    block: Block,
}

/// The bytes of a workspace.
pub(crate) fn memory(num_nodes: usize, num_arcs: u64, longest: u32) -> u64 {
    let lists = 4 + 4 + 2 * LANES + 8 + 4 * (LANES / WIDTH) + 4;
    // Distances, hits, values, sums, and an entry for each lane.
    let block = 2 * WIDTH + 8 + 8 * WIDTH + 8 + 8 * WIDTH;
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
            blocks: Vec::new(),
            reached: vec![Vec::new(); LANES / WIDTH],
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
            blocks,
            reached,
            ..
        } = self;
        nodes.clear();
        distances.clear();
        blocks.clear();
        reached.iter_mut().for_each(Vec::clear);
        let mut fits = true;
        let settle = |distance: u64, node: Node, lanes: &[u64; LANES / 64]| {
            let place = &mut local[node as usize];
            if nodes.get(*place as usize) != Some(&node) {
                *place = nodes.len() as u32;
                nodes.push(node);
                distances.push([FAR; LANES]);
                blocks.push(0);
            }
            let known = &mut blocks[*place as usize];
            let mut new = blocks_of(lanes) & !*known;
            *known |= new;
            while new != 0 {
                reached[new.trailing_zeros() as usize].push(*place);
                new &= new - 1;
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
        ring.visit(self.graph, sources, self.cutoff, settle);
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
        self.block.prepare(self.nodes.len(), self.arcs.len());
        for (reached, first) in self.reached.iter().zip((0..sources.len()).step_by(WIDTH)) {
            progress.check()?;
            for &v in reached {
                let row = &self.distances[v as usize];
                self.block.near[v as usize] = std::array::from_fn(|lane| row[first + lane]);
            }
            let is_counted = Simd::best().run(Kernel {
                block: &mut self.block,
                reached,
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

/// The blocks that have lanes, a bit for each.
#[inline(always)]
fn blocks_of(lanes: &[u64; LANES / 64]) -> u64 {
    let mut blocks = 0;
    for (word, &lanes) in lanes.iter().enumerate() {
        for byte in 0..8 {
            let is_there = lanes >> (8 * byte) & 0xFF != 0;
            blocks |= u64::from(is_there) << (8 * word + byte);
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cutoff;
    use crate::dependencies::sums_of;
    use crate::distance::Distance;
    use crate::engine::{OnLengths, Prepared};
    use crate::source::LengthSource;
    use proptest::prelude::*;
    use webrank_base::limits::Limits;
    use webrank_base::progress::Silent;
    use webrank_base::random::SplitMix;
    use webrank_distances::betweenness::dependency_sums::Items;
    use webrank_graph::{Direction, Graph};

    /// Sums from many sources at a time are those from one after the other, but for rounding.
    struct BothWays;

    impl OnLengths for BothWays {
        type Found = ();

        fn run<D: Distance>(self, graph: Prepared<D>) -> Result<()> {
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
        let lengths = lengths.read(graph, &Silent).unwrap();
        let lengths = lengths.in_lanes(&Limits::default());
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
