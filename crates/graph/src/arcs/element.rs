//! An arc as it is sorted.

use rayon::slice::ParallelSliceMut;
use webrank_base::Node;

/// An arc: source and target in one number, and a weight if arcs have weights.
pub trait Element: Copy + Send + Sync + 'static {
    /// True if arcs have weights.
    const WEIGHTED: bool;

    /// An arc.
    fn new(key: u64, weight: f64) -> Self;

    /// The source in the upper half, the target in the lower one.
    fn key(self) -> u64;

    /// The weight; 1 if arcs have none.
    fn weight(self) -> f64;

    /// Sorts arcs by their keys. Arcs with weights stay in order if their keys are equal.
    fn sort(arcs: &mut [Self]);

    /// The bytes that sorting takes for each arc, besides the list.
    const SORTING: u64;
}

/// The key of an arc.
pub(super) fn key(source: Node, target: Node) -> u64 {
    u64::from(source) << 32 | u64::from(target)
}

/// The key of the reversed arc.
pub(super) fn reversed(key: u64) -> u64 {
    key.rotate_left(32)
}

impl Element for u64 {
    const WEIGHTED: bool = false;
    const SORTING: u64 = 0;

    fn new(key: u64, _: f64) -> Self {
        key
    }

    fn key(self) -> u64 {
        self
    }

    fn weight(self) -> f64 {
        1.0
    }

    fn sort(arcs: &mut [Self]) {
        arcs.par_sort_unstable();
    }
}

/// An arc with its weight.
#[derive(Clone, Copy)]
pub struct Weighted {
    key: u64,
    weight: f64,
}

impl Element for Weighted {
    const WEIGHTED: bool = true;
    const SORTING: u64 = size_of::<Self>() as u64;

    fn new(key: u64, weight: f64) -> Self {
        Weighted { key, weight }
    }

    fn key(self) -> u64 {
        self.key
    }

    fn weight(self) -> f64 {
        self.weight
    }

    fn sort(arcs: &mut [Self]) {
        arcs.par_sort_by_key(|arc| arc.key);
    }
}
