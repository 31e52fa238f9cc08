//! Outputs of the command about numbers at the edge.

use tempfile::TempDir;
use webrank_testing::cli::*;

#[test]
fn numbers_of_any_size_are_printed_in_a_few_digits() {
    let folder = TempDir::new().unwrap();
    let graph = small(folder.path());
    let weights = folder.path().join("weights.csv");
    for (least, largest) in [
        ("1e-320", "1e-320"),
        ("1.7e308", "1.7e308"),
        ("1e-300", "1e300"),
    ] {
        let lines =
            format!("a,b,{least}\nb,c,{largest}\nc,a,{least}\nc,b,{largest}\nd,a,{largest}\n");
        std::fs::write(&weights, lines).unwrap();
        for measure in [
            "hits",
            "salsa",
            "eigenvector",
            "kendall-wei",
            "katz",
            "seeley",
            "pagerank",
        ] {
            let arguments = [
                measure,
                text(&graph),
                "--weights",
                text(&weights),
                "--summary",
            ];
            let output = rank(&arguments).output().unwrap();
            let said = [output.stdout, output.stderr].concat();
            let said = String::from_utf8(said).unwrap();
            let is_error = measure == "katz" && least == "1e-320";
            assert_eq!(output.status.success(), !is_error, "{arguments:?}: {said}");
            let is_short = |line: &str| line.len() < 300 && !line.contains(&"0".repeat(20));
            assert!(said.lines().all(is_short), "{arguments:?}: {said}");
            for word in ["NaN", "inf ", "inf,", "-0,", " -0 "] {
                assert!(!said.contains(word), "{arguments:?}: {said}");
            }
        }
    }
}
