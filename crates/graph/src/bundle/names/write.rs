//! Writes names and their index while names come, without holding more than some blocks of them.

use super::blocks::{BLOCK, Place, compressor};
use super::header::{Header, Tree};
use super::order::{GROUP, pack, width};
use super::sorter::NameSorter;
use super::tree::{IndexFile, TreeWriter};
use crate::bundle::NAMES_INDEX;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::free_memory;
use webrank_base::output::{SpillBudget, TemporaryFolder};
use webrank_base::parallel::tasks;
use webrank_tables::text::input;
use webrank_tables::text::input::MAX_LINE;
use webrank_tables::text::names::is_number;
use xxhash_rust::xxh3::Xxh3;

/// Writes names in node order, one a line, and their index.
pub struct NamesWriter {
    /// Where the names are written, and where they will be.
    path: PathBuf,
    shown: PathBuf,
    out: BufWriter<File>,
    hasher: Xxh3,
    bytes: u64,
    index: IndexFile,
    tree: TreeWriter,
    /// Blocks that are compressed together.
    full: Vec<Block>,
    filling: Block,
    last: Vec<u8>,
    count: u64,
    is_sorted: bool,
    has_numbers: bool,
    repeats: Repeats,
    /// For sorting; a part of the free memory if it is not given.
    room: Option<SpillBudget>,
}

/// Names that several nodes have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Repeats {
    /// The nodes whose name another one has that comes before it.
    pub nodes: u64,
    /// The first such name, in order of names.
    pub first: Option<String>,
}

impl Repeats {
    fn add(&mut self, name: &[u8]) {
        self.nodes += 1;
        self.first
            .get_or_insert_with(|| String::from_utf8_lossy(name).into_owned());
    }
}

/// Lines that become a block.
#[derive(Default)]
struct Block {
    text: Vec<u8>,
    first: Node,
    key: Vec<u8>,
}

/// Blocks that are compressed together: some for each of many threads. They take 2 MiB.
const BATCH: usize = 128;

/// Blocks that a task compresses.
const BLOCKS_OF_TASK: usize = 8;

/// Writes names in node order to a file, and their index beside it.
///
/// # Errors
/// If they cannot be names, or cannot be written.
pub fn write_names<N: AsRef<str>>(names: impl Iterator<Item = N>, path: &Path) -> Result<()> {
    let mut writer = NamesWriter::create(path, path, None)?;
    for name in names {
        writer.push(name.as_ref())?;
    }
    writer.finish().map(drop)
}

/// The index of names, beside them.
fn index_beside(names: &Path) -> PathBuf {
    names.with_file_name(NAMES_INDEX)
}

/// The shortest text above `last` that `name` starts with; `name`, if they are equal.
fn separator<'n>(last: &[u8], name: &'n [u8]) -> &'n [u8] {
    let shared = last.iter().zip(name).take_while(|(a, b)| a == b).count();
    &name[..name.len().min(shared + 1)]
}

impl NamesWriter {
    /// Begins the names at `path`, which messages show as `shown`. Names that do not come in order
    /// are sorted within `room`.
    ///
    /// # Errors
    /// If the files cannot be made.
    pub fn create(path: &Path, shown: &Path, room: Option<SpillBudget>) -> Result<Self> {
        let cannot = |source| Error::io(shown, "cannot create", source);
        let file = File::create(path).map_err(cannot)?;
        Ok(NamesWriter {
            path: path.to_owned(),
            shown: shown.to_owned(),
            out: BufWriter::with_capacity(1 << 18, file),
            hasher: Xxh3::new(),
            bytes: 0,
            index: IndexFile::create(&index_beside(path))
                .map_err(|source| Error::io(index_beside(shown), "cannot create", source))?,
            tree: TreeWriter::default(),
            full: Vec::new(),
            filling: Block::default(),
            last: Vec::new(),
            count: 0,
            is_sorted: true,
            has_numbers: false,
            repeats: Repeats::default(),
            room,
        })
    }

    /// The name of the next node.
    ///
    /// # Errors
    /// If it cannot be a name, or cannot be written.
    pub fn push(&mut self, name: &str) -> Result<()> {
        let bytes = name.as_bytes();
        if bytes.len() > MAX_LINE || bytes.contains(&b'\n') {
            let problem = "a name is longer than 16 MiB or contains a line feed; rename it";
            return Err(Error::line(&self.shown, self.count + 1, problem));
        }
        self.is_sorted &= *self.last <= *bytes;
        self.has_numbers |= is_number(bytes);
        // If names do not come in order, they are counted when they are sorted.
        if self.count > 0 && *self.last == *bytes {
            self.repeats.add(bytes);
        }
        if self.filling.text.len() + bytes.len() >= BLOCK {
            self.close_block()?;
        }
        if self.filling.text.is_empty() {
            self.filling.first = self.count as Node;
            if self.is_sorted {
                self.filling.key.extend(separator(&self.last, bytes));
            }
        }
        self.filling.text.extend_from_slice(bytes);
        self.filling.text.push(b'\n');
        self.last.clear();
        self.last.extend_from_slice(bytes);
        self.count += 1;
        Ok(())
    }

    fn close_block(&mut self) -> Result<()> {
        if self.filling.text.is_empty() {
            return Ok(());
        }
        // Blocks of long names are not gathered.
        let is_long = self.filling.text.len() > BLOCK;
        self.full.push(std::mem::take(&mut self.filling));
        match self.full.len() >= BATCH || is_long {
            true => self.write_blocks(),
            false => Ok(()),
        }
    }

