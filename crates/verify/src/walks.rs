//! PageRank and TrustRank, by sweeps.
//!
//! `F(x) = alpha x G + alpha D(x) u + (1 - alpha) v` contracts the l1 norm by alpha. So if z is any
//! vector, and F(z) is computed with an error of at most delta, then
//!
//! ```text
//!     ||z - x*|| <= ||z - F(z)|| + delta + alpha ||z - x*||,
//! so  ||z - x*|| <= (||z - F(z)|| + delta) / (1 - alpha).
//! ```

use super::sweeps::{
    Claimed, ENTRY, SCALE_TOLERANCE, column_sums, distance, inverses, is_sharp, max_sweeps, refine,
    swept,
};
use super::{ErrorKind, Finding, Question};
use webrank_base::error::{Error, Result};
use webrank_base::parallel::sums::{compensated, total};
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_graph::Direction;
use webrank_linear::Matrix;
use webrank_scores::parameters::{Damping, Dangling, Distribution};

/// PageRank.
pub fn pagerank(question: &Question) -> Result<Finding> {
    let v = &question.parameters.preference;
    let u = match &question.parameters.dangling {
        Dangling::Preference => Some(v),
        Dangling::Uniform => Some(&Distribution::Uniform),
        Dangling::None => None,
        Dangling::Vector(u) => Some(u),
    };
    check(question, v, u)
}

/// TrustRank: PageRank with a preference for the seeds.
pub fn trustrank(question: &Question) -> Result<Finding> {
    let mut weights = vec![0.0; question.graph.num_nodes()];
    let seeds = &question.parameters.seeds;
    if seeds.is_empty() {
        return Err(Error::argument("seeds", "none", "name those of the scores"));
    }
    seeds.iter().for_each(|&seed| weights[seed as usize] = 1.0);
    let v = Distribution::from_weights(weights)?;
    check(question, &v, Some(&v))
}

/// Candidates for seeds: the PageRank of the transposed graph. A table may have the best nodes only:
/// it then says that no other node has more than the smallest of its scores.
pub fn candidates(question: &Question) -> Result<Finding> {
    let v = &Distribution::Uniform;
    let walk = Walk::new(question, Direction::Out, v, Some(v))?;
    let given = question
        .scores
        .iter()
        .copied()
        .filter(|score| !score.is_nan());
    let least = given.clone().fold(f64::INFINITY, f64::min);
    let listed = given.count();
    if listed == question.scores.len() {
        return walk.check(question);
    }
    let truth = walk.fixed_point(question.progress)?;
    let scores = question.scores.iter().zip(&truth);
    let filled = scores.map(|(&score, &truth)| match score.is_nan() {
        true => truth.min(least),
        false => score,
    });
    let filled: Vec<f64> = filled.collect();
    let mut found = walk.check(&Question {
        scores: &filled,
        ..*question
    })?;
    let others = filled.len() - listed;
    found.notes.push(format!(
        "the table has {listed} rows: the other {others} nodes were checked to have no more than {least:e}"
    ));
    Ok(found)
}

fn check(question: &Question, v: &Distribution, u: Option<&Distribution>) -> Result<Finding> {
    Walk::new(question, Direction::In, v, u)?.check(question)
}

/// The map whose fixed point the scores are.
struct Walk<'a> {
    alpha: f64,
    matrix: Matrix,
    /// 1 over the weights of all arcs of each node.
    shares: Vec<f64>,
    v: &'a Distribution,
    u: Option<&'a Distribution>,
}

impl<'a> Walk<'a> {
    fn new(
        question: &Question,
        direction: Direction,
        v: &'a Distribution,
        u: Option<&'a Distribution>,
    ) -> Result<Self> {
        let alpha = Damping::new(question.parameters.alpha.unwrap_or(0.85))?.get();
        let matrix = question.matrix(direction)?;
        let n = matrix.num_nodes();
        v.check_len("the preference vector", n)?;
        u.map_or(Ok(()), |u| u.check_len("the dangling distribution", n))?;
        Ok(Walk {
            alpha,
            shares: inverses(&column_sums(&matrix)),
            matrix,
            v,
            u,
        })
    }

    /// F(x).
    fn map(&self, x: &[f64]) -> Vec<f64> {
        let (alpha, n) = (self.alpha, x.len());
        let inflow = swept(&self.matrix, &self.shares, x);
        let dangling = (0..n).filter(|&i| self.shares[i] == 0.0).map(|i| x[i]);
        let mass = self.u.map_or(0.0, |_| compensated(dangling));
        tasks::tabulate(n, |i| {
            let from_dangling = self.u.map_or(0.0, |u| mass * u.weight(i, n));
            alpha * inflow[i] + alpha * from_dangling + (1.0 - alpha) * self.v.weight(i, n)
        })
    }

    /// The fixed point, as near as sweeps come.
    fn fixed_point(&self, progress: &dyn Progress) -> Result<Vec<f64>> {
        let n = self.matrix.num_nodes();
        let mut x: Vec<f64> = (0..n).map(|i| self.v.weight(i, n)).collect();
        for _ in 0..max_sweeps(&self.matrix) {
            progress.check()?;
            let next = self.map(&x);
            let change = distance(&x, &next);
            x = next;
            if change <= NEAR * (1.0 - self.alpha) {
                break;
            }
        }
        Ok(x)
    }

    fn check(&self, question: &Question) -> Result<Finding> {
        let (alpha, u) = (self.alpha, self.u);
        let given = question.nonnegative()?;
        let sum = total(&given.0);
        let is_scaled =
            question.may_be_scaled() && u.is_some() && (sum - 1.0).abs() > SCALE_TOLERANCE;
        let scale = if is_scaled { sum } else { 1.0 };
        let claimed = Claimed::new(given, scale, "scores sum to this, not to 1");
        let error = |z: &[f64], image: &[f64]| {
            let rounding = ENTRY * total(image);
            [distance(z, image) + rounding, rounding].map(|bound| bound / (1.0 - alpha))
        };
        let found = refine(
            &claimed.x,
            max_sweeps(&self.matrix),
            |x| self.map(x),
            error,
            is_sharp,
            question.progress,
        )?;
        let way = found.way();
        Ok(claimed.against(&found.z, found.error, ErrorKind::L1, way))
    }
}

/// The l1 distance from a fixed point that needs no more sweeps.
const NEAR: f64 = 1e-15;
