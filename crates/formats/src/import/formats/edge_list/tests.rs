use crate::import::{ImportFiles, ImportOptions, ImportReport, read};
use std::io::Write;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::progress::Silent;
use webrank_graph::{Csr, Graph};

fn import(name: &str, bytes: &[u8], options: &ImportOptions) -> Result<(Graph, ImportReport)> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    read(&ImportFiles::new(&[path]).unwrap(), options, &Silent)
}

fn import_text(text: &str) -> Result<(Graph, ImportReport)> {
    import("edges", text.as_bytes(), &ImportOptions::default())
}

fn names(graph: &Graph) -> Vec<String> {
    (0..graph.num_nodes())
        .map(|node| graph.name(node as Node).into_owned())
        .collect()
}

fn rows(graph: &Graph) -> Csr {
    graph.take_successors(&Silent).unwrap()
}

fn weights(graph: &Graph) -> Option<Vec<f64>> {
    let weighted = graph.weighted_successors(&Silent).unwrap();
    weighted.map(|(_, weights)| weights)
}

#[test]
fn nodes_come_in_the_order_of_their_names() {
    let text = "# a comment\nb\ta\nb\ta\nlonely\nc d\tb\n";
    let (graph, report) = import_text(text).unwrap();
    assert_eq!(names(&graph), ["a", "b", "c d", "lonely"]);
    assert_eq!((report.arcs, report.duplicates), (2, 1));
    assert_eq!(rows(&graph), Csr::from_arcs(4, [(1, 0), (2, 1)]).unwrap());
    assert_eq!(weights(&graph), None);
}

#[test]
fn or_in_the_order_given() {
    let options = ImportOptions {
        order: crate::import::Order::Given,
        ..Default::default()
    };
    let (graph, _) = import("e", b"b a\nc b\n", &options).unwrap();
    assert_eq!(names(&graph), ["b", "a", "c"]);
    assert_eq!(rows(&graph), Csr::from_arcs(3, [(0, 1), (2, 0)]).unwrap());
}

#[test]
fn commas_quotes_and_headers() {
    for (text, expected) in [
        ("source,target\n\"x,y\",z\n", &["x,y", "z"][..]),
        ("From;,To Node\n\"x,y\",z\n", &["x,y", "z"]),
        ("a,b\nz,a\n", &["a", "b", "z"]),
    ] {
        let (graph, _) = import_text(text).unwrap();
        assert_eq!(names(&graph), expected, "{text}");
    }
    let options = ImportOptions {
        header: Some(true),
        ..Default::default()
    };
    let (graph, _) = import("e", b"a,b\nz,a\n", &options).unwrap();
    assert_eq!(names(&graph), ["a", "z"]);
    let options = ImportOptions {
        header: Some(false),
        ..Default::default()
    };
    let (graph, _) = import("e", b"from,to\nz,a\n", &options).unwrap();
    assert_eq!(names(&graph), ["a", "from", "to", "z"]);
}

#[test]
fn weights_are_read_and_duplicates_added() {
    for text in [
        "a b 2\nb c 0.5\na b 1\n",
        "# x\nfrom to count\na b 2\nb c 0.5\na b 1\n",
        "Weight,x,Target,Source\n2,,b,a\n0.5,,c,b\n1,,b,a\n",
        "% asym weighted\na b 2 1000\nb c 0.5 999\na b 1 1\n",
    ] {
        let (graph, report) = import_text(text).unwrap();
        assert_eq!(names(&graph), ["a", "b", "c"], "{text}");
        assert_eq!(weights(&graph), Some(vec![3.0, 0.5]), "{text}");
        assert_eq!((report.arcs, report.duplicates), (2, 1));
    }
    let options = ImportOptions {
        unweighted: true,
        ..Default::default()
    };
    let (graph, _) = import("e", b"a b 2\nb c -1\n", &options).unwrap();
    assert_eq!(weights(&graph), None);
}

#[test]
fn columns_are_chosen_by_number_and_name() {
    let text = b"id,citing,cited,n\n1,a,b,5\n2,b,c,7\n";
    for (columns, expected) in [
        (&["citing", "cited"][..], None),
        (&["2", "3", "4"], Some(vec![5.0, 7.0])),
        (&["Citing", "3", "N"], Some(vec![5.0, 7.0])),
    ] {
        let options = ImportOptions {
            columns: Some(columns.iter().map(|column| column.to_string()).collect()),
            header: Some(true),
            ..Default::default()
        };
        let (graph, _) = import("e.csv", text, &options).unwrap();
        assert_eq!(
            (names(&graph), weights(&graph)),
            (vec!["a".into(), "b".into(), "c".into()], expected)
        );
    }
    for (columns, words) in [
        (&["2", "5"][..], "there are only 4 columns, not 5"),
        (&["0", "1"], "columns are counted from 1"),
        (&["citing", "x"], "no column 'x': there are 'id', 'citing'"),
        (&["1"], "columns are two or three"),
    ] {
        let options = ImportOptions {
            columns: Some(columns.iter().map(|column| column.to_string()).collect()),
            ..Default::default()
        };
        let problem = import("e.csv", text, &options).err().unwrap().to_string();
        assert!(
            problem.contains("line 1: ") && problem.contains(words),
            "{problem}"
        );
    }
}

