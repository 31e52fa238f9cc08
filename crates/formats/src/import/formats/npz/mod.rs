//! Sparse matrices of scipy (`scipy.sparse.save_npz`): CSR, CSC and COO. Entry (i, j) is an arc from
//! node i to node j; nodes have numbers.
//!
//! The file is a zip archive of numpy's arrays, compressed or not. Entries that are not all 1 are
//! weights; if all are 1 or true, arcs have no weights. Arrays are read side by side, so memory does
//! not grow with the matrix. Messages count entries from 1.

use super::super::Input;
use super::super::receiver::{Problem, Receiver, settle};
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::guard::catch_panic;
use webrank_base::shown::{quoted, shown};
use webrank_tables::numpy::{self, AnyNumber, ElementType};
use zip::ZipArchive;

/// A file of one matrix.
struct Matrix {
    path: PathBuf,
    layout: Layout,
    nodes: u64,
    has_weights: bool,
}

/// Which arrays a matrix consists of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    Rows,
    Columns,
    Coordinates,
}

/// Reads the shape, and whether there are weights.
///
/// # Errors
/// If the file is not one of these matrices.
pub(in crate::import) fn open(path: &Path, unweighted: bool) -> Result<Input> {
    // Archives and headers are read by foreign code, whose assertions are errors of the file.
    let matrix = catch_panic(|| Matrix::open(path, unweighted));
    let matrix =
        matrix.unwrap_or_else(|| Err(Error::file(path, "its arrays do not fit together")))?;
    Ok(Input {
        weighted: matrix.has_weights,
        is_directed: true,
        is_numbered: true,
        read: Box::new(move |to| matrix.read(to)),
    })
}

type Archive = ZipArchive<BufReader<File>>;

fn archive(path: &Path) -> Result<Archive> {
    let file = File::open(path).map_err(|source| Error::io(path, "cannot open", source))?;
    ZipArchive::new(BufReader::new(file)).map_err(|problem| {
        let problem = shown(&problem.to_string());
        Error::file(path, format!("not a .npz file that can be read: {problem}"))
    })
}

/// The bytes of an array.
fn entry<'a>(path: &Path, archive: &'a mut Archive, name: &str) -> Result<impl Read + 'a> {
    let file = archive.by_name(&format!("{name}.npy"));
    let file = file.map_err(|problem| {
        let problem = shown(&problem.to_string());
        let problem = format!("{problem}; a matrix by scipy.sparse.save_npz has one");
        wrong(path, name, &problem)
    })?;
    Ok(BufReader::with_capacity(1 << 16, file))
}

/// An array of the archive, its header read.
struct Array<'a> {
    path: &'a Path,
    name: &'static str,
    file: numpy::Array<Box<dyn Read + 'a>>,
}

/// The longest header; those of scipy have about 120 bytes.
const MAX_HEADER: usize = 1 << 12;

impl<'a> Array<'a> {
    /// A large array, which is read bit by bit.
    fn open(path: &'a Path, archive: &'a mut Archive, name: &'static str) -> Result<Self> {
        let file = entry(path, archive, name)?;
        Self::of(path, name, Box::new(file))
    }

    /// A small array, which is read as a whole: its checksum is right.
    fn small(path: &'a Path, archive: &'a mut Archive, name: &'static str) -> Result<Self> {
        let mut bytes = Vec::new();
        let read = entry(path, archive, name)?
            .take(MAX_HEADER as u64)
            .read_to_end(&mut bytes);
        read.map_err(|problem| wrong(path, name, &shown(&problem.to_string())))?;
        Self::of(path, name, Box::new(Cursor::new(bytes)))
    }

    fn of(path: &'a Path, name: &'static str, file: Box<dyn Read + 'a>) -> Result<Self> {
        let file = numpy::Array::open(file, MAX_HEADER);
        let file = file.map_err(|problem| wrong(path, name, &shown(&problem.to_string())))?;
        Ok(Array { path, name, file })
    }

    fn wrong(&self, problem: impl Into<String>) -> Error {
        wrong(self.path, self.name, &problem.into())
    }

    /// The length of a list.
    fn length(&self) -> Result<u64> {
        match *self.file.shape {
            [length] => Ok(length),
            _ => Err(self.wrong("not an array of one dimension")),
        }
    }

