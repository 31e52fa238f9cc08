//! Does a ranking of the graph help to find pages? The measures of all queries, with and without static
//! scores, and how sure the differences are.
//!
//! Every query is a bag of words. Queries without relevant pages say nothing of a ranking: they are left
//! out and counted. Queries without hits count as 0. O(queries x (postings + matches x systems)).

use super::collection::Collection;
use super::expression::Expression;
use super::fields::FieldWeights;
use super::judgements::Topic;
use super::matching::Scoring;
use super::measures::{AP, MEASURES, measures};
use super::search::Hit;
use super::significance::{Resampling, Significance, significance};
use rayon::prelude::*;
use webrank_base::error::{Error, Result};
use webrank_base::progress::Progress;
use webrank_base::random::SplitMix;

/// Rankings are judged so deep, as is usual at TREC.
pub const DEPTH: usize = 1000;

/// The weights that are tried when one is chosen by cross-validation.
pub const GRID: [f64; 13] = [
    0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0,
];

/// A static score with weight 1, by page.
#[derive(Debug, Clone)]
pub struct Evidence {
    /// The name in tables.
    pub label: String,
    /// The addend of each page of the index.
    pub parts: Vec<f64>,
    /// The weight; chosen by cross-validation if `None`.
    pub weight: Option<f64>,
}

/// How queries are searched.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Searching {
    /// The factors of fields.
    pub weights: FieldWeights,
    /// How words are scored.
    pub scoring: Scoring,
}

/// A query and its ranking.
pub struct RankedQuery<'a> {
    /// The query.
    pub topic: &'a Topic,
    /// The best pages.
    pub hits: Vec<Hit>,
}

/// A system beside the baseline.
#[derive(Debug, Clone, PartialEq)]
pub struct ComparedSystem {
    /// The label of its static score.
    pub label: String,
    /// Its weights: one, or those of the first and the second half of the queries, each chosen on the
    /// other half.
    pub weights: Vec<f64>,
    /// The mean of each measure.
    pub means: [f64; 5],
    /// How it differs from the baseline, for each measure.
    pub differences: Vec<Significance>,
}

/// The result.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation {
    /// Queries that count.
    pub queries: usize,
    /// Queries that were left out because no page is relevant.
    pub unjudged: usize,
    /// Queries for which no page matches.
    pub without_hits: usize,
    /// Relevant pages that the index does not have.
    pub unknown: usize,
    /// The means without static scores.
    pub baseline: [f64; 5],
    /// With each static score.
    pub systems: Vec<ComparedSystem>,
}

/// The queries that have relevant pages.
///
/// # Errors
/// If there are none.
pub fn judged(topics: &[Topic]) -> Result<Vec<&Topic>> {
    let judged = topics.iter().filter(|topic| !topic.judged().is_empty());
    let judged: Vec<&Topic> = judged.collect();
    if judged.is_empty() {
        let remedy = "no query has a relevant page; give queries that the judgements are about";
        return Err(Error::argument("judgements", "without a query", remedy));
    }
    Ok(judged)
}

/// The rankings of some queries, with a static score or without; in the order of the queries.
///
/// # Errors
/// If the index cannot be read, or if the user asked to stop.
pub fn rankings<'a>(
    collection: &Collection,
    topics: &[&'a Topic],
    searching: &Searching,
    evidence: Option<(&[f64], f64)>,
    progress: &dyn Progress,
) -> Result<Vec<RankedQuery<'a>>> {
    progress.begin("search", Some(topics.len() as u64));
    let ranked: Vec<Result<RankedQuery>> = topics
        .par_iter()
        .map(|&topic| {
            progress.check()?;
            progress.advance(1);
            let expression = Expression::of_words(&topic.text, &searching.weights)?;
            let matches = collection.scored(&expression, &searching.scoring)?;
            let hits = collection.best(&matches, evidence, DEPTH);
            Ok(RankedQuery { topic, hits })
        })
        .collect();
    ranked.into_iter().collect()
}

/// The measures of a ranking.
pub(super) fn judge(topic: &Topic, hits: &[Hit]) -> [f64; 5] {
    let grade = |hit: &Hit| topic.grades.get(&hit.page).copied().unwrap_or(0);
    let grades: Vec<u32> = hits.iter().map(grade).collect();
    measures(&grades, &topic.judged())
}

