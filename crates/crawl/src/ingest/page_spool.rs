//! Pages on their way to the graph, on disk; the URLs of pages, in memory.

use super::page::Page;
use crate::sieve::{Signer, UrlSink};
use std::collections::HashSet;
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, Write};
use std::path::PathBuf;
use webrank_base::error::{Error, Result};
use webrank_base::memory::free_memory;
use webrank_base::output::TemporaryFolder;

/// Pages being put away: lengths in 4 bytes, texts, all compressed.
pub(super) struct SpoolWriter {
    path: PathBuf,
    /// None once it has failed.
    out: Option<zstd::Encoder<'static, BufWriter<File>>>,
    pages: u64,
}

/// Pages that were put away.
#[derive(Debug, Clone, Default)]
pub(super) struct Spool {
    path: PathBuf,
    pub(super) pages: u64,
}

/// Pages that were put away, one after the other.
pub(super) struct SpoolReader {
    path: PathBuf,
    input: BufReader<zstd::Decoder<'static, BufReader<File>>>,
    left: u64,
}

impl SpoolWriter {
    /// Goes on behind so many pages, at the end of the file.
    pub(super) fn new(path: PathBuf, file: File, pages: u64) -> Result<Self> {
        let out = zstd::Encoder::new(BufWriter::with_capacity(1 << 16, file), 1);
        let out = out.map_err(|source| Error::io(&path, "cannot write", source))?;
        Ok(SpoolWriter {
            path,
            out: Some(out),
            pages,
        })
    }

    pub(super) fn push(&mut self, page: &Page) -> Result<()> {
        self.pages += 1;
        let written = self.write(page);
        written.map_err(|source| Error::io(&self.path, "cannot write", source))
    }

    fn write(&mut self, page: &Page) -> std::io::Result<()> {
        let out = self.out.as_mut().ok_or(std::io::ErrorKind::BrokenPipe)?;
        // Every length is bounded by the limits of a page.
        out.write_all(&(page.links.len() as u32).to_le_bytes())?;
        out.write_all(&(page.said.anchors.len() as u32).to_le_bytes())?;
        out.write_all(&page.fingerprint.to_le_bytes())?;
        out.write_all(&page.digest.to_le_bytes())?;
        out.write_all(&page.date.to_le_bytes())?;
        let said = [&page.canonical, &page.said.title, &page.said.text];
        let texts = [&page.url].into_iter().chain(said).chain(&page.links);
        for text in texts {
            write_text(out, text)?;
        }
        for (place, text) in &page.said.anchors {
            out.write_all(&place.to_le_bytes())?;
            write_text(out, text)?;
        }
        Ok(())
    }

    /// Makes everything so far last: the number of pages, and the length of the file.
    pub(super) fn commit(&mut self) -> Result<(u64, u64)> {
        let (mut file, bytes) = self.end()?;
        let cannot = |source| Error::io(&self.path, "cannot write", source);
        file.get_mut().sync_data().map_err(cannot)?;
        self.out = Some(zstd::Encoder::new(file, 1).map_err(cannot)?);
        Ok((self.pages, bytes))
    }

    fn end(&mut self) -> Result<(BufWriter<File>, u64)> {
        let out = self.out.take().ok_or(std::io::ErrorKind::BrokenPipe.into());
        let ended = out.and_then(|out| {
            let mut out = out.finish()?;
            let bytes = out.stream_position()?;
            Ok((out, bytes))
        });
        ended.map_err(|source| Error::io(&self.path, "cannot write", source))
    }

    /// Ends the file.
    pub(super) fn finish(mut self) -> Result<Spool> {
        self.end()?;
        Ok(Spool {
            path: self.path,
            pages: self.pages,
        })
    }
}

/// Writes a text behind its length.
pub(super) fn write_text(out: &mut impl Write, text: &str) -> std::io::Result<()> {
    out.write_all(&(text.len() as u32).to_le_bytes())?;
    out.write_all(text.as_bytes())
}

/// Reads a text behind its length.
pub(super) fn read_text(input: &mut impl Read, text: &mut String) -> std::io::Result<()> {
    let length = u64::from(read_number(input)?);
    text.clear();
    let read = input.take(length).read_to_string(text)?;
    match read as u64 == length {
        true => Ok(()),
        false => Err(std::io::ErrorKind::UnexpectedEof.into()),
    }
}

pub(super) fn read_number(input: &mut impl Read) -> std::io::Result<u32> {
    read_array(input).map(u32::from_le_bytes)
}

fn read_array<const N: usize>(input: &mut impl Read) -> std::io::Result<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes)?;
    Ok(bytes)
}

impl Spool {
    /// The first pages of a file.
    pub(super) fn of(path: PathBuf, pages: u64) -> Self {
        Spool { path, pages }
    }

    /// All pages, from the first on.
    pub(super) fn read(&self) -> Result<SpoolReader> {
        let cannot = |source| Error::io(&self.path, "cannot read", source);
        let input = File::open(&self.path).and_then(zstd::Decoder::new);
        Ok(SpoolReader {
            path: self.path.clone(),
            input: BufReader::with_capacity(1 << 17, input.map_err(cannot)?),
            left: self.pages,
        })
    }
}

