//! How many of the k best nodes two rankings share.
//!
//! Ties at the cut: when the k-th place falls inside a tie, every node of the tie is equally
//! likely to be in, so the overlap is its expectation over all ways to break the ties of both
//! rankings, independently and uniformly:
//!
//!   overlap(k) = sum over nodes of P(in the top k of x) · P(in the top k of y),
//!
//! where a node tied with `len` nodes in places first+1 to first+len is in the top k with
//! probability (k - first)/len, at least 0 and at most 1. No tie is broken by node number, and
//! without ties at the cut this is the number of shared nodes. The Jaccard coefficient is
//! overlap/(2k - overlap), computed from the expected overlap when ties are cut. The number of
//! nodes tied across the cut is reported, so that a reader sees when the top k is arbitrary.
//!
//! Overlap ranges from 0 to k; `agreement` = overlap/k is RBO^a's agreement at depth k (Corsi and
//! Urbano, SIGIR 2024). Its curve against k shows where two rankings differ. Partial rankings work
//! too; places beyond the shorter one are empty. O(k + size of the ties cut).
//!
//! Jaccard, "Étude comparative de la distribution florale", 1901; Fagin, Kumar, Sivakumar,
//! "Comparing top k lists", SODA 2003.

use std::ops::Range;

use serde::Serialize;

use super::pair::check_same_universe;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;
use webrank_scores::ranking::Ranking;

/// The overlap of the `k` best nodes of two rankings.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TopOverlap {
    /// Nodes taken from each ranking.
    pub k: u64,
    /// Expected number of shared nodes; an integer if no tie is cut.
    pub overlap: f64,
    /// overlap / k.
    pub agreement: f64,
    /// overlap / (2k - overlap).
    pub jaccard: f64,
    /// Number of nodes of x in the tie that the cut goes through; 0 if it goes through none.
    pub tied_at_cut_x: u64,
    /// Number of nodes of y in the tie that the cut goes through; 0 if it goes through none.
    pub tied_at_cut_y: u64,
}

/// The first `k` places of a ranking: all nodes of classes below `whole`, and in expectation `part`
/// of the nodes of class `whole`.
struct Cut {
    whole: u32,
    part: u32,
    len: u32,
    /// Ranked nodes with a positive probability of being in.
    reach: usize,
}

impl Cut {
    fn new(ranking: &Ranking, k: usize) -> Self {
        if k >= ranking.len() {
            let whole = ranking.num_classes() as u32;
            return Self {
                whole,
                part: 0,
                len: 0,
                reach: ranking.len(),
            };
        }
        let whole = ranking.class_at(k as u32);
        let positions = ranking.positions(whole);
        let part = k as u32 - positions.start;
        let len = positions.end - positions.start;
        let reach = if part == 0 {
            positions.start
        } else {
            positions.end
        } as usize;
        Self {
            whole,
            part,
            len,
            reach,
        }
    }

    fn tied(&self) -> u32 {
        if self.part == 0 { 0 } else { self.len }
    }

    fn fraction(&self) -> f64 {
        if self.part == 0 {
            0.0
        } else {
            f64::from(self.part) / f64::from(self.len)
        }
    }
}

/// The overlap of the `k` best nodes of `x` and `y`, k at least 1.
///
/// # Errors
/// [`Error::Argument`] if k is 0 or the universes differ in size.
pub fn top_overlap(x: &Ranking, y: &Ranking, k: usize) -> Result<TopOverlap> {
    check_same_universe(x, y)?;
    if k == 0 {
        return Err(Error::argument("k", 0, "compare the top 1 or more"));
    }
    let (cut_x, cut_y) = (Cut::new(x, k), Cut::new(y, k));
    // Integers, so that the order of the additions does not matter: nodes surely in both, in x
    // and tied at the cut of y, tied at the cut of x and in y, tied at both cuts.
    let counts = |&node: &Node| {
        let (class_x, class_y) = (x.classes()[node as usize], y.classes()[node as usize]);
        let [sure_x, sure_y] = [class_x < cut_x.whole, class_y < cut_y.whole];
        let tied_y = class_y == cut_y.whole && cut_y.part > 0;
        [
            sure_x && sure_y,
            sure_x && tied_y,
            !sure_x && sure_y,
            !sure_x && tied_y,
        ]
        .map(u64::from)
    };
    let add = |a: [u64; 4], b: [u64; 4]| std::array::from_fn(|i| a[i] + b[i]);
    let part = |range: Range<usize>| x.order()[range].iter().map(counts).fold([0; 4], add);
    let [both, in_x, in_y, in_none] = tasks::reduce(cut_x.reach, [0; 4], part, add);
    let (fx, fy) = (cut_x.fraction(), cut_y.fraction());
    let overlap = both as f64 + in_x as f64 * fy + in_y as f64 * fx + in_none as f64 * (fx * fy);
    Ok(TopOverlap {
        k: k as u64,
        overlap,
        agreement: overlap / k as f64,
        jaccard: overlap / (2.0 * k as f64 - overlap),
        tied_at_cut_x: u64::from(cut_x.tied()),
        tied_at_cut_y: u64::from(cut_y.tied()),
    })
}

/// 10, 100, 1000, ... below `n`: the sizes at which overlaps are usually reported.
pub fn powers_of_ten(n: usize) -> Vec<usize> {
    std::iter::successors(Some(10usize), |k| k.checked_mul(10))
        .take_while(|&k| k < n)
        .collect()
}

/// At most `points` sizes k from 1 to `n`, about evenly spaced on a logarithmic scale: the
/// abscissae of an overlap curve.
pub fn curve_sizes(n: usize, points: usize) -> Vec<usize> {
    let steps = points.saturating_sub(1).max(1) as f64;
    let mut sizes: Vec<usize> = (0..points)
        .map(|i| (n as f64).powf(i as f64 / steps).round() as usize)
        .filter(|k| (1..=n).contains(k))
        .collect();
    sizes.dedup();
    sizes
}
