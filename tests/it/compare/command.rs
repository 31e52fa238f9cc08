//! `rank compare`: formats, weights, bounds.

use serde_json::Value;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use webrank_testing::cli::*;

/// A table of scores of the nodes 0, 1, ...
fn table(folder: &Path, name: &str, scores: &[f64]) -> PathBuf {
    let rows = scores.iter().enumerate();
    let rows: String = rows
        .map(|(node, score)| format!("{node},{score}\n"))
        .collect();
    let path = folder.join(name);
    std::fs::write(&path, format!("node,score\n{rows}")).unwrap();
    path
}

fn json(arguments: &[&str]) -> Value {
    let arguments = [&["-q", "compare", "--json"], arguments].concat();
    serde_json::from_str(&stdout(&arguments)).unwrap()
}

/// The first comparison.
fn compared(arguments: &[&str]) -> Value {
    json(arguments)["table"]["comparisons"][0].clone()
}

/// Values of scipy 1.17.1: `weightedtau(x, y, rank=..., weigher=...)` with rank None on (x, y),
/// None on (y, x), True, and the competition ranks of z from 0.
#[test]
fn weighers_and_ranks_are_those_of_scipy() {
    let folder = TempDir::new().unwrap();
    let x = table(folder.path(), "x.csv", &[12.0, 2.0, 1.0, 12.0, 2.0]);
    let y = table(folder.path(), "y.csv", &[1.0, 4.0, 7.0, 1.0, 0.0]);
    let z = table(folder.path(), "z.csv", &[3.0, 1.0, 4.0, 1.0, 5.0]);
    for (weigher, values) in SCIPY {
        let ranks: [&[&str]; 4] = [
            &["--rank-by", "a"],
            &["--rank-by", "b"],
            &[],
            &["--rank-by-table", text(&z)],
        ];
        for (rank, value) in ranks.into_iter().zip(values) {
            let files = [text(&x), text(&y), "--weigher", weigher];
            let found = compared(&[&files, rank].concat());
            let tau = found["weighted_tau"].as_f64().unwrap();
            assert!((tau - value).abs() < 1e-14, "{weigher} {rank:?}: {tau}");
            if weigher == "none" {
                assert!((tau - found["tau_b"].as_f64().unwrap()).abs() < 1e-14);
            }
        }
    }
}

const SCIPY: [(&str, [f64; 4]); 5] = [
    (
        "hyperbolic",
        [
            -0.4157652301037516,
            -0.7181341329699028,
            -0.5669496815368272,
            -0.28803291992923824,
        ],
    ),
    (
        "logarithmic",
        [
            -0.44891179550243304,
            -0.5747640496326244,
            -0.5118379225675287,
            -0.40916565930300897,
        ],
    ),
    (
        "quadratic",
        [
            -0.3721288376156698,
            -0.8824845213028236,
            -0.6273066794592467,
            -0.06927682648831286,
        ],
    ),
    (
        "linear",
        [
            -0.4129200695076665,
            -0.6864930642568267,
            -0.5497065668822466,
            -0.3971869795707654,
        ],
    ),
    (
        "none",
        [
            -0.47140452079103173,
            -0.47140452079103173,
            -0.47140452079103173,
            -0.47140452079103173,
        ],
    ),
];

#[test]
fn a_table_that_ranks_has_one_column() {
    let folder = TempDir::new().unwrap();
    let x = table(folder.path(), "x.csv", &[1.5, 2.5]);
    let hubs = folder.path().join("hubs.csv");
    std::fs::write(&hubs, "node,authority,hub\n0,1,2\n1,3,4\n").unwrap();
    let files = ["compare", text(&x), text(&x)];
    let ranked = [&files[..], &["--rank-by-table", text(&hubs)]].concat();
    let message = failure(&ranked, 1);
    assert!(message.contains("authority, hub"), "{message}");
}

#[test]
fn parquet_holds_what_the_csv_holds() {
    let folder = TempDir::new().unwrap();
    let [csv, parquet] = ["a.csv", "a.parquet"].map(|name| folder.path().join(name));
    for path in [&csv, &parquet] {
        rank(&["-q", "pagerank", DEBIAN, "-o", text(path)])
            .assert()
            .success();
        assert!(folder.path().join(format!("{}.json", text(path))).exists());
    }
    let found = compared(&[text(&csv), text(&parquet)]);
    assert_eq!(found["distances"]["l1"], 0.0);
    assert_eq!(found["tau_b"], 1.0);
    let by_node = compared(&[text(&csv), text(&parquet), "--on", "node"]);
    assert_eq!(by_node["distances"]["l1"], 0.0);
    let arcs = folder.path().join("arcs.parquet");
    let small = small(folder.path());
    let scored = [
        "-q",
        "betweenness",
        text(&small),
        "--arcs",
        "-o",
        text(&arcs),
    ];
    rank(&scored).assert().success();
    let bytes = std::fs::read(&arcs).unwrap();
    assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
}

