//! `--lengths` and `--cutoff` of the commands that measure distances.

use crate::verify::command::verified;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use webrank_testing::cli::*;

/// a -> b -> d and a -> c -> d as long as a -> d.
pub fn roads(folder: &Path) -> String {
    let path = folder.join("roads.csv");
    fs::write(&path, "a,b,0.1\na,c,0.2\na,d,0.3\nb,d,0.2\nc,d,0.1\n").unwrap();
    text(&path).to_owned()
}

#[test]
fn weights_and_files_are_lengths() {
    let folder = TempDir::new().unwrap();
    let roads = roads(folder.path());
    let third = "0.3333333333333333";
    let expected =
        format!("node,name,score,rank\n0,a,0.0,3\n1,b,{third},1\n2,c,{third},1\n3,d,0.0,3\n");
    let file = folder.path().join("lengths.csv");
    fs::write(
        &file,
        "source,target,length\nb,d,2\na,b,1\na,c,2\nc,d,1\na,d,3\n",
    )
    .unwrap();
    for lengths in ["weights", text(&file)] {
        assert_eq!(
            stdout(&["betweenness", &roads, "--lengths", lengths]),
            expected
        );
    }
    let arcs = stdout(&["betweenness", &roads, "--lengths", "weights", "--arcs"]);
    let share = "1.3333333333333333";
    assert!(arcs.contains(&format!("0,1,a,b,{share}\n")), "{arcs}");
    assert!(arcs.contains(&format!("0,3,a,d,{third}\n")), "{arcs}");
    let closeness = stdout(&[
        "closeness",
        &roads,
        "--lengths",
        "weights",
        "--direction",
        "out",
    ]);
    assert!(
        closeness.contains("0,a,1.6666666666666667,3"),
        "{closeness}"
    );
    let inverse = stdout(&["eccentricity", &roads, "--lengths", "inverse"]);
    // The longest of 1/0.3 and 10 + 5.
    assert!(inverse.contains("3,d,10.0,1"), "{inverse}");
    let distances = stdout(&["distances", &roads, "--lengths", "weights"]);
    assert!(
        distances.contains("average distance     0.180000"),
        "{distances}"
    );
    assert!(
        distances.ends_with("distance  pairs\n     0.1  2\n     0.2  2\n     0.3  1\n"),
        "{distances}"
    );
    let json = stdout(&["distances", &roads, "--lengths", "weights", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["pairs_at_distance"][2], serde_json::json!([0.3, 1]));
}

#[test]
fn a_cutoff_counts_steps_without_lengths() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    // a -> b -> c -> a, c -> b, d -> a.
    let near = stdout(&[
        "reachable",
        text(&bundle),
        "--cutoff",
        "1",
        "--direction",
        "out",
    ]);
    assert_eq!(
        near,
        "node,name,score,rank\n0,a,1.0,2\n1,b,1.0,2\n2,c,2.0,1\n3,d,1.0,2\n"
    );
    let all = stdout(&["harmonic", text(&bundle), "--cutoff", "9"]);
    assert_eq!(all, stdout(&["harmonic", text(&bundle)]));
    for cutoff in ["0", "-1", "nan", "far"] {
        let problem = failure(&["harmonic", text(&bundle), "--cutoff", cutoff], 2);
        assert!(problem.contains("give a positive number"), "{problem}");
    }
}

