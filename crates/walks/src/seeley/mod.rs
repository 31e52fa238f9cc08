//! Seeley's index: each node passes its importance on to its successors in equal parts.
//!
//! With P the row-normalised adjacency matrix, that of a random walk, x is a nonnegative vector of
//! sum one with
//!
//! ```text
//! x = x P,
//! ```
//!
//! a stationary distribution. There is one for each *terminal* strong component, which walks cannot
//! leave. So x is defined as the limit of PageRank with uniform preference as alpha tends to 1.
//! Each terminal component C gets the probability m_C that a walk from a uniform start ends up in
//! it, divided among its nodes by its stationary distribution pi_C:
//!
//! ```text
//! x = sum over terminal C of m_C pi_C.
//! ```
//!
//! Walks leave the nodes of other components for good, so their score is 0. If a component is
//! periodic, x is the mean over time. On a symmetric graph, pi_i is proportional to the degree of
//! i.
//!
//! A node without successors is a terminal component by itself, where the walk stays.
//! ([PageRank](super::pagerank) continues from it to any node, so its limit as alpha tends to 1 is
//! different; here walks follow only arcs.) With weights, arcs are followed in proportion to them.
//! With [`Direction::Out`], they are followed backwards.
//!
//! Components are visited in topological order. A transient component receives inflow f, and its
//! nodes are visited `y = f (I - Q)^-1` times, with Q the walk within it. If `r = f + y Q - y`,
//! then the l1 error of the masses of terminal components is at most ||r||, since all walks end up
//! in one of them. Each terminal component has its own certificate ([`webrank_linear::stationary`]).
//! The stabilised biconjugate gradient method (BiCGSTAB) solves both systems. Where weights span
//! many orders of magnitude, or where that method fails, elimination does, if components are small
//! (`seeley/elimination.rs`).
//!
//! Source: Seeley, "The net of reciprocal influence: a problem in treating sociometric data",
//! Canadian Journal of Psychology 3, 1949; for the limit, Boldi, Santini and Vigna, "PageRank as a
//! function of the damping factor", WWW 2005.

use absorption::{Absorption, SuccessorRows};
use ndarray::Array1;
use serde::Serialize;
use serde_json::json;
use std::borrow::Cow;
use std::path::PathBuf;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_base::units::{counted, counted_as};
use webrank_graph::Size;
use webrank_graph::components::StrongComponents;
use webrank_graph::{Direction, Graph};
use webrank_linear::components::strong_components;
use webrank_linear::matrix::Matrix;
use webrank_linear::prepared::PreparedMatrix;
use webrank_linear::runs::RunRows;
use webrank_linear::scaling::{is_ordinary, leaving_exponents};
use webrank_linear::wide::times_power;
use webrank_measure::cost_model::{Times, of_matrix};
use webrank_measure::form::{
    Loaded, RowStorage, StorageOptions, besides_single_rows, packing, swept_rows,
};
use webrank_measure::{About, Described, Measure, StoragePlan, matrix_parameters};
use webrank_scores::ranked::Ranked;
use webrank_scores::{Outcome, Run, Scores, Status};

mod absorption;
mod elimination;

/// The default tolerance on the l1 error.
const TOLERANCE: f64 = 1e-9;

/// Seeley's index with its parameters.
///
/// The tolerance of [`Limits`] is on the certified l1 error, 1e-9 by default. Its iterations
/// approximately limit the sweeps over each strong component.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Seeley {
    /// Whether walks go along arcs ([`Direction::In`]: being pointed at) or against them.
    pub direction: Direction,
    /// The form in which rows are swept; scores have the same bits in all.
    #[serde(skip)]
    pub form: RowStorage,
    /// The folder of the temporary files that the form on disk needs; by default, the system's.
    #[serde(skip)]
    pub temp: Option<PathBuf>,
}

/// The bytes a node with compact rows.
const OF_PACKED: u64 = 340;

/// [`OF_PACKED`] while rows of the other direction are packed, beside vectors.
const OF_PACKING_BESIDE: u64 = 200;

impl Described for Seeley {
    const ABOUT: About = About {
        name: "seeley",
        definition: "x = x P, P a random walk; the long-run distribution from a uniform start",
        direction: "in: being pointed at by important nodes; or out",
        cost: "O(n + m) per sweep, more sweeps the slower walks mix; 20 bytes per arc, or about 4 in \
               a compact form, and 320 bytes per node",
        guarantee: "certified l1 error, unless walks mix too slowly",
    };
}

impl Measure for Seeley {
    fn forms_of(&self, graph: &Graph) -> Vec<StoragePlan> {
        self.forms(graph).plans()
    }

    fn seconds_of(&self, graph: &Graph, _: &Limits, _: &dyn Progress) -> Result<Times> {
        Ok(of_matrix(graph, 50.0..700.0))
    }

