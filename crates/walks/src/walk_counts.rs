//! Numbers of walks: how many walks of length k end at a node.
//!
//! With A the adjacency matrix and 1 the vector of ones,
//!
//! ```text
//! x = 1 A^k
//! ```
//!
//! counts the walks of k arcs that end at each node, and with [`Direction::Out`] `x = A^k 1` those that
//! start there. For k = 1 it is the indegree, and as k grows, its order becomes that of [eigenvector
//! centrality](super::eigenvector), where that is defined and the graph is not periodic. Self-loops count.
//! With weights, a walk counts as the product of the weights of its arcs. Scores are not scaled.
//!
//! Whole numbers below 2^53 are exact as doubles. Beyond, each step sums the doubles of the step before
//! without rounding, and rounds the sum once. So s such steps change a score by a factor between
//! (1 - u)^s and (1 + u)^s, with u = 2^-53, and nodes between which the graph makes no difference tie.
//!
//! O(k (n + m)). Errors: numbers beyond the range of normal doubles, large or small.
//!
//! Source: Wei 1952 and Kendall 1955, for tournaments; Vigna, "Spectral ranking", Network Science 4, 2016.

use num_bigint::BigUint;
use num_traits::One;
use serde::Serialize;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::parallel::blocks::split_mut;
use webrank_base::parallel::sums::total;
use webrank_base::parallel::tasks;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_graph::{Direction, Graph, Size};
use webrank_linear::exact_sum::{ExactSum, nearest, unit_of};
use webrank_linear::matrix::Matrix;
use webrank_measure::cost_model::{Times, of_matrix};
use webrank_measure::{About, Described, Measure, StoragePlan, parameters};
use webrank_scores::ranked::Ranked;
use webrank_scores::{Outcome, Run, Scores};

/// Longer walks are refused: numbers leave the range of doubles long before, unless they stay small.
const LONGEST: u32 = 1_000_000;

/// Whole numbers below this are doubles.
const WHOLE: f64 = (1u64 << 53) as f64;

/// The number of walks of a length, with its parameters.
#[derive(Debug, Clone, Serialize)]
pub struct Walks {
    /// The number of arcs of a walk.
    length: u32,
    /// Whether walks end at the node ([`Direction::In`]) or start there.
    pub direction: Direction,
}

impl Walks {
    /// Walks of so many arcs that end at a node.
    ///
    /// # Errors
    /// If the length exceeds 1,000,000.
    pub fn new(length: u32) -> Result<Self> {
        if length > LONGEST {
            return Err(Error::argument("length", length, "give at most 1000000"));
        }
        Ok(Walks {
            length,
            direction: Direction::In,
        })
    }
}

impl Described for Walks {
    const ABOUT: About = About {
        name: "walks",
        definition: "x = 1 A^k, the number of walks of length k that end at x",
        direction: "in: walks that end at x; or out: that start there",
        cost: "O(k (n + m)); 5 bytes per arc",
        guarantee: "exact below 2^53; beyond, a proved relative error",
    };
}

impl Measure for Walks {
    fn forms_of(&self, graph: &Graph) -> Vec<StoragePlan> {
        vec![StoragePlan::in_memory(
            Size::of(graph).weighted_bytes(100, 5),
        )]
    }

    fn seconds_of(&self, graph: &Graph, _: &Limits, _: &dyn Progress) -> Result<Times> {
        let sweeps = f64::from(self.length);
        Ok(of_matrix(graph, sweeps..20.0 * sweeps))
    }

    fn compute(&self, graph: &Graph, _limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        let mut phases = Phases::start();
        let matrix = Matrix::of(graph, self.direction, progress)?;
        phases.done("load");
        progress.begin("count", Some(u64::from(self.length)));
        let counts = count(&matrix, self.length, progress)?;
        phases.done("count");
        let mut parameters = parameters(self);
        let weights = matrix.weights().map(|_| "vector");
        parameters.insert("weights".into(), weights.into());
        let notes = counts.notes(self.length);
        let scores = Scores {
            intervals: None,
            run: Run {
                measure: Self::ABOUT.name,
                method: "power",
                parameters,
                outcome: counts.outcome(),
            },
            values: counts.values.into(),
        };
        Ok(Ranked::single(graph, scores, phases)?.noting(notes))
    }
}

/// The numbers of walks of a length.
#[derive(Debug, Clone)]
pub struct WalkCounts {
    /// That of each node.
    pub values: Vec<f64>,
    /// The number of steps whose sums were rounded.
    pub rounded: u32,
    /// The numbers of all walks of this length, and of those one arc shorter.
    totals: [f64; 2],
    /// The first length without walks.
    none_from: Option<u32>,
}

