//! `rank export` and `rank subgraph`.

use tempfile::TempDir;
use webrank_testing::cli::*;

#[test]
fn an_exported_graph_is_imported_as_it_was() {
    let folder = TempDir::new().unwrap();
    let graph = small(folder.path());
    let at = |name: &str| text(&folder.path().join(name)).to_owned();
    for name in ["e.tsv", "e.csv.gz", "e.txt.zst"] {
        rank(&["export", text(&graph), "-o", &at(name)])
            .assert()
            .success();
        let again = at(&format!("{name}.bv"));
        stdout(&["import", &at(name), "-o", &again]);
        assert_eq!(
            stdout(&["indegree", text(&graph)]),
            stdout(&["indegree", &again])
        );
    }
    let edges = stdout(&["export", text(&graph), "--to", "edges", "-o", "-"]);
    assert_eq!(edges, "a\tb\nb\tc\nc\ta\nc\tb\nd\ta\n");
    let weights = folder.path().join("weights.csv");
    std::fs::write(&weights, "a,b,2\nb,c,3\nc,a,4\nc,b,5\nd,a,6.5\n").unwrap();
    let arguments = [
        "export",
        text(&graph),
        "--to",
        "matrixmarket",
        "-o",
        "-",
        "--weights",
        text(&weights),
        "-q",
    ];
    let matrix = stdout(&arguments);
    assert!(
        matrix.ends_with("4 4 5\n1 2 2.0\n2 3 3.0\n3 1 4.0\n3 2 5.0\n4 1 6.5\n"),
        "{matrix}"
    );
}

#[test]
fn what_is_lost_is_said() {
    let folder = TempDir::new().unwrap();
    let graph = small(folder.path());
    let at = |name: &str| text(&folder.path().join(name)).to_owned();
    for (name, words) in [
        ("g.mtx", "the format has no names; they are in "),
        ("g.npz", "names.txt.zst, one per line"),
        ("g.graphml", ""),
        ("g.parquet", ""),
    ] {
        let run = rank(&["export", text(&graph), "-o", &at(name)])
            .assert()
            .success();
        let said = String::from_utf8(run.get_output().stderr.clone()).unwrap();
        assert!(
            said.contains(words) && said.is_empty() == words.is_empty(),
            "{said}"
        );
    }
    for (name, words) in [
        ("g.metis", "the arc 0 -> 1 has no reverse"),
        (
            "g.png",
            "its extension names no format of graphs; name one with --to",
        ),
        ("g.npz.gz", "only text is compressed as a whole"),
    ] {
        let message = failure(&["export", text(&graph), "-o", &at(name)], 1);
        assert!(message.contains(words), "{message}");
        assert!(!folder.path().join(name).exists());
    }
}

