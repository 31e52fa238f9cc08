//! The problem with the words of a command line, in one line.

use clap::ArgMatches;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use webrank_base::visible::visible;

/// True if the words ask for help or the version, or if help is the best answer.
pub fn is_help(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::DisplayHelp
            | ErrorKind::DisplayVersion
            | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand
    )
}

/// True if a command is to print JSON.
pub fn asks_for_json(arguments: &ArgMatches) -> bool {
    arguments.try_get_one("json").ok().flatten() == Some(&true)
}

/// How the format of a table is chosen.
const OUTPUT: &str = "-o FILE, whose extension names the format (.csv, .tsv, .jsonl, .parquet, .arrow, .npy), or --json";

/// How walks from some nodes are asked for.
const SEEDED: &str = "--preference, or --each-seed for a column for each node";

/// Options of other programs and of other commands, and what does the same here: in one command, or in any.
const TIPS: &[(&str, &str, &str)] = &[
    ("", "--format", OUTPUT),
    (
        "",
        "--csv",
        "-o FILE.csv, or -o - for CSV on the standard output",
    ),
    ("", "--damping-factor", "--alpha"),
    ("", "--teleport", "--alpha, which is 1 minus it"),
    ("", "--iterations", "--max-iterations"),
    ("", "--max-iter", "--max-iterations"),
    ("", "--eps", "--tolerance, or --epsilon for estimates"),
    ("", "--tol", "--tolerance"),
    ("pagerank", "--epsilon", "--tolerance"),
    (
        "pagerank",
        "--seed",
        "--preference for one ranking of walks from some nodes, --each-seed for a column for each",
    ),
    ("trustrank", "--seed", "--seeds"),
    (
        "",
        "--weighted",
        "nothing: weights in the file count where a measure takes them, unless --unweighted is given",
    ),
    ("pagerank", "--personalization", SEEDED),
    ("pagerank", "--personalize", SEEDED),
    (
        "pagerank",
        "--seeds",
        "--preference for one ranking of all seeds, --each-seed for a column for each",
    ),
    (
        "pagerank",
        "--seeds-file",
        "--each-seed-file, or --preference FILE for one ranking of all seeds",
    ),
    (
        "trustrank",
        "--each-seed",
        "--seeds, or 'rank pagerank' for a column for each seed",
    ),
    ("trustrank", "--preference", "--seeds"),
    ("", "--jobs", "--threads"),
    (
        "",
        "--directed",
        "nothing: arcs have directions unless --undirected is given",
    ),
    ("", "--sep", "--separator"),
    ("", "--delimiter", "--separator"),
    ("", "--no-header", "--header=false"),
    (
        "compare",
        "--top",
        "--movers, or 'rank top' for the best rows of a table",
    ),
    ("", "--head", "--top"),
    (
        "",
        "--weight",
        "--columns SOURCE,TARGET,WEIGHT, which names a column of weights",
    ),
    ("pagerank", "--personalized", SEEDED),
    ("", "--output-format", OUTPUT),
];

/// Commands of other programs, and what does the same here.
const COMMANDS: &[(&str, &str)] = &[
    (
        "convert",
        "'rank import', which makes a bundle, or 'rank export'",
    ),
    ("load", "'rank import'"),
    ("build", "'rank import'"),
    ("describe", "'rank info'"),
    ("stats", "'rank info'"),
    ("summary", "'rank info'"),
    ("degree", "'rank indegree' or 'rank outdegree'"),
    ("ppr", "'rank pagerank --preference'"),
    ("personalized-pagerank", "'rank pagerank --preference'"),
    ("hyperball", "'rank harmonic --method hyperball'"),
    ("authorities", "'rank hits'"),
    ("hubs", "'rank hits'"),
    ("scc", "'rank components'"),
    ("wcc", "'rank components'"),
    (
        "diameter",
        "'rank eccentricity', or 'rank distances' for all distances",
    ),
    ("shortest-path", "'rank path'"),
    ("head", "'rank top'"),
    ("show", "'rank top'"),
    ("sort", "'rank top'"),
    ("merge", "'rank join'"),
    ("diff", "'rank compare'"),
    ("correlation", "'rank compare'"),
    (
        "plot",
        "'rank compare --html', or 'rank export' for programs that draw",
    ),
    (
        "visualize",
        "'rank export --to gexf', for programs that draw",
    ),
    (
        "communities",
        "'rank components' for components; communities are not found",
    ),
    ("validate", "'rank check'"),
    ("partition", "'rank shard'"),
];

