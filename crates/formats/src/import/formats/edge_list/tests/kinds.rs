//! Tables that look like lists of arcs: joined files, counts above arcs, indexes, times, nodes and their scores.

use super::doors::{arcs, read, refused, told};
use super::import;
use crate::import::{Format, ImportOptions};

/// Options by their names in the command.
fn options(words: &str) -> ImportOptions {
    let mut options = ImportOptions::default();
    for (name, value) in words
        .split(' ')
        .map(|word| word.split_once('=').unwrap_or((word, "")))
    {
        match name {
            "--columns" => options.columns = Some(value.split(',').map(str::to_owned).collect()),
            "--header" => options.header = Some(value != "false"),
            "--from" if value == "matrix" => options.from = Some(Format::Matrix),
            "--from" if value == "adjacency" => options.from = Some(Format::Adjacency),
            "--from" => options.from = Some(Format::Edges),
            "--unweighted" => options.unweighted = true,
            "--allow-empty" => options.allow_empty = true,
            other => panic!("{other}"),
        }
    }
    options
}

/// The arcs of a text that is read with such options.
fn with(text: &str, words: &str) -> String {
    let read = import("edges.csv", text.as_bytes(), &options(words));
    arcs(
        &read
            .unwrap_or_else(|problem| panic!("{words}: {problem}"))
            .0,
    )
}

#[test]
fn headers_of_own_words_in_joined_files_are_left_out() {
    for (text, expected) in [
        (
            "follower,followed\nann,bob\nbob,cat\nfollower,followed\ncat,ann\n",
            "ann>bob bob>cat cat>ann",
        ),
        ("citing,cited\n1,2\nciting,cited\n2,3\n", "1>2 2>3"),
        ("a\tb\tn\nx\ty\t2\na\tb\tn\ny\tz\t3\n", "x>y y>z"),
        (
            "\"from\";\"to\"\n\"a\";\"b\"\n\"from\";\"to\"\n\"b\";\"c\"\n",
            "a>b b>c",
        ),
    ] {
        let (graph, report) = read(text);
        assert_eq!(arcs(&graph), expected, "{text}");
        assert!(
            told(&report).contains("1 line repeats the header"),
            "{}",
            told(&report)
        );
    }
    // Far below, too.
    let many: String = (0..2000).map(|i| format!("n{i},n{}\n", i + 1)).collect();
    let (graph, report) = read(format!(
        "follower,followed\n{many}follower,followed\nn0,n9\n"
    ));
    assert_eq!(graph.num_arcs(), 2001);
    assert!(told(&report).contains("(--header=false if it is an arc)"));
    // Arcs that come again are no headers.
    for text in [
        "ann,bob\nann,bob\ncat,dog\ncat,dog\n",
        "ann,bob\nbob,cat\nann,bob\n",
    ] {
        assert!(arcs(&read(text).0).starts_with("ann>bob"), "{text}");
    }
}

#[test]
fn counts_above_few_arcs_are_refused() {
    for (text, shown, lines) in [
        ("4 3\n1 2\n2 3\n3 4\n", "4 3", 3),
        ("4,3\n0,1\n1,2\n2,3\n", "4,3", 3),
        ("5 3 0\n1 2 7\n2 3 1\n3 4 2\n", "5 3 0", 3),
    ] {
        let problem = refused(text);
        let shown = shown.replace(',', " ");
        let words =
            format!("the first line, {shown}, may count nodes and arcs, because {lines} lines");
        assert!(problem.contains(&words), "{problem}");
        assert_eq!(with(text, "--header").matches('>').count(), 3, "{text}");
        assert!(with(text, "--header=false").matches('>').count() >= 3);
    }
    // A larger node, another number of lines, nodes from 0 up to the first number, a single arc below.
    for text in [
        "4 3\n1 2\n2 3\n3 5\n",
        "4 2\n1 2\n2 3\n3 4\n",
        "4 3\n0 4\n2 3\n3 4\n",
        "2 1\n1 2\n",
    ] {
        assert!(arcs(&read(text).0).contains('>'), "{text}");
    }
}

