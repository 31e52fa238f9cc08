//! Tables of estimates: their intervals are written and read in every format, and the commands that read
//! tables go on reading them.

use serde_json::Value;
use tempfile::TempDir;
use webrank_tables::read::read_scores;
use webrank_testing::cli::*;

/// Commands that estimate, whether their intervals are of each node or of all, and proved.
const ESTIMATES: [(&[&str], &str, bool); 5] = [
    (&["harmonic", "--method", "hyperball"], "each_node", false),
    (
        &[
            "lin",
            "--method",
            "sample",
            "--sources",
            "2000",
            "--direction",
            "out",
        ],
        "each_node",
        false,
    ),
    (
        &[
            "reachable",
            "--method",
            "sample",
            "--epsilon",
            "0.05",
            "--direction",
            "out",
        ],
        "each_node",
        true,
    ),
    (
        &["betweenness", "--method", "sources", "--samples", "99"],
        "each_node",
        true,
    ),
    (
        &["betweenness", "--method", "approx", "--epsilon", "0.05"],
        "all_nodes",
        true,
    ),
];

fn json(path: &std::path::Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn every_format_has_them_and_every_reader_skips_them() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (command, holds, proved) in ESTIMATES {
        let mut tables = Vec::new();
        // Formats do not depend on what is estimated.
        let formats = if holds == "all_nodes" {
            &["csv", "tsv", "jsonl", "arrow", "parquet", "npy"][..]
        } else {
            &["csv", "npy"]
        };
        for format in formats {
            let path = at(&format!("t.{format}"));
            let output = ["graphs/debian.bv", "-q", "-o", text(&path)];
            rank(&[&command[..1], &output, &command[1..]].concat())
                .assert()
                .success();
            let manifest = json(&at(&format!("t.{format}.json")));
            let claim = &manifest["intervals"]["score"];
            assert_eq!(
                (&claim["holds"], &claim["proved"]),
                (&holds.into(), &proved.into())
            );
            let table = read_scores(&path, Some("node")).unwrap();
            assert_eq!(
                table.columns.len(),
                1,
                "{format}: only 'score' holds scores"
            );
            let [lower, upper] = table.interval.clone().unwrap();
            let scores = table.columns[0].1.iter().zip(lower).zip(upper);
            let mut wide = 0;
            for ((&score, lower), upper) in scores {
                assert!(lower <= score && score <= upper, "{format}");
                wide += usize::from(lower < upper);
            }
            assert!(wide > 1000, "{format}");
            tables.push(table);
        }
        for table in &tables {
            assert_eq!(table.columns, tables[0].columns);
            assert_eq!(table.interval, tables[0].interval);
        }
        let csv = std::fs::read_to_string(at("t.csv")).unwrap();
        let header = "node,name,score,lower,upper,rank,rank_from,rank_to\n";
        assert!(csv.starts_with(header), "{}", &csv[..80]);
        let csv = at("t.csv");
        let verified = rank(&["verify", text(&csv), "--samples", "20"])
            .output()
            .unwrap();
        assert!(
            matches!(verified.status.code(), Some(0 | 1)),
            "{verified:?}"
        );
        stdout(&["explain", "graphs/debian.bv", "libc6", text(&csv)]);
        assert_eq!(stdout(&["top", text(&csv)]).lines().count(), 21);
        let bounds = [
            "compare",
            text(&csv),
            text(&csv),
            "--respect-bounds",
            "--json",
        ];
        // Samples have a bound for all nodes too; HyperBall's intervals are no bounds for all of them.
        assert_eq!(
            rank(&bounds).output().unwrap().status.success(),
            proved,
            "{command:?}"
        );
    }
}

#[test]
fn several_columns_and_joined_tables_keep_their_ends_apart() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| text(&folder.path().join(name)).to_owned();
    let (all, one, other, joint) = (
        at("all.csv"),
        at("one.csv"),
        at("other.csv"),
        at("joint.csv"),
    );
    let hyperball = ["graphs/debian.bv", "-q", "--method", "hyperball", "-o"];
    let several = [
        "geometric",
        "--measures",
        "lin,harmonic",
        "--confidence",
        "0.9",
    ];
    rank(&[&several[..], &hyperball, &[&all]].concat())
        .assert()
        .success();
    let table = read_scores(all.as_ref(), None).unwrap();
    let names: Vec<&str> = table
        .columns
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["lin", "harmonic"]);
    let manifest = json(format!("{all}.json").as_ref());
    assert_eq!(manifest["intervals"]["lin"]["confidence"], 0.9);
    rank(&[&["harmonic"], &hyperball[..], &[&one]].concat())
        .assert()
        .success();
    rank(&["indegree", "graphs/debian.bv", "-q", "-o", &other])
        .assert()
        .success();
    rank(&["join", &one, &other, "-o", &joint, "-q"])
        .assert()
        .success();
    let joined = std::fs::read_to_string(&joint).unwrap();
    let header = "node,name,harmonic_score,harmonic_lower,harmonic_upper,harmonic_rank,\
                  harmonic_rank_from,harmonic_rank_to,indegree_score,indegree_rank\n";
    assert!(joined.starts_with(header), "{}", &joined[..200]);
    let table = read_scores(joint.as_ref(), None).unwrap();
    let names: Vec<&str> = table
        .columns
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["harmonic_score", "indegree_score"]);
    let manifest = json(format!("{joint}.json").as_ref());
    assert_eq!(manifest["intervals"]["harmonic_score"]["confidence"], 0.95);
}

#[test]
fn a_higher_confidence_is_wider_and_none_is_refused() {
    let table = |confidence: &str| {
        let sample = [
            "harmonic",
            "graphs/rust-doc.bv",
            "--method",
            "sample",
            "--epsilon",
            "0.1",
        ];
        stdout(&[&sample[..], &["--confidence", confidence, "-q"]].concat())
    };
    let columns = |table: &str| -> Vec<[f64; 3]> {
        let rows = table.lines().skip(1).map(|line| {
            let cells: Vec<&str> = line.rsplitn(7, ',').collect();
            [5, 4, 3].map(|place| cells[place].parse().unwrap())
        });
        rows.collect()
    };
    let (narrow, wide) = (columns(&table("0.8")), columns(&table("0.999")));
    for (narrow, wide) in narrow.iter().zip(&wide) {
        assert_eq!(narrow[0], wide[0], "scores do not depend on it");
        assert!(wide[1] <= narrow[1] && narrow[2] <= wide[2]);
    }
    assert!(
        narrow
            .iter()
            .zip(&wide)
            .any(|(narrow, wide)| wide[1] < narrow[1])
    );
    for command in ["harmonic", "betweenness"] {
        for bad in ["0", "1", "95", "NaN"] {
            let message = failure(&[command, "graphs/rust-doc.bv", "--confidence", bad], 2);
            assert!(message.contains("--confidence is"), "{message}");
        }
    }
}