    fn compute(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        let mut phases = Phases::start();
        let forms = self.forms(graph);
        let (form, loaded) = forms.load(self.direction, limits, &mut phases, progress)?;
        let (found, swept) = match loaded {
            Loaded::Matrix(matrix) => {
                let name = if matrix.weights().is_some() {
                    "weighted"
                } else {
                    "runs"
                };
                (
                    seeley(&matrix, self, limits, progress)?,
                    json!({ "name": name }),
                )
            }
            Loaded::Packed(rows) => {
                let back = match self.direction {
                    Direction::In => Direction::Out,
                    Direction::Out => Direction::In,
                };
                let columns = |rows: &RunRows| forms.packed_beside(rows, back, progress);
                let matrix = || {
                    forms.admit_in_memory(limits, in_memory(graph))?;
                    Matrix::of(graph, self.direction, progress)
                };
                let swept = swept_rows(&[&rows]);
                let found = self.of_packed(rows, &columns, matrix, limits, progress)?;
                (found, swept)
            }
        };
        phases.done("iterate");
        let notes = found.notes(graph);
        Ok(Ranked::single(graph, found.scores, phases)?
            .within(limits.tolerance_or(TOLERANCE))
            .swept(swept)
            .noting(notes)
            .noting(forms.note(form)))
    }
}

impl Seeley {
    fn forms<'a>(&'a self, graph: &'a Graph) -> StorageOptions<'a> {
        let size = Size::of(graph);
        let needs = [
            in_memory(graph),
            besides_single_rows(size, OF_PACKED).max(packing(size, OF_PACKING_BESIDE)),
        ];
        let how = (self.form, self.temp.as_deref());
        let both = [Direction::Out, Direction::In];
        StorageOptions::of_rows(Self::ABOUT.name, graph, &both, how, needs, false)
    }

    /// See [`seeley`].
    ///
    /// # Errors
    /// If the user interrupts; if there is no room for rows; if iteration fails and elimination may
    /// not, which needs rows in memory.
    fn of_packed(
        &self,
        rows: RunRows,
        columns: SuccessorRows,
        matrix: impl FnOnce() -> Result<Matrix>,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<LongRun> {
        progress.begin("components", None);
        let components = strong_components(&rows, progress)?;
        progress.begin("iterate", None);
        let goal = (limits.tolerance_or(TOLERANCE).get(), limits.iterations());
        let rows = PreparedMatrix::of_rows(rows);
        let found = absorption::absorb(rows, columns, &components, goal, progress)?;
        let matrix = || matrix().map(Cow::Owned);
        let (found, is_eliminated) = found.retried(matrix, &components, goal, progress)?;
        Ok(found.long_run(is_eliminated, &components, self, false, limits))
    }
}

/// The bytes held with rows in memory: those of a terminal component are copied twice.
fn in_memory(graph: &Graph) -> u64 {
    let of_arc = if graph.has_weights() { 56 } else { 21 };
    Size::of(graph).bytes(348, of_arc)
}

/// Scores, and where walks end.
#[derive(Debug, Clone)]
pub struct LongRun {
    /// The scores; they sum to one.
    pub scores: Scores,
    /// The number of strong components.
    pub num_components: usize,
    /// The number of them that are terminal: walks cannot leave them.
    pub num_terminal: usize,
    /// The number of these that are single nodes.
    pub num_single: usize,
    /// The terminal component with the highest probability; `None` if there are no nodes.
    pub first: Option<Terminal>,
    /// The number of nodes that walks leave for good.
    pub num_transient: usize,
    /// The number of nodes whose score is positive but below all doubles, and is set to 0.
    pub num_lost: usize,
}

/// A component that walks cannot leave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Terminal {
    /// Its smallest node.
    pub first: Node,
    /// The number of its nodes.
    pub nodes: usize,
    /// The probability that a walk ends up there.
    pub mass: f64,
}

