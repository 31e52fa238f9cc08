//! `rank verify`: what it prints, and what it refuses.

use serde_json::Value;
use std::fmt::Write;
use std::path::Path;
use tempfile::TempDir;
use webrank_testing::cli::*;

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    run_in(".".as_ref(), arguments)
}

pub fn verified(arguments: &[&str]) -> Value {
    let (code, said, problem) = run(&[&["verify", "--json"], arguments].concat());
    assert_eq!(code, Some(0), "{arguments:?} {said} {problem}");
    serde_json::from_str(&said).unwrap()
}

#[test]
fn every_table_of_ours_is_verified_from_its_manifest() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("p.csv"), "a,1\nb,3\n").unwrap();
    std::fs::write(at("s.txt"), "a\nb\n").unwrap();
    std::fs::write(at("w.csv"), "a,b,2\nb,c,1\nc,a,5\nc,b,1\nd,a,0.5\n").unwrap();
    let (p, w, s) = (at("p.csv"), at("w.csv"), at("s.txt"));
    let (p, w, s) = (text(&p), text(&w), text(&s));
    for options in [
        &["pagerank"][..],
        &[
            "pagerank",
            "--alpha",
            "0.5",
            "--preference",
            p,
            "--dangling",
            "uniform",
        ],
        &["pagerank", "--dangling-vector", p],
        &["pagerank", "--weights", w],
        &["pagerank", "--alphas", "0.5,0.9"],
        &["pagerank", "--each-seed", "a,d"],
        &["pagerank", "--derivative"],
        &["pagerank", "--method", "gauss-seidel"],
        &["trustrank", "--seeds", "a"],
        &["trustrank", "--seeds-file", s],
        &["trustrank", "--select", "2"],
        &["trustrank", "--select", "4", "--alpha", "0.5"],
        &["katz"],
        &["katz", "--beta", p, "--alpha", "0.1", "--direction", "out"],
        &["katz", "--weights", w],
        &["leaderrank", "--weights", w],
        &["seeley"],
        &["seeley", "--direction", "out"],
        &["eigenvector", "--weights", w],
        &["eigenvector", "--direction", "out"],
        &["kendall-wei"],
        &["hits"],
        &["hits", "--weights", w],
        &["salsa"],
        &["salsa", "--weights", w],
        &["indegree"],
        &["outdegree"],
        &["harmonic", "--normalize"],
        &["harmonic", "--direction", "out"],
        &["closeness", "--variant", "wasserman-faust"],
        &["decay", "--base", "0.3"],
        &[
            "geometric",
            "--measures",
            "lin,reachable,eccentricity,integration",
        ],
        &["betweenness"],
        &["betweenness", "--normalize", "--endpoints"],
        &["betweenness", "--arcs"],
        &["betweenness", "--arcs", "--normalize"],
        &["betweenness", "--method", "sources", "--sources", "d,b"],
        &[
            "betweenness",
            "--method",
            "sources",
            "--sources-file",
            s,
            "--endpoints",
        ],
    ] {
        let table = at("t.csv");
        let arguments = [&["-q"], options, &[text(&bundle), "-o", text(&table)]].concat();
        rank(&arguments).assert().success();
        let report = verified(&[text(&table)]);
        for column in report["columns"].as_array().unwrap() {
            let error = &column["error"];
            assert!(
                error["at_most"].as_f64().unwrap() < 1e-8,
                "{options:?} {column:#}"
            );
            assert_eq!(column["promised"]["holds"], true, "{options:?} {column:#}");
        }
    }
}

