//! Rank-biased overlap: how much the tops of two rankings agree, at all depths at once.
//!
//!   RBO = (1 - p) · sum over depths d = 1, 2, ... of p^(d-1) · A_d,
//!
//! where A_d is the share of the first d places that hold the same nodes. RBO is the expected
//! agreement at the depth where a reader stops who goes on to the next depth with probability p
//! (0.9: ten places on average). Range 0 (nothing shared) to 1 (same order). Deep places have
//! negligible weight. Rankings may differ in length and nodes, and the value is symmetric.
//!
//! Extrapolated (RBO_EXT): for rankings of lengths s ≤ l, the depths beyond s are assumed to agree
//! as depth s does. The d - s unseen nodes of the shorter one match a share A_s of the d - s nodes
//! that only the longer one holds, and from l on the agreement stays the same.
//!
//! Ties (Corsi and Urbano): c_x(i, d) is how much of node i is among the first d places of x; with
//! X_d = sum over i of c_x(i, d) · c_y(i, d),
//! - w: ties are equalities (as in sports); c = 1 for every node whose tie begins at depth d or
//!   above, and A_d = 2 X_d / (sum c_x + sum c_y). This is what Webber, Moffat, Zobel sketched.
//! - a: ties are ignorance of an order; c = (d - first)/len inside a tie of `len` nodes after
//!   `first` better ones, A_d = X_d / d: the expectation over all ways to break the ties.
//! - b: ignorance too, but corrected for the information lost, as tau-b is:
//!   A_d = X_d / sqrt(sum c_x^2 · sum c_y^2). A ranking has RBO^b 1 with itself.
//!
//! All three are equal without ties. X_d comes from four integers: the numbers of nodes that are,
//! in x and in y, above the tie of depth d or in it. They change only where a tie begins; then each
//! node of the tie is visited once: O(depth + sizes of the ties met). Depths with p^d below 1e-20
//! are left out: 437 depths remain for p = 0.9. Undefined (none) if a ranking is empty.
//!
//! Webber, Moffat, Zobel, "A similarity measure for indefinite rankings", ACM TOIS 28, 2010;
//! Corsi, Urbano, "The treatment of ties in rank-biased overlap", SIGIR 2024.

use serde::Serialize;

use super::pair::check_same_universe;
use webrank_base::error::{Error, Result};
use webrank_scores::ranking::Ranking;

/// Depths whose weight p^d is below this are left out.
const NEGLIGIBLE: f64 = 1e-20;

/// The probability p to go on to the next depth: strictly between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Persistence(f64);

impl Persistence {
    /// # Errors
    /// [`Error::Argument`] unless 0 < p < 1.
    pub fn new(p: f64) -> Result<Self> {
        if p > 0.0 && p < 1.0 {
            return Ok(Self(p));
        }
        Err(Error::argument(
            "the persistence of rank-biased overlap",
            p,
            "give 0 < p < 1",
        ))
    }

    /// The probability.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl Default for Persistence {
    /// 0.9, which Webber, Moffat and Zobel use most.
    fn default() -> Self {
        Self(0.9)
    }
}

/// Extrapolated rank-biased overlap under the three treatments of ties.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RankBiasedOverlap {
    /// The persistence.
    pub p: f64,
    /// RBO^w: tied nodes are equal.
    pub w: f64,
    /// RBO^a: the order of tied nodes is unknown; average over all orders.
    pub a: f64,
    /// RBO^b: as a, corrected for the information that ties lose.
    pub b: f64,
}

/// Extrapolated rank-biased overlap of two rankings, complete or partial, over the same universe;
/// none if one of them is empty.
///
/// # Errors
/// [`Error::Argument`] if the universes differ in size.
pub fn rank_biased_overlap(
    x: &Ranking,
    y: &Ranking,
    persistence: Persistence,
) -> Result<Option<RankBiasedOverlap>> {
    check_same_universe(x, y)?;
    let (short, long) = if x.len() <= y.len() { (x, y) } else { (y, x) };
    let p = persistence.get();
    if short.is_empty() {
        return Ok(None);
    }
    let mut prefixes = DepthCounts::new(short, long);
    let mut at_short_end = [0.0; 3];
    let mut sums = [0.0; 3];
    let mut weight = 1.0 - p;
    for depth in 1..=long.len() {
        prefixes.descend_to(depth);
        let agreement = if depth <= short.len() {
            at_short_end = prefixes.agreement(depth);
            at_short_end
        } else {
            prefixes.extrapolated_agreement(depth, at_short_end)
        };
        for (sum, agreement) in sums.iter_mut().zip(agreement) {
            *sum += weight * agreement;
        }
        weight *= p;
        if weight < NEGLIGIBLE * (1.0 - p) {
            break;
        }
    }
    // All depths beyond the longer ranking have weight p^l together; after a break, below 1e-20.
    let beyond = weight / (1.0 - p);
    if beyond >= NEGLIGIBLE {
        let (s, l) = (short.len() as f64, long.len() as f64);
        for (sum, at_short_end) in sums.iter_mut().zip(at_short_end) {
            *sum += beyond * (prefixes.shared() as f64 + (l - s) * at_short_end) / l;
        }
    }
    let [w, a, b] = sums.map(|sum| sum.clamp(0.0, 1.0));
    Ok(Some(RankBiasedOverlap { p, w, a, b }))
}

/// One ranking, read from the top, tie by tie.
struct Prefix<'a> {
    ranking: &'a Ranking,
    /// The class that the depth is in; at the end of the ranking, the last.
    class: u32,
    first: u32,
    len: u32,
}

impl<'a> Prefix<'a> {
    fn new(ranking: &'a Ranking) -> Self {
        Self {
            ranking,
            class: 0,
            first: 0,
            len: ranking.positions(0).len() as u32,
        }
    }

