//! From a crawl to a graph. Archives are made by the tests themselves.
//!
//! * `archives`: records of WARC and WAT files, in memory; `arcs`: files of ARC;
//! * `elements`: every element and encoding, links, redirects, rules;
//! * `damage`: limits, hostile and damaged archives;
//! * `mirrors`: folders of HTML;
//! * `copies`: pages that are nearly the same become one; `texts`: titles, texts and texts of links;
//! * `exact`: pages with the same bytes become one;
//! * `resumed`: runs that are stopped or killed, and go on;
//! * `command`: what `rank ingest` prints and refuses; the same bytes for any threads and sieve;
//! * `crawler`: crawls of webs that the tests serve, `rank crawl`;
//! * `duplicates`: `rank duplicates`; `fingerprints`: in bundles.

mod archives;
mod arcs;
mod command;
mod copies;
mod crawler;
mod damage;
mod duplicates;
mod elements;
mod exact;
mod fingerprints;
mod mirrors;
mod resumed;
mod texts;
