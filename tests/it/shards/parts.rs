//! Tables in parts have the rows of a single table, for any number of parts and workers.

use super::command::cut;
use std::fs;
use std::path::Path;
use webrank::{Graph, Limits, Measure, PageRank, Silent};
use webrank_tables::read::open_table;
use webrank_testing::cli::*;
use webrank_testing::damage::is_refused_or_harmless;

/// The headers of a table and its rows as text, keys first.
fn rows(table: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    let whole = open_table(table).unwrap().read("node").unwrap();
    let headers = whole.columns.iter().map(|(name, _)| name.clone());
    let row = |row: usize| {
        let cells = whole.columns.iter();
        let cells = cells.map(move |(_, entries)| entries.text(row).unwrap().into_owned());
        [whole.keys.get(row).to_owned()].into_iter().chain(cells)
    };
    (
        headers.collect(),
        (0..whole.keys.len()).map(|k| row(k).collect()).collect(),
    )
}

/// A path that ends with a separator.
fn folder_of(parts: &Path) -> String {
    format!("{}/", text(parts))
}

fn bytes_of(parts: &Path) -> Vec<(String, Vec<u8>)> {
    let names = files(parts)
        .into_iter()
        .filter(|name| name.starts_with("part-"));
    names
        .map(|name| (name.clone(), fs::read(parts.join(name)).unwrap()))
        .collect()
}

#[test]
fn rows_are_those_of_a_single_table() {
    let folder = tempfile::tempdir().unwrap();
    let shards = cut("4", folder.path());
    let (single, parts) = (
        folder.path().join("one.parquet"),
        folder.path().join("scores"),
    );
    let measures: [&[&str]; 5] = [
        &["pagerank", "--tolerance", "1e-4"],
        &["trustrank", "--seeds", "bash,perl"],
        &["harmonic", "--method", "hyperball", "--log2m", "5"],
        &["lin", "--method", "sample", "--sources", "90"],
        &[
            "geometric",
            "--measures",
            "lin,reachable",
            "--method",
            "hyperball",
            "--log2m",
            "4",
        ],
    ];
    for measure in measures {
        let run = |output: &str, others: &[&str]| {
            let about = [text(&shards), "-o", output, "-q"];
            stdout(&[measure, &about, others].concat());
        };
        run(text(&single), &[]);
        let mut first = None;
        for workers in ["1", "3"] {
            // The second run replaces the table of the first one.
            run(&folder_of(&parts), &["--workers", workers]);
            let names = files(&parts);
            let expected = ["_SUCCESS", "_manifest.json", "part-00000.parquet"];
            assert!(
                expected
                    .iter()
                    .all(|name| names.contains(&(*name).to_owned())),
                "{names:?}"
            );
            assert_eq!(names.len(), 6);
            let bytes = bytes_of(&parts);
            assert!(
                first.get_or_insert_with(|| bytes.clone()) == &bytes,
                "{measure:?}"
            );
        }
        let (expected, found) = (rows(&single), rows(&parts));
        assert_eq!(expected.0, found.0);
        assert!(expected.1 == found.1, "{measure:?}");
        let manifest = |path: &Path| -> serde_json::Value {
            serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
        };
        let [one, many] = [
            folder.path().join("one.parquet.json"),
            parts.join("_manifest.json"),
        ]
        .map(|path| manifest(&path));
        for field in ["columns", "intervals", "proved_positions", "rank", "graph"] {
            assert_eq!(one[field], many[field], "{field}");
        }
    }
}

