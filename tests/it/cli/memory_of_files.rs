//! Commands that read tables, or make graphs, hold no more memory than they say before they begin,
//! and what does not fit is refused.
#![cfg(target_os = "linux")]

use super::memory::{COMMANDS, held_and_needed, limited};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Output;
use tempfile::TempDir;
use webrank_testing::cli::*;

/// Commands in the folder of [`inputs`].
pub const ON_FILES: &[&str] = &[
    "compare a.csv b.csv",
    "compare a.csv b.csv --json --movers 50",
    "compare a.csv c.parquet -o o.csv",
    "compare a.csv d.arrow --rank-by-table b.csv",
    "compare t.csv u.csv --html o.html",
    "compare t.csv u.csv --respect-bounds",
    "compare wide.csv",
    "compare wide.csv --json",
    "join a.csv b.csv",
    "join a.csv b.csv -o o.parquet",
    "join a.csv c.parquet --inner -o o.arrow",
    "join t.csv u.csv wide.csv --on node -o o.jsonl",
    "verify t.csv",
    "verify u.csv",
    "verify arcs.csv",
    "top a.csv",
    "top c.parquet",
    "rerun t.csv.json",
    "fold g.bv --to hosts -o o.bv",
    "path g.bv 0 1",
    "commoncrawl v.txt e.txt -o cc",
];

/// Commands that need no more than some of the above, or of [`COMMANDS`].
const LIKE_OTHERS: &[&str] = &[
    // One engine, and one plan: those of `geometric`, `harmonic` and `lin`.
    "closeness",
    "reachable",
    "eccentricity",
    "decay",
    "integration",
    // Reads some blocks of the names: see `import::lookup`.
    "lookup",
    // Their limit is the memory that they use: see below, and `import::wikipedia`.
    "import",
    "wikipedia",
    // Tests of their own: `crawl::command`, `crawl::live`, `crawl::duplicates`, `retrieval::command`
    // and `shards::command`.
    "ingest",
    "crawl",
    "duplicates",
    "index",
    "search",
    "evaluate",
    "shard",
    // Does nothing itself: see `plan`.
    "plan",
    // Its memory is admitted once its components are known: see `walks::command`.
    "current-flow",
    // These read nothing.
    "measures",
    "completions",
    "man",
    "help",
];

fn run(folder: &Path, command: &str, more: &[&str]) -> Output {
    let words: Vec<&str> = command.split(' ').chain(more.iter().copied()).collect();
    let output = rank(&words).current_dir(folder).output().unwrap();
    for made in ["o.bv", "cc"] {
        let _ = fs::remove_dir_all(folder.join(made));
    }
    output
}

fn lines(path: &Path, rows: u32, line: impl Fn(u32) -> String) {
    fs::write(path, (0..rows).map(line).collect::<String>()).unwrap();
}

/// Tables of 60,000 rows with long names, of 300 columns, and of a graph of 2,000 nodes; the graph, and
/// its arcs as Common Crawl has them.
pub fn inputs(folder: &Path) {
    let at = |name: &str| folder.join(name);
    let mixed = |x: u32| x.wrapping_mul(0x9e37_79b9) >> 8;
    let table = |name: &str, factor: u32| {
        lines(&at(name), 60_001, |row| match row {
            0 => "name,score,rank\n".to_owned(),
            row => {
                let score = f64::from(mixed(row * factor)) / 7.0;
                format!("https://www.example.org/pages/about/these/things/{row},{score},{row}\n")
            }
        });
    };
    table("a.csv", 1);
    table("b.csv", 3);
    for copy in ["c.parquet", "d.arrow"] {
        assert!(run(folder, "join a.csv -q -o", &[copy]).status.success());
    }
    lines(&at("wide.csv"), 31, |row| {
        let cells = (0..300).map(|column| match row {
            0 => format!(",m{column}"),
            row => format!(",{}", mixed(row * 300 + column)),
        });
        let cells: String = cells.collect();
        match row {
            0 => format!("node{cells}\n"),
            row => format!("{row}{cells}\n"),
        }
    });
    let host = |x: u32| format!("https://host{}.example.org/{x}", x % 50);
    lines(&at("arcs.tsv"), 6000, |x| {
        let [source, target] = [mixed(x) % 2000, mixed(x + 9000) % 2000].map(host);
        format!("{source}\t{target}\n")
    });
    lines(&at("v.txt"), 2000, |x| {
        format!("{x}\torg.example.host{x}\n")
    });
    lines(&at("e.txt"), 6000, |x| {
        format!("{}\t{}\n", mixed(x) % 2000, mixed(x + 9000) % 2000)
    });
    for command in [
        "import arcs.tsv -o g.bv -q",
        "pagerank g.bv -o t.csv -q",
        "harmonic g.bv --method hyperball -o u.csv -q",
        "betweenness g.bv --arcs -o arcs.csv -q",
    ] {
        assert!(run(folder, command, &[]).status.success(), "{command}");
    }
}

