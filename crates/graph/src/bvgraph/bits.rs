//! The bits of a graph file: in memory, or read from the file part by part.

use super::codes::Order;
use dsi_bitstream::prelude::{BufBitReader, MemWordReader};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use webrank_base::error::{Error, Result};
use webrank_base::regular;
use xxhash_rust::xxh3::Xxh3;

/// Bytes read at a time.
const BUFFER: usize = 1 << 18;

/// The bytes of a file as 32-bit words padded with zeros, and their checksum.
pub(crate) struct Words {
    pub(crate) storage: Storage,
    num_bytes: u64,
    checksum: u128,
}

/// Where words are.
pub(crate) enum Storage {
    /// In this process's memory.
    Memory(Box<[u32]>),
    /// In the file, which the system keeps in memory as far as memory allows.
    File(Parts),
}

/// A reader of some bits of a file.
pub struct PartReader<R> {
    pub(crate) reader: R,
    /// The bits of the file that the reader can reach; it counts from the first.
    pub(crate) bits: Range<u64>,
}

impl Words {
    /// Reads a whole file, checksumming what is read.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let mut words = Vec::new();
        let (_, num_bytes, checksum) = scan(path, |expected, bytes| {
            let short = |_| Error::file(path, format!("not enough memory for {expected} bytes"));
            if words.is_empty() {
                let expected = usize::try_from(expected).unwrap_or(usize::MAX);
                words
                    .try_reserve_exact(expected.div_ceil(4))
                    .map_err(short)?;
            }
            words.try_reserve(bytes.len() / 4).map_err(short)?;
            let chunks = bytes.chunks_exact(4);
            words
                .extend(chunks.map(|chunk| u32::from_ne_bytes(chunk.try_into().expect("4 bytes"))));
            Ok(())
        })?;
        Ok(Words {
            storage: Storage::Memory(words.into_boxed_slice()),
            num_bytes,
            checksum,
        })
    }

    /// Checksums a file, whose parts are read when they are needed.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let (file, num_bytes, checksum) = scan(path, |_, _| Ok(()))?;
        let cannot = |source| Error::io(path, "cannot open", source);
        let modified = file.metadata().map_err(cannot)?.modified().ok();
        Ok(Words {
            storage: Storage::File(Parts {
                file,
                path: path.to_owned(),
                num_bytes,
                modified,
            }),
            num_bytes,
            checksum,
        })
    }

    /// Length of the file in bits.
    pub(crate) fn num_bits(&self) -> u64 {
        8 * self.num_bytes
    }

    /// The words of a file that was read; none of a file that is read part by part.
    pub(crate) fn memory(&self) -> &[u32] {
        match &self.storage {
            Storage::Memory(words) => words,
            Storage::File(_) => &[],
        }
    }

    /// xxh3-128 of the file's bytes.
    pub(crate) fn checksum(&self) -> u128 {
        self.checksum
    }
}

/// Reads a file to its end. Calls `visit` with the length that the file claims to have and with the
/// next bytes, a multiple of 4, the last ones padded with zeros.
fn scan(path: &Path, mut visit: impl FnMut(u64, &[u8]) -> Result<()>) -> Result<(File, u64, u128)> {
    let cannot = |source| Error::io(path, "cannot read", source);
    let mut file = regular::open(path)?;
    let claimed = file.metadata().map_err(cannot)?.len();
    let (mut hasher, mut num_bytes) = (Xxh3::new(), 0);
    let small = usize::try_from(claimed).unwrap_or(BUFFER).min(BUFFER - 4);
    let mut buffer = vec![0u8; (small + 4).next_multiple_of(4).min(BUFFER)];
    loop {
        let filled = read_full(&mut file, &mut buffer).map_err(cannot)?;
        hasher.update(&buffer[..filled]);
        num_bytes += filled as u64;
        buffer[filled..].fill(0);
        visit(claimed, &buffer[..filled.next_multiple_of(4)])?;
        if filled < buffer.len() {
            return Ok((file, num_bytes, hasher.digest128()));
        }
    }
}

/// A reader of all words in memory.
pub(crate) fn all<E: Order>(words: &[u32]) -> PartReader<BitReader<E, &[u32]>> {
    PartReader {
        reader: BufBitReader::new(MemWordReader::new(words)),
        bits: 0..u64::MAX,
    }
}

/// A file that is read part by part.
///
/// The file is not mapped: a mapped file that is truncated kills the process.
pub(crate) struct Parts {
    file: File,
    path: PathBuf,
    num_bytes: u64,
    modified: Option<SystemTime>,
}

impl Parts {
    /// The bits `range`, and up to a few words before and after them.
    ///
    /// # Errors
    /// If the file cannot be read, or has changed since it was opened.
    pub(crate) fn part<E: Order>(
        &self,
        range: Range<u64>,
    ) -> Result<PartReader<BitReader<E, Vec<u32>>>> {
        let first = (range.start / 32).min(self.num_bytes.div_ceil(4));
        // Readers look ahead.
        let end = (range.end.div_ceil(32) + 4).min(self.num_bytes.div_ceil(4));
        let mut words = vec![0u32; (end - first) as usize];
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut words);
        let length = bytes
            .len()
            .min((self.num_bytes - (4 * first).min(self.num_bytes)) as usize);
        self.read_at(4 * first, &mut bytes[..length])?;
        Ok(PartReader {
            reader: BufBitReader::new(MemWordReader::new(words)),
            bits: 32 * first..32 * end,
        })
    }

    fn read_at(&self, position: u64, bytes: &mut [u8]) -> Result<()> {
        let changed = || {
            Error::file(
                &self.path,
                "the file has changed while it was read; run again when it stays as it is",
            )
        };
        match regular::read_exact_at(&self.file, bytes, position) {
            Ok(()) => {}
            Err(e) if e.kind() == ErrorKind::UnexpectedEof => return Err(changed()),
            Err(e) => return Err(Error::io(&self.path, "cannot read", e)),
        }
        let now = self.file.metadata();
        let now = now.map_err(|source| Error::io(&self.path, "cannot read", source))?;
        if now.len() != self.num_bytes || now.modified().ok() != self.modified {
            return Err(changed());
        }
        Ok(())
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
pub(crate) type BitReader<E, W> = BufBitReader<E, MemWordReader<u32, W>>;