    /// Its entries, one after the other, if they have a type that is `right`.
    fn entries<X: 'a>(
        self,
        right: impl Fn(&ElementType) -> bool,
        wanted: &str,
        convert: impl Fn(AnyNumber) -> X + 'a,
    ) -> Result<Entries<'a, X>> {
        match &self.file.kinds[..] {
            [kind] if right(kind) && self.file.fields.is_none() => {}
            kinds => {
                let found = kinds.first().map_or("", ElementType::text);
                return Err(self.wrong(format!("its type is {}, not {wanted}", quoted(found))));
            }
        }
        let (path, name) = (self.path, self.name);
        let wrong = move |problem: io::Error| wrong(path, name, &shown(&problem.to_string()));
        let numbers = self.file.numbers().map_err(wrong)?;
        Ok(Box::new(
            numbers.map(move |number| number.map(&convert).map_err(wrong)),
        ))
    }

    fn integers(self) -> Result<Entries<'a, i64>> {
        // A number that is too large becomes negative, which no index is.
        self.entries(
            ElementType::is_integer,
            "an integer",
            |number| match number {
                AnyNumber::Integer(integer) => i64::try_from(integer).unwrap_or(-1),
                _ => -1,
            },
        )
    }

    fn numbers(self) -> Result<Entries<'a, f64>> {
        self.entries(
            ElementType::is_number,
            "a number or a boolean",
            AnyNumber::double,
        )
    }

    /// A text without dimensions.
    fn text(self) -> Result<String> {
        let (path, name) = (self.path, self.name);
        let found = self.file.kinds.first().map_or("", ElementType::text);
        let problem = format!("its type is {}, not a short text", quoted(found));
        let text = self.file.short_text();
        let text = text.map_err(|problem| wrong(path, name, &shown(&problem.to_string())))?;
        text.ok_or_else(|| wrong(path, name, &problem))
    }
}

type Entries<'a, T> = Box<dyn Iterator<Item = Result<T>> + 'a>;

fn wrong(path: &Path, name: &str, problem: &str) -> Error {
    Error::file(path, format!("array {name}: {problem}"))
}

impl Matrix {
    fn open(path: &Path, unweighted: bool) -> Result<Self> {
        let mut archive = archive(path)?;
        if archive.index_for_name("format.npy").is_none() {
            // A name that cannot be decoded is an error of the archive's index.
            let names = archive.file_names().take(10);
            let names = names
                .flatten()
                .map(|name| quoted(name.strip_suffix(".npy").unwrap_or(&name)));
            let names: Vec<String> = names.collect();
            let problem = format!(
                "an archive of arrays ({}), not a matrix; scipy.sparse.save_npz writes one",
                names.join(", ")
            );
            return Err(Error::file(path, problem));
        }
        let format = Array::small(path, &mut archive, "format")?;
        let format = format.text()?;
        let layout = match format.as_str() {
            "csr" => Layout::Rows,
            "csc" => Layout::Columns,
            "coo" => Layout::Coordinates,
            _ => {
                let format = quoted(&format);
                let problem = format!("a matrix in format {format}; save matrix.tocsr() instead");
                return Err(Error::file(path, problem));
            }
        };
        let shape = Array::small(path, &mut archive, "shape")?.integers()?;
        let shape: Vec<i64> = shape.take(3).collect::<Result<_>>()?;
        let nodes = match shape[..] {
            [rows, columns] if rows == columns && rows >= 0 => rows as u64,
            [rows, columns] => {
                let problem = format!(
                    "the matrix has {rows} rows and {columns} columns: the matrix of a graph has a \
                     row and a column for each node"
                );
                return Err(Error::file(path, problem));
            }
            _ => return Err(wrong(path, "shape", "not the numbers of rows and columns")),
        };
        let has_weights = !unweighted && {
            let entries = Array::open(path, &mut archive, "data")?.numbers()?;
            let mut others = entries.filter(|entry| !matches!(entry, Ok(1.0)));
            others.next().transpose()?.is_some()
        };
        Ok(Matrix {
            path: path.to_owned(),
            layout,
            nodes,
            has_weights,
        })
    }