    fn end(&self) -> usize {
        (self.first + self.len) as usize
    }

    fn is_exhausted(&self) -> bool {
        self.end() == self.ranking.len()
    }

    fn next_class(&mut self) {
        let next = self.ranking.positions(self.class + 1);
        (self.class, self.first, self.len) = (self.class + 1, next.start, next.len() as u32);
    }

    /// The share of a node of the current class among the first `depth` places.
    fn fraction(&self, depth: usize) -> f64 {
        ((depth as f64 - f64::from(self.first)) / f64::from(self.len)).min(1.0)
    }

    fn nodes(&self) -> &'a [u32] {
        &self.ranking.order()[self.first as usize..self.end()]
    }
}

/// Numbers of nodes by position: above or in the current class of one ranking (first index: the
/// shorter) and of the other, and nodes of the longer ranking that the shorter lacks.
struct DepthCounts<'a> {
    short: Prefix<'a>,
    long: Prefix<'a>,
    above_above: u64,
    in_above: u64,
    above_in: u64,
    in_in: u64,
    missing_above: u64,
    missing_in: u64,
}

impl<'a> DepthCounts<'a> {
    fn new(short: &'a Ranking, long: &'a Ranking) -> Self {
        let mut prefixes = Self {
            short: Prefix::new(short),
            long: Prefix::new(long),
            above_above: 0,
            in_above: 0,
            above_in: 0,
            in_in: 0,
            missing_above: 0,
            missing_in: 0,
        };
        prefixes.count_long_class();
        prefixes
    }

    /// Moves both rankings to the classes of `depth`; the shorter one stays at its end.
    fn descend_to(&mut self, depth: usize) {
        if depth > self.short.end() && !self.short.is_exhausted() {
            self.above_above += self.in_above;
            self.above_in += self.in_in;
            (self.in_above, self.in_in) = (0, 0);
            self.short.next_class();
            for &node in self.short.nodes() {
                let class = self.long.ranking.classes()[node as usize];
                self.in_above += u64::from(class < self.long.class);
                self.in_in += u64::from(class == self.long.class);
            }
        }
        if depth > self.long.end() {
            self.above_above += self.above_in;
            self.in_above += self.in_in;
            self.missing_above += self.missing_in;
            self.long.next_class();
            self.count_long_class();
        }
    }

    fn count_long_class(&mut self) {
        (self.above_in, self.in_in, self.missing_in) = (0, 0, 0);
        for &node in self.long.nodes() {
            match self.short.ranking.class(node) {
                Some(class) if class < self.short.class => self.above_in += 1,
                Some(class) if class == self.short.class => self.in_in += 1,
                Some(_) => {}
                None => self.missing_in += 1,
            }
        }
    }

    /// Nodes of the current classes or above in both: X_d of w, and of all variants at the end.
    fn shared(&self) -> u64 {
        self.above_above + self.in_above + self.above_in + self.in_in
    }

    /// X_d of w, and of a and b.
    fn overlaps(&self, depth: usize) -> [f64; 2] {
        let (in_short, in_long) = (self.short.fraction(depth), self.long.fraction(depth));
        let fractional = self.above_above as f64
            + self.in_above as f64 * in_short
            + self.above_in as f64 * in_long
            + self.in_in as f64 * (in_short * in_long);
        [self.shared() as f64, fractional]
    }

    /// A_d of w, a, b from their X_d.
    fn normalise(&self, depth: usize, [w, a, b]: [f64; 3]) -> [f64; 3] {
        let depth_f = depth as f64;
        // Beyond the end of the shorter ranking all `depth` places are assumed to be filled.
        let [nodes_short, squares_short] = if depth <= self.short.ranking.len() {
            self.short.sizes(depth)
        } else {
            [depth_f; 2]
        };
        let [nodes_long, squares_long] = self.long.sizes(depth);
        [
            2.0 * w / (nodes_short + nodes_long),
            a / depth_f,
            b / (squares_short * squares_long).sqrt(),
        ]
    }

    /// A_d at a depth that both rankings reach.
    fn agreement(&self, depth: usize) -> [f64; 3] {
        let [w, fractional] = self.overlaps(depth);
        self.normalise(depth, [w, fractional, fractional])
    }

    /// A_d beyond the shorter ranking, given its agreements at its end.
    fn extrapolated_agreement(&self, depth: usize, at_short_end: [f64; 3]) -> [f64; 3] {
        let [w, fractional] = self.overlaps(depth);
        let unseen = (depth - self.short.ranking.len()) as f64;
        // The mean of c over the nodes seen so far that the shorter ranking lacks.
        let (above, inside) = (self.missing_above as f64, self.missing_in as f64);
        let mean = (above + inside * self.long.fraction(depth)) / (above + inside);
        let [end_w, end_a, end_b] = at_short_end;
        self.normalise(
            depth,
            [
                w + unseen * end_w,
                fractional + unseen * end_a * mean,
                fractional + unseen * end_b * mean,
            ],
        )
    }
}

impl Prefix<'_> {
    /// The sums of c of w, and of c^2 of b, at a depth within the ranking.
    fn sizes(&self, depth: usize) -> [f64; 2] {
        let fraction = self.fraction(depth);
        let squares = f64::from(self.first) + f64::from(self.len) * fraction * fraction;
        [self.end() as f64, squares]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn persistence_is_strictly_between_its_ends() {
        let is_one = |p: f64| Persistence::new(p).is_ok();
        assert!(is_one(f64::MIN_POSITIVE) && is_one(1f64.next_down()));
        assert!(!is_one(0.0) && !is_one(1.0) && !is_one(f64::NAN));
    }
}
