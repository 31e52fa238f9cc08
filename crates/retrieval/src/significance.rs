//! How sure a difference between two rankings is, from the differences of single queries.
//!
//! * The p-value is of a randomisation test: if both rankings were alike, every difference could as
//!   well have the other sign. p is (1 + the number of random signs whose mean is at least as far from 0) /
//!   (1 + all) (Fisher 1935; Smucker, Allan and Carterette, CIKM 2007, compare such tests for retrieval).
//! * The interval has all shifts of the differences that this test, with the same signs, does not refuse at
//!   5 % (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, 15.4 and 13.4). So it excludes 0
//!   exactly when p < 0.05. It has no ends if there are too few queries: up to five.
//!
//! All columns of differences see the same draws. Draws depend on the seed and their number only, so
//! results do not depend on the threads. O(draws x queries x columns).

use rayon::prelude::*;
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use webrank_base::random::SplitMix;

/// The significance of a mean difference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Significance {
    /// The mean difference.
    pub difference: f64,
    /// The lower end of its 95 % interval; minus infinity if there is none.
    pub lower: f64,
    /// The upper end; infinity if there is none.
    pub upper: f64,
    /// The probability of such a difference, or a larger one, between rankings that are alike.
    pub p: f64,
}

impl Significance {
    /// The significance of differences that are at most so far from 0.
    pub fn within(self, most: f64) -> Self {
        Significance {
            lower: self.lower.max(-most),
            upper: self.upper.min(most),
            ..self
        }
    }
}

/// Draws and seed.
#[derive(Debug, Clone, Copy)]
pub struct Resampling {
    /// How often signs are drawn.
    pub draws: u32,
    /// The seed.
    pub seed: u64,
}

impl Default for Resampling {
    fn default() -> Self {
        Resampling {
            draws: 9999,
            seed: 0,
        }
    }
}

/// Tests columns of differences, all with an entry for each query.
///
/// # Errors
/// If the user asked to stop.
pub fn significance(
    columns: &[Vec<f64>],
    resampling: Resampling,
    progress: &dyn Progress,
) -> Result<Vec<Significance>> {
    let queries = columns.first().map_or(0, Vec::len);
    let draws: Vec<Result<Signed>> = (0..resampling.draws)
        .into_par_iter()
        .map(|draw| {
            progress.check()?;
            progress.advance(1);
            Ok(Signed::draw(columns, queries, resampling.seed, draw))
        })
        .collect();
    let draws: Vec<Signed> = draws.into_iter().collect::<Result<_>>()?;
    let columns = columns.iter().enumerate();
    Ok(columns
        .map(|(column, differences)| tested(differences, column, &draws))
        .collect())
}

