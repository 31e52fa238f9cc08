//! Arrays of numpy (`.npy`): a header, and then the elements.
//!
//! Elements are numbers, short texts, or records of fields. Others (objects, dates, complex numbers, fields that
//! are arrays) are refused by their type.

mod kind;
mod literal;

pub use kind::{AnyNumber, ElementType};
use literal::Literal;
use std::io::{self, Read, Write};
use webrank_base::shown::quoted;

/// The first bytes of an array.
const MAGIC: &[u8] = b"\x93NUMPY";

/// The header fills a multiple of so many bytes.
const ALIGNMENT: usize = 64;

/// An array whose header has been read.
pub struct Array<R> {
    /// The types of the fields of a record; of other elements, one.
    pub kinds: Vec<ElementType>,
    /// The names of the fields, if elements are records.
    pub fields: Option<Vec<String>>,
    /// True if the first index changes first.
    pub by_columns: bool,
    /// The lengths of the dimensions.
    pub shape: Vec<u64>,
    input: R,
}

impl<R: Read> Array<R> {
    /// Reads the header of an array.
    ///
    /// # Errors
    /// If it cannot be read, is longer than `longest`, or is damaged.
    pub fn open(mut input: R, longest: usize) -> io::Result<Self> {
        let text = header(&mut input, longest)?;
        let wrong = || damaged("its header is damaged");
        let Some(Literal::Dictionary(entries)) = literal::parse(&text) else {
            return Err(wrong());
        };
        let entry = |name: &str| {
            let named = |(key, _): &&(Literal, Literal)| *key == Literal::Text(name.into());
            let found = entries.iter().find(named);
            found.map(|(_, value)| value).ok_or_else(wrong)
        };
        let (Literal::Flag(by_columns), Literal::List(shape)) =
            (entry("fortran_order")?, entry("shape")?)
        else {
            return Err(wrong());
        };
        let length = |length: &Literal| match length {
            Literal::Integer(length) => Ok(*length),
            _ => Err(wrong()),
        };
        let shape = shape.iter().map(length).collect::<io::Result<_>>()?;
        let (kinds, fields) = match entry("descr")? {
            Literal::List(fields) => {
                let fields = fields
                    .iter()
                    .map(|field| kind_and_name(field).ok_or_else(wrong));
                let (kinds, names) = fields.collect::<io::Result<(Vec<_>, Vec<_>)>>()?;
                (kinds, Some(names))
            }
            kind => (vec![ElementType::of(kind).ok_or_else(wrong)?], None),
        };
        Ok(Array {
            kinds,
            fields,
            by_columns: *by_columns,
            shape,
            input,
        })
    }

    /// The bytes of all elements; none if they have no fixed number of them.
    pub fn num_bytes(&self) -> Option<u64> {
        let width = |sum: u64, kind: &ElementType| sum.checked_add(kind.width()?);
        let width = self.kinds.iter().try_fold(0, width)?;
        let mut lengths = self.shape.iter();
        lengths.try_fold(width, |bytes, &length| bytes.checked_mul(length))
    }

    /// All numbers: element after element, field after field.
    ///
    /// # Errors
    /// If elements are other than numbers. An element that cannot be read is an error of the iterator.
    pub fn numbers(self) -> io::Result<Numbers<R>> {
        for (field, kind) in self.kinds.iter().enumerate() {
            if !kind.is_number() {
                let of_field = self.fields.as_ref().map(|names| quoted(&names[field]));
                let of_field = of_field.map_or(String::new(), |name| format!("field {name}: "));
                let found = quoted(kind.text());
                return Err(damaged(&format!("{of_field}{found} is no type of numbers")));
            }
        }
        let count = self.shape.iter().try_fold(1u64, |a, &b| a.checked_mul(b));
        let left = count.ok_or_else(|| damaged("its header is damaged"))?;
        let width: u64 = self.kinds.iter().filter_map(ElementType::width).sum();
        Ok(Numbers {
            element: vec![0; width as usize],
            place: (self.kinds.len(), 0),
            kinds: self.kinds,
            input: self.input,
            left,
        })
    }

    /// The text of an array without dimensions, of at most 16 characters; none if it has another type.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn short_text(mut self) -> io::Result<Option<String>> {
        let [kind] = &self.kinds[..] else {
            return Ok(None);
        };
        let (1..=16, Some(width), []) = (kind.size, kind.width(), &self.shape[..]) else {
            return Ok(None);
        };
        let mut bytes = vec![0; width as usize];
        let text: String = match kind.letter {
            'S' => {
                fill(&mut self.input, &mut bytes, "text")?;
                String::from_utf8_lossy(&bytes).into_owned()
            }
            'U' => {
                fill(&mut self.input, &mut bytes, "text")?;
                let (fours, _) = bytes.as_chunks::<4>();
                let number = |four: &[u8; 4]| match kind.is_big_endian {
                    true => u32::from_be_bytes(*four),
                    false => u32::from_le_bytes(*four),
                };
                let char_of = |four| char::from_u32(number(four)).unwrap_or('\u{fffd}');
                fours.iter().map(char_of).collect()
            }
            _ => return Ok(None),
        };
        Ok(Some(text.trim_end_matches('\0').to_owned()))
    }
}

