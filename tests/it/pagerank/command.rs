//! `rank pagerank` and `rank trustrank`.

use serde_json::Value;
use std::path::Path;
use tempfile::TempDir;
use webrank_testing::cli::*;

/// The columns of a table after node and name.
fn columns(table: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let mut rows = table.lines().map(|row| row.split(',').skip(2));
    let headers: Vec<String> = rows.next().unwrap().map(str::to_owned).collect();
    let mut columns = vec![Vec::new(); headers.len()];
    for row in rows {
        for (column, entry) in columns.iter_mut().zip(row) {
            column.push(entry.parse().unwrap_or(f64::NAN));
        }
    }
    (headers, columns)
}

fn near(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-8)
}

fn score(arguments: &[&str]) -> Vec<f64> {
    let (headers, mut columns) = columns(&stdout(arguments));
    assert_eq!(headers[0], "score");
    columns.swap_remove(0)
}

/// A manifest's columns.
fn manifest(table: &Path) -> Value {
    let text = std::fs::read_to_string(format!("{}.json", text(table))).unwrap();
    let mut manifest: Value = serde_json::from_str(&text).unwrap();
    manifest["columns"].take()
}

/// Writes a table to a file, and returns it with the messages on stderr.
fn saved(arguments: &[&str], table: &Path) -> (String, String) {
    let arguments = [arguments, &["-o", text(table)]].concat();
    let said = rank(&arguments).assert().success();
    let said = String::from_utf8(said.get_output().stderr.clone()).unwrap();
    (std::fs::read_to_string(table).unwrap(), said)
}

#[test]
fn several_alphas_are_a_certified_column_each() {
    let folder = TempDir::new().unwrap();
    let (bundle, file) = (small(folder.path()), folder.path().join("pr.csv"));
    let command = ["pagerank", text(&bundle), "--alphas", "0.85,0.5,0"];
    let (table, said) = saved(&command, &file);
    let (headers, columns) = columns(&table);
    assert_eq!(headers, ["score_0.85", "score_0.5", "score_0"]);
    let manifest = manifest(&file);
    for ((alpha, header), column) in ["0.85", "0.5", "0"].into_iter().zip(&headers).zip(&columns) {
        assert!(near(
            column,
            &score(&["pagerank", text(&bundle), "--alpha", alpha])
        ));
        let run = &manifest[header];
        assert_eq!(run["parameters"]["alpha"].as_f64(), alpha.parse().ok());
        assert!(run["outcome"]["error_bound"].as_f64().unwrap() <= 1e-9);
        assert!(said.contains(&format!("{header}: power, ")), "{said}");
    }
    // The first column gives the order.
    let best = stdout(&[&command[..], &["--sort", "score", "--top", "1"]].concat());
    assert_eq!(best.lines().nth(1).unwrap().split(',').nth(1), Some("b"));
    // Other commands read these tables.
    let compared = stdout(&["compare", text(&file)]);
    assert!(compared.contains("pr:score_0.85"), "{compared}");
}

#[test]
fn the_derivative_stands_beside_the_score() {
    let folder = TempDir::new().unwrap();
    let (bundle, file) = (small(folder.path()), folder.path().join("pr.csv"));
    let (table, _) = saved(&["pagerank", text(&bundle), "--derivative"], &file);
    let (headers, columns) = columns(&table);
    assert_eq!(headers, ["score", "derivative", "rank", "certain"]);
    let at = |alpha: &str| {
        let options = ["--alpha", alpha, "--tolerance", "1e-12"];
        score(&[&["pagerank", text(&bundle)][..], &options].concat())
    };
    assert!(near(&columns[0], &at("0.85")));
    let (before, after) = (at("0.8499"), at("0.8501"));
    for node in 0..4 {
        let quotient = (after[node] - before[node]) / 0.0002;
        assert!((columns[1][node] - quotient).abs() < 1e-6);
    }
    let manifest = manifest(&file);
    let bound = &manifest["derivative"]["outcome"]["error_bound"];
    assert!(bound.as_f64().unwrap() <= 1e-9);
    // The table is ranked by its scores.
    let compared = stdout(&["compare", text(&file), text(&file)]);
    assert!(!compared.contains("derivative"), "{compared}");
}

