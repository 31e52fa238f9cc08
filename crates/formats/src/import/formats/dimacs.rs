//! DIMACS: the graphs of its challenges, as igraph and solvers write them.
//!
//! A line `p KIND n m` has the numbers of nodes and arcs, and lines `e u v` (of `edge` and `col`: edges
//! without directions or weights) or `a u v w` (of `sp`, `max`, `min` and others: arcs with a length,
//! capacity or cost, which is their weight) follow. Nodes are counted from 1. Lines `c` are comments. Lines
//! `n` of nodes are left out, which is told. That there are m arcs is checked; edges may
//! be there, or be counted, in both directions.

use super::super::Input;
use super::super::notes::Note;
use super::super::receiver::{Problem, Receiver, settle};
use super::super::recognise::{First, Verdict};
use super::{counted_from_1, note, text, weight};
use webrank_base::error::Result;
use webrank_base::shown::quoted;
use webrank_tables::text::records::{Record, Records};
use webrank_tables::text::separator::Separator;

/// The line `p`.
#[derive(Debug, Clone, Copy)]
struct Header {
    has_weights: bool,
    nodes: u64,
    arcs: u64,
}

/// The first line that is no comment `c` is `p`, a word and two numbers.
pub(in crate::import) fn recognise(first: &First) -> Verdict {
    let mut lines = first.text.lines().map(str::trim);
    let is_comment = |line: &str| line.is_empty() || line == "c" || line.starts_with("c ");
    let line = lines.find(|line| !is_comment(line));
    let words: Vec<&str> = line.unwrap_or_default().split_whitespace().collect();
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    match words[..] {
        ["p", kind, nodes, arcs] if !is_number(kind) && is_number(nodes) && is_number(arcs) => {
            Verdict::Is("a line 'p' with the numbers of nodes and arcs".into())
        }
        _ => Verdict::No,
    }
}

/// Reads up to the line `p`.
///
/// # Errors
/// If there is none.
pub(in crate::import) fn open(records: Records, unweighted: bool) -> Result<Input> {
    let mut records = records.separated_by(Separator::Blanks);
    let header = loop {
        if !records.advance()? {
            return Err(records.wrong(1, "the file ends before a line 'p KIND nodes arcs'"));
        }
        let record = records.record();
        match record.bytes(0) {
            b"c" => {}
            _ if record.is_comment() => {}
            b"p" => break Header::of(&record).map_err(|problem| record.wrong(problem))?,
            _ => return Err(record.wrong("there is no line 'p KIND nodes arcs' before it")),
        }
    };
    Ok(Input {
        weighted: header.has_weights && !unweighted,
        is_directed: true,
        is_numbered: true,
        read: Box::new(move |to| header.read(records, to)),
    })
}

impl Header {
    fn of(record: &Record) -> Result<Self, String> {
        let field = |place: usize| std::str::from_utf8(record.bytes(place)).ok();
        let number = |place: usize| field(place)?.parse().ok();
        let words = (record.len() == 4).then(|| Some((field(1)?, number(2)?, number(3)?)));
        let Some(Some((kind, nodes, arcs))) = words else {
            return Err("not 'p KIND nodes arcs'".into());
        };
        let is_of_edges = ["edge", "edges", "col"].contains(&kind);
        if !is_of_edges && !["sp", "max", "min", "asn"].contains(&kind) {
            let kind = quoted(kind);
            return Err(format!(
                "{kind} is no kind of graph; edge, col, sp, max, min and asn are read"
            ));
        }
        Ok(Header {
            has_weights: !is_of_edges,
            nodes,
            arcs,
        })
    }

