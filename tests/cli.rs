//! The command line as a user meets it.

use assert_cmd::Command;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const DEBIAN: &str = "graphs/debian.bv";

fn rank(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("rank").unwrap();
    command.args(arguments);
    command
}

fn stdout(arguments: &[&str]) -> String {
    let output = rank(arguments)
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    String::from_utf8(output).unwrap()
}

/// The one line that a failing command says, and its exit code.
fn failure(arguments: &[&str], code: i32) -> String {
    let assert = rank(arguments).assert().code(code);
    let message = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.starts_with("rank: "), "{message}");
    assert!(assert.get_output().stdout.is_empty());
    message
}

/// A bundle of four named nodes.
fn small(folder: &Path) -> PathBuf {
    let edges = folder.join("edges.tsv");
    std::fs::write(&edges, "a\tb\nb\tc\nc\ta\nc\tb\nd\ta\nd\ta\n").unwrap();
    let bundle = folder.join("small.bv");
    let said = stdout(&["import", text(&edges), "-o", text(&bundle)]);
    assert!(said.contains("4 nodes, 5 arcs; 1 duplicate"), "{said}");
    bundle
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn files(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_pipe_gets_the_whole_table() {
    let table = stdout(&["pagerank", DEBIAN]);
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("node,name,score,rank,certain"));
    let rows: Vec<&str> = lines.collect();
    assert_eq!(rows.len(), 63_436);
    assert!(rows[0].starts_with("0,0ad,"));
    assert!(
        rows.iter()
            .any(|row| row.starts_with("16807,libc6,0.175") && row.ends_with(",1,true"))
    );
}

#[test]
fn the_table_has_the_same_bytes_for_any_number_of_threads() {
    for measure in [
        &["pagerank"][..],
        &["pagerank", "--method", "gauss-seidel"],
        &["harmonic"],
        &["closeness", "--direction", "out"],
    ] {
        let tables = ["1", "2", "3", "8"].map(|threads| {
            stdout(&[measure, &["graphs/rust-doc.bv", "--threads", threads]].concat())
        });
        assert!(
            tables.iter().all(|table| *table == tables[0]),
            "{measure:?}"
        );
    }
}

#[test]
fn top_and_sort_choose_the_rows() {
    let best = stdout(&["pagerank", DEBIAN, "--top", "3", "--sort", "score"]);
    let names: Vec<&str> = best
        .lines()
        .skip(1)
        .map(|l| l.split(',').nth(1).unwrap())
        .collect();
    assert_eq!(names, ["libc6", "libgcc-s1", "libidn2-0"]);
    let by_node = stdout(&["pagerank", DEBIAN, "--top", "3"]);
    let nodes: Vec<u32> = by_node
        .lines()
        .skip(1)
        .map(|line| line.split(',').next().unwrap().parse().unwrap())
        .collect();
    assert!(nodes.is_sorted());
    assert_eq!(nodes.len(), 3);
}

#[test]
fn a_file_comes_with_the_account_of_its_run() {
    let folder = TempDir::new().unwrap();
    let table = folder.path().join("scores.csv");
    rank(&["-q", "pagerank", DEBIAN, "-o", text(&table)])
        .assert()
        .success();
    assert_eq!(files(folder.path()), ["scores.csv", "scores.csv.json"]);
    let account = std::fs::read(folder.path().join("scores.csv.json")).unwrap();
    let account: serde_json::Value = serde_json::from_slice(&account).unwrap();
    let run = &account["columns"]["score"];
    assert_eq!(run["measure"], "pagerank");
    assert_eq!(run["parameters"]["alpha"], 0.85);
    assert!(run["outcome"]["error_bound"].as_f64().unwrap() <= 1e-9);
    assert_eq!(account["graph"]["nodes"], 63_436);
    assert_eq!(
        std::fs::read_to_string(&table).unwrap(),
        stdout(&["pagerank", DEBIAN])
    );
}

#[test]
fn extensions_compress() {
    let folder = TempDir::new().unwrap();
    let plain = stdout(&["indegree", DEBIAN]);
    for name in ["scores.csv.zst", "scores.csv.gz"] {
        let path = folder.path().join(name);
        rank(&["-q", "indegree", DEBIAN, "-o", text(&path)])
            .assert()
            .success();
        let file = std::fs::File::open(&path).unwrap();
        let read = match name.ends_with("gz") {
            true => std::io::read_to_string(flate2::read::GzDecoder::new(file)),
            false => std::io::read_to_string(zstd::Decoder::new(file).unwrap()),
        };
        assert_eq!(read.unwrap(), plain);
    }
}

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
fn wrong_arguments_are_one_line_and_exit_2() {
    for arguments in [
        &["--alpha", "1"][..],
        &["--alpha", "-0.1"],
        &["--alpha", "NaN"],
        &["--tolerance", "0"],
        &["--tolerance", "-1e-9"],
        &["--tolerance", "nan"],
        &["--threads", "0"],
    ] {
        let message = failure(&[&["pagerank", DEBIAN], arguments].concat(), 2);
        assert!(message.contains(arguments[0]), "{message}");
    }
    failure(&["geometric", DEBIAN, "--measures", "lin,lin"], 2);
    failure(&["decay", DEBIAN, "--base", "1"], 2);
}

#[test]
fn what_is_not_there_is_named() {
    let message = failure(&["pagerank", "graphs/nothing"], 1);
    assert!(
        message.contains("graphs/nothing.properties does not exist"),
        "{message}"
    );
    let message = failure(&["pagerank", "graphs/debian"], 1);
    assert!(
        message.contains("did you mean graphs/debian.bv?"),
        "{message}"
    );
    let message = failure(&["pagerank", "src"], 1);
    assert!(message.contains("not a bundle"), "{message}");
    let message = failure(&["pagerank", DEBIAN, "-o", "no/folder/scores.csv"], 1);
    assert!(message.contains("no/folder does not exist"), "{message}");
    failure(&["import", "nothing.tsv", "-o", "nothing.bv"], 1);
}

#[test]
fn not_converging_exits_3_and_writes_nothing_unless_allowed() {
    let folder = TempDir::new().unwrap();
    let table = folder.path().join("scores.csv");
    std::fs::write(&table, "old").unwrap();
    let limited = [
        "pagerank",
        DEBIAN,
        "--max-iterations",
        "3",
        "-q",
        "-o",
        text(&table),
    ];
    let message = failure(&limited, 3);
    assert!(
        message.contains("after 3 iterations the error bound is"),
        "{message}"
    );
    assert_eq!(files(folder.path()), ["scores.csv"]);
    assert_eq!(std::fs::read(&table).unwrap(), b"old");
    rank(&[&limited[..], &["--allow-unconverged"]].concat())
        .assert()
        .success();
    assert_eq!(files(folder.path()), ["scores.csv", "scores.csv.json"]);
    let account = std::fs::read_to_string(folder.path().join("scores.csv.json")).unwrap();
    assert!(account.contains("not_converged"));
}

#[test]
fn certifying_the_top_proves_its_positions() {
    let table = stdout(&["pagerank", DEBIAN, "--certify-top", "500", "--top", "500"]);
    assert!(table.lines().skip(1).all(|row| row.ends_with(",true")));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let message = failure(&["-q", "pagerank", DEBIAN, "-o", "/dev/full"], 1);
    assert!(message.contains("No space left"), "{message}");
}

#[test]
fn check_says_what_it_verified() {
    let said = stdout(&["check", DEBIAN]);
    assert!(said.lines().all(|line| line.starts_with("ok: ")));
    assert!(said.contains("63436 nodes and 309498 arcs"));
    assert!(said.contains("63436 names, all different"));
}

#[test]
fn info_describes_the_graph() {
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&["info", DEBIAN, "--json"])).unwrap();
    assert_eq!(json["nodes"], 63_436);
    assert_eq!(json["arcs"], 309_498);
    assert_eq!(json["dangling_nodes"], 6_513);
    assert_eq!(json["names"], true);
    assert!(stdout(&["info", DEBIAN]).contains("(libc6)"));
}

