//! Arrays of numpy: entry x is the score of node x.
//!
//! An array of one dimension is a column `score`; the columns of an array of two dimensions are `0`,
//! `1`, ...; the fields of a structured array are columns.

use super::cells::{Cell, Extent, TableFile, Visit, wrong};
use crate::numpy_header;
use npyz::{DType, DTypeError, Deserialize, NpyFile, Order, TypeRead};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::shown::{quoted, shown};

/// The longest header; numpy's own limit is 10,000.
const MAX_HEADER: u64 = 1 << 20;

/// An open file. Its first column is the node.
pub struct Npy {
    path: PathBuf,
    header: Vec<String>,
    file: Option<NpyFile<BufReader<File>>>,
    rows: u64,
    order: Order,
}

impl Npy {
    /// Reads the header.
    pub fn open(path: &Path) -> Result<Self> {
        let cannot = |source| Error::io(path, "cannot open", source);
        let mut file = BufReader::with_capacity(1 << 18, File::open(path).map_err(cannot)?);
        let length = file
            .get_ref()
            .metadata()
            .map_or(0, |metadata| metadata.len());
        numpy_header::read(&mut file, MAX_HEADER as usize)
            .map_err(|problem| damaged(path, &problem))?;
        file.rewind().map_err(cannot)?;
        let file = NpyFile::new(file).map_err(|problem| damaged(path, &problem))?;
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
        let is_record = matches!(file.dtype(), DType::Record(_));
        let (rows, order) = (self.rows as usize, self.order);
        let path = &self.path;
        let mut visit_cell = |field: usize, row: usize, number: Number| -> Result<()> {
            for (place, _) in columns.iter().enumerate().filter(|(_, c)| **c == field + 1) {
                let cell = match number {
                    Number::Integer(number) => Cell::Integer(number),
                    Number::Double(number) => Cell::Number(number),
                };
                visit(place, row, cell).map_err(|problem| problem.in_row(path, row))?;
            }
            Ok(())
        };
        let elements = file
            .data::<Element>()
            .map_err(|problem| damaged(path, &io::Error::other(problem.to_string())))?;
        for (index, element) in elements.enumerate() {
            let element = element.map_err(|problem| damaged(path, &problem))?;
            match order {
                _ if is_record => {
                    for (field, &number) in element.0.iter().enumerate() {
                        visit_cell(field, index, number)?;
                    }
                }
                Order::C => visit_cell(index % fields, index / fields, element.0[0])?,
                Order::Fortran => visit_cell(index / rows, index % rows, element.0[0])?,
            }
        }
        for (place, _) in columns.iter().enumerate().filter(|(_, c)| **c == 0) {
            for row in 0..rows {
                let cell = Cell::Integer(row as i128);
                visit(place, row, cell).map_err(|problem| problem.in_row(path, row))?;
            }
        }
        Ok(())
    }

    fn extent(self: Box<Self>) -> Result<Extent> {
        // All cells are numbers.
        Ok(Extent {
            rows: self.rows,
            bytes: 0,
        })
    }

    fn wrong(&self, row: usize, problem: String) -> Error {
        wrong(&self.path, row, problem)
    }
}

/// A number of any type.
#[derive(Clone, Copy)]
enum Number {
    Integer(i128),
    Double(f64),
}

/// The numbers of an element: one, or one for each field.
struct Element(Vec<Number>);

/// How to read an element.
enum ElementReader {
    Fields(Vec<NumberReader>),
}

macro_rules! numbers {
    ($($name:ident($type:ty) => $variant:ident),* $(,)?) => {
        /// How to read a number of each type.
        enum NumberReader {
            $($name(<$type as Deserialize>::TypeReader)),*
        }

        impl NumberReader {
            fn new(dtype: &DType) -> Option<Self> {
                $(if let Ok(reader) = <$type as Deserialize>::reader(dtype) {
                    return Some(NumberReader::$name(reader));
                })*
                None
            }

            fn read(&self, bytes: impl Read) -> io::Result<Number> {
                Ok(match self {
                    $(NumberReader::$name(reader) => {
                        Number::$variant(reader.read_one(bytes)?.into())
                    })*
                })
            }
        }
    };
}

numbers! {
    F64(f64) => Double,
    F32(f32) => Double,
    I64(i64) => Integer,
    U64(u64) => Integer,
    I32(i32) => Integer,
    U32(u32) => Integer,
    I16(i16) => Integer,
    U16(u16) => Integer,
    I8(i8) => Integer,
    U8(u8) => Integer,
}

impl Deserialize for Element {
    type TypeReader = ElementReader;

    fn reader(dtype: &DType) -> std::result::Result<ElementReader, DTypeError> {
        let number = |name: &str, dtype: &DType| {
            NumberReader::new(dtype).ok_or_else(|| {
                let found = shown(&dtype.descr());
                let place = if name.is_empty() {
                    String::new()
                } else {
                    format!("field {}: ", quoted(name))
                };
                DTypeError::custom(format!("{place}{found} is no type of numbers"))
            })
        };
        let readers = match dtype {
            DType::Record(fields) => {
                let fields = fields.iter().map(|field| number(&field.name, &field.dtype));
                fields.collect::<std::result::Result<_, _>>()?
            }
            plain => vec![number("", plain)?],
        };
        Ok(ElementReader::Fields(readers))
    }
}

impl TypeRead for ElementReader {
    type Value = Element;

    fn read_one<R: Read>(&self, mut bytes: R) -> io::Result<Element> {
        let ElementReader::Fields(readers) = self;
        let numbers = readers.iter().map(|reader| reader.read(&mut bytes));
        Ok(Element(numbers.collect::<io::Result<_>>()?))
    }
}
