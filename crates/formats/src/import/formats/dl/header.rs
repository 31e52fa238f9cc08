//! The start of a file, before the data: sizes, format, labels.

use super::tokens::Tokens;
use webrank_base::error::Result;
use webrank_base::memory::reserve;
use webrank_base::shown::quoted;

/// The form of the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    FullMatrix,
    UpperHalf,
    LowerHalf,
    /// `from to weight`
    EdgeList,
    /// `from to to ...`
    NodeList,
}

/// The nodes of rows, or of columns.
#[derive(Debug, Default)]
pub(super) struct Mode {
    pub(super) count: u64,
    pub(super) labels: Vec<Box<str>>,
    /// Labels are among the data.
    pub(super) are_embedded: bool,
}

/// All that comes before the data.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) form: Form,
    pub(super) has_diagonal: bool,
    pub(super) rows: Mode,
    /// The columns, if they are other nodes.
    pub(super) columns: Option<Mode>,
    /// The first row of a matrix has the labels of columns; the first word of each row is its label.
    pub(super) labels_columns: bool,
    pub(super) labels_rows: bool,
}

/// The header so far.
#[derive(Default)]
struct Said {
    nodes: Option<u64>,
    rows: Option<u64>,
    columns: Option<u64>,
    form: Option<(Form, bool)>,
    lacks_diagonal: bool,
    of_nodes: Labels,
    of_rows: Labels,
    of_columns: Labels,
}

#[derive(Default)]
struct Labels {
    given: Vec<Box<str>>,
    are_embedded: bool,
}

/// No graph has more nodes.
const MAX_NODES: u64 = u32::MAX as u64;

const START: &str = "not a file of UCINET: it starts with 'dl n=5', for five nodes";

impl Header {
    /// Reads up to the data.
    pub(super) fn read(tokens: &mut Tokens) -> Result<Self> {
        if tokens.header_word()?.as_deref() != Some("dl") {
            return Err(tokens.wrong(START));
        }
        let mut said = Said::default();
        loop {
            let Some(word) = tokens.header_word()? else {
                return Err(tokens.wrong("the file ends before 'data:'"));
            };
            match word.as_str() {
                "n" => said.nodes = Some(number(tokens)?),
                "nr" => said.rows = Some(number(tokens)?),
                "nc" => said.columns = Some(number(tokens)?),
                "nm" => {
                    if number(tokens)? > 1 {
                        let problem = "several matrices; save each in a file of its own";
                        return Err(tokens.wrong(problem));
                    }
                }
                "format" => said.form = Some(form(tokens)?),
                "diagonal" => said.lacks_diagonal = lacks_diagonal(tokens)?,
                "title" => {
                    tokens.skip_sign('=')?;
                    tokens.word()?;
                }
                "labels" => said.labels(tokens, "n")?,
                "row" | "rows" | "col" | "cols" | "column" | "columns" | "matrix" | "level" => {
                    let next = tokens.header_word()?;
                    if !matches!(next.as_deref(), Some("labels" | "label")) {
                        return Err(tokens.wrong(unknown(&word)));
                    }
                    said.labels(tokens, &word)?;
                }
                "data" => {
                    tokens.skip_sign(':')?;
                    return said.header().map_err(|problem| tokens.wrong(problem));
                }
                ";" => {}
                _ => return Err(tokens.wrong(unknown(&word))),
            }
        }
    }
}

fn unknown(word: &str) -> String {
    let word = quoted(word);
    format!("{word} is not read before 'data:'; n, nr, nc, nm, format, diagonal and labels are")
}

/// The number after a parameter.
fn number(tokens: &mut Tokens) -> Result<u64> {
    tokens.skip_sign('=')?;
    let word = tokens.header_word()?.unwrap_or_default();
    match word.parse::<u64>() {
        Ok(number) if number <= MAX_NODES => Ok(number),
        _ => Err(tokens.wrong(format!(
            "{} is not a number of nodes, at most {MAX_NODES}",
            quoted(&word)
        ))),
    }
}