#[test]
fn an_existing_bundle_is_replaced_only_by_force() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let edges = folder.path().join("edges.tsv");
    let again = ["import", text(&edges), "-o", text(&bundle)];
    assert!(failure(&again, 1).contains("--force"));
    rank(&[&again[..], &["--force"]].concat())
        .assert()
        .success();
    assert_eq!(files(folder.path()), ["edges.tsv", "small.bv"]);
}

#[test]
fn graphs_without_names_have_no_column_of_names() {
    let folder = TempDir::new().unwrap();
    let edges = folder.path().join("edges.txt");
    std::fs::write(&edges, "0 1\n1 2\n").unwrap();
    let bundle = folder.path().join("ids.bv");
    stdout(&["import", text(&edges), "--ids", "-o", text(&bundle)]);
    let table = stdout(&["outdegree", text(&bundle)]);
    assert_eq!(table, "node,score,rank\n0,1.0,1\n1,1.0,1\n2,0.0,3\n");
    let names = folder.path().join("names.txt");
    std::fs::write(&names, "x\ny\nz\n").unwrap();
    let table = stdout(&["outdegree", text(&bundle), "--names", text(&names)]);
    assert!(table.starts_with("node,name,score,rank\n0,x,1.0,1\n"));
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
    for measure in ["pagerank", "indegree", "harmonic"] {
        let path = file(&format!("{measure}.csv"));
        rank(&["-q", measure, DEBIAN, "-o", text(&path)])
            .assert()
            .success();
    }
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

#[test]
fn every_subcommand_explains_itself() {
    let help = stdout(&["--help"]);
    let commands = help
        .split("Commands:")
        .nth(1)
        .unwrap()
        .split("Options:")
        .next()
        .unwrap();
    let names: Vec<&str> = commands
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.contains(&"pagerank") && names.contains(&"harmonic"));
    for name in names {
        assert!(!stdout(&["help", name]).is_empty());
    }
}
