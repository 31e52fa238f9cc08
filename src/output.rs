//! Files and directories that appear whole or not at all.
//!
//! Output goes to a temporary path beside the final one, and is renamed at the end.
//! [`remove_pending`] removes the temporary paths when the program is interrupted.

use crate::error::{Error, Result};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::{Builder, TempPath};

static PENDING: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn pending() -> MutexGuard<'static, Vec<PathBuf>> {
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

/// Removes itself from the list of pending paths.
struct Registration(PathBuf);

impl Registration {
    fn new(path: &Path) -> Self {
        pending().push(path.to_owned());
        Registration(path.to_owned())
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        pending().retain(|path| *path != self.0);
    }
}

/// A file being written, which replaces `path` when it is finished. Pipes and devices are written
/// to directly.
pub struct PendingFile {
    path: PathBuf,
    writer: BufWriter<File>,
    temporary: Option<(TempPath, Registration)>,
}

impl PendingFile {
    /// Starts a file beside `path`.
    ///
    /// # Errors
    /// If the folder does not exist or cannot be written to, or if `path` is a directory.
    pub fn create(path: &Path) -> Result<Self> {
        if path.is_dir() {
            return Err(Error::file(path, "is a directory; name a file to write"));
        }
        // The target of a link is replaced, not the link. Other paths stay as given: on Windows,
        // canonical paths have a form that few programs read.
        let target = Some(path).filter(|path| path.is_symlink());
        let target = target.and_then(|link| link.canonicalize().ok());
        let path = target.as_deref().unwrap_or(path);
        if path.exists() && !path.is_file() {
            let file = File::options().write(true).open(path);
            return Ok(PendingFile {
                path: path.to_owned(),
                writer: BufWriter::new(
                    file.map_err(|source| Error::io(path, "cannot open", source))?,
                ),
                temporary: None,
            });
        }
        let file = temporary(0o666)
            .tempfile_in(folder(path)?)
            .map_err(|source| Error::io(path, "cannot write to its folder", source))?;
        let (file, temporary) = file.into_parts();
        let registration = Registration::new(&temporary);
        Ok(PendingFile {
            path: path.to_owned(),
            writer: BufWriter::with_capacity(1 << 18, file),
            temporary: Some((temporary, registration)),
        })
    }

    /// Puts the file in place of the old one.
    ///
    /// # Errors
    /// If the last bytes cannot be written or the file cannot be renamed; then the old file stays.
    pub fn finish(self) -> Result<()> {
        let cannot = |source| Error::io(&self.path, "cannot write", source);
        let file = self.writer.into_inner();
        // Closed, because Windows may refuse to rename an open file.
        drop(file.map_err(|problem| cannot(problem.into_error()))?);
        let Some((temporary, _registration)) = self.temporary else {
            return Ok(());
        };
        let lock = pending();
        let renamed = temporary.persist(&self.path);
        drop(lock);
        renamed.map_err(|e| Error::io(&self.path, "cannot replace", e.error))
    }
}

impl Write for PendingFile {
    fn write(&mut self, buffer: &[u8]) -> std::io::Result<usize> {
        self.writer.write(buffer)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.writer.flush()
    }
}

/// A directory being filled, which takes the place of `path` when it is finished.
pub struct PendingDirectory {
    path: PathBuf,
    temporary: tempfile::TempDir,
    _registration: Registration,
}

impl PendingDirectory {
    /// Starts a directory beside `path`.
    ///
    /// # Errors
    /// If `path` exists and `replace` is false, or if the folder cannot be written to.
    pub fn create(path: &Path, replace: bool) -> Result<Self> {
        if path.exists() && !replace {
            return Err(Error::file(
                path,
                "already exists; remove it, or replace it with --force",
            ));
        }
        let temporary = temporary(0o777)
            .tempdir_in(folder(path)?)
            .map_err(|source| Error::io(path, "cannot write to its folder", source))?;
        Ok(PendingDirectory {
            path: path.to_owned(),
            _registration: Registration::new(temporary.path()),
            temporary,
        })
    }

    /// Where to write.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// Puts the directory in place, and removes what it replaces.
    ///
    /// # Errors
    /// If it cannot be renamed; then the old content stays.
    pub fn finish(self) -> Result<()> {
        let cannot = |source| Error::io(&self.path, "cannot replace", source);
        let lock = pending();
        let old = if self.path.exists() {
            let aside = self.temporary.path().with_extension("old");
            std::fs::rename(&self.path, &aside).map_err(cannot)?;
            Some(aside)
        } else {
            None
        };
        if let Err(source) = std::fs::rename(self.temporary.path(), &self.path) {
            if let Some(aside) = old {
                std::fs::rename(aside, &self.path).map_err(cannot)?;
            }
            return Err(cannot(source));
        }
        drop(lock);
        // Renamed away: nothing is left for its destructor to remove.
        let _ = self.temporary.keep();
        if let Some(aside) = old {
            let removed = if aside.is_dir() {
                std::fs::remove_dir_all(&aside)
            } else {
                std::fs::remove_file(&aside)
            };
            removed.map_err(|source| Error::io(aside, "cannot remove", source))?;
        }
        Ok(())
    }
}

/// The folder of `path`, which must exist.
fn folder(path: &Path) -> Result<PathBuf> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if folder.is_dir() {
        return Ok(folder.to_owned());
    }
    Err(Error::file(
        path,
        format!(
            "the folder {} does not exist; create it first",
            folder.display()
        ),
    ))
}

/// A temporary path with the permissions of any new file: `mode`, narrowed by the process's umask.
/// On systems without modes, such as Windows, it inherits the permissions of its folder.
fn temporary(mode: u32) -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".rank-").suffix(".tmp");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    #[cfg(not(unix))]
    let _ = mode;
    builder
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_file_leaves_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scores.csv");
        std::fs::write(&path, "old").unwrap();
        let mut file = PendingFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        drop(file);
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        let mut file = PendingFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        file.finish().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn a_directory_replaces_only_when_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("graph.bv");
        for replace in [false, true] {
            let pending = PendingDirectory::create(&path, replace).unwrap();
            std::fs::write(pending.path().join("file"), "x").unwrap();
            pending.finish().unwrap();
        }
        assert!(PendingDirectory::create(&path, false).is_err());
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn a_missing_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let problem = PendingFile::create(&folder.path().join("no/scores.csv"));
        assert!(
            problem
                .err()
                .unwrap()
                .to_string()
                .contains("does not exist")
        );
    }
}
