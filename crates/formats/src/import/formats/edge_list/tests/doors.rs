//! Lists as other programs write them, read as what they are.

use super::{import, names, weights};
use crate::import::{ImportOptions, ImportReport, Negative, Separator};
use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_graph::Graph;

/// The arcs of a graph, in words: `a>b c>d`.
pub(super) fn arcs(graph: &Graph) -> String {
    let rows = graph.successors(&Silent).unwrap();
    let mut arcs = Vec::new();
    for from in 0..rows.num_nodes() as Node {
        let row = rows.row(from).iter();
        arcs.extend(row.map(|&to| format!("{}>{}", graph.name(from), graph.name(to))));
    }
    arcs.join(" ")
}

pub(super) fn told(report: &ImportReport) -> String {
    let notes: Vec<String> = report.notes.iter().map(|note| note.to_string()).collect();
    notes.join("; ")
}

pub(super) fn read(text: impl AsRef<[u8]>) -> (Graph, ImportReport) {
    let text = text.as_ref();
    let read = import("edges.csv", text, &ImportOptions::default());
    read.unwrap_or_else(|problem| panic!("{problem}: {}", String::from_utf8_lossy(text)))
}

pub(super) fn refused(text: impl AsRef<[u8]>) -> String {
    let read = import("edges.csv", text.as_ref(), &ImportOptions::default());
    let problem = read.err();
    let problem = problem.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(text.as_ref())));
    problem.to_string()
}

#[test]
fn separators_and_headers_of_other_programs() {
    for (text, expected, words) in [
        (
            "\"a\";\"b\"\n\"b\";\"c\"\n",
            "a>b b>c",
            "semicolons, no header",
        ),
        (
            "Source;Target;Weight\na;b;0,5\nb;c;1,25\n",
            "a>b b>c",
            "semicolons, header, columns Source, Target, Weight; commas before decimals",
        ),
        ("a|b\nb|c\n", "a>b b>c", "bars"),
        ("a, b\nb, c\n", "a>b b>c", "commas"),
        (
            "follower,followed\na,b\nb,c\n",
            "a>b b>c",
            "'follower', 'followed', was taken for a header (--header=false",
        ),
        (
            "citing,cited\n1,2\n2,3\n",
            "1>2 2>3",
            "columns citing, cited",
        ),
        (
            ",follower,followed\n0,a,b\n1,b,c\n",
            "a>b b>c",
            "column 1, an index, not used",
        ),
        (
            ":START_ID(P),since,:END_ID(P),:TYPE\na,1999,b,KNOWS\nb,2000,c,KNOWS\n",
            "a>b b>c",
            "columns since, :TYPE not used",
        ),
        (
            "src,dst,relationship\na,b,x\nb,c,y\n",
            "a>b b>c",
            "column relationship not used",
        ),
        (
            "\"from\" \"to\"\n\"1\" \"a\" \"b\"\n\"2\" \"b\" \"c\"\n",
            "a>b b>c",
            "blanks, header",
        ),
        ("a b\rb c\r", "a>b b>c", "blanks"),
        ("a,b\r\nb,c\r\n", "a>b b>c", "commas"),
        ("a,b,\nb,c,\n", "a>b b>c", "commas"),
    ] {
        let (graph, report) = read(text);
        assert_eq!(arcs(&graph), expected, "{text}");
        assert!(told(&report).contains(words), "{text}{}", told(&report));
    }
}

