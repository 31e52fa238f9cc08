//! Rankings and judgements as trec_eval reads them.

use super::collection::Collection;
use super::evaluate::{DEPTH, RankedQuery};
use super::judgements::Topic;
use std::fmt::Write;
use tantivy::DocId;
use webrank_base::error::Result;

/// The rankings, a line `query Q0 page rank score rank` for each page. trec_eval sorts by score and breaks
/// ties in its own way: scores that decrease by one from 1000 keep our order.
///
/// # Errors
/// If the index cannot be read.
pub fn run(collection: &Collection, ranked: &[RankedQuery]) -> Result<String> {
    let mut text = String::new();
    for ranked in ranked {
        for (hit, rank) in ranked.hits.iter().zip(1..) {
            let (id, score) = (&ranked.topic.id, DEPTH + 1 - rank);
            let page = page_name(collection, hit.page)?;
            let _ = writeln!(text, "{id} Q0 {page} {rank} {score} rank");
        }
    }
    Ok(text)
}

/// The relevant pages of some queries, a line `query 0 page grade` for each.
///
/// # Errors
/// If the index cannot be read.
pub fn qrels(collection: &Collection, topics: &[Topic]) -> Result<String> {
    let mut text = String::new();
    for topic in topics {
        for (&page, grade) in &topic.grades {
            let page = page_name(collection, page)?;
            let _ = writeln!(text, "{} 0 {page} {grade}", topic.id);
        }
    }
    Ok(text)
}

/// The name of a page, or its node if the name has blanks, which separate fields.
fn page_name(collection: &Collection, page: DocId) -> Result<String> {
    let (name, _) = collection.named(page)?;
    Ok(
        match name.is_empty() || name.contains(char::is_whitespace) {
            true => collection.node(page).to_string(),
            false => name,
        },
    )
}
