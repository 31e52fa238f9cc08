//! A full disk: an error of one line, and no partial files.
//!
//! A limit on the size of files stands in for a full disk: it needs no root, and hits the same
//! writes. `rank` takes the signal that comes with them.

use std::path::Path;
use std::process::Command;
use tempfile::TempDir;
use webrank_testing::cli::*;

/// Runs `rank` where files hold at most so many blocks of 512 bytes.
pub fn limited(blocks: u32, arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new("sh")
        .args(["-c", "ulimit -f \"$0\" && exec \"$@\""])
        .arg(blocks.to_string())
        .arg(assert_cmd::cargo::cargo_bin("rank"))
        .args(arguments)
        .output()
        .unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    (output.status.code(), message)
}

fn refused(folder: &Path, blocks: u32, arguments: &[&str], file: &str) {
    let before = files(folder);
    let (code, message) = limited(blocks, arguments);
    assert_eq!(code, Some(1), "{blocks} blocks: {message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(
        message.contains(file) && message.contains("cannot"),
        "{message}"
    );
    assert!(
        message.contains("; free some space") || message.contains("; write to"),
        "{message}"
    );
    assert_eq!(files(folder), before);
}

/// Arcs that compress badly.
fn arcs(folder: &Path) -> std::path::PathBuf {
    let mut state = 1u64;
    let mut random = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
        (state >> 33) % 3000
    };
    let arcs: String = (0..20_000)
        .map(|_| format!("{}\t{}\n", random(), random()))
        .collect();
    let path = folder.join("arcs.tsv");
    std::fs::write(&path, arcs).unwrap();
    path
}

