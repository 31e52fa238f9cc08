//! HITS: good hubs point to good authorities, and good authorities are pointed at by good hubs.
//!
//! With A the adjacency matrix, authorities a and hubs h are nonnegative vectors with
//!
//! ```text
//! a A' A = lambda a,        h = a A',        lambda the largest eigenvalue of A' A.
//! ```
//!
//! A node without predecessors has authority 0; one without successors has hub score 0. A' A is
//! symmetric. Its largest eigenvalue may be multiple (as on a graph whose links fall apart into
//! several parts of equal norm); then a is the projection onto its eigenspace of the vector that is
//! 1 for all nodes with predecessors: the limit of Kleinberg's iteration from equal scores.
//!
//! Arnoldi's method (which on a symmetric matrix is that of Lanczos) finds a, with two sweeps over
//! the arcs per multiplication. The l2 error of a is about the residual over the gap, so entries
//! below that are set to 0 and tie. Self-loops count. With weights, the entries of A are the
//! weights instead of ones.
//!
//! Source: Kleinberg, "Authoritative sources in a hyperlinked environment", J. ACM 46, 1999.

use super::distributed::{kept_on_shards, plans_of};
use ndarray::Array1;
use serde::Serialize;
use serde_json::{Map, Value};
use std::path::PathBuf;
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::parallel::sums::chained;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_base::units::counted_as;
use webrank_cluster::Workers;
use webrank_graph::Size;
use webrank_graph::{Direction, Graph, Predecessors, Successors};
use webrank_linear::arnoldi;
use webrank_linear::matrix::Matrix;
use webrank_linear::perron::{clear_unresolved, residual_of, to_distribution};
use webrank_linear::prepared::PreparedMatrix;
use webrank_linear::runs::RunRows;
use webrank_linear::scaling::{is_ordinary, largest_exponent};
use webrank_linear::wide::{ExtendedFloat, times_power};
use webrank_measure::cost_model::{Passes, TimeEstimate, Times};
use webrank_measure::form::{RowStorage, Storage, StorageOptions, besides_rows, swept};
use webrank_measure::{About, Measure, StoragePlan, iteration_parameters};
use webrank_measure::{Described, cost_model};
use webrank_scores::ranked::Ranked;
use webrank_scores::ranking::Ranking;
use webrank_scores::{Outcome, Run, Scores, Status};

/// The default tolerance on the residual `||a A' A - lambda a|| / (lambda ||a||)`, in the l2 norm.
pub(super) const TOLERANCE: f64 = 1e-12;

/// HITS; its parameters are only where rows are kept, and who computes.
///
/// The tolerance of [`Limits`] is on the residual `||a A' A - lambda a|| / (lambda ||a||)`, in the
/// l2 norm, 1e-12 by default. A multiplication counts as two iterations.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Hits {
    /// The form in which rows are swept; scores have the same bits in all.
    #[serde(skip)]
    pub form: RowStorage,
    /// The folder of the temporary file that the form on disk needs; by default, the system's.
    #[serde(skip)]
    pub temp: Option<PathBuf>,
    /// The workers among which shards are divided.
    #[serde(skip)]
    pub team: Workers,
}

/// The bytes a node of vectors and flat rows in both directions, and with weights.
const OF_NODE: u64 = 275;
const OF_WEIGHTED: u64 = 290;

/// The bytes a node with compact rows.
const OF_PACKED: u64 = 264;

impl Described for Hits {
    const ABOUT: About = About {
        name: "hits",
        definition: "a A' A = lambda a for authorities a, h = a A' for hubs h",
        direction: "authority: being pointed at by hubs; hub: pointing to authorities",
        cost: "O(n + m) per sweep, more sweeps the closer the second eigenvalue; 8 bytes per arc, \
               or about 2 in a compact form, and 250 bytes per node",
        guarantee: "the residual of the scores",
    };
}