/// Commands that read tables read folders, and know their manifests.
#[test]
fn folders_are_tables() {
    let folder = tempfile::tempdir().unwrap();
    let shards = cut("3", folder.path());
    let (single, parts) = (
        folder.path().join("one.csv"),
        folder.path().join("scores.parquet"),
    );
    let path = folder_of(&parts);
    for output in [text(&single), &path] {
        stdout(&[
            "pagerank",
            text(&shards),
            "-o",
            output,
            "-q",
            "--workers",
            "2",
        ]);
    }
    let same = stdout(&["compare", text(&single), &path]);
    assert!(same.contains("1.0000"), "{same}");
    assert_eq!(
        stdout(&["top", &path, "--limit", "3"]),
        stdout(&["top", text(&single), "--limit", "3"])
    );
    let joined = stdout(&["join", &path, text(&single)]);
    assert!(joined.lines().count() > 100, "{joined}");
    stdout(&["verify", &path, "--graph", DEBIAN]);
    stdout(&["pagerank", DEBIAN, "--start", text(&parts), "--plan"]);
    let again = stdout(&["rerun", text(&parts.join("_manifest.json"))]);
    assert!(again.contains("the same bits again"), "{again}");
    fs::remove_file(parts.join("part-00001.parquet")).unwrap();
    let changed = failure(&["rerun", text(&parts.join("_manifest.json"))], 1);
    assert!(changed.contains("changed since"), "{changed}");
}

#[test]
fn other_folders_stay() {
    let folder = tempfile::tempdir().unwrap();
    let shards = cut("2", folder.path());
    let parts = folder.path().join("scores");
    let path = folder_of(&parts);
    let run = ["pagerank", text(&shards), "-o", &path];
    fs::create_dir(&parts).unwrap();
    fs::write(parts.join("thesis"), "x").unwrap();
    let said = failure(&run, 1);
    assert!(said.contains("holds 'thesis'"), "{said}");
    fs::remove_dir_all(&parts).unwrap();
    for (arguments, word) in [
        (&[&run[..], &["--top", "3"]].concat()[..], "leave out --top"),
        (&["pagerank", DEBIAN, "-o", &path], "is not cut into parts"),
        (&["betweenness", DEBIAN, "-o", &path], "name a file"),
        (&["top", text(folder.path())], "without Parquet files"),
    ] {
        let said = failure(arguments, 1);
        assert!(said.contains(word), "{said}");
    }
    // A run that does not converge leaves nothing.
    failure(
        &[&run[..], &["--max-iterations", "2", "--tolerance", "1e-12"]].concat(),
        3,
    );
    assert_eq!(files(folder.path()), ["debian.shards"]);
    stdout(&[&run[..], &["-q"]].concat());
    assert!(parts.join("_SUCCESS").is_file());
}

#[test]
#[cfg(unix)]
fn a_pipe_in_place_of_a_file_is_called_that() {
    let folder = tempfile::tempdir().unwrap();
    let shards = folder.path().join("g.shards");
    stdout(&["shard", "graphs/debian.bv", "-n", "2", "-o", text(&shards)]);
    let rows = shards.join("part-00001/own.graph");
    std::fs::remove_file(&rows).unwrap();
    let made = std::process::Command::new("mkfifo").arg(&rows).status();
    assert!(made.unwrap().success());
    let message = failure(&["pagerank", text(&shards)], 1);
    assert!(message.contains("not a regular file"), "{message}");
}

#[test]
fn random_damage_of_shards_is_one_line_or_changes_no_score() {
    let folder = tempfile::tempdir().unwrap();
    let arcs = folder.path().join("arcs.tsv");
    let lines = (0..60).map(|k| format!("{}\t{}\n", k % 13, k * k % 17));
    fs::write(&arcs, lines.collect::<String>()).unwrap();
    let shards = folder.path().join("g.shards");
    stdout(&["shard", text(&arcs), "-n", "2", "-o", text(&shards), "-q"]);
    let refused = is_refused_or_harmless(&shards, 12, || {
        let graph = Graph::open(&shards)?;
        let ranked = PageRank::default().compute(&graph, &Limits::default(), &Silent)?;
        let bits = ranked.values().iter().map(|score| score.to_bits());
        Ok((bits.collect::<Vec<_>>(), graph.name(1).into_owned()))
    });
    assert!(refused > 100, "{refused}");
}
