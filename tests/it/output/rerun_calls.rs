//! `rank rerun` of calls from Python, whose manifests have arguments instead of options.

use serde_json::Value;
use std::path::Path;
use tempfile::TempDir;
use webrank_testing::cli::*;

/// Runs a command on the small graph; its manifest then has this call.
fn as_called(folder: &Path, command: &str, call: &[&str]) {
    let words = command.split(' ').chain(["-q", "small.bv"]);
    let (code, _, problem) = run_in(folder, &words.collect::<Vec<_>>());
    assert_eq!(code, Some(0), "{command}: {problem}");
    change(folder, |manifest| manifest["command"] = call.into());
}

fn change(folder: &Path, how: impl FnOnce(&mut Value)) {
    let path = folder.join("t.csv.json");
    let mut manifest: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    how(&mut manifest);
    std::fs::write(&path, manifest.to_string()).unwrap();
}

fn rerun(folder: &Path) -> (Option<i32>, String) {
    let (code, said, problem) = run_in(folder, &["rerun", "t.csv.json"]);
    (code, said + &problem)
}

#[test]
fn arguments_that_are_options_are_repeated() {
    let folder = TempDir::new().unwrap();
    small(folder.path());
    std::fs::write(folder.path().join("p.csv"), "a,1\nb,3\n").unwrap();
    for (command, call) in [
        ("indegree -o t.csv", &["webrank", "indegree"][..]),
        (
            "pagerank --alpha 0.5 --dangling uniform --derivative -o t.csv",
            &[
                "webrank",
                "pagerank",
                "alpha=0.5",
                "dangling=uniform",
                "derivative=True",
            ],
        ),
        (
            "pagerank --method gauss-seidel --preference p.csv -o t.csv",
            &[
                "webrank",
                "pagerank",
                "method=gauss_seidel",
                "preference=p.csv",
            ],
        ),
        (
            "pagerank --top 2 --sort score --unweighted --threads 1 -o t.csv",
            &[
                "webrank",
                "pagerank",
                "threads=1",
                "unweighted=True",
                "save.top=2",
                "save.sort=score",
            ],
        ),
        (
            "harmonic --time-budget 3s --normalize -o t.csv",
            &["webrank", "harmonic", "time_budget=3.0", "normalize=True"],
        ),
        (
            "harmonic --top 1 -o t.csv",
            &["webrank", "harmonic", "top=1", "save.top=1"],
        ),
        (
            "betweenness --method sources --sources a,d -o t.csv",
            &["webrank", "betweenness", "method=sources", "sources=a,d"],
        ),
    ] {
        as_called(folder.path(), command, call);
        let (code, said) = rerun(folder.path());
        assert_eq!(code, Some(0), "{call:?}: {said}");
        assert!(said.contains("the same bits again"), "{said}");
        // Other arguments give other bits.
        let mut other = call.to_vec();
        other.extend(["names=p.csv"]);
        change(folder.path(), |manifest| manifest["command"] = other.into());
        assert_eq!(rerun(folder.path()).0, Some(1));
    }
}

#[test]
fn the_argument_that_is_no_option_is_named() {
    let folder = TempDir::new().unwrap();
    small(folder.path());
    for (call, words) in [
        (
            &["pagerank", "preference=(dict)"][..],
            "preference=(dict) of the call from Python",
        ),
        (
            &["pagerank", "alpha=0.5", "drop_loops=True"],
            "drop_loops=True of the call",
        ),
        (&["pagerank", "derivative=0"], "derivative=0 of the call"),
        (&["pagerank", "top=2"], "top=2 of the call"),
        (&["harmonic", "top=2", "save.top=1"], "top=2 of the call"),
        (&["betweenness", "save.top=1"], "save.top=1 of the call"),
        (&["nonsense", "alpha=0.5"], "no such command"),
        (&["pagerank", "alpha=x"], "no such command"),
        (&["import", "output=x.bv"], "no such command"),
    ] {
        let call: Vec<&str> = ["webrank"].iter().chain(call).copied().collect();
        as_called(folder.path(), "pagerank -o t.csv", &call);
        let (code, said) = rerun(folder.path());
        assert_eq!(code, Some(1), "{call:?}: {said}");
        assert!(said.contains(words) && said.lines().count() == 1, "{said}");
    }
    as_called(folder.path(), "pagerank -o t.csv", &["webrank", "pagerank"]);
    change(folder.path(), |manifest| {
        manifest["graph"]["path"] = "".into()
    });
    let (code, said) = rerun(folder.path());
    assert_eq!(code, Some(1));
    assert!(said.contains("its graph was made in Python"), "{said}");
}

#[test]
fn files_of_calls_are_found_by_verify() {
    let folder = TempDir::new().unwrap();
    small(folder.path());
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("p.csv"), "a,1\nb,3\n").unwrap();
    let command = "pagerank --preference p.csv -o t.csv";
    as_called(
        folder.path(),
        command,
        &["webrank", "pagerank", "preference=p.csv"],
    );
    let (code, said, problem) = run_in("/".as_ref(), &["verify", text(&at("t.csv"))]);
    assert_eq!(code, Some(0), "{said} {problem}");
    assert!(said.contains("holds"), "{said}");
    // Values that a call had in memory must be named.
    for (command, given) in [
        ("pagerank --preference p.csv -o t.csv", "preference"),
        ("trustrank --seeds a -o t.csv", "seeds"),
        (
            "betweenness --method sources --sources a -o t.csv",
            "sources",
        ),
    ] {
        let measure = command.split(' ').next().unwrap();
        let lost = format!("{given}=(list)");
        as_called(folder.path(), command, &["webrank", measure, &lost]);
        let message = failure(&["verify", text(&at("t.csv"))], 2);
        assert!(
            message.contains(&format!("--{given} is not known")),
            "{message}"
        );
    }
}