#[test]
fn counts_of_another_width_are_left_out() {
    for text in [
        "4 3\n1 2 5\n2 3 1\n3 4 2\n",
        "4 3 1\n1 2\n2 3\n3 4\n",
        "20 3 0\n1 2\n2 3\n3 4\n",
        "4 4 3\n1 2\n2 3\n3 4\n",
    ] {
        let (graph, report) = read(text);
        assert_eq!(arcs(&graph), "1>2 2>3 3>4", "{text}");
        let words = "was taken for numbers of nodes and arcs";
        assert!(told(&report).contains(words), "{}", told(&report));
        assert_eq!(with(text, "--header"), "1>2 2>3 3>4", "{text}");
    }
    let (_, report) = read("4;3\n1;2;0,5\n2;3;1,5\n3;4;2\n");
    assert!(!told(&report).contains("column 0,5"), "{}", told(&report));
    let problem = refused("3\n1 2\n2 3\n3 1\n");
    assert!(
        problem.contains("line 1 has 1 (if it counts nodes or arcs, tail -n +2"),
        "{problem}"
    );
    let problem = refused("4 2\n1 2 5\n2 3 1\n3 4 2\n");
    assert!(
        problem.contains("line 1: 2 fields, where other lines have 3, and 3 lines follow"),
        "{problem}"
    );
    assert_eq!(
        with("4 2\n1 2 5\n2 3 1\n3 4 2\n", "--header"),
        "1>2 2>3 3>4"
    );
}

#[test]
fn columns_that_count_rows_are_indexes() {
    for text in [
        "index,source,target\n0,a,b\n1,b,c\n",
        "id,a,b\n1,a,b\n2,b,c\n",
        "Unnamed: 0,follower,followed\n0,a,b\n1,b,c\n",
        "idx\tsource\ttarget\tweight\n0\ta\tb\t2\n1\tb\tc\t3\n",
        "id,u,w\n0,a,b\n1,b,c\nid,u,w\n0,a,b\n1,b,c\n",
    ] {
        let (graph, report) = read(text);
        assert_eq!(arcs(&graph), "a>b b>c", "{text}");
        assert!(
            told(&report).contains(", an index, not used"),
            "{}",
            told(&report)
        );
    }
    let (graph, report) = read("id,x,y\n0,7,3\n1,3,5\n2,5,8\n");
    assert_eq!(arcs(&graph), "3>5 5>8 7>3");
    assert!(told(&report).contains("column id, an index, not used"));
    // Nodes with their names.
    let problem = refused("id,name,city\n1,ann,Rome\n2,bob,Oslo\n");
    assert!(
        problem.contains("a table of nodes ('id', 'name', 'city')"),
        "{problem}"
    );
}

#[test]
fn times_are_no_nodes() {
    for (text, columns) in [
        (
            "1217567877 0 1\n1217573801 1 2\n1217606247 2 0\n",
            "--columns 2,3",
        ),
        (
            "0 1217567877 1\n1 1217573801 2\n1 1217573809 2\n",
            "--columns 1,3",
        ),
        (
            "when,who,whom\n1217567877000,4,1\n1217573801000,1,2\n",
            "--columns 2,3",
        ),
    ] {
        let problem = refused(text);
        let words = format!("holds times since 1970, which are no nodes; {columns} says");
        assert!(problem.contains(&words), "{problem}");
        assert!(
            with(text, &columns.replace(' ', "=")).contains("1>2"),
            "{text}"
        );
        assert!(with(text, "--columns=1,2,3").contains('>'), "{text}");
    }
    let (graph, _) = read("1217567877 1217573801 1\n1217573801 1217567877 2\n");
    assert_eq!(graph.num_arcs(), 2);
}

