//! `rank eigenvector`.

use tempfile::TempDir;
use webrank_testing::cli::*;

#[test]
fn eigenvector_scores_flow_along_arcs_unless_told() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    // The root of l^3 = l + 1; d is on no cycle.
    let radius: f64 = 1.324717957244746;
    let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    let incoming = scores(&stdout(&["eigenvector", text(&bundle), "--norm", "max"]));
    // x_a = x_c / l, x_c = x_b / l.
    assert!(near(
        &incoming,
        &[1.0 / radius.powi(2), 1.0, 1.0 / radius, 0.0]
    ));
    let command = [
        "eigenvector",
        text(&bundle),
        "--norm",
        "max",
        "--direction",
        "out",
    ];
    let outgoing = scores(&stdout(&command));
    // x_a = x_b / l, x_b = x_c / l, x_d = x_a / l.
    let expected = [
        1.0 / radius.powi(2),
        1.0 / radius,
        1.0,
        1.0 / radius.powi(3),
    ];
    assert!(near(&outgoing, &expected), "{outgoing:?}");
}

#[test]
fn eigenvector_explains_its_zeros() {
    let folder = TempDir::new().unwrap();
    let table = folder.path().join("scores.csv");
    let said = rank(&["eigenvector", DEBIAN, "-o", text(&table)])
        .assert()
        .success();
    let said = String::from_utf8(said.get_output().stderr.clone()).unwrap();
    assert!(said.contains("one of 49 nodes and 142 arcs"), "{said}");
    assert!(
        said.contains("63310 nodes are not reached from there: their score is 0"),
        "{said}"
    );
    let manifest = std::fs::read_to_string(folder.path().join("scores.csv.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let outcome = &manifest["columns"]["score"]["outcome"];
    let bounds: Vec<f64> = (0..2)
        .map(|i| outcome["eigenvalue_bounds"][i].as_f64().unwrap())
        .collect();
    let value = outcome["eigenvalue"].as_f64().unwrap();
    assert!(bounds[0] <= value && value <= bounds[1] && bounds[1] - bounds[0] < 1e-9);
    assert!(outcome["residual"].as_f64().unwrap() <= 1e-12);
}