/// The numbers of walks of `length` arcs into node i, from the nodes in row i of a matrix. The result does
/// not depend on the number of threads.
///
/// # Errors
/// If numbers leave the range of doubles; if the user interrupts.
pub fn count(matrix: &Matrix, length: u32, progress: &dyn Progress) -> Result<WalkCounts> {
    let blocks = matrix.blocks();
    let weights = matrix.weights().unwrap_or_default();
    let is_whole = weights.iter().all(|weight| weight.fract() == 0.0);
    let n = matrix.num_nodes();
    let (mut x, mut y) = (vec![1.0; n], vec![0.0; n]);
    let mut counts = WalkCounts {
        values: Vec::new(),
        rounded: 0,
        totals: [n as f64; 2],
        none_from: None,
    };
    for step in 1..=length {
        progress.check()?;
        // Sums of whole numbers that end below 2^53 were never above.
        let is_exact = is_whole && counts.rounded == 0 && {
            matrix.multiply(&blocks, &x, &mut y);
            tasks::all(n, |i| y[i] < WHOLE)
        };
        if !is_exact {
            multiply_rounding_once(matrix, &x, &mut y);
            counts.rounded += 1;
        }
        std::mem::swap(&mut x, &mut y);
        counts.totals = [total(&x), counts.totals[0]];
        if !counts.totals[0].is_finite() {
            return Err(beyond_doubles(length, step));
        }
        progress.sweep(u64::from(step), "walks", counts.totals[0]);
        progress.advance(1);
        if counts.totals[0] == 0.0 {
            counts.none_from = Some(step);
            break;
        }
    }
    counts.values = x;
    Ok(counts)
}

fn beyond_doubles(length: u32, step: u32) -> Error {
    let remedy = format!(
        "numbers of walks of length {step} leave the range of doubles, 1e-308 to 1e308; give at most {}, or \
         take 'rank eigenvector', whose scores are the limit of their shares",
        step - 1
    );
    Error::argument("length", length, remedy)
}

/// y = M x with each sum rounded once, so that the order of rows and terms makes no difference. NaN where
/// a positive sum is below the normal doubles.
fn multiply_rounding_once(matrix: &Matrix, x: &[f64], y: &mut [f64]) {
    let of_weights = unit_of(matrix.weights().unwrap_or_default().iter().copied());
    let unit = unit_of(x.iter().copied()) + of_weights;
    let one = BigUint::one();
    let blocks = matrix.blocks();
    let parts = blocks.iter().zip(split_mut(y, &blocks));
    tasks::for_each(parts, |(block, y)| {
        let mut sum = ExactSum::default();
        for (y, node) in y.iter_mut().zip(block.clone()) {
            sum.clear();
            for (j, weight) in matrix.row(node as Node) {
                sum.add_product(weight, x[j as usize], unit);
            }
            *y = nearest_normal(&sum, &one, unit);
        }
    });
}

fn nearest_normal(sum: &ExactSum, one: &BigUint, unit: i32) -> f64 {
    if sum.is_zero() {
        return 0.0;
    }
    match nearest(&sum.whole(), one, unit.into()) {
        lost if lost < f64::MIN_POSITIVE => f64::NAN,
        value => value,
    }
}

/// A number of walks, without digits that are not known.
fn in_words(number: f64) -> String {
    match number < WHOLE {
        true => number.to_string(),
        false => format!("{number:.6e}"),
    }
}

impl WalkCounts {
    fn outcome(&self) -> Outcome {
        match self.rounded {
            0 => Outcome::Exact,
            // Twice (1 + u)^s - 1 and more, as s u is below 1e-9.
            steps => Outcome::rounded(f64::from(steps) * f64::EPSILON, &self.values),
        }
    }

    fn notes(&self, length: u32) -> Vec<String> {
        let [now, before] = self.totals;
        let mut notes = vec![match (self.none_from, length) {
            (Some(step), _) => format!("no walk has {step} arcs or more: all scores are 0"),
            (None, 0) => "each node is a walk of length 0".into(),
            (None, _) => format!(
                "{} walks of length {length}, {:.6} times as many as one arc shorter",
                in_words(now),
                now / before
            ),
        }];
        if self.rounded > 0 {
            notes.push(format!(
                "in the last {} steps, numbers are not whole or exceed 2^53: each sum is rounded once",
                self.rounded
            ));
        }
        notes
    }
}