/// The tip for an option that the command `rank NAME` does not have, or for a command that is not there.
fn tip(problem: &clap::Error, command: &[&str]) -> Option<&'static str> {
    if let Some(ContextValue::String(given)) = problem.get(ContextKind::InvalidSubcommand) {
        let (_, tip) = COMMANDS.iter().find(|(name, _)| name == given)?;
        return Some(tip);
    }
    let Some(ContextValue::String(given)) = problem.get(ContextKind::InvalidArg) else {
        return None;
    };
    let fits = |of: &str| of.is_empty() || command.get(1) == Some(&of);
    let mut tips = TIPS.iter();
    let (.., tip) = tips.find(|(of, option, _)| option == given && fits(of))?;
    (problem.kind() == ErrorKind::UnknownArgument).then_some(tip)
}

/// The line of a wrong command line: what is wrong, what is similar, and where the options are listed.
/// Control characters of arguments are spelled out.
pub fn line(problem: &clap::Error) -> String {
    let text = problem.render().to_string();
    let lines = text.lines().map(str::trim);
    let lines = lines.take_while(|line| !is_end(line));
    let usage = text.lines().find_map(|line| line.strip_prefix("Usage: "));
    let is_word = |word: &&str| word.starts_with(|first: char| first.is_ascii_lowercase());
    let words = usage.into_iter().flat_map(|usage| usage.split(' '));
    let command: Vec<&str> = words.take_while(is_word).collect();
    let tip = tip(problem, &command);
    let mut said = String::new();
    // Options that clap finds similar lead elsewhere, and no option is meant for a value.
    let misleads =
        |line: &str| line.starts_with("tip: ") && (tip.is_some() || line.contains("as a value"));
    let shown = |line: &&str| !(line.is_empty() || misleads(line));
    for part in lines.filter(shown) {
        let part = part.strip_prefix("error: ").unwrap_or(part);
        let part = &best_first(part);
        match (part.strip_prefix("tip: "), said.chars().last()) {
            (_, None) => {}
            (Some(_), _) => said += "; ",
            (None, Some(':')) => said += " ",
            (None, Some(_)) if part.starts_with('[') => said += " ",
            (None, Some(_)) => said += ", ",
        }
        said += part.strip_prefix("tip: ").unwrap_or(part);
    }
    if let Some(tip) = tip {
        said += &format!("; here it is {tip}");
    }
    if !command.is_empty() {
        said += &format!("; '{} --help' lists what there is", command.join(" "));
    }
    format!("rank: {}\n", visible(&said))
}

/// The most similar name comes last in lists of clap.
fn best_first(part: &str) -> String {
    match part.split_once(" exist: ") {
        Some((what, list)) => {
            let list: Vec<&str> = list.rsplit(", ").collect();
            format!("{what} exist: {}", list.join(", "))
        }
        None => part.to_owned(),
    }
}

/// The lines that follow what is wrong.
fn is_end(line: &str) -> bool {
    line.starts_with("Usage: ") || line.starts_with("For more information")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Arg, Command};

    fn said(words: &[&str]) -> String {
        let sub = Command::new("sub")
            .arg(Arg::new("FILE").required(true))
            .arg(Arg::new("alpha").long("alpha"))
            .arg(Arg::new("how").long("how").value_parser(["in", "out"]));
        let command = Command::new("rank").subcommand(sub);
        let words = ["rank"].iter().chain(words);
        line(&command.try_get_matches_from(words).unwrap_err())
    }

    #[test]
    fn everything_is_in_one_line() {
        assert_eq!(
            said(&["sub", "x", "--alpa", "1"]),
            "rank: unexpected argument '--alpa' found; a similar argument exists: '--alpha'; 'rank sub \
             --help' lists what there is\n"
        );
        assert_eq!(
            said(&["sub"]),
            "rank: the following required arguments were not provided: <FILE>; 'rank sub --help' lists \
             what there is\n"
        );
        let foreign = said(&["sub", "x", "--max-iter", "5"]);
        assert_eq!(
            foreign,
            "rank: unexpected argument '--max-iter' found; here it is --max-iterations; 'rank sub --help' \
             lists what there is\n"
        );
        let wrong = said(&["sub", "x", "--how", "up"]);
        assert!(wrong.contains("[possible values: in, out]"), "{wrong}");
        let unknown = said(&["sob"]);
        assert!(
            unknown.contains("a similar subcommand exists: 'sub'"),
            "{unknown}"
        );
        for words in [["sub", "x", "--al\u{1b}]0;x\u{7}"], ["sub", "x", "--a\nb"]] {
            let hostile = said(&words);
            assert_eq!(hostile.lines().count(), 1, "{hostile:?}");
            assert!(
                !hostile.trim_end().contains(char::is_control),
                "{hostile:?}"
            );
        }
    }
}
