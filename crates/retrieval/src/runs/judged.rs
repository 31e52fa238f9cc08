//! The ranking of a query with the grades of its pages.

use super::summary::Options;
use std::collections::HashMap;

/// The judgement of a page of a ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// It has this grade.
    Graded(u64),
    /// It is in the pool, and was not judged.
    Pooled,
    /// Nothing.
    Unknown,
}

/// A ranking with its judgements.
#[derive(Debug, Clone)]
pub struct Judged {
    /// The pages, best first.
    pub ranked: Vec<Seen>,
    /// All grades of the query, the largest first, whether its pages are ranked or not.
    pub grades: Vec<u64>,
    /// The least grade of a relevant page.
    pub least: u64,
}

impl Judged {
    /// A ranking of these pages, best first, up to the depth of the options.
    pub fn new(pages: &[String], judgements: &HashMap<String, i64>, options: &Options) -> Self {
        let seen = |page: &String| match judgements.get(page) {
            None => Seen::Unknown,
            Some(&grade) => u64::try_from(grade).map_or(Seen::Pooled, Seen::Graded),
        };
        let ranked = pages.iter().take(options.depth).map(seen);
        let is_kept = |seen: &Seen| !options.judged_only || matches!(seen, Seen::Graded(_));
        let grades = judgements.values().copied();
        let mut grades: Vec<u64> = grades.filter_map(|grade| grade.try_into().ok()).collect();
        grades.sort_unstable_by(|a, b| b.cmp(a));
        Judged {
            ranked: ranked.filter(is_kept).collect(),
            grades,
            least: options.least_grade,
        }
    }

    /// True for pages that are relevant.
    pub fn is_relevant(&self, seen: Seen) -> bool {
        matches!(seen, Seen::Graded(grade) if grade >= self.least)
    }

    /// The ranks of relevant pages, from 1, in order.
    pub fn relevant_ranks(&self) -> impl DoubleEndedIterator<Item = usize> + '_ {
        let ranked = self.ranked.iter().enumerate();
        ranked.filter_map(|(place, &seen)| self.is_relevant(seen).then_some(place + 1))
    }

    /// How many of the first pages are relevant.
    pub fn relevant_within(&self, cut: usize) -> f64 {
        self.relevant_ranks()
            .take_while(|&rank| rank <= cut)
            .count() as f64
    }

    /// How many pages are relevant, ranked or not: R.
    pub fn relevant(&self) -> usize {
        self.grades.partition_point(|&grade| grade >= self.least)
    }
}