    fn read(self, mut records: Records, to: &mut dyn Receiver) -> Result<()> {
        let line = records.record().line();
        let declared = to.declare(self.nodes);
        declared.map_err(|problem| problem.at(|problem| records.wrong(line, problem)))?;
        let (mut arcs, mut left_out, mut numbers) = (0, 0, 0);
        while records.advance()? {
            let record = records.record();
            match record.bytes(0) {
                b"c" => continue,
                _ if record.is_comment() => continue,
                b"n" => left_out += 1,
                b"e" | b"a" => {
                    arcs += 1;
                    numbers += u64::from(record.bytes(0) == b"e" && record.len() > 3);
                    let taken = self.arc(&record, to);
                    settle(taken, to, |problem| record.wrong(problem))?;
                }
                _ => {
                    let word = String::from_utf8_lossy(record.bytes(0)).into_owned();
                    let problem = format!("a line {}; c, n, e and a are read", quoted(&word));
                    to.bad(record.wrong(problem))?;
                }
            }
        }
        // Some programs count an edge once, and others twice.
        let may_be_twice = !self.has_weights && (arcs == 2 * self.arcs || 2 * arcs == self.arcs);
        if arcs != self.arcs && !may_be_twice {
            let problem = format!("the file has {arcs} arcs, but this line says {}", self.arcs);
            return Err(records.wrong(line, problem));
        }
        let text = "numbers behind the nodes of edges ('e') left out";
        note(to, numbers, Note::left_out("weights", numbers, text));
        let text = "lines of nodes ('n') left out";
        note(to, left_out, Note::left_out("nodes", left_out, text));
        Ok(())
    }

    fn arc(self, record: &Record, to: &mut dyn Receiver) -> Result<(), Problem> {
        let is_edge = record.bytes(0) == b"e";
        if is_edge == self.has_weights {
            let kinds = "lines 'e' are of 'p edge' and 'p col', lines 'a' of all others";
            return Err(kinds.to_owned().into());
        }
        if record.len() < 3 {
            return Err("source or target is missing".to_owned().into());
        }
        let mut node = |field: usize| -> Result<_, Problem> {
            to.number(counted_from_1(text(record, field)?, self.nodes)?)
        };
        let (source, target) = (node(1)?, node(2)?);
        if is_edge {
            return to.edge(source, target, 1.0);
        }
        let weight = match record.len() {
            3 => 1.0,
            // The last number of arcs with a range of capacities and a cost is the cost.
            fields => weight(text(record, fields - 1)?)?,
        };
        to.arc(source, target, weight)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{arcs, import, problem, weights};
    use crate::import::ImportOptions;

    #[test]
    fn edges_and_arcs_are_read() {
        let edges = "c a graph\nc\np edge 4 2\nn 1 3\ne 1 2\ne 2 3\n";
        for name in ["g.col", "g.dimacs", "g.txt"] {
            let graph = import(name, edges).unwrap();
            assert_eq!(graph.num_nodes(), 4);
            assert_eq!(arcs(&graph), [(0, 1), (1, 0), (1, 2), (2, 1)]);
            assert_eq!(weights(&graph), None);
        }
        let arcs_of = "p sp 3 2\na 1 3 5\na 3 2 0.5\n";
        let graph = import("g.gr", arcs_of).unwrap();
        assert_eq!(arcs(&graph), [(0, 2), (2, 1)]);
        assert_eq!(weights(&graph), Some(vec![5.0, 0.5]));
    }

    #[test]
    fn lines_that_cannot_be_used_are_named() {
        for (text, words) in [
            (
                "p edge 2 1\ne 1 3\n",
                "line 2: '3' is not a node number from 1 to 2",
            ),
            (
                "p edge 2 3\ne 1 2\n",
                "line 1: the file has 1 arcs, but this line says 3",
            ),
            ("p edge 2 1\na 1 2 3\n", "line 2: lines 'e' are of"),
            ("p sp 2 1\na 1\n", "line 2: source or target is missing"),
            ("p sp 2 1\na 1 2 x\n", "line 2: 'x' is not a number"),
            ("p cnf 2 1\n1 2 0\n", "line 1: 'cnf' is no kind of graph"),
            ("p sp 2 1\nx 1 2\n", "line 2: a line 'x'"),
        ] {
            let problem = problem("g.dimacs", text, &ImportOptions::default());
            assert!(problem.contains(words), "{problem}");
        }
    }
}