#[test]
fn seeds_are_named_on_the_command_line_or_in_a_file() {
    let folder = TempDir::new().unwrap();
    let (bundle, file) = (small(folder.path()), folder.path().join("pr.csv"));
    for dangling in ["preference", "uniform", "none"] {
        let command = ["pagerank", text(&bundle), "--dangling", dangling];
        let (table, _) = saved(&[&command[..], &["--each-seed", "d,b"]].concat(), &file);
        let (headers, columns) = columns(&table);
        assert_eq!(headers, ["score_d", "score_b"]);
        let manifest = manifest(&file);
        for (name, column) in ["d", "b"].into_iter().zip(&columns) {
            let preference = folder.path().join("preference.csv");
            std::fs::write(&preference, format!("{name},1\n")).unwrap();
            let single = [&command[..], &["--preference", text(&preference)]].concat();
            assert!(near(column, &score(&single)), "{dangling}");
            let run = &manifest[format!("score_{name}")];
            assert!(run["outcome"]["error_bound"].as_f64().unwrap() <= 1e-9);
        }
        let list = folder.path().join("seeds.txt");
        for lines in [
            "# two\nd\n\nb\n",
            "3\n1\n",
            "node,name,score\n3,d,0.5\n1,b,0.25\n",
            "node\tscore\n3\t1\n1\t2\n",
        ] {
            std::fs::write(&list, lines).unwrap();
            let again = [&command[..], &["--each-seed-file", text(&list)]].concat();
            assert_eq!(stdout(&again), table);
        }
    }
}

#[test]
fn trust_is_pagerank_from_the_seeds() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let preference = folder.path().join("preference.csv");
    std::fs::write(&preference, "a,2\nd,2\n").unwrap();
    let expected = score(&["pagerank", text(&bundle), "--preference", text(&preference)]);
    let table = stdout(&["trustrank", text(&bundle), "--seeds", "a,d"]);
    assert!(
        table.starts_with("node,name,score,rank,certain\n"),
        "{table}"
    );
    assert!(near(&columns(&table).1[0], &expected));
    let file = folder.path().join("trust.csv");
    let (_, said) = saved(&["trustrank", text(&bundle), "--seeds", "b"], &file);
    assert!(said.contains("no seed reaches 1 node"), "{said}");
    assert_eq!(manifest(&file)["score"]["measure"], "trustrank");
}

#[test]
fn selected_candidates_are_seeds_to_inspect() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let edges = folder.path().join("reversed.tsv");
    std::fs::write(&edges, "b\ta\nc\tb\na\tc\nb\tc\na\td\n").unwrap();
    let reversed = folder.path().join("reversed.bv");
    stdout(&["import", text(&edges), "-o", text(&reversed)]);
    let mut expected: Vec<(String, f64)> = Vec::new();
    for row in stdout(&["pagerank", text(&reversed)]).lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        expected.push((fields[1].to_owned(), fields[2].parse().unwrap()));
    }
    expected.sort_by(|a, b| b.1.total_cmp(&a.1));
    let file = folder.path().join("candidates.csv");
    let (table, _) = saved(&["trustrank", text(&bundle), "--select", "2"], &file);
    assert_eq!(table.lines().count(), 3);
    for (row, (name, score)) in table.lines().skip(1).zip(&expected) {
        let fields: Vec<&str> = row.split(',').collect();
        assert_eq!(fields[1], name);
        assert!((fields[2].parse::<f64>().unwrap() - score).abs() < 1e-8);
    }
    let names: Vec<&str> = expected[..2]
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(
        stdout(&["trustrank", text(&bundle), "--seeds-file", text(&file)]),
        stdout(&["trustrank", text(&bundle), "--seeds", &names.join(",")])
    );
}

#[test]
fn weights_say_which_arcs_are_followed() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let file = folder.path().join("weights.csv");
    let weights =
        |of_ca: f64| format!("source,target,weight\nd,a,1.5\nc,b,1\nc,a,{of_ca}\na,b,2\nb,c,7\n");
    let command = ["pagerank", text(&bundle), "--weights", text(&file)];
    std::fs::write(&file, weights(1.0)).unwrap();
    assert!(near(&score(&command), &score(&["pagerank", text(&bundle)])));
    std::fs::write(&file, weights(3.0)).unwrap();
    let x = score(&command);
    // r = 0.0375: a = 0.85 (3/4 c + d) + r, b = 0.85 (a + c/4) + r, c = 0.85 b + r, d = r.
    let r = 0.0375;
    let expected = [
        0.85 * (0.75 * x[2] + x[3]) + r,
        0.85 * (x[0] + 0.25 * x[2]) + r,
        0.85 * x[1] + r,
        r,
    ];
    assert!(near(&x, &expected), "{x:?}");
    std::fs::write(&file, "a,b,1\n").unwrap();
    assert!(failure(&command, 1).contains("4 of the 5 arcs"));
}