#[test]
fn a_subgraph_of_the_best_nodes() {
    let folder = TempDir::new().unwrap();
    let graph = small(folder.path());
    let at = |name: &str| text(&folder.path().join(name)).to_owned();
    let scores = at("scores.parquet");
    rank(&["-q", "pagerank", text(&graph), "-o", &scores])
        .assert()
        .success();
    let best = format!("{scores}:2");
    // b and c are the best, and there are arcs both ways.
    let said = stdout(&[
        "subgraph",
        text(&graph),
        "--top",
        &best,
        "-o",
        &at("best.bv"),
    ]);
    assert!(said.ends_with("best.bv: 2 nodes, 2 arcs\n"), "{said}");
    let table = stdout(&["outdegree", &at("best.bv")]);
    assert_eq!(table, "node,name,score,rank\n0,b,1.0,1\n1,c,1.0,1\n");
    let said = stdout(&[
        "subgraph",
        text(&graph),
        "--top",
        &best,
        "--neighbours",
        "-o",
        &at("near.gexf"),
    ]);
    assert!(said.ends_with("near.gexf: 3 nodes, 4 arcs\n"), "{said}");
    let gexf = std::fs::read_to_string(at("near.gexf")).unwrap();
    assert_eq!(gexf.matches("<attvalue ").count(), 9, "{gexf}");
    let list = folder.path().join("list.txt");
    std::fs::write(&list, "d\na\n").unwrap();
    let edges = stdout(&[
        "subgraph",
        text(&graph),
        "--nodes",
        text(&list),
        "-o",
        &at("ends.tsv"),
        "-q",
    ]);
    assert!(edges.is_empty());
    assert_eq!(std::fs::read_to_string(at("ends.tsv")).unwrap(), "d\ta\n");
    // Without names, numbers are names.
    let ids = folder.path().join("ids.txt");
    std::fs::write(&ids, "0 5\n5 7\n7 5\n").unwrap();
    stdout(&["import", "--ids", text(&ids), "-o", &at("ids.bv")]);
    std::fs::write(&list, "7\n5\n").unwrap();
    stdout(&[
        "subgraph",
        &at("ids.bv"),
        "--nodes",
        text(&list),
        "-o",
        &at("few.bv"),
    ]);
    let table = stdout(&["indegree", &at("few.bv")]);
    assert_eq!(table, "name,score,rank\n5,1.0,1\n7,1.0,1\n");
    let message = failure(
        &["subgraph", text(&graph), "--top", &best, "-o", &scores],
        1,
    );
    assert!(message.contains("is an input of this run"), "{message}");
    for (arguments, code, words) in [
        (&["--top", "scores.csv"][..], 2, "such as pagerank.csv:1000"),
        (
            &["--top", &best, "--weights", &scores],
            2,
            "bundles do not hold weights",
        ),
    ] {
        let output = at("no.bv");
        let arguments = [&["subgraph", text(&graph), "-o", &output], arguments].concat();
        let message = failure(&arguments, code);
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn the_columns_of_tables_are_attributes_of_the_nodes() {
    let folder = TempDir::new().unwrap();
    let graph = small(folder.path());
    let at = |name: &str| text(&folder.path().join(name)).to_owned();
    let (degrees, extra) = (at("degrees.csv"), at("extra.csv"));
    rank(&["-q", "indegree", text(&graph), "-o", &degrees])
        .assert()
        .success();
    std::fs::write(
        &extra,
        "name,score,kind\na,0.5,x\nc,0.25,\"y, z\"\nno,1,x\n",
    )
    .unwrap();
    let export = |output: &str| {
        let tables = ["--scores", &degrees, "--scores", &extra];
        let arguments = [&["export", text(&graph), "-o", output][..], &tables].concat();
        let run = rank(&arguments).assert().success();
        String::from_utf8(run.get_output().stderr.clone()).unwrap()
    };
    let said = export(&at("g.csv"));
    let unknown = "rank: 1 row of the tables is about none of the 4 nodes, the first is 'no'\n";
    assert_eq!(said, unknown);
    let read = |name: &str| std::fs::read_to_string(at(name)).unwrap();
    assert!(read("g.csv").starts_with("Source,Target\n\"a\",\"b\"\n"));
    assert_eq!(
        read("g.nodes.csv"),
        "Id,Label,indegree_score,rank,extra_score,kind\n\
         a,a,2.0,1,0.5,x\nb,b,2.0,1,,\nc,c,1.0,3,0.25,\"y, z\"\nd,d,0.0,4,,\n"
    );
    // The two files read back as they were.
    let again = [
        "outdegree",
        &at("g.csv"),
        "--nodes",
        &at("g.nodes.csv"),
        "-q",
    ];
    assert_eq!(stdout(&again), stdout(&["outdegree", text(&graph), "-q"]));
    export(&at("g.gml"));
    assert!(read("g.gml").contains("    extra_score 0.25\n    kind \"y, z\"\n"));
    for (name, words) in [
        ("g.mtx", "the format has no columns of nodes"),
        ("g.parquet", "the format has no columns of nodes"),
        ("g.no.csv", ""),
    ] {
        let table = at(if words.is_empty() {
            "none.csv"
        } else {
            "extra.csv"
        });
        std::fs::write(at("none.csv"), "name,score\nno,1\n").unwrap();
        let arguments = ["export", text(&graph), "-o", &at(name), "--scores", &table];
        let message = failure(&arguments, 1);
        let words = if words.is_empty() {
            "none.csv: 'no'"
        } else {
            words
        };
        assert!(message.contains(words), "{message}");
        assert!(!folder.path().join(name).exists());
    }
}

#[test]
fn a_subgraph_keeps_the_columns_of_its_table() {
    let folder = TempDir::new().unwrap();
    let graph = small(folder.path());
    let at = |name: &str| text(&folder.path().join(name)).to_owned();
    let table = at("table.csv");
    std::fs::write(&table, "name,score,kind\nb,3,x\na,2,y\nd,1,z\n").unwrap();
    let chosen = [["--nodes", &table], ["--top", &format!("{table}:2")]];
    for (chosen, nodes) in chosen.iter().zip([3, 2]) {
        let output = at("few.json");
        rank(
            &[
                &["subgraph", text(&graph), "-q", "-o", &output],
                &chosen[..],
            ]
            .concat(),
        )
        .assert()
        .success();
        let json = std::fs::read_to_string(&output).unwrap();
        assert!(
            json.contains("{\"id\": \"a\", \"score\": 2, \"kind\": \"y\"}"),
            "{json}"
        );
        assert_eq!(json.matches("\"kind\"").count(), nodes, "{json}");
    }
}

#[test]
fn the_table_of_nodes_replaces_no_input() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| text(&folder.path().join(name)).to_owned();
    let (edges, table) = (at("g.nodes.csv"), at("t.csv"));
    std::fs::write(&edges, "a,b\nb,a\n").unwrap();
    std::fs::write(&table, "name,score\na,1\nb,2\n").unwrap();
    let export = ["export", &edges, "--scores", &table, "-o", &at("g.csv")];
    let message = failure(&export, 1);
    assert!(message.contains("is an input of this run"), "{message}");
    assert_eq!(std::fs::read_to_string(&edges).unwrap(), "a,b\nb,a\n");
}

#[test]
fn nodes_are_read_from_typed_tables() {
    let folder = TempDir::new().unwrap();
    let graph = small(folder.path());
    let at = |name: &str| text(&folder.path().join(name)).to_owned();
    for table in ["best.parquet", "best.arrow", "best.jsonl"] {
        let table = at(table);
        stdout(&["pagerank", text(&graph), "--top", "2", "-q", "-o", &table]);
        let output = at("few.tsv");
        stdout(&[
            "subgraph",
            text(&graph),
            "--nodes",
            &table,
            "-q",
            "-o",
            &output,
        ]);
        assert_eq!(std::fs::read_to_string(&output).unwrap(), "b\tc\nc\tb\n");
    }
    for (row, words) in [
        ("{\"node\":9}", "line 1: '9': not the number of a node"),
        ("{\"x\":1}", "no column 'name' or 'node'"),
        (
            "{\"name\":\"a\"}\n{\"name\":\"a\"}",
            "line 2: 'a' occurs twice",
        ),
    ] {
        let table = at("wrong.jsonl");
        std::fs::write(&table, format!("{row}\n")).unwrap();
        let arguments = [
            "subgraph",
            text(&graph),
            "--nodes",
            &table,
            "-o",
            &at("no.csv"),
        ];
        let message = failure(&arguments, 1);
        assert!(message.contains(words), "{message}");
    }
}

#[test]
fn cells_that_are_no_numbers_are_left_out_with_a_word() {
    let folder = TempDir::new().unwrap();
    let graph = small(folder.path());
    let at = |name: &str| text(&folder.path().join(name)).to_owned();
    let table = at("table.csv");
    std::fs::write(&table, "name,x,y\na,NaN,1\nb,-inf,2\nc,3,\n").unwrap();
    for (output, told) in [
        (
            "g.json",
            "rank: 2 cells that are NaN or infinite are left out, the first in column 'x'\n",
        ),
        // A table of nodes holds them.
        ("g.csv", ""),
    ] {
        for command in [&["export"][..], &["subgraph", "--nodes", &table]] {
            let output = at(output);
            let end = [text(&graph), "-o", &output, "--scores", &table];
            let run = rank(&[command, &end].concat()).assert().success();
            let said = String::from_utf8(run.get_output().stderr.clone()).unwrap();
            assert_eq!(said, told);
        }
    }
    assert!(
        std::fs::read_to_string(at("g.nodes.csv"))
            .unwrap()
            .contains("NaN")
    );
    let keyless = at("keyless.csv");
    std::fs::write(&keyless, "k,x\na,1\n").unwrap();
    let arguments = [
        "export",
        text(&graph),
        "-o",
        &at("g.gml"),
        "--scores",
        &keyless,
    ];
    let message = failure(&[&arguments[..], &["--scores", &table]].concat(), 1);
    assert!(message.contains("rename the column of keys"), "{message}");
}
