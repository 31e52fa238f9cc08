//! Arrays of numpy (`.npy`): a header, and then the elements.
//!
//! Elements are numbers, short texts, or records of fields. What is not read (objects, dates, complex
//! numbers, fields that are arrays) is refused by its type.

mod literal;

use half::f16;
use literal::Literal;
use std::io::{self, Read, Write};
use webrank_base::shown::quoted;

/// The first bytes of an array.
const MAGIC: &[u8] = b"\x93NUMPY";

/// The header fills a multiple of so many bytes.
const ALIGNMENT: usize = 64;

/// The longest element that is read: a record of many fields.
const MAX_WIDTH: u64 = 1 << 24;

/// The type of an element or a field, such as `<f8`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    text: String,
    is_big_endian: bool,
    letter: char,
    size: u64,
}

impl Kind {
    /// The type with this description.
    fn of(description: &Literal) -> Self {
        let text = match description {
            Literal::Text(text) => text.clone(),
            // Fields or an array of its own.
            _ => "[...]".to_owned(),
        };
        let plain = text.strip_prefix(['<', '>', '|', '=']).unwrap_or(&text);
        let mut chars = plain.chars();
        let letter = chars.next();
        let size = chars.as_str().parse().ok();
        Kind {
            is_big_endian: text.starts_with('>'),
            letter: letter.filter(|_| size.is_some()).unwrap_or(' '),
            size: size.unwrap_or(0),
            text,
        }
    }

    /// The type in Python's syntax.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the elements are integers.
    pub fn is_integer(&self) -> bool {
        matches!(self.letter, 'i' | 'u') && self.is_number()
    }

    /// Whether the elements are numbers that are read, or flags.
    pub fn is_number(&self) -> bool {
        matches!(
            (self.letter, self.size),
            ('f', 2 | 4 | 8) | ('i' | 'u', 1 | 2 | 4 | 8) | ('b', 1)
        )
    }

    /// The bytes of an element; none if it has no fixed number of them, or none that fits.
    fn width(&self) -> Option<u64> {
        match self.letter {
            ' ' | 'O' => None,
            // Four bytes a character.
            'U' => self.size.checked_mul(4),
            _ => Some(self.size),
        }
    }

    /// The number in so many bytes as an element has.
    fn number(&self, bytes: &[u8]) -> Number {
        let mut eight = [0; 8];
        let eight_of = &mut eight[..bytes.len()];
        eight_of.copy_from_slice(bytes);
        if self.is_big_endian {
            eight_of.reverse();
        }
        let bits = u64::from_le_bytes(eight);
        match (self.letter, self.size) {
            ('b', _) => Number::Flag(bits != 0),
            ('u', _) => Number::Integer(bits.into()),
            ('f', 2) => Number::Double(f16::from_bits(bits as u16).into()),
            ('f', 4) => Number::Double(f32::from_bits(bits as u32).into()),
            ('f', _) => Number::Double(f64::from_bits(bits)),
            _ => {
                let unused = 64 - 8 * bytes.len() as u32;
                Number::Integer((((bits << unused) as i64) >> unused).into())
            }
        }
    }
}

/// A number of any type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer.
    Integer(i128),
    /// A floating-point number.
    Double(f64),
    /// Yes or no.
    Flag(bool),
}

impl Number {
    /// As a double; 1 for yes.
    pub fn double(self) -> f64 {
        match self {
            Number::Integer(integer) => integer as f64,
            Number::Double(double) => double,
            Number::Flag(flag) => f64::from(u8::from(flag)),
        }
    }
}

