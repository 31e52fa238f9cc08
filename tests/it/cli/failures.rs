//! Every command with wrong arguments, missing files, or no convergence.

use tempfile::TempDir;
use webrank_testing::cli::*;

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
        &["--threads", "5000"],
    ] {
        let message = failure(&[&["pagerank", DEBIAN], arguments].concat(), 2);
        assert!(message.contains(arguments[0]), "{message}");
    }
    failure(&["geometric", DEBIAN, "--measures", "lin,lin"], 2);
    failure(&["decay", DEBIAN, "--base", "1"], 2);
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    for arguments in [
        &["-q", "-v", "info", DEBIAN][..],
        &["-q", "info", DEBIAN, "-v"],
        &["codes", DEBIAN, "-vq"],
    ] {
        let message = failure(arguments, 2);
        assert!(
            message.contains("--quiet cannot be combined with --verbose"),
            "{message}"
        );
    }
}

#[test]
fn no_command_shows_0_rows() {
    for arguments in [
        &["pagerank", DEBIAN][..],
        &["top", "scores.csv"],
        &["explain", DEBIAN, "libc6"],
        &["lookup", DEBIAN, "--prefix", "lib"],
        &["neighbors", DEBIAN, "libc6"],
        &["path", DEBIAN, "vlc", "libc6"],
        &["search", "web.index", "words"],
    ] {
        let message = failure(&[arguments, &["-n", "0"]].concat(), 2);
        assert!(message.contains("at least 1 row is shown"), "{message}");
    }
}

/// By the argument that names it, and with the code of a wrong argument.
#[test]
fn an_unknown_node_is_told_alike_everywhere() {
    for (arguments, named) in [
        (&["lookup", DEBIAN, "libc66"][..], "NAME"),
        (&["neighbors", DEBIAN, "libc66"], "NODE"),
        (&["explain", DEBIAN, "libc66"], "NODE"),
        (&["path", DEBIAN, "libc66", "vlc"], "FROM"),
        (&["path", DEBIAN, "vlc", "libc66"], "TO"),
        (
            &["pagerank", DEBIAN, "--preference", "libc66"],
            "--preference",
        ),
        (
            &["pagerank", DEBIAN, "--each-seed", "libc66"],
            "--each-seed",
        ),
        (&["trustrank", DEBIAN, "--seeds", "libc66"], "--seeds"),
        (&["betweenness", DEBIAN, "--sources", "libc66"], "--sources"),
    ] {
        let message = failure(arguments, 2);
        assert!(
            message.contains(&format!("{named} is 'libc66': ")),
            "{message}"
        );
        assert!(message.contains("did you mean libc6"), "{message}");
    }
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
    assert!(
        message.contains("is not a bundle, and not a folder to import"),
        "{message}"
    );
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
    let manifest = std::fs::read_to_string(folder.path().join("scores.csv.json")).unwrap();
    assert!(manifest.contains("not_converged"));
}

#[test]
fn not_converging_is_exit_code_3() {
    let message = failure(&["katz", DEBIAN, "--max-iterations", "3"], 3);
    assert!(
        message.contains("relative to the sum of scores"),
        "{message}"
    );
    let limited = ["--max-iterations", "1", "--tolerance", "1e-30"];
    for measure in ["eigenvector", "hits"] {
        let message = failure(&[&[measure, DEBIAN][..], &limited].concat(), 3);
        assert!(message.contains("the residual is"), "{message}");
    }
    let message = failure(&[&["seeley", DEBIAN][..], &limited].concat(), 3);
    assert!(
        message.contains("the certified l1 error has no bound yet"),
        "{message}"
    );
    let command = [
        "katz",
        DEBIAN,
        "--max-iterations",
        "3",
        "--allow-unconverged",
    ];
    assert!(stdout(&command).starts_with("node,name,score,rank"));
}

/// Bounds and certificates take sweeps beyond the limit, as the help page says, and all are counted.
#[test]
fn iterations_end_ten_sweeps_after_their_limit_at_the_latest() {
    let folder = TempDir::new().unwrap();
    let table = folder.path().join("t.csv");
    for graph in ["graphs/rust-doc.bv"] {
        for command in [
            "pagerank",
            "pagerank --method gauss-seidel",
            "pagerank --method components",
            "pagerank --form compact",
            "pagerank --form streamed",
            "pagerank --form external",
            "pagerank --alphas 0.5,0.9",
            "pagerank --each-seed 0,1",
            "trustrank --seeds 0",
            "eigenvector",
            "katz",
            "seeley",
            "leaderrank",
            "hits",
        ] {
            for limit in [1, 2, 5] {
                let iterations = limit.to_string();
                let words: Vec<&str> = command.split(' ').collect();
                let options = ["--allow-unconverged", "-q", "--max-iterations", &iterations];
                let output = [graph, "-o", text(&table)];
                let arguments = [&words[..], &options, &output].concat();
                let run = rank(&arguments).output().unwrap();
                // Katz's alpha may depend on a radius that is not known yet.
                assert!(run.status.success(), "{arguments:?}");
                let manifest = std::fs::read_to_string(folder.path().join("t.csv.json")).unwrap();
                let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
                for (column, run) in manifest["columns"].as_object().unwrap() {
                    let counted = run["outcome"]["iterations"].as_u64().unwrap();
                    assert!(
                        (1..=limit + 10).contains(&counted),
                        "{arguments:?}, {column}: {counted}"
                    );
                }
            }
        }
    }
}
