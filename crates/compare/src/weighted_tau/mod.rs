//! Vigna's weighted tau: Kendall's tau-b where an exchange among the best nodes weighs more.
//!
//! With a weight W(i,j) for every pair of nodes,
//!
//!   tau = sum W(i,j) sgn(x_i - x_j) sgn(y_i - y_j)
//!         / sqrt(sum W(i,j) sgn(x_i - x_j)^2 · sum W(i,j) sgn(y_i - y_j)^2),
//!
//! where W(i,j) = w(r_i) + w(r_j) (additive) or w(r_i) · w(r_j) (multiplicative), r_i is the rank
//! of node i from 0, and w the [`Weigher`]; additive hyperbolic weights, w(r) = 1/(r + 1), are
//! what Vigna recommends. Range -1 to 1.
//!
//! The rank comes from x (decreasing lexicographic order by x, then y), from y (by y, then x), or
//! from both: then tau is the average of the two values, which is symmetric and the definition when
//! nothing else determines the ranks. Nodes tied in both vectors take consecutive ranks in any
//! order: the value does not depend on it. These are the conventions of scipy's `weightedtau`
//! with `rank=None` on (x, y), on (y, x), and `rank=True`. Pass scores, never ranks. With
//! [`weighted_tau_by`] the ranks come from elsewhere, as in scipy with an array as `rank=`.
//!
//! Undefined (none) when a vector is constant, hence for n < 2, and when all weight falls on tied
//! pairs (possible if weights reach 0 or underflow). Additive: O(n) on a [`Pair`],
//! because sum W(i,j) s(i,j) = sum over i of w(r_i) times the integer sum over j of s(i,j).
//! Multiplicative: O(n log n) for each rank used.
//!
//! Vigna, "A weighted correlation index for rankings with ties", WWW 2015.

use rayon::prelude::*;
use serde::Serialize;

use super::pair::{NodeTally, Pair};
use webrank_base::error::Result;

mod multiplicative;

/// The weight of a node by its rank r, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum Weigher {
    /// 1 / (r + 1): the top weighs most, the tail still counts (all weights sum to about ln n)
    #[default]
    Hyperbolic,
    /// 1 / ln(r + e): the tail counts more
    Logarithmic,
    /// 1 / (r + 1)^2: in effect, only the first nodes count
    Quadratic,
    /// (n - r) / n: falls linearly from the first to the last of n nodes
    Linear,
    /// Equal weights: Kendall's tau-b
    #[cfg_attr(feature = "clap", value(name = "none"))]
    Constant,
}

impl Weigher {
    /// The weight of rank `rank` (from 0) among `n` nodes.
    pub fn weight(self, rank: u32, n: usize) -> f64 {
        let r = f64::from(rank);
        match self {
            Weigher::Hyperbolic => 1.0 / (r + 1.0),
            Weigher::Logarithmic => 1.0 / (r + std::f64::consts::E).ln(),
            Weigher::Quadratic => 1.0 / ((r + 1.0) * (r + 1.0)),
            Weigher::Linear => (n as f64 - r) / n as f64,
            Weigher::Constant => 1.0,
        }
    }
}

/// How the weights of two nodes make the weight of the pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Combine {
    /// Their sum.
    #[default]
    Additive,
    /// Their product.
    Multiplicative,
}

/// The vector whose order gives the ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
pub enum RankBy {
    /// The first, its ties broken by the second
    #[cfg_attr(feature = "clap", value(name = "a"))]
    X,
    /// The second, its ties broken by the first
    #[cfg_attr(feature = "clap", value(name = "b"))]
    Y,
    /// Each in turn: the mean of the two values
    #[default]
    Both,
}

/// All choices of a weighted tau; the default is the additive hyperbolic tau by both ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Weighting {
    /// The weight of a node.
    pub weigher: Weigher,
    /// The weight of a pair.
    pub combine: Combine,
    /// Where ranks come from.
    pub rank_by: RankBy,
}

/// The weighted tau of two vectors; none if it is undefined.
pub fn weighted_tau(pair: &Pair, weighting: Weighting) -> Option<f64> {
    let Weighting {
        weigher,
        combine,
        rank_by,
    } = weighting;
    let [by_x, by_y] = match combine {
        Combine::Additive => additive(pair, weigher),
        Combine::Multiplicative => multiplicative::taus(pair, weigher, rank_by),
    };
    match rank_by {
        RankBy::X => by_x,
        RankBy::Y => by_y,
        RankBy::Both => Some((by_x? + by_y?) / 2.0),
    }
}

/// The additive weighted tau where `ranks[i]` is the rank of node i, from 0; ranks may be shared.
/// O(n log n).
///
/// # Errors
/// [`Error::Argument`](webrank_base::error::Error::Argument) if there is not one rank for each node.
pub fn weighted_tau_by(pair: &Pair, weigher: Weigher, ranks: &[u32]) -> Result<Option<f64>> {
    let (x, y, n) = (pair.x(), pair.y(), pair.len());
    crate::check_lengths(n, ranks.len())?;
    // Nodes tied in both vectors agree with the same nodes, so their order does not matter.
    let class = |node: usize| (x.classes()[node], y.classes()[node]);
    let mut by_xy: Vec<usize> = (0..n).collect();
    by_xy.par_sort_unstable_by_key(|&node| (class(node), node));
    let sums = pair.sum(|node: NodeTally| {
        let weight = weigher.weight(ranks[by_xy[node.rank_xy as usize]], n);
        [
            weight * node.agreement as f64,
            weight * (n - node.tied_x as usize) as f64,
            weight * (n - node.tied_y as usize) as f64,
        ]
    });
    Ok(tau(sums))
}

/// The additive weighted tau with ranks by x, and by y.
fn additive(pair: &Pair, weigher: Weigher) -> [Option<f64>; 2] {
    let n = pair.len();
    let sums = pair.sum(|node: NodeTally| {
        let agreement = node.agreement as f64;
        let untied_x = (n - node.tied_x as usize) as f64;
        let untied_y = (n - node.tied_y as usize) as f64;
        let by_x = weigher.weight(node.rank_xy, n);
        let by_y = weigher.weight(node.rank_yx, n);
        [
            by_x * agreement,
            by_x * untied_x,
            by_x * untied_y,
            by_y * agreement,
            by_y * untied_x,
            by_y * untied_y,
        ]
    });
    let [by_x @ .., _, _, _] = sums;
    let [_, _, _, by_y @ ..] = sums;
    [tau(by_x), tau(by_y)]
}

/// The quotient of the definition, from the weight of agreement and the weights of the pairs untied
/// in x and in y.
fn tau([agreement, untied_x, untied_y]: [f64; 3]) -> Option<f64> {
    let scale = untied_x.sqrt() * untied_y.sqrt();
    (scale > 0.0).then(|| (agreement / scale).clamp(-1.0, 1.0))
}
