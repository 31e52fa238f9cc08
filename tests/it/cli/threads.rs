//! Every command prints and writes the same bytes for any number of threads and with any vector
//! instructions, and with `--quiet` nothing else.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use webrank_base::parallel::simd::Simd;
use webrank_testing::cli::*;

/// Every measure, with the options that choose another computation.
const COMMANDS: &[&str] = &[
    "pagerank",
    "pagerank --method gauss-seidel",
    "pagerank --method components",
    "pagerank --form compact",
    "pagerank --form disk",
    "pagerank --form streamed",
    "pagerank --form external",
    "pagerank --alphas 0.5,0.85,0.9",
    "pagerank --derivative",
    "pagerank --each-seed 0,1,2,3,4,5,6,7,8,9",
    "trustrank --select 5",
    "eigenvector",
    "eigenvector --direction out",
    "eigenvector --method power",
    "katz",
    "katz --direction out",
    "seeley",
    "kendall-wei",
    "walks --length 3",
    "walks --length 300 --direction out",
    "leaderrank",
    "hits",
    "salsa",
    "indegree",
    "outdegree",
    "harmonic",
    "harmonic --method hyperball",
    "harmonic --method sample",
    "harmonic --top 20",
    "closeness",
    "closeness --variant wasserman-faust",
    "lin",
    "lin --direction out --top 20",
    "reachable",
    "eccentricity",
    "decay --base 0.5",
    "integration",
    "geometric --measures harmonic,lin,closeness",
    "betweenness",
    "betweenness --arcs",
    "current-flow --symmetric",
    "betweenness --method sources --samples 50",
    "betweenness --method approx --epsilon 0.05",
    "harmonic --cutoff 9",
    "decay --base 0.5 --cutoff 9",
    "betweenness --cutoff 9",
    "betweenness --arcs --cutoff 9",
    "distances",
    "distances --cutoff 9",
    "distances --method hyperball",
    "info",
    "components",
    "components -o -",
    "export --to edges -o -",
    "export --to gexf -o -",
    "export --to npz -o -",
    "check",
    "codes",
    "codes --json",
];

/// A graph of many small components and self-loops, a long path with shortcuts, and one with rows in
/// common and dangling nodes.
fn graphs(folder: &Path) -> [PathBuf; 3] {
    let mut scattered = String::new();
    for x in 0..1200u32 {
        let cycle = x - x % 4 + (x + 1) % 4;
        writeln!(scattered, "{x}\t{cycle}").unwrap();
        if x % 3 == 0 {
            writeln!(scattered, "{x}\t{x}\n{x}\t{}", x * 7 % 40).unwrap();
        }
    }
    let mut path = String::new();
    for x in 0..1000u32 {
        writeln!(path, "{x}\t{}\n{}\t{x}", x + 1, x + 1).unwrap();
        if x % 97 == 0 {
            writeln!(path, "{x}\t{}", x * 31 % 1000).unwrap();
        }
    }
    let mut dense = String::new();
    for x in 0..900u32 {
        for y in (0..x % 30).filter(|_| x % 5 != 0) {
            writeln!(dense, "{x}\t{}", x / 60 * 60 + y * y % 60).unwrap();
        }
        writeln!(dense, "{}\t{x}", x * x % 300 + 1).unwrap();
    }
    let texts = [("scattered", scattered), ("path", path), ("dense", dense)];
    texts.map(|(name, arcs)| {
        let edges = folder.join(format!("{name}.tsv"));
        std::fs::write(&edges, arcs).unwrap();
        let bundle = folder.join(format!("{name}.bv"));
        let made = rank(&["import", "--ids", text(&edges), "-o", text(&bundle)]).assert();
        made.success();
        bundle
    })
}

/// Commands that read or write files, in the folder of [`inputs`]; what they write is in `out`.
const ON_FILES: &[&str] = &[
    "compare t.csv u.csv",
    "compare t.csv u.csv --json",
    "compare t.csv u.csv i.csv -o out/c.csv --html out/c.html",
    "join t.csv u.csv i.csv",
    "join t.csv u.csv -o out/j.parquet",
    "verify t.csv",
    "verify u.csv",
    "verify arcs.csv",
    "rerun t.csv.json",
    "top u.csv",
    "explain dense.bv 0 t.csv u.csv",
    "lookup dense.bv 7 8",
    "neighbors dense.bv 7",
    "subgraph dense.bv --top t.csv:100 -o out/s.gexf",
    "recode dense.bv --codes auto -o out/r.bv",
    "recode dense.bv --order llp -o out/r.bv",
    "import dense.tsv -o out/i.bv",
    "import dense.tsv --ids --order bfs -o out/i.bv",
    "fold named.bv --to hosts -o out/f.bv",
    "commoncrawl v.txt dense.tsv -o out/cc",
    "shard dense.bv -n 3 -o out/s",
    "shard dense.tsv -n 2 -o out/s",
    "trustrank dense.bv --seeds 0,5 -o out/t.parquet",
];

/// Commands that do not compute, and those with tests of their own in `crawl` and
/// `retrieval`.
const LIKE_OTHERS: [&str; 13] = [
    // One thread.
    "path",
    "measures",
    "plan",
    "completions",
    "man",
    "help",
    "ingest",
    "crawl",
    "duplicates",
    "index",
    "search",
    "evaluate",
    // An import of its own arcs, and two measures.
    "wikipedia",
];

