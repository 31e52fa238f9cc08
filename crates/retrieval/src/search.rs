//! Scores every page that matches a query, and keeps the best.
//!
//! score = BM25 + static part. Both are known for every page that matches before any is left out, so the
//! result is exact: no page that a static score lifts is lost because BM25 alone would have left it
//! out. O(postings + matches). Ties are in the order of nodes.

use super::collection::Collection;
use super::expression::Expression;
use std::cmp::Ordering;
use tantivy::DocId;
use tantivy::query::{EnableScoring, Query};
use webrank_base::Node;
use webrank_base::error::{Error, Result};

/// A page that matches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The page in the index.
    pub page: DocId,
    /// Its node.
    pub node: Node,
    /// BM25 and the static part.
    pub score: f64,
}

/// Bytes that a search holds for each page of an index: a match and a hit.
pub const BYTES_OF_PAGE: u64 = 48;

impl Collection {
    /// All pages that match, in the order of the index, with their BM25 scores. In 32-bit floating-point
    /// numbers, as tantivy adds them.
    ///
    /// # Errors
    /// If the index cannot be read, or is in parts.
    pub fn matches(&self, expression: &Expression) -> Result<Vec<(DocId, f32)>> {
        self.check_whole()?;
        let mut matches = Vec::new();
        let found = self.of_tantivy().filter(|_| !expression.is_empty());
        let Some((searcher, segment)) = found else {
            return Ok(matches);
        };
        let scoring = EnableScoring::enabled_from_searcher(searcher);
        let query = expression.query(self);
        let found = query.weight(scoring).and_then(|weight| {
            weight.for_each(segment, &mut |page, score| matches.push((page, score)))
        });
        found.map_err(|problem| self.refused("search", problem))?;
        Ok(matches)
    }

    /// The best `count` of these matches; `parts` is what is added for each page of the index.
    pub fn best<S: Copy + Into<f64>>(
        &self,
        matches: &[(DocId, S)],
        parts: Option<(&[f64], f64)>,
        count: usize,
    ) -> Vec<Hit> {
        let hit = |&(page, of_words): &(DocId, S)| {
            let part = parts.map_or(0.0, |(parts, weight)| weight * parts[page as usize]);
            Hit {
                page,
                node: self.node(page),
                score: of_words.into() + part,
            }
        };
        let mut hits: Vec<Hit> = matches.iter().map(hit).collect();
        if count < hits.len() {
            hits.select_nth_unstable_by(count, better);
            hits.truncate(count);
        }
        hits.sort_unstable_by(better);
        hits
    }

    /// The parts of the fields in the BM25 score of a page: title, body, anchors, URL. They sum to it,
    /// but for the rounding of 32-bit numbers.
    ///
    /// # Errors
    /// If the index cannot be read, or if the page does not match.
    pub fn parts(&self, expression: &Expression, page: DocId) -> Result<[f64; 4]> {
        let parts = expression.parts(self, page);
        let parts = parts.map_err(|problem| self.refused("search", problem))?;
        parts.ok_or_else(|| Error::file(self.path(), "a page that matched does not match"))
    }
}

/// Best first; ties by node.
pub(super) fn better(a: &Hit, b: &Hit) -> Ordering {
    b.score
        .total_cmp(&a.score)
        .then(a.node.cmp(&b.node))
        .then(a.page.cmp(&b.page))
}