#[test]
fn importing_a_graph() {
    let folder = TempDir::new().unwrap();
    let arcs = arcs(folder.path());
    let bundle = folder.path().join("graph.bv");
    let import = ["-q", "import", text(&arcs), "-o", text(&bundle)];
    for blocks in [0, 1, 8, 16, 32, 60] {
        refused(folder.path(), blocks, &import, "graph.bv/");
    }
    let (code, message) = limited(1 << 20, &import);
    assert_eq!(code, Some(0), "{message}");
    // The run fails if any single file does not fit.
    let sizes = bundle.read_dir().unwrap().map(|entry| {
        let entry = entry.unwrap();
        (entry.metadata().unwrap().len(), entry.file_name())
    });
    let mut sizes: Vec<_> = sizes.collect();
    sizes.sort();
    let import = [&import[..], &["--force"]].concat();
    for (size, name) in sizes {
        let blocks = (size.saturating_sub(1) / 512) as u32;
        let before = files(&bundle);
        let (code, message) = limited(blocks, &import);
        assert_eq!(code, Some(1), "{name:?} of {size} bytes: {message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        assert_eq!(files(&bundle), before);
    }
    rank(&["check", text(&bundle)]).assert().success();
}

#[test]
fn recoding_a_graph() {
    let folder = TempDir::new().unwrap();
    let arcs = arcs(folder.path());
    let [from, to] = ["graph.bv", "again.bv"].map(|name| folder.path().join(name));
    stdout(&["-q", "import", text(&arcs), "-o", text(&from)]);
    let recode = ["-q", "recode", text(&from), "-o", text(&to)];
    for blocks in [0, 1, 8, 32] {
        refused(folder.path(), blocks, &recode, "again.bv/");
    }
    let (code, message) = limited(1 << 20, &recode);
    assert_eq!(code, Some(0), "{message}");
    let entries = to.read_dir().unwrap().map(|entry| entry.unwrap());
    let sizes: Vec<u64> = entries
        .map(|entry| entry.metadata().unwrap().len())
        .collect();
    std::fs::remove_dir_all(&to).unwrap();
    let before = files(folder.path());
    for size in sizes {
        let (code, message) = limited((size.saturating_sub(1) / 512) as u32, &recode);
        assert_eq!(code, Some(1), "{size} bytes: {message}");
        assert_eq!(message.lines().count(), 1, "{message}");
        assert_eq!(files(folder.path()), before);
    }
}

#[test]
fn writing_codes() {
    let folder = TempDir::new().unwrap();
    for (option, name) in [("-o", "c.csv"), ("-o", "c.csv.gz"), ("--svg", "c.svg")] {
        let out = folder.path().join(name);
        refused(
            folder.path(),
            0,
            &["-q", "codes", DEBIAN, option, text(&out)],
            name,
        );
    }
}

#[test]
fn writing_tables() {
    let folder = TempDir::new().unwrap();
    let names = [
        "t.csv",
        "t.csv.gz",
        "t.csv.zst",
        "t.jsonl",
        "t.parquet",
        "t.arrow",
        "t.npy",
    ];
    for name in names {
        let table = folder.path().join(name);
        let write = ["-q", "indegree", DEBIAN, "-o", text(&table)];
        refused(folder.path(), 0, &write, name);
        refused(folder.path(), 2, &write, name);
    }
}

#[test]
fn exporting_graphs() {
    let folder = TempDir::new().unwrap();
    for name in [
        "g.tsv.zst",
        "g.mtx",
        "g.parquet",
        "g.npz",
        "g.graphml",
        "g.gexf",
    ] {
        let file = folder.path().join(name);
        let write = ["-q", "export", DEBIAN, "-o", text(&file)];
        refused(folder.path(), 0, &write, name);
        refused(folder.path(), 2, &write, name);
    }
}

#[test]
fn writing_a_manifest() {
    let folder = TempDir::new().unwrap();
    let table = folder.path().join("t.csv");
    let write = ["-q", "indegree", DEBIAN, "--top", "1", "-o", text(&table)];
    refused(folder.path(), 1, &write, "t.csv.json");
}

#[test]
fn writing_comparisons() {
    let folder = TempDir::new().unwrap();
    let (a, b) = (folder.path().join("a.csv"), folder.path().join("b.csv"));
    std::fs::write(&a, "name,score\nx,0.5\ny,2.5\nz,1.5\n").unwrap();
    std::fs::write(&b, "name,score\nx,0.5\ny,7.5\nz,9.5\n").unwrap();
    for (option, name) in [("--html", "c.html"), ("-o", "c.csv"), ("-o", "c.csv.zst")] {
        let out = folder.path().join(name);
        let compare = ["-q", "compare", text(&a), text(&b), option, text(&out)];
        refused(folder.path(), 0, &compare, name);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let message = failure(&["-q", "pagerank", DEBIAN, "-o", "/dev/full"], 1);
    assert!(message.contains("No space left"), "{message}");
}

#[test]
fn manual_pages() {
    let folder = TempDir::new().unwrap();
    let man = ["man", text(folder.path())];
    // Some pages would fit, and the longest would not.
    for blocks in [0, 8] {
        refused(folder.path(), blocks, &man, "rank-");
    }
    // Pages that are there stay as they are.
    stdout(&man);
    let page = folder.path().join("rank-pagerank.1");
    std::fs::write(&page, "old").unwrap();
    refused(folder.path(), 8, &man, "rank-");
    assert_eq!(std::fs::read(&page).unwrap(), b"old");
}

#[test]
fn the_index_of_names() {
    let folder = TempDir::new().unwrap();
    // A few names again and again take little room, and the order of their nodes takes more.
    let edges = folder.path().join("edges.tsv");
    let names = folder.path().join("names.txt");
    let arcs: String = (0..30_000).map(|x| format!("{x}\t{}\n", x / 2)).collect();
    std::fs::write(&edges, arcs).unwrap();
    let mixed = |x: u32| (x.wrapping_mul(0x9e37_79b1) >> 16) % 7;
    let lines: String = (0..30_000).map(|x| format!("{}\n", mixed(x))).collect();
    std::fs::write(&names, lines).unwrap();
    let bundle = folder.path().join("graph.bv");
    let import = [
        "-q",
        "import",
        "--ids",
        text(&edges),
        "--names",
        text(&names),
    ];
    let import = [&import[..], &["-o", text(&bundle)]].concat();
    stdout(&import);
    let length = |name: &str| bundle.join(name).metadata().unwrap().len();
    let (of_names, of_index) = (length("names.txt.zst"), length("names.index"));
    std::fs::remove_dir_all(&bundle).unwrap();
    assert!(of_index > of_names + 1024, "{of_index}, {of_names}");
    let blocks = (of_names / 512 + 1) as u32;
    refused(folder.path(), blocks, &import, "graph.bv/names.index");
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_made_stays_and_is_called_whole_if_nobody_can_be_told() {
    let folder = TempDir::new().unwrap();
    let arcs = arcs(folder.path());
    let at = |name: &str| folder.path().join(name);
    let (bundle, other, shards) = (at("a.bv"), at("b.bv"), at("a.shards"));
    for (arguments, made) in [
        (["import", text(&arcs), "-o", text(&bundle)], &bundle),
        (["recode", text(&bundle), "-o", text(&other)], &other),
        (["shard", text(&bundle), "-o", text(&shards)], &shards),
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let output = Command::new(assert_cmd::cargo::cargo_bin("rank"))
            .args(arguments)
            .args(
                (arguments[0] == "shard")
                    .then_some(["-n", "2"])
                    .iter()
                    .flatten(),
            )
            .stdout(full.unwrap())
            .output()
            .unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{message}");
        let words = "is written and whole, but the account of it is not";
        assert!(
            message.contains(words) && message.contains(text(made)),
            "{message}"
        );
        assert!(made.exists());
    }
}
