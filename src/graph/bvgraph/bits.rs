//! The bits of a graph file, and readers for the codes they are written in.

use super::properties::Code;
use crate::error::{Error, Result};
use dsi_bitstream::dispatch::{CodesRead, FuncCodeReader};
use dsi_bitstream::prelude::{BufBitReader, Endianness, MemWordReader};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use webgraph::graphs::bvgraph::MemoryFlags;
use webgraph::utils::MmapHelper;
use xxhash_rust::xxh3::Xxh3;

/// The bytes of a file as 32-bit words padded with zeros, and their checksum.
pub(crate) struct Words {
    words: Storage,
    num_bytes: u64,
    checksum: u128,
}

enum Storage {
    /// In this process's memory.
    Read(Box<[u32]>),
    /// In the file, which the system keeps in memory as far as memory allows.
    Mapped(MmapHelper<u32>),
}

impl Words {
    /// Maps a file into memory, checksumming it. The file must not be truncated while it is mapped.
    pub(crate) fn map(path: &Path) -> Result<Self> {
        let cannot = |source| Error::io(path, "cannot open", source);
        let num_bytes = path.metadata().map_err(cannot)?.len();
        // Windows maps no bytes beyond the end of a file, not even those of the last word.
        if num_bytes == 0 || cfg!(windows) && num_bytes % 4 != 0 {
            return Self::read(path);
        }
        let mapped = MmapHelper::<u32>::mmap(path, MemoryFlags::default().into())
            .map_err(|problem| Error::file(path, format!("cannot be mapped: {problem:#}")))?;
        let words = mapped.as_ref();
        let mut hasher = Xxh3::new();
        let mut buffer = Vec::with_capacity(1 << 18);
        let mut rest = num_bytes as usize;
        for piece in words.chunks(1 << 16) {
            buffer.clear();
            buffer.extend(piece.iter().flat_map(|word| word.to_ne_bytes()));
            buffer.truncate(rest);
            rest -= buffer.len();
            hasher.update(&buffer);
        }
        Ok(Words {
            num_bytes,
            checksum: hasher.digest128(),
            words: Storage::Mapped(mapped),
        })
    }

    /// Reads a whole file, checksumming what is read.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let cannot = |source| Error::io(path, "cannot read", source);
        let mut file = File::open(path).map_err(|source| Error::io(path, "cannot open", source))?;
        let expected = file.metadata().map_err(cannot)?.len() as usize;
        let mut words = Vec::new();
        words
            .try_reserve_exact(expected.div_ceil(4))
            .map_err(|_| Error::file(path, format!("not enough memory for {expected} bytes")))?;
        let mut hasher = Xxh3::new();
        let mut num_bytes = 0;
        let mut buffer = vec![0u8; 1 << 18];
        loop {
            let filled = read_full(&mut file, &mut buffer).map_err(cannot)?;
            hasher.update(&buffer[..filled]);
            num_bytes += filled as u64;
            buffer[filled..].fill(0);
            let chunks = buffer[..filled.next_multiple_of(4)].chunks_exact(4);
            words
                .extend(chunks.map(|chunk| u32::from_ne_bytes(chunk.try_into().expect("4 bytes"))));
            if filled < buffer.len() {
                break;
            }
        }
        Ok(Words {
            words: Storage::Read(words.into_boxed_slice()),
            num_bytes,
            checksum: hasher.digest128(),
        })
    }

    /// Length of the file in bits.
    pub(crate) fn num_bits(&self) -> u64 {
        8 * self.num_bytes
    }

    /// xxh3-128 of the file's bytes.
    pub(crate) fn checksum(&self) -> u128 {
        self.checksum
    }

    /// A bit reader at the start of the file.
    pub(crate) fn reader<E: Endianness>(&self) -> BitReader<'_, E> {
        let words = match &self.words {
            Storage::Read(words) => words,
            Storage::Mapped(words) => words.as_ref(),
        };
        BufBitReader::new(MemWordReader::new(words))
    }
}

/// Reads until `buffer` is full or the file ends; returns the number of bytes read.
fn read_full(file: &mut File, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(filled)
}

/// A reader of codes over words in memory: reading beyond their end is an error.
pub(crate) type BitReader<'w, E> = BufBitReader<E, MemWordReader<u32, &'w [u32]>>;

/// Reads one integer.
pub(crate) type ReadCode<E, R> = FuncCodeReader<E, R>;

/// The function that reads `code`.
///
/// # Panics
/// Never for codes that [`crate::graph::bvgraph::properties::Properties::parse`] lets through.
pub(crate) fn read_code<E: Endianness, R: CodesRead<E>>(code: Code) -> ReadCode<E, R> {
    match code {
        Code::Standard(code) => FuncCodeReader::new(code).expect("a code that properties may name"),
        Code::Nibble => FuncCodeReader::new_with_func(read_nibble),
    }
}

fn read_nibble<E: Endianness, R: CodesRead<E>>(bits: &mut R) -> Result<u64, R::Error> {
    let mut value = 0u64;
    loop {
        let nibble = bits.read_bits(4)?;
        value = value << 3 | nibble & 0b111;
        if nibble & 0b1000 != 0 {
            return Ok(value);
        }
    }
}
