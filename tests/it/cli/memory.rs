//! No command holds more memory than it says before it begins, and what does not fit is refused.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::TempDir;
use webrank_testing::cli::*;

/// Every measure, with the options that change what it holds.
pub const COMMANDS: &[&str] = &[
    "pagerank",
    "pagerank --form runs",
    "pagerank --form runs --method gauss-seidel",
    "pagerank --form runs --method components",
    "pagerank --form runs --alphas 0.5,0.6,0.7,0.8",
    "pagerank --form runs --derivative",
    "pagerank --form runs --certify-top 10",
    "pagerank --form runs --each-seed 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15",
    "pagerank --form runs --weights WEIGHTS",
    "pagerank --form runs --preference VECTOR --dangling-vector VECTOR",
    "pagerank --form compact",
    "pagerank --form disk --temp TEMP",
    "pagerank --form disk --temp TEMP --derivative",
    "pagerank --form disk --temp TEMP --certify-top 10",
    "pagerank --form streamed --tolerance 1e-3",
    "pagerank --form external --temp TEMP",
    "trustrank --select 5",
    "eigenvector",
    "eigenvector --weights WEIGHTS",
    "eigenvector --form compact",
    "eigenvector --form disk --temp TEMP",
    "katz",
    "katz --weights WEIGHTS",
    "katz --form compact",
    "katz --form disk --temp TEMP",
    "seeley",
    "seeley --weights WEIGHTS",
    "seeley --form compact",
    "seeley --form disk --temp TEMP",
    "kendall-wei",
    "kendall-wei --form compact",
    "walks --length 3",
    "walks --length 3 --weights WEIGHTS",
    "leaderrank",
    "leaderrank --weights WEIGHTS",
    "leaderrank --form compact",
    "leaderrank --form disk --temp TEMP",
    "hits",
    "hits --weights WEIGHTS",
    "hits --form compact",
    "hits --form disk --temp TEMP",
    "salsa",
    "salsa --weights WEIGHTS",
    "indegree",
    "outdegree",
    "harmonic --method hyperball --log2m 6",
    "harmonic --method sample --epsilon 0.3",
    "lin --method sample --sources 100",
    "harmonic --weights VECTOR",
    "harmonic --top 10",
    "lin",
    "harmonic --lengths WEIGHTS",
    "geometric --measures harmonic,closeness,decay --lengths WEIGHTS",
    "betweenness --lengths WEIGHTS",
    "betweenness --lengths WEIGHTS --arcs",
    "distances --lengths WEIGHTS",
    "geometric --measures harmonic,lin,closeness",
    "betweenness",
    "betweenness --arcs",
    "betweenness --method sources --samples 20",
    "betweenness --method sources --sources 0,1,2 --endpoints",
    "betweenness --method sources --sources-file LIST --endpoints",
    "betweenness --method approx --epsilon 0.1",
    "distances",
    "distances --method hyperball --log2m 6",
    "info",
    "components",
    "export --to npz",
    "export --to graphml",
    "export --to parquet --weights WEIGHTS",
    "subgraph --nodes LIST --neighbours",
    "check",
    "explain 0",
    "explain 0 --lengths WEIGHTS",
    "neighbors 0",
    "codes",
    "recode --force -o BUNDLE",
    "recode --force -o BUNDLE --order degree",
    "recode --force -o BUNDLE --order bfs --codes default",
    "recode --force -o BUNDLE --order llp",
    "recode --force -o BUNDLE --codes default --window 16 --max-references unlimited",
];

/// Commands that do not search from every node, which takes too long on large graphs.
pub fn is_linear(command: &str) -> bool {
    let searches = [
        "harmonic --top",
        "harmonic --weights",
        "lin",
        "geometric",
        "betweenness",
        "distances",
    ];
    // A third of all nodes is no sample.
    let sampled = command.contains("--method") && !command.contains("LIST");
    sampled || !searches.iter().any(|name| command.starts_with(name))
}

pub struct Case {
    pub graph: PathBuf,
    weights: PathBuf,
    vector: PathBuf,
    list: PathBuf,
    is_large: bool,
    has_all_options: bool,
}

pub fn mixed(x: u32) -> u32 {
    x.wrapping_mul(0x9e37_79b9) >> 8
}

