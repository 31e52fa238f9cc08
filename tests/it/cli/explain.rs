//! `rank explain`.

use tempfile::TempDir;
use webrank_testing::cli::*;

/// a -> b -> c -> a, c -> b, d -> a.
fn explained(folder: &TempDir, node: &str) -> serde_json::Value {
    let graph = small(folder.path());
    let table = folder.path().join("pagerank.csv");
    rank(&["-q", "pagerank", text(&graph), "-o", text(&table)])
        .assert()
        .success();
    let json = stdout(&["explain", text(&graph), node, text(&table), "--json"]);
    serde_json::from_str(&json).unwrap()
}

#[test]
fn a_pagerank_is_the_sum_of_what_is_given() {
    let folder = TempDir::new().unwrap();
    let found = explained(&folder, "a");
    assert_eq!(found["indegree"], 2);
    assert_eq!(found["outdegree"], 1);
    let table = &found["tables"][0];
    let inflow = &table["inflow"];
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    let givers = inflow["first"].as_array().unwrap();
    let names: Vec<_> = givers
        .iter()
        .map(|giver| giver["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["c", "d"]);
    // d only gets the start of walks, a quarter of 0.15, and passes 0.85 of it on.
    assert!((number(&givers[1]["gives"]) - 0.85 * 0.15 / 4.0).abs() < 1e-9);
    assert!((number(&inflow["restarts"]) - 0.15 / 4.0).abs() < 1e-9);
    let sum: f64 = givers.iter().map(|giver| number(&giver["gives"])).sum();
    assert!((sum + number(&inflow["restarts"]) - number(&table["score"])).abs() < 1e-15);
}

/// a -> b and a -> c with weights 1 and 3; b -> c, c -> a.
#[test]
fn weights_of_arcs_share_a_pagerank() {
    let folder = TempDir::new().unwrap();
    let edges = folder.path().join("edges.csv");
    std::fs::write(&edges, "source,target,weight\na,b,1\na,c,3\nb,c,7\nc,a,2\n").unwrap();
    let table = folder.path().join("pagerank.csv");
    let measure = ["-q", "pagerank", text(&edges), "-o", text(&table)];
    rank(&[&measure[..], &["--tolerance", "1e-12"]].concat())
        .assert()
        .success();
    let of = |node| -> serde_json::Value {
        let json = stdout(&["-q", "explain", text(&edges), node, text(&table), "--json"]);
        let found: serde_json::Value = serde_json::from_str(&json).unwrap();
        found["tables"][0].clone()
    };
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    let (a, b) = (number(&of("a")["score"]), number(&of("b")["score"]));
    let found = of("c");
    let givers = found["inflow"]["first"].as_array().unwrap();
    assert_eq!(givers[0]["name"], "a");
    assert!((number(&givers[0]["gives"]) - 0.85 * 0.75 * a).abs() < 1e-15);
    assert!((number(&givers[1]["gives"]) - 0.85 * b).abs() < 1e-15);
    assert!((number(&found["inflow"]["restarts"]) - 0.05).abs() < 1e-11);
    // Without the weights, the shares are not known.
    let plain = stdout(&[
        "-q",
        "explain",
        text(&edges),
        "c",
        text(&table),
        "--unweighted",
        "--json",
    ]);
    assert!(!plain.contains("inflow"), "{plain}");
}

#[test]
fn distances_count_nodes() {
    let folder = TempDir::new().unwrap();
    let found = explained(&folder, "d");
    assert_eq!(found["distances_to_it"], serde_json::json!([1]));
    assert_eq!(found["distances_from_it"], serde_json::json!([1, 1, 1, 1]));
    assert_eq!(found["tables"][0]["rank"], 4);
}

#[test]
fn what_is_not_in_the_graph_is_an_error() {
    let folder = TempDir::new().unwrap();
    let graph = small(folder.path());
    let message = failure(&["explain", text(&graph), "nobody"], 2);
    assert!(message.contains("'nobody'"), "{message}");
    let message = failure(&["explain", DEBIAN, "libc7"], 2);
    assert!(message.contains("did you mean libc6"), "{message}");
    let other = folder.path().join("other.csv");
    std::fs::write(&other, "name,score\nx,1\n").unwrap();
    let message = failure(&["explain", text(&graph), "a", text(&other)], 1);
    assert!(
        message.contains("other.csv") && message.contains("'a'"),
        "{message}"
    );
}

/// a -> b, a -> c, c -> b; b dangles.
#[test]
fn what_dangling_nodes_give_is_told_apart() {
    let folder = TempDir::new().unwrap();
    let edges = folder.path().join("edges.tsv");
    std::fs::write(&edges, "a\tb\na\tc\nc\tb\n").unwrap();
    let graph = folder.path().join("graph.bv");
    let import = ["-q", "import", text(&edges), "-o", text(&graph)];
    rank(&import).assert().success();
    for (option, dangles) in [("preference", true), ("uniform", true), ("none", false)] {
        let table = folder.path().join(format!("{option}.parquet"));
        let measure = ["-q", "pagerank", text(&graph), "-o", text(&table)];
        let options = ["--dangling", option, "--tolerance", "1e-12"];
        rank(&[&measure[..], &options].concat()).assert().success();
        let json = stdout(&["explain", text(&graph), "c", text(&table), "--json"]);
        let found: serde_json::Value = serde_json::from_str(&json).unwrap();
        let standing = &found["tables"][0];
        assert_eq!(standing["measure"], "pagerank");
        assert_eq!(standing["parameters"]["dangling"], option);
        let number = |name: &str| standing["inflow"][name].as_f64().unwrap();
        let (start, dangling) = (number("from_start"), number("from_dangling"));
        let gives = standing["inflow"]["first"][0]["gives"].as_f64().unwrap();
        assert!((start - 0.15 / 3.0).abs() < 1e-12);
        let json = stdout(&["explain", text(&graph), "b", text(&table), "--json"]);
        let b: serde_json::Value = serde_json::from_str(&json).unwrap();
        let b = b["tables"][0]["score"].as_f64().unwrap();
        let given = if dangles { 0.85 * b / 3.0 } else { 0.0 };
        assert!((dangling - given).abs() < 1e-12);
        assert_eq!(
            gives + (start + dangling),
            standing["score"].as_f64().unwrap()
        );
        let said = stdout(&["explain", text(&graph), "c", text(&table)]);
        assert!(said.contains("walks that leave dangling nodes"), "{said}");
        assert!(said.contains("rows): pagerank"), "{said}");
    }
}

#[test]
fn columns_of_several_measures_are_told_apart() {
    let folder = TempDir::new().unwrap();
    let graph = small(folder.path());
    let table = folder.path().join("hits.csv");
    rank(&["-q", "hits", text(&graph), "-o", text(&table)])
        .assert()
        .success();
    let said = stdout(&["explain", text(&graph), "a", text(&table)]);
    assert!(said.contains("(authority, 4 rows): authority"), "{said}");
}

#[test]
fn names_that_would_act_are_spelled_out() {
    let folder = TempDir::new().unwrap();
    let edges = folder.path().join("edges.tsv");
    std::fs::write(&edges, "\u{1b}]0;title\u{7}x\ta\n").unwrap();
    let graph = folder.path().join("graph.bv");
    let table = folder.path().join("pagerank.csv");
    for arguments in [
        ["-q", "import", text(&edges), "-o", text(&graph)],
        ["-q", "pagerank", text(&graph), "-o", text(&table)],
    ] {
        rank(&arguments).assert().success();
    }
    let said = stdout(&["explain", text(&graph), "a", text(&table)]);
    assert!(said.contains("\\u{1b}]0;title\\u{7}x"), "{said}");
    assert!(!said.contains(['\u{1b}', '\u{7}']), "{said:?}");
}

/// With weights, predecessors do not give alpha x / outdegree.
#[test]
fn a_weighted_pagerank_is_not_explained_as_if_it_had_no_weights() {
    let folder = TempDir::new().unwrap();
    let graph = small(folder.path());
    let weights = folder.path().join("weights.csv");
    std::fs::write(&weights, "a,b,1\nb,c,1\nc,a,1\nc,b,8\nd,a,1\n").unwrap();
    let table = folder.path().join("pagerank.csv");
    let measure = ["-q", "pagerank", text(&graph), "-o", text(&table)];
    let weighted = [&measure[..], &["--weights", text(&weights)]].concat();
    rank(&weighted).assert().success();
    let json = stdout(&["explain", text(&graph), "a", text(&table), "--json"]);
    let found: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(found["tables"][0]["measure"], "pagerank");
    assert!(found["tables"][0]["inflow"].is_null(), "{json}");
}
