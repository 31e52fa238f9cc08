//! Which k1 and b of BM25 find pages best?
//!
//! Every pair of a grid is tried on every query. The best pair of all queries is judged on the queries that
//! chose it, which flatters; so there is a second line, in which each half of the queries is judged with
//! the pair that is best on the other half. O(queries x pairs x (postings + matches)).

use super::collection::Collection;
use super::evaluate::{ComparedSystem, DEPTH, Evaluation, Judged, Searching};
use super::evaluate::{best, halves, held_out, judge, judged, means};
use super::expression::Expression;
use super::judgements::Topic;
use super::matching::Scoring;
use super::measures::MEASURES;
use super::significance::{Resampling, significance};
use rayon::prelude::*;
use webrank_base::error::Result;
use webrank_base::progress::Progress;

/// The values of k1 that are tried.
pub const K1: [f64; 8] = [0.0, 0.3, 0.6, 0.9, 1.2, 1.6, 2.0, 3.0];

/// The values of b.
pub const B: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Compares the k1 and b of `searching` with the best of the grid: on the same queries, and chosen on the other
/// half.
///
/// # Errors
/// If no query has a relevant page, the index cannot be read, or the user asked to stop.
pub fn tune(
    collection: &Collection,
    topics: &[Topic],
    searching: &Searching,
    resampling: Resampling,
    progress: &dyn Progress,
) -> Result<Evaluation> {
    let judged = judged(topics)?;
    let pairs = || K1.into_iter().flat_map(|k1| B.map(|b| (k1, b)));
    let trials: Vec<(f64, f64)> = pairs().collect();
    progress.begin("search", Some(judged.len() as u64));
    let found: Vec<Result<Judged>> = judged
        .par_iter()
        .map(|topic| {
            progress.check()?;
            progress.advance(1);
            let expression = Expression::of_words(&topic.text, &searching.weights)?;
            let of = |scoring: &Scoring| {
                let matches = collection.scored(&expression, scoring)?;
                let hits = collection.best(&matches, None, DEPTH);
                Ok((judge(topic, &hits), !matches.is_empty()))
            };
            let trial = |&(k1, b): &(f64, f64)| {
                let scoring = searching.scoring;
                of(&Scoring { k1, b, ..scoring }).map(|(values, _)| values)
            };
            let (baseline, finds) = of(&searching.scoring)?;
            Ok(Judged {
                finds,
                baseline,
                trials: trials.iter().map(trial).collect::<Result<_>>()?,
            })
        })
        .collect();
    let found: Vec<Judged> = found.into_iter().collect::<Result<_>>()?;
    let all: Vec<usize> = (0..trials.len()).collect();
    let own = best(&all, &found.iter().collect::<Vec<_>>());
    let flattering: Vec<[f64; 5]> = found.iter().map(|it| it.trials[own]).collect();
    let (values, chosen) = held_out(&found, &all, &halves(found.len(), resampling.seed));
    let label = |trial: usize| {
        let (k1, b) = trials[trial];
        format!("k1={k1} b={b}")
    };
    let [first, second] = chosen.map(label);
    let both = [
        (
            format!("best of the same queries: {}", label(own)),
            flattering,
        ),
        (format!("best of the other half: {first}, {second}"), values),
    ];
    let mut columns = Vec::new();
    for (_, values) in &both {
        for measure in 0..MEASURES.len() {
            let pairs = values.iter().zip(&found);
            let differences = pairs.map(|(with, it)| with[measure] - it.baseline[measure]);
            columns.push(differences.collect());
        }
    }
    progress.begin("resample", Some(u64::from(resampling.draws)));
    let tested = significance(&columns, resampling, progress)?;
    let systems = both.into_iter().zip(tested.chunks(MEASURES.len()));
    let systems = systems.map(|((label, values), differences)| ComparedSystem {
        label,
        weights: Vec::new(),
        means: means(&values),
        differences: differences.iter().map(|it| it.within(1.0)).collect(),
    });
    let baseline: Vec<[f64; 5]> = found.iter().map(|it| it.baseline).collect();
    Ok(Evaluation {
        queries: judged.len(),
        unjudged: topics.len() - judged.len(),
        without_hits: found.iter().filter(|it| !it.finds).count(),
        unknown: judged.iter().map(|topic| topic.unknown.len()).sum(),
        baseline: means(&baseline),
        systems: systems.collect(),
    })
}
