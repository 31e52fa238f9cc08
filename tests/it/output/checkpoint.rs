//! `--checkpoint`: a run that is killed or stopped goes on, and writes the bytes of a run that was
//! not.

use super::full_disk::limited;
use super::interrupted::send;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use webrank_testing::cli::*;

/// The runs that keep their state.
const KEPT: [&str; 8] = [
    "pagerank --alpha 0.95 --method power",
    "pagerank --form disk",
    "pagerank --form streamed",
    "harmonic --method exact",
    "harmonic --method hyperball",
    "betweenness --normalize",
    "closeness --method exact --cutoff 30",
    "betweenness --cutoff 30",
];

/// The graph that a command takes some seconds for: Debian, or a bundle in this folder where nodes are
/// searched from.
fn graph(command: &str, folder: &Path) -> PathBuf {
    if !["exact", "betweenness"]
        .iter()
        .any(|word| command.contains(word))
    {
        return std::path::absolute(DEBIAN).unwrap();
    }
    let node = |x: u64| x.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40 & 0x1fff;
    let arcs = (0..40_000).map(|x| format!("{}\t{}\n", node(x), node(x + 50_000)));
    let (edges, bundle) = (folder.join("arcs.tsv"), folder.join("arcs.bv"));
    std::fs::write(&edges, arcs.collect::<String>()).unwrap();
    let words = ["import", text(&edges), "-o", text(&bundle), "-q"];
    rank(&words).assert().success();
    bundle
}

/// A run of `command` on a graph in a folder, from `scores.csv` to its checkpoint.
fn begin((command, graph): (&str, &Path), folder: &Path, more: &[&str]) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin("rank"))
        .args(command.split(' '))
        .arg(graph)
        .args(["-o", "scores.csv", "--checkpoint", "state"])
        .args(more)
        .current_dir(folder)
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap()
}

/// The words of a run until its end, and its exit code.
fn end(mut child: Child) -> (Option<i32>, String) {
    let mut said = String::new();
    let mut stderr = child.stderr.take().unwrap();
    stderr.read_to_string(&mut said).unwrap();
    (child.wait().unwrap().code(), said)
}

/// The bytes of the table that the command writes if nothing stops it.
fn whole((command, graph): (&str, &Path)) -> Vec<u8> {
    let folder = TempDir::new().unwrap();
    let table = folder.path().join("scores.csv");
    let words = command
        .split(' ')
        .chain([text(graph), "-q", "-o", text(&table)]);
    rank(&words.collect::<Vec<_>>()).assert().success();
    std::fs::read(table).unwrap()
}

/// Kills a run once it has written its state.
fn kill(run: (&str, &Path), folder: &Path) {
    // A run may end before it is killed.
    for _ in 0..50 {
        let more = ["--checkpoint-every", "0s", "--threads", "1", "-q"];
        let mut child = begin(run, folder, &more);
        while !folder.join("state").exists() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        let is_killed = child.wait().unwrap().signal().is_some();
        if is_killed && folder.join("state").exists() {
            assert!(!folder.join("scores.csv").exists());
            return;
        }
        std::fs::remove_file(folder.join("scores.csv")).unwrap();
    }
    panic!("{run:?} always ends before it is killed");
}

#[test]
fn a_killed_run_goes_on_and_writes_equal_bytes() {
    for command in KEPT {
        let [inputs, folder] = [(); 2].map(|()| TempDir::new().unwrap());
        let (graph, folder) = (graph(command, inputs.path()), folder.path());
        let run = (command, &*graph);
        kill(run, folder);
        let (code, said) = end(begin(run, folder, &["--threads", "3"]));
        assert_eq!(code, Some(0), "{command}: {said}");
        let resumed = said
            .lines()
            .filter(|it| it.starts_with("rank: resumed from state at "));
        assert_eq!(resumed.count(), 1, "{command}: {said}");
        let table = std::fs::read(folder.join("scores.csv")).unwrap();
        assert!(table == whole(run), "{command}");
        assert_eq!(
            files(folder),
            ["scores.csv", "scores.csv.json"],
            "{command}"
        );
    }
}