#[test]
fn every_command_is_measured_or_like_one_that_is() {
    for name in subcommands() {
        let runs = |command: &&str| command.split(' ').next() == Some(&name);
        let is_known = COMMANDS.iter().chain(ON_FILES).any(runs) || LIKE_OTHERS.iter().any(runs);
        assert!(is_known, "{name}");
    }
}

#[test]
fn no_command_on_files_holds_more_than_it_says() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    inputs(folder);
    let mut wrong = String::new();
    for command in ON_FILES {
        let output = run(folder, command, &["--threads", "2", "-v"]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{command}: {said}");
        let (held, needed) = held_and_needed(&said);
        if held as f64 > 1.15 * needed as f64 {
            writeln!(wrong, "{command}: {held} > {needed}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn tables_that_do_not_fit_are_refused_before_they_are_read() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    inputs(folder);
    let before = files(folder);
    for command in ON_FILES {
        let output = run(folder, command, &["--memory", "25M", "--threads", "2"]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{command}: {said}");
        let problem = said.lines().last().unwrap();
        assert!(problem.contains("of memory, and "), "{command}: {said}");
        assert!(problem.ends_with("(--memory)"), "{command}: {said}");
        assert_eq!(files(folder), before, "{command}");
    }
}

#[test]
fn no_limit_of_the_system_ends_a_command_on_files_without_a_line() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    inputs(folder);
    let mut refused = 0;
    for command in ON_FILES {
        for (limit, kilobytes) in [("-d", 30_000), ("-d", 60_000), ("-v", 300_000)] {
            let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
            let output = limited(limit, kilobytes, &words)
                .args(["--threads", "2"])
                .current_dir(folder)
                .output()
                .unwrap();
            for made in ["o.bv", "cc"] {
                let _ = fs::remove_dir_all(folder.join(made));
            }
            let said = String::from_utf8_lossy(&output.stderr);
            // Killed by a signal, or aborted, there is no code.
            let code = output.status.code();
            assert!(matches!(code, Some(0 | 1)), "{command}, {limit}: {said}");
            if code == Some(1) {
                refused += 1;
                assert!(said.lines().last().unwrap().starts_with("rank: "), "{said}");
            }
        }
    }
    assert!(refused > 5, "only {refused} were refused");
}

/// An import holds what it is allowed: the rest goes to the disk.
#[test]
fn an_import_keeps_to_its_limit() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let mixed = |x: u32| (x.wrapping_mul(0x9e37_79b9) >> 8) % 60_000;
    let name = |x: u32| format!("https://www.example.org/pages/about/these/things/{x}");
    lines(&folder.join("many.tsv"), 400_000, |x| {
        format!("{}\t{}\n", name(mixed(x)), name(mixed(x + 1_000_000)))
    });
    lines(&folder.join("numbers.tsv"), 1_500_000, |x| {
        format!("{}\t{}\n", mixed(x), mixed(x + 2_000_000))
    });
    for (command, limit) in [
        ("import many.tsv -o o.bv", 55),
        ("import many.tsv -o o.bv", 70),
        ("import many.tsv -o o.bv --order llp", 90),
        ("import numbers.tsv --ids -o o.bv", 51),
        ("import numbers.tsv --ids -o o.bv", 60),
    ] {
        let memory = format!("{limit}M");
        let more = ["--memory", &memory, "--threads", "2", "-v"];
        let output = run(folder, command, &more);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{command}: {said}");
        let (held, needed) = held_and_needed(&said);
        assert!(needed <= limit * 1_000_000, "{command}: {said}");
        assert!(held as f64 <= 1.15 * needed as f64, "{command}: {said}");
    }
    let output = run(folder, "import many.tsv -o o.bv", &["--memory", "20M"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.contains("of memory, and 20.0 MB are allowed"),
        "{said}"
    );
}
