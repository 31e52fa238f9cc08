//! The files of a bundle of a crawl beside its graph: fingerprints, texts, and the names of pages
//! that became one with another.
//!
//! The second pass gives all of it with the numbers that the importer gave at first; texts wait on
//! disk. When nodes have their final numbers, texts and the texts of links are sorted by them, and
//! written.

use super::page::Page as Fetched;
use super::page_spool::{read_number, read_text, write_text};
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::{filled, reserve};
use webrank_base::output::TemporaryFolder;
use webrank_formats::import::Numbered;
use webrank_graph::bundle::{
    FINGERPRINTS, MAX_ANCHORS, MERGED, NameSorter, Page, PagesWriter, cut, write_fingerprints,
};

/// Sidecars that wait for the final numbers.
pub(super) struct PendingSidecars {
    /// By first numbers.
    fingerprints: Option<Vec<u64>>,
    texts: Option<Texts>,
    merged: Option<(PathBuf, BufWriter<File>)>,
}

/// Texts on disk. A page has a byte 0, the node, the title, the text; a link a byte 1, its target, its
/// source, its text.
struct Texts {
    path: PathBuf,
    out: zstd::Encoder<'static, BufWriter<File>>,
    records: u64,
}

const OF_PAGE: u8 = 0;
const OF_LINK: u8 = 1;

/// Which parts are wanted.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Parts {
    pub(super) fingerprints: bool,
    pub(super) texts: bool,
    pub(super) merged: bool,
}

impl PendingSidecars {
    pub(super) fn new(parts: Parts, folder: &TemporaryFolder) -> Result<Self> {
        let merged = parts.merged.then(|| folder.new_file()).transpose()?;
        Ok(PendingSidecars {
            fingerprints: parts.fingerprints.then(Vec::new),
            texts: parts.texts.then(|| Texts::create(folder)).transpose()?,
            merged: merged.map(|(path, file)| (path, BufWriter::with_capacity(1 << 16, file))),
        })
    }

    /// A page became this node.
    pub(super) fn page(&mut self, node: Node, page: &Fetched) -> Result<()> {
        if let Some(fingerprints) = &mut self.fingerprints {
            let place = node as usize;
            if place >= fingerprints.len() {
                let more = place + 1 - fingerprints.len();
                reserve(fingerprints, more, "fingerprints")?;
                fingerprints.resize(place + 1, 0);
            }
            fingerprints[place] = page.fingerprint;
        }
        let said = &page.said;
        if let Some(texts) = &mut self.texts
            && !(said.title.is_empty() && said.text.is_empty())
        {
            texts.push(|out| {
                out.write_all(&[OF_PAGE])?;
                out.write_all(&node.to_le_bytes())?;
                write_text(out, &said.title)?;
                write_text(out, &said.text)
            })?;
        }
        Ok(())
    }

    /// A link between two nodes has this text.
    pub(super) fn link(&mut self, source: Node, target: Node, text: &str) -> Result<()> {
        let Some(texts) = &mut self.texts else {
            return Ok(());
        };
        texts.push(|out| {
            out.write_all(&[OF_LINK])?;
            out.write_all(&target.to_le_bytes())?;
            out.write_all(&source.to_le_bytes())?;
            write_text(out, text)
        })
    }

    /// A page became one with another.
    pub(super) fn merged(&mut self, url: &str, into: &str) -> Result<()> {
        let Some((path, out)) = &mut self.merged else {
            return Ok(());
        };
        let written = writeln!(out, "{url}\t{into}");
        written.map_err(|source| Error::io(&*path, "cannot write", source))
    }

    /// Writes everything into the folder of the bundle.
    ///
    /// # Errors
    /// If a file cannot be read or written, or if memory is short.
    pub(super) fn write(self, to: Numbered) -> Result<()> {
        if let Some(given) = self.fingerprints {
            let mut fingerprints: Vec<u64> = filled(0, to.num_nodes, "fingerprints")?;
            for (node, fingerprint) in given.into_iter().enumerate() {
                let node = to.numbers.map_or(node, |numbers| numbers[node] as usize);
                fingerprints[node] = fingerprint;
            }
            write_fingerprints(&to.folder.join(FINGERPRINTS), fingerprints)?;
        }
        if let Some((path, mut out)) = self.merged {
            let copied = out.flush().and_then(|()| {
                let mut input = File::open(&path)?;
                let mut out = File::create(to.folder.join(MERGED))?;
                std::io::copy(&mut input, &mut out)
            });
            copied.map_err(|source| Error::io(to.folder.join(MERGED), "cannot write", source))?;
        }
        match self.texts {
            Some(texts) => texts.write(to),
            None => Ok(()),
        }
    }
}

