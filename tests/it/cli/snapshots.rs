//! Snapshots of what users read: every help page, the README's examples with outputs, its picture.
//!
//! `SNAPSHOTS=overwrite cargo test --test it snapshots` regenerates them. In expected texts `[..]`
//! stands for any part of a line, and a line `...` for any lines.

use snapbox::data::DataFormat;
use snapbox::{Assert, Data};
use std::path::{Path, PathBuf};
use std::process::Command;
use webrank_testing::cli::rank;

const FOLDER: &str = "tests/it/cli";

fn assert() -> Assert {
    Assert::new().action_env("SNAPSHOTS")
}

fn output(arguments: &[&str]) -> String {
    let mut command = rank(arguments);
    let output = command.env("COLUMNS", "100").output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_help_page_is_as_it_was() {
    let overview = output(&["help"]);
    let lines = overview
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1);
    let commands: Vec<&str> = lines
        .take_while(|line| !line.is_empty())
        // Longer descriptions continue on lines that are indented further.
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.len() > 20, "{commands:?}");
    let page = |name: &str| {
        PathBuf::from(FOLDER)
            .join("help")
            .join(format!("{name}.txt"))
    };
    let compare = |name: &str, text: String| {
        let expected = Data::read_from(&page(name), Some(DataFormat::Text));
        assert().eq(text, expected.raw());
    };
    compare("rank", overview.clone());
    for command in commands {
        compare(command, output(&["help", command]));
    }
}

/// A session at a shell, as text: commands, and what they print on both streams.
fn session(commands: &[&str], folder: &Path) -> String {
    let bin = Path::new(env!("CARGO_BIN_EXE_rank")).parent().unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = [bin.to_owned()]
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

/// The examples of the README run one after the other in one folder.
#[test]
#[cfg(unix)]
fn the_examples_of_the_readme_print_what_it_says() {
    let readme = std::fs::read_to_string("README.md").unwrap();
    let folder = folder();
    std::fs::write(
        folder.path().join("links.tsv"),
        "ant\tbee\nant\tcat\nbee\tcat\ncat\tant\n",
    )
    .unwrap();
    std::fs::write(
        folder.path().join("fingerprints.tsv"),
        "one\t5c1e90b2d4a7f386\ncopy\t5c1e90b2d4a7f387\nother\t0b83f66e19c2457d\n\
         edited\t5c1ed0b2d4a7f383\n",
    )
    .unwrap();
    let mut pieces = readme.split("```console\n");
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
    assert().eq(
        actual,
        Data::read_from("README.md".as_ref(), Some(DataFormat::Text)),
    );
}

#[test]
#[cfg(unix)]
fn the_picture_of_the_readme_is_a_real_session() {
    let command = "rank pagerank graphs/debian.bv --top 8 --summary";
    let text = session(&[command], folder().path()).replace(" --top 8 --summary", "");
    let path = PathBuf::from(FOLDER).join("session.svg");
    let picture = Data::text(text).coerce_to(DataFormat::TermSvg);
    assert().eq(picture, Data::read_from(&path, Some(DataFormat::TermSvg)));
}
