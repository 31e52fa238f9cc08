//! METIS (and Chaco, KaHIP): a line for each node with its neighbours, counted from 1.
//!
//! The first line holds the numbers of nodes n and edges m, and perhaps a format `fmt` of three
//! digits (sizes of nodes, weights of nodes, weights of edges) and the number of weights a node.
//! Sizes and weights of nodes are skipped. Lines that start with `%` are comments; the line of a node
//! without neighbours is empty. The graph is undirected, and both nodes of an edge list each other:
//! that there are 2m neighbours is checked, that they fit together is not.

use super::super::Input;
use super::super::receiver::{Problem, Receiver, settle};
use super::super::recognise::{First, Verdict};
use super::{counted_from_1, text, weight};
use std::collections::HashSet;
use webrank_base::error::Result;
use webrank_tables::text::records::{Record, Records};
use webrank_tables::text::separator::Separator;

/// A graph, opened up to its first node.
struct Metis {
    records: Records,
    header: Header,
}

/// The first line.
#[derive(Clone, Copy)]
struct Header {
    nodes: u64,
    edges: u64,
    /// Numbers before the neighbours of a node.
    skipped: usize,
    has_weights: bool,
}

/// METIS has no mark: the name says it, or lines that list each other. BVGraphs have files `.graph`, too,
/// which hold bits.
pub(in crate::import) fn recognise(first: &First) -> Verdict {
    match first.extension() {
        Some("metis") => Verdict::Is("named .metis".into()),
        Some("graph") if is_header(&first.content(&['%'])) => match is_doubtful(first) {
            true => Verdict::IsClose("named .graph, with lines that do not list each other".into()),
            false => Verdict::Is("named .graph, with neighbours that list each other".into()),
        },
        _ if list_each_other(first, FEWEST) => Verdict::Is(
            "numbers of nodes and edges, and lines of neighbours that list each other".into(),
        ),
        _ => Verdict::No,
    }
}

/// True for a file `.graph` that starts like METIS, and whose lines do not list each other: a list of arcs may.
pub(in crate::import) fn is_doubtful(first: &First) -> bool {
    first.extension() == Some("graph")
        && is_header(&first.content(&['%']))
        && !list_each_other(first, 0)
}

