//! Lists that may be read in two ways: told or refused, never guessed in silence.

use super::doors::{arcs, read, refused, told};
use super::import;
use crate::import::ImportOptions;

#[test]
fn a_first_line_that_counts_nodes_and_arcs_is_refused() {
    let rows = "1 2\n2 3\n3 4\n4 1\n1 3\n";
    for (text, shown) in [
        (format!("4 5\n{rows}"), "4 5"),
        (format!("4\t5\n{}", rows.replace(' ', "\t")), "4 5"),
        (format!("4 4 5\n{}", rows.replace('\n', " 0.5\n")), "4 4 5"),
    ] {
        let problem = refused(&text);
        let words =
            format!("the first line, {shown}, may count nodes and arcs, because 5 lines follow");
        assert!(problem.contains(&words), "{problem}");
        let options = |header| ImportOptions {
            header: Some(header),
            ..Default::default()
        };
        let (graph, _) = import("e", text.as_bytes(), &options(true)).unwrap();
        assert_eq!(arcs(&graph), "1>2 1>3 2>3 3>4 4>1", "{text}");
        let (_, report) = import("e", text.as_bytes(), &options(false)).unwrap();
        assert_eq!(report.arcs, 6);
    }
    // Between names, a few arcs are enough; lines that may be comments may count or not.
    for (text, lines) in [
        ("4 3\na b\nb c\nc d\n".to_owned(), 3),
        (format!("4 5\n{rows}# end\n"), 5),
    ] {
        let problem = refused(&text);
        assert!(
            problem.contains(&format!("because {lines} lines follow")),
            "{problem}"
        );
    }
    // Another number of lines, and a larger node.
    for text in [
        "4 6\n1 2\n2 3\n3 4\n4 1\n",
        "4 5\n1 2\n2 3\n3 7\n4 1\n1 3\n",
    ] {
        assert!(read(text).0.names().is_some(), "{text}");
    }
}

#[test]
fn a_first_column_that_counts_lines_may_be_an_index() {
    let text = "0,7,3\n1,3,5\n2,5,8\n3,8,9\n4,7,9\n";
    let problem = refused(text);
    assert!(
        problem.contains("is it an index (--columns 2,3)"),
        "{problem}"
    );
    let with = |columns: &str| {
        let columns = columns.split(',').map(str::to_owned).collect();
        let options = ImportOptions {
            columns: Some(columns),
            ..Default::default()
        };
        arcs(&import("e", text.as_bytes(), &options).unwrap().0)
    };
    assert_eq!(with("2,3"), "3>5 5>8 7>3 7>9 8>9");
    assert_eq!(with("1,2,3"), "0>7 1>3 2>5 3>8 4>7");
    // A path, a circle, and weights with fractions.
    for text in [
        "1 2 5\n2 3 4\n3 4 7\n4 5 1\n5 6 2\n",
        "1 2 5\n2 3 4\n3 4 7\n4 5 1\n5 1 2\n",
        "1 7 0.5\n2 7 1\n3 7 2\n4 7 1\n5 9 2\n",
        "1 7 1\n2 7 1\n3 7 1\n4 7 1\n5 9 1\n",
    ] {
        assert_eq!(read(text).0.num_arcs(), 5, "{text}");
    }
}

#[test]
fn index_columns_of_pandas_and_r_have_no_name() {
    for text in [
        "  source target  weight\n0    ant    bee     2.0\n1    bee    cat     0.5\n",
        "\"source\" \"target\" \"weight\"\n\"1\" \"ant\" \"bee\" 2\n\"2\" \"bee\" \"cat\" 0.5\n",
    ] {
        let (graph, report) = read(text);
        assert_eq!(arcs(&graph), "ant>bee bee>cat", "{text}");
        assert!(
            told(&report).contains("columns source, target, weight"),
            "{text}"
        );
    }
}