/// Evaluates all queries with and without each static score.
///
/// # Errors
/// If no query has a relevant page, the index cannot be read, or the user asked to stop.
pub fn evaluate(
    collection: &Collection,
    topics: &[Topic],
    searching: &Searching,
    evidence: &[Evidence],
    resampling: Resampling,
    progress: &dyn Progress,
) -> Result<Evaluation> {
    let judged = judged(topics)?;
    // Every weight of every score: a fixed one, or the grid.
    let trials: Vec<(usize, f64)> = (evidence.iter().enumerate())
        .flat_map(|(place, one)| {
            let fixed = one.weight.map(|weight| vec![weight]);
            let weights = fixed.unwrap_or_else(|| GRID.to_vec());
            weights.into_iter().map(move |weight| (place, weight))
        })
        .collect();
    progress.begin("search", Some(judged.len() as u64));
    let found: Vec<Result<Judged>> = judged
        .par_iter()
        .map(|topic| {
            progress.check()?;
            progress.advance(1);
            let expression = Expression::of_words(&topic.text, &searching.weights)?;
            let matches = collection.scored(&expression, &searching.scoring)?;
            let of = |evidence| judge(topic, &collection.best(&matches, evidence, DEPTH));
            let trial = |&(place, weight): &(usize, f64)| {
                let evidence: &Evidence = &evidence[place];
                of(Some((&evidence.parts[..], weight)))
            };
            Ok(Judged {
                finds: !matches.is_empty(),
                baseline: of(None),
                trials: trials.iter().map(trial).collect(),
            })
        })
        .collect();
    let found: Vec<Judged> = found.into_iter().collect::<Result<_>>()?;
    let baseline: Vec<[f64; 5]> = found.iter().map(|it| it.baseline).collect();
    let halves = halves(found.len(), resampling.seed);
    let mut systems = Vec::new();
    let mut columns = Vec::new();
    for (place, one) in evidence.iter().enumerate() {
        let own: Vec<usize> = (0..trials.len())
            .filter(|&trial| trials[trial].0 == place)
            .collect();
        let (values, weights) = match one.weight {
            Some(weight) => (
                found.iter().map(|it| it.trials[own[0]]).collect(),
                vec![weight],
            ),
            None => {
                let (values, chosen) = held_out(&found, &own, &halves);
                (values, chosen.map(|trial| trials[trial].1).to_vec())
            }
        };
        for measure in 0..MEASURES.len() {
            let pairs = values.iter().zip(&baseline);
            columns.push(
                pairs
                    .map(|(with, without)| with[measure] - without[measure])
                    .collect(),
            );
        }
        systems.push(ComparedSystem {
            label: one.label.clone(),
            weights,
            means: means(&values),
            differences: Vec::new(),
        });
    }
    progress.begin("resample", Some(u64::from(resampling.draws)));
    let tested = significance(&columns, resampling, progress)?;
    for (system, differences) in systems.iter_mut().zip(tested.chunks(MEASURES.len())) {
        // All measures are between 0 and 1.
        system.differences = differences.iter().map(|it| it.within(1.0)).collect();
    }
    Ok(Evaluation {
        queries: judged.len(),
        unjudged: topics.len() - judged.len(),
        without_hits: found.iter().filter(|it| !it.finds).count(),
        unknown: judged.iter().map(|topic| topic.unknown.len()).sum(),
        baseline: means(&baseline),
        systems,
    })
}

/// The measures of a query under all systems.
pub(super) struct Judged {
    pub finds: bool,
    pub baseline: [f64; 5],
    pub trials: Vec<[f64; 5]>,
}

pub(super) fn means(values: &[[f64; 5]]) -> [f64; 5] {
    let mut means = [0.0; 5];
    for (measure, mean) in means.iter_mut().enumerate() {
        *mean = values.iter().map(|it| it[measure]).sum::<f64>() / values.len().max(1) as f64;
    }
    means
}

/// Which queries are in the second half: a random half of them.
pub(super) fn halves(queries: usize, seed: u64) -> Vec<bool> {
    let mut random = SplitMix::new(seed ^ 0x6861_6c76_6573);
    let mut left = (queries / 2) as u64;
    let mut halves = Vec::with_capacity(queries);
    for query in 0..queries {
        let is_second = random.below((queries - query) as u64) < left;
        left -= u64::from(is_second);
        halves.push(is_second);
    }
    halves
}

/// The measures of each query with the weight that has the best mean average precision on the other half;
/// of equal ones, the first trial. And the trials, that of the first half first.
pub(super) fn held_out(
    found: &[Judged],
    own: &[usize],
    halves: &[bool],
) -> (Vec<[f64; 5]>, [usize; 2]) {
    let chosen = [false, true].map(|half| {
        let others = found.iter().zip(halves).filter(|(_, it)| **it != half);
        best(own, &others.map(|(judged, _)| judged).collect::<Vec<_>>())
    });
    let values = found.iter().zip(halves);
    let values = values.map(|(judged, &half)| judged.trials[chosen[usize::from(half)]]);
    (values.collect(), chosen)
}

/// The trial with the best mean average precision on these queries; of equal ones, the first.
pub(super) fn best(own: &[usize], queries: &[&Judged]) -> usize {
    let better = |best: (usize, f64), &trial: &usize| {
        let score: f64 = queries.iter().map(|it| it.trials[trial][AP]).sum();
        if score > best.1 { (trial, score) } else { best }
    };
    own.iter().fold((own[0], f64::NEG_INFINITY), better).0
}
