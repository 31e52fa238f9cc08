//! How large tables are, before they are read: what plans of memory are made of.
//!
//! The cells of a text are counted in a pass of their own, which takes a part of the time that reading
//! takes; the other formats say how many rows they have. Input that can be read only once, such as a pipe,
//! has no size.

use super::cells::{ColumnExtent, Extent};
use super::{Choice, whole};
use crate::text::input;
use std::io::Read;
use std::path::Path;
use webrank_base::error::{Error, Result};

/// The size of a table. No number is smaller than that of the table.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TableSize {
    /// Rows.
    pub rows: u64,
    /// Columns, keys among them.
    pub columns: u64,
    /// Columns of scores.
    pub scores: u64,
    /// Columns of the ends of intervals.
    pub ends: u64,
    /// The bytes of all cells but keys, as text or as their format holds them.
    pub cells: u64,
    /// The bytes that keys take as texts.
    pub keys: u64,
    /// A hash of the keys in their order, where they are read.
    pub hash: Option<u64>,
}

/// The bytes that a reader takes, whatever it reads.
const BUFFERS: u64 = 2 << 20;

/// The most bytes of lists that are copied as they grow.
const COPIED: u64 = 8 << 20;

/// The bytes of a row in the index of its key.
pub const INDEX: u64 = 16;

/// The bytes of a number as a key.
const NUMBER: u64 = 20;

impl TableSize {
    /// The size of a table whose keys are in the column `on`; none if it can be read only once.
    ///
    /// # Errors
    /// If it cannot be read, or is in no format of tables.
    pub fn of(path: &Path, on: Option<&str>) -> Result<Option<Self>> {
        if !path.is_file() && !path.is_dir() {
            return Ok(None);
        }
        let table = whole::open_table(path)?;
        let header: Vec<&str> = table.header().iter().map(String::as_str).collect();
        let (columns, is_typed) = (header.len() as u64, table.file.is_typed());
        let chosen = Choice::new(path, &header, on);
        let chosen = chosen.map(|it| (it.key, [it.scores.len(), it.ends]));
        let (key, read) = chosen.map_or((0, [header.len(), 0]), |it| it);
        let [read, ends] = read.map(|count| count as u64);
        let Extent { rows, columns: of } = table.file.extent()?;
        // Numbers in a damaged file must not overflow.
        let rows = rows.min(1 << 32);
        let bytes = |column: &ColumnExtent| column.bytes.min(1 << 40);
        let cells = of.iter().map(bytes).fold(0, u64::saturating_add);
        let ColumnExtent { bytes, hash } = of.get(key).copied().unwrap_or_default();
        let keys = match is_typed {
            true => bytes.min(1 << 40) + NUMBER * rows,
            false => bytes,
        };
        Ok(Some(TableSize {
            rows,
            columns,
            scores: read - ends,
            ends,
            cells: cells.saturating_sub(bytes),
            keys,
            hash,
        }))
    }

    /// The bytes of the keys, and where each ends.
    pub fn of_keys(&self) -> u64 {
        self.keys.saturating_add(8 * self.rows)
    }

    /// True for a table with the keys of this one, in their order.
    pub fn has_keys_of(&self, other: &Self) -> bool {
        self.hash.is_some() && (self.hash, self.rows) == (other.hash, other.rows)
    }

    /// The bytes of the keys and scores that [`read_scores`](super::read_scores) returns.
    pub fn of_scores(&self) -> u64 {
        let lists = 8 * self.rows * (self.scores + self.ends);
        BUFFERS + grown(self.of_keys().saturating_add(lists))
    }

    /// Peak memory of [`read_scores`](super::read_scores), which looks for equal keys.
    pub fn of_reading(&self) -> u64 {
        self.of_scores().saturating_add(INDEX * self.rows)
    }

    /// The bytes of all columns as what their cells look like: numbers, or texts and where each ends.
    pub fn of_columns(&self) -> u64 {
        let places = 9 * self.rows * self.columns;
        let texts = self.cells.saturating_add(self.keys);
        BUFFERS + grown(texts.saturating_add(places))
    }
}

/// The bytes of lists that grew to so many. Small ones are copied as they grow; the system moves large ones.
fn grown(bytes: u64) -> u64 {
    bytes.saturating_add(bytes.min(COPIED))
}

/// The lines of a text and its bytes.
pub(super) fn lines(path: &Path) -> Result<(u64, u64)> {
    let mut input = input::open(path)?;
    let mut buffer = vec![0; 1 << 16];
    let (mut rows, mut bytes) = (1, 0);
    loop {
        match input.read(&mut buffer) {
            Ok(0) => return Ok((rows, bytes)),
            Ok(count) => {
                let read = &buffer[..count];
                // Some files end lines with returns.
                let ends = memchr::memchr2_iter(b'\n', b'\r', read).count();
                rows += ends as u64;
                bytes += count as u64;
            }
            Err(problem) if problem.kind() == std::io::ErrorKind::Interrupted => {}
            Err(problem) => return Err(Error::io(path, "cannot read", problem)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{open_table, read_scores};
    use super::*;

    /// A table in a file of this name.
    fn size(folder: &Path, name: &str, text: &str) -> TableSize {
        let path = folder.join(name);
        std::fs::write(&path, text).unwrap();
        TableSize::of(&path, None).unwrap().unwrap()
    }

    #[test]
    fn no_table_is_larger_than_its_size() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            (
                "a.csv",
                "node,name,score,rank\n0,a name,0.5,1\n1,b,0.25,2\n",
            ),
            ("b.csv", "name,x,y\r\n\"a,\n b\",1,2\r\n"),
            ("c.tsv", "node\tscore\n0\t1"),
            (
                "d.jsonl",
                "{\"node\":7,\"score\":0.5}\n{\"node\":8,\"score\":1}\n",
            ),
            ("e.csv", "node,score\n"),
        ] {
            let size = size(folder.path(), name, text);
            let path = folder.path().join(name);
            let scores = read_scores(&path, None).unwrap();
            let keys: usize = scores.keys.iter().map(str::len).sum();
            assert!(size.rows >= scores.keys.len() as u64, "{name}");
            assert!(size.keys >= keys as u64, "{name}: {size:?}");
            assert_eq!(size.scores, scores.columns.len() as u64, "{name}");
            let header = open_table(&path).unwrap().header().len();
            assert_eq!(size.columns, header as u64, "{name}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn what_can_be_read_once_has_no_size() {
        let found = TableSize::of("/dev/null".as_ref(), None).unwrap();
        assert_eq!(found, None);
        assert_eq!(TableSize::of("-".as_ref(), None).unwrap(), None);
    }
}
