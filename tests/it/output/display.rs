//! Names that are not UTF-8 or would act on a terminal, and a stderr that cannot be written.

use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;
use webrank_testing::cli::*;

/// A title, a clearing of the screen, and a reversal of the text.
const ACTING: &str = "\u{1b}]0;title\u{7}\u{9b}2J\u{202e}x";

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(assert_cmd::cargo::cargo_bin("rank"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

#[test]
#[cfg(unix)]
fn no_command_sends_what_acts_to_the_terminal() {
    let folder = TempDir::new().unwrap();
    let line = format!("{ACTING}\ta\na\t{ACTING}\nb\t{ACTING}\n");
    let edges = format!("{ACTING}.tsv");
    std::fs::write(folder.path().join(&edges), line).unwrap();
    let (graph, table) = (&format!("{ACTING}.bv"), &format!("{ACTING}.csv"));
    let (page, column) = (
        &format!("{ACTING}.html"),
        format!("name,{ACTING}\n{ACTING},1\n"),
    );
    std::fs::write(folder.path().join("odd.csv"), column).unwrap();
    for (arguments, code) in [
        (&["import", &edges, "-o", graph][..], 0),
        (&["pagerank", graph, "-o", table], 0),
        (&["pagerank", graph, "--summary"], 0),
        (&["-vv", "pagerank", graph, "--summary"], 0),
        (&["betweenness", graph, "--arcs", "--summary"], 0),
        (&["info", graph], 0),
        (&["info", graph, "--json"], 0),
        (&["check", graph], 0),
        (&["explain", graph, ACTING, table], 0),
        (&["explain", graph, ACTING, table, "--json"], 0),
        (&["compare", table, table], 0),
        (&["compare", table, table, "--json"], 0),
        (&["compare", table, table, "--respect-bounds"], 0),
        (&["compare", table, table, "--html", page], 0),
        (&["compare", table, "odd.csv"], 0),
        (&["rerun", &format!("{table}.json")], 0),
        // Errors.
        (&["pagerank", ACTING], 1),
        (&["pagerank", graph, "--each-seed", &ACTING[1..]], 2),
        (&["pagerank", graph, ACTING], 2),
        (&[ACTING], 2),
        (&["pagerank", graph, "--alpha", ACTING], 2),
        (&["pagerank", graph, "-o", &format!("{ACTING}/t.csv")], 1),
        (&["compare", table, "odd.csv", "--on", ACTING], 1),
        (&["import", &edges, "-o", graph], 1),
    ] {
        let output = run(folder.path(), arguments);
        for said in [&output.stdout, &output.stderr] {
            let said = std::str::from_utf8(said).unwrap();
            let acts = |c: char| c != '\n' && c.is_control() || c == '\u{202e}';
            assert!(!said.contains(acts), "{arguments:?}: {said:?}");
        }
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    }
    for name in [page, &format!("{table}.json")] {
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(
            !text.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']),
            "{name:?}"
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn paths_that_are_not_utf8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = TempDir::new().unwrap();
    let odd = OsStr::from_bytes;
    let graph = folder.path().join(odd(b"b\xff.bv"));
    std::fs::rename(small(folder.path()), &graph).unwrap();
    let table = folder.path().join(odd(b"t\xff.csv"));
    let page = folder.path().join(odd(b"p\xff.html"));
    let list = folder.path().join(odd(b"s\xff.txt"));
    std::fs::write(&list, "a\n").unwrap();
    let odd_manifest = folder.path().join(odd(b"t\xff.csv.json"));
    let (graph, table, list) = (graph.as_os_str(), table.as_os_str(), list.as_os_str());
    let word = OsStr::new;
    for (arguments, code) in [
        (
            &[word("-q"), word("pagerank"), graph, word("-o"), table][..],
            0,
        ),
        (
            &[
                word("-q"),
                word("trustrank"),
                graph,
                word("--seeds-file"),
                list,
                word("-o"),
                table,
            ],
            0,
        ),
        (&[word("pagerank"), graph, word("--summary")], 0),
        (
            &[
                word("betweenness"),
                graph,
                word("--arcs"),
                word("-o"),
                table,
            ],
            0,
        ),
        (&[word("-q"), word("pagerank"), graph, word("-o"), table], 0),
        (&[word("info"), graph], 0),
        (&[word("info"), graph, word("--json")], 0),
        (&[word("check"), graph], 0),
        (&[word("compare"), table, table], 0),
        (&[word("compare"), table, table, word("--json")], 0),
        (
            &[
                word("compare"),
                table,
                table,
                word("--html"),
                page.as_os_str(),
            ],
            0,
        ),
        (&[word("explain"), graph, word("a"), table], 0),
        (
            &[word("explain"), graph, word("a"), table, word("--json")],
            0,
        ),
        (&[word("pagerank"), odd(b"\xff")], 1),
        (&[word("explain"), graph, odd(b"\xff")], 2),
        (&[word("rerun"), odd_manifest.as_os_str()], 1),
    ] {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("rank"));
        let output = command.args(arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_stderr_that_cannot_be_written_changes_nothing() {
    let folder = TempDir::new().unwrap();
    small(folder.path());
    for (arguments, code) in [
        ("pagerank small.bv -o t.csv", 0),
        ("-v pagerank small.bv -o t.csv", 0),
        ("compare t.csv t.csv --respect-bounds", 0),
        ("explain small.bv a t.csv", 0),
        ("pagerank nothere", 1),
        ("pagerank small.bv --alpha 2", 2),
        ("pagerank small.bv --nonsense", 2),
        ("pagerank small.bv --max-iterations 1 --tolerance 1e-15", 3),
    ] {
        for stderr in ["2> /dev/full", "2>&-"] {
            let status = Command::new("sh")
                .args(["-c", &format!("\"$0\" {arguments} {stderr} > /dev/null")])
                .arg(assert_cmd::cargo::cargo_bin("rank"))
                .current_dir(folder.path())
                .status();
            assert_eq!(status.unwrap().code(), Some(code), "{arguments} {stderr}");
        }
    }
}

#[test]
fn a_summary_shows_the_best_of_every_column() {
    let table = stdout(&["hits", DEBIAN]);
    let rows = || {
        table
            .lines()
            .skip(1)
            .map(|row| row.split(',').collect::<Vec<_>>())
    };
    let said = stdout(&["hits", DEBIAN, "--summary", "-n", "3"]);
    let blocks: Vec<&str> = said.split("\n\n").skip(1).collect();
    assert_eq!(blocks.len(), 2, "{said}");
    for (place, header) in [(2, "authority"), (3, "hub")] {
        let score = |row: &Vec<&str>| row[place].parse::<f64>().unwrap();
        let best = rows().max_by(|a, b| score(a).total_cmp(&score(b))).unwrap();
        let mut lines = blocks[place - 2].lines();
        assert!(lines.next().unwrap().contains(header), "{said}");
        assert!(lines.next().unwrap().ends_with(best[1]), "{said}");
        assert_eq!(lines.count(), 2, "{said}");
    }
    let usual = stdout(&["hits", DEBIAN, "--summary"]);
    assert_eq!(usual.split("\n\n").nth(2).unwrap().lines().count(), 11);
}

#[test]
fn one_thing_is_told_in_the_singular() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("one.csv"), "a,a\na,a\n").unwrap();
    let output = run(folder.path(), &["indegree", "one.csv", "--summary"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("1 node, 1 arc; 1 duplicate arc dropped"),
        "{said}"
    );
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("one.csv: 1 node, 1 arc\n"), "{said}");
    std::fs::write(folder.path().join("nodes.csv"), "Id,Label,Group\na,A,1\n").unwrap();
    let output = run(folder.path(), &["info", "one.csv", "--nodes", "nodes.csv"]);
    let said = String::from_utf8_lossy(&output.stderr);
    let column = "1 column of the table of nodes left out: 'Group'";
    let import = "'rank import one.csv -o graph.bv' with these options keeps it";
    assert!(said.contains(column) && said.contains(import), "{said}");
    let output = run(folder.path(), &["lookup", "one.csv", "--node", "1"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("the graph has 1 node, numbered from 0"),
        "{said}"
    );
}

/// Facts that nobody can act on are told by -v.
#[test]
fn the_sum_of_scores_is_a_detail() {
    let katz = ["katz", DEBIAN, "--summary", "-n", "1"];
    assert!(!stdout(&katz).contains("scores sum to"));
    assert!(stdout(&[&katz[..], &["-v"]].concat()).contains("note      scores sum to"));
}

#[test]
fn messages_quote_a_part_of_what_is_long() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    for extension in ["graph", "properties"] {
        let from = bundle.join("graph").with_extension(extension);
        std::fs::copy(from, folder.path().join("x").with_extension(extension)).unwrap();
    }
    let x = folder.path().join("x");
    let properties = std::fs::read_to_string(x.with_extension("properties")).unwrap();
    let long = "y".repeat(1 << 20);
    for key in [
        "nodes",
        "arcs",
        "graphclass",
        "endianness",
        "compressionflags",
        "zetak",
    ] {
        let changed = format!("{properties}\n{key}={long}\n");
        std::fs::write(x.with_extension("properties"), changed).unwrap();
        let output = run(folder.path(), &["check", "x"]);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{key}: {said:.200}");
        assert!(
            said.len() < 400 && said.lines().count() == 1,
            "{key}: {said:.400}"
        );
    }
    let table = folder.path().join("t.csv");
    std::fs::write(&table, format!("node,{long},score\n0,{long},1\n")).unwrap();
    for options in [&["--on", "q"][..], &["--on", &long[..100_000]], &[]] {
        let compare = [&["compare", "t.csv", "t.csv"], options].concat();
        let output = run(folder.path(), &compare);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.len() < 400, "{said:.400}");
    }
}
