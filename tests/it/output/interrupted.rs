//! Runs that are stopped by signals, or killed: nothing is half written, and nothing stays behind.

use crate::support::cli::*;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::io::Write;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

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
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    u64::from_str_radix(mask.unwrap().trim(), 16).unwrap()
}

fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    let sent = Command::new("kill").args([signal, &id]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn signals_stop_a_run_with_the_code_that_shells_expect() {
    let folder = TempDir::new().unwrap();
    for (signal, code) in [("-HUP", 129), ("-INT", 130), ("-TERM", 143)] {
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

/// Starts `rank`, and kills it after a while, unless it ends before.
fn killed_after(arguments: &[&str], wait: Duration) -> ExitStatus {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("rank"))
        .args(arguments)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(wait);
    child.kill().unwrap();
    child.wait().unwrap()
}

/// Kills a command at 30 moments that are spread over the time it takes, and calls `check` after
/// each; some moments must come before its end.
fn kill_at_many_moments(arguments: &[&str], mut check: impl FnMut()) {
    let start = Instant::now();
    rank(arguments).assert().success();
    let whole = start.elapsed();
    let mut random = SmallRng::seed_from_u64(1);
    let mut killed = 0;
    for _ in 0..30 {
        let wait = whole.mul_f64(random.random::<f64>());
        killed += usize::from(killed_after(arguments, wait).signal().is_some());
        check();
    }
    assert!(killed > 0);
}

/// Arcs of a random graph.
fn arcs(folder: &Path, seed: u64) -> std::path::PathBuf {
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
fn a_killed_import_leaves_a_whole_bundle_and_the_next_one_cleans_up() {
    let folder = TempDir::new().unwrap();
    let (old, new) = (arcs(folder.path(), 1), arcs(folder.path(), 2));
    let bundle = folder.path().join("g.bv");
    let import = |arcs| ["-q", "import", text(arcs), "-o", text(&bundle), "--force"];
    rank(&import(&old)).assert().success();
    let one = std::fs::read(bundle.join("manifest.json")).unwrap();
    rank(&import(&new)).assert().success();
    let other = std::fs::read(bundle.join("manifest.json")).unwrap();
    kill_at_many_moments(&import(&new), || {
        // It opens, so all its files belong together.
        webrank::Graph::open(&bundle).unwrap();
        let found = std::fs::read(bundle.join("manifest.json")).unwrap();
        assert!(found == one || found == other);
        rank(&import(&old)).assert().success();
        assert_eq!(files(folder.path()), ["arcs1.tsv", "arcs2.tsv", "g.bv"]);
    });
}

#[test]
fn a_killed_ranking_leaves_a_whole_table_and_the_next_one_cleans_up() {
    use webrank::internals::graph::bundle::Entry;
    use webrank::internals::scores::manifest::{Account, Manifest, path_beside};
    let (folder, other) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let table = folder.path().join("t.csv");
    let graph = other.path().join("g.bv");
    let arcs = arcs(other.path(), 1);
    let import = ["-q", "import", text(&arcs), "-o", text(&graph)];
    rank(&import).assert().success();
    let run = |alpha| {
        [
            "-q",
            "pagerank",
            text(&graph),
            "--alpha",
            alpha,
            "-o",
            text(&table),
        ]
    };
    let entry_of = |alpha| {
        rank(&run(alpha)).assert().success();
        Entry::of(&table).unwrap()
    };
    let (new, old) = (entry_of("0.6"), entry_of("0.5"));
    kill_at_many_moments(&run("0.6"), || {
        let found = Entry::of(&table).unwrap();
        assert!(found == new || found == old, "the table is whole");
        let manifest = Manifest::read(&path_beside(&table)).unwrap();
        let belongs = manifest.table.as_ref() == Some(&found);
        let account = Account::beside(&table).unwrap();
        assert_eq!(
            account.manifest().is_some(),
            belongs,
            "who does not belong is known"
        );
        rank(&run("0.5")).assert().success();
        assert_eq!(files(folder.path()), ["t.csv", "t.csv.json"]);
    });
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