impl Case {
    /// A bundle of `n` nodes, with long names if they are `named`, and these arcs.
    pub fn new(
        folder: &Path,
        name: &str,
        n: u32,
        named: bool,
        arcs: impl Iterator<Item = (u32, u32)>,
    ) -> Case {
        let mut text = String::new();
        let prefix = if named {
            "https://www.example.org/pages/about/these/things/"
        } else {
            ""
        };
        let (mut count, mut seen) = (0, std::collections::HashSet::new());
        for (source, target) in arcs {
            writeln!(text, "{prefix}{source}\t{prefix}{target}").unwrap();
            if seen.insert((source, target)) {
                count += 1;
            }
        }
        // The last node exists, and every name.
        for node in 0..n {
            if named || node + 1 == n {
                writeln!(text, "{prefix}{node}\t{prefix}{node}").unwrap();
                if seen.insert((node, node)) {
                    count += 1;
                }
            }
        }
        let edges = folder.join(format!("{name}.tsv"));
        fs::write(&edges, text).unwrap();
        let graph = folder.join(format!("{name}.bv"));
        let ids: &[&str] = if named { &[] } else { &["--ids"] };
        stdout(
            &[
                &["import", self::text(&edges), "-o", self::text(&graph)],
                ids,
            ]
            .concat(),
        );
        fs::remove_file(edges).unwrap();
        let weights = folder.join(format!("{name}.f32"));
        let numbers = (0..count).flat_map(|arc| (1.0 + (arc % 7) as f32).to_le_bytes());
        fs::write(&weights, numbers.collect::<Vec<u8>>()).unwrap();
        let vector = folder.join(format!("{name}.txt"));
        let lines = (0..n).map(|node| format!("{}\n", 1 + node % 3));
        fs::write(&vector, lines.collect::<String>()).unwrap();
        let list = folder.join(format!("{name}.list"));
        let lines = (0..n).step_by(3).map(|node| format!("{prefix}{node}\n"));
        fs::write(&list, lines.collect::<String>()).unwrap();
        Case {
            graph,
            weights,
            vector,
            list,
            is_large: n > 10_000,
            has_all_options: matches!(name, "random" | "small"),
        }
    }

    /// Whether the command takes little time on this graph; two graphs see all options.
    fn is_tried(&self, command: &str) -> bool {
        let is_quick = !self.is_large || is_linear(command);
        is_quick && (self.has_all_options || !command.contains(' '))
    }

    /// A small graph.
    pub fn small(folder: &Path) -> Case {
        let small = (0..9_000).map(|x| (mixed(x) % 3_000, mixed(x + 20_000) % 3_000));
        Case::new(folder, "small", 3_000, false, small)
    }

    pub fn all(folder: &Path) -> Vec<Case> {
        let random = (0..120_000).map(|x| (mixed(x) % 60_000, mixed(x + 1_000_000) % 60_000));
        let chains = (0..60_000).filter(|x| x % 30 != 29).map(|x| (x, x + 1));
        let dense = (0..500).flat_map(|x| (0..500).map(move |y| (x, y)));
        vec![
            Case::new(folder, "random", 60_000, true, random),
            Case::new(folder, "chains", 60_000, false, chains),
            Case::new(folder, "dense", 500, false, dense),
            Case::small(folder),
        ]
    }

    pub fn arguments(&self, folder: &Path, command: &str) -> Vec<String> {
        let mut words = command.split(' ');
        let name = words.next().unwrap();
        let mut arguments = vec![name.to_owned(), text(&self.graph).to_owned()];
        arguments.extend(words.map(|word| match word {
            "WEIGHTS" => text(&self.weights).to_owned(),
            "VECTOR" => text(&self.vector).to_owned(),
            "TEMP" => text(folder).to_owned(),
            "BUNDLE" => text(&folder.join("recoded.bv")).to_owned(),
            "LIST" => text(&self.list).to_owned(),
            word => word.to_owned(),
        }));
        let prints = [
            "info",
            "check",
            "distances",
            "explain",
            "neighbors",
            "codes",
            "recode",
        ];
        if !prints.contains(&name) {
            let output = if name == "subgraph" {
                "few.gexf"
            } else {
                "scores.csv"
            };
            arguments.extend(["-o".to_owned(), text(&folder.join(output)).to_owned()]);
        }
        arguments.extend(["--threads", "2", "-v"].map(str::to_owned));
        arguments
    }

    pub fn run(&self, folder: &Path, command: &str, more: &[&str]) -> Output {
        let arguments = self.arguments(folder, command);
        let arguments: Vec<&str> = arguments
            .iter()
            .map(String::as_str)
            .chain(more.iter().copied())
            .collect();
        rank(&arguments).output().unwrap()
    }
}

/// The largest number of bytes in the lines of the log that hold `what`.
pub fn logged(said: &str, what: &str) -> Option<u64> {
    let lines = said.lines();
    let lines = lines.filter(|line| line.starts_with("rank: memory:") && line.contains(what));
    let bytes = lines.filter_map(|line| line.split(' ').find_map(|word| word.parse().ok()));
    bytes.max()
}

/// The bytes that were held at most, and those that were announced.
#[cfg(target_os = "linux")]
pub fn held_and_needed(said: &str) -> (u64, u64) {
    let line = |what: &str| logged(said, what).unwrap_or_else(|| panic!("no plan: {said}"));
    (line("were held"), line("bytes at "))
}

