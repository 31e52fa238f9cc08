//! Every imported name can be named again; other text is refused with a message of one line.

use proptest::prelude::*;
use tempfile::TempDir;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::progress::Silent;
use webrank_formats::import;
use webrank_formats::import::{ImportFiles, ImportOptions, read_records};
use webrank_graph::Csr;
use webrank_graph::arc_weights::{parse_weights, read_weights};
use webrank_tables::read::read_scores;
use webrank_tables::text::checksums::Checksums;
use webrank_tables::text::keys::NodeKeys;
use webrank_tables::text::names::LineEnds;
use webrank_tables::text::names::Names;
use webrank_tables::text::node_list::{nodes_in, parse_nodes, read_nodes};
use webrank_tables::text::node_values::{parse_values, read_node_values};
use webrank_tables::text::records::Records;

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
    // Names that are all whole numbers have the order of numbers.
    prop::collection::btree_set(name, 1..9)
        .prop_map(Vec::from_iter)
        .prop_filter("numbers", |names| {
            names.iter().any(|name| name.parse::<i128>().is_err())
        })
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
        let sources = ImportFiles::new(&[edges]).unwrap();
        let (graph, _) = import::read(&sources, &ImportOptions::default(), &Silent).unwrap();
        // Names as a bundle stores them.
        let names = graph.names().unwrap();
        let path = folder.path().join("names.txt");
        let text = (0..names.len()).map(|node| format!("{}\n", names.get(node as Node)));
        std::fs::write(&path, text.collect::<String>()).unwrap();
        Ring {
            names: Names::read(&path, names.len(), LineEnds::Feed).unwrap(),
            successors: graph.take_successors(&Silent).unwrap(),
            folder,
        }
    }

    fn file(&self, text: &str) -> std::path::PathBuf {
        let path = self.folder.path().join("file");
        std::fs::write(&path, text).unwrap();
        path
    }

    fn weights(&self, text: &str) -> Result<Vec<f64>> {
        let checksums = Checksums::default();
        read_weights(
            &self.file(text),
            &self.successors,
            Some(&self.names),
            &checksums,
        )
    }

    fn values(&self, text: &str) -> Result<Vec<f64>> {
        let checksums = Checksums::default();
        let (n, names) = (self.names.len(), Some(&self.names));
        read_node_values(&self.file(text), n, names, &checksums)
    }

    fn nodes(&self, text: &str) -> Result<Vec<Node>> {
        let checksums = Checksums::default();
        let (n, names) = (self.names.len(), Some(&self.names));
        read_nodes(&self.file(text), n, names, &checksums)
    }
}

/// The lines `name,next name` of a ring, without line ends.
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
        // Alone on a line, or on the command line, a quoted name may itself be another name.
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
        // The first line has plain names; names that contain tabs are left out, and those with blanks around
        // them, which count only between quotation marks.
        let is_plain = |name: &String| {
            let is_bare = name.trim() == name && !name.is_empty();
            is_bare && !name.contains('\t') && !name.starts_with('#') && !name.contains('\r')
        };
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
            read_records(records(), &arcs_with(false, named), &Silent).err(),
            read_records(records(), &arcs_with(true, named), &Silent).err(),
            { std::fs::write(&path, &text).unwrap(); read_scores(&path, None).err() },
        ];
        for problem in problems.into_iter().flatten() {
            let message = problem.to_string();
            prop_assert!(!message.contains(char::is_control), "{message:?}");
            prop_assert!(message.len() < 1000, "{message}");
        }
    }
}

fn arcs_with(ids: bool, header: bool) -> ImportOptions {
    ImportOptions {
        ids,
        header: header.then_some(true),
        ..Default::default()
    }
}