impl Measure for Hits {
    fn forms_of(&self, graph: &Graph) -> Vec<StoragePlan> {
        plans_of(self.on_shards(graph), || self.forms(graph).plans())
    }

    fn kept_parameters(&self, graph: &Graph, limits: &Limits) -> Result<Map<String, Value>> {
        kept_on_shards(self, graph, limits.tolerance_or(TOLERANCE), limits)
    }

    fn seconds_of(&self, graph: &Graph, _: &Limits, _: &dyn Progress) -> Result<Times> {
        let passes = Passes::over(graph);
        let besides = passes.reading_both() + 2.0 * passes.of(cost_model::PREPARE);
        let besides = besides + passes.writing(2);
        // As many as on other graphs.
        let sweeps = TimeEstimate::of_sweeps(besides, passes.of(cost_model::MATRIX), 20.0..40.0);
        Ok(vec![Some(sweeps); self.forms_of(graph).len()])
    }

    fn compute(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        if self.team.shards(graph)?.is_some() {
            return self
                .on_shards(graph)?
                .rank(self, TOLERANCE, limits, progress);
        }
        let mut phases = Phases::start();
        let forms = self.forms(graph);
        let form = forms.chosen(limits)?;
        let links = match form {
            Storage::Runs => {
                let successors = Matrix::of(graph, Direction::Out, progress)?;
                let predecessors = successors.transposed()?;
                phases.done("load");
                Links::of_matrices(successors, predecessors)
            }
            _ => {
                let [forward, backward] = forms.packed_both(form, limits, progress)?;
                Links::of_rows(forward, backward)
            }
        };
        let is_runs = form == Storage::Runs;
        phases.done(if is_runs { "prepare" } else { "pack" });
        let swept = swept(&[&links.forward, &links.backward]);
        let found = links.solve(limits, progress)?;
        phases.done("iterate");
        let note = unresolved_note(found.unresolved as u64);
        let beyond_doubles = found.beyond_doubles.clone();
        let ranked = found.ranked(graph, phases)?;
        Ok(ranked
            .within(limits.tolerance_or(TOLERANCE))
            .swept(swept)
            .noting(note)
            .noting(beyond_doubles)
            .noting(forms.note(form)))
    }
}

impl Hits {
    fn forms<'a>(&'a self, graph: &'a Graph) -> StorageOptions<'a> {
        let size = Size::of(graph);
        let in_memory = match size.weights {
            true => size.weighted_bytes(OF_WEIGHTED, 13),
            false => size.while_decoding().max(size.once_flat(OF_NODE, 8)),
        };
        let needs = [in_memory, besides_rows(size, OF_PACKED)];
        let how = (self.form, self.temp.as_deref());
        let both = [Direction::Out, Direction::In];
        StorageOptions::of_rows(Self::ABOUT.name, graph, &both, how, needs, false)
    }
}

/// Both scores of every node.
#[derive(Debug, Clone)]
pub struct HubsAndAuthorities {
    /// Authority scores. They sum to one, unless there are no arcs.
    pub authorities: Scores,
    /// Hub scores. They sum to one, unless there are no arcs.
    pub hubs: Scores,
    /// The number of nodes with predecessors whose authority is 0, or is set to 0 because it is
    /// below what the residual can resolve.
    pub unresolved: usize,
    /// The numbers that doubles cannot hold, in words.
    pub beyond_doubles: Option<String>,
    /// The numbers that order nodes with the same double as authority, if there are any: larger first.
    pub rests: Option<Vec<u64>>,
}

impl HubsAndAuthorities {
    /// One column for each score; nodes are ranked by authority.
    pub(super) fn ranked(self, graph: &Graph, mut phases: Phases) -> Result<Ranked> {
        let authorities = self.authorities.as_slice();
        let ranking = match &self.rests {
            Some(rests) => Ranking::refined(authorities, |node| rests[node as usize])?,
            None => Ranking::new(authorities)?,
        };
        phases.done("rank");
        let column = |scores: Scores| (scores.run.measure.to_string(), scores);
        let columns = [self.authorities, self.hubs].map(column);
        Ok(Ranked::in_order(graph, columns.into(), ranking, phases))
    }
}

