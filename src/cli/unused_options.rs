//! Options of other methods are refused, not ignored.

use clap::ArgMatches;
use clap::parser::ValueSource;
use webrank_base::error::{Error, Result};

/// A command, or none for all others; a method, and the options that it does not use.
const UNUSED: [(&str, &str, &[&str]); 7] = [
    (
        "betweenness",
        "exact",
        &[
            "samples",
            "seed",
            "confidence",
            "epsilon",
            "delta",
            "allow_unconverged",
        ],
    ),
    (
        "betweenness",
        "sources",
        &["epsilon", "delta", "allow_unconverged", "time_budget"],
    ),
    (
        "betweenness",
        "approx",
        &["samples", "confidence", "time_budget"],
    ),
    (
        "",
        "exact",
        &[
            "log2m",
            "temp",
            "seed",
            "samples",
            "time_budget",
            "sources",
            "relative",
            "epsilon",
            "delta",
            "intervals",
            "confidence",
        ],
    ),
    (
        "",
        "hyperball",
        &[
            "time_budget",
            "samples",
            "sources",
            "relative",
            "epsilon",
            "delta",
            "intervals",
        ],
    ),
    ("distances", "sample", &["log2m", "temp", "time_budget"]),
    ("", "sample", &["log2m", "time_budget"]),
];

/// Checks that the method of a command uses the options that are given.
///
/// # Errors
/// With the first option that it does not use.
pub fn check(name: &str, arguments: &ArgMatches) -> Result<()> {
    let Ok(Some(mut method)) = arguments.try_get_raw("method") else {
        return Ok(());
    };
    let method = method.next().and_then(|method| method.to_str());
    let is_there = |option: &str| {
        let has_option = arguments.try_contains_id(option).is_ok();
        has_option && arguments.value_source(option) == Some(ValueSource::CommandLine)
    };
    // Exact searches by lengths have a time budget.
    let has_lengths = is_there("lengths") || is_there("cutoff");
    let method = match method {
        Some("auto") if has_lengths && name != "betweenness" => Some("exact"),
        method => method,
    };
    // Rules of a command stand before those of all others.
    let mut rules = UNUSED.iter();
    let rule = rules.find(|(of, by, _)| (*of == name || of.is_empty()) && Some(*by) == method);
    let Some((_, method, options)) = rule else {
        return Ok(());
    };
    let has_budget = has_lengths && *method == "exact";
    let is_given =
        |option: &&&'static str| is_there(option) && !(has_budget && **option == "time_budget");
    match options.iter().find(is_given) {
        None => Ok(()),
        Some(option) => {
            let remedy = match has_lengths {
                true => {
                    "searches by lengths or up to a cutoff do not use it: leave it out".to_owned()
                }
                false => {
                    format!("--method {method} does not use it; leave it out, or name a method")
                }
            };
            Err(Error::argument(option, "given", remedy))
        }
    }
}
