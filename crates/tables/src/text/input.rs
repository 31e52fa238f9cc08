//! The bytes of a file or of standard input, decompressed.

use super::checksums::Checksums;
use super::missing::open_file;
use lzma_rust2::XzReader;
use std::io::{BufReader, Cursor, ErrorKind, Read};
use std::path::Path;
use webrank_base::error::{Error, Result};
use webrank_base::memory::free_memory;

/// The longest line or record in bytes: longer than in any table, but little memory.
pub const MAX_LINE: usize = 16 << 20;

/// Bytes to read. Decompression is compiled for this type alone, not for every chain of readers.
type Bytes = Box<dyn Read + Send>;

/// The bytes of a file, or for `-` those of standard input. Files whose names end in `.gz`, `.zst`,
/// `.bz2` or `.xz`, or which start like such files, are decompressed.
///
/// # Errors
/// If the file cannot be opened or read.
pub fn open(path: &Path) -> Result<Box<dyn Read + Send>> {
    open_noting(path, &Checksums::default())
}

/// [`open`] that notes the checksum of the file, compressed as it is, when all of it has been read.
///
/// # Errors
/// As for [`open`].
pub fn open_noting(path: &Path, checksums: &Checksums) -> Result<Box<dyn Read + Send>> {
    let cannot = |source| Error::io(path, "cannot read", source);
    if path.as_os_str() == "-" {
        let input = checksums.noting(path, std::io::stdin());
        return by_first_bytes(Box::new(input)).map_err(cannot);
    }
    let file = open_file(path)?;
    let mut file: Bytes = Box::new(checksums.noting(path, file));
    let extension = path.extension().and_then(|extension| extension.to_str());
    let magic: Option<&[u8]> = match extension {
        Some("gz") => Some(&[0x1f, 0x8b]),
        Some("zst") => Some(&[0x28, 0xb5, 0x2f, 0xfd]),
        Some("bz2") => Some(b"BZh"),
        Some("xz") => Some(b"\xfd7zXZ\0"),
        _ => None,
    };
    let mut first = Vec::new();
    if let Some(magic) = magic {
        let read = file
            .by_ref()
            .take(magic.len() as u64)
            .read_to_end(&mut first);
        read.map_err(cannot)?;
        // The reader of the format refuses a file that is cut off.
        if !first.is_empty() && !magic.starts_with(&first) && is_text(&first) {
            let extension = extension.unwrap_or_default();
            let problem = format!(
                "is named .{extension}, but does not start like such a file: if it is not compressed, \
                 rename it"
            );
            return Err(Error::file(path, problem));
        }
    }
    let file: Bytes = Box::new(Cursor::new(first).chain(file));
    match extension {
        Some("gz") => Ok(gzip(file)),
        Some("zst") => zstd(file).map_err(cannot),
        Some("bz2") => Ok(bzip2(file)),
        Some("xz") => Ok(xz(file)),
        _ => by_first_bytes(file).map_err(cannot),
    }
}

/// True for bytes that a text has.
fn is_text(bytes: &[u8]) -> bool {
    let is_text = |byte: &u8| *byte >= b' ' || b"\t\r\n".contains(byte);
    bytes.iter().all(is_text)
}

/// Bytes that start like a compressed file, decompressed; messages call them `path`.
///
/// # Errors
/// If they cannot be read.
pub fn decompressed(path: &Path, input: Box<dyn Read + Send>) -> Result<Box<dyn Read + Send>> {
    by_first_bytes(input).map_err(|source| Error::io(path, "cannot read", source))
}

/// The bytes of a file as [`open_noting`] reads them, but those of a gzip file as they are, and true:
/// for readers that go on behind damage.
///
/// # Errors
/// As for [`open`].
pub fn open_but_gzip(path: &Path, checksums: &Checksums) -> Result<(Box<dyn Read + Send>, bool)> {
    let cannot = |source| Error::io(path, "cannot read", source);
    let mut input: Bytes = match path.as_os_str() == "-" {
        true => Box::new(checksums.noting(path, std::io::stdin())),
        false => {
            let file = open_file(path)?;
            Box::new(checksums.noting(path, file))
        }
    };
    let mut first = Vec::new();
    let read = input.by_ref().take(2).read_to_end(&mut first);
    read.map_err(cannot)?;
    // The first bytes may be damaged.
    let is_named = path.extension().is_some_and(|extension| extension == "gz");
    let is_gzip = is_named || first == [0x1f, 0x8b];
    let input: Bytes = Box::new(Cursor::new(first).chain(input));
    match is_gzip {
        true => Ok((input, true)),
        false => Ok((by_first_bytes(input).map_err(cannot)?, false)),
    }
}

fn gzip(input: Bytes) -> Bytes {
    Box::new(flate2::read::MultiGzDecoder::new(input))
}

fn zstd(input: Bytes) -> std::io::Result<Bytes> {
    Ok(Box::new(zstd::Decoder::new(input)?))
}

fn bzip2(input: Bytes) -> Bytes {
    Box::new(::bzip2::read::MultiBzDecoder::new(input))
}

