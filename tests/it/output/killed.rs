//! Runs of every kind that are killed (SIGKILL) at moments of all their parts: what they write is
//! whole, old or new, and the next run removes what they leave behind.

use super::interrupted::arcs;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use webrank::Graph;
use webrank_scores::manifest::{Manifest, ManifestState};
use webrank_testing::cli::*;

/// Two runs that write to the same place in the folder `out`: the first is killed, the second is the
/// next run. The folder `in` has what they read.
const KINDS: [[&str; 2]; 21] = [
    [
        "import in/arcs2.tsv -o out/g.bv --force",
        "import in/arcs1.tsv -o out/g.bv --force",
    ],
    [
        "import in/arcs2.tsv -o out/g.bv --force --compact",
        "import in/arcs1.tsv -o out/g.bv --force",
    ],
    [
        "pagerank in/g.bv --alpha 0.6 -o out/t.csv",
        "pagerank in/g.bv -o out/t.csv",
    ],
    [
        "pagerank in/g.bv --form disk --temp out -o out/t.csv",
        "pagerank in/g.bv -o out/t.csv",
    ],
    [
        "katz in/g.bv -o out/t.csv.gz",
        "pagerank in/g.bv -o out/t.csv.gz",
    ],
    [
        "hits in/g.bv -o out/t.csv.zst",
        "salsa in/g.bv -o out/t.csv.zst",
    ],
    [
        "harmonic in/g.bv -o out/t.parquet",
        "indegree in/g.bv -o out/t.parquet",
    ],
    [
        "betweenness in/g.bv --arcs -o out/t.csv",
        "betweenness in/g.bv --arcs --normalize -o out/t.csv",
    ],
    [
        "compare in/t.csv in/u.csv -o out/c.csv --html out/c.html",
        "compare in/u.csv in/t.csv -o out/c.csv --html out/c.html",
    ],
    ["rerun in/t.csv.json", "indegree in/g.bv -o out/t.csv"],
    ["verify in/t.csv", "indegree in/g.bv -o out/t.csv"],
    [
        "explain in/g.bv 5 in/t.csv in/u.csv",
        "indegree in/g.bv -o out/t.csv",
    ],
    ["check in/g.bv", "indegree in/g.bv -o out/t.csv"],
    ["info in/g.bv", "indegree in/g.bv -o out/t.csv"],
    ["distances in/g.bv", "indegree in/g.bv -o out/t.csv"],
    [
        "export in/g.bv --to gexf -o out/e.xml",
        "export in/g.bv --to graphml -o out/e.xml",
    ],
    [
        "subgraph in/g.bv --top in/t.csv:500 -o out/s.gexf",
        "subgraph in/g.bv --top in/t.csv:100 -o out/s.gexf",
    ],
    [
        "fold in/g.bv --to hosts -o out/g.bv --force",
        "import in/arcs1.tsv -o out/g.bv --force",
    ],
    [
        "recode in/g.bv --order llp -o out/g.bv --force",
        "import in/arcs1.tsv -o out/g.bv --force",
    ],
    [
        "join in/t.csv in/u.csv -o out/j.csv",
        "join in/u.csv in/t.csv -o out/j.csv",
    ],
    [
        "components in/g.bv -o out/t.csv",
        "indegree in/g.bv -o out/t.csv",
    ],
];

/// Commands that write nothing, or as others do: measures all write tables by one function, and
/// `import::killed` kills the imports, `import::commoncrawl` that command, `shards::command` a cut;
/// `ingest` and `wikipedia` are imports of their own arcs, and `crawl::resumed` kills one that goes on; `crawl::live_command`
/// kills crawls; `index` writes a folder as `import` does.
const LIKE_OTHERS: &[&str] = &[
    "path",
    "trustrank",
    "eigenvector",
    "seeley",
    "kendall-wei",
    "walks",
    "current-flow",
    "leaderrank",
    "closeness",
    "lin",
    "reachable",
    "eccentricity",
    "decay",
    "integration",
    "geometric",
    "salsa",
    "outdegree",
    "commoncrawl",
    "wikipedia",
    "shard",
    "ingest",
    "crawl",
    "duplicates",
    "index",
    "search",
    "evaluate",
    "top",
    "plan",
    "lookup",
    "neighbors",
    "codes",
    "measures",
    "completions",
    "man",
    "help",
];

#[test]
fn every_command_is_killed_or_like_one_that_is() {
    for name in subcommands() {
        let runs = |command: &&str| command.split(' ').next() == Some(&name);
        let is_known = KINDS.iter().flatten().any(runs) || LIKE_OTHERS.iter().any(runs);
        assert!(is_known, "{name}");
    }
}

