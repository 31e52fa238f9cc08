//! Seeley's index, by sweeps.
//!
//! Two systems [`x = b + M x`](super::systems) have a unique solution each. In the first, walks from
//! a uniform start go along arcs until they enter a terminal strong component, and stay where they
//! entered: the entries on a component add up to the probability m of ending up there. In the
//! second, a node of each terminal component, its root, has a fixed entry, and walks go along arcs
//! until they come back to a root: the entries on a component are a multiple of its stationary
//! distribution. Sweeps of the second start from the scores in question.

use super::sweeps::{
    Claimed, ENTRY, Refined, SCALE_TOLERANCE, column_sums, distance, inverses, is_sharp, swept,
};
use super::systems::{ClaimedSolution, System};
use super::{ErrorKind, Finding, Question};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::sums::{Compensated, compensated, total};
use webrank_base::progress::Progress;
use webrank_graph::Direction;
use webrank_graph::components::StrongComponents;
use webrank_linear::Matrix;

/// The error of probabilities of components that suffices.
const ARRIVALS: f64 = 1e-13;

/// Seeley's index.
pub fn seeley(question: &Question) -> Result<Finding> {
    let matrix = question.matrix(question.direction(Direction::In))?;
    let components = StrongComponents::new(matrix.rows(), question.progress)?;
    let ends = Ends {
        is_terminal: components.terminal(matrix.rows()),
        shares: inverses(&column_sums(&matrix)),
        components: &components,
        matrix: &matrix,
    };
    let given = question.nonnegative()?;
    let sum = total(&given.0);
    let is_scaled = question.may_be_scaled() && (sum - 1.0).abs() > SCALE_TOLERANCE;
    let scale = if is_scaled { sum } else { 1.0 };
    let claimed = Claimed::new(given, scale, "scores sum to this, not to 1");
    let Some(masses) = ends.arrivals(question.progress)? else {
        return Ok(uncertified(&ends, claimed));
    };
    let Some(visits) = ends.returns(&masses, &claimed.x, question.progress)? else {
        return Ok(uncertified(&ends, claimed));
    };
    let (truth, error) = ends.distribution(&masses, &visits);
    let way = format!(
        "{} plain sweeps, {} of which start from these scores",
        masses.sweeps + visits.z.sweeps,
        visits.z.sweeps
    );
    Ok(claimed.against(&truth, error, ErrorKind::L1, way))
}

/// The terminal components, where walks end.
struct Ends<'a> {
    matrix: &'a Matrix,
    components: &'a StrongComponents,
    is_terminal: Vec<bool>,
    /// The mass that each node gives to a successor per unit of weight.
    shares: Vec<f64>,
}

