use super::super::super::recognise::{First, Verdict};
use super::super::tests::{arcs, import, import_with, named_arcs, problem, weights};
use super::recognise;
use crate::import::{Format, ImportOptions};

fn is_matrix(text: &str, is_whole: bool) -> bool {
    let first = First::new("m.csv".as_ref(), text.as_bytes(), is_whole);
    matches!(recognise(&first), Verdict::Is(_))
}

#[test]
fn matrices_with_names_are_recognised() {
    let expected = [("a", "b"), ("b", "c d"), ("c d", "a")];
    let expected = expected.map(|(a, b)| (a.to_owned(), b.to_owned()));
    for text in [
        ";a;b;c d\na;0;1;0\nb;0;0;1\nc d;1;0;0\n",
        ",a,b,\"c d\"\na,0,1,0\nb,0,0,1\n\"c d\",1,0,0\n",
        "\"\",\"a\",\"b\",\"c d\"\r\n\"a\",0,1,0\r\n\"b\",0,0,1\r\n\"c d\",1,0,0\r\n",
        "name\ta\tb\tc d\na\t0\t1.0\t0\nb\t0\t0\t1\nc d\t1\t0\t0\n",
        // As R writes it.
        "a,b,c d\na,0,1,0\nb,0,0,1\nc d,1,0,0\n",
        "# made by hand\n,a,b,c d\nc d,1,0,0\na,,1,\nb,,0,1\n",
    ] {
        assert!(is_matrix(text, true), "{text}");
        let graph = import("m.csv", text).unwrap();
        assert_eq!(named_arcs(&graph), expected, "{text}");
        assert_eq!(weights(&graph), None, "{text}");
    }
    assert!(is_matrix(",a,b,c\na,0,1,0\nb,0", false));
}

#[test]
fn matrices_of_numbers_alone_are_recognised() {
    let text = "0,1,0,0\n0,0,1,0\n0,0,0,1\n1,0,0,0\n";
    for separator in [",", ";", "\t", " ", "  "] {
        let text = text.replace(',', separator);
        assert!(is_matrix(&text, true), "{text}");
        let graph = import("m.txt", text).unwrap();
        assert_eq!(arcs(&graph), [(0, 1), (1, 2), (2, 3), (3, 0)]);
    }
    assert!(!is_matrix(text, false));
    let text = "0;0,5;0;0\n0;0;1;0\n0;0;0;1\n2;0;0;0\n";
    let graph = import("m.csv", text).unwrap();
    assert_eq!(weights(&graph), Some(vec![0.5, 1.0, 1.0, 2.0]));
    let graph = import("m.csv", "a,b,c,d\n0,1,0,0\n0,0,1,0\n0,0,0,1\n1,0,0,0\n").unwrap();
    assert_eq!(graph.name(3), "d");
    assert_eq!(arcs(&graph).len(), 4);
    let row = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19\n";
    assert!(is_matrix(&row.repeat(20), true));
    assert!(is_matrix(&row.repeat(3), false));
}

#[test]
fn lists_are_no_matrices() {
    for text in [
        "",
        "\n",
        "1\n",
        "a,b\nb,c\n",
        "0 1\n1 0\n",
        "0 1 1\n1 0 1\n1 1 0\n",
        "1 2 3\n2 5 6\n3 8 9\n",
        // Source, target, weight and time, in as many lines as columns.
        "1 2 1 1217567877\n2 3 1 1217567878\n3 4 1 1217567879\n4 1 1 1217567880\n",
        "source,target,weight\na,b,1\nb,a,2\nb,c,3\n",
        ",source,target\n0,a,b\n1,b,c\n",
        "id,x,y,z\n1,2,3,4\n5,6,7,8\n9,1,2,3\n4,5,6,7\n",
        "a,b,c\na,0,1,0\nb,0,0,1\n",
        ",a,b\na,0,1\na,1,0\n",
        "0,1,0,0\n0,0,1,0\n0,0,0,1\n",
        "0,1,0,0\n0,0,1,0\n0,0,0,1\n1,0,0\n",
    ] {
        assert!(!is_matrix(text, true), "{text}");
    }
}

#[test]
fn what_is_no_matrix_is_refused_with_its_line() {
    let options = ImportOptions {
        from: Some(Format::Matrix),
        ..Default::default()
    };
    for (text, words) in [
        ("# x\n", "line 1: the file has no rows"),
        ("0 1\n1 0\n0 0\n", "line 3: row 3 of a matrix of 2 columns"),
        ("0 1 0\n1 0 0\n", "line 2: the file ends after 2 of 3 rows"),
        ("0 1\n1\n", "line 2: 1 numbers, but there are 2 columns"),
        ("0 1\n1 x\n", "line 2: 'x' is not a number"),
        (
            ",a,b\na,0,1\nc,0,0\n",
            "line 3: no column has the name of this row, 'c'",
        ),
        (
            ",a,b\na,0,1\na,0,0\n",
            "line 3: a second row with the name 'a'",
        ),
        (",a,a\na,0,1\n", "line 2: two columns have the name 'a'"),
    ] {
        let problem = problem("m.csv", text, &options);
        assert!(
            problem.contains("m.csv, ") && problem.contains(words),
            "{problem}"
        );
    }
    let graph = import_with("m.csv", b"0 1\n1 0\n", &options).unwrap();
    assert_eq!(arcs(&graph), [(0, 1), (1, 0)]);
}
