//! Retrieval: an index of the text of pages, queries, and whether a ranking of the graph helps to find
//! what is meant.
//!
//! * `pages` reads what a crawl kept of the text of each page;
//! * `fields` says what is indexed, and how text becomes words;
//! * `build` makes an index on disk (by tantivy), `collection` opens one;
//! * `expression` is a query as a tree, whose leaves are words and phrases of one field each: that
//!   makes the parts of a score known;
//! * `static_rank` turns a table of scores into what is added to BM25;
//! * `search` scores every page that matches, and keeps the best;
//! * `judgements` and `known_items` say which pages are relevant to which queries, `measures` how good
//!   a ranking is, `significance` how sure a difference is, `evaluate` does all of it; `trec` writes
//!   what trec_eval reads.

pub mod build;
pub mod collection;
pub mod commands;
pub mod evaluate;
pub mod expression;
pub mod fields;
pub mod judgements;
pub mod known_items;
pub mod measures;
mod refused;
pub mod search;
pub mod significance;
pub mod static_rank;
#[cfg(test)]
mod tests;
pub mod trec;
