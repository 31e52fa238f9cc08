//! A file that is read from its start, perhaps twice, or a member of a zip archive.
//!
//! `archive.zip` means its only file, `archive.zip:links.csv` the one with this name. Archives that are
//! formats of their own are left to their readers: `.npz`, and workbooks, where `book.xlsx:Sheet` names a
//! sheet.

#[cfg(all(feature = "xml", feature = "zip"))]
use super::formats::workbook;
#[cfg(feature = "zip")]
use super::zipped::{Archive, Content, Member};
use encoding_rs::Encoding;
use std::fs::File;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_tables::text::decoded::{Decoded, encoding, utf_16};
use webrank_tables::text::input;

/// A file, a part of one, or standard input, which can be read once.
#[derive(Debug, Clone)]
pub(super) struct Source {
    /// The path that was given.
    path: PathBuf,
    place: Place,
    /// The encoding of its text, if it is known.
    encoding: Option<&'static Encoding>,
}

/// Where the bytes are.
#[derive(Debug, Clone)]
enum Place {
    Stream,
    File,
    #[cfg(feature = "zip")]
    Npz,
    #[cfg(feature = "zip")]
    Workbook {
        file: PathBuf,
        sheet: Option<String>,
    },
    #[cfg(feature = "zip")]
    Member(Member),
}

impl Source {
    /// The source that a path means.
    ///
    /// # Errors
    /// If it is an archive that cannot be read, or one of several files, none of which is named; if
    /// there is no such encoding.
    pub(super) fn new(path: &Path, named: Option<&str>) -> Result<Self> {
        let known = |name| encoding(name).map_err(|it| Error::argument("encoding", name, it));
        Ok(Source {
            path: path.to_owned(),
            place: Place::of(path)?,
            encoding: named.map(known).transpose()?,
        })
    }

    /// The path, for messages and for what names show.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// True if it can be opened only once.
    pub(super) fn is_stream(&self) -> bool {
        matches!(self.place, Place::Stream)
    }

    /// True if it is a file in an archive.
    #[cfg(any(feature = "npy", feature = "parquet"))]
    pub(super) fn is_member(&self) -> bool {
        #[cfg(feature = "zip")]
        if let Place::Member(_) = &self.place {
            return true;
        }
        false
    }

    /// True for a matrix of scipy.
    pub(super) fn is_npz(&self) -> bool {
        #[cfg(feature = "zip")]
        if let Place::Npz = self.place {
            return true;
        }
        false
    }

    /// The file and the sheet, if it is a workbook.
    pub(super) fn workbook(&self) -> Option<(&Path, Option<&str>)> {
        #[cfg(feature = "zip")]
        if let Place::Workbook { file, sheet } = &self.place {
            return Some((file, sheet.as_deref()));
        }
        None
    }

    /// Its bytes, decompressed and, if it is text that is not UTF-8, decoded; the sheet of a workbook as a list.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub(super) fn open(&self) -> Result<Box<dyn Read + Send>> {
        let mut input = self.open_encoded()?;
        let mut first = Vec::new();
        let read = input.by_ref().take(START).read_to_end(&mut first);
        read.map_err(|source| Error::io(&self.path, "cannot read", source))?;
        let encoding = self.encoding.or_else(|| utf_16(&first));
        if encoding.is_none() && ends_lines_in_returns(&first) {
            return Ok(Box::new(Feeds(Cursor::new(first).chain(input))));
        }
        let input = Cursor::new(first).chain(input);
        Ok(match encoding {
            Some(encoding) => Box::new(Decoded::new(input, encoding)),
            None => Box::new(input),
        })
    }

    fn open_encoded(&self) -> Result<Box<dyn Read + Send>> {
        #[cfg(feature = "zip")]
        if let Place::Member(member) = &self.place {
            let bytes = Box::new(member.open()?);
            return input::decompressed(&self.path, bytes);
        }
        #[cfg(all(feature = "xml", feature = "zip"))]
        if let Place::Workbook { file, sheet } = &self.place {
            return Ok(workbook::open(file, sheet.as_deref())?.text);
        }
        input::open(&self.path)
    }
}