/// The format, and whether rows and columns are different nodes.
fn form(tokens: &mut Tokens) -> Result<(Form, bool)> {
    tokens.skip_sign('=')?;
    let word = tokens.header_word()?.unwrap_or_default();
    Ok(match word.as_str() {
        "fullmatrix" | "fm" => (Form::FullMatrix, false),
        "upperhalf" | "uh" => (Form::UpperHalf, false),
        "lowerhalf" | "lh" => (Form::LowerHalf, false),
        "edgelist1" | "el1" => (Form::EdgeList, false),
        "edgelist2" | "el2" => (Form::EdgeList, true),
        "nodelist1" | "nl1" => (Form::NodeList, false),
        "nodelist2" | "nl2" => (Form::NodeList, true),
        _ => {
            let problem = format!(
                "the format {} is not read; fullmatrix, upperhalf, lowerhalf, edgelist1, edgelist2, \
                 nodelist1 and nodelist2 are",
                quoted(&word)
            );
            return Err(tokens.wrong(problem));
        }
    })
}

fn lacks_diagonal(tokens: &mut Tokens) -> Result<bool> {
    tokens.skip_sign('=')?;
    match tokens.header_word()?.as_deref() {
        Some("present") => Ok(false),
        Some("absent") => Ok(true),
        _ => Err(tokens.wrong("the diagonal is neither present nor absent")),
    }
}

impl Said {
    /// Reads labels, or that they are embedded.
    fn labels(&mut self, tokens: &mut Tokens, whose: &str) -> Result<()> {
        let count = match whose {
            "n" => self.nodes,
            "row" | "rows" => self.rows.or(self.nodes),
            // A label for the only matrix.
            "matrix" | "level" => Some(1),
            _ => self.columns.or(self.nodes),
        };
        if !tokens.skip_sign(':')? {
            if tokens.header_word()?.as_deref() != Some("embedded") {
                return Err(tokens.wrong("after 'labels', there is neither ':' nor 'embedded'"));
            }
            tokens.skip_sign(':')?;
            if let Some(labels) = self.of(whose) {
                labels.are_embedded = true;
            }
            return Ok(());
        }
        let Some(count) = count else {
            return Err(tokens.wrong("labels before the number of nodes, such as n=5"));
        };
        let mut given = Vec::new();
        for read in 0..count {
            let Some(label) = tokens.word()? else {
                let problem = format!("the file ends after {read} of {count} labels");
                return Err(tokens.wrong(problem));
            };
            let label = Box::from(label);
            reserve(&mut given, 1, "labels")?;
            given.push(label);
        }
        if let Some(labels) = self.of(whose) {
            labels.given = given;
        }
        Ok(())
    }

    fn of(&mut self, whose: &str) -> Option<&mut Labels> {
        match whose {
            "n" => Some(&mut self.of_nodes),
            "row" | "rows" => Some(&mut self.of_rows),
            "matrix" | "level" => None,
            _ => Some(&mut self.of_columns),
        }
    }

    fn header(self) -> Result<Header, String> {
        let (form, is_of_two) = self.form.unwrap_or((Form::FullMatrix, false));
        let is_matrix = !matches!(form, Form::EdgeList | Form::NodeList);
        let is_embedded = self.of_nodes.are_embedded;
        let labels_rows = is_embedded || self.of_rows.are_embedded;
        let labels_columns = is_embedded || self.of_columns.are_embedded;
        let count = (self.rows.or(self.nodes), self.columns.or(self.nodes));
        let (Some(rows), Some(columns)) = count else {
            return Err("the number of nodes is missing, such as n=5, or nr=5 nc=3".into());
        };
        let (of_rows, of_columns) = (self.of_rows.given, self.of_columns.given);
        let are_two = self.rows.is_some() || self.columns.is_some() || is_of_two;
        let are_alike =
            !is_of_two && rows == columns && !of_rows.is_empty() && of_rows == of_columns;
        if !is_matrix && labels_rows != labels_columns && !are_two {
            return Err("of a list, labels of both ends are embedded, or of none".into());
        }
        if !matches!(form, Form::FullMatrix)
            && is_matrix
            && (are_two || labels_rows != labels_columns)
        {
            return Err("half a matrix is one of a single kind of nodes: n=5".into());
        }
        let mode = |count, labels, are_embedded| Mode {
            count,
            labels,
            are_embedded,
        };
        let (rows, columns) = match are_two && !are_alike {
            true => (
                mode(rows, of_rows, labels_rows),
                Some(mode(columns, of_columns, labels_columns)),
            ),
            false => {
                let mut given = [self.of_nodes.given, of_rows, of_columns].into_iter();
                let given = given.find(|labels| !labels.is_empty()).unwrap_or_default();
                (mode(rows, given, labels_rows || labels_columns), None)
            }
        };
        Ok(Header {
            form,
            has_diagonal: !self.lacks_diagonal,
            rows,
            columns,
            labels_columns,
            labels_rows,
        })
    }
}
