//! Temporary paths, and how they go away.
//!
//! A run holds a lock on each of its temporary paths. The system releases locks when a process ends,
//! however it ends, so a temporary path without a lock belongs to a run that was killed, on this
//! machine or on another that shares the folder.

use super::access;
use crate::error::{Error, Result};
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tempfile::Builder;

const PREFIX: &str = ".rank-";
const SUFFIX: &str = ".part";

static PENDING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// While this is held, no other thread publishes or removes temporary paths.
pub(super) fn pending() -> MutexGuard<'static, Vec<PathBuf>> {
    PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes every temporary file and directory of this process. For signal handlers: the process
/// must exit afterwards. Until then, other threads cannot publish files.
pub fn remove_pending() {
    let paths = pending();
    for path in paths.iter() {
        // Errors are ignored while exiting.
        let _ = std::fs::remove_file(path).or_else(|_| std::fs::remove_dir_all(path));
    }
    std::mem::forget(paths);
}

/// A temporary path of this process: locked, and removed when the process is interrupted.
pub(super) struct Claim {
    path: PathBuf,
    lock: Option<File>,
}

impl Claim {
    /// Claims a new path; `lock` is its open file. None if another process has just taken the path
    /// for the litter of a killed run.
    fn new(path: &Path, lock: Option<File>) -> Option<Self> {
        // Where there are no locks, nobody removes litter. Windows may refuse to rename an open file.
        let lock = lock.filter(|_| cfg!(unix));
        let is_lost = lock
            .as_ref()
            .is_some_and(|lock| matches!(lock.try_lock(), Err(TryLockError::WouldBlock)));
        if is_lost || path.symlink_metadata().is_err() {
            return None;
        }
        pending().push(path.to_owned());
        Some(Claim {
            path: path.to_owned(),
            lock,
        })
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        pending().retain(|path| *path != self.path);
    }
}

/// Makes a temporary path in `folder` with `make`, and claims it. The path is for `target`. It has
/// these permissions, narrowed by the process's umask; on systems without modes, such as Windows,
/// those of its folder.
pub(super) fn temporary<T>(
    target: &Path,
    folder: &Path,
    mode: u32,
    make: impl Fn(&Builder, &Path) -> std::io::Result<T>,
    open: impl Fn(&T) -> (PathBuf, Option<File>),
) -> Result<(T, Claim)> {
    let mut builder = Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    for _ in 0..100 {
        let made = make(&builder, folder).map_err(|source| in_folder(target, folder, &source))?;
        let (path, lock) = open(&made);
        if let Some(claim) = Claim::new(&path, lock) {
            remove_litter(folder, claim.lock.as_ref());
            return Ok((made, claim));
        }
    }
    let problem = "another process removes temporary files as soon as they are made; stop it";
    Err(Error::file(target, problem))
}

/// The error of a folder in which nothing can be made. The temporary path is of no interest, and gone.
fn in_folder(target: &Path, folder: &Path, source: &std::io::Error) -> Error {
    let text = source.to_string();
    let why = text.split(" at path ").next().unwrap_or(&text);
    let why = format!("{}: {why}", folder.display());
    let source = std::io::Error::new(source.kind(), why);
    Error::io(target, "cannot write to its folder", source)
}

/// Removes the temporary paths of runs that were killed, if they belong to the owner of `own`, a
/// file in the same folder. Others could put something else in the place of theirs meanwhile.
fn remove_litter(folder: &Path, own: Option<&File>) {
    let own = own.and_then(|own| own.metadata().ok());
    let (Some(own), Ok(entries)) = (own, folder.read_dir()) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if !name.starts_with(PREFIX) || !name.ends_with(SUFFIX) {
            continue;
        }
        let path = entry.path();
        let opened = match entry.metadata() {
            Ok(found) if !access::have_one_owner(&found, &own) => continue,
            Ok(found) if found.is_dir() => File::open(&path),
            Ok(found) if found.is_file() => File::options().read(true).write(true).open(&path),
            _ => continue,
        };
        let Ok(lock) = opened else { continue };
        if lock.try_lock().is_ok() {
            // A path that cannot be removed stays.
            let _ = std::fs::remove_file(&path).or_else(|_| remove_owned(&path, |_| true));
        }
    }
}

/// Removes the files of a directory, and of the directories in it, that `owns` names as in
/// [`super::DirectoryKind::owns`], and the directories if they are empty then.
pub(super) fn remove_owned(directory: &Path, owns: impl Fn(&str) -> bool) -> std::io::Result<()> {
    for entry in directory.read_dir()? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() {
            if owns(&format!("{name}/")) {
                remove_files(&entry.path(), |file| owns(&format!("{name}/{file}")))?;
            }
        } else if owns(&name) {
            std::fs::remove_file(entry.path())?;
        }
    }
    std::fs::remove_dir(directory)
}

/// Removes the files of a directory without others in it, and the directory if it is empty then.
fn remove_files(directory: &Path, owns: impl Fn(&str) -> bool) -> std::io::Result<()> {
    for entry in directory.read_dir()? {
        let entry = entry?;
        if owns(&entry.file_name().to_string_lossy()) {
            std::fs::remove_file(entry.path())?;
        }
    }
    std::fs::remove_dir(directory)
}

/// A folder for files of a run, removed with them when it is dropped, when the process is
/// interrupted, or after a kill by the next run that uses the same folder.
pub struct TemporaryFolder {
    folder: tempfile::TempDir,
    files: AtomicUsize,
    _claim: Claim,
}

impl TemporaryFolder {
    /// A new folder in `parent`.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn create(parent: &Path) -> Result<Self> {
        if !parent.is_dir() {
            let problem = "is no folder: name one for temporary files (--temp)";
            return Err(Error::file(parent, problem));
        }
        let (folder, claim) = temporary(
            parent,
            parent,
            0o700,
            |builder, folder| builder.tempdir_in(folder),
            |folder| (folder.path().to_owned(), File::open(folder.path()).ok()),
        )?;
        Ok(TemporaryFolder {
            folder,
            files: AtomicUsize::new(0),
            _claim: claim,
        })
    }

    /// Where it is. Files that are put there must not lie in folders below: those of a killed run
    /// would stay.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A new file in it, for writing and reading.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new_file(&self) -> Result<(PathBuf, File)> {
        let number = self.files.fetch_add(1, Relaxed);
        let path = self.folder.path().join(number.to_string());
        let file = File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&path);
        match file {
            Ok(file) => Ok((path, file)),
            Err(source) => Err(Error::io(path, "cannot create", source)),
        }
    }
}

/// How many bytes what comes may take in memory, and where it goes beyond.
#[derive(Clone)]
pub struct SpillBudget {
    /// Bytes of memory.
    pub bytes: u64,
    /// The folder for what does not fit; none if all must.
    pub folder: Option<Arc<TemporaryFolder>>,
}

impl SpillBudget {
    /// As many bytes of memory as there are.
    pub fn in_memory() -> Self {
        SpillBudget {
            bytes: u64::MAX,
            folder: None,
        }
    }

    /// A part of the memory, and the same folder.
    pub fn part(&self, percent: u64) -> Self {
        SpillBudget {
            bytes: self.bytes / 100 * percent,
            folder: self.folder.clone(),
        }
    }
}
