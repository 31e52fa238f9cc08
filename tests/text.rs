//! Text files: every name that is imported can be named again, the same records wherever reads end,
//! and nothing but errors from files that are none.

#[path = "support/cli.rs"]
mod support;

use proptest::prelude::*;
use std::io::{Cursor, Read};
use std::path::Path;
use support::*;
use tempfile::TempDir;
use webrank::error::{Error, Result};
use webrank::graph::import::EdgeOptions;
use webrank::graph::import::edges::{parse_edges, read_edges};
use webrank::graph::text::arc_weights::{parse_weights, read_weights};
use webrank::graph::text::keys::NodeKeys;
use webrank::graph::text::names::LineEnds;
use webrank::graph::text::node_list::{nodes_in, parse_nodes, read_nodes};
use webrank::graph::text::node_values::{parse_values, read_node_values};
use webrank::graph::text::records::Records;
use webrank::graph::{Csr, Names, Node};
use webrank::progress::Silent;
use webrank::scores::read::read_scores;

/// The fields of the records that are no comments, until one cannot be read.
fn found(mut records: Records) -> (Vec<Vec<String>>, Option<String>) {
    let mut found = Vec::new();
    loop {
        match records.advance() {
            Err(problem) => return (found, Some(problem.to_string())),
            Ok(false) => return (found, None),
            Ok(true) => {}
        }
        let record = records.record();
        if !record.is_comment() {
            let field = |field| String::from_utf8_lossy(record.bytes(field)).into_owned();
            found.push((0..record.len()).map(field).collect());
        }
    }
}

/// A reader that gives a few bytes at a time.
struct Pipe(Cursor<Vec<u8>>, usize);

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let bytes = buffer.len().min(self.1);
        self.0.read(&mut buffer[..bytes])
    }
}

proptest! {
    #[test]
    fn csv_is_what_the_csv_crate_says(text in "[ab\",#\r\n]{0,60}") {
        let text = format!("x,y\n{text}\n");
        let (found, problem) = found(Records::of_bytes(text.as_str()));
        let mut reader = csv::ReaderBuilder::new();
        let reader = reader.has_headers(false).flexible(true).comment(Some(b'#'));
        let records = reader.from_reader(text.as_bytes()).into_records();
        let mut records: Vec<Vec<String>> = records
            .map(|record| record.unwrap().iter().map(str::to_owned).collect())
            .collect();
        if problem.is_some() {
            // It takes the rest of the file for a field.
            records.pop();
        }
        prop_assert_eq!(found, records);
    }

    #[test]
    fn it_makes_no_difference_where_reads_end(
        text in "[ab\" ,#\t\r\n\u{feff}]{0,60}",
        bytes in 1usize..9,
        is_table: bool,
    ) {
        let input = Pipe(Cursor::new(text.clone().into_bytes()), bytes);
        let slow = Records::of("text".as_ref(), Box::new(input));
        let whole = Records::of_bytes(text);
        let read = |records: Records| found(if is_table { records.with_header() } else { records });
        prop_assert_eq!(read(slow), read(whole));
    }
}

