//! Shards of nodes whose numbers are far apart.

use std::fs;
use webrank_testing::cli::*;

#[test]
fn numbers_of_nodes_that_are_far_apart_are_cut_without_their_rows() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("far.csv");
    // Rows of all these nodes do not fit into 100 MB.
    let far = 1 << 24;
    let arcs = [
        (3, far),
        (far, 3),
        (far, 9),
        (9, far / 2),
        (3, far / 2),
        (3, far / 2),
    ];
    let lines = arcs.map(|(source, target)| format!("{source},{target}\n"));
    fs::write(&list, format!("src,dst\n{}", lines.concat())).unwrap();
    let shards = |name: &str, memory| {
        let path = folder.path().join(name);
        let parts = ["shard", text(&list), "--ids", "-n", "3", "-o", text(&path)];
        let said = stdout(&[&parts[..], &["--memory", memory]].concat());
        assert!(
            said.contains("nodes            16777217\narcs             5\n"),
            "{said}"
        );
        stdout(&["check", text(&path)]);
        let plan: serde_json::Value =
            serde_json::from_slice(&fs::read(path.join("plan.json")).unwrap()).unwrap();
        let best = stdout(&["outdegree", text(&path), "--top", "2", "--sort", "score"]);
        (
            ["nodes", "arcs", "parts"].map(|name| plan[name].clone()),
            best,
        )
    };
    let (sparse, whole) = (
        shards("sparse.shards", "100M"),
        shards("whole.shards", "4G"),
    );
    assert_eq!(sparse, whole);
    let far = format!("{}5000000000,3\n", lines.concat());
    fs::write(&list, far).unwrap();
    let few = folder.path().join("few.shards");
    let parts = ["-q", "shard", text(&list), "--ids", "-n", "2"];
    let said = failure(&[&parts[..], &["-o", text(&few)]].concat(), 2);
    assert!(said.contains("give at least -n 3"), "{said}");
}