    /// Compresses the blocks at hand with all threads, and writes them in their order.
    fn write_blocks(&mut self) -> Result<()> {
        let blocks = std::mem::take(&mut self.full);
        let compressed = tasks::try_map(blocks.chunks(BLOCKS_OF_TASK), |blocks| {
            let mut compressor = compressor()?;
            let mut compress = |block: &Block| compressor.compress(&block.text);
            blocks.iter().map(&mut compress).collect::<io::Result<_>>()
        });
        let compressed: Vec<Vec<Vec<u8>>> = compressed.map_err(|e| self.cannot_write(e))?;
        for (block, bytes) in blocks.iter().zip(compressed.iter().flatten()) {
            let place = Place {
                offset: self.bytes,
                length: bytes.len() as u32,
                content: block.text.len() as u32,
            };
            let key: &[u8] = if self.is_sorted { &block.key } else { &[] };
            self.put(bytes).map_err(|e| self.cannot_write(e))?;
            let added = self.tree.push(place, block.first, key, &mut self.index);
            added.map_err(|e| self.cannot_index(e))?;
        }
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hasher.update(bytes);
        self.bytes += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    fn cannot_write(&self, source: io::Error) -> Error {
        Error::io(&self.shown, "cannot write", source)
    }

    fn cannot_index(&self, source: io::Error) -> Error {
        Error::io(index_beside(&self.shown), "cannot write", source)
    }

    /// Writes what is left; returns which names several nodes have.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> Result<Repeats> {
        self.close_block()?;
        self.write_blocks()?;
        let write = |writer: &mut Self| {
            if writer.count == 0 {
                // A file without a frame is none for zstd.
                let frame = compressor()?.compress(b"")?;
                writer.put(&frame)?;
            }
            writer.out.flush()
        };
        write(&mut self).map_err(|e| self.cannot_write(e))?;
        let by_node = std::mem::take(&mut self.tree).finish(&mut self.index);
        let by_node = by_node.map_err(|e| self.cannot_index(e))?;
        let by_name = match self.is_sorted {
            true => by_node,
            false => self.write_order()?,
        };
        let header = Header {
            is_sorted: self.is_sorted,
            has_numbers: self.has_numbers,
            count: self.count,
            names: (self.bytes, self.hasher.digest128()),
            bytes: self.index.position(),
            by_node,
            by_name,
        };
        let finished = self.index.finish(&header.to_bytes());
        let shown = index_beside(&self.shown);
        finished.map_err(|source| Error::io(shown, "cannot write", source))?;
        Ok(self.repeats)
    }

    /// Writes the nodes in order of their names, which are read once more from their file.
    fn write_order(&mut self) -> Result<Tree> {
        let mut sorter = NameSorter::new(self.sorting_room()?, true);
        let mut lines = BufReader::with_capacity(1 << 18, input::open(&self.path)?);
        let mut line = Vec::new();
        for _ in 0..self.count {
            line.clear();
            let read = lines.read_until(b'\n', &mut line);
            read.map_err(|source| Error::io(&self.shown, "cannot read", source))?;
            sorter.push(line.strip_suffix(b"\n").unwrap_or(&line))?;
        }
        let mut order = OrderWriter {
            tree: TreeWriter::default(),
            group: Vec::new(),
            width: width(self.count),
            first: 0,
            key: Vec::new(),
            last: Vec::new(),
            repeats: Repeats::default(),
        };
        let (index, shown) = (&mut self.index, index_beside(&self.shown));
        let cannot = |source| Error::io(&shown, "cannot write", source);
        sorter.finish(&mut |name, node| order.push(name, node, index).map_err(cannot))?;
        self.repeats = std::mem::take(&mut order.repeats);
        order.finish(index).map_err(cannot)
    }

    /// Where names are sorted: beside the bundle that is being filled, unless a place is given.
    fn sorting_room(&mut self) -> Result<SpillBudget> {
        if let Some(room) = self.room.take() {
            return Ok(room);
        }
        let bundle = self.path.parent().and_then(Path::parent);
        let folder = bundle.filter(|folder| !folder.as_os_str().is_empty());
        let folder = TemporaryFolder::create(folder.unwrap_or(Path::new(".")))?;
        Ok(SpillBudget {
            bytes: (free_memory() / 8).min(1 << 30),
            folder: Some(Arc::new(folder)),
        })
    }
}

/// Writes groups of nodes in order of their names.
struct OrderWriter {
    tree: TreeWriter,
    group: Vec<Node>,
    width: u32,
    /// The number of nodes in the groups before, and the key of this one.
    first: u32,
    key: Vec<u8>,
    last: Vec<u8>,
    repeats: Repeats,
}

impl OrderWriter {
    fn push(&mut self, name: &[u8], node: Node, index: &mut IndexFile) -> io::Result<()> {
        if *self.last == *name && self.first as usize + self.group.len() > 0 {
            self.repeats.add(name);
        }
        if self.group.len() == GROUP {
            self.close(index)?;
        }
        if self.group.is_empty() {
            self.key.clear();
            self.key.extend(separator(&self.last, name));
        }
        self.group.push(node);
        self.last.clear();
        self.last.extend_from_slice(name);
        Ok(())
    }

    fn close(&mut self, index: &mut IndexFile) -> io::Result<()> {
        let place = index.block(&pack(&self.group, self.width))?;
        self.tree.push(place, self.first, &self.key, index)?;
        self.first += self.group.len() as u32;
        self.group.clear();
        Ok(())
    }

    fn finish(mut self, index: &mut IndexFile) -> io::Result<Tree> {
        // There are at least two names that are not in order.
        self.close(index)?;
        self.tree.finish(index)
    }
}
