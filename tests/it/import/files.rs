//! Every command's answer to a file that is not there, to one of another format, and to one
//! that is undirected.

use std::fs;
use tempfile::TempDir;
use webrank_testing::cli::*;

#[test]
fn a_mistyped_name_is_one_line_with_the_nearest() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("edges.csv"), "a,b\n").unwrap();
    for arguments in [
        &["pagerank", "edgse.csv"][..],
        &["info", "edgse.csv"],
        &["import", "edgse.csv", "-o", "g.bv"],
        &["export", "edgse.csv", "-o", "g.mtx"],
    ] {
        let (code, _, said) = run_in(folder.path(), arguments);
        assert_eq!(code, Some(1));
        let expected = "rank: edgse.csv: no such file; did you mean edges.csv?\n";
        assert_eq!(said, expected, "{arguments:?}");
    }
    let (_, _, said) = run_in(folder.path(), &["pagerank", "nosuch.csv"]);
    assert_eq!(said, "rank: nosuch.csv: no such file\n");
    let (_, _, said) = run_in(folder.path(), &["pagerank", "nosuch.bv"]);
    assert_eq!(said, "rank: nosuch.bv: no such bundle\n");
}

#[test]
fn info_reads_what_ranking_commands_read() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("edges.csv"), "a,b\nb,c\nc,c\n").unwrap();
    let (code, said, _) = run_in(folder.path(), &["info", "edges.csv"]);
    assert_eq!(code, Some(0));
    for line in [
        "nodes            3",
        "arcs             3",
        "self-loops       1 (33.3% of the nodes)",
        "indegree         0 to 2 (c)",
        "names            yes",
        "file             edges.csv: 12 B",
    ] {
        assert!(said.lines().any(|it| it == line), "{line}\n{said}");
    }
    assert!(
        !said.contains("layout") && !said.contains("codes"),
        "{said}"
    );
    let (_, json, _) = run_in(folder.path(), &["info", "edges.csv", "--json", "-q"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (json["nodes"].as_u64(), json["window"].is_null()),
        (Some(3), true)
    );
}

#[test]
fn what_reads_only_bundles_says_how_to_make_one() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("edges.csv"), "a,b\n").unwrap();
    for arguments in [
        &["check", "edges.csv"][..],
        &["codes", "edges.csv"],
        &["recode", "edges.csv", "-o", "g.bv"],
    ] {
        let (code, _, said) = run_in(folder.path(), arguments);
        assert_eq!((code, said.lines().count()), (Some(1), 1), "{said}");
        assert!(
            said.contains("'rank import edges.csv -o graph.bv'"),
            "{said}"
        );
    }
}

#[test]
fn metis_is_read_though_bvgraphs_have_its_extension() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("g.graph"), "3 2\n2\n1 3\n2\n").unwrap();
    let (code, said, _) = run_in(folder.path(), &["info", "g.graph"]);
    assert_eq!(code, Some(0));
    assert!(said.contains("arcs             4"), "{said}");
    for command in ["check", "codes"] {
        let (code, _, said) = run_in(folder.path(), &[command, "g.graph"]);
        assert_eq!((code, said.lines().count()), (Some(1), 1), "{said}");
        assert!(said.contains("'rank import g.graph -o graph.bv'"), "{said}");
    }
    // A list of arcs, too.
    fs::write(folder.path().join("l.graph"), "Scott,Jill\nJill,Ann\n").unwrap();
    let (code, said, _) = run_in(folder.path(), &["indegree", "l.graph", "-q"]);
    assert_eq!((code, said.lines().count()), (Some(0), 4), "{said}");
    fs::write(folder.path().join("h.graph"), b"\xf0\x17").unwrap();
    let (code, _, said) = run_in(folder.path(), &["info", "h.graph"]);
    assert_eq!(code, Some(1));
    assert!(said.contains("h.properties"), "{said}");
}

