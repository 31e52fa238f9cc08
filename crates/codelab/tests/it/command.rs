//! The output and refusals of `rank codes` and `rank recode`.

use serde_json::Value;
use tempfile::TempDir;
use webrank_testing::cli::*;

#[test]
fn every_output_says_the_same() {
    let folder = TempDir::new().unwrap();
    let [table, plot] = ["codes.csv", "codes.svg"].map(|name| folder.path().join(name));
    let json: Value = serde_json::from_str(&stdout(&["codes", DEBIAN, "--json"])).unwrap();
    let nothing = stdout(&["codes", DEBIAN, "-o", text(&table), "--svg", text(&plot)]);
    assert_eq!(nothing, "");
    let csv = std::fs::read_to_string(&table).unwrap();
    let bits = json["bits"].as_u64().unwrap();
    let components = json["components"].as_array().unwrap();
    assert_eq!(components.len(), 9);
    let own: u64 = components
        .iter()
        .map(|one| one["file_bits"].as_u64().unwrap())
        .sum();
    assert_eq!(own, bits);
    let best: u64 = components
        .iter()
        .map(|one| one["best_bits"].as_u64().unwrap())
        .sum();
    assert_eq!(best, json["best_bits"].as_u64().unwrap());
    assert!(best < bits);
    let said = stdout(&["codes", DEBIAN]);
    assert!(
        said.starts_with(&format!(
            "63436 nodes, 309498 arcs, {bits} bits: 11.857 an arc"
        )),
        "{said}"
    );
    for one in components {
        let name = one["component"].as_str().unwrap();
        let codes = one["codes"].as_array().unwrap();
        let rows = csv
            .lines()
            .filter(|row| row.starts_with(&format!("{name},")));
        assert_eq!(rows.count(), codes.len() + 6, "{name}");
        let count = one["count"].as_f64().unwrap();
        let floor = count * one["entropy"].as_f64().unwrap();
        for code in codes {
            let bits = code["bits"].as_f64().unwrap();
            let row = format!("{name},{},{count},{bits},", code["code"].as_str().unwrap());
            assert!(csv.contains(&row), "{row}");
            // No code is shorter than the entropy; rounding aside.
            assert!(bits >= floor * (1.0 - 1e-9), "{name}: {code}");
        }
        for (other, least) in [
            ("numeral_system_bits", 1.0 - 1e-4),
            ("taught_numeral_system_bits", 1.0 - 1e-4),
            ("pfor_delta_bits", 0.5),
            ("pfor_linked_bits", 0.5),
            ("pfor_escaped_bits", 0.5),
        ] {
            let bits = one[other].as_f64().unwrap();
            assert!(bits >= floor * least, "{name}: {other}");
        }
        assert!(said.contains(&format!("\n{name} ")), "{said}");
    }
    let plot = std::fs::read_to_string(&plot).unwrap();
    assert!(plot.starts_with("<svg") && plot.trim_end().ends_with("</svg>"));
    assert!(!plot.contains("NaN") && !plot.contains("inf"));
    assert_eq!(plot.matches("number + 1").count(), 9);
}

#[test]
fn a_recoded_graph_ranks_alike() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let again = folder.path().join("again.bv");
    let arguments = [
        "recode",
        text(&bundle),
        "-o",
        text(&again),
        "--max-references",
        "unlimited",
    ];
    let said = stdout(&arguments);
    assert!(
        said.contains("again.bv: ") && said.contains("\ntranspose: "),
        "{said}"
    );
    let [one, other] = [&bundle, &again].map(|graph| {
        let table = stdout(&["pagerank", text(graph), "-q"]);
        assert!(table.lines().count() == 5, "{table}");
        table
    });
    assert_eq!(one, other);
    let refused = failure(&arguments, 1);
    assert!(refused.contains("again.bv"), "{refused}");
    let replaced = [&arguments[..], &["--force", "-q"]].concat();
    assert_eq!(stdout(&replaced), "");
}

#[test]
fn graphs_without_arcs_have_codes_too() {
    let folder = TempDir::new().unwrap();
    for (name, lines) in [("none", ""), ("three", "a\nb\nc\n")] {
        let edges = folder.path().join("edges.tsv");
        std::fs::write(&edges, lines).unwrap();
        let bundle = folder.path().join(name);
        stdout(&["import", text(&edges), "--allow-empty", "-o", text(&bundle)]);
        let said = stdout(&["codes", text(&bundle)]);
        assert!(said.contains("0 arcs") && !said.contains("NaN"), "{said}");
        let json = stdout(&["codes", text(&bundle), "--json"]);
        serde_json::from_str::<Value>(&json).unwrap();
        let plot = folder.path().join("plot.svg");
        let table = folder.path().join("table.csv");
        stdout(&[
            "codes",
            text(&bundle),
            "--svg",
            text(&plot),
            "-o",
            text(&table),
        ]);
        let plot = std::fs::read_to_string(plot).unwrap();
        assert!(
            plot.contains("blocks: none") && !plot.contains("NaN"),
            "{plot}"
        );
        let table = std::fs::read_to_string(table).unwrap();
        assert!(!table.contains("NaN") && !table.contains("inf"), "{table}");
        let again = folder.path().join(format!("{name}.again"));
        stdout(&["recode", text(&bundle), "-o", text(&again)]);
        stdout(&["check", text(&again)]);
    }
}

#[test]
fn options_are_checked_before_work_begins() {
    let folder = TempDir::new().unwrap();
    let output = folder.path().join("x.bv");
    let recode = |option: &str, value: &str, code: i32| {
        let arguments = ["recode", DEBIAN, "-o", text(&output), option, value];
        let assert = rank(&arguments).assert().code(code);
        String::from_utf8(assert.get_output().stderr.clone()).unwrap()
    };
    assert!(recode("--codes", "outdegrees=morse", 2).contains("--codes is 'outdegrees=morse'"));
    assert!(recode("--window", "5000", 2).contains("0..=1024"));
    assert!(recode("--max-references", "many", 2).contains("unlimited"));
    assert!(recode("--min-interval", "1", 2).contains("2 is the shortest"));
    assert!(files(folder.path()).is_empty());
    let inside = failure(&["recode", DEBIAN, "-o", DEBIAN, "--force"], 1);
    assert!(inside.contains("is an input"), "{inside}");
}
