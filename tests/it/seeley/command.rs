//! `rank seeley`.

use tempfile::TempDir;
use webrank_testing::cli::*;

#[test]
fn seeley_says_where_walks_end() {
    let folder = TempDir::new().unwrap();
    let edges = folder.path().join("edges.tsv");
    // a, b and c lead to the cycle of d and e, or to f, which leads nowhere.
    std::fs::write(&edges, "a\tb\nb\ta\nb\tc\nc\td\nc\tf\nd\te\ne\td\n").unwrap();
    let bundle = folder.path().join("walk.bv");
    stdout(&["import", text(&edges), "-o", text(&bundle)]);
    let table = folder.path().join("scores.csv");
    let said = rank(&["seeley", text(&bundle), "-o", text(&table)])
        .assert()
        .success();
    let said = String::from_utf8(said.get_output().stderr.clone()).unwrap();
    assert!(
        said.contains("2 of 4 strong components are terminal: walks cannot leave them; 1 of these"),
        "{said}"
    );
    assert!(said.contains("that of d, with 2 nodes"), "{said}");
    assert!(said.contains("3 nodes are in other components"), "{said}");
    let found = scores(&std::fs::read_to_string(&table).unwrap());
    // Half of the walks from a, b and c end in f, half in the cycle.
    let expected = [0.0, 0.0, 0.0, 7.0, 7.0, 10.0].map(|x| x / 24.0);
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
    let found = scores(&stdout(&["seeley", text(&bundle), "--direction", "out"]));
    // Backwards all walks end in a and b.
    for (found, expected) in found.iter().zip([0.5, 0.5, 0.0, 0.0, 0.0, 0.0]) {
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
}