/// Both outputs of a command.
pub fn output(arguments: &[&str]) -> String {
    let output = rank(arguments).output().unwrap();
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

#[test]
fn what_has_no_lengths_is_refused() {
    let folder = TempDir::new().unwrap();
    let (roads, bundle) = (roads(folder.path()), small(folder.path()));
    for (arguments, words) in [
        (
            vec!["--method", "hyperball"],
            "only exact searches are made",
        ),
        (vec!["--method", "sample"], "only exact searches are made"),
        (
            vec!["--workers", "2"],
            "searches by lengths are not divided",
        ),
    ] {
        let given = [
            &["harmonic", &roads, "-q", "--lengths", "weights"],
            &arguments[..],
        ]
        .concat();
        let problem = failure(&given, 2);
        assert!(problem.contains(words), "{problem}");
    }
    let problem = failure(&["harmonic", text(&bundle), "--lengths", "weights"], 2);
    assert!(problem.contains("the graph has no weights"), "{problem}");
    let vector = folder.path().join("vector");
    fs::write(&vector, "1\n1\n1\n1\n").unwrap();
    failure(
        &[
            "harmonic",
            &roads,
            "-q",
            "--weights",
            text(&vector),
            "--cutoff",
            "1",
        ],
        2,
    );
    let budget = ["harmonic", DEBIAN, "--cutoff", "30", "--time-budget", "0s"];
    let problem = failure(&budget, 1);
    assert!(
        problem.contains("more than the time budget of 0 s"),
        "{problem}"
    );
    let little = ["harmonic", DEBIAN, "--cutoff", "30", "--memory", "40M"];
    let problem = failure(&little, 1);
    assert!(problem.contains("memory"), "{problem}");
}

#[test]
fn a_graph_with_weights_says_that_hops_are_counted() {
    let folder = TempDir::new().unwrap();
    let roads = roads(folder.path());
    for command in [
        "harmonic",
        "closeness",
        "lin",
        "reachable",
        "eccentricity",
        "decay",
        "integration",
        "betweenness",
        "betweenness --arcs",
        "distances",
    ] {
        let arguments: Vec<&str> = command.split(' ').chain([roads.as_str()]).collect();
        let said = output(&arguments);
        let note =
            "rank: distances count hops; --lengths weights takes the weights of arcs as lengths";
        assert_eq!(said.matches(note).count(), 1, "{command}: {said}");
        let said = output(&[&arguments[..], &["--unweighted"]].concat());
        assert!(!said.contains(note), "{command}: {said}");
        let said = output(&[&arguments[..], &["--lengths", "inverse"]].concat());
        assert!(!said.contains(note), "{command}: {said}");
    }
    let plan = output(&["plan", "betweenness", &roads, "--lengths", "weights"]);
    assert!(plan.contains("betweenness"), "{plan}");
}

#[test]
fn the_shortest_of_parallel_arcs_counts() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("roads.csv");
    fs::write(&path, "a,b,2\na,b,1\nb,c,1\nc,b,3\na,c,2\n").unwrap();
    let roads = text(&path);
    let of = |options: &[&str]| {
        let command = ["betweenness", roads, "--lengths", "weights"];
        stdout(&[&command[..], options].concat())
    };
    // a -> b -> c ties with a -> c.
    assert!(of(&[]).contains("1,b,0.5,1\n"), "{}", of(&[]));
    assert!(
        of(&["--symmetric"]).contains("1,b,1.0,1\n"),
        "{}",
        of(&["--symmetric"])
    );
    let table = folder.path().join("table.csv");
    let run = [
        "closeness",
        roads,
        "--lengths",
        "weights",
        "--undirected",
        "-q",
        "-o",
        text(&table),
    ];
    rank(&run).assert().success();
    assert_eq!(
        verified(&[text(&table)])["columns"][0]["promised"]["holds"],
        true
    );
    let again = output(&["rerun", &format!("{}.json", text(&table))]);
    assert!(again.contains("the same bits again"), "{again}");
    let bare = folder.path().join("bare.csv");
    fs::write(&bare, "name,score\na,0\nb,0.5\nc,0\n").unwrap();
    let bare_of = [
        "--graph",
        roads,
        "--measure",
        "betweenness",
        "--lengths",
        "weights",
    ];
    let report = verified(&[&[text(&bare)], &bare_of[..], &["--tolerance", "1e-9"]].concat());
    assert_eq!(report["columns"][0]["scale"], 1.0);
    let said = output(&["closeness", roads, "--lengths", "weights"]);
    assert!(
        said.contains("1 duplicate arc left out, the smallest weight kept"),
        "{said}"
    );
    // As inverses, the largest weight is the shortest: 1 / 0.8 ties with no sum of doubles.
    fs::write(&path, "a,b,0.1\na,b,0.8\nb,d,0.5\na,c,0.8\nc,d,0.5\n").unwrap();
    let inverse = stdout(&["betweenness", roads, "--lengths", "inverse"]);
    assert!(
        inverse.contains(",b,0.5,1\n") && inverse.contains(",c,0.5,1\n"),
        "{inverse}"
    );
    fs::write(&path, "a,b,2\na,b,1\nb,c,1\nc,b,3\na,c,2\n").unwrap();
    // Estimates have options that exact searches do not use.
    let message = failure(
        &["closeness", roads, "--lengths", "weights", "--log2m", "8"],
        2,
    );
    assert!(
        message.contains("--log2m is given: searches by lengths"),
        "{message}"
    );
    // A line for one direction does for both.
    let lengths = folder.path().join("lengths.csv");
    fs::write(&lengths, "a,b,0.1\nb,c,0.2\nc,a,0.3\n").unwrap();
    let run = [
        "betweenness",
        roads,
        "--symmetric",
        "-q",
        "--lengths",
        text(&lengths),
        "-o",
        text(&table),
    ];
    rank(&run).assert().success();
    let scores = fs::read_to_string(&table).unwrap();
    assert!(scores.contains("1,b,1.0,1\n"), "{scores}");
    assert_eq!(
        verified(&[text(&table)])["columns"][0]["promised"]["holds"],
        true
    );
    let bundle = folder.path().join("graph.bv");
    rank(&["import", roads, "-o", text(&bundle), "--duplicates", "min"])
        .assert()
        .success();
    assert_eq!(
        stdout(&["betweenness", text(&bundle), "--lengths", "weights"]),
        of(&[])
    );
}

#[test]
fn distances_far_from_1_are_written_short() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("far.csv");
    for (scale, distance) in [("e200", "1e200"), ("e-200", "1e-200")] {
        fs::write(&path, format!("a,b,1{scale}\nb,c,3{scale}\n")).unwrap();
        let said = stdout(&["distances", text(&path), "--lengths", "weights", "-q"]);
        assert!(said.contains(&format!("\n{distance:>8}  1\n")), "{said}");
        assert!(said.lines().all(|line| line.len() < 60), "{said}");
        assert!(!said.contains("NaN") && !said.contains("inf"), "{said}");
    }
    fs::write(&path, "a,b,1e308\nb,c,1e308\n").unwrap();
    let problem = failure(&["distances", text(&path), "--lengths", "weights", "-q"], 2);
    assert!(problem.contains("is too long"), "{problem}");
}
