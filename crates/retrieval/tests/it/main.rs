//! The text of pages: indexes, queries, and whether a ranking helps.

mod fuzz;
mod retrieval;
