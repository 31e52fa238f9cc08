//! Names, fields and files of all kinds on the command line.

use std::path::Path;
use tempfile::TempDir;
use webrank_testing::cli::*;

/// A bundle made of these arcs.
fn bundle(folder: &Path, edges: &str) -> String {
    let path = folder.join("edges.csv");
    std::fs::write(&path, edges).unwrap();
    let bundle = text(&folder.join("graph.bv")).to_owned();
    stdout(&["-q", "import", text(&path), "-o", &bundle]);
    bundle
}

fn written(folder: &Path, name: &str, contents: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::write(&path, contents).unwrap();
    text(&path).to_owned()
}

#[test]
fn a_name_with_a_comma_has_weights_and_is_a_seed() {
    let folder = TempDir::new().unwrap();
    let graph = bundle(
        folder.path(),
        "\"Paris, Texas\",b\nb,\"Paris, Texas\"\nb,c\n",
    );
    let weights = "\"Paris, Texas\",b,1\nb,\"Paris, Texas\",3\nb,c,1\n";
    let weights = written(folder.path(), "weights.csv", weights);
    let table = stdout(&["pagerank", &graph, "--weights", &weights]);
    assert!(table.contains("\n0,\"Paris, Texas\",0."), "{table}");
    for seeds in ["\"Paris, Texas\",b", "\"Paris, Texas\",1"] {
        let table = stdout(&["pagerank", &graph, "--each-seed", seeds]);
        let header = table.lines().next().unwrap();
        assert_eq!(header, "node,name,\"score_Paris, Texas\",score_b");
    }
    let both = ["pagerank", &graph, "--each-seed", "b", "--each-seed", "c"];
    assert_eq!(
        stdout(&both),
        stdout(&["pagerank", &graph, "--each-seed", "b,c"])
    );
}

#[test]
fn a_name_with_quotation_marks_is_preferred() {
    let folder = TempDir::new().unwrap();
    let graph = bundle(
        folder.path(),
        "\"say \"\"hi\"\"\",b\nb,\"say \"\"hi\"\"\"\n",
    );
    let by_number = written(folder.path(), "number.csv", "node,weight\n1,1\n");
    let expected = stdout(&["pagerank", &graph, "--preference", &by_number]);
    for preference in [
        "\"say \"\"hi\"\"\",1\n",
        "say \"hi\"\t1\n",
        "\"say \"\"hi\"\"\"\t1\n",
    ] {
        let preference = written(folder.path(), "preference.csv", preference);
        let found = stdout(&["pagerank", &graph, "--preference", &preference]);
        assert_eq!(found, expected);
        let beta = stdout(&["katz", &graph, "--alpha", "0.1", "--beta", &preference]);
        assert_eq!(
            beta,
            stdout(&["katz", &graph, "--alpha", "0.1", "--beta", &by_number])
        );
    }
}

#[test]
fn a_name_after_a_number_sign_is_not_skipped() {
    let folder = TempDir::new().unwrap();
    let graph = bundle(folder.path(), "\"#b\",a\na,\"#b\"\n");
    let list = written(folder.path(), "seeds.txt", "# one\n#b\n");
    let message = failure(&["trustrank", &graph, "--seeds-file", &list], 1);
    assert!(
        message.contains("seeds.txt, line 2: '#b' is the name of a node"),
        "{message}"
    );
    let preference = written(folder.path(), "preference.csv", "a,1\n#b,1\n");
    let message = failure(&["pagerank", &graph, "--preference", &preference], 1);
    assert!(
        message.contains("line 2: '#b' is the name of a node"),
        "{message}"
    );
    let list = written(folder.path(), "seeds.txt", "# one\n\"#b\"\n");
    stdout(&["trustrank", &graph, "--seeds-file", &list]);
}

#[test]
fn a_carriage_return_at_the_end_of_a_name_stays() {
    let folder = TempDir::new().unwrap();
    let graph = bundle(folder.path(), "\"a\r\",\"b\r\"\r\n\"b\r\",\"a\r\"\r\n");
    let table = stdout(&["outdegree", &graph]);
    assert_eq!(
        table,
        "node,name,score,rank\n0,\"a\r\",1.0,1\n1,\"b\r\",1.0,1\n"
    );
}

#[test]
fn long_fields_and_escapes_are_not_repeated() {
    let folder = TempDir::new().unwrap();
    let graph = bundle(folder.path(), "a,b\nb,a\n");
    let long = "x".repeat(1 << 20);
    for field in [&long, "\u{1b}]0;title\u{7}", "\"x\ny\""] {
        let commands = [
            (
                "w.csv",
                format!("{field},a,1\n"),
                vec!["katz", &graph, "--weights"],
            ),
            (
                "p.csv",
                format!("{field},1\n"),
                vec!["pagerank", &graph, "--preference"],
            ),
            (
                "n.csv",
                format!("a,{field}\n"),
                vec!["pagerank", &graph, "--preference"],
            ),
            (
                "s.csv",
                format!("name,x\n{field},1\n"),
                vec!["pagerank", &graph, "--each-seed-file"],
            ),
            ("t.csv", format!("name,score\na,{field}\n"), vec!["compare"]),
        ];
        for (name, contents, command) in commands {
            let file = written(folder.path(), name, contents);
            let message = failure(&[&command[..], &[&file]].concat(), 1);
            assert!(message.len() < 500, "{name}: {} bytes", message.len());
            assert!(
                !message.trim_end().contains(char::is_control),
                "{message:?}"
            );
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_without_end_is_an_error() {
    let folder = TempDir::new().unwrap();
    let graph = bundle(folder.path(), "a,b\nb,a\n");
    let output = folder.path().join("zero.bv");
    for command in [
        vec!["import", "/dev/zero", "-o", text(&output)],
        vec!["pagerank", &graph, "--preference", "/dev/zero"],
        vec!["pagerank", &graph, "--weights", "/dev/zero"],
        vec!["pagerank", &graph, "--each-seed-file", "/dev/zero"],
        vec!["pagerank", &graph, "--names", "/dev/zero"],
        vec!["compare", "/dev/zero"],
    ] {
        let message = failure(&command, 1);
        let problem = match command[0] {
            "import" => "/dev/zero: is of no format that is read",
            _ => "/dev/zero, line 1: longer than 16 MiB",
        };
        assert!(message.contains(problem), "{message}");
    }
}

#[test]
fn text_comes_from_standard_input() {
    let folder = TempDir::new().unwrap();
    let output = folder.path().join("graph.bv");
    let import = ["import", "-", "-o", text(&output)];
    let run = rank(&import).write_stdin("a b\nb  a\n").assert().success();
    let said = String::from_utf8(run.get_output().stdout.clone()).unwrap();
    assert!(said.contains("2 nodes, 2 arcs"), "{said}");
    let text_of_it = "node,weight\n1,3\n";
    let file = written(folder.path(), "preference.csv", text_of_it);
    let preference = |from: &str| rank(&["pagerank", text(&output), "--preference", from]);
    let zstd = zstd::encode_all(text_of_it.as_bytes(), 1).unwrap();
    let run = preference("-").write_stdin(zstd).assert().success();
    let expected = preference(&file).assert().success();
    assert_eq!(run.get_output().stdout, expected.get_output().stdout);
    let run = preference("-").write_stdin("a,1\nx,1\n").assert().code(1);
    let said = String::from_utf8(run.get_output().stderr.clone()).unwrap();
    assert!(said.contains("standard input, line 2: 'x'"), "{said}");
}
