//! `rank katz`, and weights of arcs, which all matrix measures read in the same way.

use tempfile::TempDir;
use webrank_testing::cli::*;

#[test]
fn graphs_without_cycles_are_for_katz() {
    let folder = TempDir::new().unwrap();
    let edges = folder.path().join("edges.tsv");
    std::fs::write(&edges, "a\tb\nb\tc\na\tc\n").unwrap();
    let bundle = folder.path().join("tree.bv");
    stdout(&["import", text(&edges), "-o", text(&bundle)]);
    let message = failure(&["eigenvector", text(&bundle)], 1);
    assert!(
        message.contains("no cycle") && message.contains("Katz"),
        "{message}"
    );
    let found = scores(&stdout(&["katz", text(&bundle), "--alpha", "2"]));
    assert_eq!(found, [1.0, 3.0, 9.0]);
    // 0.85 over the largest indegree, 2.
    let found = scores(&stdout(&["katz", text(&bundle)]));
    assert!((found[1] - 1.425).abs() < 1e-12);
}

#[test]
fn katz_takes_alphas_below_the_radius_and_a_beta_by_name() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let message = failure(&["katz", text(&bundle), "--alpha", "0.76"], 2);
    assert!(message.contains("0.75487766624"), "{message}");
    for bad in ["0", "-1", "nan", "x"] {
        let message = failure(&["katz", text(&bundle), "--alpha", bad], 2);
        assert!(message.contains("auto"), "{message}");
    }
    let beta = folder.path().join("beta.csv");
    std::fs::write(&beta, "name,worth\nd,1\n").unwrap();
    for method in ["power", "gauss-seidel"] {
        let command = [
            "katz",
            text(&bundle),
            "--alpha",
            "0.5",
            "--method",
            method,
            "--beta",
            text(&beta),
        ];
        let found = scores(&stdout(&command));
        // a = (c + d)/2, b = (a + c)/2, c = b/2, d = 1: c = a/3, so a = 3/5.
        for (found, expected) in found.iter().zip([0.6, 0.4, 0.2, 1.0]) {
            assert!((found - expected).abs() < 1e-8, "{found} {expected}");
        }
    }
}

#[test]
fn weights_count_arcs_as_often() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let file = |name: &str| folder.path().join(name);
    // Arcs in order: a -> b, b -> c, c -> a, c -> b, d -> a.
    let weights = [2.0f64, 1.0, 3.0, 0.5, 1.5];
    let raw: Vec<u8> = weights.iter().flat_map(|w| w.to_le_bytes()).collect();
    std::fs::write(file("weights.f64"), raw).unwrap();
    let raw: Vec<u8> = weights
        .iter()
        .flat_map(|w| (*w as f32).to_le_bytes())
        .collect();
    std::fs::write(file("weights.f32"), raw).unwrap();
    let lines = "source,target,weight\nd,a,1.5\nc,b,0.5\nc,a,3\na,b,2\nb,c,1\n";
    std::fs::write(file("weights.csv"), lines).unwrap();
    for name in ["weights.f64", "weights.f32", "weights.csv"] {
        let path = file(name);
        let katz = |direction: &str| {
            let options = [
                "--alpha",
                "0.1",
                "--direction",
                direction,
                "--tolerance",
                "1e-12",
            ];
            let command = ["katz", text(&bundle), "--weights", text(&path)];
            scores(&stdout(&[&command[..], &options].concat()))
        };
        // a = 1 + 0.3 c + 0.15 d, b = 1 + 0.2 a + 0.05 c, c = 1 + 0.1 b, d = 1.
        let found = katz("in");
        for (found, expected) in [
            (found[0], 1.0 + 0.3 * found[2] + 0.15),
            (found[1], 1.0 + 0.2 * found[0] + 0.05 * found[2]),
            (found[2], 1.0 + 0.1 * found[1]),
            (found[3], 1.0),
        ] {
            assert!((found - expected).abs() < 1e-11);
        }
        let found = katz("out");
        assert!((found[3] - 1.0 - 0.15 * found[0]).abs() < 1e-11);
        let command = [
            "eigenvector",
            text(&bundle),
            "--weights",
            text(&path),
            "--norm",
            "max",
        ];
        let x = scores(&stdout(&command));
        // rho c = b, rho a = 3 c, rho b = 2 a + c / 2.
        let rho = x[1] / x[2];
        assert!((rho * x[0] - 3.0 * x[2]).abs() < 1e-10);
        assert!((rho * x[1] - 2.0 * x[0] - 0.5 * x[2]).abs() < 1e-10);
    }
    for (lines, word) in [
        ("a,b,1\n", "4 of the 5 arcs"),
        ("a,b,0\n", "line 1"),
        ("a,c,1\n", "no arc a -> c"),
        ("a,b,1\na,b,2\n", "line 2"),
        ("a,x,1\n", "'x': no node has this name"),
        ("a,b\n", "source,target,weight"),
    ] {
        std::fs::write(file("weights.csv"), lines).unwrap();
        let path = file("weights.csv");
        let message = failure(&["katz", text(&bundle), "--weights", text(&path)], 1);
        assert!(message.contains(word), "{message}");
    }
    std::fs::write(file("weights.f64"), [0; 8]).unwrap();
    let path = file("weights.f64");
    let message = failure(&["katz", text(&bundle), "--weights", text(&path)], 1);
    assert!(
        message.contains("40 are needed for the 5 arcs"),
        "{message}"
    );
}

