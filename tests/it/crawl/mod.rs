//! From a crawl to a graph. Archives are made by the tests themselves.
//!
//! * `archives`: records of WARC and WAT files, in memory;
//! * `elements`: every element and encoding, links, redirects, rules;
//! * `damage`: limits, hostile and damaged archives;
//! * `mirrors`: folders of HTML;
//! * `command`: what `rank ingest` prints and refuses; the same bytes for any threads and sieve;
//! * `live`: crawls of webs that the tests serve, `rank crawl`;
//! * `duplicates`: `rank duplicates`; `fingerprints`: in bundles.

mod archives;
mod command;
mod damage;
mod duplicates;
mod elements;
mod fingerprints;
mod live;
mod mirrors;