#[test]
fn blanks_around_names_are_no_part_of_them() {
    for text in ["a \tb\nb\tc\n", "a,b \nb ,c\n", "a\t b \nb\tc\n"] {
        let (graph, report) = read(text);
        assert_eq!(arcs(&graph), "a>b b>c", "{text}");
        let words = "without the blanks around them";
        assert!(told(&report).contains(words), "{}", told(&report));
    }
    let (graph, _) = read("\"a \",b\nb,\"a \"\n");
    assert_eq!(arcs(&graph), "a >b b>a ");
}

#[test]
fn remarks_stand_below_arcs_where_a_comment_stood_above() {
    let (graph, report) = read("# links\na b\n# of the second kind\nb c\n#\n# end\n");
    assert_eq!(arcs(&graph), "a>b b>c");
    let words = "3 lines below the first arc start with '# ' and were taken for comments";
    assert!(told(&report).contains(words), "{}", told(&report));
    let (graph, _) = read("# words\nz #a\n#a #b\n#b c\n");
    assert_eq!(arcs(&graph), "#a>#b #b>c z>#a");
    let (graph, _) = read("a #\n# b\nb c\n");
    assert_eq!(arcs(&graph), "#>b a># b>c");
}

#[test]
fn letters_above_words_are_a_header() {
    for text in ["u,v\nann,bob\nbob,cat\n", "i\tj\nann\tbob\nbob\tcat\n"] {
        let (graph, report) = read(text);
        assert_eq!(arcs(&graph), "ann>bob bob>cat");
        assert!(told(&report).contains("was taken for a header"), "{text}");
    }
    assert_eq!(read("u,v\na,bob\nbob,cat\n").0.num_nodes(), 5);
}

#[test]
fn sections_are_no_measurements() {
    let (graph, _) = read("section,subsection\n1,1.1\n1,1.2\n2,2.1\n");
    assert_eq!(arcs(&graph), "1>1.1 1>1.2 2>2.1");
    for (text, words) in [
        (
            "ann 0.5\nbob 0.25\n",
            "the numbers of column 2 have fractions",
        ),
        (
            "lat,lon\n52.1,4.5\n51.2,3.3\n",
            "the numbers of column 'lat' have fractions",
        ),
        (
            "0.1 0.2 0.3\n0.4 0.5 0.6\n",
            "the numbers of column 1 have fractions",
        ),
        ("7\t1992-03-24\n8\t1992-03-25\n", "column 2 holds days"),
    ] {
        let problem = refused(text);
        assert!(problem.contains(words), "{text}{problem}");
    }
    assert_eq!(arcs(&read("1.1 2.3\n2.3 4.5\n").0), "1.1>2.3 2.3>4.5");
    let problem = refused("section,width\n1,1.1\n1,1.2\n2,3.1\n");
    assert!(
        problem.contains("column 'width' have fractions"),
        "{problem}"
    );
}

#[test]
fn what_is_known_and_not_read_is_named() {
    for (text, words) in [
        ("1::2::5\n2::3::4\n", "has fields between '::'"),
        (
            "name,score,rank\n1,0.0,2\n2,1.0,1\n",
            "a table of nodes ('name', 'score', 'rank')",
        ),
        (
            "node\tvalue\n0\t1\n4\t2\n",
            "a table of nodes ('node', 'value')",
        ),
        ("(0, 1)\n(1, 2)\n", "its lines stand in brackets"),
        (
            "userId,movieId,rating,timestamp\n1,2,4.0,964982703\n2,1,3.5,964982931\n",
            "of two kinds ('userId', 'movieId')",
        ),
        (
            "user_id,item_id\n1,2\n2,1\n",
            "of two kinds ('user_id', 'item_id')",
        ),
    ] {
        let problem = refused(text);
        assert!(problem.contains(words), "{text}{problem}");
    }
    let (graph, _) = read("user,book\nann,dune\nbob,dune\n");
    assert_eq!(arcs(&graph), "ann>dune bob>dune");
}

#[test]
fn headers_of_joined_files_are_left_out() {
    let (graph, report) = read("source,target,weight\na,b,1\nsource,target,weight\nb,c,2\n");
    assert_eq!(arcs(&graph), "a>b b>c");
    let words = "1 line repeats the header, and was left out";
    assert!(told(&report).contains(words), "{}", told(&report));
}
