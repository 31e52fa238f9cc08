//! The text of pages: indexes, queries, and whether a ranking helps.

mod command;
mod lists;
mod parts;
mod rerun;
mod runs;
mod trec_eval;
