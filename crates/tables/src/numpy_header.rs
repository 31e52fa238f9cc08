//! Headers of numpy's arrays, checked before a reader parses them.

use std::io::{self, Read};

/// Brackets within brackets: a list of fields, of a field with a shape, of such fields. The time of
/// the parser doubles with each.
const MAX_DEPTH: usize = 8;

/// The bytes of a file up to the end of its header, which is a dictionary.
///
/// # Errors
/// If it cannot be read, is longer than `longest`, or if its brackets are nested too deeply.
pub fn read(input: &mut impl Read, longest: usize) -> io::Result<Vec<u8>> {
    let damaged = |problem: &str| io::Error::new(io::ErrorKind::InvalidData, problem);
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
            assert_eq!(read(&mut &bytes[..], 1000).unwrap(), bytes[..end]);
            assert!(read(&mut &bytes[..], header.len() - 1).is_err());
            assert!(read(&mut &bytes[..end - 1], 1000).is_err());
        }
    }

    #[test]
    fn brackets_within_brackets_are_refused() {
        let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(read(&mut &file(&nested(MAX_DEPTH))[..], 1000).is_ok());
        assert!(read(&mut &file(&nested(MAX_DEPTH + 1))[..], 1000).is_err());
    }
}
