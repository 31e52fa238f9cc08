//! How large tables are, before they are read: what plans of memory are made of.
//!
//! Lines of text are counted in a pass of their own, which takes a part of the time that reading
//! takes; the other formats say how many rows they have. What can be read only once, such as a pipe,
//! has no size.

use super::cells::Extent;
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
    /// The bytes of all cells, as text or as their format holds them.
    pub cells: u64,
    /// The bytes that keys take as texts.
    pub keys: u64,
}

/// The bytes that a reader takes, whatever it reads.
const BUFFERS: u64 = 2 << 20;

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
        let chosen = Choice::new(path, &header, on).map(|it| [it.scores.len(), it.ends]);
        let [read, ends] = chosen.map_or([columns, 0], |them| them.map(|count| count as u64));
        let Extent { rows, bytes } = table.file.extent()?;
        // What a damaged file says must not overflow.
        let (rows, bytes) = (rows.min(1 << 32), bytes.min(1 << 50));
        // Of a text, keys may be all but some separators.
        let keys = match is_typed {
            true => bytes.saturating_add(NUMBER.saturating_mul(rows)),
            false => bytes,
        };
        Ok(Some(TableSize {
            rows,
            columns,
            scores: read - ends,
            ends,
            cells: bytes,
            keys,
        }))
    }

    /// The bytes that [`read_scores`](super::read_scores) holds at most: keys and scores, whose lists
    /// grow by doubling, and an index of the keys.
    pub fn of_scores(&self) -> u64 {
        BUFFERS + 2 * self.keys + self.rows * (32 + 16 * (self.scores + self.ends))
    }

    /// The bytes that reading all columns takes: every cell as text, then as what it looks like.
    pub fn of_cells(&self) -> u64 {
        BUFFERS + 2 * self.cells + 2 * self.keys + self.rows * (26 * self.columns + 32)
    }
}

/// The lines of a text and its bytes.
pub(super) fn lines(path: &Path) -> Result<Extent> {
    let mut input = input::open(path)?;
    let mut buffer = vec![0; 1 << 16];
    let mut extent = Extent { rows: 1, bytes: 0 };
    loop {
        match input.read(&mut buffer) {
            Ok(0) => return Ok(extent),
            Ok(count) => {
                let read = &buffer[..count];
                // Some files end lines with returns.
                let ends = memchr::memchr2_iter(b'\n', b'\r', read).count();
                extent.rows += ends as u64;
                extent.bytes += count as u64;
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
