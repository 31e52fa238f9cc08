//! `rank hits` and `rank salsa`.

use tempfile::TempDir;
use webrank_testing::cli::*;

#[test]
fn both_scores_have_a_column() {
    let folder = TempDir::new().unwrap();
    let graph = small(folder.path());
    for measure in ["hits", "salsa"] {
        let table = stdout(&["-q", measure, text(&graph)]);
        let mut rows = csv::Reader::from_reader(table.as_bytes());
        assert_eq!(
            rows.headers().unwrap(),
            vec!["node", "name", "authority", "hub"]
        );
        let mut sums = [0.0; 2];
        for row in rows.records() {
            let row = row.unwrap();
            sums[0] += row[2].parse::<f64>().unwrap();
            sums[1] += row[3].parse::<f64>().unwrap();
        }
        assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-14), "{sums:?}");
    }
}

#[test]
fn the_manifest_tells_how_sure_hits_are() {
    let folder = TempDir::new().unwrap();
    let table = folder.path().join("hits.csv");
    rank(&["-q", "hits", DEBIAN, "-o", text(&table)])
        .assert()
        .success();
    let manifest = std::fs::read(folder.path().join("hits.csv.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    let outcome = &manifest["columns"]["authority"]["outcome"];
    assert_eq!(outcome["status"], "converged");
    assert!(outcome["residual"].as_f64().unwrap() <= 1e-12);
}

#[test]
fn too_few_sweeps_are_an_error_unless_taken() {
    let limited = [
        "hits",
        DEBIAN,
        "--max-iterations",
        "1",
        "--tolerance",
        "1e-15",
    ];
    let message = failure(&limited, 3);
    assert!(message.contains("--allow-unconverged"), "{message}");
    let taken = [&limited[..], &["--allow-unconverged", "--top", "1"]].concat();
    rank(&taken).assert().success();
}

#[test]
fn weights_count_arcs_as_often() {
    let folder = TempDir::new().unwrap();
    let graph = small(folder.path());
    let weights = folder.path().join("weights.csv");
    // a -> b, b -> c, c -> a, c -> b, d -> a.
    std::fs::write(&weights, "a,b,1\nb,c,1\nc,a,1\nc,b,1\nd,a,1000\n").unwrap();
    for measure in ["hits", "salsa"] {
        let command = ["-q", measure, text(&graph), "--weights", text(&weights)];
        let table = stdout(&command);
        let mut rows = csv::Reader::from_reader(table.as_bytes());
        let rows = rows.records().map(|row| row.unwrap());
        let scores: Vec<[f64; 2]> = rows
            .map(|row| [2, 3].map(|column| row[column].parse().unwrap()))
            .collect();
        // Nearly all weight is on the arc d -> a.
        let (least_hub, least_authority) = match measure {
            "hits" => (0.99, 0.99),
            // Three of four authorities, and three of four hubs, are connected.
            _ => (0.74, 0.66),
        };
        assert!(scores[3][1] > least_hub, "{measure}: {scores:?}");
        assert!(scores[0][0] > least_authority, "{measure}: {scores:?}");
    }
}
