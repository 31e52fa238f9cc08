//! `rank leaderrank`.

use tempfile::TempDir;
use webrank_testing::cli::*;

#[test]
fn it_certifies_its_error_both_ways() {
    let folder = TempDir::new().unwrap();
    let table = folder.path().join("scores.csv");
    stdout(&["-q", "leaderrank", DEBIAN, "-o", text(&table)]);
    let scores = scores(&std::fs::read_to_string(&table).unwrap());
    let n = scores.len() as f64;
    let manifest = std::fs::read(folder.path().join("scores.csv.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    let run = &manifest["columns"]["score"];
    assert_eq!(run["measure"], "leaderrank");
    assert_eq!(run["outcome"]["status"], "converged");
    let relative = run["outcome"]["relative_error_bound"].as_f64().unwrap();
    let absolute = run["outcome"]["error_bound"].as_f64().unwrap();
    assert!((scores.iter().sum::<f64>() - n).abs() <= absolute);
    assert!(relative <= 1e-9 && (absolute - relative * n).abs() < 1e-3 * absolute);
}

#[test]
fn weights_count_arcs_as_often() {
    let folder = TempDir::new().unwrap();
    let graph = small(folder.path());
    let weights = folder.path().join("weights.csv");
    std::fs::write(&weights, "a,b,2\nb,c,1\nc,a,3\nc,b,1\nd,a,1\n").unwrap();
    let options = ["--tolerance", "1e-13", "--weights", text(&weights)];
    let command = [&["-q", "leaderrank", text(&graph)][..], &options].concat();
    let found = scores(&stdout(&command));
    // Visits between two of the ground node, which is one arc more: a = 1 + 3/5 c + 1/2 d,
    // b = 1 + 2/3 a + 1/5 c, c = 1 + 1/2 b, d = 1.
    let visits: Vec<f64> = found
        .iter()
        .map(|score| 2.0 * score / found[3] - 1.0)
        .collect();
    let [a, b, c, d] = visits[..] else { panic!() };
    assert_eq!(d, 1.0);
    assert!((a - 1.0 - 0.6 * c - 0.5).abs() < 1e-12);
    assert!((b - 1.0 - 2.0 / 3.0 * a - 0.2 * c).abs() < 1e-12);
    assert!((c - 1.0 - 0.5 * b).abs() < 1e-12);
}

#[test]
fn too_few_sweeps_are_an_error() {
    let message = failure(&["leaderrank", DEBIAN, "--max-iterations", "2"], 3);
    assert!(
        message.contains("relative to the sum of scores"),
        "{message}"
    );
}
