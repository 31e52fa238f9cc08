//! Pages on their way to the graph, on disk; redirects and the URLs of pages, in memory.

use super::page::Page;
use crate::crawl::sieve::{Outlet, Signer};
use crate::error::{Error, Result};
use crate::memory::{free_memory, reserve};
use crate::output::TemporaryFolder;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, Write};
use std::path::PathBuf;

/// Pages being put away: lengths in 4 bytes, texts, all compressed.
pub(super) struct SpoolWriter {
    path: PathBuf,
    out: zstd::Encoder<'static, BufWriter<File>>,
    pages: u64,
}

/// Pages that were put away.
pub(super) struct Spool {
    path: PathBuf,
    input: BufReader<zstd::Decoder<'static, BufReader<File>>>,
    pages: u64,
}

impl SpoolWriter {
    pub(super) fn create(folder: &TemporaryFolder) -> Result<Self> {
        let (path, file) = folder.new_file()?;
        let out = zstd::Encoder::new(BufWriter::with_capacity(1 << 16, file), 1);
        let out = out.map_err(|source| Error::io(&path, "cannot write", source))?;
        Ok(SpoolWriter {
            path,
            out,
            pages: 0,
        })
    }

    pub(super) fn push(&mut self, page: &Page) -> Result<()> {
        self.pages += 1;
        let written = self.write(page);
        written.map_err(|source| Error::io(&self.path, "cannot write", source))
    }

    fn write(&mut self, page: &Page) -> std::io::Result<()> {
        // Every length is bounded by the limits of a page.
        self.out
            .write_all(&(page.links.len() as u32).to_le_bytes())?;
        for url in [&page.url].into_iter().chain(&page.links) {
            self.out.write_all(&(url.len() as u32).to_le_bytes())?;
            self.out.write_all(url.as_bytes())?;
        }
        Ok(())
    }

    /// Goes back to the start, to read.
    pub(super) fn finish(self) -> Result<Spool> {
        let path = self.path;
        let cannot = |source| Error::io(&path, "cannot write", source);
        let mut out = self.out.finish().map_err(cannot)?;
        out.flush().map_err(cannot)?;
        let mut file = out
            .into_inner()
            .map_err(|problem| cannot(problem.into_error()))?;
        file.rewind().map_err(cannot)?;
        let input = zstd::Decoder::new(file).map_err(cannot)?;
        Ok(Spool {
            path,
            input: BufReader::with_capacity(1 << 17, input),
            pages: self.pages,
        })
    }
}

impl Spool {
    /// The next page, into `page`; false at the end.
    pub(super) fn next(&mut self, page: &mut Page) -> Result<bool> {
        if self.pages == 0 {
            return Ok(false);
        }
        self.pages -= 1;
        let read = self.read(page);
        read.map_err(|source| Error::io(&self.path, "cannot read", source))?;
        Ok(true)
    }

    fn read(&mut self, page: &mut Page) -> std::io::Result<()> {
        let links = self.number()?;
        self.text(&mut page.url)?;
        page.links.truncate(links as usize);
        for index in 0..links as usize {
            if index == page.links.len() {
                page.links.push(String::new());
            }
            self.text(&mut page.links[index])?;
        }
        Ok(())
    }

    fn number(&mut self) -> std::io::Result<u32> {
        let mut bytes = [0; 4];
        self.input.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn text(&mut self, text: &mut String) -> std::io::Result<()> {
        let length = u64::from(self.number()?);
        text.clear();
        let read = (&mut self.input).take(length).read_to_string(text)?;
        match read as u64 == length {
            true => Ok(()),
            false => Err(std::io::ErrorKind::UnexpectedEof.into()),
        }
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

impl Outlet for Crawled {
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
fn grow(len: usize, place: u64, reserve: impl FnOnce(usize) -> bool) -> Result<()> {
    let more = len.max(1 << 10);
    let bytes = (len + more) as u64 * 8 / 7 * place;
    let is_small = bytes < 1 << 23;
    match (is_small || bytes <= free_memory()) && reserve(more) {
        true => Ok(()),
        false => Err(Error::memory("a table of the URLs of a crawl", bytes)),
    }
}

/// Where URLs lead, in memory: 16 bytes, a place and the text of the target each.
#[derive(Default)]
pub(super) struct Redirects {
    places: HashMap<u128, u64>,
    text: Vec<u8>,
}

/// Browsers follow so many redirects.
const HOPS: usize = 20;

impl Redirects {
    /// Notes a redirect; of several from one URL, the first counts.
    pub(super) fn push(&mut self, signer: &Signer, from: &str, to: &str) -> Result<()> {
        let signature = signer.of_128_bits(from);
        if self.places.contains_key(&signature) {
            return Ok(());
        }
        if self.places.len() == self.places.capacity() {
            grow(self.places.len(), 33, |more| {
                self.places.try_reserve(more).is_ok()
            })?;
        }
        reserve(&mut self.text, to.len() + 4, "the redirects of a crawl")?;
        self.places.insert(signature, self.text.len() as u64);
        self.text.extend((to.len() as u32).to_le_bytes());
        self.text.extend_from_slice(to.as_bytes());
        Ok(())
    }

    fn to(&self, signature: u128) -> Option<&str> {
        let place = *self.places.get(&signature)? as usize;
        let (length, text) = self.text[place..].split_first_chunk::<4>()?;
        let text = text.get(..u32::from_le_bytes(*length) as usize)?;
        std::str::from_utf8(text).ok()
    }

    /// Where a URL leads in the end, by way of URLs that are no pages; none if it leads in a circle, or
    /// further than browsers follow.
    pub(super) fn follow<'a>(&'a self, crawled: &Crawled, url: &'a str) -> Option<&'a str> {
        let mut url = url;
        for _ in 0..=HOPS {
            let signature = crawled.signer.of_128_bits(url);
            if self.places.is_empty() || crawled.urls.contains(&signature) {
                return Some(url);
            }
            match self.to(signature) {
                Some(next) => url = next,
                None => return Some(url),
            }
        }
        None
    }
}
