//! Scores next to true ones, node by node.

use super::sweeps::SCALE_TOLERANCE;
use super::{ErrorBounds, ErrorKind, Finding, Question, Scale, Worst};
use webrank_base::Node;

/// How nearly scores must be a multiple of true ones for that to be their scale.
const ALIKE: f64 = 1e-6;

/// True scores of some nodes, or arcs.
pub struct Truths<'a> {
    /// The places of their scores.
    pub nodes: &'a [Node],
    /// Without normalisation.
    pub scores: &'a [f64],
    /// A bound on their relative errors.
    pub rounding: f64,
    /// The divisor of a normalised score.
    pub largest: f64,
}

impl Truths<'_> {
    /// The finding on the scores of these nodes.
    pub fn finding(&self, question: &Question, way: String) -> Finding {
        let (scale, scale_is) = match question.parameters.scale {
            Scale::Plain => (1.0, None),
            Scale::Normalized => (1.0 / self.largest, Some("scores are normalised".to_owned())),
            Scale::Unknown => match self.fitting(question) {
                Some(scale) => (scale, Some(known_scale(scale, question.graph.num_nodes()))),
                None => (1.0, None),
            },
        };
        let (mut at_least, mut at_most) = (0.0f64, 0.0f64);
        let mut worst: Option<Worst> = None;
        for (&node, &truth) in self.nodes.iter().zip(self.scores) {
            let score = question.scores[node as usize] / scale;
            let rounding = if scale == 1.0 {
                0.0
            } else {
                2.0 * f64::EPSILON * score.abs()
            };
            let found = Worst {
                node,
                score,
                truth,
                within: self.rounding * truth.abs() + rounding,
            };
            let off = found.difference();
            at_least = at_least.max(relative(off - found.within, &found));
            at_most = at_most.max(relative(off + found.within, &found));
            if off > worst.as_ref().map_or(0.0, Worst::difference) {
                worst = Some(found);
            }
        }
        Finding {
            way,
            scale,
            scale_is,
            error: ErrorBounds {
                kind: ErrorKind::Score,
                at_least,
                at_most,
            },
            worst,
            sample: None,
            eigenvalue_bounds: None,
            eigen: None,
            notes: Vec::new(),
        }
    }

    /// The ratio of scores to true ones, if it is not 1 and half of them or more agree on it.
    fn fitting(&self, question: &Question) -> Option<f64> {
        let scores = question.scores;
        let pairs = self.nodes.iter().zip(self.scores);
        let ratios = pairs.filter(|(_, truth)| **truth != 0.0);
        let mut ratios: Vec<f64> = ratios
            .map(|(&node, truth)| scores[node as usize] / truth)
            .collect();
        ratios.sort_unstable_by(f64::total_cmp);
        let middle = *ratios.get(ratios.len() / 2)?;
        let agree = |ratio: &&f64| (**ratio / middle - 1.0).abs() <= ALIKE;
        let is_scale = middle > 0.0
            && (middle - 1.0).abs() > SCALE_TOLERANCE
            && 2 * ratios.iter().filter(agree).count() >= ratios.len();
        // A scale that is nearly a usual factor is that factor.
        let usual = usual_scales(question.graph.num_nodes()).into_iter();
        let near = |scale: &f64| (scale / middle - 1.0).abs() <= ALIKE;
        is_scale.then(|| usual.map(|(scale, _)| scale).find(near).unwrap_or(middle))
    }
}

/// An error relative to the true score; infinite where that is 0 and the score is not.
fn relative(error: f64, of: &Worst) -> f64 {
    if error <= 0.0 {
        0.0
    } else {
        error / of.truth.abs()
    }
}

/// Factors that programs apply to scores, and their names.
pub fn usual_scales(num_nodes: usize) -> [(f64, &'static str); 7] {
    let n = num_nodes as f64;
    [
        (1.0, "1"),
        (0.5, "1/2"),
        (1.0 / (n - 1.0), "1/(n - 1)"),
        (n - 1.0, "n - 1"),
        (1.0 / ((n - 1.0) * (n - 2.0)), "1/((n - 1)(n - 2))"),
        (1.0 / (n * (n - 1.0)), "1/(n (n - 1))"),
        (0.5 / ((n - 1.0) * (n - 2.0)), "1/(2 (n - 1)(n - 2))"),
    ]
}

/// A factor in words.
pub fn known_scale(scale: f64, num_nodes: usize) -> String {
    let usual = usual_scales(num_nodes).into_iter();
    match usual.into_iter().find(|(usual, _)| *usual == scale) {
        Some((_, name)) => format!("they are {name} times those of the definition"),
        None => "they are this multiple of those of the definition".to_owned(),
    }
}
