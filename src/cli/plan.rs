//! `rank plan`: what a command would take, in the words of that command.

use super::words::place_of_name;
use std::ffi::OsString;
use webrank_base::error::{Error, Result};
use webrank_terminal::options::Global;
use webrank_terminal::usage::is_help;

/// Say what a command would take, before any work: memory, form and time
///
/// Nothing is computed and nothing is written. For a command that ranks, the plan lists each storage form
/// with its peak memory and an estimated time. The first form that fits into memory (--memory) is taken.
/// For other commands, the plan has the peak memory. A command that does not fit is an error, as it is
/// without 'plan'. With the option --json of the command, the plan is JSON.
///
///   rank plan pagerank web.bv --alpha 0.95 --memory 8G
///
/// does the same as 'rank pagerank web.bv --alpha 0.95 --memory 8G --plan'.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// A command with its options
    #[arg(required = true, value_name = "COMMAND")]
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    command: Vec<OsString>,
}

/// Commands that have no plan, and why.
const WITHOUT: [(&str, &str); 5] = [
    ("measures", NO_WORK),
    ("completions", NO_WORK),
    ("man", NO_WORK),
    ("lookup", NO_WORK),
    (
        "commoncrawl",
        "plan its steps: import, pagerank and harmonic",
    ),
];

const NO_WORK: &str = "the command takes no memory to speak of; leave the plan out";

/// Reached by `rank plan plan` alone: see [`planned`].
pub fn run(_: &Args, _: &Global) -> Result<()> {
    let remedy = "name a command to plan, such as 'rank plan pagerank web.bv'";
    Err(Error::argument("plan", "plan", remedy))
}

/// The words of a command line; those of `rank plan COMMAND` are those of COMMAND with `--plan`, unless
/// it is `plan` itself.
pub fn planned(words: Vec<OsString>) -> Vec<OsString> {
    let is_plan = |words: &[OsString], place: usize| words[place] == "plan";
    let own = place_of_name(&words).ok().flatten();
    let Some(own) = own.filter(|&place| is_plan(&words, place)) else {
        return words;
    };
    let mut planned = words.clone();
    planned[own] = "--plan".into();
    if planned.get(own + 1).is_some_and(|word| word == "--") {
        planned.remove(own + 1);
    }
    json_behind_name(&mut planned);
    match place_of_name(&planned) {
        // No command, or none that has a plan.
        Ok(None) => words,
        Ok(Some(place)) if is_plan(&planned, place) => words,
        // The help of `rank plan`.
        Err(problem) if is_help(problem.kind()) => words,
        Ok(Some(_)) | Err(_) => planned,
    }
}

/// `--json` is an option of the command that is planned: where it stands before its name, it follows.
fn json_behind_name(words: &mut Vec<OsString>) {
    let Some(at) = words.iter().position(|word| word == "--json") else {
        return;
    };
    let word = words.remove(at);
    let place = place_of_name(words).ok().flatten();
    words.insert(place.map_or(at, |place| at.max(place + 1)), word);
}

/// Refuses the plan of a command that has none.
pub fn check(name: &str, global: &Global) -> Result<()> {
    let without = WITHOUT.iter().find(|(command, _)| *command == name);
    match without {
        Some((command, why)) if global.plan => Err(Error::argument("plan", command, *why)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::planned;

    #[test]
    fn plan_is_an_option_where_it_stands() {
        for (given, expected) in [
            (
                "rank -q plan --threads 2 pagerank g.bv --alpha 0.5 -- plan",
                "rank -q --plan --threads 2 pagerank g.bv --alpha 0.5 -- plan",
            ),
            ("rank plan info g.bv", "rank --plan info g.bv"),
            (
                "rank plan --memory 1G --json info g.bv",
                "rank --plan --memory 1G info --json g.bv",
            ),
            ("rank plan info --json g.bv", "rank --plan info --json g.bv"),
            ("rank plan codes g.bv", "rank --plan codes g.bv"),
            ("rank plan -- codes g.bv", "rank --plan codes g.bv"),
            ("rank plan help info", "rank --plan help info"),
            ("rank plan info --help", "rank --plan info --help"),
            ("rank plan --nonsense info", "rank --plan --nonsense info"),
            ("rank plan", "rank plan"),
            ("rank plan --help", "rank plan --help"),
            ("rank plan --quiet", "rank plan --quiet"),
            ("rank plan plan info g.bv", "rank plan plan info g.bv"),
            ("rank help plan", "rank help plan"),
            ("rank info plan", "rank info plan"),
        ] {
            let words = given.split(' ').map(Into::into).collect();
            let words = planned(words).into_iter();
            let words: Vec<_> = words.map(|word| word.into_string().unwrap()).collect();
            assert_eq!(words.join(" "), expected);
        }
    }
}
