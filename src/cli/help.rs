//! The list of commands in the help of `rank`, under headings, and examples in the help of each.

use super::tools;
use clap::Command;
use clap::builder::styling::Styles;
use std::fmt::Write;
use webrank_terminal::examples;

/// The headings, and the commands below them.
const GROUPS: [(&str, &[&str]); 7] = [
    (
        "Rank",
        &[
            "pagerank",
            "trustrank",
            "leaderrank",
            "harmonic",
            "closeness",
            "betweenness",
            "current-flow",
            "katz",
            "walks",
            "eigenvector",
            "salsa",
            "hits",
            "kendall-wei",
            "indegree",
            "outdegree",
            "seeley",
            "lin",
            "decay",
            "integration",
            "reachable",
            "eccentricity",
            "geometric",
            "measures",
        ],
    ),
    (
        "Compare and explain",
        &["top", "compare", "join", "explain", "verify", "rerun"],
    ),
    (
        "Graphs",
        &[
            "info",
            "lookup",
            "neighbors",
            "path",
            "components",
            "distances",
            "subgraph",
            "fold",
            "recode",
            "codes",
            "check",
        ],
    ),
    (
        "Data in and out",
        &["import", "export", "wikipedia", "commoncrawl"],
    ),
    (
        "Crawl and search",
        &[
            "crawl",
            "ingest",
            "duplicates",
            "index",
            "search",
            "evaluate",
        ],
    ),
    ("Machines", &["plan", "shard"]),
    ("Help", &["help", "completions", "man"]),
];

/// A name as wide as the widest. Its line comes first in every list and is left out: so all lists have
/// columns of one width.
const FILLER: &str = "------------";

/// The help of `rank`, with the commands under headings, and examples in those of its commands.
pub fn with_examples(command: Command) -> Command {
    let names: Vec<String> = command
        .get_subcommands()
        .map(|it| it.get_name().to_owned())
        .collect();
    names.into_iter().fold(command, |command, name| {
        let text = examples::shown(&name).unwrap_or_default();
        command.mut_subcommand(name, |own| own.after_help(text))
    })
}

/// The help with the commands under headings; programs of their own say how to get them if they are
/// missing, for which folders are searched.
pub fn grouped(mut command: Command) -> Command {
    let lists = GROUPS.map(|(heading, names)| list(&command, heading, names));
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{}{{all-args}}",
        lists.concat()
    );
    // Adds the command 'help'.
    command.build();
    let command = command.mut_subcommands(|own| own.hide(true));
    command
        .override_usage("rank [OPTIONS] <COMMAND>")
        .help_template(template)
}

/// A heading and its commands, in lines as wide as the terminal.
fn list(command: &Command, heading: &str, names: &[&'static str]) -> String {
    let of_name = |name: &&'static str| {
        let about = match (command.find_subcommand(name), tools::of(name)) {
            (_, Some((_, of, about))) => match tools::program(name) {
                Some(_) => (*about).into(),
                None => format!("{about} [to get it: cargo install {of}]").into(),
            },
            (Some(own), None) => own.get_about().cloned().unwrap_or_default(),
            (None, None) => "Print the help of a command".into(),
        };
        Command::new(*name).about(about)
    };
    let mut command = Command::new("rank")
        .max_term_width(100)
        .help_template("{subcommands}")
        .disable_help_subcommand(true)
        .subcommand(Command::new(FILLER).display_order(0))
        .subcommands(
            names
                .iter()
                .map(of_name)
                .enumerate()
                .map(|(place, it)| it.display_order(place + 1)),
        );
    let help = command.render_help().ansi().to_string();
    let style = Styles::styled().get_header().to_owned();
    let mut text = format!("{style}{heading}:{style:#}\n");
    for line in help.lines().skip(1).filter(|line| !line.trim().is_empty()) {
        let _ = writeln!(text, "{line}");
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::super::{command, tools};
    use super::{FILLER, GROUPS, examples};

    fn names() -> Vec<String> {
        let command = command();
        let names = command.get_subcommands().map(|it| it.get_name().to_owned());
        names.collect()
    }

    #[test]
    fn every_command_is_under_one_heading() {
        let mut grouped: Vec<&str> = GROUPS
            .iter()
            .flat_map(|(_, names)| names.iter().copied())
            .collect();
        grouped.sort_unstable();
        let names = names();
        let mut names: Vec<&str> = names.iter().map(String::as_str).chain(["help"]).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(grouped, names);
        let widest = names.iter().map(|name| name.len()).max();
        assert_eq!(widest, Some(FILLER.len()));
    }

    #[test]
    fn every_command_has_examples_that_it_takes() {
        for name in names() {
            let lines: Vec<&str> = examples::of(&name)
                .unwrap_or_else(|| panic!("{name}: no examples"))
                .collect();
            let examples: Vec<&str> = lines.iter().skip(1).step_by(2).copied().collect();
            assert!(
                lines.iter().step_by(2).all(|line| line.starts_with("# ")),
                "{name}"
            );
            assert!(
                examples.len() >= 3 && lines.len() == 2 * examples.len(),
                "{name}"
            );
            let own = examples
                .iter()
                .filter(|words| words.split(' ').nth(1) == Some(&name));
            assert!(own.count() >= 2, "{name}");
            for words in examples {
                let words: Vec<&str> = words
                    .split(' ')
                    .take_while(|word| !["|", ">"].contains(word))
                    .collect();
                assert_eq!(words[0], "rank", "{name}");
                // The options of tools are in their programs.
                if tools::of(words[1]).is_none() && words[1] != "help" {
                    let parsed = command().try_get_matches_from(&words);
                    assert!(parsed.is_ok(), "{words:?}: {}", parsed.unwrap_err());
                }
            }
        }
    }
}