#[test]
fn what_is_neither_proved_nor_broken_is_not_decided() {
    let folder = TempDir::new().unwrap();
    let table = folder.path().join("t.csv");
    // Walks on a ring mix so slowly that sweeps prove nothing.
    let neighbours = |node: u32| [(node, (node + 1) % 1201), ((node + 1) % 1201, node)];
    let mut list = String::from("0,200\n");
    for (source, target) in (0..1201).flat_map(neighbours) {
        writeln!(list, "{source},{target}").unwrap();
    }
    let (arcs, ring) = (
        folder.path().join("ring.csv"),
        folder.path().join("ring.bv"),
    );
    std::fs::write(&arcs, list).unwrap();
    let imported = ["import", "-q", text(&arcs), "--ids", "-o", text(&ring)];
    rank(&imported).assert().success();
    let command = ["seeley", text(&ring), "--tolerance", "1e-8"];
    rank(&[&command[..], &["-q", "-o", text(&table)]].concat())
        .assert()
        .success();
    let (code, said, problem) = run(&["verify", text(&table)]);
    assert_eq!(code, Some(4), "{said} {problem}");
    assert!(said.contains(": not decided\n"), "{said}");
    assert!(
        problem.contains("neither proves nor breaks the promise"),
        "{problem}"
    );
    let (code, said, _) = run(&["verify", "--json", text(&table)]);
    let report: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(code, Some(4));
    assert_eq!(report["columns"][0]["promised"]["holds"], Value::Null);
    let (code, _, within) = run(&["verify", text(&table), "--tolerance", "0.1"]);
    assert_eq!(code, Some(4));
    assert!(
        within.contains("not proved to be within the tolerance 1e-1"),
        "{within}"
    );
    let (doc, bare) = (
        folder.path().join("doc.csv"),
        folder.path().join("bare.csv"),
    );
    let of_doc = ["seeley", "graphs/rust-doc.bv", "--tolerance", "1e-8"];
    rank(&[&of_doc[..], &["-q", "-o", text(&doc)]].concat())
        .assert()
        .success();
    std::fs::copy(&doc, &bare).unwrap();
    let of = ["--graph", "graphs/rust-doc.bv", "--measure", "seeley"];
    let (code, _, nothing) = run(&[&["verify", text(&bare)], &of[..]].concat());
    assert_eq!(code, Some(4));
    assert!(nothing.contains("nothing is proved"), "{nothing}");
}

#[test]
fn a_score_that_should_be_0_has_no_finite_relative_error() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let table = folder.path().join("t.csv");
    std::fs::write(&table, "name,score\na,2\nb,2\nc,1\nd,1e-11\n").unwrap();
    let of = ["--graph", text(&bundle), "--measure", "indegree"];
    let (code, said, problem) = run(&[&["verify", text(&table)], &of[..]].concat());
    assert_eq!(code, Some(1), "{problem}");
    let words = "largest relative error of a score infinite: a score that should be 0 is not";
    assert!(said.contains(words), "{said} {problem}");
    let limited = ["verify", text(&table), "--tolerance", "1"];
    let (code, _, tight) = run(&[&limited[..], &of].concat());
    assert_eq!(code, Some(1));
    assert!(tight.contains("above the tolerance 1e0"), "{tight}");
}

/// A bound above is what decides of scores without a promise.
#[test]
fn a_bound_below_alone_decides_nothing() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let table = folder.path().join("t.csv");
    std::fs::write(&table, "name,score\na,5e9\nb,2\nc,1\nd,7\n").unwrap();
    let of = ["--graph", text(&bundle), "--measure", "betweenness"];
    let sampled = ["verify", text(&table), "--samples", "3"];
    let (code, said, problem) = run(&[&sampled[..], &of].concat());
    assert!(
        said.contains("it is not proved to be at most anything"),
        "{said}"
    );
    assert_eq!(code, Some(4), "{problem}");
    assert!(
        problem.ends_with("how far the scores are off is not decided\n"),
        "{problem}"
    );
}

#[test]
fn files_of_a_run_are_found_from_anywhere() {
    let folder = TempDir::new().unwrap();
    small(folder.path());
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("w.csv"), "a,b,2\nb,c,1\nc,a,5\nc,b,1\nd,a,0.5\n").unwrap();
    std::fs::create_dir(at("out")).unwrap();
    for weights in [&[][..], &["--weights", "w.csv"]] {
        std::fs::write(at("p.csv"), "a,1\nb,3\n").unwrap();
        let run = ["-q", "pagerank", "small.bv", "--preference", "p.csv"];
        let run = [&run[..], weights, &["-o", "out/t.csv"]].concat();
        assert_eq!(run_in(folder.path(), &run).0, Some(0));
        let table = at("out/t.csv");
        let report = verified(&[text(&table)]);
        assert_eq!(report["columns"][0]["parameters"]["preference"], "vector");
        assert_eq!(run_in(&at("out"), &["verify", "t.csv"]).0, Some(0));
        // They must be those of the run, unless others are named.
        std::fs::write(at("p.csv"), "a,1\nb,3.1\n").unwrap();
        let message = failure(&["verify", text(&table)], 1);
        let words = format!("p.csv: is not what the run of {} read", text(&table));
        assert!(message.contains(&words), "{message}");
        let other = at("p.csv");
        let report = verified(&[text(&table), "--preference", text(&other)]);
        assert!(report["columns"][0]["error"]["at_least"].as_f64().unwrap() > 1e-3);
    }
}

