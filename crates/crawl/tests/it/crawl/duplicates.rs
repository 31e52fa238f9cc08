//! The output, files and refusals of `rank duplicates`.

use super::fingerprints::{FOUR, write};
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use webrank_testing::cli::*;

/// Fingerprints of six pages: two equal ones, one that is near both, two that are near, and one alone.
const LIST: &str = "00000000000000ff\nf0f0f0f0f0f0f0f0\n00000000000000FF\n0xfe\n\
                    # a comment\n\nf0f0f0f0f0f0f0f7\n123456789abcdef0\n";

fn list(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("fingerprints.txt");
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn clusters_of_a_list() {
    let folder = TempDir::new().unwrap();
    let path = list(folder.path(), LIST);
    assert_eq!(
        stdout(&["duplicates", text(&path)]),
        "cluster,node\n0,0\n0,2\n0,3\n1,1\n1,4\n"
    );
    assert_eq!(
        stdout(&["duplicates", text(&path), "--distance", "0"]),
        "cluster,node\n0,0\n0,2\n"
    );
    assert_eq!(
        stdout(&["duplicates", text(&path), "--distance", "1"]),
        "cluster,node\n0,0\n0,2\n0,3\n"
    );
}

#[test]
fn pairs_of_a_list() {
    let folder = TempDir::new().unwrap();
    let path = list(folder.path(), LIST);
    assert_eq!(
        stdout(&["duplicates", text(&path), "--pairs"]),
        "i,j,distance\n0,2,0\n0,3,1\n1,4,3\n2,3,1\n"
    );
}

/// Each page near a query, the nearest first: by a fingerprint, or by a name.
#[test]
fn pages_near_a_query() {
    let folder = TempDir::new().unwrap();
    let path = list(folder.path(), LIST);
    let near = |more: &[&str]| stdout(&[&["duplicates", text(&path)], more].concat());
    assert_eq!(
        near(&[
            "--query",
            "0xfe",
            "--query",
            "F0F0F0F0F0F0F0F8",
            "--query",
            "0x5"
        ]),
        "query,node,distance\n0,3,0\n0,0,1\n0,2,1\n1,1,1\n"
    );
    assert_eq!(
        near(&["--query", "0xfe", "--distance", "0"]),
        "query,node,distance\n0,3,0\n"
    );
    let bundle = folder.path().join("pages.bv");
    write(&bundle, &[0, 7, 0, 3], None);
    assert_eq!(
        stdout(&[
            "duplicates",
            text(&bundle),
            "--query",
            "b",
            "--query",
            "0x0"
        ]),
        "query,node,distance,name\n0,1,0,b\n0,3,1,d\n1,3,2,d\n1,1,3,b\n"
    );
    for (query, words) in [
        ("a", "has no text"),
        ("no", "no name of a page"),
        ("", "no name of a page"),
        ("c0", "write a fingerprint with 16 digits, or with 0x"),
    ] {
        let problem = failure(&["duplicates", text(&bundle), "--query", query], 2);
        assert!(problem.contains(words), "{problem}");
    }
    // Queries that may mean two things are refused.
    let named = list(
        folder.path(),
        "x\t1\nx\tff\n00000000000000ff\t7\n0000000000000003\t3\n",
    );
    for (query, words) in [
        ("x", "two pages have this name"),
        ("00000000000000ff", "the name of a page, and a fingerprint"),
    ] {
        let problem = failure(&["duplicates", text(&named), "--query", query], 2);
        assert!(problem.contains(words), "{problem}");
    }
    let same = ["duplicates", text(&named), "--distance", "0", "--query"];
    let same = stdout(&[&same[..], &["0000000000000003"]].concat());
    assert_eq!(same, "query,node,distance,name\n0,3,0,0000000000000003\n");
}

#[test]
fn a_list_may_have_names_and_come_from_a_pipe() {
    let named = "a page\tff\nb\t1ff\nc\tff00\n";
    let output = rank(&["duplicates", "-"])
        .write_stdin(named)
        .output()
        .unwrap();
    let table = String::from_utf8(output.stdout).unwrap();
    assert_eq!(table, "cluster,node,name\n0,0,a page\n0,1,b\n");
    let output = rank(&["duplicates", "-"]).write_stdin("").output().unwrap();
    let problem = String::from_utf8(output.stderr).unwrap();
    assert!(problem.contains("holds no fingerprint"), "{problem}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn pages_of_a_bundle_without_text_are_like_no_other() {
    let folder = TempDir::new().unwrap();
    let bundle = folder.path().join("pages.bv");
    write(&bundle, &[0, 7, 0, 3], None);
    assert_eq!(
        stdout(&["duplicates", text(&bundle)]),
        "cluster,node,name\n0,1,b\n0,3,d\n"
    );
    let check = stdout(&["check", text(&bundle)]);
    assert!(check.contains("2 fingerprints of nodes"), "{check}");
}

#[test]
fn tables_have_manifests_and_are_repeated() {
    let folder = TempDir::new().unwrap();
    let path = list(folder.path(), LIST);
    let bundle = folder.path().join("pages.bv");
    write(&bundle, &[1, 1, 2, 9], None);
    for (input, output, pairs) in [
        (&path, "clusters.csv", false),
        (&path, "pairs.tsv.gz", true),
        (&bundle, "clusters.jsonl", false),
        (&bundle, "pairs.parquet", true),
    ] {
        let output = folder.path().join(output);
        let mut arguments = vec!["duplicates", text(input), "-o", text(&output), "--quiet"];
        arguments.extend(pairs.then_some("--pairs"));
        assert_eq!(stdout(&arguments), "");
        let manifest = folder.path().join(text(&output).to_owned() + ".json");
        let again = stdout(&["rerun", text(&manifest)]);
        assert!(again.contains("the same bits again"), "{again}");
    }
    // Other fingerprints are no longer those of the run.
    let manifest = folder.path().join("clusters.csv.json");
    list(folder.path(), "1\n1\n");
    let problem = failure(&["rerun", text(&manifest)], 1);
    assert!(problem.contains("is not what the run of"), "{problem}");
    let manifest = folder.path().join("clusters.jsonl.json");
    std::fs::remove_dir_all(&bundle).unwrap();
    write(&bundle, &[1, 1, 1, 9], None);
    let problem = failure(&["rerun", text(&manifest)], 1);
    assert!(problem.contains("is not what the run of"), "{problem}");
}

#[test]
fn merged_pages_have_the_arcs_of_all() {
    let folder = TempDir::new().unwrap();
    let [bundle, merged] = ["pages.bv", "merged.bv"].map(|name| folder.path().join(name));
    // Pages b and d become one: a -> b twice, b -> c, b -> b as d did.
    write(
        &bundle,
        &[0xff00_0000, 7, 0, 3],
        Some(&[1.0, 2.0, 4.0, 8.0, 16.0]),
    );
    let command = ["duplicates", text(&bundle), "--merge", "-o", text(&merged)];
    let said = stdout(&command);
    assert!(
        said.contains("3 nodes, 4 arcs; 4 nodes and 5 arcs before"),
        "{said}"
    );
    let edges = stdout(&["export", text(&merged), "--to", "edges", "-o", "-"]);
    assert_eq!(edges, "a\tb\t3.0\nb\tb\t16.0\nb\tc\t4.0\nc\ta\t8.0\n");
    assert!(stdout(&["check", text(&merged)]).contains("2 fingerprints"));
    // Nothing is near any more.
    assert_eq!(
        stdout(&["duplicates", text(&merged)]),
        "cluster,node,name\n"
    );
    let problem = failure(&command, 1);
    assert!(problem.contains("exists"), "{problem}");
    stdout(&[&command[..], &["--force"]].concat());
}

#[test]
fn arcs_within_a_cluster_go_unless_they_are_to_be_kept() {
    let folder = TempDir::new().unwrap();
    let [bundle, merged] = ["pages.bv", "merged.bv"].map(|name| folder.path().join(name));
    write(&bundle, &[1, 1, 0, 0], None);
    let command = [
        "duplicates",
        text(&bundle),
        "--merge",
        "--force",
        "-o",
        text(&merged),
    ];
    let edges = ["export", text(&merged), "--to", "edges", "-o", "-"];
    stdout(&command);
    assert_eq!(stdout(&edges), "a\tc\na\td\nc\ta\nd\td\n");
    stdout(&[&command[..], &["--keep-loops"]].concat());
    assert_eq!(stdout(&edges), "a\ta\na\tc\na\td\nc\ta\nd\td\n");
}

#[test]
fn fingerprints_follow_their_nodes() {
    let folder = TempDir::new().unwrap();
    let [bundle, other] = ["pages.bv", "other.bv"].map(|name| folder.path().join(name));
    write(&bundle, &FOUR, None);
    for order in ["given", "degree", "bfs"] {
        let arguments = [
            "recode",
            text(&bundle),
            "-o",
            text(&other),
            "--force",
            "--order",
            order,
        ];
        stdout(&arguments);
        let names = stdout(&["lookup", text(&other), "--prefix", ""]);
        let bytes = std::fs::read(other.join("fingerprints.u64")).unwrap();
        for row in names.lines().skip(1) {
            let (node, name) = row.split_once(',').unwrap();
            let at = 8 * node.parse::<usize>().unwrap();
            let word = u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap());
            let before = "abcd".find(name).unwrap();
            assert_eq!(word, FOUR[before], "{order}: {name}");
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let folder = TempDir::new().unwrap();
    // Crowds of near fingerprints, some of them in one front.
    let word = |i: u64| (i / 40).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 1 << (i % 40);
    let dense = (0..40_000u64).map(|i| 0xabcd << 48 | i);
    let words = (0..60_000).map(word).chain(dense);
    let lines: String = words.map(|word| format!("{word:x}\n")).collect();
    let path = list(folder.path(), &lines);
    for more in [&["--distance", "2"][..], &["--pairs", "--distance", "1"]] {
        let run =
            |threads| stdout(&[&["duplicates", text(&path), "--threads", threads], more].concat());
        let one = run("1");
        assert!(one.lines().count() > 40_000);
        for threads in ["2", "5"] {
            assert!(run(threads) == one, "{more:?}: {threads} threads");
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn no_more_memory_is_held_than_was_said() {
    let folder = TempDir::new().unwrap();
    let lines: String = (0..400_000u64)
        .map(|i| format!("{:x}\n", i.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
        .collect();
    let path = list(folder.path(), &lines);
    let output = rank(&["duplicates", text(&path), "-v"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let number = |what: &str| -> u64 {
        let line = said.lines().find(|line| line.contains(what)).unwrap();
        line.split(' ').find_map(|word| word.parse().ok()).unwrap()
    };
    let (needed, held) = (number("at most"), number("were held"));
    assert!(held as f64 <= 1.15 * needed as f64, "{held} > {needed}");
    let problem = failure(&["duplicates", text(&path), "--memory", "8M"], 1);
    assert!(problem.contains("memory"), "{problem}");
}

#[test]
fn pairs_that_do_not_fit_are_refused_and_clusters_do() {
    let folder = TempDir::new().unwrap();
    let path = list(folder.path(), &"ff\n".repeat(100_000));
    let problem = failure(&["duplicates", text(&path), "--pairs", "--memory", "1G"], 1);
    assert!(problem.contains("pairs of near fingerprints"), "{problem}");
    let clusters = stdout(&["duplicates", text(&path), "--memory", "1G"]);
    assert_eq!(clusters.lines().count(), 100_001);
}

#[test]
fn what_cannot_be_compared_is_refused_in_one_line() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let path = list(folder, "ff\nxyz\n");
    let bundle = small(folder);
    let merged = folder.join("merged.bv");
    for (arguments, words) in [
        (
            vec![text(&path)],
            "fingerprints.txt, line 2: 'xyz' is no fingerprint",
        ),
        (vec![text(&bundle)], "small.bv: has no fingerprints"),
        (vec!["nowhere.txt"], "nowhere.txt: no such file"),
        (
            vec![text(&path), "-o", "out.npy"],
            "out.npy: an .npy file holds",
        ),
        (
            vec![text(&path), "--merge", "-o", text(&merged)],
            "fingerprints.txt: is no bundle",
        ),
        (
            vec![text(&bundle), "--merge", "-o", text(&merged)],
            "small.bv: has no fingerprints",
        ),
        (vec![text(&path), "-o", text(&path)], "fingerprints.txt"),
    ] {
        let problem = failure(&[&["duplicates"], &arguments[..]].concat(), 1);
        assert!(problem.contains(words), "{problem}");
    }
    assert!(!merged.exists());
    for arguments in [
        &["--distance", "17"][..],
        &["--merge"],
        &["--pairs", "--merge", "-o", "x.bv"],
        &["--keep-loops"],
        &["--query", "1", "--pairs"],
    ] {
        let arguments = [&["duplicates", text(&path)], arguments].concat();
        assert_eq!(rank(&arguments).output().unwrap().status.code(), Some(2));
    }
}