impl SpoolReader {
    /// The next page, into `page`; false at the end.
    pub(super) fn next(&mut self, page: &mut Page) -> Result<bool> {
        if self.left == 0 {
            return Ok(false);
        }
        self.left -= 1;
        let read = self.read(page);
        read.map_err(|source| Error::io(&self.path, "cannot read", source))?;
        Ok(true)
    }

    fn read(&mut self, page: &mut Page) -> std::io::Result<()> {
        let input = &mut self.input;
        let (links, anchors) = (read_number(input)?, read_number(input)?);
        page.fingerprint = u64::from_le_bytes(read_array(input)?);
        page.digest = u128::from_le_bytes(read_array(input)?);
        page.date = u64::from_le_bytes(read_array(input)?);
        let said = &mut page.said;
        for text in [
            &mut page.url,
            &mut page.canonical,
            &mut said.title,
            &mut said.text,
        ] {
            read_text(input, text)?;
        }
        page.links.truncate(links as usize);
        for index in 0..links as usize {
            if index == page.links.len() {
                page.links.push(String::new());
            }
            read_text(input, &mut page.links[index])?;
        }
        said.anchors.clear();
        for _ in 0..anchors {
            let (place, mut text) = (read_number(input)?, String::new());
            read_text(input, &mut text)?;
            said.anchors.push((place, text));
        }
        Ok(())
    }
}

/// The pages that the sieve let through: their arrivals on disk, signatures of 128 bits of their URLs in
/// memory, at most 40 bytes a page.
pub(super) struct Crawled {
    pub(super) signer: Signer,
    path: PathBuf,
    arrivals: BufWriter<File>,
    pub(super) urls: HashSet<u128>,
}

impl Crawled {
    pub(super) fn create(folder: &TemporaryFolder) -> Result<Self> {
        let (path, file) = folder.new_file()?;
        Ok(Crawled {
            signer: Signer::random(),
            path,
            arrivals: BufWriter::with_capacity(1 << 16, file),
            urls: HashSet::new(),
        })
    }

    pub(super) fn has(&self, url: &str) -> bool {
        self.urls.contains(&self.signer.of_128_bits(url))
    }

    /// The arrivals, from the first on.
    pub(super) fn arrivals(&mut self) -> Result<Arrivals> {
        let cannot = |source| Error::io(&self.path, "cannot read", source);
        self.arrivals.flush().map_err(cannot)?;
        let mut file = self.arrivals.get_ref().try_clone().map_err(cannot)?;
        file.rewind().map_err(cannot)?;
        Ok(Arrivals {
            path: self.path.clone(),
            input: BufReader::with_capacity(1 << 16, file),
            left: self.urls.len() as u64,
        })
    }
}

/// Numbers on disk.
pub(super) struct Arrivals {
    path: PathBuf,
    input: BufReader<File>,
    left: u64,
}

impl Arrivals {
    pub(super) fn next(&mut self) -> Result<Option<u64>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let mut bytes = [0; 8];
        let read = self.input.read_exact(&mut bytes);
        read.map_err(|source| Error::io(&self.path, "cannot read", source))?;
        Ok(Some(u64::from_le_bytes(bytes)))
    }
}

impl UrlSink for Crawled {
    fn give(&mut self, arrival: u64, url: &str) -> Result<()> {
        if self.urls.len() == self.urls.capacity() {
            grow(self.urls.len(), 17, |more| {
                self.urls.try_reserve(more).is_ok()
            })?;
        }
        // A collision, of two in 2^128, would leave out a page: so does the sieve.
        if self.urls.insert(self.signer.of_128_bits(url)) {
            let written = self.arrivals.write_all(&arrival.to_le_bytes());
            written.map_err(|source| Error::io(&self.path, "cannot write", source))?;
        }
        Ok(())
    }

    fn mark(&mut self) -> Result<u64> {
        Ok(self.urls.len() as u64)
    }

    fn cut(&mut self, _mark: u64) -> Result<()> {
        Ok(())
    }
}

/// Doubles a table, which is then there twice for a moment.
pub(super) fn grow(len: usize, place: u64, reserve: impl FnOnce(usize) -> bool) -> Result<()> {
    let more = len.max(1 << 10);
    let bytes = (len + more) as u64 * 8 / 7 * place;
    let is_small = bytes < 1 << 23;
    match (is_small || bytes <= free_memory()) && reserve(more) {
        true => Ok(()),
        false => Err(Error::memory("a table of the URLs of a crawl", bytes)),
    }
}

/// The pages that count, one after the other: of several with one URL, the first.
pub(super) struct Counted {
    pages: SpoolReader,
    arrivals: Arrivals,
    next: Option<u64>,
    arrival: u64,
}

impl Counted {
    pub(super) fn new(spool: &Spool, crawled: &mut Crawled) -> Result<Self> {
        let mut arrivals = crawled.arrivals()?;
        Ok(Counted {
            pages: spool.read()?,
            next: arrivals.next()?,
            arrivals,
            arrival: 0,
        })
    }

    /// The next page, into `page`; false at the end.
    pub(super) fn next(&mut self, page: &mut Page) -> Result<bool> {
        while self.pages.next(page)? {
            self.arrival += 1;
            if self.next == Some(self.arrival - 1) {
                self.next = self.arrivals.next()?;
                return Ok(true);
            }
        }
        Ok(false)
    }
}
