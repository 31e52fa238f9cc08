//! Arrow IPC, files (Feather) and streams, as `rank`, pyarrow, polars, pandas and others write them, and
//! batches of other programs.
//!
//! Columns are those of [`columns`](super::columns), or dictionaries of those. Compression: none, lz4,
//! zstd. A batch is held at a time.

mod column;
mod inflated;
mod stream;

use super::cells::{Cell, Extent, TableFile, Visit};
use super::columns::{
    BATCH, Batch, BatchColumn, CellType, ColumnFile, Schema, Take, Wanted, wrong,
};
use arrow_array::{RecordBatch, RecordBatchReader};
use std::io::Read;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use stream::Stream;
use webrank_base::error::{Error, Result};
use webrank_base::guard::catch_panic;
use webrank_base::shown::shown;

/// An open table.
pub struct ArrowTable {
    schema: Schema,
    /// The first batches, if they were looked at.
    first: Vec<RecordBatch>,
    batches: Box<dyn Iterator<Item = Result<RecordBatch>> + Send>,
}

impl ArrowTable {
    /// A file or a stream, whose schema is read; `path` is for messages.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged.
    pub fn open(path: &Path, input: Box<dyn Read + Send>) -> Result<Self> {
        let (stream, schema) = Stream::open(path, input)?;
        Ok(ArrowTable {
            schema: known(path, &schema),
            first: Vec::new(),
            batches: Box::new(stream),
        })
    }

    /// The batches of another program's table, which `path` stands for in messages.
    pub fn of_batches(path: &Path, batches: impl RecordBatchReader + Send + 'static) -> Self {
        let schema = known(path, &batches.schema());
        let path = path.to_owned();
        let mut row = 0;
        let batches = batches.map(move |batch| match batch {
            Ok(batch) => {
                row += batch.num_rows();
                Ok(batch)
            }
            Err(problem) => Err(wrong(&path, row, in_a_line(&problem.to_string()))),
        });
        ArrowTable {
            schema,
            first: Vec::new(),
            batches: Box::new(batches),
        }
    }
}

/// The names and kinds of the fields.
fn known(path: &Path, schema: &arrow_schema::Schema) -> Schema {
    let fields = schema.fields();
    let names = fields.iter().map(|field| field.name().clone());
    let kinds = fields.iter().map(|field| {
        let kind = field.data_type();
        (column::kind(kind), shown(&kind.to_string()))
    });
    Schema {
        path: path.to_owned(),
        header: names.collect(),
        kinds: kinds.collect(),
    }
}

impl TableFile for ArrowTable {
    fn header(&self) -> &[String] {
        &self.schema.header
    }

    fn each(&mut self, columns: &[usize], visit: &mut Visit) -> Result<()> {
        for &column in columns {
            self.check(column, Wanted::Cells)?;
        }
        let path = self.schema.path.clone();
        self.batches(columns, &mut |batch| {
            batch.visit(0, visit, &|row, problem| wrong(&path, row, problem))?;
            Ok(true)
        })
    }

    fn check(&self, column: usize, wanted: Wanted) -> Result<()> {
        self.schema.check(column, wanted)
    }

    fn extent(self: Box<Self>) -> Result<Extent> {
        let mut extent = Extent::even(0, 0, self.schema.header.len());
        for batch in self.first.into_iter().map(Ok).chain(self.batches) {
            let batch = batch?;
            extent.rows += batch.num_rows() as u64;
            for (column, array) in extent.columns.iter_mut().zip(batch.columns()) {
                column.bytes += array.get_array_memory_size() as u64;
            }
        }
        Ok(extent)
    }

    fn wrong(&self, row: usize, problem: String) -> Error {
        wrong(&self.schema.path, row, problem)
    }
}

impl ColumnFile for ArrowTable {
    fn batches(&mut self, columns: &[usize], take: &mut Take) -> Result<()> {
        let mut first_row = 0;
        let first = std::mem::take(&mut self.first);
        for batch in first.into_iter().map(Ok).chain(&mut self.batches) {
            let batch = batch?;
            for start in (0..batch.num_rows()).step_by(BATCH) {
                let rows = BATCH.min(batch.num_rows() - start);
                let slice = batch.slice(start, rows);
                let columns = read(&slice, columns)
                    .ok_or_else(|| wrong(&self.schema.path, first_row, DAMAGED))?;
                if !take(Batch { first_row, columns })? {
                    return Ok(());
                }
                first_row += rows;
            }
        }
        Ok(())
    }

    fn first(&mut self, column: usize, rows: usize, visit: &mut dyn FnMut(Cell)) -> Result<()> {
        let mut held: usize = self.first.iter().map(RecordBatch::num_rows).sum();
        while held < rows
            && let Some(batch) = self.batches.next().transpose()?
        {
            held += batch.num_rows();
            self.first.push(batch);
        }
        let mut left = rows;
        for batch in &self.first {
            let slice = batch.slice(0, left.min(batch.num_rows()));
            let columns =
                read(&slice, &[column]).ok_or_else(|| wrong(&self.schema.path, 0, DAMAGED))?;
            left = columns[0].first(left, visit);
        }
        Ok(())
    }

    fn kind(&self, column: usize) -> CellType {
        self.schema.kinds[column].0
    }
}

const DAMAGED: &str = "its batch is damaged";

/// The cells of columns of a batch; none if it is damaged.
fn read(batch: &RecordBatch, columns: &[usize]) -> Option<Vec<BatchColumn>> {
    let read = |&column: &usize| column::read(batch.columns().get(column)?);
    let read = || columns.iter().map(read).collect::<Option<_>>();
    catch_panic(AssertUnwindSafe(read)).flatten()
}

/// A message of several lines, in one.
fn in_a_line(message: &str) -> String {
    let words: Vec<&str> = message.split_whitespace().collect();
    shown(&words.join(" "))
}
