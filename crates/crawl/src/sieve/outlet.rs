//! Where the URLs of a sieve go.

use super::disk;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};

/// Takes the URLs of a sieve, in order, and can forget the last of them.
pub trait UrlSink {
    /// Takes a URL, the `arrival`-th (from 0) that the sieve took.
    ///
    /// # Errors
    /// If it cannot be kept.
    fn give(&mut self, arrival: u64, url: &str) -> Result<()>;

    /// Makes everything so far last, and returns a mark of it: 0 if there is nothing.
    ///
    /// # Errors
    /// If it cannot be written.
    fn mark(&mut self) -> Result<u64>;

    /// Forgets what came after a mark; mark 0 forgets everything.
    ///
    /// # Errors
    /// If there is less than was marked.
    fn cut(&mut self, mark: u64) -> Result<()>;
}

/// URLs in memory; a mark is their number.
impl UrlSink for Vec<String> {
    fn give(&mut self, _arrival: u64, url: &str) -> Result<()> {
        self.push(url.to_owned());
        Ok(())
    }

    fn mark(&mut self) -> Result<u64> {
        Ok(self.len() as u64)
    }

    fn cut(&mut self, mark: u64) -> Result<()> {
        self.truncate(mark as usize);
        Ok(())
    }
}

/// A file with a URL a line; a mark is its length.
pub struct LineFile {
    path: PathBuf,
    file: BufWriter<disk::Fused>,
    bytes: u64,
}

impl LineFile {
    /// Opens the file, or makes it. It keeps its content until it is cut.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn open(path: &Path) -> Result<Self> {
        let cannot = |source| Error::io(path, "cannot open", source);
        let file = File::options().append(true).create(true).open(path);
        let file = file.map_err(cannot)?;
        let bytes = file.metadata().map_err(cannot)?.len();
        Ok(LineFile {
            path: path.to_owned(),
            file: BufWriter::with_capacity(1 << 16, disk::Fused(file)),
            bytes,
        })
    }
}

impl UrlSink for LineFile {
    fn give(&mut self, _arrival: u64, url: &str) -> Result<()> {
        let written = self.file.write_all(url.as_bytes());
        let written = written.and_then(|()| self.file.write_all(b"\n"));
        self.bytes += url.len() as u64 + 1;
        written.map_err(|source| Error::io(&self.path, "cannot write", source))
    }

    fn mark(&mut self) -> Result<u64> {
        let written = self.file.flush().and_then(|()| self.file.get_ref().sync());
        written.map_err(|source| Error::io(&self.path, "cannot write", source))?;
        Ok(self.bytes)
    }

    fn cut(&mut self, mark: u64) -> Result<()> {
        if self.bytes < mark {
            let bytes = self.bytes;
            let problem = format!(
                "has {bytes} bytes, but the sieve gave {mark}: it is not the file that this sieve wrote"
            );
            return Err(Error::file(&self.path, problem));
        }
        let cut = self
            .file
            .flush()
            .and_then(|()| self.file.get_ref().cut(mark));
        self.bytes = mark;
        cut.map_err(|source| Error::io(&self.path, "cannot write", source))
    }
}
