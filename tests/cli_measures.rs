//! What each measure says on the command line.

#[path = "support/cli.rs"]
mod support;

use support::*;
use tempfile::TempDir;

#[test]
fn several_measures_have_a_column_each() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let measures = "harmonic,closeness,lin,reachable,eccentricity";
    let table = stdout(&["geometric", text(&bundle), "--measures", measures]);
    let expected = "node,name,harmonic,closeness,lin,reachable,eccentricity\n\
                    0,a,2.5,0.25,4.0,3.0,2.0\n\
                    1,b,2.5,0.25,4.0,3.0,2.0\n\
                    2,c,1.8333333333333333,0.16666666666666666,2.6666666666666665,3.0,3.0\n\
                    3,d,0.0,0.0,1.0,0.0,0.0\n";
    assert_eq!(table, expected);
    let decay = stdout(&[
        "decay",
        text(&bundle),
        "--base",
        "0.25",
        "--direction",
        "out",
    ]);
    assert!(decay.contains("3,d,0.328125,2"), "{decay}");
}

#[test]
fn preferences_are_read_by_name_or_node() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let tables = [
        "name,weight\nc,2\nd,2\n",
        "c,1\nd,1\n",
        "node,w\n3,5\n2,5\n",
        "0\n0\n1\n1\n",
    ]
    .map(|preference| {
        let path = folder.path().join("preference.csv");
        std::fs::write(&path, preference).unwrap();
        stdout(&["pagerank", text(&bundle), "--preference", text(&path)])
    });
    assert!(tables.iter().all(|table| *table == tables[0]));
    for (preference, place, word) in [
        ("c,NaN\n", "line 1", "NaN"),
        ("c,1\nd,-1\n", "line 2", "-1"),
        ("c,1\nnobody,1\n", "line 2", "no node is named 'nobody'"),
        ("c,1\nc,1\n", "line 2", "occurs twice"),
        ("c,0\n", "preference.csv", "all weights are 0"),
        ("1\n2\n", "2 numbers", "4 nodes"),
        ("1\nx\n", "line 2", "'x' is not a number"),
        ("node,w\n4,1\n", "line 2", "'4' is not a node from 0 to 3"),
    ] {
        let path = folder.path().join("preference.csv");
        std::fs::write(&path, preference).unwrap();
        let message = failure(&["pagerank", text(&bundle), "--preference", text(&path)], 1);
        assert!(
            message.contains(place) && message.contains(word),
            "{message}"
        );
    }
}

#[test]
fn certifying_the_top_proves_its_positions() {
    let table = stdout(&["pagerank", DEBIAN, "--certify-top", "500", "--top", "500"]);
    assert!(table.lines().skip(1).all(|row| row.ends_with(",true")));
}

#[test]
fn the_best_nodes_are_those_of_the_whole_table() {
    for measure in ["harmonic", "lin", "decay", "reachable"] {
        let all = stdout(&[measure, DEBIAN, "--sort", "score"]);
        let best = stdout(&[measure, DEBIAN, "--sort", "score", "--top", "7"]);
        let expected: Vec<&str> = all.lines().take(8).collect();
        assert_eq!(best.lines().collect::<Vec<_>>(), expected, "{measure}");
    }
}

#[test]
fn approximations_say_what_they_are() {
    let folder = TempDir::new().unwrap();
    let table = folder.path().join("scores.csv");
    for (arguments, word) in [
        (
            &["--method", "hyperball", "--log2m", "6"][..],
            "relative_standard_error",
        ),
        (
            &["--method", "sample", "--epsilon", "0.05"],
            "\"epsilon\": 0.05",
        ),
        (&["--time-budget", "0s"], "more than the time budget"),
    ] {
        let run = [
            &["harmonic", "graphs/rust-doc.bv", "-q", "-o", text(&table)],
            arguments,
        ]
        .concat();
        rank(&run).assert().success();
        let account = std::fs::read_to_string(folder.path().join("scores.csv.json")).unwrap();
        assert!(account.contains(word), "{account}");
    }
}

#[test]
fn distances_of_no_pairs_are_zero_and_of_no_sources_refused() {
    let folder = TempDir::new().unwrap();
    let edges = folder.path().join("loop.tsv");
    std::fs::write(&edges, "a\ta\n").unwrap();
    let bundle = folder.path().join("loop.bv");
    stdout(&["import", text(&edges), "-o", text(&bundle)]);
    for extra in [&[][..], &["--json"], &["--method", "sample"]] {
        let said = stdout(&[&["distances", text(&bundle)], extra].concat());
        assert!(!said.contains("-0"), "{said}");
    }
    let none = ["--method", "sample", "--samples", "0"];
    let message = failure(&[&["distances", text(&bundle)], &none[..]].concat(), 2);
    assert!(message.contains("--samples is 0"), "{message}");
}

#[test]
fn distances_are_described() {
    let json = stdout(&["distances", "graphs/rust-doc.bv", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let pairs = json["pairs_at_distance"].as_array().unwrap();
    assert_eq!(pairs.len() as u64, json["diameter"].as_u64().unwrap());
    // The arcs that are not self-loops.
    assert_eq!(pairs[0], 721_835.0);
}

#[test]
fn rankings_are_compared_by_name() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str| folder.path().join(name);
    for measure in ["indegree", "harmonic"] {
        let path = file(&format!("{measure}.csv"));
        rank(&["-q", measure, DEBIAN, "-o", text(&path)])
            .assert()
            .success();
    }
    // Six digits of weighted_tau need the order of neighbours 1e-9 apart.
    let path = file("pagerank.csv");
    let precise = ["-q", "pagerank", DEBIAN, "--tolerance", "1e-12", "-o"];
    rank(&[&precise[..], &[text(&path)]].concat())
        .assert()
        .success();
    let (pagerank, indegree) = (file("pagerank.csv"), file("indegree.csv"));
    let said = stdout(&["compare", text(&pagerank), text(&indegree)]);
    assert!(said.starts_with("63436 rows in common"), "{said}");
    assert!(said.contains("weighted_tau     0.920024"), "{said}");
    let matrix = stdout(&[
        "compare",
        text(&pagerank),
        text(&indegree),
        text(&file("harmonic.csv")),
    ]);
    assert!(matrix.contains("tau_b"), "{matrix}");
    let json = stdout(&["compare", text(&pagerank), text(&indegree), "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["table"]["rows"], 63_436);
    std::fs::write(
        file("ranks.csv"),
        "name,score\nlibc6,1\nperl,2\ndpkg,3\napt,4\n",
    )
    .unwrap();
    let message = rank(&["-q", "compare", text(&pagerank), text(&file("ranks.csv"))])
        .assert()
        .code(1)
        .get_output()
        .stderr
        .clone();
    assert!(
        String::from_utf8(message)
            .unwrap()
            .contains("ranks looks like ranks")
    );
}