/// The rows of successors and of predecessors, in units of their own.
struct Links {
    forward: PreparedMatrix,
    backward: PreparedMatrix,
    /// The exponent of the unit of weights.
    exponent: i64,
}

impl Links {
    /// Rows in any form, without weights.
    fn of_rows(forward: RunRows, backward: RunRows) -> Self {
        Links {
            forward: PreparedMatrix::of_rows(forward),
            backward: PreparedMatrix::of_rows(backward),
            exponent: 0,
        }
    }

    /// A matrix and its transpose, in units in which the largest weight is about 1. Weights that
    /// become 0 are far below what the residual can resolve, since lambda is at least the square of
    /// the largest.
    fn of_matrices(mut forward: Matrix, mut backward: Matrix) -> Self {
        let mut exponent = 0;
        if !is_ordinary(forward.weights()) {
            exponent = largest_exponent(forward.weights());
            for matrix in [&mut forward, &mut backward] {
                *matrix = matrix.mapped(|_, _, weight| times_power(weight, -exponent));
            }
        }
        Links {
            forward: PreparedMatrix::new(forward),
            backward: PreparedMatrix::new(backward),
            exponent,
        }
    }

    /// `a A' A`, and `a A'` in `hubs`, fast.
    fn apply(&mut self, a: &[f64], hubs: &mut [f64], image: &mut [f64]) -> Result<()> {
        self.forward.apply(a, hubs)?;
        self.backward.apply(hubs, image)
    }

    /// [`Self::apply`], term by term.
    fn multiply(&mut self, a: &[f64], hubs: &mut [f64], image: &mut [f64]) -> Result<()> {
        self.forward.multiply(a, hubs)?;
        self.backward.multiply(hubs, image)
    }
}

