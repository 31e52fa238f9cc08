//! Eigenvector centrality: the importance of a node is proportional to the sum of the importances
//! of the nodes that point to it.
//!
//! With A the adjacency matrix and rho its spectral radius, x is a nonnegative left eigenvector,
//!
//! ```text
//! x A = rho x,
//! ```
//!
//! or, for [`Direction::Out`], a right one. A graph that is not strongly connected may have
//! several. So x is defined as the limit of Katz's index `1 (I - alpha A)^-1`, scaled, as alpha
//! tends to 1/rho from below. It is also the limit of the power method with a shift, started from
//! equal scores (Vigna, "Spectral ranking", Network Science 4, 2016). In terms of strong
//! components:
//!
//! * A component *dominates* if its own spectral radius is rho. Components whose radii agree to
//!   [`SAME_RADIUS`](webrank_linear::dominant::SAME_RADIUS) count as equal. A graph without cycles has rho = 0 and no such x.
//! * If one component dominates, x is positive on it and on all nodes that it reaches, and zero
//!   elsewhere: the contribution of the others is negligible, however large they are.
//! * If several dominate, only those at the end of the longest chains of such components count (one
//!   that is fed by another grows faster than either alone). Their weights are the products of the
//!   inflow and the share of it that the component keeps: `f . r / (x . r)`, with f the inflow and
//!   r, x the right and left eigenvectors of the component.
//!
//! Where weights are near the limits of doubles, scores are computed in units of their own
//! (`eigenvector/units.rs`).
//!
//! Rows may be in any form. Components are found by a depth-first search, for which rows are decoded
//! when they are asked for; the rows within components are then packed by themselves.
//!
//! On the dominant component, Arnoldi's method finds x, or on request the power method. On the nodes it
//! reaches, x solves `x (rho I - A) = inflow`, component by component in topological order. The error of an entry is
//! about the residual over twice the gap, so entries below that are set to 0 and tie.
//!
//! Source: Landau, "Zur relativen Wertbemessung der Turnierresultate", 1895; Bonacich, "Factoring
//! and weighting approaches to status scores and clique identification", 1972.

use super::distributed::{kept_on_shards, plans_of};
use ndarray::Array1;
use serde::Serialize;
use serde_json::{Map, Value};
use solution::SolutionParameters;
use std::path::PathBuf;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Limits;
use webrank_base::parallel::sums::total;
use webrank_base::parallel::tasks;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_cluster::Workers;
use webrank_graph::Size;
use webrank_graph::components::StrongComponents;
use webrank_graph::{Direction, Graph};
use webrank_linear::arnoldi::norm;
use webrank_linear::fibres;
use webrank_linear::irreducible::Irreducible;
use webrank_linear::matrix::Matrix;
use webrank_linear::prepared::PreparedMatrix;
use webrank_measure::cost_model::{Times, of_matrix};
use webrank_measure::form::{RowStorage, StorageOptions, besides_single_rows, swept};
use webrank_measure::{About, Described, Measure, StoragePlan, matrix_parameters};
use webrank_scores::ranked::Ranked;
use webrank_scores::{Outcome, Run, Scores, Status};

mod beyond_dominant;
mod method;
mod notes;
mod scaling;
mod solution;

pub use method::EigenvectorMethod;

/// The default tolerance on the residual `||x A - rho x|| / (rho ||x||)`, in the l2 norm.
pub(crate) const TOLERANCE: f64 = 1e-12;

/// The length of the vector of scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Norm {
    /// Scores sum to one
    #[default]
    L1,
    /// Squares of scores sum to one
    L2,
    /// The largest score is one
    Max,
}

impl Norm {
    fn of(self, x: &[f64]) -> f64 {
        match self {
            Norm::L1 => total(x),
            Norm::L2 => norm(x),
            Norm::Max => tasks::largest(x.len(), |i| x[i]),
        }
    }
}