#[test]
fn comments_that_title_columns_are_headers() {
    for (text, expected, words) in [
        (
            "#id\tsource\ttarget\n7\ta\tb\n8\tb\tc\n",
            "a>b b>c",
            "columns source, target",
        ),
        (
            "# FromNodeId ToNodeId Sign\na b 2\nb c 1\n",
            "a>b b>c",
            "header, columns FromNodeId, ToNodeId, Sign",
        ),
        (
            "# x,y,n\na,b,2\nb,c,1\n",
            "a>b b>c",
            "header, columns x, y, n",
        ),
        // Prose, and two columns, which need no titles.
        (
            "# made by hand\na b 2\nb c 1\n",
            "a>b b>c",
            "blanks, no header",
        ),
        ("# to\tfrom\na\tb\nb\tc\n", "a>b b>c", "tabs, no header"),
    ] {
        let (graph, report) = read(text);
        assert_eq!(arcs(&graph), expected, "{text}");
        assert!(told(&report).contains(words), "{text}{}", told(&report));
    }
}

#[test]
fn gephi_says_in_each_row_whether_an_edge_has_a_direction() {
    let text = "Source,Target,Type,Id,Label,timeset,Weight\n\
                a,b,Undirected,0,,,2.0\nb,c,Directed,1,,,1.0\n";
    let (graph, report) = read(text);
    assert_eq!(arcs(&graph), "a>b b>a b>c");
    assert_eq!(weights(&graph), Some(vec![2.0, 2.0, 1.0]));
    let words = "columns Id, Label, timeset not used";
    assert!(told(&report).contains(words), "{}", told(&report));
    let text = "Source,Target,Type\na,b,Undirected\nb,c,Directed\n".to_owned();
    let (graph, _) = read(text);
    assert_eq!(arcs(&graph), "a>b b>a b>c");
}

#[test]
fn third_columns_are_weights_or_times() {
    for (text, expected, words) in [
        ("src,dst,n\na,b,3\nb,c,4\n", Some(vec![3.0, 4.0]), ""),
        ("a,b,count_star()\nx,b,3\nb,c,4\n", Some(vec![4.0, 3.0]), ""),
        (
            "source,target,strength\na,b,3\nb,c,4\n",
            Some(vec![3.0, 4.0]),
            "column strength was taken for weights",
        ),
        (
            "source,target,year\na,b,1999\nb,c,2000\n",
            None,
            "column year was taken for a time",
        ),
        (
            "0 1 1217567877\n1 2 1217567890\n",
            None,
            "column 3 was taken for a time",
        ),
        (
            "6,2,4,1289241911.72836\n2,5,2,1289241941.5\n",
            Some(vec![2.0, 4.0]),
            "column 4, a time, not used",
        ),
        (
            "% asym weighted\n1 2 3 0\n2 3 4 0\n",
            Some(vec![3.0, 4.0]),
            "",
        ),
    ] {
        let (graph, report) = read(text);
        assert_eq!(weights(&graph), expected, "{text}");
        assert!(told(&report).contains(words), "{text}{}", told(&report));
    }
}

#[test]
fn comments_stand_above_the_first_arc() {
    let (graph, report) = read("# one\n# two\na,b\n#rust,b\nC#,a\n");
    assert_eq!(arcs(&graph), "#rust>b C#>a a>b");
    let words = told(&report);
    assert!(words.contains("2 lines of comments"), "{words}");
    assert!(words.contains("1 line below the first arc"), "{words}");
    let (graph, _) = read("source,target\n#rust,b\n");
    assert_eq!(arcs(&graph), "#rust>b");
    let (graph, _) = read("\"#rust\"\tb\nb\tc\n");
    assert_eq!(arcs(&graph), "#rust>b b>c");
    // SNAP's comments may stand anywhere.
    let (graph, _) = read("# Directed graph: x\n1\t2\n# Nodes: 5\n2\t3\n");
    assert_eq!(arcs(&graph), "1>2 2>3");
    let problem = refused("a,b\nb,c\n# a remark\nc,d\n");
    assert!(problem.contains("line 3: starts with #"), "{problem}");
}