/// The test of a column, and its inversion.
///
/// Signs with sum `b` and signed sum `a` are as far from 0 as the differences shifted by `x`, whose sum is
/// `s - n x`, if `|a - b x| >= |s - n x|`: for `x` from `(s - a) / (n - b)` to `(s + a) / (n + b)`, in
/// either order, an interval around the mean.
fn tested(differences: &[f64], column: usize, draws: &[Signed]) -> Significance {
    let n = differences.len() as f64;
    let sum: f64 = differences.iter().sum();
    // Sums of the same numbers in another order differ by rounding.
    let rounding = 1e-12 * differences.iter().map(|it| it.abs()).sum::<f64>();
    let mut as_far = 0;
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for draw in draws {
        let (a, b) = (draw.sums[column], draw.signs as f64);
        let is_as_far = a.abs() >= sum.abs() - rounding;
        as_far += usize::from(is_as_far);
        let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
        if b.abs() < n {
            let ends = [(sum - a) / (n - b), (sum + a) / (n + b)];
            (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        }
        // By rounding, 0 may fall on the other side of an end.
        match (is_as_far, sum >= 0.0) {
            (true, _) => (low, high) = (low.min(0.0), high.max(0.0)),
            (false, true) => low = low.max(f64::MIN_POSITIVE),
            (false, false) => high = high.min(-f64::MIN_POSITIVE),
        }
        lower.push(low);
        upper.push(high);
    }
    // So many draws, and one more, are 5 % of all and one more.
    let few = (0.05 * (draws.len() + 1) as f64).ceil() as usize - 1;
    let end = |mut ends: Vec<f64>, is_lower: bool| {
        ends.sort_unstable_by(f64::total_cmp);
        match (few.checked_sub(1), is_lower) {
            // Fewer draws refuse nothing.
            (None, true) => f64::NEG_INFINITY,
            (None, false) => f64::INFINITY,
            (Some(place), true) => ends[place],
            (Some(place), false) => ends[ends.len() - 1 - place],
        }
    };
    Significance {
        difference: sum / n,
        lower: end(lower, true),
        upper: end(upper, false),
        p: (1 + as_far) as f64 / (1 + draws.len()) as f64,
    }
}

/// Random signs.
struct Signed {
    /// Their sum.
    signs: i64,
    /// For each column, the sum of differences with these signs.
    sums: Vec<f64>,
}

impl Signed {
    fn draw(columns: &[Vec<f64>], queries: usize, seed: u64, draw: u32) -> Self {
        // Seeds of neighbouring draws are far apart in the sequence of the generator.
        let mut random = SplitMix::new(seed ^ SplitMix::new(u64::from(draw)).next());
        let mut drawn = Signed {
            signs: 0,
            sums: vec![0.0; columns.len()],
        };
        let mut signs = 0;
        for query in 0..queries {
            if query % 64 == 0 {
                signs = random.next();
            }
            let is_negative = signs >> (query % 64) & 1 == 1;
            drawn.signs += if is_negative { -1 } else { 1 };
            for (sum, column) in drawn.sums.iter_mut().zip(columns) {
                *sum += if is_negative {
                    -column[query]
                } else {
                    column[query]
                };
            }
        }
        drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use webrank_base::progress::Silent;

    fn test(differences: &[f64]) -> Significance {
        let columns = [differences.to_vec()];
        significance(&columns, Resampling::default(), &Silent).unwrap()[0]
    }

    #[test]
    fn no_difference_has_p_1() {
        let same = test(&[0.0; 20]);
        assert_eq!(
            (same.difference, same.lower, same.upper, same.p),
            (0.0, 0.0, 0.0, 1.0)
        );
    }

    /// Two of the 2^n signs of n equal differences are as far from 0.
    #[test]
    fn equal_differences_have_the_p_of_their_signs() {
        let equal = test(&[0.1; 6]);
        assert!((equal.p - 2.0 / 64.0).abs() < 0.006, "{}", equal.p);
        assert!((equal.lower - 0.1).abs() < 1e-12 && (equal.upper - 0.1).abs() < 1e-12);
    }

    /// The standard error of a mean of n differences with variance v is sqrt(v / n); 95 % of a normal
    /// distribution lie within 1.96 of it.
    #[test]
    fn intervals_are_those_of_a_normal_distribution() {
        let differences: Vec<f64> = (0..400).map(|i| f64::from(i % 2) - 0.4).collect();
        let found = test(&differences);
        let error = 1.96 * (0.25f64 / 400.0).sqrt();
        for (end, expected) in [(found.lower, 0.1 - error), (found.upper, 0.1 + error)] {
            assert!((end - expected).abs() < 0.004, "{end} {expected}");
        }
        // Signs vary with the second moment, 0.26: 2 sqrt(n) 0.1 / sqrt(0.26) deviations.
        assert!(found.p < 0.002, "{}", found.p);
    }

    /// All shifts between the ends pass the test, and none beyond them.
    #[test]
    fn an_interval_has_the_shifts_that_the_test_does_not_refuse() {
        for queries in [6usize, 7, 12, 40] {
            let difference = |i: usize| (i * 37 % 23) as f64 / 23.0 - 0.2;
            let differences: Vec<f64> = (0..queries).map(difference).collect();
            let found = test(&differences);
            let p = |shift: f64| {
                let shifted: Vec<f64> = differences.iter().map(|it| it - shift).collect();
                test(&shifted).p
            };
            let (near, width) = (1e-6, found.upper - found.lower);
            for (end, inside) in [(found.lower, near * width), (found.upper, -near * width)] {
                assert!(p(end + inside) >= 0.05, "{queries}: {found:?}");
                assert!(p(end - inside) < 0.05, "{queries}: {found:?}");
            }
            assert_eq!(found.lower > 0.0 || found.upper < 0.0, found.p < 0.05);
        }
    }

    /// Two of 2^5 signs are more than 5 %.
    #[test]
    fn five_queries_have_no_interval() {
        let five = test(&[0.1, 0.2, 0.3, 0.1, 0.2]);
        assert_eq!((five.lower, five.upper), (f64::NEG_INFINITY, f64::INFINITY));
        assert!(five.p > 0.05, "{}", five.p);
    }

    #[test]
    fn threads_do_not_matter_but_seeds_do() {
        let differences: Vec<f64> = (0..50).map(|i| f64::from(i * 7919 % 101) - 48.0).collect();
        let run = |threads: usize, seed: u64| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            let resampling = Resampling { draws: 999, seed };
            pool.install(|| {
                significance(std::slice::from_ref(&differences), resampling, &Silent).unwrap()
            })
        };
        assert_eq!(run(1, 3), run(4, 3));
        assert_ne!(run(1, 3), run(1, 4));
    }

    #[test]
    fn without_queries_there_is_no_interval() {
        let nothing = test(&[]);
        assert!(nothing.difference.is_nan());
        assert_eq!(nothing.p, 1.0);
    }
}
