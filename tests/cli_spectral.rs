//! `rank eigenvector` and `rank katz` on the command line.

#[path = "support/cli.rs"]
mod support;

use support::*;
use tempfile::TempDir;

/// a -> b -> c -> a, c -> b: radius 1.3247, the root of l^3 = l + 1; d points to a.
fn scores(table: &str) -> Vec<f64> {
    let rows = table.lines().skip(1);
    let score = |row: &str| row.split(',').nth(2).unwrap().parse().unwrap();
    rows.map(score).collect()
}

#[test]
fn eigenvector_scores_flow_along_arcs_unless_told() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let radius: f64 = 1.324717957244746;
    let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12);
    let incoming = scores(&stdout(&["eigenvector", text(&bundle), "--norm", "max"]));
    // x_a = x_c / l, x_c = x_b / l.
    assert!(near(
        &incoming,
        &[1.0 / radius.powi(2), 1.0, 1.0 / radius, 0.0]
    ));
    let command = [
        "eigenvector",
        text(&bundle),
        "--norm",
        "max",
        "--direction",
        "out",
    ];
    let outgoing = scores(&stdout(&command));
    // x_a = x_b / l, x_b = x_c / l, x_d = x_a / l.
    let expected = [
        1.0 / radius.powi(2),
        1.0 / radius,
        1.0,
        1.0 / radius.powi(3),
    ];
    assert!(near(&outgoing, &expected), "{outgoing:?}");
}

#[test]
fn eigenvector_explains_its_zeros() {
    let folder = TempDir::new().unwrap();
    let table = folder.path().join("scores.csv");
    let said = rank(&["eigenvector", DEBIAN, "-o", text(&table)])
        .assert()
        .success();
    let said = String::from_utf8(said.get_output().stderr.clone()).unwrap();
    assert!(said.contains("one of 49 nodes and 142 arcs"), "{said}");
    assert!(
        said.contains("63310 nodes are not reached from there: their score is 0"),
        "{said}"
    );
    let account = std::fs::read_to_string(folder.path().join("scores.csv.json")).unwrap();
    let account: serde_json::Value = serde_json::from_str(&account).unwrap();
    let outcome = &account["columns"]["score"]["outcome"];
    let bounds: Vec<f64> = (0..2)
        .map(|i| outcome["eigenvalue_bounds"][i].as_f64().unwrap())
        .collect();
    let value = outcome["eigenvalue"].as_f64().unwrap();
    assert!(bounds[0] <= value && value <= bounds[1] && bounds[1] - bounds[0] < 1e-9);
    assert!(outcome["residual"].as_f64().unwrap() <= 1e-12);
}

#[test]
fn graphs_without_cycles_are_for_katz() {
    let folder = TempDir::new().unwrap();
    let edges = folder.path().join("edges.tsv");
    std::fs::write(&edges, "a\tb\nb\tc\na\tc\n").unwrap();
    let bundle = folder.path().join("tree.bv");
    stdout(&["import", text(&edges), "-o", text(&bundle)]);
    let message = failure(&["eigenvector", text(&bundle)], 1);
    assert!(
        message.contains("no cycle") && message.contains("rank katz"),
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
    assert!(message.contains("0.754878"), "{message}");
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
fn not_converging_is_exit_code_3() {
    let message = failure(&["katz", DEBIAN, "--max-iterations", "3"], 3);
    assert!(
        message.contains("relative to the sum of scores"),
        "{message}"
    );
    let limited = ["--max-iterations", "1", "--tolerance", "1e-30"];
    for measure in ["eigenvector", "hits"] {
        let message = failure(&[&[measure, DEBIAN][..], &limited].concat(), 3);
        assert!(message.contains("the residual is"), "{message}");
    }
    let message = failure(&[&["seeley", DEBIAN][..], &limited].concat(), 3);
    assert!(message.contains("the certified l1 error is"), "{message}");
    let command = [
        "katz",
        DEBIAN,
        "--max-iterations",
        "3",
        "--allow-unconverged",
    ];
    assert!(stdout(&command).starts_with("node,name,score,rank"));
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
        ("a,x,1\n", "no node is named 'x'"),
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
    let account = std::fs::read_to_string(folder.path().join("scores.csv.json")).unwrap();
    let account: serde_json::Value = serde_json::from_str(&account).unwrap();
    let run = &account["columns"]["score"];
    let number = |value: &serde_json::Value| value.as_f64().unwrap();
    let relative = number(&run["outcome"]["relative_error_bound"]);
    assert!(relative <= number(&run["parameters"]["tolerance"]));
    let absolute = number(&run["outcome"]["error_bound"]);
    assert!((absolute / total - relative).abs() < 1e-3 * relative);
}

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
        said.contains("of 4 strong components walks cannot leave 2, 1 of them single"),
        "{said}"
    );
    assert!(said.contains("that of d, of 2 nodes"), "{said}");
    assert!(said.contains("3 nodes are in other components"), "{said}");
    let found = scores(&std::fs::read_to_string(&table).unwrap());
    // Of the walks from a, b and c half end in f, half in the cycle.
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

#[test]
fn kendall_wei_says_what_kind_of_tournament_it_is() {
    let folder = TempDir::new().unwrap();
    let bundle = folder.path().join("games.bv");
    let edges = folder.path().join("edges.tsv");
    // Ann, Bob and Cy beat each other in turn and Dan, and Eve beat all but Dan, whom she did not meet.
    let wins =
        "ann\tbob\nbob\tcy\ncy\tann\nann\tdan\nbob\tdan\ncy\tdan\neve\tann\neve\tbob\neve\tcy\n";
    std::fs::write(&edges, wins).unwrap();
    stdout(&["import", text(&edges), "-o", text(&bundle)]);
    let table = folder.path().join("scores.csv");
    let run = |more: &[&str]| {
        let command = [
            &["kendall-wei", text(&bundle), "-o", text(&table)][..],
            more,
        ]
        .concat();
        let said = rank(&command).assert().success();
        String::from_utf8(said.get_output().stderr.clone()).unwrap()
    };
    let said = run(&["--sort", "score"]);
    assert!(
        said.contains("of 10 pairs 1 never met, and 0 have arcs both ways"),
        "{said}"
    );
    assert!(said.contains("there are 3 groups"), "{said}");
    assert!(said.contains("eve; 3 with ann; dan"), "{said}");
    assert!(
        said.contains("the scores of 1 players are not defined"),
        "{said}"
    );
    let text_of = std::fs::read_to_string(&table).unwrap();
    assert!(text_of.lines().nth(1).unwrap().contains("eve"), "{text_of}");
    run(&["--direction", "in", "--sort", "score"]);
    let text_of = std::fs::read_to_string(&table).unwrap();
    assert!(text_of.lines().nth(1).unwrap().contains("dan"), "{text_of}");
}
