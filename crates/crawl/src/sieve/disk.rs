//! Files of sieves: written whole, and then named. Tests cut the writing at every step.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use webrank_base::error::{Error, Result};

/// A file whose writing tests can cut.
#[derive(Debug)]
pub(super) struct Fused(pub(super) File);

impl Fused {
    /// Writes what is in the system's buffers to the disk.
    pub(super) fn sync(&self) -> std::io::Result<()> {
        spend()?;
        sync(|| self.0.sync_data())
    }

    /// Shortens the file.
    pub(super) fn cut(&self, bytes: u64) -> std::io::Result<()> {
        spend()?;
        self.0.set_len(bytes)
    }
}

impl Write for Fused {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match fuse::next() {
            Fate::Whole => return self.0.write(bytes),
            // Half of it is on the disk, and nobody hears of it.
            Fate::Cut => drop(self.0.write(&bytes[..bytes.len() / 2])),
            Fate::Never => {}
        }
        Err(std::io::Error::other("cut by the test"))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

/// Writes a small file whole: at every moment the old or the new content is there.
pub(crate) fn replace(path: &Path, content: &[u8]) -> Result<()> {
    let new = path.with_extension("new");
    let cannot = |source| Error::io(path, "cannot write", source);
    let mut file = Fused(File::create(&new).map_err(cannot)?);
    let written = file.write_all(content).and_then(|()| file.sync());
    written.map_err(cannot)?;
    let renamed = spend().and_then(|()| std::fs::rename(&new, path));
    renamed.map_err(cannot)?;
    sync_folder(path);
    Ok(())
}

/// Removes a file that may not be there.
pub(super) fn remove(path: &Path) -> Result<()> {
    let removed = spend().and_then(|()| std::fs::remove_file(path));
    match removed {
        Err(problem) if problem.kind() != std::io::ErrorKind::NotFound => {
            Err(Error::io(path, "cannot remove", problem))
        }
        _ => Ok(()),
    }
}

/// Makes names in the folder of a file last; systems without such a thing need none.
fn sync_folder(path: &Path) {
    if let Some(folder) = path.parent()
        && let Ok(folder) = File::open(folder)
    {
        let _ = sync(|| folder.sync_all());
    }
}

/// Waits for the disk; not in tests, whose kills lose nothing that the system holds.
pub(super) fn sync(wait: impl FnOnce() -> std::io::Result<()>) -> std::io::Result<()> {
    match cfg!(test) {
        true => Ok(()),
        false => wait(),
    }
}

/// The fate of an operation on a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Whole,
    /// The process is killed meanwhile; of a write, a part is done.
    #[cfg_attr(not(test), expect(dead_code))]
    Cut,
    /// The process is dead.
    #[cfg_attr(not(test), expect(dead_code))]
    Never,
}

/// The fate of the next operation but a write.
pub(super) fn spend() -> std::io::Result<()> {
    match fuse::next() {
        Fate::Whole => Ok(()),
        Fate::Cut | Fate::Never => Err(std::io::Error::other("cut by the test")),
    }
}

/// Cuts the writing of a test: after so many operations, all fail, as for a process that was killed.
#[cfg(test)]
pub(super) mod fuse {
    use super::Fate;
    use std::cell::Cell;

    thread_local! {
        static LEFT: Cell<Option<u64>> = const { Cell::new(None) };
    }

    const DEAD: u64 = u64::MAX;

    /// Sets the number of operations before the cut; none for no cut.
    pub(crate) fn set(operations: Option<u64>) {
        LEFT.set(operations);
    }

    pub(crate) fn next() -> Fate {
        let (left, fate) = match LEFT.get() {
            None => (None, Fate::Whole),
            Some(DEAD) => (Some(DEAD), Fate::Never),
            Some(0) => (Some(DEAD), Fate::Cut),
            Some(left) => (Some(left - 1), Fate::Whole),
        };
        LEFT.set(left);
        fate
    }
}

/// Nothing is cut outside of tests.
#[cfg(not(test))]
mod fuse {
    pub(super) fn next() -> super::Fate {
        super::Fate::Whole
    }
}
