//! Arrays of numpy: headers, checked before a reader parses them, and numbers of any type.

use npyz::{DType, DTypeError, Deserialize, NpyFile, TypeRead};
use std::io::{self, Chain, Cursor, Read};
use std::panic::AssertUnwindSafe;
use webrank_base::guard::catch_panic;
use webrank_base::shown::shown;

/// Brackets within brackets: a list of fields, of a field with a shape, of such fields. The time of
/// the parser doubles with each.
const MAX_DEPTH: usize = 8;

/// An array whose header has been read.
pub type Array<R> = NpyFile<Chain<Cursor<Vec<u8>>, R>>;

/// Reads the header of an array.
///
/// # Errors
/// If it cannot be read, is longer than `longest`, or is damaged.
pub fn open<R: Read>(mut input: R, longest: usize) -> io::Result<Array<R>> {
    let header = header(&mut input, longest)?;
    let file = Cursor::new(header).chain(input);
    let file = catch_panic(AssertUnwindSafe(|| NpyFile::new(file)));
    file.unwrap_or_else(|| Err(damaged("its header is damaged")))
}

fn damaged(problem: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, problem)
}

/// The bytes of a file up to the end of its header, which is a dictionary. Brackets must not be nested
/// too deeply.
fn header(input: &mut impl Read, longest: usize) -> io::Result<Vec<u8>> {
    // The magic number, the version, and the length of what follows.
    let mut bytes = vec![0; 12];
    input.read_exact(&mut bytes)?;
    let (start, length) = match bytes[6] {
        1 => (10, usize::from(u16::from_le_bytes([bytes[8], bytes[9]]))),
        _ => {
            let length = [bytes[8], bytes[9], bytes[10], bytes[11]];
            (12, u32::from_le_bytes(length) as usize)
        }
    };
    if length > longest {
        return Err(damaged("its header is damaged"));
    }
    let end = start + length;
    let rest = end.saturating_sub(bytes.len());
    let read = input.take(rest as u64).read_to_end(&mut bytes)?;
    if read < rest {
        return Err(damaged("it ends within its header"));
    }
    match depth(bytes.get(start..end).unwrap_or_default()) > MAX_DEPTH {
        true => Err(damaged("the brackets of its header are nested too deeply")),
        false => Ok(bytes),
    }
}

/// How deeply brackets outside of strings are nested.
fn depth(text: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0usize, 0);
    let mut quote = None;
    let mut bytes = text.iter();
    while let Some(&byte) = bytes.next() {
        match (quote, byte) {
            (Some(_), b'\\') => drop(bytes.next()),
            (Some(mark), _) if byte == mark => quote = None,
            (Some(_), _) => {}
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, b'{' | b'[' | b'(') => depth += 1,
            (None, b'}' | b']' | b')') => depth = depth.saturating_sub(1),
            (None, _) => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
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

macro_rules! numbers {
    ($($name:ident($type:ty) => $variant:ident),* $(,)?) => {
        /// How to read a number of each type.
        #[allow(missing_docs)]
        pub enum NumberReader {
            $($name(<$type as Deserialize>::TypeReader)),*
        }

        impl NumberReader {
            fn new(dtype: &DType) -> Option<Self> {
                $(if let Ok(reader) = <$type as Deserialize>::reader(dtype) {
                    return Some(NumberReader::$name(reader));
                })*
                None
            }

        }

        impl TypeRead for NumberReader {
            type Value = Number;

            fn read_one<R: Read>(&self, bytes: R) -> io::Result<Number> {
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
    F16(half::f16) => Double,
    I64(i64) => Integer,
    U64(u64) => Integer,
    I32(i32) => Integer,
    U32(u32) => Integer,
    I16(i16) => Integer,
    U16(u16) => Integer,
    I8(i8) => Integer,
    U8(u8) => Integer,
    Bool(bool) => Flag,
}

impl Deserialize for Number {
    type TypeReader = NumberReader;

    fn reader(dtype: &DType) -> Result<NumberReader, DTypeError> {
        NumberReader::new(dtype).ok_or_else(|| {
            let found = shown(&dtype.descr());
            DTypeError::custom(format!("{found} is no type of numbers"))
        })
    }
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
        let record = "{'descr': [('a((((((((((\\'', '<f8', (2,)), (\"b'[[[[[[[[\", '<i4')], }\n";
        for header in [plain, record] {
            let mut bytes = file(header);
            let end = bytes.len();
            bytes.extend([1; 100]);
            assert_eq!(super::header(&mut &bytes[..], 1000).unwrap(), bytes[..end]);
            assert!(super::header(&mut &bytes[..], header.len() - 1).is_err());
            assert!(super::header(&mut &bytes[..end - 1], 1000).is_err());
        }
    }

    #[test]
    fn brackets_within_brackets_are_refused() {
        let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(header(&mut &file(&nested(MAX_DEPTH))[..], 1000).is_ok());
        assert!(header(&mut &file(&nested(MAX_DEPTH + 1))[..], 1000).is_err());
    }
}
