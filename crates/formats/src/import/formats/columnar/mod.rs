//! Tables of arcs in columns: Parquet and Arrow.
//!
//! Nodes are strings, integers or decimals, whose text without trailing zeros is the name; weights are
//! numbers. One thread decodes batches of rows, another
//! takes their arcs. Messages count rows from 1.

#[cfg(feature = "arrow")]
pub(in crate::import) mod arrow;
#[cfg(feature = "parquet")]
pub(in crate::import) mod parquet;

use super::super::columns::{Columns, Header};
use super::super::receiver::{Problem, Receiver, settle};
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::shown::quoted;

/// Rows of a batch.
const BATCH: usize = 1 << 14;

/// Batches that wait.
const WAITING: usize = 4;

/// What nodes may be.
const FOR_NODES: &str = "strings, integers or decimals of up to 38 digits";

/// What weights may be.
const FOR_WEIGHTS: &str = "integers, floating-point numbers or decimals of up to 38 digits";

/// Rows, one after the other.
struct Batch {
    /// Counted from 0.
    first_row: u64,
    source: Cells<Keys>,
    target: Cells<Keys>,
    weights: Option<Cells<Vec<f64>>>,
}

/// The cells of a column.
struct Cells<T> {
    values: T,
    /// Which of them are not null, unless all are not.
    valid: Option<Vec<bool>>,
}

/// What stands for nodes.
enum Keys {
    Texts { bytes: Vec<u8>, ends: Vec<usize> },
    Integers(Vec<i64>),
    Naturals(Vec<u64>),
}

impl<T> Cells<T> {
    fn is_null(&self, row: usize) -> bool {
        self.valid.as_ref().is_some_and(|valid| !valid[row])
    }
}

impl Keys {
    fn texts() -> Self {
        Keys::Texts {
            bytes: Vec::new(),
            ends: Vec::new(),
        }
    }

    fn push_text(&mut self, text: &[u8]) {
        if let Keys::Texts { bytes, ends } = self {
            bytes.extend_from_slice(text);
            ends.push(bytes.len());
        }
    }

    fn len(&self) -> usize {
        match self {
            Keys::Texts { ends, .. } => ends.len(),
            Keys::Integers(values) => values.len(),
            Keys::Naturals(values) => values.len(),
        }
    }

    /// The node of a row.
    fn node(&self, row: usize, to: &mut dyn Receiver) -> Result<Node, Problem> {
        match self {
            Keys::Texts { bytes, ends } => {
                let start = row.checked_sub(1).map_or(0, |before| ends[before]);
                let text = std::str::from_utf8(&bytes[start..ends[row]]);
                to.key(text.map_err(|_| "a name is not UTF-8".to_owned())?)
            }
            Keys::Integers(values) => to.integer(values[row]),
            Keys::Naturals(values) => match i64::try_from(values[row]) {
                Ok(integer) => to.integer(integer),
                Err(_) => to.key(itoa::Buffer::new().format(values[row])),
            },
        }
    }
}

/// A decimal number, without zeros after the last digit that counts.
fn decimal(unscaled: i128, scale: i32) -> String {
    let sign = if unscaled < 0 { "-" } else { "" };
    let digits = unscaled.unsigned_abs().to_string();
    let places = scale.unsigned_abs() as usize;
    if unscaled == 0 || scale <= 0 {
        let zeros = if unscaled == 0 { 0 } else { places };
        return format!("{sign}{digits}{}", "0".repeat(zeros));
    }
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = digits.split_at(digits.len() - places);
    match fraction.trim_end_matches('0') {
        "" => format!("{sign}{whole}"),
        fraction => format!("{sign}{whole}.{fraction}"),
    }
}

/// The nearest double.
fn decimal_number(unscaled: i128, scale: i32) -> f64 {
    let text = decimal(unscaled, scale);
    text.parse().expect("digits are a number")
}

/// A table, opened.
struct Table {
    path: PathBuf,
    header: Vec<String>,
    columns: Columns,
}

impl Table {
    /// The table in a file with this header.
    fn new(path: &Path, header: Vec<String>, wanted: &Header) -> Result<Self> {
        let names: Vec<&str> = header.iter().map(String::as_str).collect();
        let columns = wanted.named(&names);
        let columns = columns.map_err(|problem| Error::file(path, problem))?;
        Ok(Table {
            path: path.to_owned(),
            columns,
            header,
        })
    }

    fn name(&self, column: usize) -> String {
        quoted(&self.header[column])
    }

    fn unusable(&self, column: usize, found: &str, wanted: &str) -> Error {
        let name = self.name(column);
        Error::file(
            &self.path,
            format!("column {name} holds {found}, not {wanted}"),
        )
    }

    /// Gives the arcs of the batches that `decode` makes in another thread, and passes on; it ends if
    /// they are not taken any more.
    fn give(
        &self,
        to: &mut dyn Receiver,
        decode: impl FnOnce(&mut dyn FnMut(Batch) -> bool) -> Result<()> + Send,
    ) -> Result<()> {
        std::thread::scope(|scope| {
            let (sender, batches) = sync_channel(WAITING);
            let decode = move || {
                let decoded = decode(&mut |batch| sender.send(Ok(batch)).is_ok());
                if let Err(problem) = decoded {
                    // If nobody waits for it, there is another error already.
                    let _ = sender.send(Err(problem));
                }
            };
            let started = std::thread::Builder::new().spawn_scoped(scope, decode);
            started.map_err(|problem| Error::io(&self.path, "cannot start a thread", problem))?;
            batches
                .into_iter()
                .try_for_each(|batch| self.give_batch(&batch?, to))
        })
    }

    fn give_batch(&self, batch: &Batch, to: &mut dyn Receiver) -> Result<()> {
        for row in 0..batch.source.values.len() {
            let given = self.give_row(batch, row, to);
            settle(given, to, |problem| {
                let row = batch.first_row + row as u64 + 1;
                Error::file(&self.path, format!("row {row}: {problem}"))
            })?;
        }
        Ok(())
    }

    fn give_row(&self, batch: &Batch, row: usize, to: &mut dyn Receiver) -> Result<(), Problem> {
        let null = |column: usize| Problem::Record(format!("column {} is null", self.name(column)));
        let Columns {
            source,
            target,
            weight,
            ..
        } = self.columns;
        if batch.source.is_null(row) {
            return Err(null(source));
        }
        if batch.target.is_null(row) {
            return Err(null(target));
        }
        let weight = match (&batch.weights, weight) {
            (Some(weights), Some(weight)) if weights.is_null(row) => return Err(null(weight)),
            (Some(weights), _) => weights.values[row],
            _ => 1.0,
        };
        let source = batch.source.values.node(row, to)?;
        let target = batch.target.values.node(row, to)?;
        to.arc(source, target, weight)
    }
}

#[cfg(all(test, feature = "arrow", feature = "parquet"))]
mod tests;
