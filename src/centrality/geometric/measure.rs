//! What a distance measure is: a formula over how far the other nodes are.
//!
//! A measure is one file that says what it is ([`Described`]) and what its score is
//! ([`DistanceMeasure`]), and a line in the list of all measures. The engines (exact, from samples,
//! HyperBall, the best only) know measures by this trait alone. Each finds [`Sums`] for every node,
//! exact or estimated, and asks for the score. What an engine cannot find it leaves
//! [unknown](Number::UNKNOWN), so the formula decides which engines a measure has: those that find
//! all that it uses.

use super::number::Number;
use super::terms::Term;
use crate::centrality::About;
use serde::Serialize;
use serde_json::{Map, Value};
use std::fmt::Debug;

/// The distances of one node, summed up. With incoming distances "reached" means the nodes that
/// reach it. The node itself is never counted.
#[derive(Debug, Clone, Copy)]
pub struct Sums {
    /// How many other nodes are reached.
    pub reached: Number,
    /// The sum of their distances.
    pub distances: Number,
    /// The sum of the measure's [terms](DistanceMeasure::term) over them.
    pub terms: Number,
    /// The largest of their distances; 0 when none is reached.
    pub eccentricity: Number,
}

impl Sums {
    /// Nothing is known.
    pub const UNKNOWN: Sums = Sums {
        reached: Number::UNKNOWN,
        distances: Number::UNKNOWN,
        terms: Number::UNKNOWN,
        eccentricity: Number::UNKNOWN,
    };
}

/// What a measure may need to know of the whole graph.
#[derive(Debug, Clone, Copy)]
pub struct Whole {
    /// The number of nodes.
    pub num_nodes: usize,
    /// The largest distance of any reachable pair. Known once all nodes were searched from;
    /// HyperBall takes the last step at which a counter changed, which is never more.
    pub diameter: Number,
}

impl Whole {
    /// The number of nodes besides one, and 1 if there are none.
    pub fn others(&self) -> Number {
        Number::integer(self.num_nodes.saturating_sub(1).max(1) as u64)
    }
}

/// A measure by distances, with valid parameters.
pub trait DistanceMeasure: Debug + Send + Sync {
    /// The name of the measure, of its subcommand and of its column.
    fn name(&self) -> &'static str;

    /// The parameters, by the names of their options.
    fn parameters(&self) -> Map<String, Value> {
        Map::new()
    }

    /// The score of a node.
    fn score(&self, sums: &Sums, whole: &Whole) -> Number;

    /// The f of a measure whose scores depend on the sum of f(d) over the nodes reached.
    fn term(&self) -> Option<&dyn Term> {
        None
    }

    /// What a score is at most, if it is a sum over the other nodes of numbers in [0, 1] and 0 for
    /// those not reached, times a factor: then the mean over sampled nodes estimates it with a
    /// proved error, in units of this.
    fn largest(&self, _whole: &Whole) -> Option<f64> {
        None
    }

    /// Whether a search can be cut short: the score never falls when a node that is reached moves
    /// nearer; and if more and more nodes are reached, each as near as can be, it is greatest with
    /// none more, one more, or at a place where that distance changes, or with all (as any
    /// function is that is convex or monotone in between).
    fn can_cut(&self) -> bool {
        false
    }

    /// What to know before reading the scores of a graph of whose pairs only this share is
    /// reachable.
    fn caution(&self, _reachable_share: f64) -> Option<String> {
        None
    }
}

/// A distance measure that is described: every one is a [`Measure`](crate::Measure), by incoming
/// distances and the default method. [`Geometric`](super::Geometric) has the choices.
pub trait Described: DistanceMeasure + Clone + Serialize + 'static {
    /// What the measure is, for people.
    const ABOUT: About;
}

/// The direction of every distance measure.
pub(crate) const EITHER_DIRECTION: &str = "in: near to the other nodes that reach x; or out";

/// The cost of every distance measure.
pub(crate) const ONE_TRAVERSAL: &str =
    "exact: O(m) for each 512 classes of nodes with equal lists; HyperBall: O(m) a step";

/// Whether a measure's score is known when these numbers are: decided by its own formula.
pub(crate) fn is_known_from(measure: &dyn DistanceMeasure, sums: &Sums, whole: &Whole) -> bool {
    !measure.score(sums, whole).value().is_nan()
}
