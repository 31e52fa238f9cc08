//! PageRank from the scores of an earlier version of a graph.

use crate::pagerank::runs::*;
use crate::support::graphs::*;
use webrank::{Dangling, Method, PageRank};
use webrank_base::progress::Silent;
use webrank_walks::pagerank::pagerank;

#[test]
fn near_scores_save_sweeps_and_the_bound_holds() {
    let graph = large_graph();
    let walk = graph.walk();
    for (method, dangling) in [
        (Method::Power, Dangling::Preference),
        (Method::Power, Dangling::None),
        (Method::GaussSeidel, Dangling::Preference),
    ] {
        let plain = PageRank {
            dangling,
            ..params(0.85, method)
        };
        let exact = pagerank(&walk, &plain, &within(1e-13), &Silent).unwrap();
        let cold = pagerank(&walk, &plain, &within(1e-9), &Silent).unwrap();
        // Of some nodes nothing is known, and of the others four digits.
        let known = |(node, score): (usize, &f64)| match node % 1000 {
            0 => 0.0,
            _ => score * (1.0 + 1e-4 * (node % 3) as f64),
        };
        let scores = exact.values.iter().enumerate().map(known).collect();
        let from_known = plain.clone().start(scores).unwrap();
        let exact_start = plain.start(exact.values.to_vec()).unwrap();
        for (params, most) in [(from_known, 0.9), (exact_start, 0.6)] {
            let warm = pagerank(&walk, &params, &within(1e-9), &Silent).unwrap();
            let (status, sweeps, bound) = outcome(&warm);
            assert_eq!(status, webrank_scores::Status::Converged);
            let without = outcome(&cold).1;
            assert!(
                f64::from(sweeps) <= most * f64::from(without),
                "{method:?}: {sweeps}, {without}"
            );
            assert!(bound <= 1e-9 && l1(&warm.values, &exact.values) <= bound + 1e-12);
        }
    }
}

#[test]
fn scores_to_begin_with_are_checked() {
    let walk = cycle(3).walk();
    let run = |scores: Vec<f64>| {
        let params = PageRank::default().start(scores)?;
        pagerank(&walk, &params, &within(1e-9), &Silent)
    };
    assert!(run(vec![1.0, 0.0, 0.0]).is_ok());
    // Their sum is more than a double holds.
    assert!(run(vec![1.7e308, 1e308, 0.0]).is_ok());
    for (scores, word) in [
        (vec![1.0; 2], "length 2"),
        (vec![0.0; 3], "0"),
        (vec![1.0, -1.0, 1.0], "-1"),
        (vec![1.0, f64::NAN, 1.0], "NaN"),
    ] {
        let problem = run(scores).err().unwrap().to_string();
        assert!(problem.contains(word), "{problem}");
    }
}

#[cfg(feature = "cli")]
mod command {
    use crate::support::cli::*;
    use std::fs;

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
}
