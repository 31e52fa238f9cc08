//! UCINET DL: `dl n=5 format=edgelist1`, labels, `data:`, and a matrix or a list.
//!
//! Read are `fullmatrix` (`diagonal absent`, too), `upperhalf` and `lowerhalf`, `edgelist1` and
//! `nodelist1`, and of two kinds of nodes (`nr=5 nc=3`) `fullmatrix`, `edgelist2` and `nodelist2`. Entry
//! (i, j) of a matrix and line `i j weight` of a list are arcs from i to j; halves of a matrix, and what
//! has two kinds of nodes, give edges: arcs in both directions. Nodes are called by their labels, which
//! are given (`labels:`, `row labels:`, `column labels:`) or embedded in the data; without labels, they
//! have numbers, one less than those in the file. Commas, blanks and line ends separate words; a label
//! with blanks stands in quotation marks; capital letters do not matter, those of labels among the data
//! neither. `na` in a matrix, a missing value, is no arc, which is told. Numbers of a matrix may be
//! broken into lines anywhere; an arc of a list has its line. If a matrix has numbers besides 0 and 1,
//! or any line of a list a weight, arcs have weights: to know it, a file is read twice. Lines that are
//! not UTF-8 are read as ISO-8859-1. Several matrices in one file are refused.

mod ends;
mod header;
mod tokens;

use self::ends::Ends;
use self::header::{Form, Header, Mode};
use self::tokens::Tokens;
use super::super::Input;
use super::super::notes::Note;
use super::super::receiver::{Problem, Receiver, settle};
use super::super::recognise::{First, Verdict};
use super::super::source::Source;
use super::unique_names::UniqueNames;
use super::weight_finder::gives_weights;
use super::{note, weight};
use std::io::Read;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory::reserve;
use webrank_tables::text::records::Records;

/// Files of UCINET start with `dl` and a parameter.
pub(in crate::import) fn recognise(first: &First) -> Verdict {
    let start = first.text.trim_start().to_lowercase();
    let words = start
        .strip_prefix("dl")
        .filter(|rest| rest.starts_with([' ', '\t', '\n', '\r', ',']));
    let parameter = words
        .unwrap_or_default()
        .trim_start_matches([' ', '\t', '\n', '\r', ',']);
    let parameters = ["n", "nr", "nc", "nm", "format", "title"];
    let name = parameter
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .next();
    let has_sign = start.contains('=') || start.contains("data:");
    match parameters.contains(&name.unwrap_or_default()) && has_sign {
        true => Verdict::Is("starts with dl and a parameter".into()),
        false => Verdict::No,
    }
}

/// Reads what comes before the data, and whether there are weights.
///
/// # Errors
/// If the file cannot be read, or is not in this format.
pub(in crate::import) fn open(
    source: &Source,
    input: Box<dyn Read + Send>,
    unweighted: bool,
) -> Result<Input> {
    let mut tokens = Tokens::new(Records::of(source.path(), input));
    let header = Header::read(&mut tokens)?;
    let is_list = matches!(header.form, Form::EdgeList);
    let weighted = !unweighted
        && header.form != Form::NodeList
        && (source.is_stream() || {
            let mut tokens = Tokens::new(Records::of(source.path(), source.open()?));
            let header = Header::read(&mut tokens)?;
            match is_list {
                true => has_third_words(&mut tokens)?,
                false => gives_weights(|to| read(tokens, header, to)),
            }
        });
    let has_labels = |mode: &Mode| mode.are_embedded || !mode.labels.is_empty();
    let columns = header.columns.as_ref();
    Ok(Input {
        weighted,
        is_directed: true,
        is_numbered: !has_labels(&header.rows) && !columns.is_some_and(has_labels),
        read: Box::new(move |to| read(tokens, header, to)),
    })
}

