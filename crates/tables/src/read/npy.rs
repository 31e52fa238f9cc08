//! Arrays of numpy: entry x is the score of node x.
//!
//! An array of one dimension is a column `score`; the columns of an array of two dimensions are `0`,
//! `1`, ...; the fields of a structured array are columns.

use super::cells::{Cell, Extent, TableFile, Visit};
use super::columns::wrong;
use crate::numpy::{self, Array, Number, NumberReader};
use crate::text::missing::open_file;
use npyz::{DType, DTypeError, Deserialize, Order, TypeRead};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::shown::{quoted, shown};

/// The longest header; numpy's own limit is 10,000.
const MAX_HEADER: u64 = 1 << 20;

/// An open file. Its first column is the node.
pub struct Npy {
    path: PathBuf,
    header: Vec<String>,
    file: Option<Array<BufReader<File>>>,
    rows: u64,
    order: Order,
}

impl Npy {
    /// Reads the header.
    pub fn open(path: &Path) -> Result<Self> {
        let file = open_file(path)?;
        let length = file.metadata().map_or(0, |metadata| metadata.len());
        let file = BufReader::with_capacity(1 << 18, file);
        let file = numpy::open(file, MAX_HEADER as usize);
        let file = file.map_err(|problem| damaged(path, &problem))?;
        let (dtype, shape) = (file.dtype(), file.shape().to_vec());
        let fields: Vec<String> = match (&dtype, &shape[..]) {
            (DType::Plain(_), [_]) => vec!["score".into()],
            (DType::Plain(_), &[_, columns]) if columns <= MAX_HEADER => {
                (0..columns).map(|column| column.to_string()).collect()
            }
            (DType::Record(fields), [_]) => {
                let names = fields.iter().map(|field| field.name.clone());
                names.collect()
            }
            _ => {
                let problem = "not an array of one or two dimensions; save the scores by node";
                return Err(Error::file(path, problem));
            }
        };
        let rows = shape[0];
        let width = dtype.num_bytes().map(|bytes| bytes as u64);
        let bytes = shape.iter().try_fold(1u64, |a, &b| a.checked_mul(b));
        let bytes = bytes.zip(width).and_then(|(n, width)| n.checked_mul(width));
        if bytes.is_none_or(|bytes| bytes > length) || rows > u64::from(u32::MAX) {
            let problem = format!("its header promises {rows} rows, more than the file holds");
            return Err(Error::file(path, problem));
        }
        Ok(Npy {
            path: path.to_owned(),
            header: std::iter::once("node".to_owned()).chain(fields).collect(),
            order: file.order(),
            file: Some(file),
            rows,
        })
    }
}

fn damaged(path: &Path, problem: &io::Error) -> Error {
    let problem = shown(&problem.to_string());
    let problem = problem.split_whitespace().collect::<Vec<_>>().join(" ");
    let remedy = "save the scores again with numpy.save";
    Error::file(path, format!("not an array of numpy: {problem}; {remedy}"))
}

impl TableFile for Npy {
    fn header(&self) -> &[String] {
        &self.header
    }

    fn each(&mut self, columns: &[usize], visit: &mut Visit) -> Result<()> {
        let Some(file) = self.file.take() else {
            return Ok(());
        };
        let fields = self.header.len() - 1;
        let (rows, order) = (self.rows as usize, self.order);
        let path = &self.path;
        let mut visit_cell = |column: usize, row: usize, cell: Cell| -> Result<()> {
            for (place, _) in columns.iter().enumerate().filter(|(_, c)| **c == column) {
                let visited = visit(place, row, cell);
                visited.map_err(|problem| problem.at(|problem| wrong(path, row, problem)))?;
            }
            Ok(())
        };
        let unread = |problem: io::Error| damaged(path, &problem);
        let untyped = |problem: DTypeError| unread(io::Error::other(problem.to_string()));
        if matches!(file.dtype(), DType::Record(_)) {
            for (row, element) in file.data::<Element>().map_err(untyped)?.enumerate() {
                for (field, &number) in (1..).zip(&element.map_err(unread)?.0) {
                    visit_cell(field, row, cell(number))?;
                }
            }
        } else {
            for (index, number) in file.data::<Number>().map_err(untyped)?.enumerate() {
                let (field, row) = match order {
                    Order::C => (index % fields, index / fields),
                    Order::Fortran => (index / rows, index % rows),
                };
                visit_cell(field + 1, row, cell(number.map_err(unread)?))?;
            }
        }
        if columns.contains(&0) {
            for row in 0..rows {
                visit_cell(0, row, Cell::Integer(row as i128))?;
            }
        }
        Ok(())
    }

    fn extent(self: Box<Self>) -> Result<Extent> {
        // All cells are numbers.
        Ok(Extent::even(self.rows, 0, self.header.len()))
    }

    fn wrong(&self, row: usize, problem: String) -> Error {
        wrong(&self.path, row, problem)
    }
}

fn cell(number: Number) -> Cell<'static> {
    match number {
        Number::Integer(integer) => Cell::Integer(integer),
        Number::Double(double) => Cell::Number(double),
        Number::Flag(flag) => Cell::Flag(flag),
    }
}

/// The numbers of an element, one for each field.
struct Element(Vec<Number>);

/// How to read each field of an element.
struct ElementReader(Vec<NumberReader>);

impl Deserialize for Element {
    type TypeReader = ElementReader;

    fn reader(dtype: &DType) -> Result<ElementReader, DTypeError> {
        let DType::Record(fields) = dtype else {
            return Err(DTypeError::custom("not an array of fields"));
        };
        let readers = fields.iter().map(|field| {
            Number::reader(&field.dtype).map_err(|problem| {
                DTypeError::custom(format!("field {}: {problem}", quoted(&field.name)))
            })
        });
        Ok(ElementReader(readers.collect::<Result<_, _>>()?))
    }
}

impl TypeRead for ElementReader {
    type Value = Element;

    fn read_one<R: Read>(&self, mut bytes: R) -> io::Result<Element> {
        let numbers = self.0.iter().map(|reader| reader.read_one(&mut bytes));
        Ok(Element(numbers.collect::<io::Result<_>>()?))
    }
}
