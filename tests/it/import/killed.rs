//! Imports that are killed (SIGKILL) at moments of all their parts: no bundle stands, or a whole one,
//! and the next run removes what they leave, in the folder of the bundle and in that of temporary
//! files.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;
use tempfile::TempDir;
use webrank_testing::cli::*;

/// The inputs, and how they are read.
const KINDS: [&str; 10] = [
    "arcs.tsv",
    "arcs.tsv --temp temp --codes auto",
    "arcs.tsv --temp temp --order llp",
    "arcs.tsv --order bfs --compact",
    "many.tsv --memory 54M --temp temp",
    "numbers.mtx --names names.txt",
    "arcs.parquet --temp temp --order given",
    "arcs.graphml",
    "numbers.npz --order degree --temp temp",
    "g.bv --symmetric",
];

fn write_sources(folder: &Path) {
    let mut random = SmallRng::seed_from_u64(5);
    let mut lines = |count: usize, nodes: u32| {
        let mut line = || {
            let [from, to] = [(); 2].map(|()| random.random_range(0..nodes));
            format!("node-{from}\tnode-{to}\t{}\n", 1 + (from + to) % 7)
        };
        (0..count).map(|_| line()).collect::<String>()
    };
    fs::write(folder.join("arcs.tsv"), lines(12_000, 3000)).unwrap();
    // More than the memory holds.
    fs::write(folder.join("many.tsv"), lines(550_000, 60_000)).unwrap();
    run(folder, "import arcs.tsv -o g.bv");
    for file in ["arcs.parquet", "arcs.graphml", "numbers.mtx", "numbers.npz"] {
        run(folder, &format!("export g.bv -o {file}"));
    }
    let names = fs::read(folder.join("g.bv/names.txt.zst")).unwrap();
    fs::write(
        folder.join("names.txt"),
        zstd::decode_all(&names[..]).unwrap(),
    )
    .unwrap();
    for name in ["out", "temp"] {
        fs::create_dir(folder.join(name)).unwrap();
    }
}

fn command(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("rank"));
    command.current_dir(folder).stdout(Stdio::null());
    command.args(words.split(' ')).arg("-q");
    command
}

fn run(folder: &Path, words: &str) {
    let status = command(folder, words).status().unwrap();
    assert!(status.success(), "{words}");
}

fn contents(bundle: &Path) -> BTreeMap<String, Vec<u8>> {
    let read = |name: String| {
        let bytes = fs::read(bundle.join(&name)).unwrap();
        (name, bytes)
    };
    files(bundle).into_iter().map(read).collect()
}

/// Kills imports at this many moments; returns how many were killed before they ended, and how many
/// left something behind.
fn kill(moments: usize, seed: u64) -> (usize, usize) {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    write_sources(folder);
    let [out, temp] = ["out", "temp"].map(|name| folder.join(name));
    let bundle = out.join("made.bv");
    let mut random = SmallRng::seed_from_u64(seed);
    let (mut killed, mut littered) = (0, 0);
    for (index, kind) in KINDS.into_iter().enumerate() {
        let words = format!("import {kind} -o out/made.bv");
        let start = Instant::now();
        run(folder, &words);
        let whole = start.elapsed();
        let expected = contents(&bundle);
        fs::remove_dir_all(&bundle).unwrap();
        let share = moments / KINDS.len() + usize::from(index < moments % KINDS.len());
        for moment in 0..share {
            let part = random.random::<f64>();
            let mut child = command(folder, &words).spawn().unwrap();
            std::thread::sleep(whole.mul_f64(part));
            child.kill().unwrap();
            killed += usize::from(child.wait().unwrap().signal().is_some());
            let case = format!("{kind}, moment {moment}");
            if bundle.exists() {
                assert!(contents(&bundle) == expected, "{case}");
                fs::remove_dir_all(&bundle).unwrap();
            }
            littered += usize::from(!files(&out).is_empty() || !files(&temp).is_empty());
            run(folder, &words);
            assert!(contents(&bundle) == expected, "{case}");
            assert_eq!(files(&out), ["made.bv"], "{case}");
            assert_eq!(files(&temp), [""; 0], "{case}");
            fs::remove_dir_all(&bundle).unwrap();
        }
    }
    (killed, littered)
}

#[test]
fn an_import_may_be_killed_at_any_moment() {
    let (killed, littered) = kill(20, 1);
    assert!(killed >= 5 && littered >= 1, "{killed}, {littered}");
}

/// 1,000 moments: `cargo test --test it -- --ignored --nocapture imports_killed_at_many`.
#[test]
#[ignore = "takes minutes"]
fn imports_killed_at_many_more_moments() {
    let sums = (2..12).map(|seed| kill(100, seed));
    let sums = sums.fold((0, 0), |sums, next| (sums.0 + next.0, sums.1 + next.1));
    println!(
        "1,000 moments: {} were killed, {} left something",
        sums.0, sums.1
    );
}
