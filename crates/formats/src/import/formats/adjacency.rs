//! Adjacency lists: a node and its successors in each line, as `networkx.write_adjlist` writes them.
//!
//! Names are separated by tabs if the start of the file has one, otherwise by blanks. Lines that
//! start with `#` or `%` are comments. The format does not say whether arcs have directions: they are
//! arcs from the first node of a line, and `symmetric` adds their reverses, which networkx leaves out
//! of undirected graphs.

use super::super::Input;
use super::super::notes::Note;
use super::super::receiver::{Problem, Receiver, settle};
use super::super::recognise::{First, Verdict};
use super::text;
use std::collections::HashSet;
use webrank_base::error::Result;
use webrank_tables::text::records::{Record, Records};
use webrank_tables::text::separator::Separator;

/// Adjacency lists have no mark: the name says it. If most other words of the lines begin lines, or if lines of
/// numbers have different lengths, they may be some. Files of Ligra have the name, too.
pub(in crate::import) fn recognise(first: &First) -> Verdict {
    let is_of_ligra = first.starts_with("AdjacencyGraph") || first.starts_with("WeightedAdjacency");
    match first.extension() {
        Some(extension @ ("adjlist" | "adj")) if !is_of_ligra => {
            Verdict::Is(format!("named .{extension}").into())
        }
        _ if looks_like_some(first) => {
            Verdict::IsClose("its lines may be lists of neighbours (--from adjacency)".into())
        }
        _ => Verdict::No,
    }
}

fn looks_like_some(first: &First) -> bool {
    let lines = first.text.lines().filter(|line| !line.starts_with('#'));
    let rows: Vec<Vec<&str>> = lines
        .map(|line| line.split_whitespace().collect())
        .collect();
    let rows = || rows.iter().filter(|row| !row.is_empty());
    let heads: HashSet<&str> = rows().map(|row| row[0]).collect();
    let others = || rows().flat_map(|row| &row[1..]);
    let known = others().filter(|word| heads.contains(*word)).count();
    let is_number = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let widths: HashSet<usize> = rows().map(Vec::len).collect();
    let are_numbers = || widths.len() > 2 && rows().flatten().all(is_number);
    heads.len() > 1
        && heads.len() == rows().count()
        && (known > 0 && 2 * known >= others().count() || are_numbers())
}

/// A list whose fields are separated by tabs or by blanks; `symmetric` says that the user knows directions.
pub(in crate::import) fn open(records: Records, is_tabbed: bool, symmetric: bool) -> Input {
    let separator = match is_tabbed {
        true => Separator::Tab,
        false => Separator::Blanks,
    };
    let records = records.separated_by(separator);
    Input {
        weighted: false,
        is_directed: true,
        is_numbered: false,
        read: Box::new(move |to| read(records, symmetric, to)),
    }
}

fn read(mut records: Records, symmetric: bool, to: &mut dyn Receiver) -> Result<()> {
    if !symmetric {
        let text = "the format does not say whether edges have directions: they are arcs from the \
                    first node of a line (--undirected if they have none)";
        to.note(Note::assumed("directions", text));
    }
    while records.advance()? {
        let record = records.record();
        if !record.is_comment() {
            let taken = take(&record, to);
            settle(taken, to, |problem| record.wrong(problem))?;
        }
    }
    Ok(())
}

fn take(record: &Record, to: &mut dyn Receiver) -> Result<(), Problem> {
    for field in 0..record.len() {
        if text(record, field)?.starts_with('{') {
            let problem = "data in braces: multi-line adjacency lists of networkx are not read; \
                           write networkx.write_edgelist";
            return Err(problem.to_owned().into());
        }
    }
    let source = to.key(text(record, 0)?)?;
    for field in 1..record.len() {
        let target = to.key(text(record, field)?)?;
        to.arc(source, target, 1.0)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{import, named_arcs, problem};
    use crate::import::ImportOptions;

    #[test]
    fn a_line_lists_the_successors_of_its_node() {
        for text in [
            "#/usr/bin/make\n# GMT\na b c\nb\nc a\n",
            "a\tb\tc\nb\nc\ta\n",
            "b\na  b c \nc a",
        ] {
            let graph = import("g.adjlist", text).unwrap();
            let expected = [("a", "b"), ("a", "c"), ("c", "a")];
            assert_eq!(
                named_arcs(&graph),
                expected.map(|(a, b)| (a.into(), b.into()))
            );
        }
        let graph = import("g.adjlist", "New York\tBoston\n").unwrap();
        assert_eq!(named_arcs(&graph), [("New York".into(), "Boston".into())]);
    }

    #[test]
    fn lists_without_their_name_are_close() {
        let options = ImportOptions::default();
        let text = "a b c d\nb c d\nc d\nd\n";
        let problem = problem("g.txt", text, &options);
        assert!(
            problem.contains("may be lists of neighbours (--from adjacency)"),
            "{problem}"
        );
    }

    #[test]
    fn files_of_ligra_have_the_name_too() {
        for text in [
            "AdjacencyGraph\n2\n1\n0\n1\n1\n",
            "WeightedAdjacencyGraph\n1\n0\n0\n",
        ] {
            let problem = problem("g.adj", text, &ImportOptions::default());
            assert!(problem.contains("is of Ligra"), "{problem}");
        }
    }

    #[test]
    fn numbers_are_nodes_when_asked() {
        let options = ImportOptions {
            ids: true,
            ..Default::default()
        };
        let graph = super::super::tests::import_with("g.adj", b"0 2\n3\n", &options).unwrap();
        assert_eq!(super::super::tests::arcs(&graph), [(0, 2)]);
        assert_eq!(graph.num_nodes(), 4);
        let problem = problem("g.adj", "0 2\n1 x\n", &options);
        assert!(problem.contains("g.adj, line 2: 'x' is not"), "{problem}");
    }

    #[test]
    fn bad_lines_are_named() {
        let options = ImportOptions::default();
        let problem = problem("g.adj", "a\tb\nc\t\n", &options);
        assert!(
            problem.contains("g.adj, line 2: a name is empty"),
            "{problem}"
        );
    }
}