#[test]
fn real_graphs_are_verified() {
    let folder = TempDir::new().unwrap();
    let graph = "graphs/rust-doc.bv";
    for (options, bound) in [
        (&["pagerank", "--tolerance", "1e-11"][..], 1e-10),
        (&["katz"], 1e-8),
        (&["eigenvector"], 1e-11),
        (&["indegree"], 0.0),
    ] {
        let table = folder.path().join("t.parquet");
        let arguments = [&["-q"], options, &[graph, "-o", text(&table)]].concat();
        rank(&arguments).assert().success();
        let report = verified(&[text(&table)]);
        assert_eq!(verified(&[text(&table), "--threads", "1"]), report);
        let error = &report["columns"][0]["error"];
        assert!(
            error["at_most"].as_f64().unwrap() <= bound,
            "{options:?} {error}"
        );
    }
}

/// Writes a table of PageRank of the small graph, with a changed score.
fn changed_table(folder: &Path, bundle: &Path, change: f64) -> std::path::PathBuf {
    let table = stdout(&["pagerank", text(bundle), "--tolerance", "1e-12"]);
    let values = scores(&table);
    let path = folder.join("other.csv");
    let rows = values
        .iter()
        .zip(["a", "b", "c", "d"])
        .map(|(score, name)| match name {
            "b" => format!("b,{}\n", score + change),
            name => format!("{name},{score}\n"),
        });
    let text: String = ["url,pr\n".to_owned()].into_iter().chain(rows).collect();
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn a_changed_score_is_caught_with_its_error() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let table = changed_table(folder.path(), &bundle, 1e-6);
    let how = ["--graph", text(&bundle), "--measure", "pagerank"];
    let report = verified(&[&[text(&table)], &how[..]].concat());
    let column = &report["columns"][0];
    let error = column["error"]["at_least"].as_f64().unwrap();
    assert!((0.98e-6..=1e-6).contains(&error), "{column:#}");
    assert!(
        column["error"]["at_most"].as_f64().unwrap() < 1.02e-6,
        "{column:#}"
    );
    assert_eq!(column["worst_name"], "b");
    let arguments = [&["verify", text(&table)], &how[..]].concat();
    let (code, said, problem) = run(&[&arguments[..], &["--tolerance", "1e-5"]].concat());
    assert_eq!((code, problem.as_str()), (Some(0), ""));
    for words in [
        "l1 error between",
        "worst     b: ",
        "measure   pagerank (alpha 0.85",
    ] {
        assert!(said.contains(words), "{said}");
    }
    let (code, again, problem) = run(&[&arguments[..], &["--tolerance", "1e-7"]].concat());
    assert_eq!((code, again), (Some(1), said));
    assert!(
        problem.contains("other.csv: column pr: l1 error between"),
        "{problem}"
    );
    assert!(problem.contains("above the tolerance 1e-7"), "{problem}");
    assert_eq!(problem.lines().count(), 1);
}

#[test]
fn a_broken_promise_is_an_error() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let table = folder.path().join("t.csv");
    let path = folder.path().join("t.csv.json");
    for (options, field, good) in [
        (&["pagerank", "--tolerance", "0.1"][..], "error_bound", 1e-9),
        (
            &["katz", "--tolerance", "0.1", "--method", "power"],
            "relative_error_bound",
            1e-9,
        ),
        (
            &["eigenvector", "--tolerance", "1e-4"],
            "eigenvalue_bounds",
            7.0,
        ),
        (&["harmonic", "--method", "hyperball"], "kind", 0.0),
    ] {
        let arguments = [&["-q"], options, &[text(&bundle), "-o", text(&table)]].concat();
        rank(&arguments).assert().success();
        let mut manifest: Value =
            serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let outcome = &mut manifest["columns"]["score"]["outcome"];
        match field {
            "eigenvalue_bounds" => outcome[field] = serde_json::json!([good, good]),
            "kind" => *outcome = serde_json::json!({ "kind": "exact" }),
            _ => outcome[field] = good.into(),
        }
        std::fs::write(&path, manifest.to_string()).unwrap();
        let (code, said, problem) = run(&["verify", text(&table)]);
        assert_eq!(code, Some(1), "{options:?} {said}");
        assert!(said.contains("BROKEN"), "{said}");
        let words = "but its manifest promises";
        assert!(
            problem.contains(words) && problem.lines().count() == 1,
            "{problem}"
        );
    }
}

