//! Fingerprints in a file of text.

use std::path::Path;
use webrank_base::error::{Error, Result};
use webrank_base::memory::reserve;
use webrank_tables::text::checksums::Checksums;
use webrank_tables::text::names::Names;
use webrank_tables::text::names::NamesBuilder;
use webrank_tables::text::records::{Record, Records};

/// A list of fingerprints, one a line, perhaps with names.
pub struct FingerprintList {
    /// The fingerprints, in the order of the lines.
    pub fingerprints: Vec<u64>,
    /// Their names, if lines have two fields.
    pub names: Option<Names>,
}

impl FingerprintList {
    /// Reads lines such as `00f0a3c2d1e4b596` or `name<TAB>00f0a3c2d1e4b596`: 64 bits in hexadecimal,
    /// which may start with `0x`. `-` is standard input. Notes the checksum of the file.
    ///
    /// # Errors
    /// If the file cannot be read, or is empty; the line that has no fingerprint, or another number of fields than
    /// the first; if memory is short.
    pub fn read(path: &Path, checksums: &Checksums) -> Result<Self> {
        let list = Self::parse(Records::list_noting(path, checksums)?)?;
        if list.fingerprints.is_empty() {
            let problem = "holds no fingerprint; write one a line, in hexadecimal";
            return Err(Error::file(path, problem));
        }
        Ok(list)
    }

    /// As [`read`](Self::read), from records.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    pub fn parse(mut records: Records) -> Result<Self> {
        let (mut fingerprints, mut names) = (Vec::new(), NamesBuilder::default());
        let mut fields = 0;
        while records.advance()? {
            let record = records.record();
            if record.is_comment() {
                continue;
            }
            if fields == 0 {
                fields = record.len();
            }
            if record.len() != fields || fields > 2 {
                let problem =
                    "a line has a fingerprint, or in all lines a name, a tab and a fingerprint";
                return Err(record.wrong(problem));
            }
            reserve(&mut fingerprints, 1, "fingerprints")?;
            fingerprints.push(fingerprint(record, fields - 1)?);
            if fields == 2 {
                let name = record.text(0)?;
                if name.is_empty() || name.contains(['\n', '\0']) {
                    let problem = "a name is not empty, stands on one line, and has no NUL";
                    return Err(record.wrong(problem));
                }
                names.push(name)?;
            }
        }
        Ok(FingerprintList {
            fingerprints,
            names: (fields == 2).then(|| names.finish()),
        })
    }
}

/// A fingerprint in hexadecimal, which may start with `0x`; none if it is none.
pub fn parse(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let is_plain = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u64::from_str_radix(digits, 16).ok().filter(|_| is_plain)
}

/// The fingerprint in a field.
fn fingerprint(record: Record, field: usize) -> Result<u64> {
    parse(record.text(field)?).ok_or_else(|| {
        record.wrong(format!(
            "'{}' is no fingerprint; write 64 bits as at most 16 hexadecimal digits",
            record.shown(field)
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<FingerprintList> {
        FingerprintList::parse(Records::of_bytes(text))
    }

    #[test]
    fn a_line_is_a_fingerprint() {
        let list = read("# fingerprints\nff\n\n0xFFFFFFFFFFFFFFFF\r\n0000000000000000").unwrap();
        assert_eq!(list.fingerprints, [0xff, u64::MAX, 0]);
        assert!(list.names.is_none());
        assert!(read("").unwrap().fingerprints.is_empty());
    }

    #[test]
    fn a_line_may_start_with_a_name() {
        for text in ["a b\t1\nc\tF\n", "\"a b\",1\nc,F\n"] {
            let list = read(text).unwrap();
            assert_eq!(list.fingerprints, [1, 15]);
            let names = list.names.unwrap();
            assert_eq!([names.get(0), names.get(1)], ["a b", "c"]);
        }
    }

    #[test]
    fn what_is_no_fingerprint_is_refused() {
        for (text, words) in [
            ("1\n2g\n", "line 2: '2g' is no fingerprint"),
            (
                "10000000000000000\n",
                "line 1: '10000000000000000' is no fingerprint",
            ),
            ("+1\n", "'+1' is no fingerprint"),
            ("0x\n", "'0x' is no fingerprint"),
            ("a\t1\n2\n", "line 2: a line has a fingerprint"),
            ("a\tb\t1\n", "line 1: a line has a fingerprint"),
            ("a\t\n", "line 1: '' is no fingerprint"),
            ("\t1\n", "line 1: a name is not empty"),
            ("a\t1\nb\0c\t2\n", "line 2: a name is not empty"),
        ] {
            let problem = read(text).err().unwrap().to_string();
            assert!(problem.contains(words), "{problem}");
        }
    }
}
