//! Measures of all queries, and their means.

use super::judged::Judged;
use super::measure::{Over, RetrievalMeasure};
use super::read::{Judgements, RetrievalRun};
use std::path::Path;
use webrank_base::error::{Error, Result};

/// How rankings are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The least grade of a relevant page.
    pub least_grade: u64,
    /// At most so many pages of each query count.
    pub depth: usize,
    /// Pages without a grade are left out of rankings.
    pub judged_only: bool,
    /// Means are over all judged queries: those without a ranking count as 0.
    pub all_queries: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            least_grade: 1,
            depth: usize::MAX,
            judged_only: false,
            all_queries: false,
        }
    }
}

/// The measured values.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Each query that has a ranking and judgements, with its values in the order of the measures.
    pub queries: Vec<(String, Vec<f64>)>,
    /// Over all of them.
    pub all: Vec<f64>,
    /// Queries that have a ranking and no judgements.
    pub unjudged: usize,
    /// Queries that have judgements and no ranking.
    pub unranked: usize,
}

/// The measures of a run. O(pages x measures).
///
/// # Errors
/// If no query of the run has judgements; `path` and `judged` are where both were read.
pub fn summary(
    [path, judged]: [&Path; 2],
    run: &RetrievalRun,
    judgements: &Judgements,
    measures: &[RetrievalMeasure],
    options: &Options,
) -> Result<Summary> {
    let mut queries = Vec::new();
    for (query, pages) in run {
        let Some(judged) = judgements.get(query) else {
            continue;
        };
        let judged = Judged::new(pages, judged, options);
        let values: Vec<f64> = measures.iter().map(|it| it.of(&judged)).collect();
        queries.push((query.clone(), values));
    }
    if queries.is_empty() {
        let judged = judged.display();
        let problem = format!(
            "{judged} judges none of its queries; give the judgements of this run, or names of queries that are \
             in both files"
        );
        return Err(Error::file(path, problem));
    }
    let unranked = judgements.keys().filter(|query| !run.contains_key(*query));
    let unranked: Vec<&String> = unranked.collect();
    // Queries of the mean that have no ranking.
    let absent: &[&String] = if options.all_queries { &unranked } else { &[] };
    let over = |(place, measure): (usize, &RetrievalMeasure)| {
        let values = || queries.iter().map(|(_, values)| values[place]);
        let count = (queries.len() + absent.len()) as f64;
        match measure.over() {
            Over::Mean => values().sum::<f64>() / count,
            Over::Sum => values().sum(),
            Over::Geometric => {
                let logarithms = values().map(|value| value.max(LEAST).ln()).sum::<f64>();
                ((logarithms + absent.len() as f64 * LEAST.ln()) / count).exp()
            }
            Over::Relevant => {
                let relevant =
                    |query: &&String| Judged::new(&[], &judgements[*query], options).relevant();
                values().sum::<f64>() + absent.iter().map(relevant).sum::<usize>() as f64
            }
            Over::Queries => count,
        }
    };
    Ok(Summary {
        all: measures.iter().enumerate().map(over).collect(),
        unjudged: run.len() - queries.len(),
        unranked: unranked.len(),
        queries,
    })
}

/// Smaller values count as this one in geometric means.
const LEAST: f64 = 1e-5;
