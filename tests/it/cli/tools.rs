//! Commands that are programs of their own, as `rank` finds, lists and runs them.

use std::path::{Path, PathBuf};
use tempfile::TempDir;
use webrank_testing::cli::*;

/// Words in one line.
fn in_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_list_of_tools_says_what_their_own_help_says() {
    build_tools();
    let list = in_line(&stdout(&["help"]));
    for tool in TOOLS.iter() {
        let help = stdout(&["help", tool]);
        let (about, _) = help.split_once("\n\n").unwrap();
        let line = format!("{tool} {}", in_line(about));
        assert!(list.contains(&line), "{line}: {list}");
    }
}

#[test]
fn help_of_a_tool_is_its_own_wherever_options_stand() {
    program("rank-codes");
    let help = stdout(&["help", "codes"]);
    assert!(help.contains("Usage: rank codes"), "{help}");
    for words in [
        &["-q", "help", "codes"][..],
        &["--memory", "1G", "help", "codes"],
        &["help", "help", "codes"],
        &["plan", "help", "codes"],
        &["-v", "codes", "--help"],
    ] {
        assert_eq!(stdout(words), help, "{words:?}");
    }
    assert_eq!(
        stdout(&["plan", "help", "pagerank"]),
        stdout(&["help", "pagerank"])
    );
    for words in [
        &["plan", "codes", DEBIAN][..],
        &["plan", "--", "codes", DEBIAN],
    ] {
        let plan = stdout(words);
        assert!(plan.starts_with("codes: "), "{plan}");
    }
}

#[test]
fn options_have_the_names_that_other_commands_use() {
    for (given, own) in [
        (
            &["pagerank", DEBIAN, "--damping", "0.5", "--limit", "2"][..],
            &["pagerank", DEBIAN, "--alpha", "0.5", "--top", "2"][..],
        ),
        (
            &["indegree", DEBIAN, "--hits", "2"],
            &["indegree", DEBIAN, "--top", "2"],
        ),
        (
            &["lookup", DEBIAN, "--prefix", "a", "--limit", "2"],
            &["lookup", DEBIAN, "--prefix", "a", "-n", "2"],
        ),
        (
            &["outdegree", DEBIAN, "-n", "3"],
            &["outdegree", DEBIAN, "--top", "3"],
        ),
        (
            &["neighbours", DEBIAN, "a2ps"],
            &["neighbors", DEBIAN, "a2ps"],
        ),
    ] {
        assert_eq!(stdout(given), stdout(own), "{given:?}");
    }
}

#[test]
fn options_of_other_programs_lead_to_ours() {
    for (option, ours) in [
        ("--format", "-o FILE, whose extension"),
        ("--personalization", "--preference"),
        ("--max-iter", "--max-iterations"),
        ("--jobs", "--threads"),
    ] {
        let message = failure(&["pagerank", DEBIAN, option, "1"], 2);
        let tip = format!("'{option}' found; here it is {ours}");
        assert!(message.contains(&tip), "{message}");
    }
    let message = failure(&["convert", DEBIAN], 2);
    assert!(
        message.contains("'convert'; here it is 'rank import'"),
        "{message}"
    );
    // A summary has no rows to sort.
    let message = failure(&["pagerank", DEBIAN, "--summary", "--sort", "node"], 2);
    assert!(message.contains("cannot be used with"), "{message}");
}

#[test]
fn every_help_ends_with_examples() {
    build_tools();
    for name in subcommands()
        .iter()
        .chain(TOOLS.iter())
        .filter(|name| *name != "help")
    {
        let help = stdout(&[name, "--help"]);
        let (_, examples) = help
            .split_once("\nExamples:\n")
            .unwrap_or_else(|| panic!("{name}: {help}"));
        let lines: Vec<&str> = examples.trim_end().lines().collect();
        assert!(lines.len() >= 6, "{name}: {examples}");
        let (abouts, commands): (Vec<&str>, Vec<&str>) =
            lines.chunks(2).map(|pair| (pair[0], pair[1])).unzip();
        assert!(
            abouts.iter().all(|line| line.starts_with("  # ")),
            "{examples}"
        );
        assert!(
            commands.iter().all(|line| line.starts_with("  rank ")),
            "{examples}"
        );
    }
}

#[test]
fn tools_have_the_version_of_rank() {
    program("rank-codes");
    let of_rank = stdout(&["--version"]);
    let version = of_rank.strip_prefix("rank ").unwrap();
    for words in [&["codes", "--version"][..], &["codes", "-V"]] {
        assert_eq!(stdout(words), format!("rank-codes {version}"));
    }
}

#[test]
fn a_mistyped_tool_is_suggested() {
    for (word, tool) in [
        ("serach", "search"),
        ("duplicate", "duplicates"),
        ("crawll", "crawl"),
    ] {
        let message = failure(&[word, "x"], 2);
        let words = format!("unrecognized subcommand '{word}'");
        assert!(message.contains(&words), "{message}");
        assert!(message.contains(&format!("'{tool}'")), "{message}");
    }
}

#[test]
fn refused_options_have_the_name_that_was_given() {
    for (option, value) in [("--checkpoint", "x"), ("--checkpoint-every", "1m")] {
        for command in ["codes", "info"] {
            let message = failure(&[command, DEBIAN, option, value], 2);
            let words = format!("rank: {option} is given: this command does not support it; ");
            assert!(message.starts_with(&words), "{message}");
        }
    }
}

/// A program `rank` that has no tools beside it.
#[cfg(unix)]
fn lonely(folder: &Path) -> PathBuf {
    let (rank, copy) = (program("rank"), folder.join("rank"));
    if std::fs::hard_link(&rank, &copy).is_err() {
        std::fs::copy(&rank, &copy).unwrap();
    }
    copy
}

/// A program of this name that runs a line of shell.
#[cfg(unix)]
fn script(path: &Path, line: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::write(path, format!("#!/bin/sh\n{line}\n")).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
#[cfg(unix)]
fn programs_of_the_working_folder_are_never_run() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("bin")).unwrap();
    std::fs::create_dir(at("here")).unwrap();
    let rank = lonely(&at("bin"));
    script(&at("here/rank-crawl"), "echo bad > ran");
    for path in [None, Some(""), Some("."), Some("here"), Some("/nowhere::.")] {
        for words in [&["crawl"][..], &["man", "."], &["help"]] {
            let mut command = std::process::Command::new(&rank);
            command.args(words).current_dir(at("here"));
            match path {
                Some(path) => command.env("PATH", path),
                None => command.env_remove("PATH"),
            };
            let output = command.output().unwrap();
            assert!(!at("here/ran").exists(), "{path:?} {words:?}");
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(
                said.contains("is a program of its own"),
                words == ["crawl"],
                "{said}"
            );
        }
    }
}

#[test]
#[cfg(unix)]
fn a_tool_without_a_manual_page_is_a_warning() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in ["bin", "pages"] {
        std::fs::create_dir(at(name)).unwrap();
    }
    let rank = lonely(&at("bin"));
    script(&at("bin/rank-crawl"), "exit 7");
    script(&at("bin/rank-codes"), "echo a page");
    let mut command = std::process::Command::new(rank);
    let output = command.arg("man").arg(at("pages")).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("rank-crawl: prints no manual page"), "{said}");
    let pages = files(&at("pages"));
    assert!(pages.contains(&"rank-codes.1".to_owned()), "{pages:?}");
    assert!(!pages.contains(&"rank-crawl.1".to_owned()), "{pages:?}");
}
