//! Files in zip archives, read from the start to the end without unpacking the archive: memory does not
//! grow with what is in it.

use flate2::Crc;
use flate2::read::DeflateDecoder;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::guard::catch_panic;
use webrank_base::shown::{quoted, shown};
use zip::{CompressionMethod, ZipArchive};

/// An archive with the names of its members.
pub(super) struct Archive {
    path: PathBuf,
    archive: ZipArchive<BufReader<File>>,
    names: Vec<String>,
}

/// The content of an archive.
pub(super) enum Content {
    /// Arrays of NumPy.
    Npz,
    /// A workbook of Excel.
    Workbook,
    /// The file to read, by its number.
    Member(usize),
    /// Nothing to be read, and why.
    Other(String),
}

/// A file in an archive.
#[derive(Debug, Clone)]
pub(super) struct Member {
    archive: PathBuf,
    /// Its path in messages.
    path: PathBuf,
    start: u64,
    compressed: u64,
    size: u64,
    checksum: u32,
    is_deflated: bool,
}

impl Archive {
    /// Reads the list of members.
    ///
    /// # Errors
    /// If the file is not a zip archive.
    pub(super) fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(|source| Error::io(path, "cannot open", source))?;
        // Foreign code, whose assertions are errors of the file.
        let archive = catch_panic(|| ZipArchive::new(BufReader::new(file)));
        let archive = match archive {
            Some(Ok(archive)) => Ok(archive),
            Some(Err(problem)) => Err(shown(&problem.to_string())),
            None => Err("its list of files is damaged".to_owned()),
        };
        let archive = archive.map_err(|problem| {
            let problem = format!("not a zip archive that can be read: {problem}; copy it again");
            Error::file(path, problem)
        })?;
        let names = archive.file_names_raw();
        let names = names.map(|name| String::from_utf8_lossy(name).into_owned());
        Ok(Archive {
            path: path.to_owned(),
            names: names.collect(),
            archive,
        })
    }

    /// The content of the archive, or the file in it that a name means.
    pub(super) fn content(&self, wanted: Option<&str>) -> Content {
        if self.names.iter().any(|name| name == "xl/workbook.xml") {
            return Content::Workbook;
        }
        if let Some(wanted) = wanted {
            return match self.names.iter().position(|name| name == wanted) {
                Some(place) => Content::Member(place),
                None => Content::Other(format!(
                    "the archive has no file {}; {}",
                    quoted(wanted),
                    self.listed()
                )),
            };
        }
        if !self.names.is_empty() && self.names.iter().all(|name| name.ends_with(".npy")) {
            return Content::Npz;
        }
        let files = self.files();
        match files[..] {
            [place] => Content::Member(place),
            [] => Content::Other("the archive has no file".to_owned()),
            _ => {
                let (path, first) = (self.path.display(), shown(&self.names[files[0]]));
                Content::Other(format!(
                    "{}; name one after a colon: '{path}:{first}'",
                    self.listed()
                ))
            }
        }
    }

    /// The files that may be meant: not folders, nor what systems add.
    fn files(&self) -> Vec<usize> {
        let is_meant = |name: &str| {
            let file = name.rsplit('/').next().unwrap_or(name);
            !file.is_empty() && !file.starts_with('.') && !name.starts_with("__MACOSX/")
        };
        let places = 0..self.names.len();
        places
            .filter(|&place| is_meant(&self.names[place]))
            .collect()
    }

    fn listed(&self) -> String {
        let files = self.files();
        let first: Vec<String> = files
            .iter()
            .take(LISTED)
            .map(|&place| quoted(&self.names[place]))
            .collect();
        let (count, first) = (files.len(), first.join(", "));
        match count {
            ..=LISTED => format!("it has {count} files: {first}"),
            _ => format!("it has {count} files, the first of which are {first}"),
        }
    }

    /// Where a file is.
    ///
    /// # Errors
    /// If it is encrypted, or compressed in a way that is not read.
    pub(super) fn member(&mut self, path: &Path, place: usize) -> Result<Member> {
        let wrong = |problem: String| Error::file(path, problem);
        let archive = std::panic::AssertUnwindSafe(&mut self.archive);
        let found = catch_panic(move || {
            let std::panic::AssertUnwindSafe(archive) = { archive };
            let file = archive.by_index_raw(place)?;
            let start = file.data_start();
            let facts = (file.compressed_size(), file.size(), file.crc32());
            Ok((start, facts, file.compression(), file.encrypted()))
        });
        let found: zip::result::ZipResult<_> =
            found.unwrap_or(Err(zip::result::ZipError::InvalidArchive("damaged".into())));
        let (start, (compressed, size, checksum), method, is_encrypted) =
            found.map_err(|problem| wrong(shown(&problem.to_string())))?;
        if is_encrypted {
            return Err(wrong(
                "the file is encrypted: unpack it with its password".into(),
            ));
        }
        let is_deflated = match method {
            CompressionMethod::Stored => false,
            CompressionMethod::Deflated => true,
            other => {
                let other = shown(&other.to_string());
                return Err(wrong(format!(
                    "the file is compressed by the method {other}, not by deflate: unpack it"
                )));
            }
        };
        Ok(Member {
            archive: self.path.clone(),
            path: path.to_owned(),
            start: start.ok_or_else(|| wrong("the archive is damaged: copy it again".into()))?,
            compressed,
            size,
            checksum,
            is_deflated,
        })
    }

    /// A file of this name.
    ///
    /// # Errors
    /// If there is none, or if it cannot be read.
    pub(super) fn named(&mut self, name: &str) -> Result<Option<Member>> {
        let path = PathBuf::from(format!("{}:{name}", self.path.display()));
        match self.names.iter().position(|found| found == name) {
            Some(place) => self.member(&path, place).map(Some),
            None => Ok(None),
        }
    }
}

/// So many files are listed.
const LISTED: usize = 10;

impl Member {
    /// Its bytes.
    ///
    /// # Errors
    /// If the archive cannot be opened.
    pub(super) fn open(&self) -> Result<impl Read + Send + 'static> {
        let cannot = |source| Error::io(&self.archive, "cannot read", source);
        let mut file = File::open(&self.archive).map_err(cannot)?;
        file.seek(SeekFrom::Start(self.start)).map_err(cannot)?;
        let bytes = BufReader::with_capacity(1 << 16, file.take(self.compressed));
        let bytes: Box<dyn Read + Send> = match self.is_deflated {
            true => Box::new(DeflateDecoder::new(bytes)),
            false => Box::new(bytes),
        };
        Ok(Checked {
            bytes,
            left: self.size,
            checksum: self.checksum,
            found: Crc::new(),
        })
    }

    /// The path that messages name.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// Bytes with a known length and checksum.
struct Checked {
    bytes: Box<dyn Read + Send>,
    left: u64,
    checksum: u32,
    found: Crc,
}

impl Read for Checked {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let damaged = |problem| Err(std::io::Error::other(problem));
        if buffer.is_empty() {
            return Ok(0);
        }
        let read = self.bytes.read(buffer)?;
        self.found.update(&buffer[..read]);
        match self.left.checked_sub(read as u64) {
            Some(left) => self.left = left,
            None => return damaged("the file in the archive is longer than the archive says"),
        }
        if read == 0 && (self.left > 0 || self.found.sum() != self.checksum) {
            return damaged("the file in the archive does not match its checksum: copy it again");
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests;
