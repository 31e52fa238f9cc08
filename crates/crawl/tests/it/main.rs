//! From a crawl to a graph, and its commands.

mod crawl;
mod fuzz;
mod web;