    fn read(&self, to: &mut dyn Receiver) -> Result<()> {
        let path = &self.path;
        let [mut one, mut two, mut three] = [archive(path)?, archive(path)?, archive(path)?];
        let (first, second) = match self.layout {
            Layout::Coordinates => ("row", "col"),
            _ => ("indptr", "indices"),
        };
        let first = Array::open(path, &mut one, first)?;
        let second = Array::open(path, &mut two, second)?;
        let count = second.length()?;
        let data = match self.has_weights {
            false => None,
            true => {
                let data = Array::open(path, &mut three, "data")?;
                if data.length()? != count {
                    return Err(data.wrong(format!("not one entry for each of {count} places")));
                }
                Some(data.numbers()?)
            }
        };
        let lines: Entries<i64> = if self.layout == Layout::Coordinates {
            if first.length()? != count {
                return Err(first.wrong(format!("not one row for each of {count} entries")));
            }
            first.integers()?
        } else {
            if first.length()?.checked_sub(1) != Some(self.nodes) {
                let nodes = self.nodes;
                return Err(first.wrong(format!("not one entry more than the {nodes} nodes")));
            }
            Box::new(Expanded::new(path, count, first.integers()?))
        };
        let declared = to.declare(self.nodes);
        declared.map_err(|problem| problem.at(|problem| wrong(path, "shape", &problem)))?;
        self.give(lines, second.integers()?, data, to)
    }

    /// Gives the arcs of entries.
    fn give(
        &self,
        lines: Entries<i64>,
        mut places: Entries<i64>,
        mut data: Option<Entries<f64>>,
        to: &mut dyn Receiver,
    ) -> Result<()> {
        // To the end of the lines: what follows the last entry may still be wrong.
        for (entry, line) in (1u64..).zip(lines) {
            let line = line?;
            let Some(place) = places.next() else { break };
            let weight = data.as_mut().and_then(Iterator::next);
            let (place, weight) = (place?, weight.unwrap_or(Ok(1.0))?);
            let (source, target) = match self.layout {
                Layout::Columns => (place, line),
                _ => (line, place),
            };
            let mut arc = || -> Result<(), Problem> {
                for index in [source, target] {
                    if index < 0 || index as u64 >= self.nodes {
                        let nodes = self.nodes;
                        return Err(format!("{index} is not below the {nodes} nodes").into());
                    }
                }
                let (source, target) = (to.number(source as u64)?, to.number(target as u64)?);
                to.arc(source, target, weight)
            };
            let given = arc();
            settle(given, to, |problem| {
                Error::file(&self.path, format!("entry {entry}: {problem}"))
            })?;
        }
        Ok(())
    }
}

/// The row of each entry, from where rows end.
struct Expanded<'a> {
    path: &'a Path,
    count: u64,
    pointers: Entries<'a, i64>,
    /// The current row, or -1; where it ends; the next entry.
    row: i64,
    end: u64,
    next: u64,
}

impl<'a> Expanded<'a> {
    fn new(path: &'a Path, count: u64, pointers: Entries<'a, i64>) -> Self {
        Expanded {
            path,
            count,
            pointers,
            row: -2,
            end: 0,
            next: 0,
        }
    }
}

impl Iterator for Expanded<'_> {
    type Item = Result<i64>;

    fn next(&mut self) -> Option<Result<i64>> {
        while self.next == self.end {
            let pointer = match self.pointers.next() {
                None if self.end == self.count => return None,
                None => {
                    let (end, count) = (self.end, self.count);
                    let problem = format!("it ends at {end}, but there are {count} entries");
                    return Some(Err(wrong(self.path, "indptr", &problem)));
                }
                Some(Err(problem)) => return Some(Err(problem)),
                Some(Ok(pointer)) => pointer,
            };
            self.row += 1;
            let starts = self.row >= 0 || pointer == 0;
            let fits = u64::try_from(pointer)
                .is_ok_and(|pointer| pointer >= self.end && pointer <= self.count);
            if !starts || !fits {
                let entry = self.row + 2;
                let problem = format!("entry {entry} is {pointer}, out of order");
                return Some(Err(wrong(self.path, "indptr", &problem)));
            }
            self.end = pointer as u64;
        }
        self.next += 1;
        Some(Ok(self.row))
    }
}

#[cfg(test)]
mod tests;