/// Eigenvector centrality with its parameters.
///
/// The tolerance of [`Limits`] is on the residual `||x A - rho x|| / (rho ||x||)`, in the l2 norm,
/// 1e-12 by default. Its iterations limit the sweeps over each strong component, apart from the
/// sweeps that certify the result. So all sweeps together take no longer than that many sweeps over
/// the graph.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Eigenvector {
    /// Whether importance comes from being pointed at ([`Direction::In`], the left eigenvector) or
    /// from pointing.
    pub direction: Direction,
    /// How scores are scaled.
    pub norm: Norm,
    /// The algorithm; shards have one of their own.
    #[serde(skip)]
    pub method: EigenvectorMethod,
    /// The form in which rows are swept; scores have the same bits in all.
    #[serde(skip)]
    pub form: RowStorage,
    /// The folder of the temporary files that the form on disk needs; by default, the system's.
    #[serde(skip)]
    pub temp: Option<PathBuf>,
    /// The workers among which shards are divided.
    #[serde(skip)]
    pub team: Workers,
}

/// The bytes a node with compact rows.
const OF_PACKED: u64 = 300;

impl Described for Eigenvector {
    const ABOUT: About = About {
        name: "eigenvector",
        definition: "x = x A / rho, A the adjacency matrix and rho its spectral radius",
        direction: "in: being pointed at by important nodes; or out",
        cost: "O(n + m) per sweep, more sweeps the closer the second eigenvalue; 12 bytes per arc, \
               or about 2 in a compact form, and 250 bytes per node",
        guarantee: "certified eigenvalue; the residual of the scores",
    };
}

impl Measure for Eigenvector {
    fn forms_of(&self, graph: &Graph) -> Vec<StoragePlan> {
        plans_of(self.on_shards(graph), || self.forms(graph).plans())
    }

    fn kept_parameters(&self, graph: &Graph, limits: &Limits) -> Result<Map<String, Value>> {
        kept_on_shards(self, graph, limits.tolerance_or(TOLERANCE), limits)
    }

    fn seconds_of(&self, graph: &Graph, _: &Limits, _: &dyn Progress) -> Result<Times> {
        Ok(of_matrix(
            graph,
            match self.method {
                EigenvectorMethod::Arnoldi => 15.0..90.0,
                // The rate is not known before.
                EigenvectorMethod::Power => 15.0..1000.0,
            },
        ))
    }

    fn compute(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        if self.team.shards(graph)?.is_some() {
            return self
                .on_shards(graph)?
                .rank(self, TOLERANCE, limits, progress);
        }
        let mut phases = Phases::start();
        let forms = self.forms(graph);
        let (form, loaded) = forms.load(self.direction, limits, &mut phases, progress)?;
        let matrix = loaded.prepared();
        phases.done("prepare");
        let swept = swept(&[&matrix]);
        progress.begin("components", None);
        let components = matrix.components(progress)?;
        let found = dominance(matrix, &components, self, limits, progress)?;
        phases.done("iterate");
        let notes = found.notes(graph, self.direction);
        Ok(Ranked::single(graph, found.scores, phases)?
            .within(limits.tolerance_or(TOLERANCE))
            .swept(swept)
            .noting(notes)
            .noting(forms.note(form)))
    }
}

impl Eigenvector {
    fn forms<'a>(&'a self, graph: &'a Graph) -> StorageOptions<'a> {
        let size = Size::of(graph);
        let needs = [
            size.weighted_bytes(306, 17),
            besides_single_rows(size, OF_PACKED),
        ];
        let how = (self.form, self.temp.as_deref());
        StorageOptions::of_rows(
            Self::ABOUT.name,
            graph,
            &[self.direction],
            how,
            needs,
            false,
        )
    }
}

/// Scores, and what they mean on this graph.
#[derive(Debug, Clone)]
pub struct Dominance {
    /// The scores.
    pub scores: Scores,
    /// The number of strong components.
    pub num_components: usize,
    /// The number of them that have a cycle.
    pub num_cyclic: usize,
    /// The components whose spectral radius is that of the graph.
    pub dominant: Vec<EigenComponent>,
    /// The number of nodes whose true score is positive.
    pub positive: usize,
    /// The number of these whose score is below what the residual can resolve and is set to 0.
    pub unresolved: usize,
    /// The smallest score that is resolved, in units of the l2 norm.
    pub resolution: f64,
    /// By what factor each of the last sweeps of the power method shrank the residual.
    pub rate: Option<f64>,
    /// Whether certified bounds separate the dominant components from all others.
    pub proved: bool,
    /// The numbers that doubles cannot hold, in words.
    pub beyond_doubles: Option<String>,
}

