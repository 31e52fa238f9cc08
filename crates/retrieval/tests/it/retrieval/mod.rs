//! The text of pages: indexes, queries, and whether a ranking helps.

mod command;
mod rerun;
mod trec_eval;
