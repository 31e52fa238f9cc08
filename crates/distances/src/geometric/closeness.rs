//! Closeness: the inverse of the sum of distances, and its repairs for disconnected graphs.
//!
//! With r the number of other nodes that reach x (that x reaches, for outgoing distances) and S
//! the sum of their distances, unreachable nodes being left out of both:
//!
//! * [`Bavelas`](Variant::Bavelas): 1/S, and 0 when r = 0. Bavelas 1950. Meant for strongly
//!   connected graphs: in others, a node that only two nodes reach may score higher than the centre
//!   of the largest component, because it has fewer distances to add.
//! * [`Lin`](Variant::Lin): (r + 1)^2 / S, and 1 when r = 0; see [`lin`](super::lin).
//! * [`Nieminen`](Variant::Nieminen): (r + 1)^2 - S, hence 1 when r = 0. Nieminen 1973, as WebGraph
//!   computes it. It grows with the number of nodes that reach x and may be negative on long paths.
//! * [`WassermanFaust`](Variant::WassermanFaust): (r / (n-1)) * (r / S), and 0 when r = 0: the
//!   inverse of the mean distance, times the share of nodes that reach x. Wasserman and Faust 1994;
//!   networkx computes it with `wf_improved=True`, its default.
//!
//! Scores are quotients of integers, rounded once, and ranks are those of the quotients. One
//! traversal per node.
//!
//! Harmonic centrality needs no repair on a graph that is not strongly connected: see
//! [`harmonic`](crate::geometric::harmonic).

use super::exact_number::ExactNumber;
use super::lin::Lin;
use super::measure::{DistanceMeasure, EITHER_DIRECTION, ONE_TRAVERSAL, Sums, Whole};
use serde::Serialize;
use serde_json::{Map, Value};
use webrank_measure::{About, Described, parameters};
pub use webrank_scores::parameters::Variant;

/// Closeness; see the [module](self).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Closeness {
    /// The definition.
    pub variant: Variant,
}

impl Described for Closeness {
    const ABOUT: About = About {
        name: "closeness",
        definition: "1 / sum of d(y, x) over the y that reach x; and three variants",
        direction: EITHER_DIRECTION,
        cost: ONE_TRAVERSAL,
        guarantee: "exact; samples: an estimated interval; HyperBall: a standard error",
    };
}

impl DistanceMeasure for Closeness {
    fn name(&self) -> &'static str {
        Self::ABOUT.name
    }

    fn parameters(&self) -> Map<String, Value> {
        parameters(self)
    }

    fn score(&self, sums: &Sums, whole: &Whole) -> ExactNumber {
        let (reached, distances) = (sums.reached, sums.distances);
        match self.variant {
            Variant::Lin => Lin.score(sums, whole),
            Variant::Nieminen => {
                let count = reached + ExactNumber::ONE;
                count * count - distances
            }
            _ if distances.is_zero() => ExactNumber::ZERO,
            Variant::Bavelas => ExactNumber::ONE / distances,
            Variant::WassermanFaust => reached / whole.others() * (reached / distances),
        }
    }

    fn counter_errors(&self) -> Option<f64> {
        Some(2.0)
    }

    fn can_cut(&self) -> bool {
        true
    }

    fn caution(&self, reachable_share: f64) -> Option<String> {
        let is_misleading = self.variant == Variant::Bavelas && reachable_share < 1.0;
        is_misleading.then(|| {
            format!(
                "only {:.1}% of the pairs of nodes are reachable: closeness scores small \
                 components high; harmonic does not",
                100.0 * reachable_share
            )
        })
    }
}
