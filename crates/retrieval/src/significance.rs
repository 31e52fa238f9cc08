//! How sure a difference between two rankings is, from the differences of single queries.
//!
//! * The interval is a percentile bootstrap: queries are drawn with replacement, as many as there are, and
//!   the mean difference is taken; of all such means, the middle 95 % are between its ends (Efron 1979).
//! * The p-value is of a randomisation test: if both rankings were alike, every difference could as
//!   well have the other sign. p is (1 + the number of random signs whose mean is at least as far from 0) /
//!   (1 + all) (Fisher 1935; Smucker, Allan and Carterette, CIKM 2007, compare such tests for retrieval).
//!
//! All columns of differences see the same draws. Draws depend on the seed and their number only, so
//! results do not depend on the threads. O(draws x queries x columns).

use rayon::prelude::*;
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use webrank_base::random::SplitMix;

/// What is known of a mean difference.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Significance {
    /// The mean difference.
    pub difference: f64,
    /// The lower end of its 95 % interval.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
    /// The probability of such a difference, or a larger one, between rankings that are alike.
    pub p: f64,
}

/// Draws and seed.
#[derive(Debug, Clone, Copy)]
pub struct Resampling {
    /// How many samples and how many signs are drawn.
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
    let draws: Vec<Result<Vec<[f64; 2]>>> = (0..resampling.draws)
        .into_par_iter()
        .map(|draw| {
            progress.check()?;
            progress.advance(1);
            Ok(sums(columns, queries, resampling.seed, draw))
        })
        .collect();
    let draws: Vec<Vec<[f64; 2]>> = draws.into_iter().collect::<Result<_>>()?;
    let result = columns.iter().enumerate().map(|(column, differences)| {
        let mut means: Vec<f64> = draws.iter().map(|draw| draw[column][0]).collect();
        means.sort_unstable_by(f64::total_cmp);
        let sum: f64 = differences.iter().sum();
        // Sums of the same numbers in another order differ by rounding.
        let rounding = 1e-12 * differences.iter().map(|it| it.abs()).sum::<f64>();
        let far = |draw: &&Vec<[f64; 2]>| draw[column][1].abs() >= sum.abs() - rounding;
        let as_far = draws.iter().filter(far).count();
        let n = queries as f64;
        Significance {
            difference: sum / n,
            lower: quantile(&means, 0.025) / n,
            upper: quantile(&means, 0.975) / n,
            p: (1 + as_far) as f64 / (1 + draws.len()) as f64,
        }
    });
    Ok(result.collect())
}

/// For each column, the sum over queries drawn with replacement, and the sum with random signs.
fn sums(columns: &[Vec<f64>], queries: usize, seed: u64, draw: u32) -> Vec<[f64; 2]> {
    // Seeds of neighbouring draws are far apart in the sequence of the generator.
    let mut random = SplitMix::new(seed ^ SplitMix::new(u64::from(draw)).next());
    let mut sums = vec![[0.0; 2]; columns.len()];
    let mut signs = 0;
    for query in 0..queries {
        let drawn = random.below(queries as u64) as usize;
        if query % 64 == 0 {
            signs = random.next();
        }
        let is_negative = signs >> (query % 64) & 1 == 1;
        for (sums, column) in sums.iter_mut().zip(columns) {
            sums[0] += column[drawn];
            sums[1] += if is_negative {
                -column[query]
            } else {
                column[query]
            };
        }
    }
    sums
}

/// The quantile of sorted numbers, between neighbours in proportion.
fn quantile(sorted: &[f64], q: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else {
        return f64::NAN;
    };
    let place = q * last as f64;
    let (low, rest) = (place.floor() as usize, place.fract());
    let high = (low + 1).min(last);
    sorted[low] + rest * (sorted[high] - sorted[low])
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

    /// Of the 2^n signs of n equal differences, two are as far from 0.
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
        assert!(
            (found.lower - (0.1 - error)).abs() < 0.003,
            "{}",
            found.lower
        );
        assert!(
            (found.upper - (0.1 + error)).abs() < 0.003,
            "{}",
            found.upper
        );
        // Signs vary with the second moment, 0.26: 2 sqrt(n) 0.1 / sqrt(0.26) deviations.
        assert!(found.p < 0.002, "{}", found.p);
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
        assert!(nothing.lower.is_nan());
        assert_eq!(nothing.p, 1.0);
    }
}
