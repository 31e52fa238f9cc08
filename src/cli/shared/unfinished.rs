//! A folder that a run makes and fills with many files. A file in it says that the run has not
//! finished: then the next run may take the folder over, and no other folder is ever taken.

use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};

/// The file that marks a folder as unfinished.
const MARK: &str = "unfinished.txt";

/// A folder that is being filled.
pub struct Unfinished {
    folder: PathBuf,
    /// Locked as long as the run lives.
    mark: File,
    /// True if a run that did not finish has left it.
    pub is_taken_over: bool,
}

impl Unfinished {
    /// Makes the folder, or takes over one that an earlier run has not finished.
    ///
    /// # Errors
    /// If there is another folder, if another run is filling it, or if it cannot be made.
    pub fn begin(folder: &Path) -> Result<Self> {
        let mark = folder.join(MARK);
        let is_taken_over = match std::fs::create_dir(folder) {
            Ok(()) => false,
            Err(problem) if problem.kind() != ErrorKind::AlreadyExists => {
                return Err(Error::io(folder, "cannot create", problem));
            }
            // A run may be killed before it marks the folder.
            Err(_) if mark.is_file() || is_empty(folder) => true,
            Err(_) => {
                let problem = "already exists; remove it, or name another folder";
                return Err(Error::file(folder, problem));
            }
        };
        let cannot = |source| Error::io(&mark, "cannot write", source);
        let options = File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&mark);
        let mut file = options.map_err(cannot)?;
        if matches!(file.try_lock(), Err(TryLockError::WouldBlock)) {
            let problem = "another run is filling it; wait for it, or name another folder";
            return Err(Error::file(folder, problem));
        }
        let text =
            b"The run that fills this folder has not finished: repeat it, or remove the folder.\n";
        file.write_all(text).map_err(cannot)?;
        Ok(Unfinished {
            folder: folder.to_owned(),
            mark: file,
            is_taken_over,
        })
    }

    /// The run has finished.
    ///
    /// # Errors
    /// If the mark cannot be removed.
    pub fn finish(self) -> Result<()> {
        let mark = self.folder.join(MARK);
        std::fs::remove_file(&mark).map_err(|source| Error::io(mark, "cannot remove", source))
    }

    /// The run has failed: a folder with nothing else in it goes, what was made stays.
    pub fn give_up(self) {
        let entries = self.folder.read_dir().map(|entries| entries.count());
        if entries.is_ok_and(|count| count <= 1) {
            drop(self.mark);
            let _ = std::fs::remove_file(self.folder.join(MARK));
            let _ = std::fs::remove_dir(&self.folder);
        }
    }
}

fn is_empty(folder: &Path) -> bool {
    let entries = folder
        .read_dir()
        .map(|mut entries| entries.next().is_none());
    entries.unwrap_or(false)
}