/// Numbers of threads, and vector instructions.
fn ways() -> Vec<(&'static str, Option<&'static str>)> {
    let vectors = Simd::available().into_iter().map(|simd| match simd {
        Simd::Plain => "plain",
        Simd::Avx2 => "avx2",
        Simd::Avx512 => "avx512",
    });
    let vectors = vectors.map(|vectors| ("2", Some(vectors)));
    let threads = ["1", "3"].map(|threads| (threads, None));
    threads.into_iter().chain(vectors).collect()
}

#[test]
fn every_command_is_compared() {
    for name in subcommands() {
        let runs = |command: &&str| command.split(' ').next() == Some(&name);
        let is_known = COMMANDS.iter().chain(ON_FILES).any(runs) || LIKE_OTHERS.iter().any(runs);
        assert!(is_known, "{name}");
    }
}

/// The files below a folder, by their paths, but for what says how long a run took.
fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for name in files(folder) {
        let path = folder.join(&name);
        let is_manifest = [".csv.json", ".parquet.json"];
        if path.is_dir() {
            found.extend(contents(&path));
        } else if !is_manifest.iter().any(|end| name.ends_with(end)) {
            let bytes = std::fs::read(&path).unwrap();
            found.insert(path, bytes);
        }
    }
    found
}

#[test]
fn files_have_the_same_bytes_for_any_number_of_threads() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    graphs(folder);
    let arcs = std::fs::read_to_string(folder.join("dense.tsv")).unwrap();
    let host = |node: &str| format!("https://host{}.example.org/{node}", node.len());
    let named = arcs.lines().map(|line| {
        let (source, target) = line.split_once('\t').unwrap();
        format!("{}\t{}\n", host(source), host(target))
    });
    std::fs::write(folder.join("named.tsv"), named.collect::<String>()).unwrap();
    let vertices = (0..900).map(|node| format!("{node}\torg.example.host{node}\n"));
    std::fs::write(folder.join("v.txt"), vertices.collect::<String>()).unwrap();
    let run = |command: &str, (threads, vectors): (&str, Option<&str>)| {
        let words: Vec<&str> = command.split(' ').collect();
        let words = [&words[..], &["--threads", threads, "-q"]].concat();
        let mut command = rank(&words);
        command.envs(vectors.map(|name| ("RANK_VECTORS", name)));
        let output = command.current_dir(folder).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{words:?}: {said}");
        output.stdout
    };
    for command in [
        "pagerank dense.bv -o t.csv",
        "harmonic dense.bv --method hyperball -o u.csv",
        "indegree dense.bv -o i.csv",
        "betweenness dense.bv --arcs -o arcs.csv",
        "import named.tsv -o named.bv",
    ] {
        run(command, ("2", None));
    }
    let out = folder.join("out");
    for command in ON_FILES {
        let made = ways().into_iter().map(|way| {
            std::fs::create_dir(&out).unwrap();
            let made = (run(command, way), contents(&out));
            std::fs::remove_dir_all(&out).unwrap();
            made
        });
        let made: Vec<_> = made.collect();
        assert!(!made[0].0.is_empty() || !made[0].1.is_empty(), "{command}");
        let same = made.iter().all(|one| *one == made[0]);
        assert!(same, "{command} depends on threads or vectors");
    }
}

#[test]
fn every_command_prints_the_same_bytes_for_any_number_of_threads() {
    let folder = TempDir::new().unwrap();
    // Two graphs are for what depends on threads, the last one is for vectors, too.
    let few = [("1", Some("plain")), ("3", None)];
    let ways = [few.to_vec(), few.to_vec(), ways()];
    for (graph, ways) in graphs(folder.path()).into_iter().zip(ways) {
        for command in COMMANDS {
            let mut words = command.split(' ');
            let mut arguments = vec![words.next().unwrap(), text(&graph)];
            arguments.extend(words);
            let run = |&(threads, vectors): &(&str, Option<&str>)| {
                let arguments = [&arguments[..], &["--threads", threads, "-q"]].concat();
                let mut command = rank(&arguments);
                let run = command
                    .envs(vectors.map(|name| ("RANK_VECTORS", name)))
                    .assert();
                let output = run.get_output();
                let lines = usize::from(!output.status.success());
                let said = String::from_utf8_lossy(&output.stderr);
                assert_eq!(said.lines().count(), lines, "{arguments:?}: {said}");
                (output.status.code(), output.stdout.clone())
            };
            let printed: Vec<_> = ways.iter().map(run).collect();
            let expected: &[i32] = match *command {
                // Players do not meet themselves: self-loops are refused.
                "kendall-wei" => &[0, 1],
                // On a long path the first two eigenvalues are close: not converging is a result too.
                "seeley" | "hits" | "eigenvector" | "eigenvector --method power" => &[0, 3],
                _ => &[0],
            };
            let code = printed[0].0.unwrap();
            assert!(expected.contains(&code), "{arguments:?}: exit code {code}");
            assert!(
                printed.iter().all(|one| *one == printed[0]),
                "{arguments:?} depends on threads or vectors"
            );
        }
    }
}