#[test]
fn text_of_other_encodings() {
    let text = "bêta\tb\nb\tc\n";
    let mark = std::iter::once(0xfeff);
    let utf_16: Vec<u8> = mark
        .chain(text.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(arcs(&read(&utf_16).0), "b>c bêta>b");
    let problem = refused(&utf_16[2..]);
    assert!(
        problem.contains("NUL") && problem.contains("--encoding"),
        "{problem}"
    );
    let latin = b"a\tb\nb\xeata\tb\n";
    let problem = refused(latin);
    assert!(
        problem.contains("line 2: is not UTF-8; --encoding"),
        "{problem}"
    );
    let options = ImportOptions {
        encoding: Some("windows-1252".to_owned()),
        ..Default::default()
    };
    let (graph, _) = import("e.tsv", latin, &options).unwrap();
    assert_eq!(arcs(&graph), "a>b bêta>b");
}

#[test]
fn weights_that_make_no_arc() {
    let (graph, report) = read("a b 0\nb c 2\n");
    assert_eq!((arcs(&graph), names(&graph).len()), ("b>c".to_owned(), 3));
    assert!(told(&report).contains("1 arc of weight 0 left out"));
    for (negative, expected) in [
        (Negative::Drop, Some(vec![1.0])),
        (Negative::Absolute, Some(vec![1.0, 2.0])),
    ] {
        let options = ImportOptions {
            negative,
            ..Default::default()
        };
        let (graph, _) = import("e", b"a b 1\nb c -2\n", &options).unwrap();
        assert_eq!(weights(&graph), expected);
    }
}

#[test]
fn what_is_no_list_of_arcs_is_refused() {
    for (text, words) in [
        ("a\nb\n", "one column"),
        ("Id,Label\n1,a\n2,b\n", "a table of nodes"),
        ("a;b,c\nd;e,f\n", "semicolons or commas"),
        (
            "id,who,what,when\n1,a,b,c\n2,b,c,d\n",
            "which columns hold the arcs?",
        ),
        ("a,b,0.5\nb,c,\"0,5\"\n", "is not a"),
        (
            "a;b;0,5\nb;c;1,5\nc;d;2.5\n",
            "line 3: '2.5' is not a number: other weights have a comma",
        ),
        ("a\tb\nc\rx\td\n", "carriage return"),
    ] {
        let problem = refused(text);
        assert!(problem.contains(words), "{text}{problem}");
    }
    let options = ImportOptions {
        allow_empty: true,
        ..Default::default()
    };
    let (graph, _) = import("e", b"a\nb\n", &options).unwrap();
    assert_eq!((graph.num_nodes(), graph.num_arcs()), (2, 0));
    let options = ImportOptions {
        separator: Some(Separator::Comma),
        ..Default::default()
    };
    let (graph, _) = import("e", b"a;b,c\nd;e,f\n", &options).unwrap();
    assert_eq!(arcs(&graph), "a;b>c d;e>f");
}

#[test]
fn pairs_with_data_in_braces_are_those_of_networkx() {
    let (graph, report) = read("a b {'weight': 2}\na c {}\nb c {'color': 'red', 'weight': 3.5}\n");
    assert_eq!(arcs(&graph), "a>b a>c b>c");
    assert_eq!(weights(&graph), Some(vec![2.0, 1.0, 3.5]));
    let said = told(&report);
    assert!(said.contains("1 arc has no weight, and weighs 1"), "{said}");
    assert!(
        said.contains("1 arc with data other than a weight"),
        "{said}"
    );
    let (graph, report) = read("0\t1\t{}\n1\t2\t{}\n");
    assert_eq!((arcs(&graph).as_str(), weights(&graph)), ("0>1 1>2", None));
    assert_eq!(told(&report), "pairs with data in braces, taken as arcs");
}

#[test]
fn blanks_beside_quotation_marks_belong_to_separators() {
    let (graph, _) = read("\"a\", \"b\"\n\"b\", \"c d\"\n");
    assert_eq!(arcs(&graph), "a>b b>c d");
    let (graph, _) = read("a\t b\nb\t c, d\n");
    assert_eq!(arcs(&graph), "a>b b>c, d");
    let (graph, _) = read("\"\"\"q\"\"\",\" x\"\n");
    assert_eq!(arcs(&graph), "\"q\"> x");
    let problem = refused("\"a\",\"b\" \n\"b\",\"c\"\n");
    assert!(
        problem.contains("a blank stands between a quotation mark"),
        "{problem}"
    );
}

#[test]
fn what_may_be_something_else_is_refused() {
    for (text, words) in [
        ("A,B,C\n0,1,0\n1,0,1\n0,1,0\n", "--from matrix"),
        ("0 1 0\n1 0 1\n0 1 0\n", "--from matrix"),
        (",A,B\nX,0,1\nY,1,0\n", "no name above the first column"),
        ("Id,Label\na,Alice\nb,Bob\n", "a table of nodes"),
        (
            "http://a.com/x,y http://b.com/\nhttp://b.com/ http://c.com/p,q\n",
            "commas or blanks may separate",
        ),
        (
            "001 _is 007\n002 _is 001\n003 _has 002\n004 _is 003\n",
            "--columns 1,3 reads all arcs as of one kind",
        ),
        (
            ":START_ID(Actor),:END_ID(Movie)\n1,1\n2,1\n",
            "sources and targets are of two kinds",
        ),
        ("source,target\n", "has no arc"),
        (
            "year,citing,cited\n2001,1,2\n2002,2,3\n",
            "column 'year' holds times",
        ),
        (
            "kind,cost\n2020,1.5\n2021,2\n",
            "column 'cost' have fractions",
        ),
        (
            "year,source,n\n2001,coal,5\n2002,gas,7\n",
            "a column 'source' without one",
        ),
        ("4\na b\nb c\nc a\n", "its lines do not agree"),
        ("a,b,0\nb,c,0\n", "has nodes, but no arc"),
    ] {
        let problem = refused(text);
        assert!(problem.contains(words), "{text}{problem}");
    }
}

#[test]
fn names_of_columns_have_types_and_numbers_have_decimals() {
    let (graph, _) = read(":START_ID,:END_ID,weight:double,:TYPE\na,b,0.5,x\nb,c,2.5,x\n");
    assert_eq!(weights(&graph), Some(vec![0.5, 2.5]));
    let (graph, report) = read("source,target\n1.0,2\n2.0,3\n");
    assert_eq!(arcs(&graph), "1>2 2>3");
    assert!(
        told(&report).contains("taken for whole numbers"),
        "{}",
        told(&report)
    );
    // Beyond 2^53, doubles are not exact.
    let (graph, _) = read("source,target\n1.0,2e0\n2.0,9007199254740993\n");
    assert_eq!(arcs(&graph), "1>2 2>9007199254740993");
    let (graph, _) = read("sep=;\r\na;b\r\nb;c,d\r\n");
    assert_eq!(arcs(&graph), "a>b b>c,d");
    let (graph, _) = read("%C3%A9\tb\nb\tc\n");
    assert_eq!(arcs(&graph), "%C3%A9>b b>c");
    let (_, report) = read("a b\nb c\nlonely\n");
    assert!(told(&report).contains("1 line with one field declares nodes"));
}

#[test]
fn third_columns_of_times_are_left_out() {
    let rising: String = (0..12)
        .map(|i| format!("{i} {} {}\n", i + 1, 20 * i))
        .collect();
    for text in [
        rising.as_str(),
        "1 2 1289241911.72836\n2 3 1289241941.5\n",
        "1 2 20200101\n2 3 20191231\n",
    ] {
        let (graph, report) = read(text);
        assert_eq!(weights(&graph), None, "{text}");
        assert!(
            told(&report).contains("was taken for a time"),
            "{}",
            told(&report)
        );
    }
    let (_, report) = read("user_id,source,target\n7,a,b\n9,b,c\n");
    let said = told(&report);
    assert!(
        said.contains("an identifier, not for a weight (--columns 2,3,1 if"),
        "{said}"
    );
}