/// An array whose header has been read.
pub struct Array<R> {
    /// The types of the fields of a record; of other elements, one.
    pub kinds: Vec<Kind>,
    /// The names of the fields, if elements are records.
    pub fields: Option<Vec<String>>,
    /// Whether the first index changes first.
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
            text @ Literal::Text(_) => (vec![Kind::of(text)], None),
            Literal::List(fields) => {
                let fields = fields.iter().map(|field| match field {
                    Literal::List(field) => match &field[..] {
                        [Literal::Text(name), kind] => Ok((Kind::of(kind), name.clone())),
                        [Literal::Text(name), ..] => {
                            Ok((Kind::of(&Literal::List(field[1..].into())), name.clone()))
                        }
                        _ => Err(wrong()),
                    },
                    _ => Err(wrong()),
                });
                let (kinds, names) = fields.collect::<io::Result<(Vec<_>, Vec<_>)>>()?;
                (kinds, Some(names))
            }
            _ => return Err(wrong()),
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
        let width = |sum: u64, kind: &Kind| sum.checked_add(kind.width()?);
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
                let found = quoted(&kind.text);
                return Err(damaged(&format!("{of_field}{found} is no type of numbers")));
            }
        }
        let count = self.shape.iter().try_fold(1u64, |a, &b| a.checked_mul(b));
        let width: u64 = self.kinds.iter().filter_map(Kind::width).sum();
        let (Some(left), true) = (count, width <= MAX_WIDTH) else {
            return Err(damaged("its header is damaged"));
        };
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
            'S' | 'a' => {
                self.input.read_exact(&mut bytes)?;
                String::from_utf8_lossy(&bytes).into_owned()
            }
            'U' => {
                self.input.read_exact(&mut bytes)?;
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

/// The numbers of an array.
pub struct Numbers<R> {
    input: R,
    kinds: Vec<Kind>,
    /// The current element, and its next field with the byte where that begins.
    element: Vec<u8>,
    place: (usize, usize),
    /// The elements that are not read yet.
    left: u64,
}

impl<R: Read> Iterator for Numbers<R> {
    type Item = io::Result<Number>;

    fn next(&mut self) -> Option<io::Result<Number>> {
        if self.place.0 == self.kinds.len() {
            if self.left == 0 || self.kinds.is_empty() {
                return None;
            }
            self.left -= 1;
            if let Err(problem) = self.input.read_exact(&mut self.element) {
                self.left = 0;
                return Some(Err(match problem.kind() {
                    io::ErrorKind::UnexpectedEof => damaged("it ends within its elements"),
                    _ => problem,
                }));
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

/// The text of a header, which is no longer than this.
fn header(input: &mut impl Read, longest: usize) -> io::Result<String> {
    let mut start = [0; 8];
    input.read_exact(&mut start)?;
    let version = start.strip_prefix(MAGIC).map_or(0, |version| version[0]);
    let length = match version {
        1 => {
            let mut length = [0; 2];
            input.read_exact(&mut length)?;
            u16::from_le_bytes(length).into()
        }
        2 | 3 => {
            let mut length = [0; 4];
            input.read_exact(&mut length)?;
            u32::from_le_bytes(length) as usize
        }
        _ => return Err(damaged("it does not begin like one")),
    };
    if length > longest {
        return Err(damaged("its header is damaged"));
    }
    let mut bytes = vec![0; length];
    let read = input.read_exact(&mut bytes);
    read.map_err(|_| damaged("it ends within its header"))?;
    // Before version 3, a byte is a character.
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(problem) if version < 3 => {
            Ok(problem.into_bytes().into_iter().map(char::from).collect())
        }
        Err(_) => Err(damaged("its header is damaged")),
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
mod tests {
    use super::*;

    fn file(header: &str) -> Vec<u8> {
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes
    }

    #[test]
    fn headers_are_read_whole_and_no_further() {
        let plain = "{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }\n";
        let record = "{'descr': [('a((((((((((\\'', '<f8', (2,)), (\"b'[[[[[[[[\", '<i4')], \
                      'fortran_order': True, 'shape': (1, 2)}\n";
        for text in [plain, record] {
            let mut bytes = file(text);
            let end = bytes.len();
            bytes.extend([1; 100]);
            let mut input = &bytes[..];
            assert!(Array::open(&mut input, 1000).is_ok());
            assert_eq!(input, [1; 100]);
            assert!(Array::open(&bytes[..], text.len() - 1).is_err());
            assert!(Array::open(&bytes[..end - 1], 1000).is_err());
        }
        for damaged in [
            "{'descr': '<f8', 'shape': (3,), }",
            "{'descr': 8, 'fortran_order': False, 'shape': (3,), }",
            "{'descr': [('a',)], 'fortran_order': False, 'shape': 3, }",
            "{'descr': '<f8', 'fortran_order': False, 'shape': (True,), }",
            "",
        ] {
            assert!(Array::open(&file(damaged)[..], 1000).is_err(), "{damaged}");
        }
    }

    #[test]
    fn headers_that_are_written_are_read() {
        let names = ["a", "it's \\ \n", "名", &"x".repeat(1 << 16)];
        let fields = names.map(|name| (name, "<f8"));
        for count in 1..=fields.len() {
            let mut bytes = Vec::new();
            write_header_of_records(&mut bytes, &fields[..count], &[7]).unwrap();
            assert_eq!(bytes.len() % ALIGNMENT, 0);
            let array = Array::open(&bytes[..], 1 << 20).unwrap();
            assert_eq!(array.fields.as_ref().unwrap(), &names[..count]);
            assert_eq!(array.num_bytes(), Some(56 * count as u64));
        }
        let mut bytes = Vec::new();
        write_header(&mut bytes, "|S3", &[]).unwrap();
        bytes.extend(b"csr");
        let text = Array::open(&bytes[..], 1 << 20).unwrap().short_text();
        assert_eq!(text.unwrap().as_deref(), Some("csr"));
    }

    #[test]
    fn numbers_of_all_types_are_read() {
        let kinds = [
            ("|b1", vec![2], Number::Flag(true)),
            ("<u2", vec![1, 255], Number::Integer(0xff01)),
            (">u2", vec![1, 255], Number::Integer(0x1ff)),
            ("|i1", vec![255], Number::Integer(-1)),
            ("<i4", vec![254, 255, 255, 255], Number::Integer(-2)),
            (
                "<i8",
                vec![0, 0, 0, 0, 0, 0, 0, 128],
                Number::Integer(i64::MIN.into()),
            ),
            (">u8", vec![255; 8], Number::Integer(u64::MAX.into())),
            ("<f2", vec![0, 0x3c], Number::Double(1.0)),
            (">f4", vec![0x3f, 0x80, 0, 0], Number::Double(1.0)),
            (
                "<f8",
                vec![0, 0, 0, 0, 0, 0, 0xf0, 0xbf],
                Number::Double(-1.0),
            ),
        ];
        // One record of all, twice.
        let names: Vec<String> = (0..kinds.len()).map(|field| field.to_string()).collect();
        let fields: Vec<(&str, &str)> = names
            .iter()
            .zip(&kinds)
            .map(|(name, (kind, ..))| (&name[..], *kind))
            .collect();
        let mut bytes = Vec::new();
        write_header_of_records(&mut bytes, &fields, &[2]).unwrap();
        let element: Vec<u8> = kinds
            .iter()
            .flat_map(|(_, bytes, _)| bytes.clone())
            .collect();
        bytes.extend(&element);
        bytes.extend(&element);
        let expected: Vec<Number> = kinds.iter().map(|(_, _, number)| *number).collect();
        let found = |bytes: &[u8]| -> io::Result<Vec<Number>> {
            Array::open(bytes, 1000)?.numbers()?.collect()
        };
        assert_eq!(found(&bytes).unwrap(), [&expected[..], &expected].concat());
        let problem = found(&bytes[..bytes.len() - 1]).unwrap_err().to_string();
        assert_eq!(problem, "it ends within its elements");
        for refused in [
            "<f16", "<c8", "|O", "|S3", "<U3", "<M8[ns]", "|V8", "<i3", "f", "é", "",
        ] {
            let mut bytes = Vec::new();
            write_header(&mut bytes, refused, &[1]).unwrap();
            let problem = found(&bytes).unwrap_err().to_string();
            assert!(
                problem.ends_with("is no type of numbers"),
                "{refused}: {problem}"
            );
        }
    }
}
