//! `rank pagerank --start`.

use std::fs;
use webrank_testing::cli::*;

/// The sweeps of the run that wrote a table.
fn sweeps(table: &std::path::Path) -> u64 {
    let manifest = fs::read_to_string(table.with_extension("csv.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let found = manifest["columns"]["score"]["outcome"]["iterations"].as_u64();
    found.unwrap_or_else(|| panic!("{manifest}"))
}

#[test]
fn last_months_scores_are_matched_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (old, new) = (path("old.csv"), path("new.csv"));
    stdout(&["pagerank", DEBIAN, "-o", text(&old)]);
    // The next month has other nodes too, in another order.
    let arcs = stdout(&["export", DEBIAN, "--to", "edges", "-o", "-"]);
    let more = format!("{arcs}aaa-new\tbash\nbash\taaa-new\n");
    let (edges, bundle) = (path("edges.tsv"), path("month.bv"));
    fs::write(&edges, more).unwrap();
    stdout(&["import", text(&edges), "-o", text(&bundle), "-q"]);
    stdout(&[
        "pagerank",
        text(&bundle),
        "--method",
        "power",
        "-o",
        text(&new),
    ]);
    let cold = sweeps(&new);
    for form in ["runs", "disk", "streamed"] {
        let start = ["--start", text(&old), "--form", form];
        let command = ["pagerank", text(&bundle), "-o", text(&new)];
        let output = rank(&[&command[..], &start].concat()).assert().success();
        let said = String::from_utf8(output.get_output().stderr.clone()).unwrap();
        let nodes = fs::read_to_string(&old).unwrap().lines().count() - 1;
        let known = format!("{nodes} of {} nodes begin", nodes + 1);
        assert!(said.contains(&known), "{said}");
        let warm = sweeps(&new);
        assert!(
            warm < cold,
            "{form}: {warm} sweeps, {cold} without the table"
        );
        // The table to begin with is an input like others.
        rank(&["rerun", text(&new.with_extension("csv.json"))])
            .assert()
            .success();
    }
    let mut changed = fs::read_to_string(&old).unwrap();
    changed.push_str("1000000,zzz,1e-9,1000000,false\n");
    fs::write(&old, changed).unwrap();
    let said = failure(&["rerun", text(&new.with_extension("csv.json"))], 1);
    assert!(said.contains("old.csv"), "{said}");
}

#[test]
fn tables_that_say_nothing_of_the_graph_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("other.csv");
    fs::write(&table, "name,score\nnobody,1\n").unwrap();
    let run = ["pagerank", DEBIAN, "--start", text(&table), "-o", "-"];
    let output = rank(&run).assert().success();
    let said = String::from_utf8(output.get_output().stderr.clone()).unwrap();
    assert!(said.contains("0 of 63436 nodes begin"), "{said}");
    fs::write(&table, "name,score\nbash,-1\n").unwrap();
    let said = failure(&run, 1);
    assert!(said.contains("other.csv") && said.contains("-1"), "{said}");
    fs::write(&table, "name,score\nbash,1\n").unwrap();
    let said = failure(&[&run[..], &["-q", "--method", "components"]].concat(), 2);
    assert!(
        said.contains("--start") && said.contains("--method"),
        "{said}"
    );
}
