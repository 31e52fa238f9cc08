//! The bytes of a file or of standard input, decompressed.

use super::checksums::Checksums;
use crate::error::{Error, Result};
use std::fs::File;
use std::io::{Chain, Cursor, Read};
use std::path::Path;

/// The longest line or record in bytes: longer than in any table, but little memory.
pub const MAX_LINE: usize = 16 << 20;

/// The bytes of a file, or for `-` those of standard input. Files whose names end in `.gz` or
/// `.zst`, or which start like such files, are decompressed.
///
/// # Errors
/// If the file cannot be opened or read.
pub fn open(path: &Path) -> Result<Box<dyn Read + Send>> {
    open_noting(path, &Checksums::default())
}

/// The same; notes the checksum of the file, compressed as it is, when all of it has been read.
///
/// # Errors
/// As for [`open`].
pub fn open_noting(path: &Path, checksums: &Checksums) -> Result<Box<dyn Read + Send>> {
    let cannot = |source| Error::io(path, "cannot read", source);
    if path.as_os_str() == "-" {
        let input = checksums.noting(path, std::io::stdin());
        return by_first_bytes(input).map_err(cannot);
    }
    let file = File::open(path).map_err(|source| Error::io(path, "cannot open", source))?;
    let file = checksums.noting(path, file);
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("gz") => Ok(gzip(file)),
        Some("zst") => zstd(file).map_err(cannot),
        _ => by_first_bytes(file).map_err(cannot),
    }
}

fn gzip(input: impl Read + Send + 'static) -> Box<dyn Read + Send> {
    Box::new(flate2::read::MultiGzDecoder::new(input))
}

fn zstd(input: impl Read + Send + 'static) -> std::io::Result<Box<dyn Read + Send>> {
    Ok(Box::new(zstd::Decoder::new(input)?))
}

/// Decompresses what starts with the magic number of gzip or zstd, neither of which is UTF-8.
fn by_first_bytes(mut input: impl Read + Send + 'static) -> std::io::Result<Box<dyn Read + Send>> {
    let mut first = Vec::new();
    input.by_ref().take(4).read_to_end(&mut first)?;
    let is_gzip = first.starts_with(&[0x1f, 0x8b]);
    let is_zstd = first == [0x28, 0xb5, 0x2f, 0xfd];
    let input: Chain<Cursor<Vec<u8>>, _> = Cursor::new(first).chain(input);
    match (is_gzip, is_zstd) {
        (true, _) => Ok(gzip(input)),
        (_, true) => zstd(input),
        _ => Ok(Box::new(input)),
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
        open(&path).unwrap().read_to_end(&mut read)?;
        Ok(read)
    }

    #[test]
    fn compressed_files_are_recognised_by_extension_and_by_first_bytes() {
        let text = b"a\tb\n";
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), Default::default());
        gzip.write_all(text).unwrap();
        let gzip = gzip.finish().unwrap();
        let zstd = zstd::encode_all(&text[..], 1).unwrap();
        for (name, bytes) in [
            ("e.tsv", &text[..]),
            ("e.tsv.gz", &gzip),
            ("e.tsv.zst", &zstd),
            ("e", &gzip),
            ("e", &zstd),
        ] {
            assert_eq!(read(name, bytes).unwrap(), text);
        }
        for short in [&b""[..], b"a", b"abc"] {
            assert_eq!(read("e", short).unwrap(), short);
        }
        assert!(read("e.gz", text).is_err());
        assert!(read("e.zst", &zstd[..6]).is_err());
    }
}