#[test]
fn tables_without_a_manifest_need_to_be_described() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let table = changed_table(folder.path(), &bundle, 0.0);
    let (table, graph) = (text(&table), text(&bundle));
    let named = ["verify", table, "--graph", graph, "--measure"];
    let with = |more: &[&'static str]| -> Vec<String> {
        let all = named.iter().chain(more.iter());
        all.map(|word| word.to_string()).collect()
    };
    for (arguments, code, words) in [
        (
            vec!["verify".to_owned(), table.to_owned()],
            1,
            "no manifest",
        ),
        (
            vec!["verify".to_owned(), "nowhere.csv".to_owned()],
            1,
            "cannot read",
        ),
        (with(&["katz"]), 2, "--alpha is not known"),
        (with(&["katz", "--alpha", "0.9"]), 2, "1/rho"),
        (with(&["trustrank"]), 2, "--seeds is none"),
        (
            with(&["harmonic", "--alpha", "0.9"]),
            2,
            "harmonic has no such parameter",
        ),
        (with(&["pagerank", "--column", "x"]), 1, "no column 'x'"),
        (with(&["harmonic", "--samples", "0"]), 2, "--samples is 0"),
        (with(&["integration", "--samples", "2"]), 2, "diameter"),
        (
            with(&["pagerank", "--tolerance", "-1"]),
            2,
            "--tolerance is -1",
        ),
    ] {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let message = failure(&arguments, code);
        assert!(message.contains(words), "{message}");
    }
    let path = folder.path().join("other.csv");
    for (content, words) in [
        (
            "name,score\na,1\nb,1\nc,1\n",
            "no row for 1 of the 4 nodes, the first is 'd'",
        ),
        (
            "name,score\na,1\nb,1\nc,1\nd,1\ne,1\n",
            "'e': no node has this name",
        ),
        ("name,score\na,1\nb,NaN\nc,1\nd,1\n", "line 3: 'NaN'"),
        ("url,score\na,1\nb,1\nc,1\nd,1\n0,1\n", "'0'"),
        (
            "name,x,y\na,1,1\nb,1,1\nc,1,1\nd,1,1\n",
            "--column is not given",
        ),
    ] {
        std::fs::write(&path, content).unwrap();
        let (code, _, problem) = run(&with(&["pagerank"])
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>());
        assert!(
            matches!(code, Some(1 | 2)) && problem.contains(words),
            "{problem}"
        );
        assert_eq!(problem.lines().count(), 1, "{problem}");
    }
}

#[test]
fn what_cannot_be_verified_is_refused() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let table = folder.path().join("t.csv");
    std::fs::write(folder.path().join("w.txt"), "1\n2\n3\n4\n").unwrap();
    let weights = folder.path().join("w.txt");
    for (options, words) in [
        (
            &["harmonic", "--weights", text(&weights)][..],
            "harmonic with weights cannot be verified",
        ),
        (&["pagerank", "--top", "3"], "no row for 1 of the 4 nodes"),
        (
            &["betweenness", "--arcs", "--top", "3"],
            "no row for 2 of the 5 arcs, the first is ",
        ),
    ] {
        let arguments = [&["-q"], options, &[text(&bundle), "-o", text(&table)]].concat();
        rank(&arguments).assert().success();
        let message = failure(&["verify", text(&table)], 1);
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn tables_and_graphs_that_have_changed_are_refused() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let table = folder.path().join("t.csv");
    rank(&["-q", "pagerank", text(&bundle), "-o", text(&table)])
        .assert()
        .success();
    let kept = std::fs::read_to_string(&table).unwrap();
    std::fs::write(&table, kept.replace("0.", "0.0")).unwrap();
    let message = failure(&["verify", text(&table)], 1);
    assert!(message.contains("do not belong together"), "{message}");
    std::fs::write(&table, kept).unwrap();
    std::fs::write(folder.path().join("edges.tsv"), "a\tb\nb\tc\nc\ta\nd\ta\n").unwrap();
    let edges = folder.path().join("edges.tsv");
    rank(&["-q", "import", text(&edges), "-o", text(&bundle), "--force"])
        .assert()
        .success();
    let message = failure(&["verify", text(&table)], 1);
    assert!(message.contains("is not the graph of"), "{message}");
}
