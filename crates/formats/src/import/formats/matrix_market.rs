//! MatrixMarket: sparse matrices by coordinates. Entry (i, j) is an arc from node i to node j.
//!
//! A line `%%MatrixMarket matrix coordinate real general`, comments that start with `%`, a line with
//! the numbers of rows, columns and entries, and a line `i j weight` for each entry, counted from 1.
//! The nodes of the graph have numbers, one less than those in the file. Weights are read from `real`
//! and `integer` matrices, not from `pattern` ones. Entries of symmetric matrices are arcs in both
//! directions; one triangle is given.

use super::super::Input;
use super::super::receiver::{Problem, Receiver, settle};
use super::super::recognise::{First, Verdict};
use super::{counted_from_1, text, weight};
use std::cmp::Ordering;
use webrank_base::error::Result;
use webrank_base::shown::shown;
use webrank_tables::text::records::{Record, Records};
use webrank_tables::text::separator::Separator;

/// A matrix, opened up to its first entry.
struct Matrix {
    records: Records,
    nodes: u64,
    entries: u64,
    has_values: bool,
    is_symmetric: bool,
    /// The triangle of the entries seen so far.
    triangle: Ordering,
}

/// MatrixMarket files start with their name.
pub(in crate::import) fn recognise(first: &First) -> Verdict {
    match first.starts_with("%%MatrixMarket") {
        true => Verdict::Is("starts with %%MatrixMarket".into()),
        false => Verdict::No,
    }
}

/// Reads the header.
///
/// # Errors
/// If it cannot be understood, or if the matrix is none of a graph.
pub(in crate::import) fn open(records: Records, unweighted: bool) -> Result<Input> {
    let mut records = records.separated_by(Separator::Blanks);
    if !records.advance()? {
        return Err(records.wrong(1, "the file is empty"));
    }
    let header = Header::of(&records.record(), unweighted);
    let header = header.map_err(|problem| records.record().wrong(problem))?;
    while records.record().is_comment() {
        if !records.advance()? {
            let line = records.record().line();
            return Err(records.wrong(line, "the file ends before its numbers of rows and columns"));
        }
    }
    let record = records.record();
    let sizes = sizes(&record).map_err(|problem| record.wrong(problem))?;
    let matrix = Matrix {
        nodes: sizes[0],
        entries: sizes[2],
        has_values: header.has_values,
        is_symmetric: header.is_symmetric,
        triangle: Ordering::Equal,
        records,
    };
    Ok(Input {
        weighted: header.has_values && !unweighted,
        is_directed: !header.is_symmetric,
        is_numbered: true,
        read: Box::new(move |to| matrix.read(to)),
    })
}

/// What the first line says.
struct Header {
    has_values: bool,
    is_symmetric: bool,
}

impl Header {
    fn of(record: &Record, unweighted: bool) -> Result<Self, String> {
        let line = String::from_utf8_lossy(record.bytes(0)).to_lowercase();
        let words: Vec<&str> = line.split_whitespace().collect();
        let ["%%matrixmarket", "matrix", layout, field, symmetry] = words[..] else {
            return Err(
                "not a header such as '%%MatrixMarket matrix coordinate real general'".into(),
            );
        };
        if layout != "coordinate" {
            return Err(format!(
                "the matrix is in {} format, with an entry for every pair of nodes; write the \
                 entries that are arcs in coordinate format, as scipy.io.mmwrite writes sparse \
                 matrices",
                shown(layout)
            ));
        }
        let has_values = match field {
            "pattern" => false,
            "real" | "integer" | "double" | "unsigned-integer" => true,
            _ => {
                return Err(format!(
                    "entries are {}: weights are real numbers; write a real, an integer or a \
                     pattern matrix",
                    shown(field)
                ));
            }
        };
        let is_symmetric = match symmetry {
            "general" => false,
            "symmetric" => true,
            "skew-symmetric" if unweighted || !has_values => true,
            "skew-symmetric" => {
                return Err(
                    "the matrix is skew-symmetric: of the two weights between nodes, one is \
                     negative; read it without weights (--unweighted)"
                        .into(),
                );
            }
            _ => {
                return Err(format!(
                    "the matrix is {}: write a general or a symmetric one",
                    shown(symmetry)
                ));
            }
        };
        Ok(Header {
            has_values,
            is_symmetric,
        })
    }
}