#[test]
fn coefficients_are_csv() {
    let folder = TempDir::new().unwrap();
    let x = table(folder.path(), "x.csv", &[1.5, 2.5]);
    let out = folder.path().join("c.parquet");
    let message = failure(&["compare", text(&x), text(&x), "-o", text(&out)], 1);
    assert!(message.contains("CSV") && !out.exists(), "{message}");
}

/// The guarantees of tables that these subcommands write for Debian's graph.
fn guaranteed(folder: &Path, measures: &[&[&str]]) -> Value {
    let mut files = Vec::new();
    for (index, measure) in measures.iter().enumerate() {
        let path = folder.join(format!("t{index}.csv"));
        let run = [
            &["-q", measure[0], DEBIAN],
            &measure[1..],
            &["-o", text(&path)],
        ]
        .concat();
        rank(&run).assert().success();
        files.push(path);
    }
    let files: Vec<&str> = files.iter().map(|path| text(path)).collect();
    json(&[&files[..], &["--respect-bounds"]].concat())
}

#[test]
fn every_table_says_what_it_guarantees() {
    let folder = TempDir::new().unwrap();
    let found = guaranteed(
        folder.path(),
        &[
            &["pagerank"],
            &["indegree"],
            &["harmonic", "--method", "sample", "--epsilon", "0.2"],
            &["betweenness", "--method", "approx", "--epsilon", "0.05"],
            &["harmonic", "--method", "hyperball"],
            &["eigenvector"],
            &["katz"],
            &["seeley"],
        ],
    );
    let kinds: Vec<&str> = found["guarantees"]
        .as_array()
        .unwrap()
        .iter()
        .map(|guarantee| guarantee["kind"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        [
            "within", "exact", "within", "between", "none", "none", "within", "within"
        ]
    );
    let guarantee = &found["guarantees"][2];
    let nodes = found["table"]["rows"].as_f64().unwrap();
    assert_eq!(
        guarantee["half_width"].as_f64().unwrap(),
        0.2 * (nodes - 1.0)
    );
    assert!(guarantee["probability"].as_f64().unwrap() >= 0.9);
    // Indegrees are equal or not; samples leave nearly all pairs undecided.
    let comparisons = found["table"]["comparisons"].as_array().unwrap();
    let of = |x: u64, y: u64| {
        let found = comparisons.iter().find(|c| c["x"] == x && c["y"] == y);
        found.unwrap()["certified"].clone()
    };
    let undecided = |x, y, which: &str| of(x, y)[which].as_u64().unwrap();
    assert_eq!(undecided(1, 2, "undecided_x"), 0);
    assert!(undecided(1, 2, "undecided_y") > undecided(0, 1, "undecided_x"));
    assert!(undecided(1, 3, "undecided_y") > 0);
    assert_eq!(undecided(1, 4, "undecided_y"), 0);
}

#[test]
fn tables_without_a_guarantee_are_named() {
    let folder = TempDir::new().unwrap();
    let degrees = folder.path().join("degrees.csv");
    rank(&["-q", "indegree", DEBIAN, "-o", text(&degrees)])
        .assert()
        .success();
    let bare = folder.path().join("bare.csv");
    std::fs::copy(&degrees, &bare).unwrap();
    let both = ["compare", text(&degrees), text(&bare), "--respect-bounds"];
    let said = rank(&both).assert().success().get_output().stderr.clone();
    let said = String::from_utf8(said).unwrap();
    assert!(said.contains("degrees: exact"), "{said}");
    assert!(said.contains("bare: NO guarantee"), "{said}");
    let none = ["compare", text(&bare), text(&bare), "--respect-bounds"];
    let message = failure(&none, 2);
    assert!(message.contains("no table has a guarantee"), "{message}");
}

#[test]
fn rankings_are_compared_by_name() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str| folder.path().join(name);
    for measure in ["indegree", "harmonic"] {
        let path = file(&format!("{measure}.csv"));
        rank(&["-q", measure, DEBIAN, "-o", text(&path)])
            .assert()
            .success();
    }
    // Six digits of weighted_tau need the order of neighbours 1e-9 apart.
    let path = file("pagerank.csv");
    let precise = ["-q", "pagerank", DEBIAN, "--tolerance", "1e-12", "-o"];
    rank(&[&precise[..], &[text(&path)]].concat())
        .assert()
        .success();
    let (pagerank, indegree) = (file("pagerank.csv"), file("indegree.csv"));
    let said = stdout(&["compare", text(&pagerank), text(&indegree)]);
    assert!(said.starts_with("63436 rows in common"), "{said}");
    assert!(said.contains("weighted_tau     0.920024"), "{said}");
    let matrix = stdout(&[
        "compare",
        text(&pagerank),
        text(&indegree),
        text(&file("harmonic.csv")),
    ]);
    assert!(matrix.contains("tau_b"), "{matrix}");
    let json = stdout(&["compare", text(&pagerank), text(&indegree), "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["table"]["rows"], 63_436);
    std::fs::write(
        file("ranks.csv"),
        "name,score\nlibc6,1\nperl,2\ndpkg,3\napt,4\n",
    )
    .unwrap();
    let message = rank(&["-q", "compare", text(&pagerank), text(&file("ranks.csv"))])
        .assert()
        .code(1)
        .get_output()
        .stderr
        .clone();
    assert!(
        String::from_utf8(message)
            .unwrap()
            .contains("ranks looks like ranks")
    );
}

#[test]
fn keys_and_files_that_would_act_are_spelled_out() {
    let folder = TempDir::new().unwrap();
    let [x, y] = ["\u{1b}[2Jx.csv", "y.csv"].map(|name| folder.path().join(name));
    std::fs::write(&x, "name,score\n\u{202e}a,1\nb,2\nc,3.5\n").unwrap();
    std::fs::write(&y, "name,score\n\u{202e}a,3.5\nb,2\n").unwrap();
    let assert = rank(&["compare", text(&x), text(&y)]).assert().success();
    let output = assert.get_output();
    let said = [&output.stdout[..], &output.stderr].concat();
    let said = String::from_utf8(said).unwrap();
    assert!(
        said.contains("\\u{202e}a") && said.contains("\\u{1b}[2Jx"),
        "{said}"
    );
    assert!(!said.contains(['\u{1b}', '\u{202e}']), "{said:?}");
}

#[cfg(unix)]
#[test]
fn files_may_have_any_name() {
    use std::os::unix::ffi::OsStrExt;
    let folder = TempDir::new().unwrap();
    let name = std::ffi::OsStr::from_bytes(b"t\xff.csv");
    let path = folder.path().join(name);
    std::fs::write(&path, "node,score\n0,1.5\n1,2.5\n").unwrap();
    let mut compare = rank(&["-q", "compare", "--json"]);
    compare.args([&path, &path]).assert().success();
}

#[test]
fn coefficients_are_written_as_csv_for_programs() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("a.csv"), "name,score\nx,3\ny,2.5\nz,1\n").unwrap();
    std::fs::write(at("b.csv"), "name,score\nx,3\nz,2.5\ny,0.5\n").unwrap();
    std::fs::write(at("c.csv"), "name,score\nx,-2.25\ny,-2.25\nz,-2.25\n").unwrap();
    let tables = ["a.csv", "b.csv", "c.csv"].map(at);
    let tables: Vec<&str> = tables.iter().map(|path| text(path)).collect();
    let (plain, gzip) = (at("out.csv"), at("out.csv.gz"));
    for output in [&plain, &gzip] {
        let run = [&["compare", "-q"], &tables[..], &["-o", text(output)]].concat();
        assert_eq!(stdout(&run), "");
    }
    let written = std::fs::read_to_string(&plain).unwrap();
    let mut unzipped = String::new();
    let file = std::fs::File::open(&gzip).unwrap();
    std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(file), &mut unzipped).unwrap();
    assert_eq!(unzipped, written);
    let json = stdout(&[&["compare", "-q", "--json"], &tables[..]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let pairs = json["table"]["comparisons"].as_array().unwrap();
    let value = |x: &str, y: &str, name: &str| {
        let mut rows = written
            .lines()
            .skip(1)
            .map(|row| row.split(',').collect::<Vec<_>>());
        let row = rows.find(|row| row[..3] == [x, y, name]).unwrap();
        (!row[3].is_empty()).then(|| row[3].parse::<f64>().unwrap())
    };
    assert!(written.starts_with("x,y,coefficient,value\n"));
    for (pair, [x, y]) in pairs.iter().zip([["a", "b"], ["a", "c"], ["b", "c"]]) {
        for name in ["tau_b", "weighted_tau", "rho", "gamma"] {
            // All digits, and no value where a coefficient is not defined.
            assert_eq!(value(x, y, name), pair[name].as_f64(), "{x} {y} {name}");
        }
        assert!(value(x, y, "l1").is_some());
    }
    // One of three pairs is reversed; nothing is ordered by equal scores.
    assert_eq!(value("a", "b", "tau_b"), Some(1.0 / 3.0));
    assert_eq!(value("a", "c", "tau_b"), None);
}
