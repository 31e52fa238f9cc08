//! Systems `x = b + M x` with nonnegative M and b, by sweeps: Katz's index and LeaderRank.
//!
//! If w > 0 and `g = w - M w > 0`, the inverse of I - M has no negative entries, and for any z with
//! the residual `r = b + M z - z`,
//!
//! ```text
//! |z - x| = |(I - M)^-1 r| <= max(|r| / g) w.
//! ```
//!
//! Sweeps `w = c + M w` find such a w for any c > 0, if there is one: as soon as no entry grows by
//! more than half of that of c, g is at least c / 2. Here c is about as large as x, entry by entry:
//! then rounding costs little.

use super::sweeps::{
    Claimed, ENTRY, Refined, SCALE_TOLERANCE, column_sums, inverses, is_sharp, max_sweeps, refine,
    swept,
};
use super::{ErrorKind, Finding, Question};
use webrank_base::error::{Error, Result};
use webrank_base::parallel::sums::total;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_graph::Direction;
use webrank_linear::Matrix;

/// A system; entry (i, j) of M is `w_ij factors_j`.
pub struct System<'a> {
    pub matrix: &'a Matrix,
    pub factors: Vec<f64>,
    /// b.
    pub constant: Vec<f64>,
    /// The rows of M that are 0 although those of the matrix are not.
    pub is_fixed: Vec<bool>,
}

/// Sweeps after which entries have about their size.
const FIRST_SWEEPS: usize = 20;

/// A vector near the solution of a system.
pub struct ClaimedSolution {
    pub z: Refined,
    /// The multiple of w that bounds the error of an entry.
    pub factor: f64,
    pub w: Vec<f64>,
}

/// A vector w as above, and bounds from below on the entries of g.
struct Dominating {
    w: Vec<f64>,
    kept: Vec<f64>,
}

impl System<'_> {
    /// M x.
    pub fn flow(&self, x: &[f64]) -> Vec<f64> {
        let mut flow = swept(self.matrix, &self.factors, x);
        for (flow, _) in flow.iter_mut().zip(&self.is_fixed).filter(|(_, is)| **is) {
            *flow = 0.0;
        }
        flow
    }

    /// b + M x.
    pub fn map(&self, x: &[f64]) -> Vec<f64> {
        let flow = self.flow(x);
        tasks::tabulate(x.len(), |i| self.constant[i] + flow[i])
    }

    /// Sweeps from `start` until `enough` is known, as in [`refine`]; none if no w is found.
    pub fn solve(
        &self,
        start: &[f64],
        enough: impl Fn(f64, f64) -> bool,
        progress: &dyn Progress,
    ) -> Result<Option<ClaimedSolution>> {
        let mut sizes = start.to_vec();
        for _ in 0..FIRST_SWEEPS {
            progress.check()?;
            sizes = self.map(&sizes);
        }
        let mean = total(&sizes) / sizes.len() as f64;
        match mean > 0.0 && mean.is_finite() {
            true => {
                let zeros = sizes.iter_mut().filter(|size| **size == 0.0);
                zeros.for_each(|size| *size = mean);
            }
            false => sizes.fill(1.0),
        }
        let Some(dominating) = self.dominating(&sizes, progress)? else {
            return Ok(None);
        };
        let error = |z: &[f64], image: &[f64]| dominating.error(z, image);
        let z = refine(
            start,
            max_sweeps(self.matrix),
            |x| self.map(x),
            error,
            enough,
            progress,
        )?;
        let [factor, _] = dominating.factor(&z.z, &self.map(&z.z));
        let w = dominating.w;
        Ok(Some(ClaimedSolution { z, factor, w }))
    }

    /// A dominating vector for this c, if sweeps find one.
    fn dominating(&self, c: &[f64], progress: &dyn Progress) -> Result<Option<Dominating>> {
        let mut w = c.to_vec();
        for _ in 0..max_sweeps(self.matrix) {
            progress.check()?;
            let flow = self.flow(&w);
            let increase = tasks::largest(w.len(), |i| (c[i] + flow[i] - w[i]) / c[i]);
            let is_finite = tasks::all(w.len(), |i| flow[i].is_finite());
            if is_finite && increase <= 0.5 {
                let kept = |i: usize| w[i] - flow[i] - ENTRY * (w[i] + flow[i]);
                let kept = tasks::tabulate(w.len(), kept);
                let is_proof = kept.iter().all(|&kept| kept > 0.0);
                return Ok(is_proof.then_some(Dominating { w, kept }));
            }
            if !is_finite {
                return Ok(None);
            }
            w = tasks::tabulate(w.len(), |i| c[i] + flow[i]);
        }
        Ok(None)
    }
}