#[test]
fn katz_has_its_error_both_ways() {
    let folder = TempDir::new().unwrap();
    let table = folder.path().join("scores.csv");
    stdout(&["-q", "katz", DEBIAN, "-o", text(&table)]);
    let total: f64 = scores(&std::fs::read_to_string(&table).unwrap())
        .iter()
        .sum();
    let manifest = std::fs::read_to_string(folder.path().join("scores.csv.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let run = &manifest["columns"]["score"];
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    let relative = number(&run["outcome"]["relative_error_bound"]);
    assert!(relative <= number(&run["parameters"]["tolerance"]));
    let absolute = number(&run["outcome"]["error_bound"]);
    assert!((absolute / total - relative).abs() < 1e-3 * relative);
}

#[test]
fn what_has_no_bound_says_so() {
    let folder = TempDir::new().unwrap();
    let edges = folder.path().join("path.tsv");
    std::fs::write(&edges, "a\tb\nb\ta\nb\tc\nc\tb\n").unwrap();
    let bundle = folder.path().join("path.bv");
    rank(&["-q", "import", text(&edges), "-o", text(&bundle)])
        .assert()
        .success();
    // 1e-12 below 1/rho.
    let alpha = ["--alpha", "0.7071067811858404", "--method", "power"];
    let command = [&["katz", text(&bundle)], &alpha[..]].concat();
    let message = failure(&command, 3);
    let words = "the certified l1 error, relative to the sum of scores, has no bound yet, and the \
                 tolerance is 1.000e-9";
    assert!(message.contains(words), "{message}");
    let said = stdout(&[&command[..], &["--allow-unconverged", "--summary"]].concat());
    assert!(
        said.contains("sweeps, error NOT CERTIFIED, NOT CONVERGED\n"),
        "{said}"
    );
    assert!(!said.contains("inf"), "{said}");
    let table = folder.path().join("t.csv");
    let written = [
        &command[..],
        &["--allow-unconverged", "-q", "-o", text(&table)],
    ]
    .concat();
    rank(&written).assert().success();
    // Nothing is promised, and nothing is broken.
    let said = stdout(&["compare", text(&table), text(&table), "-q"]);
    assert!(said.contains("3 rows in common"), "{said}");
    let message = failure(
        &["compare", text(&table), text(&table), "--respect-bounds"],
        2,
    );
    assert!(message.contains("no table has a guarantee"), "{message}");
    let message = failure(&["verify", text(&table)], 2);
    assert!(
        message.contains("sweeps do not prove that it is below 1/rho"),
        "{message}"
    );
}