/// True if any line of a list has a weight.
fn has_third_words(tokens: &mut Tokens) -> Result<bool> {
    while tokens.is_in_line() || tokens.next_line()? {
        let mut words = 0;
        while tokens.word_of_line().is_some() {
            words += 1;
        }
        if words > 2 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The data, and the nodes.
struct Data {
    tokens: Tokens,
    names: UniqueNames,
    rows: Ends,
    /// The ends of columns, if they are others.
    columns: Option<Ends>,
    form: Form,
    has_diagonal: bool,
    labels_rows: bool,
    labels_columns: bool,
    /// Missing values of a matrix.
    missing: u64,
}

fn read(tokens: Tokens, header: Header, to: &mut dyn Receiver) -> Result<()> {
    let number = (
        header.rows.count,
        header.columns.as_ref().map_or(0, |mode| mode.count),
    );
    let is_named = |mode: &Mode| mode.are_embedded || !mode.labels.is_empty();
    let is_named = is_named(&header.rows) || header.columns.as_ref().is_some_and(is_named);
    let mut names = UniqueNames::default();
    let nodes = || -> Result<_, Problem> {
        if !is_named {
            let rows = Ends::numbered(number.0, 0, to)?;
            let columns = header
                .columns
                .map(|_| Ends::numbered(number.1, number.0, to));
            return Ok((rows, columns.transpose()?));
        }
        let of_rows = if header.columns.is_some() {
            "row"
        } else {
            "node"
        };
        let rows = Ends::named(header.rows, of_rows, &mut names, to)?;
        let columns = header
            .columns
            .map(|mode| Ends::named(mode, "column", &mut names, to));
        Ok((rows, columns.transpose()?))
    };
    let (rows, columns) = nodes().map_err(|problem| problem.at(|problem| tokens.wrong(problem)))?;
    let data = Data {
        tokens,
        names,
        rows,
        columns,
        form: header.form,
        has_diagonal: header.has_diagonal,
        labels_rows: header.labels_rows,
        labels_columns: header.labels_columns,
        missing: 0,
    };
    data.read(number, to)
}

impl Data {
    fn read(mut self, (rows, columns): (u64, u64), to: &mut dyn Receiver) -> Result<()> {
        match self.form {
            Form::EdgeList | Form::NodeList => self.list(to)?,
            _ => {
                let columns = if self.columns.is_some() {
                    columns
                } else {
                    rows
                };
                self.matrix(rows, columns, to)?;
            }
        }
        let mut rest = || -> Result<u64, Problem> {
            let mut rest = self.rows.declare_rest(&mut self.names, to)?;
            if let Some(columns) = &self.columns {
                rest += columns.declare_rest(&mut self.names, to)?;
            }
            Ok(rest)
        };
        let rest = rest().map_err(|problem| problem.at(|problem| self.tokens.wrong(problem)))?;
        let text = "nodes have no label, and are called by their numbers";
        note(to, rest, Note::assumed("labels", text));
        let text = "missing values (na) left out";
        note(
            to,
            self.missing,
            Note::left_out("missing", self.missing, text),
        );
        let modes = if self.columns.is_some() { 2 } else { 0 };
        let text = "modes of nodes are read as nodes of one graph";
        note(to, modes, Note::assumed("modes", text));
        self.names.tell(to);
        self.tokens.decoder.tell(to);
        Ok(())
    }

    /// A line for each arc, or for the arcs of a node.
    fn list(&mut self, to: &mut dyn Receiver) -> Result<()> {
        while self.tokens.is_in_line() || self.tokens.next_line()? {
            if !self.tokens.is_in_line() {
                continue;
            }
            let taken = self.line(to);
            while self.tokens.word_of_line().is_some() {}
            settle(taken, to, |problem| self.tokens.wrong(problem))?;
        }
        Ok(())
    }

    fn line(&mut self, to: &mut dyn Receiver) -> Result<(), Problem> {
        let (names, tokens) = (&mut self.names, &mut self.tokens);
        let source = self
            .rows
            .find(tokens.word_of_line().unwrap_or_default(), names, to)?;
        let (is_list, are_two) = (self.form == Form::NodeList, self.columns.is_some());
        let targets = self.columns.as_mut().unwrap_or(&mut self.rows);
        let mut target = match tokens.word_of_line() {
            Some(word) => targets.find(word, names, to)?,
            None if is_list => return Ok(()),
            None => return Err("a single field, too few for an arc".to_owned().into()),
        };
        if is_list {
            loop {
                give(are_two, source, target, 1.0, to)?;
                match tokens.word_of_line() {
                    Some(word) => target = targets.find(word, names, to)?,
                    None => return Ok(()),
                }
            }
        }
        let weight = match tokens.word_of_line() {
            Some(word) if word.eq_ignore_ascii_case("na") => None,
            word => Some(word.map_or(Ok(1.0), weight)?),
        };
        if tokens.word_of_line().is_some() {
            return Err("more than three fields; a line is 'from to weight'"
                .to_owned()
                .into());
        }
        let Some(weight) = weight else {
            self.missing += 1;
            return Ok(());
        };
        give(are_two, source, target, weight, to)
    }

    fn matrix(&mut self, rows: u64, columns: u64, to: &mut dyn Receiver) -> Result<()> {
        if self.labels_rows && !self.labels_columns && self.columns.is_none() {
            return Err(self.tokens.wrong(
                "labels are embedded in rows alone, but columns have them, too: give both, or 'labels:'",
            ));
        }
        let mut of_columns = Vec::new();
        if self.labels_columns {
            for column in 0..columns {
                let ends = self.columns.as_mut().unwrap_or(&mut self.rows);
                let Some(word) = self.tokens.word()? else {
                    let problem = format!("the file ends after {column} of {columns} labels");
                    return Err(self.tokens.wrong(problem));
                };
                let node = ends.find(word, &mut self.names, to);
                let node =
                    node.map_err(|problem| problem.at(|problem| self.tokens.wrong(problem)))?;
                reserve(&mut of_columns, 1, "nodes")?;
                of_columns.push(node);
            }
        }
        for row in 0..rows {
            let source = self.row(row, &of_columns, to)?;
            let given = match self.form {
                Form::UpperHalf => row..columns,
                Form::LowerHalf => 0..row + 1,
                _ => 0..columns,
            };
            for column in given {
                if row != column || self.has_diagonal || self.columns.is_some() {
                    self.entry(source, (row, column), &of_columns, to)?;
                }
            }
        }
        match self.tokens.word()?.map(str::to_owned) {
            None => Ok(()),
            Some(_) => {
                let problem = format!("more numbers than {rows} rows of {columns} have");
                Err(self.tokens.wrong(problem))
            }
        }
    }

    /// The node of a row.
    fn row(&mut self, row: u64, of_columns: &[Node], to: &mut dyn Receiver) -> Result<Node> {
        let node = if self.labels_rows {
            match self.tokens.word()? {
                Some(word) => self.rows.find(word, &mut self.names, to),
                None => Err(format!("the file ends before the label of row {}", row + 1).into()),
            }
        } else if self.columns.is_none() && self.labels_columns {
            Ok(of_columns[row as usize])
        } else {
            self.rows.nth(row, to)
        };
        node.map_err(|problem| problem.at(|problem| self.tokens.wrong(problem)))
    }

    fn entry(
        &mut self,
        source: Node,
        (row, column): (u64, u64),
        of_columns: &[Node],
        to: &mut dyn Receiver,
    ) -> Result<()> {
        let Some(word) = self.tokens.word()? else {
            let (row, column) = (row + 1, column + 1);
            let problem = format!("the file ends before the number of row {row}, column {column}");
            return Err(self.tokens.wrong(problem));
        };
        if word.eq_ignore_ascii_case("na") {
            self.missing += 1;
            return Ok(());
        }
        let (is_edge, ends) = match &self.columns {
            Some(columns) => (true, columns),
            None => (self.form != Form::FullMatrix, &self.rows),
        };
        let mut take = || -> Result<(), Problem> {
            let weight = weight(word)?;
            if weight == 0.0 {
                return Ok(());
            }
            let target = match of_columns.get(column as usize) {
                Some(&target) => target,
                None => ends.nth(column, to)?,
            };
            give(is_edge, source, target, weight, to)
        };
        let taken = take();
        settle(taken, to, |problem| self.tokens.wrong(problem))
    }
}

/// An edge, or an arc.
fn give(
    is_edge: bool,
    source: Node,
    target: Node,
    weight: f64,
    to: &mut dyn Receiver,
) -> Result<(), Problem> {
    match is_edge {
        true => to.edge(source, target, weight),
        false => to.arc(source, target, weight),
    }
}

#[cfg(test)]
mod tests;
