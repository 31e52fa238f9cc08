//! Every command takes files of any format, and bundles keep weights.

use std::fs;
use tempfile::TempDir;
use webrank::{Graph, Silent};
use webrank_testing::cli::*;
use webrank_testing::damage::is_refused_or_harmless;

const ARCS: &str = "source,target,weight\na,b,3\na,c,1\nb,c,2\nc,a,0.1\n";

#[test]
fn a_file_is_ranked_as_its_bundle_is() {
    let folder = TempDir::new().unwrap();
    let (arcs, bundle) = (
        folder.path().join("arcs.csv"),
        folder.path().join("arcs.bv"),
    );
    fs::write(&arcs, ARCS).unwrap();
    let said = stdout(&["import", text(&arcs), "-o", text(&bundle)]);
    assert!(said.contains("3 nodes, 4 arcs with weights;"), "{said}");
    let files = files(&bundle);
    assert!(
        files.iter().any(|file| file.ends_with("weights.f64")),
        "{files:?}"
    );
    let checked = stdout(&["check", text(&bundle)]);
    assert!(checked.contains("4 weights of arcs"), "{checked}");
    let known = stdout(&["info", text(&bundle)]);
    assert!(known.contains("weights          yes"), "{known}");
    for command in [
        &["pagerank"][..],
        &["pagerank", "--unweighted"],
        &["eigenvector"],
        &["hits"],
        &["harmonic"],
        &["betweenness"],
        &["explain", "a"],
    ] {
        let (name, more) = command.split_first().unwrap();
        let (one, other) = (
            [&[*name, text(&arcs)], more].concat(),
            [&[*name, text(&bundle)], more].concat(),
        );
        let (one, other) = match name {
            // Words of a command about a graph name its file.
            &"explain" => (one, other),
            _ => (
                [&one[..], &["-o", "-"]].concat(),
                [&other[..], &["-o", "-"]].concat(),
            ),
        };
        let (one, other) = (stdout(&one), stdout(&other));
        assert_eq!(one, other, "{command:?}");
    }
}

#[test]
fn weights_of_a_bundle_count_unless_told_otherwise() {
    let folder = TempDir::new().unwrap();
    let (arcs, bundle) = (
        folder.path().join("arcs.csv"),
        folder.path().join("arcs.bv"),
    );
    let (plain, weights) = (
        folder.path().join("plain.bv"),
        folder.path().join("weights.csv"),
    );
    fs::write(&arcs, ARCS).unwrap();
    fs::write(&weights, ARCS).unwrap();
    stdout(&["import", text(&arcs), "-o", text(&bundle)]);
    stdout(&["import", text(&arcs), "--unweighted", "-o", text(&plain)]);
    let scores = |graph: &std::path::Path, more: &[&str]| {
        stdout(&[&["pagerank", text(graph), "-o", "-"], more].concat())
    };
    let weighted = scores(&plain, &["--weights", text(&weights)]);
    let unweighted = scores(&plain, &[]);
    assert_ne!(weighted, unweighted);
    assert_eq!(scores(&bundle, &[]), weighted);
    assert_eq!(scores(&bundle, &["--unweighted"]), unweighted);
    assert_eq!(scores(&arcs, &[]), weighted);
    let output = rank(&["harmonic", text(&bundle), "-o", "-"])
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("distances count hops; --lengths weights takes"),
        "{said}"
    );
}

#[test]
fn tables_of_weighted_bundles_and_of_files_are_verified_and_run_again() {
    let folder = TempDir::new().unwrap();
    let (arcs, bundle) = (
        folder.path().join("arcs.csv"),
        folder.path().join("arcs.bv"),
    );
    fs::write(&arcs, ARCS).unwrap();
    stdout(&["import", text(&arcs), "-o", text(&bundle)]);
    for graph in [&arcs, &bundle] {
        for more in [&[][..], &["--unweighted"]] {
            let table = folder.path().join("scores.csv");
            stdout(&[&["pagerank", text(graph), "-o", text(&table)], more].concat());
            let verified = stdout(&["verify", text(&table)]);
            assert!(verified.contains("holds"), "{verified}");
            let manifest = folder.path().join("scores.csv.json");
            let again = stdout(&["rerun", text(&manifest)]);
            assert!(again.contains("the same bits again"), "{again}");
        }
    }
    // A file that was changed is not the graph of the run.
    let table = folder.path().join("scores.csv");
    stdout(&["pagerank", text(&arcs), "-o", text(&table)]);
    fs::write(&arcs, format!("{ARCS}c,b,1\n")).unwrap();
    let problem = failure(&["rerun", text(&folder.path().join("scores.csv.json"))], 1);
    assert!(problem.contains("is not the graph of"), "{problem}");
}

