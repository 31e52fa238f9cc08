//! SIF, the simple interaction format of Cytoscape: lines `source relation target target ...`.
//!
//! A line is an arc to each target; a line of one word is a node. Fields are separated by tabs if a tab is in
//! the file, otherwise by blanks. Relations are left out, which is told. Arcs have no weights.

use super::super::Input;
use super::super::notes::Note;
use super::super::receiver::{Problem, Receiver, settle};
use super::super::recognise::{First, Verdict};
use super::{note, text};
use webrank_base::error::Result;
use webrank_tables::text::records::{Record, Records};
use webrank_tables::text::separator::Separator;

/// Files named `.sif`: no content tells them from lists of three columns.
pub(in crate::import) fn recognise(first: &First) -> Verdict {
    match first.extension() {
        Some("sif") => Verdict::Is("named .sif".into()),
        _ => Verdict::No,
    }
}

/// The lines of a file, separated by tabs or by blanks.
pub(in crate::import) fn open(records: Records, is_tabbed: bool) -> Input {
    let separator = match is_tabbed {
        true => Separator::Tab,
        false => Separator::Blanks,
    };
    let records = records.separated_by(separator);
    Input {
        weighted: false,
        is_directed: true,
        is_numbered: false,
        read: Box::new(move |to| read(records, to)),
    }
}

fn read(mut records: Records, to: &mut dyn Receiver) -> Result<()> {
    let (mut relations, mut comments) = (0, 0);
    while records.advance()? {
        let record = records.record();
        if record.is_comment() {
            comments += 1;
            continue;
        }
        relations += u64::from(record.len() > 2);
        let taken = line(&record, to);
        settle(taken, to, |problem| record.wrong(problem))?;
    }
    let text = "lines that start with # or % left out";
    note(to, comments, Note::left_out("comments", comments, text));
    let text = "relations left out";
    note(to, relations, Note::left_out("relations", relations, text));
    Ok(())
}

fn line(record: &Record, to: &mut dyn Receiver) -> Result<(), Problem> {
    let source = to.key(text(record, 0)?.trim())?;
    if record.len() == 2 {
        let problem = "two fields; a line is a node, or a source, a relation and targets";
        return Err(problem.to_owned().into());
    }
    for field in 2..record.len() {
        let target = to.key(text(record, field)?.trim())?;
        to.arc(source, target, 1.0)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::tests::{import, named_arcs, problem, weights};
    use crate::import::ImportOptions;

    #[test]
    fn relations_join_a_source_with_its_targets() {
        for lines in ["a pp b c\nd\nb pd a\n", "a\tpp\tb\tc\nd\nb\tpd\ta\n"] {
            let graph = import("g.sif", lines).unwrap();
            let arcs = [("a", "b"), ("a", "c"), ("b", "a")];
            let arcs = arcs.map(|(source, target)| (source.to_owned(), target.to_owned()));
            assert_eq!(named_arcs(&graph), arcs);
            assert_eq!(graph.num_nodes(), 4);
            assert_eq!(weights(&graph), None);
        }
        let graph = import("g.sif", "New York\ttrain\tBoston\n").unwrap();
        assert_eq!(graph.num_nodes(), 2);
        let problem = problem("g.sif", "a b c\na b\n", &ImportOptions::default());
        assert!(problem.contains("line 2: two fields"), "{problem}");
    }
}