/// The largest dictionary of an xz file in KiB; `xz -9` needs 64 MiB.
const XZ_DICTIONARY: u32 = 1 << 20;

fn xz(input: Bytes) -> Bytes {
    let limit = free_memory() / 1024;
    let limit = u32::try_from(limit).unwrap_or(u32::MAX).min(XZ_DICTIONARY);
    let input = BufReader::with_capacity(1 << 16, input);
    Box::new(Xz(XzReader::new_mem_limit(input, true, limit)))
}

/// A reader of xz files with a message of ours where a dictionary is too large.
struct Xz(XzReader<BufReader<Bytes>>);

impl Read for Xz {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.0.read(buffer).map_err(|problem| match problem.kind() {
            ErrorKind::OutOfMemory => std::io::Error::other(
                "its dictionary is larger than 1 GiB or the free memory; compress it with xz -9 or less",
            ),
            _ => problem,
        })
    }
}

/// Decompresses what starts with the magic number of a compressed format; none of them is text.
fn by_first_bytes(mut input: Bytes) -> std::io::Result<Bytes> {
    let mut first = Vec::new();
    input.by_ref().take(10).read_to_end(&mut first)?;
    let starts = |magic: &[u8]| first.starts_with(magic);
    // After the level, bzip2 has a block, or ends.
    let bzip2_part = first.get(4..);
    let is_bzip2 = starts(b"BZh")
        && (bzip2_part == Some(&[0x31, 0x41, 0x59, 0x26, 0x53, 0x59])
            || bzip2_part == Some(&[0x17, 0x72, 0x45, 0x38, 0x50, 0x90]));
    let is_gzip = starts(&[0x1f, 0x8b]);
    let is_zstd = starts(&[0x28, 0xb5, 0x2f, 0xfd]);
    let is_xz = starts(b"\xfd7zXZ\0");
    let input: Bytes = Box::new(Cursor::new(first).chain(input));
    if is_gzip {
        Ok(gzip(input))
    } else if is_zstd {
        zstd(input)
    } else if is_xz {
        Ok(xz(input))
    } else if is_bzip2 {
        Ok(bzip2(input))
    } else {
        Ok(input)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// `bytes` in a file of this name, as [`open`] reads it.
    fn read(name: &str, bytes: &[u8]) -> std::io::Result<Vec<u8>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join(name);
        std::fs::write(&path, bytes)?;
        let mut read = Vec::new();
        let mut input = open(&path).map_err(std::io::Error::other)?;
        input.read_to_end(&mut read)?;
        Ok(read)
    }

    #[test]
    fn compressed_files_are_recognised_by_extension_and_by_first_bytes() {
        let text = b"a\tb\n";
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), Default::default());
        gzip.write_all(text).unwrap();
        let gzip = gzip.finish().unwrap();
        let zstd = zstd::encode_all(&text[..], 1).unwrap();
        let mut bzip2 = ::bzip2::write::BzEncoder::new(Vec::new(), Default::default());
        bzip2.write_all(text).unwrap();
        let bzip2 = bzip2.finish().unwrap();
        let xz = bytes(XZ);
        for (name, bytes) in [
            ("e.tsv", &text[..]),
            ("e.tsv.gz", &gzip),
            ("e.tsv.zst", &zstd),
            ("e.tsv.bz2", &bzip2),
            ("e.tsv.xz", &xz),
            ("e", &gzip),
            ("e", &zstd),
            ("e", &bzip2),
            ("e", &xz),
        ] {
            assert_eq!(read(name, bytes).unwrap(), text);
        }
        for (name, compressed) in [("e.gz", gzip), ("e.zst", zstd), ("e", bzip2), ("e", xz)] {
            let members = compressed.repeat(3);
            assert_eq!(read(name, &members).unwrap(), text.repeat(3), "{name}");
            let half = &compressed[..compressed.len() - 2];
            assert!(read(name, half).is_err(), "{name}");
        }
        for short in [&b""[..], b"a", b"abc", b"BZh1234567"] {
            assert_eq!(read("e", short).unwrap(), short);
        }
        for name in ["e.gz", "e.zst", "e.bz2", "e.xz"] {
            assert!(read(name, text).is_err(), "{name}");
        }
    }

    /// `a<TAB>b` by Python's lzma, and the same with a dictionary of 1.5 GiB.
    const XZ: &str = "fd377a585a0000016922de360200210116000000742fe5a30100036109620a00ce94111a000118046be9f0a59042990d010000000001595a";
    const XZ_LARGE: &str = "fd377a585a0000016922de3602002101250000003b787b410100036109620a00ce94111a000118046be9f0a59042990d010000000001595a";

    fn bytes(hexadecimal: &str) -> Vec<u8> {
        let digits = (0..hexadecimal.len()).step_by(2);
        let byte = |at: usize| u8::from_str_radix(&hexadecimal[at..at + 2], 16).unwrap();
        digits.map(byte).collect()
    }

    #[test]
    fn dictionaries_of_xz_files_are_bounded() {
        let problem = read("e.xz", &bytes(XZ_LARGE)).unwrap_err();
        assert!(problem.to_string().contains("its dictionary"), "{problem}");
    }
}
