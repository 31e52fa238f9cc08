//! `rank import --order` and `--codes`, and `rank recode --order`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use webrank_testing::cli::*;

/// Scores by name.
fn ranked(graph: &Path) -> BTreeMap<String, f64> {
    let table = stdout(&["pagerank", text(graph), "--tolerance", "1e-12", "-o", "-"]);
    let rows = table.lines().skip(1);
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        (fields[1].to_owned(), fields[2].parse().unwrap())
    };
    rows.map(row).collect()
}

fn check_scores(one: &BTreeMap<String, f64>, other: &BTreeMap<String, f64>) {
    assert!(one.keys().eq(other.keys()));
    for (name, score) in one {
        assert!((score - other[name]).abs() < 3e-12, "{name}");
    }
}

/// A list of arcs with weights, in which near names are not near.
fn write_arcs(folder: &Path) -> std::path::PathBuf {
    let arcs = (0..3000u32).map(|i| {
        let (from, to) = (i * 7919 % 401, (i * i + 11 * i) % 397);
        format!("v{from}\tv{to}\t{}\n", 1 + i % 5)
    });
    let path = folder.join("arcs.tsv");
    fs::write(&path, arcs.collect::<String>()).unwrap();
    path
}

#[test]
fn scores_by_name_do_not_depend_on_the_order() {
    let folder = TempDir::new().unwrap();
    let arcs = write_arcs(folder.path());
    let bundle = |name: &str| folder.path().join(name);
    let plain = bundle("names.bv");
    let said = stdout(&["import", text(&arcs), "-o", text(&plain)]);
    assert!(said.ends_with(" bits an arc\n"), "{said}");
    let expected = ranked(&plain);
    for order in ["given", "degree", "bfs", "llp"] {
        let path = bundle(&format!("{order}.bv"));
        let said = stdout(&["import", text(&arcs), "--order", order, "-o", text(&path)]);
        let tells = said.contains(" before nodes were ordered)");
        assert_eq!(tells, order != "given", "{said}");
        check_scores(&ranked(&path), &expected);
        stdout(&["check", text(&path)]);
        let again = bundle("again.bv");
        stdout(&[
            "recode",
            text(&plain),
            "--order",
            order,
            "-o",
            text(&again),
            "--force",
        ]);
        check_scores(&ranked(&again), &expected);
    }
    let left = files(folder.path());
    assert!(left.iter().all(|name| !name.starts_with('.')), "{left:?}");
}

#[test]
fn an_import_and_a_bundle_get_the_same_order() {
    let folder = TempDir::new().unwrap();
    let arcs = write_arcs(folder.path());
    let [plain, one, two] = ["a.bv", "b.bv", "c.bv"].map(|name| folder.path().join(name));
    let temp = folder.path().join("temp");
    fs::create_dir(&temp).unwrap();
    stdout(&["import", text(&arcs), "-o", text(&plain)]);
    let order = ["--order", "llp", "--codes", "auto"];
    let import = [
        "import",
        text(&arcs),
        "-o",
        text(&one),
        "--temp",
        text(&temp),
    ];
    stdout(&[&import[..], &order].concat());
    stdout(&[&["recode", text(&plain), "-o", text(&two)][..], &order].concat());
    for file in files(&one) {
        let [one, two] = [&one, &two].map(|bundle| fs::read(bundle.join(&file)).unwrap());
        assert!(one == two, "{file}");
    }
    assert_eq!(files(&one), files(&two));
    assert_eq!(files(&temp), [""; 0]);
}

#[test]
fn nodes_without_names_are_named_by_their_numbers() {
    let folder = TempDir::new().unwrap();
    let (arcs, bundle) = (folder.path().join("a.tsv"), folder.path().join("a.bv"));
    fs::write(&arcs, "0\t2\n1\t2\n3\t2\n2\t3\n").unwrap();
    let import = ["import", text(&arcs), "--ids", "-o", text(&bundle)];
    stdout(&[&import[..], &["--order", "degree"]].concat());
    let edges = stdout(&["export", text(&bundle), "--to", "edges", "-o", "-"]);
    assert_eq!(edges, "2\t3\n3\t2\n0\t2\n1\t2\n");
}

#[test]
fn the_best_codes_of_an_import_are_those_of_recode() {
    let folder = TempDir::new().unwrap();
    let arcs = folder.path().join("a.tsv");
    stdout(&[
        "export",
        "graphs/rust-doc.bv",
        "--to",
        "edges",
        "-o",
        text(&arcs),
    ]);
    let [plain, one, two] = ["a.bv", "b.bv", "c.bv"].map(|name| folder.path().join(name));
    let said = stdout(&["import", text(&arcs), "-o", text(&plain)]);
    let bits = said.trim_end().rsplit("; ").next().unwrap();
    let bits = bits.strip_suffix(" bits an arc").unwrap();
    let said = stdout(&["import", text(&arcs), "--codes", "auto", "-o", text(&one)]);
    assert!(
        said.contains(&format!("({bits} with default codes)")),
        "{said}"
    );
    stdout(&["recode", text(&plain), "-o", text(&two)]);
    for file in ["graph.graph", "transpose.graph", "graph.properties"] {
        let [one, two] = [&one, &two].map(|bundle| fs::read(bundle.join(file)).unwrap());
        assert!(one == two, "{file}");
    }
    let import = ["import", text(&arcs), "-o", text(&plain), "--force"];
    let problem = failure(&[&import[..], &["--codes", "best"]].concat(), 2);
    assert!(problem.contains("components are outdegrees"), "{problem}");
}

#[test]
fn an_order_that_does_not_fit_is_refused_and_nothing_is_left() {
    let folder = TempDir::new().unwrap();
    let arcs = folder.path().join("arcs.tsv");
    let lines = (0..200_000).map(|i| format!("v{i}\tv{}\n", i * 7919u64 % 200_000));
    fs::write(&arcs, lines.collect::<String>()).unwrap();
    let bundle = folder.path().join("a.bv");
    let import = ["import", text(&arcs), "-o", text(&bundle), "--order", "llp"];
    let problem = failure(&[&import[..], &["--memory", "60M"]].concat(), 1);
    assert!(
        problem.contains("the order of the nodes needs up to") && problem.lines().count() == 1,
        "{problem}"
    );
    assert_eq!(files(folder.path()), ["arcs.tsv"]);
    let problem = failure(
        &[
            "recode",
            "graphs/debian.bv",
            "--order",
            "bfs",
            "-o",
            text(&arcs),
        ],
        1,
    );
    assert!(problem.contains("arcs.tsv"), "{problem}");
}
