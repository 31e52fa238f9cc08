//! The arcs of a network: lines, and matrices.

use super::super::super::receiver::{Problem, Receiver};
use super::super::{counted_from_1, weight};
use super::{Kind, Line};
use webrank_base::Node;
use webrank_base::shown::quoted;

/// A node by its number from 0.
fn node(nodes: &[Node], number: u64, to: &mut dyn Receiver) -> Result<Node, Problem> {
    match nodes.get(number as usize) {
        Some(&node) => Ok(node),
        None => to.number(number),
    }
}

/// Gives the arcs of lines.
pub(super) struct LineReader<'a> {
    /// Empty if nodes have no labels.
    nodes: &'a [Node],
    /// None if no vertices are listed: nodes are the numbers that occur.
    count: Option<u64>,
    weighted: bool,
    unweighted: bool,
}

impl<'a> LineReader<'a> {
    pub(super) fn new(
        nodes: &'a [Node],
        count: Option<u64>,
        weighted: bool,
        unweighted: bool,
    ) -> Self {
        LineReader {
            nodes,
            count,
            weighted,
            unweighted,
        }
    }

    pub(super) fn take(
        &mut self,
        line: Line,
        (kind, is_directed): (Kind, bool),
        to: &mut dyn Receiver,
    ) -> Result<(), Problem> {
        let line = line.of_arc();
        let weight = match line.weight().filter(|_| kind == Kind::Arcs) {
            Some(_) if self.unweighted => 1.0,
            // The first line shows it for a stream.
            Some(_) if !self.weighted => {
                let problem = "a weight, but the first arc has none; give a file, not a stream";
                return Err(problem.to_owned().into());
            }
            Some(weight) => weight,
            None => 1.0,
        };
        let mut words = line.words();
        let end = |word: Option<&str>, to: &mut dyn Receiver| {
            let word = word.ok_or_else(|| "a single field, too few for an arc".to_owned())?;
            match self.count {
                Some(count) => node(self.nodes, counted_from_1(word, count)?, to),
                None => match word.parse::<u32>() {
                    Ok(number) => to.integer(number.into()),
                    Err(_) => Err(format!("{} is not a node number", quoted(word)).into()),
                },
            }
        };
        let source = end(words.next(), to)?;
        let first = end(words.next(), to)?;
        give(to, is_directed, source, first, weight)?;
        if kind == Kind::List {
            for word in words {
                let target = end(Some(word), to)?;
                give(to, is_directed, source, target, weight)?;
            }
        }
        Ok(())
    }
}

fn give(
    to: &mut dyn Receiver,
    is_directed: bool,
    source: Node,
    target: Node,
    weight: f64,
) -> Result<(), Problem> {
    match is_directed {
        true => to.arc(source, target, weight),
        false => to.edge(source, target, weight),
    }
}

/// True if a row of a matrix has other numbers than 0 and 1.
pub(super) fn is_weighted_row(row: &str) -> bool {
    let mut words = row.split_whitespace();
    words.any(|word| !matches!(word.parse::<f64>(), Ok(0.0 | 1.0)))
}

/// Gives the arcs of a matrix; its rows may be broken into lines.
pub(super) struct Matrix<'a> {
    nodes: &'a [Node],
    rows: u64,
    columns: u64,
    /// The node of the first column; edges, not arcs, if it is not the first node.
    first: u64,
    /// Numbers read so far.
    read: u128,
}

impl<'a> Matrix<'a> {
    pub(super) fn new(nodes: &'a [Node], count: u64, first_mode: Option<u64>) -> Self {
        let first = first_mode.unwrap_or(0);
        Matrix {
            nodes,
            rows: first_mode.unwrap_or(count),
            columns: count - first,
            first,
            read: 0,
        }
    }

    fn total(&self) -> u128 {
        u128::from(self.rows) * u128::from(self.columns)
    }

    pub(super) fn take(&mut self, line: &str, to: &mut dyn Receiver) -> Result<(), Problem> {
        // Even if the line is left out, its numbers count: those of the next one keep their places.
        let mut first = Ok(());
        for word in line.split_whitespace() {
            if self.read == self.total() {
                let (rows, columns) = (self.rows, self.columns);
                let problem = format!("more numbers than {rows} rows of {columns} have");
                return Err(problem.into());
            }
            let (row, column) = (
                (self.read / u128::from(self.columns)) as u64,
                (self.read % u128::from(self.columns)) as u64,
            );
            self.read += 1;
            match (self.entry(row, column, word, to), &first) {
                (Err(Problem::Record(problem)), Ok(())) => first = Err(Problem::Record(problem)),
                (Ok(()) | Err(Problem::Record(_)), _) => {}
                (other, _) => return other,
            }
        }
        first
    }

    fn entry(
        &self,
        row: u64,
        column: u64,
        word: &str,
        to: &mut dyn Receiver,
    ) -> Result<(), Problem> {
        let weight = weight(word)?;
        if weight == 0.0 {
            return Ok(());
        }
        let source = node(self.nodes, row, to)?;
        let target = node(self.nodes, self.first + column, to)?;
        give(to, self.first == 0, source, target, weight)
    }

    pub(super) fn check_complete(&self) -> Result<(), String> {
        if self.read == self.total() {
            return Ok(());
        }
        let (read, rows, columns) = (self.read, self.rows, self.columns);
        Err(format!(
            "the matrix has {read} numbers, not {rows} rows of {columns}"
        ))
    }
}