/// A strong component.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EigenComponent {
    /// Its smallest node.
    pub first: Node,
    /// The number of its nodes.
    pub nodes: usize,
    /// The number of arcs within it.
    pub arcs: u64,
}

/// The eigenvector of a matrix whose row i holds what flows into i.
///
/// O(n + m) per sweep; at most 12 bytes per arc and 250 bytes per node of cyclic components. The
/// result does not depend on the number of threads, and nodes with equal rows get equal scores.
///
/// # Errors
/// If the graph has no cycle; if weights are so small or so large that their products underflow or
/// overflow; if the user interrupts.
pub fn eigenvector(
    matrix: &Matrix,
    params: &Eigenvector,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Dominance> {
    let matrix = PreparedMatrix::new(matrix.clone());
    progress.begin("components", None);
    let components = matrix.components(progress)?;
    dominance(matrix, &components, params, limits, progress)
}

/// [`eigenvector`] of a matrix in any form, whose strong components are known.
///
/// # Errors
/// As for [`eigenvector`]; if rows are in a file that cannot be read.
pub(super) fn dominance(
    mut matrix: PreparedMatrix,
    components: &StrongComponents,
    params: &Eigenvector,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Dominance> {
    let (tolerance, max_sweeps) = (limits.tolerance_or(TOLERANCE), limits.iterations());
    let irreducible = Irreducible::of(&matrix, components, progress)?;
    if irreducible.parts().is_empty() {
        return Err(undefined(
            "the graph has no cycle, so its adjacency matrix has no positive eigenvalue",
        ));
    }
    progress.begin("iterate", None);
    let problem = SolutionParameters {
        components,
        norm: params.norm,
        method: params.method,
        tolerance: tolerance.get(),
        max_sweeps,
    };
    let solved = problem.solve_well(&mut matrix, irreducible, progress)?;
    if solved.settled.residual.is_nan() {
        return Err(undefined(
            "parts of it have eigenvalues that agree to more digits than 64-bit numbers have",
        ));
    }
    let eigenvalue = solved.eigenvalue();
    let is_certain = solved.found.proved && solved.is_complete;
    let mut settled = solved.settled;
    fibres::level(&matrix, &mut settled.x)?;
    let nonzero = settled.x.iter().filter(|&&x| x > 0.0).count();
    let irreducible = &solved.irreducible;
    let component = |&part: &usize| {
        let part = &irreducible.parts()[part];
        EigenComponent {
            first: irreducible.nodes()[part.places.start],
            nodes: part.places.len(),
            arcs: part.num_arcs,
        }
    };
    Ok(Dominance {
        num_components: components.num_components(),
        num_cyclic: irreducible.parts().len(),
        dominant: solved.found.parts.iter().map(component).collect(),
        positive: solved.positive,
        unresolved: solved.positive - nonzero,
        beyond_doubles: eigenvalue.beyond_doubles,
        resolution: settled.resolution,
        rate: solved.found.rate(),
        proved: solved.found.proved,
        scores: Scores {
            intervals: None,
            values: Array1::from_vec(settled.x),
            run: Run {
                measure: Eigenvector::ABOUT.name,
                method: params.method.name(),
                parameters: matrix_parameters(
                    params,
                    matrix.weighted().is_some(),
                    tolerance,
                    max_sweeps,
                ),
                outcome: Outcome::Eigen {
                    status: Status::of(settled.residual <= tolerance.get() && is_certain),
                    iterations: solved.work.div_ceil(matrix.num_arcs()) as u32 + 2,
                    residual: settled.residual,
                    eigenvalue: eigenvalue.value,
                    eigenvalue_bounds: eigenvalue.bounds,
                    gap: settled.gap,
                },
            },
        },
    })
}

/// The error of a graph without an eigenvector.
pub(super) fn undefined(why: &str) -> Error {
    Error::Undefined {
        measure: "eigenvector centrality",
        reason: format!("{why}; Katz's index ranks such graphs"),
    }
}