impl Dominating {
    /// The multiple of w that bounds the entries of |z - x|, and its part by rounding alone.
    fn factor(&self, z: &[f64], image: &[f64]) -> [f64; 2] {
        let rounding = |i: usize| ENTRY * (z[i].abs() + image[i].abs()) / self.kept[i];
        let residual = |i: usize| (image[i] - z[i]).abs() / self.kept[i] + rounding(i);
        [
            tasks::largest(z.len(), residual),
            tasks::largest(z.len(), rounding),
        ]
    }

    /// [`Self::factor`] for the l1 norm of z - x.
    fn error(&self, z: &[f64], image: &[f64]) -> [f64; 2] {
        let sum = total(&self.w);
        self.factor(z, image).map(|factor| factor * sum)
    }
}

/// Katz's index. Scores may be scaled, as those of networkx are by default: then the sum of
/// `x - M x`, which is that of b for the true x, tells by what.
pub fn katz(question: &Question) -> Result<Finding> {
    let parameters = question.parameters;
    let remedy = "name that of the scores, which must be positive";
    let alpha = match parameters.alpha {
        None => return Err(Error::argument("alpha", "not known", remedy)),
        Some(alpha) if !(alpha > 0.0 && alpha.is_finite()) => {
            return Err(Error::argument("alpha", alpha, remedy));
        }
        Some(alpha) => alpha,
    };
    let matrix = question.matrix(question.direction(Direction::In))?;
    let n = matrix.num_nodes();
    let system = System {
        matrix: &matrix,
        factors: vec![alpha; n],
        constant: parameters.beta.clone().unwrap_or_else(|| vec![1.0; n]),
        is_fixed: Vec::new(),
    };
    let given = question.nonnegative()?;
    let mut scale = 1.0;
    if question.may_be_scaled() {
        let kept = total(&given.0) - total(&system.flow(&given.0));
        let fitting = kept / total(&system.constant);
        if fitting > 0.0 && fitting.is_finite() && (fitting - 1.0).abs() > SCALE_TOLERANCE {
            scale = fitting;
        }
    }
    let claimed = Claimed::new(
        given,
        scale,
        "the factor that fits; x = beta + alpha x A has none",
    );
    let Some(found) = system.solve(&claimed.x, is_sharp, question.progress)? else {
        let remedy = "sweeps do not prove that it is below 1/rho, where rho is the spectral radius; \
                      for a larger alpha there is no Katz index";
        return Err(Error::argument("alpha", alpha, remedy));
    };
    let found = found.z;
    let way = found.way();
    Ok(claimed.against(&found.z, found.error, ErrorKind::RelativeL1, way))
}

/// LeaderRank. With `x = 1 + M x` the visits of nodes for each visit of the ground node, true
/// scores are `n (x + 1) / sum of all (x + 1)`. Scores S are a multiple of x + 1, and the sum of
/// `S_j / (d_j + 1)` tells which.
pub fn leaderrank(question: &Question) -> Result<Finding> {
    let matrix = question.matrix(question.direction(Direction::In))?;
    let n = matrix.num_nodes();
    let degrees = column_sums(&matrix);
    let with_ground: Vec<f64> = degrees.iter().map(|degree| degree + 1.0).collect();
    let system = System {
        matrix: &matrix,
        factors: inverses(&with_ground),
        constant: vec![1.0; n],
        is_fixed: Vec::new(),
    };
    let given = question.nonnegative()?;
    let mean = total(&given.0) / n.max(1) as f64;
    let is_scaled = question.may_be_scaled() && (mean - 1.0).abs() > SCALE_TOLERANCE;
    let scale = if is_scaled { mean } else { 1.0 };
    let claimed = Claimed::new(given, scale, "the mean score, which should be 1");
    let kept: Vec<f64> = (0..n).map(|i| claimed.x[i] * system.factors[i]).collect();
    let true_kept: Vec<f64> = (0..n)
        .map(|i| 2.0 - degrees[i] * system.factors[i])
        .collect();
    let unit = total(&kept) / total(&true_kept);
    let visits: Vec<f64> = claimed
        .x
        .iter()
        .map(|x| (x / unit - 1.0).max(0.0))
        .collect();
    let Some(found) = system.solve(&visits, is_sharp, question.progress)? else {
        let (scores, way) = (claimed.x.clone(), "plain sweeps".to_owned());
        let mut finding = claimed.against(&scores, f64::INFINITY, ErrorKind::RelativeL1, way);
        let note = "walks stay away from the ground node for so long that sweeps prove nothing";
        finding.notes.push(note.to_owned());
        return Ok(finding);
    };
    let found = found.z;
    let with_one: Vec<f64> = found.z.iter().map(|visits| visits + 1.0).collect();
    let sum = total(&with_one);
    let truth: Vec<f64> = with_one.iter().map(|y| y * (n as f64 / sum)).collect();
    // Scaling at most doubles a relative error, and rounds a few times.
    let error = n as f64 * (2.0 * found.error / sum + ENTRY);
    let way = found.way();
    Ok(claimed.against(&truth, error, ErrorKind::RelativeL1, way))
}