/// So many bytes show the encoding, and how lines end.
const START: u64 = 1 << 12;

/// True for a text of an old Mac, by its start.
fn ends_lines_in_returns(first: &[u8]) -> bool {
    let is_control = |byte: &u8| *byte < b' ' && !b"\t\r\x0c".contains(byte);
    // Some programs end the last line in a line feed.
    let first = match first.len() < START as usize {
        true => first
            .strip_suffix(b"\n")
            .filter(|rest| !rest.ends_with(b"\r"))
            .unwrap_or(first),
        false => first,
    };
    // A line feed may follow the last byte.
    let inner = &first[..first.len().min(START as usize - 1)];
    inner.contains(&b'\r') && !first.iter().any(is_control)
}

/// A text with line feeds for carriage returns.
struct Feeds<R>(R);

impl<R: Read> Read for Feeds<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let length = self.0.read(buffer)?;
        let returns = buffer[..length].iter_mut().filter(|byte| **byte == b'\r');
        returns.for_each(|byte| *byte = b'\n');
        Ok(length)
    }
}

impl Place {
    fn of(path: &Path) -> Result<Self> {
        if path.as_os_str() == "-" {
            return Ok(Place::Stream);
        }
        let (file, part) = match (path.exists(), split(path)) {
            (false, Some((file, part))) => (file, Some(part)),
            _ => (path.to_owned(), None),
        };
        match (is_zip(&file), part) {
            (true, part) => Self::of_archive(path, &file, part),
            (false, Some(part)) => {
                let file = file.display();
                let problem =
                    format!("{file} is no zip archive and no workbook that could hold {part}");
                Err(Error::file(path, problem))
            }
            // Whether it is there is seen when it is opened.
            (false, None) => Ok(Place::File),
        }
    }

    #[cfg(feature = "zip")]
    fn of_archive(path: &Path, file: &Path, part: Option<String>) -> Result<Self> {
        // Its reader says what is wrong with it.
        if part.is_none() && file.extension().is_some_and(|extension| extension == "npz") {
            return Ok(Place::Npz);
        }
        let mut archive = Archive::open(file)?;
        Ok(match archive.content(part.as_deref()) {
            Content::Npz => Place::Npz,
            Content::Workbook => Place::Workbook {
                file: file.to_owned(),
                sheet: part,
            },
            Content::Member(place) => Place::Member(archive.member(path, place)?),
            Content::Other(problem) => return Err(Error::file(file, problem)),
        })
    }

    #[cfg(not(feature = "zip"))]
    fn of_archive(path: &Path, _: &Path, _: Option<String>) -> Result<Self> {
        let problem = "this build does not read zip archives; build it with the feature formats";
        Err(Error::file(path, problem))
    }
}

/// True if a path that does not exist names a part of a file that does.
pub(super) fn is_part(path: &Path) -> bool {
    !path.exists() && split(path).is_some()
}

/// The file and the part that a path such as `archive.zip:links.csv` names.
fn split(path: &Path) -> Option<(PathBuf, String)> {
    let text = path.to_str()?;
    let mut colons = text.match_indices(':').map(|(place, _)| place);
    colons.find_map(|colon| {
        let (file, part) = (Path::new(&text[..colon]), &text[colon + 1..]);
        let is_there = !part.is_empty() && file.is_file();
        is_there.then(|| (file.to_owned(), part.to_owned()))
    })
}

/// True if a file starts like a zip archive. A failure to read it is reported when it is opened.
fn is_zip(file: &Path) -> bool {
    let mut magic = [0; 4];
    // Opening a pipe would wait for it, and reading take its bytes.
    let read = file.is_file()
        && File::open(file).is_ok_and(|mut file| file.read_exact(&mut magic).is_ok());
    read && [*b"PK\x03\x04", *b"PK\x05\x06"].contains(&magic)
}
