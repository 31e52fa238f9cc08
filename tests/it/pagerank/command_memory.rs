//! `rank pagerank` where memory is short.

use crate::support::cli::*;
use std::fs;

fn manifest(arguments: &[&str]) -> serde_json::Value {
    let folder = tempfile::tempdir().unwrap();
    let scores = folder.path().join("scores.csv");
    stdout(&[&["pagerank", DEBIAN, "-o", text(&scores)], arguments].concat());
    let text = fs::read_to_string(scores.with_extension("csv.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn the_manifest_names_the_form() {
    let form = &manifest(&[])["form"];
    assert_eq!(form["name"], "runs");
    assert!(form["reads_per_arc"].as_f64().unwrap() < 1.0);
    assert_eq!(
        manifest(&["--form", "streamed"])["form"]["name"],
        "streamed"
    );
}

#[test]
fn what_does_not_fit_is_streamed_and_the_cost_is_said() {
    let arguments = ["pagerank", DEBIAN, "--memory", "30M", "--top", "3"];
    let output = rank(&arguments).assert().success();
    let said = String::from_utf8(output.get_output().stderr.clone()).unwrap();
    assert!(said.contains("decoded in every sweep"), "{said}");
    let table = stdout(&arguments);
    let names: Vec<_> = table
        .lines()
        .skip(1)
        .map(|row| row.split(',').nth(1))
        .collect();
    let in_memory = stdout(&["pagerank", DEBIAN, "--top", "3"]);
    let expected: Vec<_> = in_memory
        .lines()
        .skip(1)
        .map(|row| row.split(',').nth(1))
        .collect();
    assert_eq!(names, expected);
}

#[test]
fn too_little_for_the_scores_is_an_error() {
    let problem = failure(&["pagerank", DEBIAN, "--memory", "1k"], 1);
    assert!(problem.contains("--memory"), "{problem}");
}

#[test]
fn sizes_that_make_no_sense_are_wrong_usage() {
    rank(&["pagerank", DEBIAN, "--memory", "lots"])
        .assert()
        .code(2);
}