/// The numbers of rows, columns and entries.
fn sizes(record: &Record) -> Result<[u64; 3], String> {
    let parse = |field: usize| std::str::from_utf8(record.bytes(field)).ok()?.parse().ok();
    let sizes: Option<Vec<u64>> = (0..record.len()).map(parse).collect();
    match sizes.as_deref() {
        Some(&[rows, columns, entries]) if rows == columns => Ok([rows, columns, entries]),
        Some(&[rows, columns, _]) => Err(format!(
            "the matrix has {rows} rows and {columns} columns: the matrix of a graph has a row and \
             a column for each node"
        )),
        _ => Err("not the numbers of rows, columns and entries".into()),
    }
}

impl Matrix {
    fn read(mut self, to: &mut dyn Receiver) -> Result<()> {
        if let Some(last) = self.nodes.checked_sub(1) {
            let line = self.records.record().line();
            let declared = to.number(last);
            let wrong = |problem| self.records.wrong(line, problem);
            declared.map_err(|problem| problem.at(wrong))?;
        }
        let mut found = 0;
        while self.records.advance()? {
            let record = self.records.record();
            if record.is_comment() {
                continue;
            }
            found += 1;
            if found > self.entries {
                let promised = self.entries;
                return Err(record.wrong(format!("more entries than the {promised} promised")));
            }
            let entry = Self::entry(&record, self.nodes, self.has_values);
            let taken = entry.and_then(|(row, column, weight)| {
                if self.is_symmetric {
                    check_triangle(&mut self.triangle, row.cmp(&column))?;
                }
                to_arc(to, row, column, weight)
            });
            settle(taken, to, |problem| record.wrong(problem))?;
        }
        if found < self.entries {
            let promised = self.entries;
            let problem = format!("the file ends after {found} of {promised} entries");
            return Err(self.records.wrong(self.records.record().line(), problem));
        }
        Ok(())
    }

    fn entry(record: &Record, nodes: u64, has_values: bool) -> Result<(u64, u64, f64), Problem> {
        let expected = if has_values { 3 } else { 2 };
        if record.len() != expected {
            let found = record.len();
            return Err(format!("{found} fields, but entries have {expected}").into());
        }
        let row = counted_from_1(text(record, 0)?, nodes)?;
        let column = counted_from_1(text(record, 1)?, nodes)?;
        let weight = if has_values {
            weight(text(record, 2)?)?
        } else {
            1.0
        };
        Ok((row, column, weight))
    }
}

fn to_arc(to: &mut dyn Receiver, row: u64, column: u64, weight: f64) -> Result<(), Problem> {
    let (source, target) = (to.number(row)?, to.number(column)?);
    to.arc(source, target, weight)
}

/// Checks that entries lie on one side of the diagonal: both sides would count twice.
fn check_triangle(triangle: &mut Ordering, side: Ordering) -> Result<(), String> {
    if *triangle == Ordering::Equal {
        *triangle = side;
    }
    if side == Ordering::Equal || side == *triangle {
        return Ok(());
    }
    Err(
        "this entry and earlier ones lie on both sides of the diagonal: of a symmetric matrix one \
         triangle is given; write a general matrix"
            .into(),
    )
}

#[cfg(test)]
mod tests {
    use super::super::tests::{arcs, import, problem, weights};
    use crate::import::ImportOptions;

