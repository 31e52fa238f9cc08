//! From a crawl to a graph, by `rank ingest`. Archives are made by the tests themselves.
//!
//! * `archives`: records of WARC and WAT files, in memory;
//! * `elements`: every element and encoding, links, redirects, rules;
//! * `damage`: limits, hostile and damaged archives;
//! * `mirrors`: folders of HTML;
//! * `command`: what the command prints and refuses; the same bytes for any threads and sieve.

mod archives;
mod command;
mod damage;
mod elements;
mod mirrors;
