//! Regular files: what graphs consist of.

use crate::error::{Error, Result};
use std::fs::File;
#[cfg(unix)]
use std::os::unix::fs::FileExt;
use std::path::Path;

/// Opens a regular file, or a link to one. Pipes and devices, which may never end, are refused
/// before they are opened.
///
/// # Errors
/// If there is no such file, or if it cannot be opened.
pub fn open(path: &Path) -> Result<File> {
    let cannot = |source| Error::io(path, "cannot open", source);
    if !path.metadata().map_err(cannot)?.is_file() {
        return Err(refused(path));
    }
    File::open(path).map_err(cannot)
}

/// The error for a path that is no regular file.
pub fn refused(path: &Path) -> Error {
    Error::file(
        path,
        "not a regular file; graphs are read from regular files or links to them",
    )
}

/// The content of a regular file of at most `limit` bytes, none if it does not exist.
///
/// # Errors
/// If it is longer, or cannot be read.
pub fn read(path: &Path, limit: u64) -> Result<Option<Vec<u8>>> {
    use std::io::{ErrorKind, Read};
    let cannot = |source| Error::io(path, "cannot read", source);
    match path.metadata() {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(cannot(e)),
        Ok(metadata) if !metadata.is_file() => return Err(refused(path)),
        Ok(_) => {}
    }
    let (file, mut bytes) = (open(path)?, Vec::new());
    file.take(limit + 1)
        .read_to_end(&mut bytes)
        .map_err(cannot)?;
    if bytes.len() as u64 > limit {
        let problem = format!("longer than {} MiB; is this the right file?", limit >> 20);
        return Err(Error::file(path, problem));
    }
    Ok(Some(bytes))
}

/// Fills `bytes` with those of a file at `position`, wherever other readers are.
#[cfg(unix)]
pub fn read_exact_at(file: &File, bytes: &mut [u8], position: u64) -> std::io::Result<()> {
    file.read_exact_at(bytes, position)
}

/// Where reads and writes move the position of the file: one thread at a time.
#[cfg(not(unix))]
static ONE: std::sync::Mutex<()> = std::sync::Mutex::new(());

/// As on Unix, one thread at a time.
#[cfg(not(unix))]
pub fn read_exact_at(mut file: &File, bytes: &mut [u8], position: u64) -> std::io::Result<()> {
    use std::io::{Seek, SeekFrom};
    let _one = ONE.lock().unwrap_or_else(|broken| broken.into_inner());
    file.seek(SeekFrom::Start(position))?;
    file.read_exact(bytes)
}

/// Writes `bytes` to a file at `position`, wherever other writers are.
#[cfg(unix)]
pub fn write_all_at(file: &File, bytes: &[u8], position: u64) -> std::io::Result<()> {
    file.write_all_at(bytes, position)
}

/// As for [`read_exact_at`].
#[cfg(not(unix))]
pub fn write_all_at(mut file: &File, bytes: &[u8], position: u64) -> std::io::Result<()> {
    use std::io::{Seek, SeekFrom, Write};
    let _one = ONE.lock().unwrap_or_else(|broken| broken.into_inner());
    file.seek(SeekFrom::Start(position))?;
    file.write_all(bytes)
}

/// Asks the system to read these bytes of a file, which are needed soon.
#[cfg(target_os = "linux")]
pub fn ask(file: &File, start: u64, bytes: u64) {
    use rustix::fs::{Advice, fadvise};
    if let Some(bytes) = std::num::NonZeroU64::new(bytes) {
        // Only speed depends on it.
        let _ = fadvise(file, start, Some(bytes), Advice::WillNeed);
    }
}

/// Asks nothing on this system.
#[cfg(not(target_os = "linux"))]
pub fn ask(_file: &File, _start: u64, _bytes: u64) {}

/// Bytes that the system is asked to read ahead.
#[cfg(target_os = "linux")]
const AHEAD: u64 = 8 << 20;

/// Up to where the system has been asked to read a file that is read again and again from its beginning
/// to its end.
#[derive(Default)]
pub struct Ahead {
    #[cfg(target_os = "linux")]
    asked: std::sync::atomic::AtomicU64,
}

impl Ahead {
    /// Asks the system to read ahead, if the reader at `start` gets near to what it was asked for last,
    /// or is so far before it that a new sweep must have begun.
    #[cfg(target_os = "linux")]
    pub fn ask(&self, file: &File, start: u64) {
        use std::sync::atomic::Ordering::Relaxed;
        let asked = self.asked.load(Relaxed);
        let until = start + 2 * AHEAD;
        let from = match asked {
            asked if asked > until + AHEAD => start,
            asked if asked > start + AHEAD => return,
            asked => asked.max(start),
        };
        // Two threads may ask for the same bytes, which does no harm.
        self.asked.store(until, Relaxed);
        ask(file, from, until - from);
    }

    #[cfg(not(target_os = "linux"))]
    pub fn ask(&self, _file: &File, _start: u64) {}
}
