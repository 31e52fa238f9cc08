//! Loops over nodes with shares that are whole numbers, by vector instructions.
//!
//! Sums are exact ([`FixedLanes`]), so they are the same for every width of vectors.

use super::pulling::SweepStats;
use pulp::NullaryFnOnce;
use std::array;
use webrank_base::parallel::fixed_point_sum::{FixedLanes, FixedSum, LANES};
use webrank_base::parallel::simd::Simd;

/// Nodes that a kernel handles at a time: what it reads and writes stays in a level-1 cache.
pub(super) const NODES: usize = 1 << 10;

/// The share of each successor of a node, in units of 1 / scale.
#[inline(always)]
pub(super) fn share(score: f64, outdegree: f64, scale: f64) -> u64 {
    (score / outdegree * scale + 0.5) as u64
}

/// Writes the shares of nodes; returns the mass on those that are live.
pub(super) struct Shares<'a> {
    pub(super) scores: &'a [f64],
    pub(super) outdegrees: &'a [u32],
    pub(super) scale: f64,
    pub(super) into: &'a mut [u64],
}

impl Shares<'_> {
    pub(super) fn write(self) -> FixedSum {
        Simd::best().run(self)
    }

    /// The shares of some nodes, as many as lanes.
    #[inline(always)]
    fn of_lanes(
        scores: &[f64; LANES],
        outdegrees: &[u32; LANES],
        scale: f64,
        live: &mut FixedLanes,
    ) -> [u64; LANES] {
        live.add(array::from_fn(|lane| match outdegrees[lane] {
            0 => 0.0,
            _ => scores[lane],
        }));
        array::from_fn(|lane| {
            let share = share(scores[lane], f64::from(outdegrees[lane]), scale);
            if outdegrees[lane] == 0 { 0 } else { share }
        })
    }
}

impl NullaryFnOnce for Shares<'_> {
    type Output = FixedSum;

    #[inline(always)]
    fn call(self) -> FixedSum {
        let mut live = FixedLanes::default();
        let (scores, last_scores) = self.scores.as_chunks();
        let (outdegrees, last_outdegrees) = self.outdegrees.as_chunks();
        let (into, last) = self.into.as_chunks_mut();
        for ((scores, outdegrees), into) in scores.iter().zip(outdegrees).zip(into) {
            *into = Self::of_lanes(scores, outdegrees, self.scale, &mut live);
        }
        let (scores, outdegrees) = (padded(last_scores), padded(last_outdegrees));
        let shares = Self::of_lanes(&scores, &outdegrees, self.scale, &mut live);
        last.copy_from_slice(&shares[..last.len()]);
        live.sum()
    }
}

/// x <- F(x) for some nodes: new scores, and how those of live nodes differ from the old ones.
pub(super) struct Update<'a> {
    pub(super) alpha: f64,
    /// 1 / scale.
    pub(super) unit: f64,
    /// The sums of the shares of predecessors.
    pub(super) inflows: &'a [u64],
    /// The rest of each score: the restart, and the share of dangling nodes.
    pub(super) base: &'a [f64],
    /// Which nodes are live: a bit for each, the first [`LANES`] in the first byte.
    pub(super) live: &'a [u8],
    /// Whether dangling nodes get scores; otherwise these become 0.
    pub(super) is_whole: bool,
    pub(super) scores: &'a mut [f64],
    pub(super) moved: &'a mut [f32],
}

/// The findings of an update so far.
#[derive(Default)]
struct Found {
    change: FixedLanes,
    mass: FixedLanes,
    largest: [u64; LANES],
    most: [u64; LANES],
    farthest: [f64; LANES],
}

impl Update<'_> {
    pub(super) fn run(self) -> SweepStats {
        Simd::best().run(self)
    }
}

impl Found {
    /// Updates as many nodes as lanes.
    #[inline(always)]
    fn update(
        &mut self,
        [alpha, unit]: [f64; 2],
        (live, whole): (u8, u64),
        (inflows, base): (&[u64; LANES], &[f64; LANES]),
        (scores, moved): (&mut [f64; LANES], &mut [f32; LANES]),
    ) {
        let live: [u64; LANES] =
            array::from_fn(|lane| (u64::from(live) >> lane & 1).wrapping_neg());
        let masked = |value: f64, mask: u64| f64::from_bits(value.to_bits() & mask);
        let new: [f64; LANES] =
            array::from_fn(|lane| alpha * (inflows[lane] as f64 * unit) + base[lane]);
        let change: [f64; LANES] =
            array::from_fn(|lane| masked(new[lane] - scores[lane], live[lane]));
        let size: [f64; LANES] = array::from_fn(|lane| change[lane].abs());
        self.mass
            .add(array::from_fn(|lane| masked(new[lane], live[lane])));
        self.change.add(size);
        for lane in 0..LANES {
            self.largest[lane] = self.largest[lane].max(inflows[lane] & live[lane]);
            self.most[lane] = self.most[lane].max(inflows[lane]);
            self.farthest[lane] = self.farthest[lane].max(size[lane]);
        }
        *scores = array::from_fn(|lane| masked(new[lane], live[lane] | whole));
        *moved = array::from_fn(|lane| change[lane] as f32);
    }
}