#[test]
fn streamed_graphs_have_one_plain_column() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    for form in ["streamed", "external"] {
        for options in [
            &["--each-seed", "a"][..],
            &["--alphas", "0.5"],
            &["--derivative"],
            &["--weights", "none.csv"],
        ] {
            let command = ["pagerank", text(&bundle), "--form", form];
            let message = failure(&[&command[..], options].concat(), 2);
            assert!(
                message.contains("in memory") && message.contains(options[0]),
                "{message}"
            );
        }
    }
}

#[test]
fn weights_of_the_graph_are_named_where_they_do_not_count() {
    let folder = TempDir::new().unwrap();
    let arcs = folder.path().join("arcs.csv");
    std::fs::write(&arcs, "a,b,2\nb,a,1\n").unwrap();
    for options in [
        ["--each-seed", "a"],
        ["--alphas", "0.5"],
        ["--certify-top", "1"],
    ] {
        let command = [&["pagerank", "-q", text(&arcs)][..], &options].concat();
        let message = failure(&command, 2);
        let told = format!("{} does not count weights of arcs", options[0]);
        assert!(
            message.contains(&told) && message.contains("--unweighted"),
            "{message}"
        );
        rank(&[&command[..], &["--unweighted"]].concat())
            .assert()
            .success();
    }
}

#[test]
fn wrong_nodes_and_alphas_are_told_in_a_line() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    for (command, option) in [("pagerank", "--each-seed"), ("trustrank", "--seeds")] {
        let message = failure(&[command, text(&bundle), option, "a,x"], 2);
        assert!(message.contains("'x'") && message.contains("no node has this name"));
        let message = failure(&[command, text(&bundle), option, "a,0"], 2);
        assert!(message.contains("each seed once"), "{message}");
        let list = folder.path().join("seeds.txt");
        for (lines, words) in [
            ("a\nx\n", "line 2"),
            ("a\n\na\n", "line 3"),
            ("# none\n", "no nodes"),
            ("node,name\n0,a\n9,z\n", "line 3"),
        ] {
            std::fs::write(&list, lines).unwrap();
            let option = format!("{option}-file");
            let message = failure(&[command, text(&bundle), &option, text(&list)], 1);
            assert!(
                message.contains(words) && message.contains("seeds.txt"),
                "{message}"
            );
        }
    }
    for (alphas, word) in [
        ("0.5,1", "below 1"),
        ("0.5,-1", "below 1"),
        ("0.5,0.50", "once"),
    ] {
        let message = failure(&["pagerank", text(&bundle), "--alphas", alphas], 2);
        assert!(message.contains(word), "{message}");
    }
    let message = failure(
        &[
            "pagerank",
            DEBIAN,
            "--alphas",
            "0.5,0.9",
            "--max-iterations",
            "4",
        ],
        3,
    );
    assert!(message.contains("not converged"), "{message}");
}

#[test]
fn options_that_exclude_each_other_are_wrong_usage() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let file = text(&bundle);
    for options in [
        &["--each-seed", "a", "--preference", file][..],
        &["--each-seed", "a", "--alphas", "0.5"],
        &["--each-seed", "a", "--derivative"],
        &["--each-seed", "a", "--method", "power"],
        &["--each-seed", "a", "--certify-top", "3"],
        &["--each-seed", "a", "--each-seed-file", file],
        &["--each-seed-file", file, "--preference", file],
        &["--alphas", "0.5", "--alpha", "0.5"],
        &["--alphas", "0.5", "--derivative"],
        &["--alphas", "0.5", "--certify-top", "3"],
        &["--derivative", "--certify-top", "3"],
        &["--weights", file, "--each-seed", "a"],
        &["--weights", file, "--alphas", "0.5"],
        &["--weights", file, "--derivative"],
        &["--weights", file, "--certify-top", "3"],
        &["--weights", file, "--method", "power"],
    ] {
        let command = [&["pagerank", file][..], options].concat();
        rank(&command).assert().code(2);
    }
    // Seeds in common have one ranking in every command; tips name options that the command has.
    for (command, option, words) in [
        (
            "pagerank",
            "--seeds",
            "here it is --preference for one ranking",
        ),
        ("trustrank", "--each-seed", "here it is --seeds, or"),
        ("trustrank", "--preference", "here it is --seeds;"),
    ] {
        let message = failure(&[command, file, option, "a"], 2);
        assert!(message.contains(words), "{message}");
    }
    let message = failure(&["harmonic", file, "--seeds", "a"], 2);
    assert!(!message.contains("here it is"), "{message}");
    for options in [
        &[][..],
        &["--select", "3", "--seeds", "a"],
        &["--select", "3", "--seeds-file", file],
        &["--select", "3", "--top", "2"],
        &["--select", "3", "--sort", "score"],
        &["--seeds", "a", "--seeds-file", file],
    ] {
        let command = [&["trustrank", file][..], options].concat();
        rank(&command).assert().code(2);
    }
}