/// True for two to four numbers: those of nodes and edges come first.
fn is_header(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let are_numbers = words.all(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    are_numbers && (2..=4).contains(&line.split_whitespace().count())
}

/// So many lines show that neighbours list each other.
const FEWEST: u64 = 3;

/// True if each line of a text below the header lists nodes whose lines list its node. If the text goes on,
/// those of the lines that are there have to. There are `fewest` lines and pairs, and more if the text goes on.
fn list_each_other(first: &First, fewest: u64) -> bool {
    let text = match first.is_whole {
        true => &first.text[..],
        false => &first.text[..first.text.rfind('\n').unwrap_or(0)],
    };
    let mut lines = text.lines().filter(|line| !line.starts_with('%'));
    let header = lines.next().filter(|line| is_header(line));
    let numbers = header.map(|line| {
        let words = line.split_whitespace().map(|word| word.parse().ok());
        words.collect::<Option<Vec<u64>>>()
    });
    let Some(Ok(header)) = numbers.flatten().map(Header::new) else {
        return false;
    };
    let each = if header.has_weights { 2 } else { 1 };
    let mut seen: HashSet<(u64, u64)> = HashSet::new();
    let mut nodes = 0;
    for line in lines {
        if nodes == header.nodes && line.trim().is_empty() {
            continue;
        }
        nodes += 1;
        if nodes > header.nodes {
            return false;
        }
        let words = line.split_whitespace().skip(header.skipped).step_by(each);
        for word in words {
            match counted_from_1(word, header.nodes) {
                Ok(other) if other + 1 != nodes => seen.insert((nodes, other + 1)),
                _ => return false,
            };
        }
    }
    let inner = || seen.iter().filter(|(_, other)| *other <= nodes);
    let least = if first.is_whole { fewest } else { 16 * fewest };
    let has_all = !first.is_whole || nodes == header.nodes || fewest == 0;
    has_all
        && nodes >= least
        && inner().count() as u64 >= least
        && inner().all(|&(node, other)| seen.contains(&(other, node)))
}

/// Reads the header.
///
/// # Errors
/// If it cannot be understood.
pub(in crate::import) fn open(records: Records, unweighted: bool) -> Result<Input> {
    let mut records = records.separated_by(Separator::Blanks);
    loop {
        if !records.advance()? {
            return Err(records.wrong(1, "the file ends before the numbers of nodes and edges"));
        }
        if !records.record().is_comment() {
            break;
        }
    }
    let record = records.record();
    let header = Header::of(&record).map_err(|problem| record.wrong(problem))?;
    Ok(Input {
        weighted: header.has_weights && !unweighted,
        is_directed: true,
        is_numbered: true,
        read: Box::new(move |to| Metis { records, header }.read(to)),
    })
}

impl Header {
    fn of(record: &Record) -> Result<Self, String> {
        let number = |field: usize| std::str::from_utf8(record.bytes(field)).ok()?.parse().ok();
        let numbers: Option<Vec<u64>> = (0..record.len()).map(number).collect();
        let numbers = numbers.filter(|numbers| (2..=4).contains(&numbers.len()));
        let numbers = numbers.ok_or(
            "not a header of METIS: the numbers of nodes and edges, and perhaps fmt and ncon",
        )?;
        Header::new(numbers)
    }

    /// The header that two to four numbers make.
    fn new(numbers: Vec<u64>) -> Result<Self, String> {
        let format = numbers.get(2).copied().unwrap_or(0);
        let digits = [format / 100, format / 10 % 10, format % 10];
        if digits.iter().any(|digit| *digit > 1) {
            return Err(format!(
                "the format {format} is none of METIS: three digits 0 or 1, for sizes and weights \
                 of nodes and weights of edges"
            ));
        }
        let weights = numbers.get(3).copied().unwrap_or(1);
        let skipped = digits[0] + if digits[1] == 1 { weights } else { 0 };
        Ok(Header {
            nodes: numbers[0],
            edges: numbers[1],
            skipped: usize::try_from(skipped).map_err(|_| "too many weights a node")?,
            has_weights: digits[2] == 1,
        })
    }
}

impl Metis {
    fn read(mut self, to: &mut dyn Receiver) -> Result<()> {
        let header = self.header;
        let mut line = self.records.record().line();
        let declared = to.declare(header.nodes);
        declared.map_err(|problem| problem.at(|problem| self.records.wrong(line, problem)))?;
        // The next node, and the neighbours so far.
        let (mut node, mut arcs) = (0, 0);
        while self.records.advance()? {
            let record = self.records.record();
            // Empty lines are skipped by `records`, but stand for nodes here.
            node += record.line() - line - 1;
            line = record.line();
            if record.is_comment() {
                continue;
            }
            if node >= header.nodes {
                let nodes = header.nodes;
                return Err(record.wrong(format!("more lines than the {nodes} nodes promised")));
            }
            let taken = header.take(&record, node, to, &mut arcs);
            settle(taken, to, |problem| record.wrong(problem))?;
            node += 1;
        }
        if u128::from(arcs) != 2 * u128::from(header.edges) {
            let edges = header.edges;
            let problem = format!(
                "the lines list {arcs} neighbours, but {edges} edges promise twice as many: each \
                 edge is listed by both its nodes"
            );
            return Err(self.records.wrong(line, problem));
        }
        Ok(())
    }
}

impl Header {
    /// Gives the arcs of a node.
    fn take(
        &self,
        record: &Record,
        node: u64,
        to: &mut dyn Receiver,
        arcs: &mut u64,
    ) -> Result<(), Problem> {
        let each = if self.has_weights { 2 } else { 1 };
        let fields = record.len();
        if fields < self.skipped || !(fields - self.skipped).is_multiple_of(each) {
            let expected = match (self.skipped, each) {
                (0, _) => "pairs of a neighbour and a weight".to_owned(),
                (skipped, 1) => format!("{skipped} numbers of the node and its neighbours"),
                (skipped, _) => {
                    format!("{skipped} numbers of the node and pairs of a neighbour and a weight")
                }
            };
            return Err(format!("{fields} fields, not {expected}").into());
        }
        let source = to.number(node)?;
        for field in (self.skipped..fields).step_by(each) {
            let target = counted_from_1(text(record, field)?, self.nodes)?;
            let target = to.number(target)?;
            let weight = match self.has_weights {
                true => weight(text(record, field + 1)?)?,
                false => 1.0,
            };
            to.arc(source, target, weight)?;
            *arcs += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{arcs, import, problem, weights};
    use crate::import::ImportOptions;

    #[test]
    fn a_line_lists_the_neighbours_of_its_node() {
        let text = "% a comment\n5 3\n2 3\n1\n% another\n1 4\n3\n\n";
        let graph = import("g.metis", text).unwrap();
        assert_eq!(graph.num_nodes(), 5);
        assert_eq!(
            arcs(&graph),
            [(0, 1), (0, 2), (1, 0), (2, 0), (2, 3), (3, 2)]
        );
        assert_eq!(weights(&graph), None);
    }

    #[test]
    fn empty_lines_are_nodes_without_neighbours() {
        let graph = import("g.metis", "4 1\n\n3\n2\n").unwrap();
        assert_eq!(arcs(&graph), [(1, 2), (2, 1)]);
        assert_eq!(graph.num_nodes(), 4);
    }

    #[test]
    fn weights_of_nodes_are_skipped_and_those_of_edges_read() {
        for text in [
            "2 1 1\n2 5\n1 5\n",
            "2 1 011 2\n9 9 2 5\n8 8 1 5\n",
            "2 1 111\n1 9 2 5\n1 8 1 5\n",
        ] {
            let graph = import("g.metis", text).unwrap();
            assert_eq!(arcs(&graph), [(0, 1), (1, 0)], "{text}");
            assert_eq!(weights(&graph), Some(vec![5.0, 5.0]), "{text}");
        }
        let graph = import("g.metis", "2 1 10\n7 2\n7 1\n").unwrap();
        assert_eq!(arcs(&graph), [(0, 1), (1, 0)]);
    }

    #[test]
    fn lines_that_list_each_other_show_the_format() {
        let cycle = "4 4\n2 4\n1 3\n2 4\n1 3\n";
        let path = "% x\n3 2\n2\n1 3\n2\n";
        let weighted = "3 2 1\n2 5\n1 5 3 6\n2 6\n";
        let isolated = "4 2\n2\n1 3\n2\n\n";
        let ladder = |count: u64| {
            let row = |node: u64| match node {
                1 => "2\n".to_owned(),
                last if last == count => format!("{}\n", last - 1),
                node => format!("{} {}\n", node - 1, node + 1),
            };
            let rows: String = (1..=count).map(row).collect();
            format!("{count} {}\n{rows}", count - 1)
        };
        let long = ladder(20_000);
        assert!(long.len() > 1 << 16);
        for text in [cycle, path, weighted, isolated, &long] {
            let graph = import("g.txt", text).unwrap();
            let expected = text.lines().find(|line| !line.starts_with('%')).unwrap();
            let (nodes, _) = expected.split_once(' ').unwrap();
            assert_eq!(graph.num_nodes().to_string(), nodes);
            let all = arcs(&graph);
            assert!(all.iter().all(|&(one, other)| all.contains(&(other, one))) || all.len() > 999);
        }
        // Lists of arcs stay what they are.
        for text in ["2 1\n2\n1\n", "3 2\n2 1\n1 3\n2 3\n", "1 2\n2 3\n3 1\n"] {
            let graph = import("g.txt", text).unwrap();
            assert!(graph.names().is_some(), "{text}");
        }
    }

    #[test]
    fn a_file_that_is_only_named_graph_is_not_taken_for_metis() {
        let graph = import("g.graph", "3 2\n2\n1 3\n2\n").unwrap();
        assert_eq!(arcs(&graph), [(0, 1), (1, 0), (1, 2), (2, 1)]);
        for text in [
            "1 2\n2 3\n3 1\n",
            // As many lines and neighbours as the first line says.
            "3 3\n1 2\n2 3\n3 1\n",
            "4 2\n2\n3\n4\n1\n",
        ] {
            let problem = problem("g.graph", text, &ImportOptions::default());
            assert!(
                problem.contains("--from edges for a list of arcs"),
                "{problem}"
            );
        }
    }

    #[test]
    fn what_is_no_metis_file_is_refused_with_its_line() {
        for (text, words) in [
            ("", "line 1: the file ends before"),
            ("% x\n1\n", "line 2: not a header of METIS"),
            ("1 0 2\n", "line 1: the format 2"),
            (
                "2 1\n2\n3\n",
                "line 3: '3' is not a node number from 1 to 2",
            ),
            ("2 1\n2\n1\n1\n", "line 4: more lines than the 2 nodes"),
            (
                "2 2\n2\n1\n",
                "line 3: the lines list 2 neighbours, but 2 edges",
            ),
            ("2 1 1\n2\n1 5\n", "line 2: 1 fields, not pairs"),
            ("2 1 1\n2 -1\n1 5\n", "line 2: the weight -1 is negative"),
            ("2 1 1\n2 x\n1 5\n", "line 2: 'x' is not a number"),
            ("2 1 10 3\n1 2\n", "line 2: 2 fields, not 3 numbers"),
        ] {
            let problem = problem("g.metis", text, &ImportOptions::default());
            assert!(
                problem.contains("g.metis, ") && problem.contains(words),
                "{problem}"
            );
        }
    }
}
