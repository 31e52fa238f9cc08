//! Snapshots of what users read: the page of every command, examples with their outputs, the README's picture.
//!
//! `SNAPSHOTS=overwrite cargo test --test it snapshots` regenerates them. In expected texts `[..]`
//! stands for any part of a line, and a line `...` for any lines.

use rayon::prelude::*;
use snapbox::data::DataFormat;
use snapbox::{Assert, Data};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use webrank_testing::cli::{TOOLS, build_tools, files, listed, program, rank};

/// The pages of commands, which are what `rank help COMMAND` prints.
const COMMANDS: &str = "docs/src/reference/commands";

fn assert() -> Assert {
    // Backslashes stay: pages have them, and paths are those of Unix.
    Assert::new().action_env("SNAPSHOTS").normalize_paths(false)
}

/// The help of a command, with all tools beside `rank`.
fn help(arguments: &[&str]) -> String {
    let mut command = rank(arguments);
    let output = command.env("COLUMNS", "100").output().unwrap();
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_command_has_its_page() {
    build_tools();
    let overview = help(&["help"]);
    assert!(!overview.contains("to get it"), "{overview}");
    let mut commands = listed(&overview);
    assert!(commands.len() > 50, "{commands:?}");
    assert!(
        TOOLS.iter().all(|tool| commands.contains(tool)),
        "{commands:?}"
    );
    commands.sort();
    let mut pages = BTreeSet::from(["README.md".to_owned()]);
    let mut compare = |name: &str, title: &str, text: String| {
        let page = format!("{name}.md");
        let path = Path::new(COMMANDS).join(&page);
        let expected = Data::read_from(&path, Some(DataFormat::Text));
        let text = format!("# {title}\n\n```text\n{}\n```\n", text.trim_end());
        assert().eq(text, expected.raw());
        pages.insert(page);
    };
    compare("rank", "rank", overview.clone());
    for command in &commands {
        let text = help(&["help", command]);
        compare(command, &format!("rank {command}"), text);
    }
    let there: BTreeSet<String> = files(COMMANDS.as_ref()).into_iter().collect();
    assert_eq!(there, pages);
    summary_lists(&commands);
}

/// The book's summary has a line for the page of each command.
fn summary_lists(commands: &[String]) {
    let path = Path::new("docs/src/SUMMARY.md");
    let mut lines = String::new();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        if line.starts_with("  - [") && line.contains("(reference/commands/") {
            continue;
        }
        lines += &format!("{line}\n");
        if line == "- [Commands](reference/commands/README.md)" {
            lines += "  - [rank](reference/commands/rank.md)\n";
            for command in commands {
                lines += &format!("  - [rank {command}](reference/commands/{command}.md)\n");
            }
        }
    }
    let expected = Data::read_from(path, Some(DataFormat::Text));
    assert().eq(lines, expected.raw());
}

/// A session at a shell, as text: commands, and what they print on both streams.
fn session(commands: &[&str], folder: &Path) -> String {
    let bin = program("rank");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = [bin.parent().unwrap().to_owned()]
        .into_iter()
        .chain(std::env::split_paths(&path));
    let path = std::env::join_paths(folders).unwrap();
    let mut text = String::new();
    for command in commands {
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1; {command}")])
            .current_dir(folder)
            .env("PATH", &path)
            .env("COLUMNS", "100")
            .output()
            .unwrap();
        text += &format!("$ {command}\n{}", String::from_utf8_lossy(&output.stdout));
    }
    text
}

/// A folder with the graphs of the project in it.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let graphs = std::env::current_dir().unwrap().join("graphs");
    std::os::unix::fs::symlink(graphs, folder.path().join("graphs")).unwrap();
    folder
}

/// The README, and all pages of the book that have examples.
fn pages_with_examples() -> Vec<PathBuf> {
    let mut pages = crate::documents::pages_of("docs/src".as_ref());
    pages.push("README.md".into());
    pages.retain(|page| {
        let text = std::fs::read_to_string(page).unwrap();
        text.contains("```console\n")
    });
    pages
}

/// A page as it would be if its examples, one after the other in one folder, were run now.
fn rerun(page: &Path) -> String {
    let text = std::fs::read_to_string(page).unwrap();
    let folder = folder();
    let mut pieces = text.split("```console\n");
    let mut actual = pieces.next().unwrap().to_owned();
    for piece in pieces {
        let (example, rest) = piece.split_once("```\n").unwrap();
        let commands: Vec<&str> = example
            .lines()
            .filter_map(|line| line.strip_prefix("$ "))
            .collect();
        let session = session(&commands, folder.path());
        actual += &format!("```console\n{session}```\n{rest}");
    }
    actual
}

#[test]
#[cfg(unix)]
fn examples_print_what_their_pages_say() {
    build_tools();
    let pages = pages_with_examples();
    assert!(pages.len() > 40, "{pages:?}");
    let wrong: Vec<String> = pages
        .par_iter()
        .filter_map(|page| {
            let expected = Data::read_from(page, Some(DataFormat::Text));
            let name = page.display();
            let compared = assert().try_eq(Some(&name), rerun(page).into(), expected);
            compared.err().map(|problem| problem.to_string())
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[cfg(unix)]
fn the_picture_of_the_readme_is_a_real_session() {
    let command = "rank pagerank graphs/debian.bv --top 8 --summary";
    let text = session(&[command], folder().path()).replace(" --top 8 --summary", "");
    let path = PathBuf::from("tests/it/cli/session.svg");
    let picture = Data::text(text).coerce_to(DataFormat::TermSvg);
    assert().eq(picture, Data::read_from(&path, Some(DataFormat::TermSvg)));
}