    #[test]
    fn entries_are_arcs() {
        let text = "%%MatrixMarket matrix coordinate real general\n% a comment\n\n4 4 3\n1 2 0.5\n  3\t1 2e1 \n4 4 1\n";
        let graph = import("m.mtx", text).unwrap();
        assert_eq!(graph.num_nodes(), 4);
        assert!(graph.names().is_none());
        assert_eq!(arcs(&graph), [(0, 1), (2, 0), (3, 3)]);
        assert_eq!(weights(&graph), Some(vec![0.5, 20.0, 1.0]));
        let text = "%%matrixmarket MATRIX Coordinate Pattern Symmetric\n5 5 2\n2 1\n3 3\n";
        let graph = import("m", text).unwrap();
        assert_eq!(graph.num_nodes(), 5);
        assert_eq!(arcs(&graph), [(0, 1), (1, 0), (2, 2)]);
        assert_eq!(weights(&graph), None);
        let text = "%%MatrixMarket matrix coordinate integer symmetric\n2 2 1\n1 2 7\n";
        let graph = import("m", text).unwrap();
        assert_eq!(weights(&graph), Some(vec![7.0, 7.0]));
        let text = "%%MatrixMarket matrix coordinate pattern general\n0 0 0\n";
        assert_eq!(import("m", text).unwrap().num_nodes(), 0);
    }

    #[test]
    fn skew_symmetric_matrices_have_no_weights() {
        let text = "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 -3\n";
        let refused = problem("m.mtx", text, &ImportOptions::default());
        assert!(refused.contains("line 1: the matrix is skew"), "{refused}");
        let options = ImportOptions {
            unweighted: true,
            ..Default::default()
        };
        let graph = super::super::tests::import_with("m.mtx", text.as_bytes(), &options).unwrap();
        assert_eq!(arcs(&graph), [(0, 1), (1, 0)]);
    }

    #[test]
    fn what_is_no_matrix_of_a_graph_is_refused_with_its_line() {
        let real = "%%MatrixMarket matrix coordinate real general\n";
        let symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
        for (text, words) in [
            ("%%MatrixMarket matrix\n", "line 1: not a header"),
            (
                "%%MatrixMarket matrix array real general\n1 1\n1\n",
                "line 1: the matrix is in array format",
            ),
            (
                "%%MatrixMarket matrix coordinate complex general\n",
                "line 1: entries are complex",
            ),
            (
                "%%MatrixMarket matrix coordinate real hermitian\n",
                "line 1: the matrix is hermitian",
            ),
            (real, "line 1: the file ends before"),
            (
                &format!("{real}%\n3 4 1\n1 1 1\n"),
                "line 3: the matrix has 3 rows and 4 columns",
            ),
            (&format!("{real}3 x 1\n"), "line 2: not the numbers of rows"),
            (
                &format!("{real}3 3 2\n1 2 1\n"),
                "line 3: the file ends after 1 of 2",
            ),
            (
                &format!("{real}3 3 1\n1 2 1\n1 3 1\n"),
                "line 4: more entries than the 1",
            ),
            (
                &format!("{real}3 3 1\n1 4 1\n"),
                "line 3: '4' is not a node number from 1 to 3",
            ),
            (&format!("{real}3 3 1\n0 1 1\n"), "line 3: '0' is not"),
            (&format!("{real}3 3 1\n1 1\n"), "line 3: 2 fields"),
            (
                &format!("{real}3 3 1\n1 1 x\n"),
                "line 3: 'x' is not a number",
            ),
            (
                &format!("{real}3 3 1\n1 1 -1\n"),
                "line 3: the weight -1 is negative",
            ),
            (
                &format!("{symmetric}3 3 2\n1 2 1\n2 1 1\n"),
                "line 4: this entry and earlier ones",
            ),
            (
                &format!("{real}99999999999 99999999999 0\n"),
                "line 2: the graph has 99999999999 nodes",
            ),
        ] {
            let problem = problem("m.mtx", text, &ImportOptions::default());
            assert!(
                problem.contains("m.mtx, ") && problem.contains(words),
                "{problem}"
            );
        }
    }
}