#[test]
fn preferences_are_read_by_name_or_node() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let tables = [
        "name,weight\nc,2\nd,2\n",
        "c,1\nd,1\n",
        "node,w\n3,5\n2,5\n",
        "0\n0\n1\n1\n",
    ]
    .map(|preference| {
        let path = folder.path().join("preference.csv");
        std::fs::write(&path, preference).unwrap();
        stdout(&["pagerank", text(&bundle), "--preference", text(&path)])
    });
    assert!(tables.iter().all(|table| *table == tables[0]));
    for (preference, place, word) in [
        ("c,NaN\n", "line 1", "NaN"),
        ("c,1\nd,-1\n", "line 2", "-1"),
        (
            "c,1\nnobody,1\n",
            "line 2",
            "'nobody': no node has this name",
        ),
        ("c,1\nc,1\n", "line 2", "occurs twice"),
        ("c,0\n", "preference.csv", "all weights are 0"),
        ("1\n2\n", "2 numbers", "4 nodes"),
        ("1\nx\n", "line 2", "'x' is not a number"),
        (
            "node,w\n4,1\n",
            "line 2",
            "'4': not the number of a node: give a number from 0 to 3",
        ),
    ] {
        let path = folder.path().join("preference.csv");
        std::fs::write(&path, preference).unwrap();
        let message = failure(&["pagerank", text(&bundle), "--preference", text(&path)], 1);
        assert!(
            message.contains(place) && message.contains(word),
            "{message}"
        );
    }
}

#[test]
fn certifying_the_top_proves_its_positions() {
    let table = stdout(&["pagerank", DEBIAN, "--certify-top", "500", "--top", "500"]);
    assert!(table.lines().skip(1).all(|row| row.ends_with(",true")));
}

#[test]
fn one_ranking_of_walks_that_start_at_several_nodes() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (names, weights) = (at("names.txt"), at("weights.csv"));
    std::fs::write(&names, "zlib1g\nlibc6\n").unwrap();
    std::fs::write(&weights, "name,weight\nzlib1g,1\nlibc6,1\n").unwrap();
    let by = |preference: &str| score(&["-q", "pagerank", DEBIAN, "--preference", preference]);
    let listed = by("zlib1g,libc6");
    assert_eq!(listed, by(text(&names)));
    assert_eq!(listed, by(text(&weights)));
    let trust = score(&["-q", "trustrank", DEBIAN, "--seeds", "zlib1g,libc6"]);
    assert!(near(&listed, &trust));
    // The run is repeated and verified as those of files are.
    let table = at("t.csv");
    saved(
        &["pagerank", DEBIAN, "--preference", "zlib1g,libc6"],
        &table,
    );
    stdout(&["rerun", text(&at("t.csv.json"))]);
    stdout(&["verify", text(&table)]);
    let message = failure(&["pagerank", DEBIAN, "--preference", "zlib1g,libc66"], 2);
    let words = "--preference is 'zlib1g,libc66': there is no such file, and no node 'libc66'";
    assert!(message.contains(words), "{message}");
}

#[test]
fn seeds_are_shown_by_name() {
    let said = stdout(&[
        "pagerank",
        DEBIAN,
        "--each-seed",
        "zlib1g,libc6",
        "--summary",
        "-n",
        "1",
    ]);
    assert!(
        said.contains("measure   pagerank (seed zlib1g)\n"),
        "{said}"
    );
    assert!(said.contains("measure   pagerank (seed libc6)\n"), "{said}");
}