impl Texts {
    fn create(folder: &TemporaryFolder) -> Result<Self> {
        let (path, file) = folder.new_file()?;
        let out = zstd::Encoder::new(BufWriter::with_capacity(1 << 16, file), 1);
        let out = out.map_err(|source| Error::io(&path, "cannot write", source))?;
        Ok(Texts {
            path,
            out,
            records: 0,
        })
    }

    fn push(
        &mut self,
        write: impl FnOnce(&mut zstd::Encoder<'static, BufWriter<File>>) -> std::io::Result<()>,
    ) -> Result<()> {
        self.records += 1;
        write(&mut self.out).map_err(|source| Error::io(&self.path, "cannot write", source))
    }

    /// Sorts the records by node: the page, then links by source, and then as they came.
    fn write(self, to: Numbered) -> Result<()> {
        let path = self.path;
        let cannot = |source| Error::io(&path, "cannot write", source);
        let out = self.out.finish().map_err(cannot)?;
        let mut file = out
            .into_inner()
            .map_err(|problem| cannot(problem.into_error()))?;
        file.rewind().map_err(cannot)?;
        let input = zstd::Decoder::new(file).map_err(cannot)?;
        let mut input = BufReader::with_capacity(1 << 17, input);
        let number = |node: Node| to.numbers.map_or(node, |numbers| numbers[node as usize]);
        let mut sorter = NameSorter::new(to.room, true);
        let (mut key, mut text) = (Vec::new(), String::new());
        for place in 0..self.records {
            let mut read = || -> std::io::Result<()> {
                let mut kind = [0];
                input.read_exact(&mut kind)?;
                let node = number(read_number(&mut input)?);
                key.clear();
                key.extend(node.to_be_bytes());
                key.extend(kind);
                if kind[0] == OF_LINK {
                    let source = number(read_number(&mut input)?);
                    key.extend(source.to_be_bytes());
                    key.extend(place.to_be_bytes());
                } else {
                    read_text(&mut input, &mut text)?;
                    key.extend((text.len() as u32).to_be_bytes());
                    key.extend(text.as_bytes());
                }
                read_text(&mut input, &mut text)
            };
            read().map_err(|source| Error::io(&path, "cannot read", source))?;
            key.extend(text.as_bytes());
            sorter.push(&key)?;
        }
        write_sorted(sorter, to.folder)
    }
}

/// Writes a line for each node of the sorted records.
fn write_sorted(sorter: NameSorter, folder: &Path) -> Result<()> {
    let mut out = PagesWriter::create(folder)?;
    let mut pending: Option<Page> = None;
    let mut room = 0;
    sorter.finish(&mut |record, _| {
        let Some((node, kind, rest)) = parts(record) else {
            return Ok(());
        };
        if pending.as_ref().is_none_or(|page| page.node != node) {
            let new = Page {
                node,
                ..Page::default()
            };
            if let Some(page) = pending.replace(new) {
                out.push(&page)?;
            }
            room = MAX_ANCHORS;
        }
        let Some(page) = &mut pending else {
            return Ok(());
        };
        if kind == OF_PAGE {
            let (length, rest) = rest.split_first_chunk().unwrap_or((&[0; 4], rest));
            let length = u32::from_be_bytes(*length) as usize;
            let (title, text) = rest.split_at(length.min(rest.len()));
            page.title = String::from_utf8_lossy(title).into_owned();
            page.text = String::from_utf8_lossy(text).into_owned();
        } else {
            // Behind the source and the place.
            let text = rest.get(12..).unwrap_or_default();
            let mut text = String::from_utf8_lossy(text).into_owned();
            cut(&mut text, room);
            room -= text.len();
            if !text.is_empty() {
                page.anchors.push(text);
            }
        }
        Ok(())
    })?;
    pending.iter().try_for_each(|page| out.push(page))?;
    out.finish()
}

/// The node, the kind and the rest of a sorted record.
fn parts(record: &[u8]) -> Option<(Node, u8, &[u8])> {
    let (node, rest) = record.split_first_chunk()?;
    let (kind, rest) = rest.split_first()?;
    Some((Node::from_be_bytes(*node), *kind, rest))
}
