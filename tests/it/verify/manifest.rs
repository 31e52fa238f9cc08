//! `rank verify` and what a manifest says of a column.

use super::command::verified;
use serde_json::Value;
use tempfile::TempDir;
use webrank_testing::cli::*;

#[test]
fn a_preference_that_is_given_replaces_the_seed_of_the_manifest() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let at = |name: &str| folder.path().join(name);
    let (table, preference) = (at("t.csv"), at("p.csv"));
    let run = ["-q", "pagerank", text(&bundle), "--each-seed", "a"];
    rank(&[&run[..], &["-o", text(&table)]].concat())
        .assert()
        .success();
    let given = [text(&table), "--preference", text(&preference)];
    for (vector, is_same) in [("a,1\n", true), ("b,1\n", false)] {
        std::fs::write(&preference, vector).unwrap();
        let column = &verified(&given)["columns"][0];
        assert_eq!(column["parameters"]["preference"], "vector");
        let error = column["error"]["at_least"].as_f64().unwrap();
        assert_eq!(error < 1e-3, is_same, "{vector}: {column:#}");
    }
}

#[test]
fn a_wrong_parameter_of_a_manifest_is_named_with_its_remedy() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let at = |name: &str| folder.path().join(name);
    let (table, manifest) = (at("t.csv"), at("t.csv.json"));
    for (measure, parameter, value, words) in [
        (
            "pagerank",
            "alpha",
            "much",
            "alpha is \"much\": give --alpha",
        ),
        (
            "pagerank",
            "dangling",
            "x",
            "dangling is \"x\": give --dangling",
        ),
        (
            "closeness",
            "variant",
            "x",
            "variant is \"x\": give --variant",
        ),
        (
            "harmonic",
            "direction",
            "up",
            "direction is \"up\": give --direction",
        ),
        (
            "harmonic",
            "normalize",
            "no",
            "normalize is \"no\": make the table again",
        ),
        (
            "pagerank",
            "seed",
            "9",
            "seed is \"9\": the graph has no such node",
        ),
    ] {
        rank(&["-q", measure, text(&bundle), "-o", text(&table)])
            .assert()
            .success();
        let mut changed: Value =
            serde_json::from_str(&std::fs::read_to_string(&manifest).unwrap()).unwrap();
        changed["columns"]["score"]["parameters"][parameter] = value.into();
        std::fs::write(&manifest, changed.to_string()).unwrap();
        let message = failure(&["verify", text(&table)], 1);
        let expected = format!("t.csv: its manifest says {words}");
        assert!(message.contains(&expected), "{message}");
    }
}