#[test]
fn standard_input_and_folders_of_parts_are_graphs() {
    let folder = TempDir::new().unwrap();
    let parts = folder.path().join("parts");
    fs::create_dir(&parts).unwrap();
    fs::write(parts.join("part-0"), "a b\nb c\n").unwrap();
    fs::write(parts.join("part-1"), "c a\n").unwrap();
    fs::write(parts.join("_SUCCESS"), "").unwrap();
    let of_parts = stdout(&["pagerank", text(&parts), "-o", "-"]);
    let of_input = rank(&["pagerank", "-", "-o", "-"])
        .write_stdin("a b\nb c\nc a\n")
        .output()
        .unwrap();
    assert_eq!(of_parts, String::from_utf8(of_input.stdout).unwrap());
    assert!(of_parts.contains(",c,"), "{of_parts}");
}

#[test]
fn a_file_says_how_it_is_kept() {
    let folder = TempDir::new().unwrap();
    let arcs = folder.path().join("arcs.tsv");
    fs::write(&arcs, "a\tb\nb\ta\na\tb\n").unwrap();
    let output = rank(&["pagerank", text(&arcs), "-o", "-"])
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains("2 nodes, 2 arcs; 1 duplicate arc dropped; 'rank import"),
        "{said}"
    );
    let output = rank(&["pagerank", text(&arcs), "-o", "-", "--quiet"])
        .output()
        .unwrap();
    assert!(output.stderr.is_empty());
    let problem = failure(&["check", text(&arcs)], 1);
    let remedy = format!("'rank import {} -o graph.bv'", text(&arcs));
    assert!(problem.contains(&remedy), "{problem}");
}

#[test]
fn a_file_without_arcs_is_refused() {
    let folder = TempDir::new().unwrap();
    let page = folder.path().join("page.html");
    fs::write(&page, "<html><body>a</body></html>\n").unwrap();
    assert!(failure(&["pagerank", text(&page)], 1).contains("is a page of HTML; 'rank ingest'"));
    fs::write(&page, "nothing\n").unwrap();
    assert!(failure(&["pagerank", text(&page)], 1).contains("--from edges"));
    let list = folder.path().join("list.txt");
    fs::write(&list, "nothing\n").unwrap();
    assert!(failure(&["pagerank", text(&list)], 1).contains("has one column"));
    let scores = stdout(&["pagerank", text(&list), "--allow-empty", "-o", "-"]);
    assert!(scores.contains("0,nothing,1.0"), "{scores}");
}

#[test]
fn bad_lines_are_listed() {
    let folder = TempDir::new().unwrap();
    let (arcs, bundle) = (
        folder.path().join("arcs.tsv"),
        folder.path().join("arcs.bv"),
    );
    fs::write(&arcs, "a\tb\nb\ta\tc\td\nb\tc\n").unwrap();
    let import = ["import", text(&arcs), "-o", text(&bundle)];
    let problem = failure(&import, 1);
    assert!(
        problem.contains("arcs.tsv, line 2: more than two fields"),
        "{problem}"
    );
    assert!(!bundle.exists());
    let said = stdout(&[&import[..], &["--skip-bad", "1"]].concat());
    assert!(
        said.contains("1 line skipped") && said.contains("skipped: "),
        "{said}"
    );
}

/// Rows, their transpose, names, their index, weights, manifest.
#[test]
fn random_damage_of_a_bundle_is_one_line_or_changes_nothing() {
    let folder = TempDir::new().unwrap();
    let [arcs, bundle] = ["arcs.csv", "g.bv"].map(|name| folder.path().join(name));
    let rows = (0..300).map(|k| format!("n{},n{},{}\n", k % 41, k * 7 % 43, 1 + k % 5));
    let rows: String = std::iter::once("source,target,weight\n".to_owned())
        .chain(rows)
        .collect();
    fs::write(&arcs, rows).unwrap();
    stdout(&["import", text(&arcs), "-o", text(&bundle), "-q"]);
    let refused = is_refused_or_harmless(&bundle, 24, || {
        let graph = Graph::open(&bundle)?;
        let names: Vec<_> = (0..3).map(|node| graph.name(node).into_owned()).collect();
        let weighted = graph.weighted_successors(&Silent)?;
        Ok((
            names,
            weighted,
            graph.predecessors(&Silent)?.offsets().to_vec(),
        ))
    });
    assert!(refused > 150, "{refused}");
}