/// The type and the name of a field. A field with a shape is an array, which has no type of its own here.
fn kind_and_name(field: &Literal) -> Option<(ElementType, String)> {
    match field {
        Literal::List(field) => match &field[..] {
            [Literal::Text(name), kind] => Some((ElementType::of(kind)?, name.clone())),
            [Literal::Text(name), _, _] => Some((ElementType::array(), name.clone())),
            _ => None,
        },
        _ => None,
    }
}

/// The numbers of an array.
pub struct Numbers<R> {
    input: R,
    kinds: Vec<ElementType>,
    /// The current element, and its next field with the byte where that begins.
    element: Vec<u8>,
    place: (usize, usize),
    /// The elements that are not read yet.
    left: u64,
}

impl<R: Read> Iterator for Numbers<R> {
    type Item = io::Result<AnyNumber>;

    fn next(&mut self) -> Option<io::Result<AnyNumber>> {
        if self.place.0 == self.kinds.len() {
            if self.left == 0 || self.kinds.is_empty() {
                return None;
            }
            self.left -= 1;
            if let Err(problem) = fill(&mut self.input, &mut self.element, "elements") {
                self.left = 0;
                return Some(Err(problem));
            }
            self.place = (0, 0);
        }
        let (field, start) = self.place;
        let kind = &self.kinds[field];
        let end = start + kind.size as usize;
        self.place = (field + 1, end);
        Some(Ok(kind.number(&self.element[start..end])))
    }
}

fn damaged(problem: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem)
}

/// Reads so many bytes of a part of the file.
fn fill(input: &mut impl Read, bytes: &mut [u8], part: &str) -> io::Result<()> {
    let read = input.read_exact(bytes);
    read.map_err(|problem| match problem.kind() {
        io::ErrorKind::UnexpectedEof => damaged(&format!("it ends within its {part}")),
        _ => problem,
    })
}

/// The text of a header, which is no longer than this.
fn header(input: &mut impl Read, longest: usize) -> io::Result<String> {
    let mut start = [0; 8];
    fill(input, &mut start, "header")?;
    let version = start.strip_prefix(MAGIC).map_or(0, |version| version[0]);
    let length = match version {
        1 => {
            let mut length = [0; 2];
            fill(input, &mut length, "header")?;
            u16::from_le_bytes(length).into()
        }
        2 | 3 => {
            let mut length = [0; 4];
            fill(input, &mut length, "header")?;
            u32::from_le_bytes(length) as usize
        }
        _ => return Err(damaged("it does not begin like one")),
    };
    if length > longest {
        return Err(damaged("its header is damaged"));
    }
    let mut bytes = vec![0; length];
    fill(input, &mut bytes, "header")?;
    match version {
        3 => String::from_utf8(bytes).map_err(|_| damaged("its header is damaged")),
        // A byte is a character.
        _ => Ok(bytes.into_iter().map(char::from).collect()),
    }
}

/// Writes the header of an array with elements of this type.
///
/// # Errors
/// The writer's errors.
pub fn write_header(out: &mut dyn Write, kind: &str, shape: &[u64]) -> io::Result<()> {
    write_described(out, &literal::quoted(kind), shape)
}

/// Writes the header of an array of records: the names and types of their fields.
///
/// # Errors
/// The writer's errors.
pub fn write_header_of_records(
    out: &mut dyn Write,
    fields: &[(&str, &str)],
    shape: &[u64],
) -> io::Result<()> {
    let field = |(name, kind): &(&str, &str)| {
        format!("({}, {}), ", literal::quoted(name), literal::quoted(kind))
    };
    let fields: String = fields.iter().map(field).collect();
    write_described(out, &format!("[{fields}]"), shape)
}

fn write_described(out: &mut dyn Write, description: &str, shape: &[u64]) -> io::Result<()> {
    let lengths: String = shape.iter().map(|length| format!("{length}, ")).collect();
    let text =
        format!("{{'descr': {description}, 'fortran_order': False, 'shape': ({lengths}), }}");
    // Version 1 has room for 2^16 characters of one byte.
    let version: u8 = match text.is_ascii() {
        true if text.len() < 1 << 15 => 1,
        true => 2,
        false => 3,
    };
    let start = MAGIC.len() + if version == 1 { 4 } else { 6 };
    let end = (start + text.len() + 1).next_multiple_of(ALIGNMENT);
    out.write_all(MAGIC)?;
    out.write_all(&[version, 0])?;
    match version {
        1 => out.write_all(&((end - start) as u16).to_le_bytes())?,
        _ => out.write_all(&((end - start) as u32).to_le_bytes())?,
    }
    let spaces = " ".repeat(end - start - 1 - text.len());
    out.write_all(format!("{text}{spaces}\n").as_bytes())
}

#[cfg(test)]
mod tests;