impl NullaryFnOnce for Update<'_> {
    type Output = SweepStats;

    #[inline(always)]
    fn call(self) -> SweepStats {
        let mut found = Found::default();
        let factors = [self.alpha, self.unit];
        let whole = u64::from(self.is_whole).wrapping_neg();
        let (inflows, last_inflows) = self.inflows.as_chunks();
        let (base, last_base) = self.base.as_chunks();
        let (scores, last_scores) = self.scores.as_chunks_mut();
        let (moved, last_moved) = self.moved.as_chunks_mut();
        let given = inflows.iter().zip(base);
        let nodes = given.zip(scores.iter_mut().zip(moved));
        for ((given, kept), &live) in nodes.zip(self.live) {
            found.update(factors, (live, whole), given, kept);
        }
        // Nodes that are not there have only zeros, and add nothing.
        let (mut scores, mut moved) = (padded(last_scores), [0.0; LANES]);
        let given = (&padded(last_inflows), &padded(last_base));
        let last = self.live.get(self.inflows.len() / LANES);
        let live = last.copied().unwrap_or(0);
        found.update(factors, (live, whole), given, (&mut scores, &mut moved));
        last_scores.copy_from_slice(&scores[..last_scores.len()]);
        last_moved.copy_from_slice(&moved[..last_moved.len()]);
        SweepStats {
            change: found.change.sum(),
            mass: found.mass.sum(),
            largest: found.largest.into_iter().fold(0, u64::max),
            most: found.most.into_iter().fold(0, u64::max),
            farthest: found.farthest.into_iter().fold(0.0, f64::max).to_bits(),
        }
    }
}

/// Entries, and zeros after them.
#[inline(always)]
fn padded<T: Copy + Default>(entries: &[T]) -> [T; LANES] {
    let mut lanes = [T::default(); LANES];
    lanes[..entries.len()].copy_from_slice(entries);
    lanes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every width finds what loops over single nodes find.
    #[test]
    fn every_width_has_the_same_bits() {
        let n = NODES - 3;
        let old: Vec<f64> = (0..n)
            .map(|node| ((node * 7919) % 1009) as f64 / 3e5)
            .collect();
        let outdegrees: Vec<u32> = (0..n as u32).map(|node| node * 5 % 7).collect();
        let scale = f64::exp2(63.0);
        let base: Vec<f64> = (0..n).map(|node| (node % 3) as f64 / 7e4).collect();
        let mut mass_before = FixedSum::default();
        let (mut shares, mut new) = (vec![0; n], vec![0.0; n]);
        for node in 0..n {
            if outdegrees[node] > 0 {
                mass_before.add(old[node]);
                shares[node] = share(old[node], f64::from(outdegrees[node]), scale);
            }
        }
        // Inflows, of which a dangling node gets most.
        let mut inflows: Vec<u64> = shares.iter().rev().copied().collect();
        inflows[0] = 1 << 62;
        let is_live = |node: usize| outdegrees[node] > 0;
        let mut plain = SweepStats::default();
        for node in 0..n {
            new[node] = 0.85 * (inflows[node] as f64 / scale) + base[node];
            plain.most = plain.most.max(inflows[node]);
            if is_live(node) {
                let change = (new[node] - old[node]).abs();
                plain.change.add(change);
                plain.mass.add(new[node]);
                plain.largest = plain.largest.max(inflows[node]);
                plain.farthest = plain.farthest.max(change.to_bits());
            }
        }
        assert!(plain.largest < plain.most);
        let mut live = vec![0; n.div_ceil(LANES)];
        for node in (0..n).filter(|&node| is_live(node)) {
            live[node / LANES] |= 1 << (node % LANES);
        }
        for (simd, is_whole) in Simd::available()
            .into_iter()
            .flat_map(|simd| [(simd, false), (simd, true)])
        {
            let (mut into, mut scores, mut moved) = (vec![1; n], old.clone(), vec![1.0; n]);
            let found = simd.run(Shares {
                scores: &old,
                outdegrees: &outdegrees,
                scale,
                into: &mut into,
            });
            assert_eq!((found, &into), (mass_before, &shares), "{simd:?}");
            let found = simd.run(Update {
                alpha: 0.85,
                unit: 1.0 / scale,
                inflows: &inflows,
                base: &base,
                live: &live,
                is_whole,
                scores: &mut scores,
                moved: &mut moved,
            });
            assert_eq!(found, plain, "{simd:?}");
            for node in 0..n {
                let (score, change) = match is_live(node) {
                    true => (new[node], (new[node] - old[node]) as f32),
                    false if is_whole => (new[node], 0.0),
                    false => (0.0, 0.0),
                };
                assert_eq!((scores[node], moved[node]), (score, change), "{simd:?}");
            }
        }
    }
}
