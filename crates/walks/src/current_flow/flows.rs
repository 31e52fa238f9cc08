//! Currents through nodes, summed over all pairs.
//!
//! Let `v_s` be the difference of the potentials of the ends x and y of an edge of conductance w when a
//! unit enters at s and leaves at the ground. When it leaves at t instead, the current in the edge is
//! `w |v_s - v_t|`. It is largest for s = x and t = y, so after sorting x is last and y is first, and
//!
//! ```text
//! b(x) = sum over edges of x of w times the sum over s < t, both different from x, of |v_s - v_t|.
//! ```

use super::network::{Edge, Network};
use super::potentials::Potentials;
use webrank_base::error::Result;
use webrank_base::parallel::sums::{Compensated, compensated};
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;

/// Edges in a task.
const EDGES: usize = 16;

/// The scores of the places of a network.
pub struct Flows {
    scores: Vec<Compensated>,
    errors: Vec<f64>,
}

/// The sums of an edge without its first and without its second end, and a bound on their errors.
struct Sums {
    without: [f64; 2],
    error: f64,
}

impl Flows {
    /// The sums over ordered pairs. O(k m log k).
    ///
    /// # Errors
    /// If the user interrupts.
    pub fn of(network: &Network, potentials: &Potentials, progress: &dyn Progress) -> Result<Self> {
        progress.begin("sort", Some(network.edges().len() as u64));
        let sums = tasks::try_map(network.edges().chunks(EDGES), |edges| {
            progress.check()?;
            let mut differences = Vec::with_capacity(network.len());
            let sums: Vec<Sums> = edges
                .iter()
                .map(|edge| Sums::of(edge, network.len(), potentials, &mut differences))
                .collect();
            progress.advance(edges.len() as u64);
            Ok(sums)
        })?;
        let mut flows = Flows {
            scores: vec![Compensated::default(); network.len()],
            errors: vec![0.0; network.len()],
        };
        for (edge, sums) in network.edges().iter().zip(sums.iter().flatten()) {
            for (&end, sum) in edge.ends.iter().zip(sums.without) {
                flows.scores[end].add(edge.conductance * sum);
                flows.errors[end] += edge.conductance * sums.error;
            }
        }
        Ok(flows)
    }

    /// The score of a place, and a bound on its error.
    pub fn score(&self, place: usize) -> (f64, f64) {
        let score = self.scores[place].value();
        let sums = 1.0 + 1e-6;
        (
            score,
            self.errors[place] * sums + 4.0 * f64::EPSILON * score,
        )
    }
}

impl Sums {
    fn of(edge: &Edge, k: usize, potentials: &Potentials, differences: &mut Vec<f64>) -> Self {
        let [x, y] = edge.ends;
        differences.clear();
        let mut size = 0.0;
        let mut push = |high: f64, low: f64| {
            let difference = high + low;
            size += difference.abs() + low.abs();
            differences.push(difference);
        };
        match (potentials.row(x), potentials.row(y)) {
            (Some((high, low)), Some((less, less_low))) => {
                let pairs = high.iter().zip(less).zip(low.iter().zip(less_low));
                pairs.for_each(|((high, less), (low, less_low))| push(high - less, low - less_low));
            }
            (Some((high, low)), None) => {
                let pairs = high.iter().zip(low);
                pairs.for_each(|(high, low)| push(*high, *low));
            }
            // The ground is the last place, so it is the second end.
            (None, _) => unreachable!("the first end comes before the ground"),
        }
        differences.push(0.0);
        differences.sort_unstable_by(f64::total_cmp);
        let of_potentials = potentials.error(x) + potentials.error(y);
        let of_differences = of_potentials + 4.0 * f64::EPSILON * size;
        Sums {
            without: [spread(&differences[..k - 1]), spread(&differences[1..])],
            // Each value counts at most k times, and one more if another than the end was left out.
            error: k as f64 * (2.0 * of_differences + 4.0 * f64::EPSILON * size),
        }
    }
}

/// The sum over pairs of sorted values of their distance: the outermost two are apart in all pairs, and so
/// on inwards.
fn spread(sorted: &[f64]) -> f64 {
    let last = sorted.len().saturating_sub(1);
    let halves = sorted.iter().zip(sorted.iter().rev()).enumerate();
    let halves = halves.take(sorted.len() / 2);
    compensated(halves.map(|(place, (low, high))| (last - 2 * place) as f64 * (high - low)))
}
