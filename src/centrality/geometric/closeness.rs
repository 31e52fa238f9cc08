//! Closeness: the inverse of the sum of distances, and its repairs for disconnected graphs.
//!
//! With r the number of other nodes that reach x (that x reaches, for outgoing distances) and S
//! the sum of their distances, unreachable nodes being left out of both:
//!
//! * [`Bavelas`](Variant::Bavelas): 1/S, and 0 when r = 0. Bavelas 1950. Meant for strongly
//!   connected graphs: elsewhere a node that only two others reach scores higher than the centre
//!   of the largest component, because it has fewer distances to add.
//! * [`Lin`](Variant::Lin): (r + 1)^2 / S, and 1 when r = 0; see [`lin`].
//! * [`Nieminen`](Variant::Nieminen): (r + 1)^2 - S, hence 1 when r = 0. Nieminen 1973, as
//!   WebGraph computes it. Larger when more nodes reach x; may be negative on long paths.
//! * [`WassermanFaust`](Variant::WassermanFaust): (r / (n-1)) * (r / S), and 0 when r = 0:
//!   the mean distance inverted, scaled by the share of nodes that reach x. Wasserman and Faust
//!   1994; what networkx computes as `wf_improved=True`, its default.
//!
//! On a graph that is not strongly connected harmonic centrality needs no repair: see
//! [`harmonic`](crate::centrality::geometric::harmonic).

use super::lin;
use crate::error::{Error, Result};
use crate::traversal::histogram::Histogram;
use std::str::FromStr;

/// A definition of closeness; see the [module](self).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Variant {
    /// 1/S.
    #[default]
    Bavelas,
    /// (r + 1)^2 / S.
    Lin,
    /// (r + 1)^2 - S.
    Nieminen,
    /// r^2 / ((n-1) S).
    WassermanFaust,
}

impl Variant {
    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Variant::Bavelas => "bavelas",
            Variant::Lin => "lin",
            Variant::Nieminen => "nieminen",
            Variant::WassermanFaust => "wasserman-faust",
        }
    }
}

impl FromStr for Variant {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        [
            Variant::Bavelas,
            Variant::Lin,
            Variant::Nieminen,
            Variant::WassermanFaust,
        ]
        .into_iter()
        .find(|variant| variant.name() == name)
        .ok_or_else(|| {
            let remedy = "give bavelas, lin, nieminen or wasserman-faust";
            Error::argument("--variant", name, remedy)
        })
    }
}

/// The closeness of a node of a graph of `num_nodes`.
pub fn score(variant: Variant, histogram: Histogram, num_nodes: usize) -> f64 {
    let reached = histogram.reached() as f64;
    let sum = histogram.sum_of_distances() as f64;
    match variant {
        Variant::Lin => lin::score(histogram),
        Variant::Nieminen => (reached + 1.0).powi(2) - sum,
        _ if reached == 0.0 => 0.0,
        Variant::Bavelas => 1.0 / sum,
        Variant::WassermanFaust => reached / (num_nodes - 1) as f64 * (reached / sum),
    }
}