impl Ends<'_> {
    fn component(&self, node: usize) -> usize {
        self.components.component_of()[node] as usize
    }

    /// Whether a node is in a terminal component.
    fn hold(&self, node: usize) -> bool {
        self.is_terminal[self.component(node)]
    }

    /// The nodes of terminal components.
    fn nodes(&self) -> impl Iterator<Item = usize> {
        (0..self.shares.len()).filter(|&node| self.hold(node))
    }

    /// The probabilities of entering terminal components at each of their nodes, if sweeps tell.
    fn arrivals(&self, progress: &dyn Progress) -> Result<Option<Refined>> {
        let n = self.shares.len();
        let until_ends = (0..n).map(|j| if self.hold(j) { 0.0 } else { self.shares[j] });
        let system = System {
            matrix: self.matrix,
            factors: until_ends.collect(),
            constant: vec![1.0 / n as f64; n],
            is_fixed: Vec::new(),
        };
        let enough = |_: f64, error: f64| error <= ARRIVALS;
        let solved = system.solve(&system.constant, enough, progress)?;
        Ok(solved.map(|solved| solved.z))
    }

    /// The node of each terminal component that has the largest score.
    fn roots(&self, scores: &[f64]) -> Vec<Option<Node>> {
        let mut roots: Vec<Option<Node>> = vec![None; self.components.num_components()];
        for node in self.nodes() {
            let root = &mut roots[self.component(node)];
            if root.is_none_or(|root| scores[root as usize] < scores[node]) {
                *root = Some(node as Node);
            }
        }
        roots
    }

    /// The visits of walks between two visits of the root of their component, from these scores on;
    /// none if sweeps do not tell.
    fn returns(
        &self,
        masses: &Refined,
        scores: &[f64],
        progress: &dyn Progress,
    ) -> Result<Option<ClaimedSolution>> {
        let n = self.shares.len();
        let roots = self.roots(scores);
        let is_root = |node: usize| roots[self.component(node)] == Some(node as Node);
        // Scores of a component, with the true sum.
        let mut parts = vec![(0.0, 0.0); self.components.num_components()];
        for node in self.nodes() {
            let (mass, sum) = &mut parts[self.component(node)];
            *mass += masses.z[node];
            *sum += scores[node];
        }
        let start: Vec<f64> = (0..n)
            .map(|node| match parts[self.component(node)] {
                (mass, sum) if self.hold(node) && sum > 0.0 => mass * (scores[node] / sum),
                (mass, _) if is_root(node) => mass,
                _ => 0.0,
            })
            .collect();
        let fixed = (0..n).map(|i| if is_root(i) { start[i] } else { 0.0 });
        let system = System {
            matrix: self.matrix,
            factors: self.shares.clone(),
            constant: fixed.collect(),
            is_fixed: (0..n).map(|i| is_root(i) || !self.hold(i)).collect(),
        };
        system.solve(&start, is_sharp, progress)
    }

    /// The scores: in each component, visits that add up to its probability. And their l1 error.
    fn distribution(&self, masses: &Refined, visits: &ClaimedSolution) -> (Vec<f64>, f64) {
        let ClaimedSolution { z, factor, w } = visits;
        // For each component, the probability, the sum of visits and that of their possible errors.
        let mut sums = vec![[Compensated::default(); 3]; self.components.num_components()];
        for node in self.nodes() {
            let entries = [masses.z[node], z.z[node], factor * w[node]];
            let sums = sums[self.component(node)].iter_mut();
            sums.zip(entries).for_each(|(sum, entry)| sum.add(entry));
        }
        let sums: Vec<[f64; 3]> = sums
            .iter()
            .map(|sums| sums.map(|sum| sum.value()))
            .collect();
        let score = |node: usize| match sums[self.component(node)] {
            [mass, all, _] if self.hold(node) => mass * z.z[node] / all,
            _ => 0.0,
        };
        let of_shapes = sums.iter().filter(|[_, all, _]| *all > 0.0);
        let of_shapes = compensated(of_shapes.map(|[mass, all, error]| 2.0 * mass * error / all));
        let error = masses.error + of_shapes * (1.0 + 1e-9) + ENTRY;
        ((0..self.shares.len()).map(score).collect(), error)
    }
}

/// The finding of one sweep where walks mix so slowly that sweeps certify nothing: since a step of
/// the walk changes the true scores by nothing, `||x P - x||` is at most twice the error of x.
fn uncertified(ends: &Ends, claimed: Claimed) -> Finding {
    let shares = &ends.shares;
    let mut image = swept(ends.matrix, shares, &claimed.x);
    for node in (0..image.len()).filter(|&node| shares[node] == 0.0) {
        image[node] += claimed.x[node];
    }
    let residual = distance(&image, &claimed.x);
    let way = "one plain sweep over the arcs".to_owned();
    let mut finding = claimed.against(&image, f64::INFINITY, ErrorKind::L1, way);
    finding.error.at_least = (0.5 * residual - ENTRY).max(0.0);
    finding.worst = None;
    finding.notes.push(format!(
        "a step of the walk changes scores by {residual:.1e} in all, but walks mix so slowly that \
         sweeps do not tell how far scores are off"
    ));
    finding
}