#[test]
fn numbers_of_two_kinds_are_told() {
    let problem = refused("author,paper\n1,1\n2,1\n");
    assert!(
        problem.contains("of two kinds ('author', 'paper')"),
        "{problem}"
    );
    assert_eq!(
        with("author,paper\n1,1\n2,1\n", "--columns=author,paper"),
        "1>1 2>1"
    );
    let (_, report) = read("seller,lot\n1,1\n2,1\n");
    let words = "columns seller and lot share their numbers";
    assert!(told(&report).contains(words), "{}", told(&report));
    for text in [
        "citing,cited\n1,2\n2,3\n",
        "u,v\n1,2\n2,3\n",
        "seller,lot\na,1\nb,1\n",
    ] {
        assert!(
            !told(&read(text).1).contains("share their numbers"),
            "{text}"
        );
    }
}

#[test]
fn nodes_with_their_scores_are_no_arcs() {
    for text in [
        "node_id,degree\n1,5\n2,3\n",
        "team,rank,points\nA,1,20\nB,2,18\n",
        "name,score\nann,1\nbob,3\n",
        "page,PageRank\nx,0.5\ny,0.25\n",
        "city;population;area\nRome;2800000;1285\nOslo;700000;454\n",
        "user,in_degree\nann,4\nbob,2\n",
        "# node\tpagerank\n1\t2\n3\t4\n",
        ",page,avg score\n0,a,1\n1,b,2\n",
        "id,degree,name\n1,2,a\n2,3,b\n",
        "rank,team,points\n1,A,20\n2,B,10\n",
        "user,followers\nann,10\nbob,20\n",
    ] {
        let problem = refused(text);
        assert!(problem.contains("a table of nodes ("), "{text}{problem}");
    }
    assert_eq!(
        with("node_id,degree\n1,5\n2,3\n", "--columns=1,2"),
        "1>5 2>3"
    );
    for text in [
        "person,rank\nann,king\nbob,duke\nbob,king\n",
        "source,score\na,b\nb,c\n",
    ] {
        let read = import("edges.csv", text.as_bytes(), &options("--header"));
        assert!(read.is_ok(), "{text}");
    }
}

#[test]
fn what_a_refusal_suggests_reads_the_file() {
    for (text, words, suggested) in [
        ("0 1 0\n1 0 1\n0 1 0\n", "--from matrix", "--from=matrix"),
        ("0 1 0\n1 0 1\n0 1 0\n", "--from edges", "--from=edges"),
        (
            "0 1 2 3\n1 2\n2 3\n3\n",
            "--from adjacency",
            "--from=adjacency",
        ),
        ("a b x\nb c y\nc a z\n", "--columns 1,2", "--columns=1,2"),
        ("a b x 7\nb c y 8\n", "--columns 1,2", "--columns=1,2"),
        (
            "a is b\nb is c\nc is a\nd is b\n",
            "--columns 1,3",
            "--columns=1,3",
        ),
        (
            "who,when,what\na,b,c\nb,c,d\n",
            "--columns who,when",
            "--columns=who,when",
        ),
        (
            "0,7,3\n1,3,5\n2,5,8\n3,8,9\n4,7,9\n",
            "--columns 2,3",
            "--columns=2,3",
        ),
        (
            "0,7,3\n1,3,5\n2,5,8\n3,8,9\n4,7,9\n",
            "--columns 1,2,3",
            "--columns=1,2,3",
        ),
        ("user,item\n1,2\n2,1\n", "--columns", "--columns=user,item"),
        ("a b 1\nb c 2\nc d\n", "--unweighted", "--unweighted"),
        ("a\nb\n", "--allow-empty", "--allow-empty"),
        ("", "--allow-empty", "--allow-empty"),
    ] {
        let problem = refused(text);
        assert!(problem.contains(words), "{text}{problem}");
        with(text, suggested);
    }
    for (text, words, made) in [
        ("(0, 1)\n(1, 2)\n", "tr -d '()'", "0, 1\n1, 2\n"),
        ("('a', 'b')\n('b', 'c')\n", "tr -d \"()'\"", "a, b\nb, c\n"),
        ("1::2\n2::3\n", "sed 's/::/\\t/g'", "1\t2\n2\t3\n"),
    ] {
        let problem = refused(text);
        assert!(problem.contains(words), "{problem}");
        assert_eq!(read(made).0.num_arcs(), 2);
    }
}