#[test]
#[cfg(target_os = "linux")]
fn no_command_holds_more_than_it_says() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let mut wrong = String::new();
    for case in Case::all(folder) {
        for command in COMMANDS.iter().filter(|command| case.is_tried(command)) {
            let output = case.run(folder, command, &[]);
            let said = String::from_utf8(output.stderr).unwrap();
            let Some(needed) = logged(&said, "bytes at ") else {
                panic!("{command}: no plan: {said}");
            };
            let Some(held) = logged(&said, "were held") else {
                // Not defined on this graph, or not converged.
                assert!(
                    matches!(output.status.code(), Some(1 | 3)),
                    "{command}: {said}"
                );
                continue;
            };
            if held as f64 > 1.15 * needed as f64 {
                let graph = case.graph.file_name().unwrap().to_string_lossy();
                writeln!(wrong, "{command} on {graph}: {held} > {needed}").unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// The held bytes must not exceed those that were said.
#[cfg(target_os = "linux")]
fn check_held(said: &str) {
    let (held, needed) = held_and_needed(said);
    assert!(
        held as f64 <= 1.15 * needed as f64,
        "{held} > {needed}: {said}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn rows_that_do_not_fit_stay_on_disk() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let case = &Case::all(folder)[0];
    let output = case.run(folder, "pagerank --tolerance 1e-3", &["--memory", "42M"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("the graph stays compressed"), "{said}");
    assert!(logged(&said, "bytes at ").unwrap() <= 42_000_000, "{said}");
    check_held(&said);
}

#[test]
#[cfg(target_os = "linux")]
fn verifying_a_table_holds_no_more_than_it_says() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let case = &Case::all(folder)[3];
    for command in ["pagerank", "katz", "betweenness", "harmonic"] {
        let table = folder.join("scores.csv");
        assert!(case.run(folder, command, &[]).status.success());
        let arguments = ["verify", text(&table), "--threads", "2", "-v"];
        let output = rank(&arguments).output().unwrap();
        check_held(&String::from_utf8(output.stderr).unwrap());
    }
}

#[test]
#[cfg(target_os = "linux")]
fn what_does_not_fit_is_refused_in_one_line_and_leaves_nothing() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let case = &Case::all(folder)[0];
    let before = files(folder);
    for command in COMMANDS {
        let output = case.run(folder, command, &["--memory", "20M"]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{command}: {said}");
        let problem = said.lines().last().unwrap();
        assert!(
            problem.contains("of memory, and 20.0 MB are allowed"),
            "{command}: {said}"
        );
        assert!(problem.ends_with("(--memory)"), "{said}");
        assert_eq!(files(folder), before, "{command}");
    }
}

/// A command with a limit in kilobytes: `-d` of private memory (data, heap and stacks), `-v` of
/// addresses.
#[cfg(target_os = "linux")]
pub fn limited(limit: &str, kilobytes: u64, arguments: &[String]) -> std::process::Command {
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", "ulimit $0 $1 && shift && exec \"$@\"", limit])
        .arg(kilobytes.to_string())
        .arg(assert_cmd::cargo::cargo_bin("rank"))
        .args(arguments);
    command
}

/// From limits in which the program does not load to those in which commands run.
#[test]
#[cfg(target_os = "linux")]
fn few_addresses_are_refused_and_never_abort() {
    let folder = TempDir::new().unwrap();
    let words = |words: &[&str]| -> Vec<String> { words.iter().map(|&it| it.into()).collect() };
    let (bundle, shards) = (folder.path().join("r.bv"), folder.path().join("r.shards"));
    for arguments in [
        words(&["harmonic", "graphs/debian.bv", "--top", "1"]),
        words(&["recode", "graphs/debian.bv", "-o", text(&bundle)]),
        words(&["shard", "graphs/debian.bv", "-n", "2", "-o", text(&shards)]),
    ] {
        let arguments = [arguments, words(&["--threads", "2"])].concat();
        for megabytes in (36..100).step_by(4) {
            let output = limited("-v", 1000 * megabytes, &arguments)
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            // 127 and signals without a word are those of a program that could not be loaded.
            let is_loaded = said.starts_with("rank: ") || output.status.success();
            let is_refused = matches!(output.status.code(), Some(0..=2));
            assert!(
                if is_loaded {
                    is_refused
                } else {
                    megabytes < 44
                },
                "{arguments:?} {megabytes}: {said} {:?}",
                output.status
            );
            drop(std::fs::remove_dir_all(&bundle));
            drop(std::fs::remove_dir_all(&shards));
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_limit_of_the_system_is_seen_and_what_is_admitted_ends() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let case = &Case::all(folder)[0];
    for command in COMMANDS.iter().filter(|command| is_linear(command)) {
        let arguments = case.arguments(folder, command);
        // Rows of the form compact come after the plan is admitted: their room may be small.
        let limits = match command.contains("compact") {
            true => (30..50).collect(),
            false => vec![40],
        };
        for megabytes in limits {
            let output = limited("-d", 1000 * megabytes, &arguments).output();
            let output = output.unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            // Killed by a signal, or aborted, there is no code.
            let code = output.status.code();
            assert!(matches!(code, Some(0 | 1 | 3)), "{command}: {said}");
            if code == Some(1) {
                assert!(said.lines().last().unwrap().starts_with("rank: "), "{said}");
            }
        }
    }
}
