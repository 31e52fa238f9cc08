//! Scores of nodes that walks reach only after more steps than the method has taken: in PageRank, and in
//! Katz's index with a beta that is 0 somewhere.
//!
//! If walks start at a few nodes, a score of 0 says that they never get to a node. But k sweeps
//! follow walks for k steps, and leave 0 for nodes further off, the scores of which are within the
//! certified bound of 0. Here such nodes get about their true score, `alpha sum x_j P_ji` over the
//! predecessors that are nearer to the start, and what comes from dangling nodes; or the least
//! positive double, if that is all they have.

use crate::pagerank::Distribution;
use crate::pagerank::certificate::Certified;
use crate::pagerank::walk::RandomWalk;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::sums::chained;

/// The part of a bound that its own slack covers.
const COVERED: f64 = 1e-13;

/// The least positive double.
pub(crate) const LEAST: f64 = f64::from_bits(1);

/// How walks get to nodes without following arcs.
#[derive(Clone, Copy)]
pub struct Teleport<'a> {
    /// The probability of following an arc.
    pub alpha: f64,
    /// Where walks start, unless the scores there are known to be positive.
    pub preference: Option<&'a Distribution>,
    /// Where walks go on from dangling nodes, unless they start there, or end.
    pub dangling: Option<&'a Distribution>,
}

impl Teleport<'_> {
    /// Whether walks start at this one of n nodes.
    pub(crate) fn starts_at(&self, node: Node, n: usize) -> bool {
        self.preference
            .is_some_and(|v| v.weight(node as usize, n) > 0.0)
    }

    /// The probability of this one of n nodes after a dangling node.
    pub(crate) fn after_dangling(&self, node: Node, n: usize) -> f64 {
        self.dangling.map_or(0.0, |u| u.weight(node as usize, n))
    }
}

/// A walk by its steps into nodes.
pub trait WalkSteps {
    /// Calls `add(j, P_ji)` for all predecessors j of node i.
    ///
    /// # Errors
    /// If its row cannot be read.
    fn steps_into(&self, node: Node, add: &mut dyn FnMut(Node, f64)) -> Result<()>;

    /// Whether a node has no successors.
    fn is_dangling(&self, node: Node) -> bool;

    /// The mass of these scores on such nodes.
    fn dangling_mass(&self, scores: &[f64]) -> f64;
}

impl WalkSteps for RandomWalk {
    fn steps_into(&self, node: Node, add: &mut dyn FnMut(Node, f64)) -> Result<()> {
        let rows = self.rows();
        rows.with_row(rows.row_of(node as usize), |row| {
            for place in row.nodes() {
                let share = 1.0 / f64::from(self.live_outdegrees()[place as usize]);
                add(self.live()[place as usize], share);
            }
        })
    }

    fn is_dangling(&self, node: Node) -> bool {
        self.live().binary_search(&node).is_err()
    }

    fn dangling_mass(&self, scores: &[f64]) -> f64 {
        chained(
            self.dangling_within(0..scores.len())
                .map(|node| scores[node]),
        )
    }
}

/// Gives positive scores to the nodes that nodes with positive scores reach. The bound grows by the
/// sum of these scores, but not beyond `tolerance`, within which they are made to fit. O(n), and
/// O(m) at most for the rows of nodes whose score is 0.
///
/// Nodes with equal rows get equal scores.
///
/// # Errors
/// If rows cannot be read.
pub fn extend(
    certified: &mut Certified,
    tolerance: f64,
    jumps: Teleport,
    walk: &impl WalkSteps,
) -> Result<()> {
    let scores = &mut certified.scores;
    let n = scores.len();
    let zeros = (0..n as Node).filter(|&node| scores[node as usize] == 0.0);
    let zeros: Vec<Node> = zeros.collect();
    if zeros.is_empty() || jumps.alpha == 0.0 {
        return Ok(());
    }
    let mut dangling = match jumps.dangling {
        Some(_) => walk.dangling_mass(scores),
        None => 0.0,
    };
    // The arcs between such nodes, and those among them that are reached in one step.
    let mut arcs: Vec<(Node, Node)> = Vec::new();
    let mut level: Vec<Node> = Vec::new();
    for &node in &zeros {
        let is_entered = dangling > 0.0 && jumps.after_dangling(node, n) > 0.0;
        let mut is_reached = is_entered || jumps.starts_at(node, n);
        walk.steps_into(node, &mut |j, _| match scores[j as usize] > 0.0 {
            true => is_reached = true,
            false => arcs.push((j, node)),
        })?;
        level.extend(is_reached.then_some(node));
    }
    arcs.sort_unstable();
    let mut is_met = vec![false; n];
    level.iter().for_each(|&node| is_met[node as usize] = true);
    let mut reached: Vec<Node> = Vec::new();
    while !level.is_empty() {
        let value = |&node: &Node| {
            let mut sum = dangling * jumps.after_dangling(node, n);
            walk.steps_into(node, &mut |j, share| sum += scores[j as usize] * share)?;
            Ok((jumps.alpha * sum).max(LEAST))
        };
        let values: Vec<f64> = level.iter().map(value).collect::<Result<_>>()?;
        for (&node, value) in level.iter().zip(values) {
            scores[node as usize] = value;
        }
        let mut next = Vec::new();
        let mut meet = |node: Node| {
            if !std::mem::replace(&mut is_met[node as usize], true) {
                next.push(node);
            }
        };
        for &node in &level {
            let first = arcs.partition_point(|&(from, _)| from < node);
            let to = arcs[first..].iter().take_while(|&&(from, _)| from == node);
            to.for_each(|&(_, to)| meet(to));
        }
        if dangling == 0.0 && jumps.dangling.is_some() {
            let ends = level.iter().filter(|&&node| walk.is_dangling(node));
            dangling = ends.map(|&node| scores[node as usize]).sum();
            if dangling > 0.0 {
                let entered = zeros.iter();
                let entered = entered.filter(|&&node| jumps.after_dangling(node, n) > 0.0);
                entered.for_each(|&node| meet(node));
            }
        }
        reached.append(&mut level);
        next.sort_unstable();
        level = next;
    }
    let total = reached.iter().map(|&node| certified.scores[node as usize]);
    let total: f64 = total.sum();
    fit(certified, &reached, total, tolerance);
    Ok(())
}

/// Adds the scores of the nodes that were reached, `total`, to the bound, the others' errors being
/// within it; makes them smaller if it would exceed `tolerance`. These ones may be some of the nodes.
pub(crate) fn fit(certified: &mut Certified, reached: &[Node], total: f64, tolerance: f64) {
    let Certified { scores, bound } = certified;
    let allowed = (tolerance - *bound).max(COVERED * *bound);
    let mut factor = 1.0;
    while total * factor > allowed && factor > 1e-300 {
        factor *= 0.5;
    }
    if factor < 1.0 {
        for &node in reached {
            let score = &mut scores[node as usize];
            *score = (*score * factor).max(LEAST);
        }
    }
    if total * factor > COVERED * *bound {
        *bound += total * factor;
    }
}
