//! Files and directories that appear whole or not at all.
//!
//! Output goes to a temporary path beside the final one, is written to the disk, and is renamed at the end:
//! [`PendingFile`] and [`PendingDirectory`]. Unfinished output goes away: [`remove_pending`] removes the
//! temporary paths of a run when it is interrupted, and the next run that writes to the folder removes
//! those of runs that were killed. An output never replaces an input of the same run: [`refuse_inputs`].

mod access;
mod directory;
mod file;
mod inputs;
mod sink;
mod temporary;
mod write_behind;

pub use directory::{DirectoryKind, PendingDirectory};
pub use file::{Digest, PendingFile, is_written_directly, publish};
pub use inputs::refuse_inputs;
pub use sink::{Failed, Sink};
pub use temporary::SpillBudget;
pub use temporary::{TemporaryFolder, remove_pending};

use crate::error::{Error, Result};
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

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

/// True if there is something at `path`, even a link to nothing.
///
/// # Errors
/// If nothing can be there, as for names that are too long.
fn is_taken(path: &Path) -> Result<bool> {
    match path.symlink_metadata() {
        Ok(_) => Ok(true),
        Err(problem) if problem.kind() == ErrorKind::NotFound => Ok(false),
        Err(problem) => Err(Error::io(path, "cannot write", problem)),
    }
}

/// The target of a link is replaced, not the link. Other paths stay as given: on Windows, canonical
/// paths have a form that few programs read.
///
/// # Errors
/// If the link is one that somebody else has put into a folder where all may write.
fn target(path: &Path) -> Result<PathBuf> {
    let Some(link) = path.symlink_metadata().ok().filter(|it| it.is_symlink()) else {
        return Ok(path.to_owned());
    };
    let folder = folder(path)?.metadata();
    if folder.is_ok_and(|folder| access::is_trap(&link, &folder)) {
        let problem = "is a link that another user has put into a folder where all may write; \
                       remove it, or write elsewhere";
        return Err(Error::file(path, problem));
    }
    Ok(path.canonicalize().unwrap_or_else(|_| path.to_owned()))
}

/// Writes a file to the disk, where the system can.
fn sync(file: &File) -> std::io::Result<()> {
    match file.sync_all() {
        Err(problem) if is_unsupported(&problem) => Ok(()),
        synced => synced,
    }
}

/// True if the system or the file system cannot do this at all.
fn is_unsupported(problem: &std::io::Error) -> bool {
    matches!(
        problem.kind(),
        ErrorKind::InvalidInput | ErrorKind::Unsupported
    )
}

/// Writes the entries of a folder to the disk, where the system can: a renamed file then keeps its
/// new name after a power cut.
fn sync_folder(path: &Path) {
    if cfg!(unix)
        && let Ok(folder) = folder(path)
        && let Ok(folder) = File::open(folder)
    {
        // Some file systems cannot; the files themselves have been written.
        let _ = folder.sync_all();
    }
}