/// The long-run distribution of walks that enter node i from the nodes in row i of a matrix.
///
/// O(n + m) per sweep; up to 40 bytes per arc and 150 bytes per node of the largest component. The
/// result does not depend on the number of threads, and nodes with equal rows get equal scores.
///
/// # Errors
/// If the user interrupts, or if there is not enough memory.
pub fn seeley(
    matrix: &Matrix,
    params: &Seeley,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<LongRun> {
    let (tolerance, max_sweeps) = (limits.tolerance_or(TOLERANCE), limits.iterations());
    progress.begin("components", None);
    let components = StrongComponents::new(matrix.rows(), progress)?;
    progress.begin("iterate", None);
    let goal = (tolerance.get(), max_sweeps);
    let is_weighted = matrix.weights().is_some();
    let (found, is_eliminated) = if elimination::is_called_for(matrix, &components) {
        (elimination::eliminate(matrix, &components, progress)?, true)
    } else {
        let in_units = in_own_units(matrix)?.unwrap_or_else(|| matrix.clone());
        let columns = |_: &RunRows| Ok(RunRows::new(matrix.transposed()?.into_rows()));
        let in_units = PreparedMatrix::new(in_units);
        let found = absorption::absorb(in_units, &columns, &components, goal, progress)?;
        found.retried(|| Ok(Cow::Borrowed(matrix)), &components, goal, progress)?
    };
    Ok(found.long_run(is_eliminated, &components, params, is_weighted, limits))
}

impl Absorption {
    /// This, or what elimination finds, if that is affordable and iteration has failed; and which of
    /// the two.
    fn retried<'m>(
        self,
        matrix: impl FnOnce() -> Result<Cow<'m, Matrix>>,
        components: &StrongComponents,
        (tolerance, max_sweeps): (f64, u32),
        progress: &dyn Progress,
    ) -> Result<(Self, bool)> {
        let bound = self.bound.unwrap_or(f64::INFINITY);
        if bound > tolerance && elimination::is_affordable(components, max_sweeps) {
            let matrix = matrix()?;
            let eliminated = elimination::eliminate(&matrix, components, progress)?;
            if eliminated.bound.is_some_and(|other| other < bound) {
                return Ok((eliminated, true));
            }
        }
        Ok((self, false))
    }

    fn long_run(
        self,
        is_eliminated: bool,
        components: &StrongComponents,
        params: &Seeley,
        is_weighted: bool,
        limits: &Limits,
    ) -> LongRun {
        let (found, tolerance) = (self, limits.tolerance_or(TOLERANCE));
        let max_sweeps = limits.iterations();
        let converged = found.bound.is_some_and(|bound| bound <= tolerance.get());
        let highest = |a: &&Terminal, b: &&Terminal| a.mass.total_cmp(&b.mass);
        LongRun {
            num_components: components.num_components(),
            num_terminal: found.terminals.len(),
            num_single: found.terminals.iter().filter(|c| c.nodes == 1).count(),
            // The first of equal maxima.
            first: found.terminals.iter().rev().max_by(highest).copied(),
            num_transient: found.num_transient,
            num_lost: found.num_lost,
            scores: Scores {
                intervals: None,
                values: Array1::from_vec(found.values),
                run: Run {
                    measure: Seeley::ABOUT.name,
                    method: if is_eliminated {
                        "elimination"
                    } else {
                        "bicgstab"
                    },
                    parameters: matrix_parameters(params, is_weighted, tolerance, max_sweeps),
                    outcome: Outcome::Stationary {
                        status: Status::of(converged),
                        iterations: found.sweeps,
                        residual: found.residual,
                        error_bound: found.bound,
                    },
                },
            },
        }
    }
}

/// The matrix with the weights that leave each node in units of the largest of them, if some are
/// far from 1: sums then cannot overflow, and only shares count. `None` if all are near.
fn in_own_units(matrix: &Matrix) -> Result<Option<Matrix>> {
    if is_ordinary(matrix.weights()) {
        return Ok(None);
    }
    let exponents = leaving_exponents(matrix)?;
    Ok(Some(matrix.mapped(|_, j, weight| {
        times_power(weight, -i64::from(exponents[j as usize]))
    })))
}

impl LongRun {
    /// Notes on where walks end, and on the meaning of zeros.
    fn notes(&self, graph: &Graph) -> Vec<String> {
        let Some(first) = self.first else {
            return Vec::new();
        };
        let mut notes = Vec::new();
        if self.num_components > 1 {
            notes.push(format!(
            "{} of {} strong components are terminal: walks cannot leave them; {} of these are single \
             nodes; the most probable one (probability {:.6}) is that of {}, with {}",
            self.num_terminal,
            self.num_components,
            self.num_single,
            first.mass,
            graph.label(first.first),
            counted(first.nodes, "node")
        ));
        }
        if self.num_transient > 0 {
            notes.push(format!(
                "{} score is 0",
                counted_as(
                    self.num_transient,
                    "node is in another component, which walks leave for good: its",
                    "nodes are in other components, which walks leave for good: their"
                )
            ));
        }
        if self.num_lost > 0 {
            notes.push(format!(
                "{} a positive score that is too small for a double: it is set to 0",
                counted_as(self.num_lost, "node has", "nodes have")
            ));
        }
        if let Outcome::Stationary {
            error_bound: None,
            residual,
            ..
        } = self.scores.run.outcome
        {
            notes.push(format!(
                "not certified: no bound was found on how long walks take to return; the residual \
                 is {residual:.1e}"
            ));
        }
        notes
    }
}