/// Names of all kinds, in their order.
fn hostile_names() -> impl Strategy<Value = Vec<String>> {
    let name = prop_oneof![
        "[ab\"#, \t\r]{1,4}",
        "[0-9]{1,2}",
        "#?[a-c]{1,2}\r?",
        any::<String>(),
    ];
    let name = name
        .prop_map(|name| name.replace('\n', ""))
        .prop_filter("empty", |n| !n.is_empty());
    prop::collection::btree_set(name, 1..9).prop_map(|names| names.into_iter().collect())
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// An imported graph in which each node points to the next and the last to the first.
struct Ring {
    folder: TempDir,
    names: Names,
    successors: Csr,
}

impl Ring {
    fn import(text: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let edges = folder.path().join("edges");
        std::fs::write(&edges, text).unwrap();
        let imported = read_edges(&edges, &EdgeOptions::default(), &Silent).unwrap();
        // As they are in a bundle.
        let names = imported.names.unwrap();
        let path = folder.path().join("names.txt");
        let text: String = names.iter().map(|name| format!("{name}\n")).collect();
        std::fs::write(&path, text).unwrap();
        Ring {
            names: Names::read(&path, names.len(), LineEnds::Feed).unwrap(),
            successors: imported.successors,
            folder,
        }
    }

    fn file(&self, text: &str) -> std::path::PathBuf {
        let path = self.folder.path().join("file");
        std::fs::write(&path, text).unwrap();
        path
    }

    fn weights(&self, text: &str) -> Result<Vec<f64>> {
        read_weights(&self.file(text), &self.successors, Some(&self.names))
    }

    fn values(&self, text: &str) -> Result<Vec<f64>> {
        read_node_values(&self.file(text), self.names.len(), Some(&self.names))
    }

    fn nodes(&self, text: &str) -> Result<Vec<Node>> {
        read_nodes(&self.file(text), self.names.len(), Some(&self.names))
    }
}

/// The lines `name,next name` of a ring, without their ends.
fn arcs(names: &[String], separator: &str) -> Vec<String> {
    let next = names.iter().cycle().skip(1);
    let arcs = names.iter().zip(next);
    arcs.map(|(name, next)| format!("{name}{separator}{next}"))
        .collect()
}

fn numbered(lines: &[String], separator: &str) -> String {
    let lines = lines.iter().zip(1..);
    lines
        .map(|(line, number)| format!("{line}{separator}{number}\n"))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn every_imported_name_can_be_weighed_preferred_and_seeded(names in hostile_names()) {
        let keys: Vec<String> = names.iter().map(|name| quoted(name)).collect();
        let arcs = arcs(&keys, ",");
        let ring = Ring::import(&(arcs.join("\n") + "\n"));
        let read: Vec<&str> = (0..names.len()).map(|node| ring.names.get(node as Node)).collect();
        prop_assert_eq!(&read, &names);
        let numbers: Vec<f64> = (1..=names.len()).map(|number| number as f64).collect();
        let nodes: Vec<Node> = (0..names.len() as Node).collect();
        prop_assert_eq!(ring.weights(&numbered(&arcs, ",")).unwrap(), &numbers[..]);
        prop_assert_eq!(ring.values(&numbered(&keys, ",")).unwrap(), &numbers[..]);
        prop_assert_eq!(ring.nodes(&format!("name,n\n{}", numbered(&keys, ","))).unwrap(), &nodes[..]);
        // Alone on a line, or on the command line, quotation marks may be those of another name.
        let is_name = |text: &String| names.contains(text) || names.iter().any(|n| n.trim() == text);
        if !keys.iter().any(is_name) {
            prop_assert_eq!(ring.nodes(&keys.join("\r\n")).unwrap(), &nodes[..]);
            let pieces: Vec<String> = keys.iter().flat_map(|key| key.split(',')).map(str::to_owned).collect();
            if !pieces.iter().any(|piece| is_name(&piece.trim().to_owned())) {
                let keys_of = NodeKeys::new(names.len(), Some(&ring.names));
                prop_assert_eq!(nodes_in(&keys.join(","), keys_of).unwrap(), &nodes[..]);
            }
        }
    }

    #[test]
    fn between_tabs_names_need_no_quotation_marks(names in hostile_names()) {
        // The first line has plain names, and tabs separate no names that hold such.
        let is_plain = |name: &String| !name.contains('\t') && !name.starts_with('#') && !name.ends_with('\r');
        let names: Vec<String> = names.into_iter().filter(is_plain).collect();
        let names = [vec!["\u{1}".to_owned(), "\u{1}2".to_owned()], names].concat();
        prop_assume!(names.is_sorted_by(|a, b| a < b));
        let arcs = arcs(&names, "\t");
        let ring = Ring::import(&arcs.join("\n"));
        prop_assert_eq!(ring.names.len(), names.len());
        let numbers: Vec<f64> = (1..=names.len()).map(|number| number as f64).collect();
        prop_assert_eq!(ring.weights(&numbered(&arcs, "\t")).unwrap(), &numbers[..]);
        prop_assert_eq!(ring.values(&numbered(&names, "\t")).unwrap(), &numbers[..]);
    }

    #[test]
    fn text_of_any_kind_is_read_or_refused_in_a_line(
        text in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..200),
            "[ab0.5\",#\t\r\n -]{0,80}".prop_map(String::into_bytes),
            "(node|name|source),?\t?(score|b)?,?(weight)?\n([ab0-9\",\t]{0,9}\n?){0,9}".prop_map(String::into_bytes),
        ],
        named: bool,
    ) {
        let ring = Csr::from_arcs(2, [(0, 1), (1, 0)]).unwrap();
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, "a\n#b\n").unwrap();
        let names = Names::read(&path, 2, LineEnds::Guess).unwrap();
        let keys = NodeKeys::new(2, named.then_some(&names));
        let records = || Records::of_bytes(text.clone());
        let problems: [Option<Error>; 6] = [
            parse_weights(records(), &ring, keys).err(),
            parse_values(records(), keys, 2).err(),
            parse_nodes(records().whole_lines(), keys).err(),
            parse_edges(records(), &EdgeOptions { ids: false, header: named }, &Silent).err(),
            parse_edges(records(), &EdgeOptions { ids: true, header: named }, &Silent).err(),
            { std::fs::write(&path, &text).unwrap(); read_scores(&path, None).err() },
        ];
        for problem in problems.into_iter().flatten() {
            let message = problem.to_string();
            prop_assert!(!message.contains(char::is_control), "{message:?}");
            prop_assert!(message.len() < 1000, "{message}");
        }
    }
}

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
        let table = stdout(&["pagerank", &graph, "--seeds", seeds]);
        let header = table.lines().next().unwrap();
        assert_eq!(header, "node,name,\"score_Paris, Texas\",score_b");
    }
    let both = ["pagerank", &graph, "--seeds", "b", "--seeds", "c"];
    assert_eq!(
        stdout(&both),
        stdout(&["pagerank", &graph, "--seeds", "b,c"])
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
                vec!["pagerank", &graph, "--seeds-file"],
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
        vec!["pagerank", &graph, "--seeds-file", "/dev/zero"],
        vec!["pagerank", &graph, "--names", "/dev/zero"],
        vec!["compare", "/dev/zero"],
    ] {
        let message = failure(&command, 1);
        assert!(
            message.contains("/dev/zero, line 1: longer than 16 MiB"),
            "{message}"
        );
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
