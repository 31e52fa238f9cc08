//! `--trace`: what iterations say after each sweep.

use tempfile::TempDir;
use webrank_testing::cli::*;

/// The rows of a trace: sweep and value.
fn rows(table: &str) -> Vec<(u64, f64)> {
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("sweep,quantity,value"));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            (fields[0].parse().unwrap(), fields[2].parse().unwrap())
        })
        .collect()
}

#[test]
fn every_iterative_measure_says_how_it_converges() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| text(&folder.path().join(name)).to_owned();
    let (trace, table) = (at("trace.csv"), at("t.csv"));
    for command in [
        "pagerank --method plain",
        "pagerank --method gauss-seidel",
        "pagerank --method power",
        "pagerank --form streamed",
        "pagerank --form external",
        "pagerank --each-seed libc6",
        "trustrank --seeds libc6",
        "katz",
        "eigenvector",
        "hits",
        "leaderrank",
    ] {
        let mut words: Vec<&str> = command.split(' ').collect();
        words.insert(1, DEBIAN);
        let run = [&words[..], &["-q", "-o", &table, "--trace", &trace]].concat();
        rank(&run).assert().success();
        let rows = rows(&std::fs::read_to_string(&trace).unwrap());
        let last = rows[rows.len() - 1].1;
        assert!(last < 1e-6, "{command}: {last}");
        // Others solve several systems, one after the other, or take a few sweeps together.
        if command.contains("rank ") && !command.contains("leader") {
            assert!(rows.is_sorted_by_key(|(sweep, _)| *sweep), "{command}");
            assert!(
                rows.len() > 9 && last < 1e-6 * rows[0].1,
                "{command}: {last}"
            );
        }
    }
}

/// A trace holds what a bar says after a sweep.
#[test]
fn seeds_are_told_by_name() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| text(&folder.path().join(name)).to_owned();
    let (trace, table) = (at("trace.csv"), at("t.csv"));
    let seeds = ["pagerank", DEBIAN, "--each-seed", "zlib1g,libc6"];
    let run = [&seeds[..], &["-q", "-o", &table, "--trace", &trace]].concat();
    rank(&run).assert().success();
    let trace = std::fs::read_to_string(&trace).unwrap();
    assert!(
        trace.contains("\n1,seeds from zlib1g: error below,"),
        "{trace:.200}"
    );
}

#[test]
fn the_rate_of_the_power_method_is_alpha_at_most() {
    let folder = TempDir::new().unwrap();
    let trace = text(&folder.path().join("trace.csv")).to_owned();
    let graph = "graphs/rust-doc.bv";
    let sweeps = |method: &str| {
        let run = [
            "pagerank", graph, "--method", method, "--trace", &trace, "-q", "-n", "1",
        ];
        stdout(&run);
        rows(&std::fs::read_to_string(&trace).unwrap())
    };
    let plain = sweeps("plain");
    let rates = plain.windows(2).skip(1).map(|two| two[1].1 / two[0].1);
    assert!(rates.clone().all(|rate| rate < 0.85 + 1e-6));
    // New values that are used at once save a part of the sweeps, and extrapolation saves more.
    let [gauss_seidel, power] = ["gauss-seidel", "power"].map(|method| sweeps(method).len());
    assert!(gauss_seidel < plain.len() && power < plain.len());
    // A run that does not converge leaves its trace.
    let stopped = [
        "pagerank",
        graph,
        "--method",
        "plain",
        "--trace",
        &trace,
        "--max-iterations",
        "9",
    ];
    failure(&stopped, 3);
    assert_eq!(rows(&std::fs::read_to_string(&trace).unwrap()).len(), 9);
}