/// Hubs and authorities; `predecessors` is the transpose of `successors`.
///
/// Since A' A is symmetric, one of its eigenvalues is within the residual times lambda of lambda
/// (Krylov and Weinstein). That it is the largest is not proved; it is what the method finds from a
/// start that has a component along every dominant eigenvector. All scores are 0 on a graph without
/// arcs. O(n log n + m), then O(n + m) per sweep; 8 bytes per arc and about 250 bytes per node. The
/// bits depend on the graph alone.
///
/// # Errors
/// If the user interrupts.
pub fn hits(
    successors: Successors<Matrix>,
    predecessors: Predecessors<Matrix>,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<HubsAndAuthorities> {
    Links::of_matrices(successors.0.clone(), predecessors.0.clone()).solve(limits, progress)
}

/// An approximate eigenvector of A' A.
struct Found {
    a: Vec<f64>,
    residual: f64,
    gap: f64,
    sweeps: u32,
}

impl Links {
    /// See [`hits`].
    ///
    /// # Errors
    /// If rows are in a file that cannot be read; if the user interrupts.
    fn solve(mut self, limits: &Limits, progress: &dyn Progress) -> Result<HubsAndAuthorities> {
        let (tolerance, max_sweeps) = (limits.tolerance_or(TOLERANCE), limits.iterations());
        let mut parameters = iteration_parameters(&Hits::default(), tolerance, max_sweeps);
        if self.forward.weighted().is_some() {
            parameters.insert("weights".into(), "vector".into());
        }
        let scores = |measure, values, outcome| scores(measure, values, &parameters, outcome);
        let n = self.forward.num_nodes();
        if self.forward.num_arcs() == 0 {
            let none = |measure| scores(measure, vec![0.0; n], Outcome::Exact);
            return Ok(HubsAndAuthorities {
                authorities: none("authority"),
                hubs: none("hub"),
                unresolved: 0,
                beyond_doubles: None,
                rests: None,
            });
        }
        progress.begin("iterate", None);
        let is_authority = self.backward.has_entries()?;
        let start = is_authority.iter().map(|&is| f64::from(is)).collect();
        let Found {
            mut a, gap, sweeps, ..
        } = self.iterate(start, tolerance.get(), max_sweeps, progress)?;
        let [mut hubs, mut image] = [vec![0.0; n], vec![0.0; n]];
        self.multiply(&a, &mut hubs, &mut image)?;
        let squares = |x: &[f64]| chained(x.iter().map(|x| x * x));
        let lambda = chained(a.iter().zip(&image).map(|(a, y)| a * y)) / squares(&a);
        let residual = residual_of(&a, &image, lambda);
        drop(image);
        clear_unresolved(&mut a, (residual / (2.0 * gap)).min(1.0));
        let positive = a.iter().filter(|&&a| a > 0.0).count();
        to_distribution(&mut a);
        self.forward.multiply(&a, &mut hubs)?;
        to_distribution(&mut hubs);
        progress.end();
        let eigenvalue = ExtendedFloat::new(lambda).scaled(2 * self.exponent);
        let is_beyond = !(f64::MIN_POSITIVE..=f64::MAX).contains(&eigenvalue.get());
        let outcome = Outcome::Eigen {
            status: Status::of(residual <= tolerance.get()),
            iterations: sweeps,
            residual,
            eigenvalue: eigenvalue.clamped(),
            eigenvalue_bounds: None,
            gap,
        };
        Ok(HubsAndAuthorities {
            authorities: scores("authority", a, outcome.clone()),
            hubs: scores("hub", hubs, outcome),
            unresolved: is_authority.iter().filter(|&&is| is).count() - positive,
            beyond_doubles: is_beyond.then(|| {
                format!(
                    "the eigenvalue is about {eigenvalue}, which is outside the range of doubles"
                )
            }),
            rests: None,
        })
    }

    /// Arnoldi's method, until the residual is small enough, or rounding or the limit of sweeps stops
    /// it.
    fn iterate(
        &mut self,
        start: Vec<f64>,
        tolerance: f64,
        max_sweeps: u32,
        progress: &dyn Progress,
    ) -> Result<Found> {
        let mut hubs = vec![0.0; start.len()];
        let mut found = Found {
            a: start,
            residual: f64::INFINITY,
            gap: 0.0,
            sweeps: 0,
        };
        while found.residual > tolerance && found.sweeps < max_sweeps {
            let left = (max_sweeps - found.sweeps) / 2;
            let multiply = |x: &[f64], y: &mut [f64]| self.apply(x, &mut hubs, y);
            let (ritz, more) = arnoldi::cycle(multiply, &found.a, tolerance, left, progress)?;
            found.sweeps += 2 * more;
            // The matrix is symmetric, so its eigenvalues are real and a Ritz pair exists.
            let Some(ritz) = ritz else { break };
            let sign = ritz.vector.iter().sum::<f64>().signum();
            found.a = ritz.vector.iter().map(|x| (sign * x).max(0.0)).collect();
            let stalled = ritz.residual > 0.5 * found.residual && ritz.residual < 1e-12;
            (found.residual, found.gap) = (ritz.residual, ritz.gap);
            progress.sweep(u64::from(found.sweeps), "residual", found.residual);
            if stalled {
                break;
            }
        }
        Ok(found)
    }
}

fn scores(
    measure: &'static str,
    values: Vec<f64>,
    parameters: &Map<String, Value>,
    outcome: Outcome,
) -> Scores {
    Scores {
        intervals: None,
        values: Array1::from(values),
        run: Run {
            measure,
            method: "arnoldi",
            parameters: parameters.clone(),
            outcome,
        },
    }
}

/// The note on nodes whose authority is not told from 0.
pub(crate) fn unresolved_note(nodes: u64) -> Option<String> {
    let said = counted_as(
        nodes,
        "node with predecessors has",
        "nodes with predecessors have",
    );
    (nodes > 0).then(|| format!("{said} an authority that is 0, or too small to resolve"))
}
