//! Outputs and refusals of `rank walks` and `rank current-flow`.

use serde_json::Value;
use tempfile::TempDir;
use webrank_testing::cli::*;

#[test]
fn walks_are_counted_and_the_manifest_says_whether_exactly() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let table = folder.path().join("t.csv");
    let run = |length: &str| {
        let output = [
            "walks",
            text(&bundle),
            "--length",
            length,
            "-o",
            text(&table),
        ];
        let said = rank(&output).assert().success();
        let manifest = std::fs::read_to_string(folder.path().join("t.csv.json")).unwrap();
        let manifest: Value = serde_json::from_str(&manifest).unwrap();
        let said = String::from_utf8(said.get_output().stderr.clone()).unwrap();
        (said, manifest["columns"]["score"]["outcome"].clone())
    };
    // a -> b -> c -> a, c -> b, d -> a: two arcs end at a by c and d, and so on.
    let (said, outcome) = run("2");
    assert_eq!(
        scores(&std::fs::read_to_string(&table).unwrap()),
        [1.0, 3.0, 2.0, 0.0]
    );
    assert_eq!(outcome["kind"], "exact");
    assert!(
        said.contains("6 walks of length 2, 1.200000 times as many"),
        "{said}"
    );
    let (said, outcome) = run("300");
    assert_eq!(outcome["kind"], "rounded");
    assert!(outcome["relative_error_bound"].as_f64().unwrap() < 1e-13);
    assert!(said.contains("each sum is rounded once"), "{said}");
}

#[test]
fn lengths_that_make_no_sense_are_refused_in_a_line() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    failure(&["walks", text(&bundle), "--length", "1000001"], 2);
    let said = failure(&["walks", text(&bundle), "--length", "1000000"], 2);
    assert!(said.contains("rank eigenvector"), "{said}");
    rank(&["walks", text(&bundle)]).assert().code(2);
    rank(&["walks", text(&bundle), "--length=-1"])
        .assert()
        .code(2);
}

#[test]
fn current_flow_needs_edges_both_ways_and_keeps_its_limits() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let said = failure(&["current-flow", text(&bundle)], 1);
    assert!(
        said.starts_with(&format!("rank: {}: ", text(&bundle)))
            && said.contains("and none back; --symmetric adds it"),
        "{said}"
    );
    let said = stdout(&["current-flow", text(&bundle), "--symmetric", "-q"]);
    // d hangs on a; a, b and c are a triangle, in which a third of a current makes the detour.
    let expected = [
        2.0 * 2.0 + 2.0 / 3.0,
        2.0 / 3.0 + 2.0 / 3.0,
        2.0 / 3.0 + 2.0 / 3.0,
        0.0,
    ];
    for (found, expected) in scores(&said).iter().zip(expected) {
        assert!((found - expected).abs() < 1e-12, "{said}");
    }
    let edges = folder.path().join("uneven.csv");
    std::fs::write(&edges, "0,1,1e-300\n1,2,1e300\n").unwrap();
    let uneven = ["current-flow", text(&edges), "--symmetric", "-q"];
    let said = failure(&uneven, 1);
    assert!(
        said.contains("uneven.csv: ") && said.contains("(--unweighted)"),
        "{said}"
    );
    let said = stdout(&[&uneven[..], &["--unweighted"]].concat());
    assert!(said.contains("\n1,2.0,1\n"), "{said}");
    let edges = folder.path().join("ring.csv");
    let ring: String = (0..3000)
        .map(|x| format!("{x},{}\n", (x + 1) % 3000))
        .collect();
    std::fs::write(&edges, ring).unwrap();
    let ring = ["current-flow", text(&edges), "--symmetric", "-q"];
    let said = failure(&[&ring[..], &["--time-budget", "1ms"]].concat(), 1);
    assert!(said.contains("time budget"), "{said}");
    let said = failure(&[&ring[..], &["--memory", "60M"]].concat(), 1);
    assert!(said.contains("(--memory)"), "{said}");
}