#[test]
fn a_stopped_run_writes_its_state_and_goes_on() {
    for command in [
        "pagerank --alpha 0.99 --method power",
        "pagerank --form streamed",
        "harmonic --method exact",
    ] {
        let [inputs, folder] = [(); 2].map(|()| TempDir::new().unwrap());
        let (graph, folder) = (graph(command, inputs.path()), folder.path());
        let run = (command, &*graph);
        // A run may end before the signal comes.
        let is_stopped = (0..50).any(|_| {
            kill(run, folder);
            let mut child = begin(run, folder, &["--checkpoint-every", "9h"]);
            let mut said = BufReader::new(child.stderr.take().unwrap());
            let mut lines = said.by_ref().lines();
            assert!(lines.any(|line| line.unwrap().contains("resumed from state")));
            // The signal alone makes it write another one.
            std::fs::remove_file(folder.join("state")).unwrap();
            send("-TERM", &child);
            let mut rest = String::new();
            said.read_to_string(&mut rest).unwrap();
            let ended = child.wait().unwrap().code();
            if !rest.contains("rank: stopped; the same command goes on from state\n") {
                // Too late: the table is being written, or is there.
                assert!([Some(0), Some(143)].contains(&ended), "{command}: {rest}");
                for file in files(folder) {
                    std::fs::remove_file(folder.join(file)).unwrap();
                }
                return false;
            }
            assert_eq!(ended, Some(143), "{command}: {rest}");
            assert_eq!(files(folder), ["state"], "{command}");
            true
        });
        assert!(is_stopped, "{command}");
        let (ended, said) = end(begin(run, folder, &[]));
        assert_eq!(ended, Some(0), "{command}: {said}");
        let table = std::fs::read(folder.join("scores.csv")).unwrap();
        assert!(table == whole(run), "{command}");
    }
}

#[test]
fn a_run_that_is_not_stopped_leaves_no_checkpoint() {
    let folder = TempDir::new().unwrap();
    let debian = std::path::absolute(DEBIAN).unwrap();
    let (code, said) = end(begin(
        ("pagerank", &debian),
        folder.path(),
        &["--checkpoint-every", "0s"],
    ));
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("resumed"), "{said}");
    assert_eq!(files(folder.path()), ["scores.csv", "scores.csv.json"]);
    let manifest = folder.path().join("scores.csv.json");
    // A repeated run writes none, either.
    std::fs::write(folder.path().join("state"), "not a checkpoint").unwrap();
    assert!(stdout(&["rerun", text(&manifest)]).contains("the same bits again"));
}

#[test]
fn what_cannot_be_a_checkpoint_is_refused_in_one_line() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let refused = |command: &str, file: &Path, code: i32, words: &str| {
        let before = files(folder);
        let given = [DEBIAN, "-q", "--checkpoint", text(file)];
        let words_of_command: Vec<&str> = command.split(' ').chain(given).collect();
        let message = failure(&words_of_command, code);
        assert!(message.contains(words), "{message}");
        assert_eq!(files(folder), before);
    };
    let file = folder.join("state");
    for command in [
        "pagerank --method gauss-seidel",
        "pagerank --certify-top 3",
        "katz",
        "distances",
        "info",
    ] {
        let words = "--checkpoint is given: ";
        refused(command, &file, 2, words);
        refused(
            command,
            &file,
            2,
            "does not support it; checkpoints are for pagerank",
        );
    }
    refused("pagerank", folder, 1, "is a directory");
    refused("pagerank", &folder.join("none/state"), 1, "does not exist");
    refused("pagerank", "/dev/full".as_ref(), 1, "is no regular file");
    std::fs::write(&file, "node,score\n0,1\n").unwrap();
    refused(
        "pagerank",
        &file,
        1,
        "is no checkpoint, and is not replaced",
    );
    std::fs::remove_file(&file).unwrap();
    let twice = format!("pagerank -o {}", text(&file));
    refused(&twice, &file, 1, "would be written twice");
    refused("pagerank", DEBIAN.as_ref(), 1, "an input of this run");
}

#[test]
fn a_checkpoint_that_a_full_disk_does_not_hold_is_an_error_and_the_one_before_stays() {
    let folder = TempDir::new().unwrap();
    let debian = std::path::absolute(DEBIAN).unwrap();
    kill(("pagerank", &debian), folder.path());
    let file = folder.path().join("state");
    let before = std::fs::read(&file).unwrap();
    let given = ["--checkpoint", text(&file), "--checkpoint-every", "0s"];
    let table = folder.path().join("scores.csv");
    let words = ["-q", "pagerank", DEBIAN, "-o", text(&table)];
    let (code, message) = limited(8, &[&words[..], &given].concat());
    assert_eq!(code, Some(1), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.contains("state: cannot write"), "{message}");
    assert_eq!(files(folder.path()), ["state"]);
    assert!(std::fs::read(&file).unwrap() == before);
}
