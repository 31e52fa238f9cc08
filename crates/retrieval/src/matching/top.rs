//! All pages that match with their scores, or the best of them without the rest.
//!
//! The best are found page by page (Turtle and Flood, Query evaluation: strategies and optimizations,
//! 1995): once enough pages are known, cursors whose bounds do not sum to the worst score of these
//! cannot find a better page alone. They are only asked about pages that others find, and no longer if
//! the page cannot reach that score. The hits, and the bits of their scores, are those of scoring all.

use super::plan::Planner;
use super::scoring::Scoring;
use super::tree::{Docs, Parts, Tree};
use crate::collection::Collection;
use crate::expression::Expression;
use crate::lists::{END, Sorted};
use crate::search::{Hit, better};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use tantivy::DocId;
use webrank_base::error::{Error, Result};

/// Pages of a window of a union: their scores stay near the processor.
const WINDOW: usize = 1024;

/// A score of all fields.
fn sum(parts: &Parts) -> f64 {
    parts.iter().sum()
}

/// The best pages, without a count of all that match.
#[derive(Debug, Clone, PartialEq)]
pub struct Best {
    /// The best first.
    pub hits: Vec<Hit>,
    /// Pages whose score was computed.
    pub scored: u64,
}

impl Collection {
    /// All pages that match, in the order of the index, with their scores. Tantivy computes usual
    /// scores by lists of its own.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn scored(&self, expression: &Expression, scoring: &Scoring) -> Result<Vec<(DocId, f64)>> {
        if self.is_plain(expression, scoring) {
            let matches = self.matches(expression)?.into_iter();
            return Ok(matches.map(|(page, score)| (page, score.into())).collect());
        }
        let mut matches = Vec::new();
        for stretch in self.stretches(expression)? {
            let planner = Planner::new(&stretch, scoring, self.len() as u64);
            let mut roots = planner.roots(expression)?;
            union(&mut roots, &mut |page, parts| {
                matches.push((stretch.first + page, sum(parts)));
            });
        }
        self.check_lists()?;
        Ok(matches)
    }

    /// The best `count` pages, with a static score or without. O(postings), often much less.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn best_early(
        &self,
        expression: &Expression,
        scoring: &Scoring,
        parts: Option<(&[f64], f64)>,
        count: usize,
    ) -> Result<Best> {
        let part = |page: DocId| parts.map_or(0.0, |(parts, weight)| weight * parts[page as usize]);
        let pages = 0..self.len() as DocId;
        let largest = match parts {
            None => 0.0,
            Some(_) => pages.map(part).fold(f64::NEG_INFINITY, f64::max),
        };
        let (mut top, mut scored) = (BinaryHeap::new(), 0);
        for stretch in self.stretches(expression)? {
            let planner = Planner::new(&stretch, scoring, self.len() as u64);
            // The hits of the parts before are a measure for this one.
            let mut search = Search::new(planner.roots(expression)?, count, largest, top);
            let found = |page: DocId, score: f64| Hit {
                page: stretch.first + page,
                node: stretch.documents.node(page),
                score,
            };
            search.run(&|page| part(stretch.first + page), &found);
            (top, scored) = (search.top, scored + search.scored);
        }
        self.check_lists()?;
        let mut hits = top.into_vec();
        hits.sort_unstable();
        Ok(Best {
            hits: hits.into_iter().map(|worst| worst.0).collect(),
            scored,
        })
    }

    /// The parts of the fields in the score of a page: title, body, anchors, URL.
    ///
    /// # Errors
    /// If the index cannot be read, or if the page does not match.
    pub fn parts_by(
        &self,
        expression: &Expression,
        scoring: &Scoring,
        page: DocId,
    ) -> Result<Parts> {
        if self.is_plain(expression, scoring) {
            return self.parts(expression, page);
        }
        let stretch = self.stretch_of(page)?;
        let page = page - stretch.first;
        let tree = Planner::new(&stretch, scoring, self.len() as u64).tree(expression)?;
        let mut parts = [0.0; 4];
        let tree = tree.and_then(|mut tree| (tree.seek(page) == page).then_some(tree));
        let mut tree =
            tree.ok_or_else(|| Error::file(self.path(), "a page that matched does not match"))?;
        tree.add(&mut parts);
        self.check_lists()?;
        Ok(parts)
    }

    /// True if tantivy scores by lists of its own.
    fn is_plain(&self, expression: &Expression, scoring: &Scoring) -> bool {
        !self.has_lists() && scoring.is_usual() && !expression.excludes_phrases()
    }
}