#[test]
fn more_nodes_than_memory_holds_are_refused_before_they_are_made() {
    let folder = TempDir::new().unwrap();
    for (name, text) in [
        (
            "g.mtx",
            "%%MatrixMarket matrix coordinate pattern general\n500000000 500000000 1\n1 2\n",
        ),
        ("g.net", "*Vertices 500000000\n*Arcs\n1 2\n"),
        ("g.metis", "500000000 1\n2\n1\n"),
        ("g.dl", "dl n=500000000 format=edgelist1\ndata:\n1 2\n"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
        let (code, _, said) = run_in(folder.path(), &["indegree", name, "--memory", "1G"]);
        assert_eq!((code, said.lines().count()), (Some(1), 1), "{said}");
        let words = "says that there are 500000000 nodes, which take 16.0 GB or more";
        assert!(said.contains(words) && said.contains(name), "{said}");
    }
    // The matrix of so many nodes is longer: its end comes first.
    fs::write(folder.path().join("g.g6"), "~~?Ff{??A\n").unwrap();
    let (code, _, said) = run_in(folder.path(), &["indegree", "g.g6", "--memory", "1G"]);
    assert_eq!((code, said.lines().count()), (Some(1), 1), "{said}");
}

#[test]
fn a_text_that_is_only_named_as_compressed_is_refused() {
    let folder = TempDir::new().unwrap();
    for extension in ["gz", "zst", "bz2", "xz"] {
        let name = format!("edges.txt.{extension}");
        fs::write(folder.path().join(&name), "a b\nb c\n").unwrap();
        let (code, _, said) = run_in(folder.path(), &["indegree", &name]);
        assert_eq!((code, said.lines().count()), (Some(1), 1), "{said}");
        let words = format!("is named .{extension}, but does not start like such a file");
        assert!(said.contains(&words) && said.contains(&name), "{said}");
    }
    fs::write(folder.path().join("edges.txt"), "a:b\nb:c\n").unwrap();
    let (code, _, said) = run_in(
        folder.path(),
        &["indegree", "edges.txt", "--separator", ":"],
    );
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("colons, no header; 3 nodes, 2 arcs"),
        "{said}"
    );
}

#[test]
fn options_that_a_format_does_not_use_are_refused() {
    let folder = TempDir::new().unwrap();
    for (name, text) in [
        (
            "g.gml",
            "graph [ node [ id 1 ] edge [ source 1 target 1 ] ]",
        ),
        ("g.csv", "a,b\nb,c\n"),
        (
            "g.json",
            "{\"nodes\": [{\"id\": 1}], \"links\": [{\"source\": 1, \"target\": 1}]}",
        ),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let run = |arguments: &[&str]| run_in(folder.path(), arguments);
    for arguments in [
        &["indegree", "g.gml", "--columns", "1,2"][..],
        &["indegree", "g.gml", "--separator", "comma"],
        &["indegree", "g.gml", "--header"],
        &["indegree", "g.gml", "--predicate", "x"],
        &["indegree", "g.csv", "--predicate", "x"],
        &["indegree", "g.json", "--columns", "source,target"],
    ] {
        let (code, _, said) = run(arguments);
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(code != Some(0) && said.contains("leave it out"), "{said}");
    }
    let (_, _, said) = run(&["indegree", "g.csv", "--separator", ":"]);
    assert!(
        said.contains("has one column") || said.contains("no arc"),
        "{said}"
    );
    run(&["import", "g.csv", "-o", "g.bv", "-q"]);
    let (code, _, said) = run(&["indegree", "g.bv", "--columns", "1,2"]);
    assert!(
        code != Some(0) && said.contains("g.bv is read as a BVGraph"),
        "{said}"
    );
}

#[test]
fn every_command_takes_a_file_as_undirected() {
    let folder = TempDir::new().unwrap();
    let run = |arguments: &[&str]| {
        let (code, out, said) = run_in(folder.path(), arguments);
        assert_eq!(code, Some(0), "{said}");
        out
    };
    fs::write(folder.path().join("edges.csv"), "a,b\nb,c\n").unwrap();
    let directed = run(&["indegree", "edges.csv", "-q"]);
    let both = run(&["indegree", "edges.csv", "--undirected", "-q"]);
    assert!(
        directed.contains("a,0.0,") && both.contains("a,1.0,"),
        "{both}"
    );
    assert_eq!(run(&["indegree", "edges.csv", "--symmetric", "-q"]), both);
    run(&["import", "edges.csv", "-q", "-o", "directed.bv"]);
    run(&["import", "edges.csv", "--undirected", "-q", "-o", "both.bv"]);
    assert_eq!(run(&["indegree", "both.bv", "-q"]), both);
    // A bundle, too.
    assert_eq!(
        run(&["indegree", "directed.bv", "--undirected", "-q"]),
        both
    );
    let info = run(&["info", "directed.bv", "--undirected", "-q"]);
    assert!(info.contains("arcs             4"), "{info}");
    let neighbours = run(&[
        "neighbors",
        "directed.bv",
        "a",
        "--in",
        "--undirected",
        "-q",
    ]);
    assert_eq!(neighbours, "direction,node,name\nin,1,b\n");
    let (code, _, said) = run_in(folder.path(), &["check", "both.bv", "--undirected"]);
    assert_eq!(code, Some(2), "{said}");
}

#[test]
fn extensions_name_formats_of_export() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("edges.csv"), "a,b\n").unwrap();
    let (code, out, said) = run_in(
        folder.path(),
        &["export", "edges.csv", "--to", "mtx", "-q", "-o", "-"],
    );
    assert_eq!(code, Some(0), "{said}");
    assert!(out.starts_with("%%MatrixMarket"), "{out}");
    let (_, out, _) = run_in(
        folder.path(),
        &["export", "edges.csv", "--to", "csv", "-q", "-o", "-"],
    );
    assert_eq!(out, "\"a\",\"b\"\n");
}
