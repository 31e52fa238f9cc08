//! Where exact searches do not fit into memory, estimates do: with `auto`, and with a note.
//!
//! A thread of an exact search takes 192 bytes a node, a counter of HyperBall 64 in all.
#![cfg(target_os = "linux")]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use webrank_testing::cli::*;

/// A graph of 60,000 nodes and 120,000 arcs at random.
fn large(folder: &Path) -> PathBuf {
    let mixed = |x: u32| (x.wrapping_mul(0x9e37_79b9) >> 8) % 60_000;
    let mut edges = String::new();
    for x in 0..120_000 {
        writeln!(edges, "{} {}", mixed(x), mixed(x + 1_000_000)).unwrap();
    }
    let (list, bundle) = (folder.join("edges.txt"), folder.join("large.bv"));
    std::fs::write(&list, edges).unwrap();
    let import = ["import", text(&list), "-o", text(&bundle), "--ids"];
    rank(&import).assert().success();
    bundle
}

/// Eight threads, whatever the machine has: exact searches take more than 90 MB.
const LIMITS: [&str; 4] = ["--threads", "8", "--memory", "70M"];

#[test]
fn what_does_not_fit_is_estimated() {
    let folder = TempDir::new().unwrap();
    let bundle = large(folder.path());
    let table = folder.path().join("scores.csv");
    for (measure, method) in [
        (&["harmonic", "--log2m", "6"][..], "hyperball"),
        (
            &["geometric", "--measures", "lin,decay", "--log2m", "6"],
            "hyperball",
        ),
        (
            &["betweenness", "--method", "auto", "--epsilon", "0.2"],
            "sampled_paths",
        ),
    ] {
        let run = [measure, &[text(&bundle), "-o", text(&table)], &LIMITS].concat();
        let said = rank(&run).assert().success().get_output().stderr.clone();
        let said = String::from_utf8(said).unwrap();
        assert!(said.contains("MB are allowed or free: these are"), "{said}");
        let manifest = std::fs::read_to_string(folder.path().join("scores.csv.json")).unwrap();
        assert!(manifest.contains(method), "{manifest}");
    }
    let distances = ["distances", text(&bundle), "--log2m", "6"];
    let said = stdout(&[&distances[..], &LIMITS].concat());
    assert!(
        said.starts_with("method               by HyperBall"),
        "{said}"
    );
    assert!(said.contains("MB are allowed or free: these are"), "{said}");
    let json = stdout(&[&distances[..], &LIMITS, &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(
        json["notes"][0]
            .as_str()
            .unwrap()
            .contains("allowed or free")
    );
}

#[test]
fn what_must_be_exact_or_sampled_is_refused() {
    let folder = TempDir::new().unwrap();
    let bundle = large(folder.path());
    for asked in [
        // HyperBall knows no eccentricities, and no sampling of paths counts their ends.
        &["eccentricity"][..],
        &["betweenness", "--method", "auto", "--endpoints"],
        &["betweenness"],
        &["harmonic", "--method", "exact"],
        &["distances", "--method", "exact"],
        &["distances", "--method", "sample", "--samples", "5000"],
    ] {
        let message = failure(&[asked, &[text(&bundle)], &LIMITS].concat(), 1);
        assert!(
            message.contains("of memory, and 70.0 MB are allowed"),
            "{message}"
        );
    }
}

/// A sample reads the rows of one direction where those of both do not fit, and takes no more than allowed.
#[test]
fn samples_that_do_not_fit_read_one_direction() {
    let folder = TempDir::new().unwrap();
    let bundle = large(folder.path());
    let table = folder.path().join("scores.csv");
    let sample = [
        "harmonic",
        "--method",
        "sample",
        "--sources",
        "600",
        "--seed",
        "1",
    ];
    let files = [
        text(&bundle),
        "-o",
        text(&table),
        "--temp",
        text(folder.path()),
    ];
    let run = [&sample[..], &files].concat();
    let plan = stdout(&[&run[..], &LIMITS, &["--plan"]].concat());
    assert!(
        plan.lines()
            .any(|line| line.starts_with("one direction") && line.ends_with(", taken")),
        "{plan}"
    );
    let said = rank(&[&run[..], &LIMITS].concat())
        .assert()
        .success()
        .get_output()
        .stderr
        .clone();
    let said = String::from_utf8(said).unwrap();
    assert!(
        said.contains("rows of both directions do not fit into memory"),
        "{said}"
    );
    let scores = |path: &Path| -> Vec<f64> {
        let table = std::fs::read_to_string(path).unwrap();
        let mut of_node: Vec<(u32, f64)> = table
            .lines()
            .skip(1)
            .map(|line| {
                let mut cells = line.split(',');
                (
                    cells.next().unwrap().parse().unwrap(),
                    cells.next().unwrap().parse().unwrap(),
                )
            })
            .collect();
        of_node.sort_by_key(|row| row.0);
        of_node.into_iter().map(|row| row.1).collect()
    };
    let small = scores(&table);
    rank(&run).assert().success();
    let large = scores(&table);
    let [sum, other] = [&small, &large].map(|scores| scores.iter().sum::<f64>());
    assert!((sum / other - 1.0).abs() < 0.05, "{sum}, {other}");
}

/// Counters that do not fit are advanced by slices, with the same scores; under the real limits of
/// the plan, too.
#[test]
fn counters_that_do_not_fit_are_sliced() {
    let folder = TempDir::new().unwrap();
    let bundle = large(folder.path());
    let temp = folder.path().join("temp");
    std::fs::create_dir(&temp).unwrap();
    let table = |name: &str, limits: &[&str]| {
        let path = folder.path().join(name);
        let run = [
            "harmonic",
            "--method",
            "hyperball",
            "--log2m",
            "10",
            "--threads",
            "2",
        ];
        let files = [text(&bundle), "-o", text(&path), "--temp", text(&temp)];
        let said = rank(&[&run, &files[..], limits].concat())
            .assert()
            .success();
        let said = String::from_utf8(said.get_output().stderr.clone()).unwrap();
        (std::fs::read(path).unwrap(), said)
    };
    let (expected, said) = table("whole.csv", &[]);
    assert!(!said.contains("slices"), "{said}");
    // With rows of both directions, and of one.
    for (name, memory) in [("wide.csv", "82M"), ("narrow.csv", "57M")] {
        let (found, said) = table(name, &["--memory", memory]);
        assert!(said.contains("were advanced in"), "{memory}: {said}");
        assert!(found == expected, "{memory}");
        assert!(files(&temp).is_empty(), "{memory}");
    }
    let message = failure(&["harmonic", text(&bundle), "--memory", "22M"], 1);
    assert!(
        message.contains("of memory, and 22.0 MB are allowed"),
        "{message}"
    );
}
