//! Running `rank`, and checking its messages and files.
use assert_cmd::Command;
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex};

/// A graph of the workspace, in whose folder commands run unless they are told another.
pub const DEBIAN: &str = "graphs/debian.bv";

/// Commands that are programs of their own: all programs of crates, such as `rank-crawl`.
pub static TOOLS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let crates = Path::new(crate::at!("crates")).read_dir().unwrap();
    let folders = crates.map(|folder| folder.unwrap().path().join("src/bin"));
    let programs = folders.filter(|folder| folder.is_dir());
    let programs = programs.flat_map(|folder| files(&folder));
    let name = |file: String| {
        file.strip_prefix("rank-")?
            .strip_suffix(".rs")
            .map(String::from)
    };
    let mut names: Vec<String> = programs.filter_map(name).collect();
    names.sort();
    names
});

/// The program of the workspace of this name. It is built with the tests of its crate; for those of other
/// crates, it is built here if it is not there.
pub fn program(name: &str) -> PathBuf {
    static BUILDING: Mutex<()> = Mutex::new(());
    let _building = BUILDING.lock();
    let path = assert_cmd::cargo::cargo_bin(name);
    if !path.is_file() {
        let mut cargo = std::process::Command::new(env!("CARGO"));
        cargo.args(["build", "--workspace", "--bin", name]);
        let built = cargo.current_dir(crate::at!("")).status().unwrap();
        assert!(built.success() && path.is_file(), "{name} is not built");
    }
    path
}

/// The program and the arguments that run a command: those of a tool without the help of `rank`.
pub fn words<'a>(arguments: &'a [&'a str]) -> (PathBuf, &'a [&'a str]) {
    match arguments {
        [tool, rest @ ..] if TOOLS.iter().any(|name| name == tool) => {
            (program(&format!("rank-{tool}")), rest)
        }
        _ => (program("rank"), arguments),
    }
}

/// Builds all tools, which `rank` finds beside itself.
pub fn build_tools() {
    for tool in TOOLS.iter() {
        program(&format!("rank-{tool}"));
    }
}

pub fn rank(arguments: &[&str]) -> Command {
    let (program, arguments) = words(arguments);
    let mut command = Command::new(program);
    command.args(arguments).current_dir(crate::at!(""));
    command
}

pub fn stdout(arguments: &[&str]) -> String {
    let output = rank(arguments)
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    String::from_utf8(output).unwrap()
}

/// Runs `rank` in a folder: exit code, standard output, standard error.
pub fn run_in(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = rank(arguments).current_dir(folder).output().unwrap();
    let utf8 = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        utf8(output.stdout),
        utf8(output.stderr),
    )
}

/// The single line that a failing command prints, and its exit code.
pub fn failure(arguments: &[&str], code: i32) -> String {
    let assert = rank(arguments).assert().code(code);
    let message = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.starts_with("rank: "), "{message}");
    assert!(assert.get_output().stdout.is_empty());
    message
}

/// A bundle of four named nodes: a -> b -> c -> a, c -> b, d -> a.
pub fn small(folder: &Path) -> PathBuf {
    let edges = folder.join("edges.tsv");
    std::fs::write(&edges, "a\tb\nb\tc\nc\ta\nc\tb\nd\ta\nd\ta\n").unwrap();
    let bundle = folder.join("small.bv");
    let said = stdout(&["import", text(&edges), "-o", text(&bundle)]);
    assert!(said.contains("4 nodes, 5 arcs; 1 duplicate"), "{said}");
    bundle
}

pub fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

pub fn files(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The scores of a table whose columns are node, name, score and others.
pub fn scores(table: &str) -> Vec<f64> {
    let rows = table.lines().skip(1);
    let score = |row: &str| row.split(',').nth(2).unwrap().parse().unwrap();
    rows.map(score).collect()
}

/// The names of all subcommands, as `rank -h` lists them.
pub fn subcommands() -> Vec<String> {
    let mut names = listed(&stdout(&["-h"]));
    names.retain(|name| !TOOLS.contains(name));
    names
}

/// The commands in the help of `rank`, under their headings.
pub fn listed(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Rank:");
    let lines = lines.take_while(|line| *line != "Options:");
    // Descriptions go on at the next line, further to the right.
    let lines = lines.filter(|line| line.starts_with("  ") && !line.starts_with("    "));
    let names = lines.map(|line| line.split_whitespace().next().unwrap().to_owned());
    names.collect()
}
