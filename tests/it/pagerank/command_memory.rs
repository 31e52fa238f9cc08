//! `rank pagerank` where memory is short.

use std::fs;
use webrank_testing::cli::*;

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
    let arguments = ["pagerank", DEBIAN, "--memory", "44M", "--top", "3"];
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

#[test]
fn streaming_takes_40_bytes_a_node_whatever_the_number_of_arcs() {
    let folder = tempfile::tempdir().unwrap();
    let plan = |nodes: u32, arcs_of_each: u32| {
        let arcs =
            (0..nodes).flat_map(|x| (0..arcs_of_each).map(move |k| (x, (x * 7 + k) % nodes)));
        let text_of_arcs: String = arcs.map(|(x, y)| format!("{x}\t{y}\n")).collect();
        let (edges, bundle) = (folder.path().join("e.tsv"), folder.path().join("g.bv"));
        fs::write(&edges, text_of_arcs).unwrap();
        let import = [
            "import",
            text(&edges),
            "-o",
            text(&bundle),
            "--ids",
            "--force",
            "-q",
        ];
        rank(&import).assert().success();
        let run = [
            "pagerank",
            text(&bundle),
            "--form",
            "streamed",
            "-v",
            "--threads",
            "2",
        ];
        let said = rank(&run).assert().success().get_output().stderr.clone();
        let said = String::from_utf8(said).unwrap();
        let line = said
            .lines()
            .find(|line| line.contains("bytes at "))
            .unwrap();
        line.split(' ')
            .find_map(|word| word.parse::<u64>().ok())
            .unwrap()
    };
    let (few, many) = (plan(10_000, 1), plan(30_000, 1));
    assert_eq!(plan(10_000, 20), few);
    assert!(
        many - few <= 40 * 20_000,
        "{} bytes a node",
        (many - few) / 20_000
    );
}
