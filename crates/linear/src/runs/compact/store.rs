//! The bytes of all blocks: in memory, or in a file.

use super::block::Block;
use std::fs::File;
use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use webrank_base::error::{Error, Result};
use webrank_base::output::{SpillBudget, TemporaryFolder};
use webrank_base::regular;
use webrank_base::regular::Ahead;
use xxhash_rust::xxh3::xxh3_64;

/// Where the bytes of a block are.
enum Place {
    Memory(Vec<u8>),
    File {
        start: u64,
        length: usize,
        checksum: u64,
    },
}

/// The bytes of all blocks.
pub(super) struct Store {
    places: Vec<Place>,
    /// Bytes in memory.
    held: u64,
    /// Bytes in all.
    size: u64,
    room: SpillBudget,
    file: Option<Scratch>,
}

struct Scratch {
    path: PathBuf,
    file: File,
    end: u64,
    ahead: Ahead,
    /// The folder goes with the last file in it.
    _folder: Arc<TemporaryFolder>,
}

impl Store {
    /// A store that keeps as much in memory as there is room for, and everything in a file otherwise.
    pub(super) fn new(room: SpillBudget) -> Self {
        Store {
            places: Vec::new(),
            held: 0,
            size: 0,
            room,
            file: None,
        }
    }

    /// The number of blocks.
    pub(super) fn num_blocks(&self) -> usize {
        self.places.len()
    }

    /// Gives back the room for more blocks.
    pub(super) fn shrink(&mut self) {
        self.places.shrink_to_fit();
    }

    /// Bytes of all blocks.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Whether they are in a file.
    pub(super) fn is_on_disk(&self) -> bool {
        self.file.is_some()
    }

    /// The room that is left for other bytes.
    pub(super) fn rest_of_room(&self) -> SpillBudget {
        SpillBudget {
            bytes: self.room.bytes.saturating_sub(self.held),
            folder: self.room.folder.clone(),
        }
    }

    /// Adds the next block.
    ///
    /// # Errors
    /// If there is no room for it, or if it cannot be written.
    pub(super) fn push(&mut self, block: Block) -> Result<()> {
        let length = block.bytes.len() as u64;
        self.size += length;
        if self.file.is_none() && self.held + length > self.room.bytes {
            self.spill(length)?;
        }
        let place = match &mut self.file {
            Some(file) => file.write(&block.bytes, block.checksum())?,
            None => {
                self.held += length;
                Place::Memory(block.bytes)
            }
        };
        self.places.push(place);
        Ok(())
    }

    /// Writes what is in memory to a file, to have room for a block of `length` bytes.
    fn spill(&mut self, length: u64) -> Result<()> {
        let Some(folder) = &self.room.folder else {
            let what = "rows (the form disk keeps them in a file)";
            return Err(Error::memory(what, length));
        };
        let (path, file) = folder.new_file()?;
        let mut scratch = Scratch {
            path,
            file,
            end: 0,
            ahead: Ahead::default(),
            _folder: folder.clone(),
        };
        for place in &mut self.places {
            if let Place::Memory(bytes) = place {
                *place = scratch.write(bytes, xxh3_64(bytes))?;
            }
        }
        self.held = 0;
        self.file = Some(scratch);
        Ok(())
    }

    /// The bytes of a block; `buffer` holds them if they are in the file.
    ///
    /// # Errors
    /// If the file cannot be read or has changed.
    pub(super) fn bytes<'s>(&'s self, block: usize, buffer: &'s mut Vec<u8>) -> Result<&'s [u8]> {
        match (&self.places[block], &self.file) {
            (Place::Memory(bytes), _) => Ok(bytes),
            (
                &Place::File {
                    start,
                    length,
                    checksum,
                },
                Some(file),
            ) => {
                file.ahead.ask(&file.file, start);
                buffer.resize(length, 0);
                let read = regular::read_exact_at(&file.file, buffer, start);
                read.map_err(|source| Error::io(&file.path, "cannot read", source))?;
                if xxh3_64(buffer) != checksum {
                    return Err(self.damaged());
                }
                Ok(buffer)
            }
            (Place::File { .. }, None) => Err(self.damaged()),
        }
    }

    /// Appends bytes of a block to `into`, wherever they are. The checksum is that of the whole block, so
    /// the caller must have another.
    ///
    /// # Errors
    /// If the block has no such bytes, or if the file cannot be read.
    pub(super) fn read_part(
        &self,
        block: usize,
        range: Range<usize>,
        into: &mut Vec<u8>,
    ) -> Result<()> {
        match (&self.places[block], &self.file) {
            (Place::Memory(bytes), _) => {
                let part = bytes.get(range).ok_or_else(|| self.damaged())?;
                into.extend_from_slice(part);
            }
            (&Place::File { start, length, .. }, Some(file)) => {
                if range.start > range.end || range.end > length {
                    return Err(self.damaged());
                }
                let (held, position) = (into.len(), start + range.start as u64);
                into.resize(held + range.len(), 0);
                let read = regular::read_exact_at(&file.file, &mut into[held..], position);
                read.map_err(|source| Error::io(&file.path, "cannot read", source))?;
            }
            (Place::File { .. }, None) => return Err(self.damaged()),
        }
        Ok(())
    }

    /// The error for bytes that are not those of a block.
    pub(super) fn damaged(&self) -> Error {
        let problem = "the temporary file has changed since it was written; run the command again, \
                       with temporary files on another disk";
        let path = self.file.as_ref().map(|file| file.path.clone());
        Error::file(path.unwrap_or_default(), problem)
    }
}

impl Scratch {
    fn write(&mut self, bytes: &[u8], checksum: u64) -> Result<Place> {
        let written = self.file.write_all(bytes);
        written.map_err(|source| Error::io(&self.path, "cannot write", source))?;
        let (start, length) = (self.end, bytes.len());
        self.end += length as u64;
        Ok(Place::File {
            start,
            length,
            checksum,
        })
    }
}