/// Visits the pages that one of these at least finds, in order, with their scores. Cursor after cursor adds to the
/// pages of a window, in the order in which scores are summed: no heap is needed.
fn union(roots: &mut [Tree<'_>], visit: &mut dyn FnMut(DocId, &Parts)) {
    let mut window = vec![[0.0; 4]; WINDOW];
    let mut found = [0u64; WINDOW / 64];
    loop {
        let first = roots.iter().map(Sorted::document).min().unwrap_or(END);
        if first == END {
            return;
        }
        // No page has the number END.
        let end = first.saturating_add(WINDOW as u32);
        for root in roots.iter_mut() {
            let mut page = root.document();
            while page < end {
                let place = (page - first) as usize;
                root.add(&mut window[place]);
                found[place / 64] |= 1 << (place % 64);
                page = root.seek(page + 1);
            }
        }
        for (word, found) in found.iter_mut().enumerate() {
            while *found > 0 {
                let place = 64 * word + found.trailing_zeros() as usize;
                visit(first + place as u32, &window[place]);
                window[place] = [0.0; 4];
                *found &= *found - 1;
            }
        }
    }
}

/// A hit; the worst is the largest.
struct Worst(Hit);

impl PartialEq for Worst {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Worst {}

impl PartialOrd for Worst {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Worst {
    fn cmp(&self, other: &Self) -> Ordering {
        better(&self.0, &other.0)
    }
}

struct Search<'a> {
    all: Vec<Tree<'a>>,
    /// The cursors by their bounds, and the sums of those.
    order: Vec<usize>,
    sums: Vec<f64>,
    /// So many of the first cannot find a page of their own.
    passive: usize,
    heap: BinaryHeap<Reverse<(u32, usize)>>,
    top: BinaryHeap<Worst>,
    count: usize,
    /// The largest static score.
    largest: f64,
    /// More than the rounding of sums.
    slack: f64,
    scored: u64,
}

impl<'a> Search<'a> {
    fn new(all: Vec<Tree<'a>>, count: usize, largest: f64, top: BinaryHeap<Worst>) -> Self {
        let bounds: Vec<f64> = all.iter().map(Docs::bound).collect();
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by(|&a, &b| bounds[a].total_cmp(&bounds[b]));
        let mut sums = vec![0.0];
        for &place in &order {
            sums.push(sums[sums.len() - 1] + bounds[place]);
        }
        let total = sums[sums.len() - 1];
        let slack = 1e-9 * (total + largest.abs());
        let mut search = Search {
            all,
            order,
            sums,
            passive: 0,
            heap: BinaryHeap::new(),
            top,
            count,
            largest,
            slack,
            scored: 0,
        };
        search.fill_heap();
        search
    }

    fn fill_heap(&mut self) {
        let active = self.order[self.passive..].iter();
        let active = active.map(|&place| Reverse((self.all[place].document(), place)));
        self.heap = active.collect();
    }

    /// True if a score cannot reach the hits.
    fn is_too_low(&self, score: f64) -> bool {
        let worst = self.top.peek().filter(|_| self.top.len() >= self.count);
        worst.is_some_and(|worst| score + self.slack < worst.0.score)
    }

    fn run(&mut self, part: &dyn Fn(DocId) -> f64, found: &dyn Fn(DocId, f64) -> Hit) {
        if self.count == 0 {
            return;
        }
        let mut here = Vec::new();
        while let Some(&Reverse((page, _))) = self.heap.peek() {
            if page == END {
                return;
            }
            here.clear();
            while let Some(&Reverse((document, place))) = self.heap.peek() {
                if document != page {
                    break;
                }
                self.heap.pop();
                here.push(place);
            }
            let active = here.len();
            if let Some(score) = self.score(page, &mut here, part(page)) {
                self.keep(found(page, score));
            }
            here.truncate(active);
            for &place in &here {
                let next = self.all[place].seek(page + 1);
                self.heap.push(Reverse((next, place)));
            }
            let passive = self.passive;
            while self.passive < self.all.len()
                && self.is_too_low(self.sums[self.passive + 1] + self.largest)
            {
                self.passive += 1;
            }
            if passive < self.passive {
                self.fill_heap();
            }
        }
    }

    /// The score of a page that these find; nothing if it cannot be among the best. Cursors that find
    /// it beside are added.
    fn score(&mut self, page: DocId, here: &mut Vec<usize>, part: f64) -> Option<f64> {
        let mut parts = [0.0; 4];
        here.iter()
            .for_each(|&place| self.all[place].add(&mut parts));
        for passive in (0..self.passive).rev() {
            if self.is_too_low(sum(&parts) + part + self.sums[passive + 1]) {
                return None;
            }
            let place = self.order[passive];
            if self.all[place].seek(page) == page {
                self.all[place].add(&mut parts);
                here.push(place);
            }
        }
        if self.is_too_low(sum(&parts) + part) {
            return None;
        }
        self.scored += 1;
        // In the order in which all pages are scored.
        let mut places = here.clone();
        places.sort_unstable();
        let mut parts = [0.0; 4];
        places
            .iter()
            .for_each(|&place| self.all[place].add(&mut parts));
        Some(sum(&parts) + part)
    }

    fn keep(&mut self, hit: Hit) {
        let hit = Worst(hit);
        if self.top.len() < self.count {
            self.top.push(hit);
        } else if let Some(mut worst) = self.top.peek_mut()
            && hit < *worst
        {
            *worst = hit;
        }
    }
}
