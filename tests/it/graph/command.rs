//! `rank check`, `rank info` and `rank import`.

use tempfile::TempDir;
use webrank_testing::cli::*;

#[test]
fn check_says_what_it_verified() {
    let said = stdout(&["check", DEBIAN]);
    assert!(said.lines().all(|line| line.starts_with("ok: ")));
    assert!(said.contains("63436 nodes and 309498 arcs"));
    assert!(said.contains("63436 names, all different"));
}

#[test]
fn info_describes_the_graph() {
    let json: serde_json::Value =
        serde_json::from_str(&stdout(&["info", DEBIAN, "--json"])).unwrap();
    assert_eq!(json["nodes"], 63_436);
    assert_eq!(json["arcs"], 309_498);
    assert_eq!(json["dangling_nodes"], 6_513);
    assert_eq!(json["names"], true);
    assert!(stdout(&["info", DEBIAN]).contains("(libc6)"));
}

#[test]
fn an_existing_bundle_is_replaced_only_by_force() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let edges = folder.path().join("edges.tsv");
    let again = ["import", text(&edges), "-o", text(&bundle)];
    assert!(failure(&again, 1).contains("--force"));
    rank(&[&again[..], &["--force"]].concat())
        .assert()
        .success();
    assert_eq!(files(folder.path()), ["edges.tsv", "small.bv"]);
}
