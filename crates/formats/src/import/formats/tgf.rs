//! TGF, the Trivial Graph Format of yEd and others: lines `id label`, a line `#`, lines `source target
//! label`.
//!
//! Labels of nodes are names if each node has one and all are different, otherwise ids are. Edges are
//! arcs from source to target. Their labels are left out, and so have no weights: the format has none.

use super::super::Input;
use super::super::notes::Note;
use super::super::recognise::{First, Verdict};
use super::held::{Ends, Held, Naming, Rules, Weight};
use super::text;
use std::collections::HashSet;
use std::path::Path;
use webrank_base::error::Result;
use webrank_tables::text::records::Records;

/// Files named `.tgf`, and those in which lines of different ids stand above a line `#`, and lines of two of
/// these ids below.
pub(in crate::import) fn recognise(first: &First) -> Verdict {
    match first.extension() {
        Some("tgf") => Verdict::Is("named .tgf".into()),
        _ if has_parts(first) => {
            Verdict::Is("lines of nodes, a line '#', and lines of edges between them".into())
        }
        _ => Verdict::No,
    }
}

fn has_parts(first: &First) -> bool {
    let mut lines = first
        .text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty());
    let mut ids = HashSet::new();
    for line in lines.by_ref().take_while(|line| *line != "#") {
        let id = line.split_whitespace().next().unwrap_or_default();
        if id.starts_with('#') || !ids.insert(id) {
            return false;
        }
    }
    let mut edges: Vec<&str> = lines.collect();
    if !first.is_whole {
        edges.pop();
    }
    let is_edge = |line: &&str| {
        let mut words = line.split_whitespace();
        let mut is_id = || words.next().is_some_and(|word| ids.contains(word));
        is_id() && is_id()
    };
    ids.len() > 1 && !edges.is_empty() && edges.iter().all(is_edge)
}

/// Reads a file.
///
/// # Errors
/// If a line cannot be used.
pub(in crate::import) fn open(path: &Path, records: Records, ids: bool) -> Result<Input> {
    let mut records = records.whole_lines().without_comments();
    let mut held = Held::new(path, Ends::Declared);
    let (mut is_after_nodes, mut labels) = (false, 0);
    while records.advance()? {
        let record = records.record();
        let wrong = |problem: &str| record.wrong(problem);
        let line =
            text(&record, 0).map_err(|problem| problem.at(|problem| record.wrong(problem)))?;
        let line = line.trim();
        if line == "#" {
            if is_after_nodes {
                return Err(wrong(
                    "a second line '#'; edges are the last part of the file",
                ));
            }
            is_after_nodes = true;
            continue;
        }
        let number = record.line();
        if !is_after_nodes {
            let (id, label) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let id = held.id(id)?;
            held.declare(Some(id), Some(label.trim()), number)?;
            continue;
        }
        let mut words = line.split_whitespace();
        let (Some(source), Some(target)) = (words.next(), words.next()) else {
            return Err(wrong("a single id, where source and target should be"));
        };
        labels += u64::from(words.next().is_some());
        let ends = (held.id(source)?, held.id(target)?);
        held.edge(ends, Weight::None, Some(true), number)?;
    }
    if !is_after_nodes && held.num_nodes() > 0 {
        let problem = "there is no line '#' between nodes and edges";
        return Err(records.record().wrong(problem));
    }
    if labels > 0 {
        held.note(Note::left_out(
            "labels",
            labels,
            "labels of edges left out; they are no weights",
        ));
    }
    held.into_input(&Rules {
        naming: if ids { Naming::Ids } else { Naming::Labels },
        is_directed: true,
        unweighted: false,
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{import, named_arcs, problem, weights};
    use crate::import::ImportOptions;

    #[test]
    fn labels_are_names_and_edges_are_arcs() {
        for (text, expected) in [
            ("1 New York\n2 Boston\n#\n1 2 5.5\n", ["New York", "Boston"]),
            (
                "1\tNew York\r\n2\tBoston\r\n#\r\n1\t2\r\n",
                ["New York", "Boston"],
            ),
            ("a\nb\n\n # \na b x y\n", ["a", "b"]),
            ("1 x\n2 x\n#\n1 2\n", ["1", "2"]),
        ] {
            for name in ["g.tgf", "g.txt"] {
                assert_eq!(import(name, text).unwrap().num_nodes(), 2, "{text}");
            }
            let graph = import("g.tgf", text).unwrap();
            let [source, target] = expected.map(str::to_owned);
            assert_eq!(named_arcs(&graph), [(source, target)], "{text}");
            assert_eq!(weights(&graph), None);
        }
    }

    #[test]
    fn lines_that_cannot_be_used_are_named() {
        for (text, words) in [
            ("1 a\n2 b\n", "line 2: there is no line '#'"),
            ("1\n#\n1\n", "line 3: a single id"),
            ("1\n#\n1 1\n#\n", "line 4: a second line '#'"),
            ("1\n#\n1 2\n", "line 3: no node has the id '2'"),
            ("1\n1\n#\n", "line 2: a second node with the id '1'"),
        ] {
            let problem = problem("g.tgf", text, &ImportOptions::default());
            assert!(
                problem.contains("g.tgf, ") && problem.contains(words),
                "{problem}"
            );
        }
    }
}