fn command(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("rank"));
    command.current_dir(folder).stdout(Stdio::null());
    command.args(words.split(' ')).arg("-q");
    command
}

fn run(folder: &Path, words: &str) {
    assert!(
        command(folder, words).status().unwrap().success(),
        "{words}"
    );
}

/// The files below a folder, by their paths.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for name in files(folder) {
        let path = folder.join(&name);
        if path.is_dir() {
            let below = contents(&path).into_iter();
            found.extend(below.map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
        } else {
            found.insert(name, std::fs::read(path).unwrap());
        }
    }
    found
}

/// True for the manifest of a table, which has the times of a run.
fn is_manifest(name: &str) -> bool {
    name.ends_with(".json") && !name.contains('/')
}

/// Checks what a killed run has left: `ends` are what whole runs leave.
fn check(out: &Path, ends: &[BTreeMap<String, Vec<u8>>; 2], case: &str) {
    let found = contents(out);
    let bundle = out.join("g.bv");
    if bundle.exists() {
        // All its files belong together.
        Graph::open(&bundle).unwrap();
        let is_whole = |end: &BTreeMap<_, _>| {
            end.iter()
                .all(|(name, bytes)| found.get(name) == Some(bytes))
        };
        assert!(ends.iter().any(is_whole), "{case}");
        return;
    }
    for (name, bytes) in found.iter().filter(|(name, _)| !name.starts_with(".rank-")) {
        if is_manifest(name) {
            Manifest::read(&out.join(name)).unwrap();
            // A manifest of another table is known to be one.
            ManifestState::beside(&out.join(name.trim_end_matches(".json"))).unwrap();
        } else {
            let is_of = |end: &BTreeMap<_, _>| end.get(name) == Some(bytes);
            assert!(ends.iter().any(is_of), "{case}: {name}");
        }
    }
}

/// Kills runs at this many moments in all; returns how many were killed before they ended, and how
/// many left something behind.
fn kill(moments: usize, seed: u64) -> (usize, usize) {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let [inputs, out] = ["in", "out"].map(|name| folder.join(name));
    std::fs::create_dir(&inputs).unwrap();
    for seed in [1, 2] {
        arcs(&inputs, seed);
    }
    run(folder, "import in/arcs1.tsv -o in/g.bv");
    run(folder, "pagerank in/g.bv -o in/t.csv");
    run(folder, "harmonic in/g.bv -o in/u.csv");
    let before = contents(&inputs);
    let mut random = SmallRng::seed_from_u64(seed);
    let (mut killed, mut littered) = (0, 0);
    for (index, [one, next]) in KINDS.into_iter().enumerate() {
        std::fs::create_dir(&out).unwrap();
        let start = Instant::now();
        run(folder, one);
        let whole = start.elapsed();
        let of_one = contents(&out);
        run(folder, next);
        let ends = [of_one, contents(&out)];
        let share = moments / KINDS.len() + usize::from(index < moments % KINDS.len());
        for moment in 0..share {
            // Every other moment is in the last third, where files are written.
            let part = random.random::<f64>();
            let part = if moment % 2 == 0 {
                part
            } else {
                (2.0 + part) / 3.0
            };
            let mut child = command(folder, one).spawn().unwrap();
            std::thread::sleep(Duration::from_secs_f64(part * whole.as_secs_f64()));
            child.kill().unwrap();
            killed += usize::from(child.wait().unwrap().signal().is_some());
            let case = format!("{one}, moment {moment}");
            check(&out, &ends, &case);
            littered += usize::from(files(&out).iter().any(|name| name.starts_with(".rank-")));
            run(folder, next);
            let left = contents(&out);
            assert!(left.keys().eq(ends[1].keys()), "{case}: {:?}", left.keys());
            for (name, bytes) in left.iter().filter(|(name, _)| !is_manifest(name)) {
                assert!(ends[1][name] == *bytes, "{case}: {name}");
            }
        }
        std::fs::remove_dir_all(&out).unwrap();
    }
    assert!(contents(&inputs) == before, "what is read stays as it is");
    (killed, littered)
}

#[test]
fn every_kind_of_run_may_be_killed_and_the_next_one_cleans_up() {
    let (killed, _) = kill(100, 1);
    assert!(killed >= 25, "{killed}");
}

/// 2,000 moments: `cargo test --test it -- --ignored --nocapture killed_at_many_more`.
#[test]
#[ignore = "takes minutes"]
fn killed_at_many_more_moments() {
    let mut sums = (0, 0);
    for seed in 2..12 {
        let (killed, littered) = kill(200, seed);
        sums = (sums.0 + killed, sums.1 + littered);
    }
    println!(
        "2,000 moments: {} runs were killed, {} left something",
        sums.0, sums.1
    );
}
