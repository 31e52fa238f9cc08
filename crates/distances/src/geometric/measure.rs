//! Distance measures: formulas over the distances of the other nodes.
//!
//! A measure is one file, which describes it ([`Described`](webrank_measure::Described)) and gives the formula of its
//! score ([`DistanceMeasure`]), and a line in the list of all measures. The engines (exact, from samples,
//! HyperBall, the best only) know measures only by this trait. Each engine finds [`Sums`] for every
//! node, exact or estimated, and evaluates the score. Quantities that an engine cannot find stay
//! [unknown](ExactNumber::UNKNOWN). So the formula decides which engines a measure has: those that find
//! all quantities it uses.

use super::exact_number::ExactNumber;
use super::terms::Term;
use serde_json::{Map, Value};
use std::fmt::Debug;

/// The sums over the distances of one node. With incoming distances, the "reached" nodes are those
/// that reach it. The node itself is never counted.
#[derive(Debug, Clone, Copy)]
pub struct Sums {
    /// The number of other nodes reached.
    pub reached: ExactNumber,
    /// The sum of their distances.
    pub distances: ExactNumber,
    /// The sum of the measure's [terms](DistanceMeasure::term) over them.
    pub terms: ExactNumber,
    /// The largest of their distances; 0 when none is reached.
    pub eccentricity: ExactNumber,
}

impl Sums {
    /// Nothing is known.
    pub const UNKNOWN: Sums = Sums {
        reached: ExactNumber::UNKNOWN,
        distances: ExactNumber::UNKNOWN,
        terms: ExactNumber::UNKNOWN,
        eccentricity: ExactNumber::UNKNOWN,
    };
}

/// Properties of the whole graph that a measure may need.
#[derive(Debug, Clone, Copy)]
pub struct Whole {
    /// The number of nodes.
    pub num_nodes: usize,
    /// The largest distance of any reachable pair. It is known once all nodes were searched from;
    /// HyperBall uses the last step at which a counter changed, which is never larger.
    pub diameter: ExactNumber,
}

impl Whole {
    /// The sums of a graph in which some nodes were not searched from.
    pub(super) fn of_unknown_diameter(num_nodes: usize) -> Self {
        Whole {
            num_nodes,
            diameter: ExactNumber::UNKNOWN,
        }
    }

    /// The number of nodes other than a given one, but at least 1.
    pub fn others(&self) -> ExactNumber {
        ExactNumber::integer(self.num_nodes.saturating_sub(1).max(1) as u64)
    }
}

/// A distance measure with valid parameters.
pub trait DistanceMeasure: Debug + Send + Sync {
    /// The name of the measure, also that of its subcommand and of its column.
    fn name(&self) -> &'static str;

    /// The parameters, under the names of their options.
    fn parameters(&self) -> Map<String, Value> {
        Map::new()
    }

    /// The score of a node.
    fn score(&self, sums: &Sums, whole: &Whole) -> ExactNumber;

    /// The function f, for a measure whose scores depend on the sum of f(d) over the nodes reached.
    fn term(&self) -> Option<&dyn Term> {
        None
    }

    /// The largest possible score, for a measure that is a factor times a sum over the other nodes
    /// of numbers in [0, 1], with 0 for nodes not reached. For such a measure, the mean over
    /// sampled nodes is an estimate with a proved error, in units of this value.
    fn largest(&self, _whole: &Whole) -> Option<f64> {
        None
    }

    /// The measure in a graph of this diameter, if that makes it a sum that can be sampled.
    fn with_diameter(&self, _diameter: u32) -> Option<Box<dyn DistanceMeasure>> {
        None
    }

    /// The standard error of a score from HyperBall's counters, at most, relative to the score, in
    /// units of that of one counter; none if nothing can be said of it. See
    /// [`hyperball`](super::hyperball).
    fn counter_errors(&self) -> Option<f64> {
        Some(1.0)
    }

    /// Whether a search can be cut short. This requires two properties. The score never falls when
    /// a reached node moves nearer. And as more nodes are reached, each as near as possible, the
    /// score is largest with none more, with one more, at a number where that distance changes, or
    /// with all (as for any function that is convex or monotone in between).
    fn can_cut(&self) -> bool {
        false
    }

    /// A caution about the scores of a graph in which only this share of the pairs is reachable.
    fn caution(&self, _reachable_share: f64) -> Option<String> {
        None
    }
}

/// The direction of every distance measure.
pub(crate) const EITHER_DIRECTION: &str = "in: near to the other nodes that reach x; or out";

/// The cost of every distance measure.
pub(crate) const ONE_TRAVERSAL: &str =
    "exact: O(m) for each 512 classes of nodes with equal lists; HyperBall: O(m) per step";

/// Whether a measure's score is known when these numbers are known: its own formula decides.
pub(crate) fn is_known_from(measure: &dyn DistanceMeasure, sums: &Sums, whole: &Whole) -> bool {
    !measure.score(sums, whole).value().is_nan()
}