#[test]
fn undirected_files_and_options_give_both_directions() {
    for text in [
        "% sym unweighted\n1 2\n2 2\n",
        "# Undirected graph: x.txt\n1 2\n2 2\n",
    ] {
        let (graph, _) = import_text(text).unwrap();
        assert_eq!(
            rows(&graph),
            Csr::from_arcs(2, [(0, 1), (1, 0), (1, 1)]).unwrap()
        );
    }
    let options = ImportOptions {
        symmetric: true,
        drop_loops: true,
        ..Default::default()
    };
    let (graph, report) = import("e", b"1 2\n2 2\n", &options).unwrap();
    assert_eq!(rows(&graph), Csr::from_arcs(2, [(0, 1), (1, 0)]).unwrap());
    assert_eq!(report.loops, 1);
    let problem = import_text("% bip\n1 2\n").err().unwrap().to_string();
    assert!(problem.contains("bipartite"), "{problem}");
}

#[test]
fn numbers_are_nodes_when_asked() {
    let options = ImportOptions {
        ids: true,
        ..Default::default()
    };
    let (graph, _) = import("edges.txt", b"10 2\n2 3\n", &options).unwrap();
    assert!(graph.names().is_none());
    assert_eq!(rows(&graph), Csr::from_arcs(11, [(10, 2), (2, 3)]).unwrap());
    for (text, words) in [
        (&b"10 2\n2 x\n"[..], "line 2: 'x' is not a node number"),
        (b"10 2\n2 -1\n", "line 2: '-1' is not a node number"),
        (b"1 4294967295\n", "line 1"),
    ] {
        let problem = import("edges.txt", text, &options)
            .err()
            .unwrap()
            .to_string();
        assert!(problem.contains(words), "{problem}");
    }
}

/// A gzip file of several members, which are read one by one, like the content of a pipe.
fn parts(parts: &[&str]) -> Vec<u8> {
    let compress = |part: &&str| {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), Default::default());
        gzip.write_all(part.as_bytes()).unwrap();
        gzip.finish().unwrap()
    };
    parts.iter().flat_map(compress).collect()
}

#[test]
fn the_separator_is_that_of_the_whole_first_line() {
    let bytes = parts(&["New York", "\tBoston\nBoston\tNew York\n"]);
    let (graph, _) = import("edges.tsv.gz", &bytes, &ImportOptions::default()).unwrap();
    assert_eq!(names(&graph), ["Boston", "New York"]);
}

#[test]
fn lines_that_are_not_arcs_are_named() {
    for (text, word) in [
        (&b"a\tb\nb\tc\na\tb\t3\n"[..], "line 3: more than two"),
        (b"a\tb\na\tb\t3\n", "line 1 has 2, line 2 has 3"),
        (b"a\tb\n\tb\n", "line 2: a name is empty"),
        (b"a\tb\na\t\xff\n", "line 2: is not UTF-8"),
        (
            b"a\tb\tx\n",
            "line 1: more than two fields, and the third, 'x', is not a weight",
        ),
        (b"a\tb\tx\ty\n", "line 1: more than two fields (4)"),
        (b"a\tb\t1\na\tb\t2\na\tb\n", "line 3: no weight"),
        (
            b"a\tb\t1\na\tb\t-1\n",
            "line 2: the weight -1 is negative; --negative drop",
        ),
        (
            b"a\tb\t1\na\tb\tnan\n",
            "line 2: the weight NaN is not finite",
        ),
        (b"a\tb\t1\na\tb\tx\n", "'x', is not a weight"),
        (b"a\tb\t1e308\na\tb\t1e308\n", "add up to more than"),
    ] {
        let problem = import("e.tsv", text, &ImportOptions::default())
            .err()
            .unwrap();
        assert!(problem.to_string().contains(word), "{problem}");
    }
}

#[test]
fn bad_lines_are_tolerated_up_to_a_limit() {
    let text = b"a b\na b c\nc d\nx y z\nd a\n";
    let tolerating = |skip_bad| ImportOptions {
        skip_bad,
        ..Default::default()
    };
    let (graph, report) = import("e", text, &tolerating(2)).unwrap();
    assert_eq!((graph.num_arcs(), report.skipped), (3, 2));
    assert!(report.first_skipped[1].contains("line 4"), "{report:?}");
    let problem = import("e", text, &tolerating(1)).err().unwrap().to_string();
    assert!(problem.contains("line 4"), "{problem}");
}

#[test]
fn duplicates_are_what_the_user_says() {
    use crate::import::Duplicates::*;
    for (duplicates, text, expected) in [
        (Drop, "a b 2\na b 1\n", Some(2.0)),
        (Sum, "a b 2\na b 1\n", Some(3.0)),
        (Max, "a b 2\na b 7\na b 1\n", Some(7.0)),
        (Min, "a b 2\na b 7\na b 1\na b 3\n", Some(1.0)),
        (Sum, "a b\na b\n", Some(2.0)),
    ] {
        let options = ImportOptions {
            duplicates: Some(duplicates),
            ..Default::default()
        };
        let (graph, _) = import("e", text.as_bytes(), &options).unwrap();
        assert_eq!(weights(&graph).map(|weights| weights[0]), expected);
    }
    let options = ImportOptions {
        duplicates: Some(Error),
        ..Default::default()
    };
    let problem = import("e", b"a b\na b\n", &options).err().unwrap();
    assert!(problem.to_string().contains("given twice"), "{problem}");
}

#[test]
fn an_empty_list_is_refused_unless_it_is_allowed() {
    let problem = import_text("").err().unwrap().to_string();
    assert!(problem.contains("is empty; --allow-empty"), "{problem}");
    let options = ImportOptions {
        allow_empty: true,
        ..Default::default()
    };
    let (graph, _) = import("e", b"", &options).unwrap();
    assert_eq!(graph.num_nodes(), 0);
}

mod doors;
mod doubts;
mod kinds;
