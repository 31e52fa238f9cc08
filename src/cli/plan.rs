//! `rank plan`: what a command would take, in the words of that command.

use super::Cli;
use clap::CommandFactory;
use std::ffi::OsString;
use webrank_base::error::{Error, Result};
use webrank_terminal::options::Global;

/// Say what a command would take, before any work: memory, form and time
///
/// Nothing is computed and nothing is written. For a command that ranks, the plan lists each storage form
/// with its peak memory and an estimated time. The first form that fits into memory (--memory) is taken.
/// For other commands, the plan has the peak memory. A command that does not fit is an error, as it is
/// without 'plan'.
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
pub fn planned(words: Vec<OsString>) -> Result<Vec<OsString>, clap::Error> {
    if !words.iter().any(|word| word == "plan") {
        return Ok(words);
    }
    // Other commands are read again, with what is wrong with them.
    let matches = match Cli::command().try_get_matches_from(&words) {
        Ok(matches) => matches,
        Err(_) if first_word(&words).is_none_or(|word| word != "plan") => return Ok(words),
        Err(problem) => return Err(problem),
    };
    let planned = matches.subcommand_matches("plan");
    let command = planned.and_then(|planned| planned.get_raw("command"));
    Ok(match command.map(Iterator::collect::<Vec<_>>) {
        Some(command) if command.first().is_some_and(|name| *name != "plan") => {
            planning(words, command.len())
        }
        _ => words,
    })
}

/// The first word that is no option.
fn first_word(words: &[OsString]) -> Option<&OsString> {
    let mut words = words.iter().skip(1);
    words.find(|word| !word.to_string_lossy().starts_with('-'))
}

/// Words of which the last `of_command` are those of a command to plan.
fn planning(mut words: Vec<OsString>, of_command: usize) -> Vec<OsString> {
    // Options of all commands may stand before these words, and before the word `plan`.
    let mut command = words.split_off(words.len() - of_command);
    command.insert(1, "--plan".into());
    let own = words.iter().position(|word| word == "plan");
    own.map(|own| words.remove(own));
    words.extend(command);
    words
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
    use super::planning;

    #[test]
    fn options_stay_where_they_are() {
        let said = |words: &str, of_command| {
            let words = words.split(' ').map(Into::into).collect();
            let words = planning(words, of_command).into_iter();
            let words: Vec<_> = words.map(|word| word.into_string().unwrap()).collect();
            words.join(" ")
        };
        let expected = "rank -q --threads 2 pagerank --plan g.bv --alpha 0.5 -- plan";
        let given = "rank -q plan --threads 2 pagerank g.bv --alpha 0.5 -- plan";
        assert_eq!(said(given, 6), expected);
        assert_eq!(said("rank plan info g.bv", 2), "rank info --plan g.bv");
    }
}
