//! Runs that are stopped by signals: nothing is half written, and nothing stays behind.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use webrank_testing::cli::*;

/// `rank import - -o g.bv` in a folder, with these signals ignored from the start, which reads on
/// until its input is closed.
fn importing(folder: &Path, ignored: &str) -> Child {
    let ignore = match ignored {
        "" => String::new(),
        signals => format!("trap '' {signals}; "),
    };
    let mut child = Command::new("sh")
        .args(["-c", &format!("{ignore}exec \"$0\" -q import - -o g.bv")])
        .arg(assert_cmd::cargo::cargo_bin("rank"))
        .current_dir(folder)
        .stdin(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap();
    child.stdin.as_mut().unwrap().write_all(b"a\tb\n").unwrap();
    // `rank` takes SIGXFSZ last of all signals.
    while caught(&child) & (1 << 24) == 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
    child
}

/// The signals that a process catches.
fn caught(child: &Child) -> u64 {
    signals(&child.id().to_string(), "SigCgt:")
}

/// A set of signals in the status of a process.
fn signals(process: &str, field: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix(field));
    u64::from_str_radix(mask.unwrap().trim(), 16).unwrap()
}

pub fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args([signal, &id]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn signals_stop_a_run_with_the_code_that_shells_expect() {
    let folder = TempDir::new().unwrap();
    for (signal, code) in [("-HUP", 129), ("-INT", 130), ("-TERM", 143)] {
        // Jobs in the background of a shell, such as these tests may be, ignore some for ever.
        if signals("self", "SigIgn:") & 1 << (code - 129) != 0 {
            eprintln!("skipped: {signal} is ignored here");
            continue;
        }
        let mut child = importing(folder.path(), "");
        // Its input stays open: waiting would close it, and the import would be done.
        let input = child.stdin.take();
        send(signal, &child);
        assert_eq!(child.wait().unwrap().code(), Some(code), "{signal}");
        drop(input);
        assert_eq!(files(folder.path()), [""; 0]);
    }
}

#[test]
fn signals_stop_computations() {
    let folder = TempDir::new().unwrap();
    let table = folder.path().join("t.csv");
    for command in [
        "pagerank",
        "pagerank --form streamed",
        "pagerank --form external",
        "leaderrank",
        "katz",
        "eigenvector",
        "seeley",
        "hits",
        "harmonic",
        "betweenness",
        "betweenness --arcs --time-budget 9h",
        "betweenness --method approx",
    ] {
        // A run may end before the signal comes.
        let is_stopped = (0..50).any(|_| {
            let (code, said) = stopped(command, &table);
            let left = files(folder.path());
            if code == Some(0) {
                let written = left.iter().map(|name| folder.path().join(name));
                written.for_each(|file| std::fs::remove_file(file).unwrap());
                return false;
            }
            assert_eq!((code, left), (Some(143), Vec::new()), "{command}");
            // A signal may come before the run says what it keeps.
            said.contains("rank: stopped; nothing is kept: ")
        });
        assert!(is_stopped, "{command}");
    }
}

/// Stops a run when it begins to compute; returns its exit code, and what it said from then on.
fn stopped(command: &str, table: &Path) -> (Option<i32>, String) {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("rank"))
        .args(command.split(' '))
        .args([DEBIAN, "-v", "-o", text(table)])
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .unwrap();
    // The plan is the last line before the work.
    let mut said = BufReader::new(child.stderr.take().unwrap());
    let mut lines = said.by_ref().lines();
    assert!(lines.any(|line| line.unwrap().contains("bytes at ")));
    send("-TERM", &child);
    // Its words until its end must find a reader.
    let mut rest = String::new();
    said.read_to_string(&mut rest).unwrap();
    (child.wait().unwrap().code(), rest)
}

#[test]
fn signals_that_are_ignored_from_the_start_stay_ignored() {
    let folder = TempDir::new().unwrap();
    for (name, signal) in [("HUP", "-HUP"), ("INT", "-INT"), ("TERM", "-TERM")] {
        let mut child = importing(folder.path(), name);
        send(signal, &child);
        drop(child.stdin.take());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{signal}");
        assert_eq!(files(folder.path()), ["g.bv"]);
        std::fs::remove_dir_all(folder.path().join("g.bv")).unwrap();
    }
}

#[test]
fn of_two_imports_to_one_place_the_later_one_fails() {
    let folder = TempDir::new().unwrap();
    let mut late = importing(folder.path(), "");
    let bundle = folder.path().join("g.bv");
    let arcs = arcs(folder.path(), 1);
    rank(&["-q", "import", text(&arcs), "-o", text(&bundle)])
        .assert()
        .success();
    let manifest = std::fs::read(bundle.join("manifest.json")).unwrap();
    drop(late.stdin.take());
    assert_eq!(late.wait().unwrap().code(), Some(1));
    assert_eq!(
        std::fs::read(bundle.join("manifest.json")).unwrap(),
        manifest
    );
    assert_eq!(files(folder.path()), ["arcs1.tsv", "g.bv"]);
}

/// Arcs of a random graph.
pub fn arcs(folder: &Path, seed: u64) -> std::path::PathBuf {
    let mut random = SmallRng::seed_from_u64(seed);
    let mut arc = || {
        format!(
            "{}\t{}\n",
            random.random_range(0..900),
            random.random_range(0..900)
        )
    };
    let path = folder.join(format!("arcs{seed}.tsv"));
    std::fs::write(&path, (0..3000).map(|_| arc()).collect::<String>()).unwrap();
    path
}

#[test]
fn what_a_killed_run_has_replaced_is_removed_by_the_next() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    // As after a kill between the exchange and the removal.
    std::fs::create_dir(folder.path().join(".rank-x.part")).unwrap();
    std::fs::copy(
        bundle.join("graph.graph"),
        folder.path().join(".rank-x.part/graph.graph"),
    )
    .unwrap();
    let table = folder.path().join("t.csv");
    rank(&["-q", "indegree", text(&bundle), "-o", text(&table)])
        .assert()
        .success();
    let left = ["edges.tsv", "small.bv", "t.csv", "t.csv.json"];
    assert_eq!(files(folder.path()), left);
}

/// A reader that has enough, as `head` has, is no problem to tell of.
#[test]
fn output_that_nobody_reads_ends_the_command_silently() {
    for command in [
        &["neighbors", DEBIAN, "libc6"][..],
        &["pagerank", DEBIAN, "-q"],
        &["info", DEBIAN],
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let run = Command::new(assert_cmd::cargo::cargo_bin("rank"))
            .args(command)
            .stdout(writer)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(
            run.status.success() && said.is_empty(),
            "{command:?}: {said}"
        );
    }
}
