//! Directories that replace others when they are finished.

use super::temporary::{Claim, pending, remove_owned, temporary};
use super::{access, folder, is_taken, is_unsupported, sync, sync_folder, target};
use crate::error::{Error, Result};
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A kind of directory: only its own kind may be replaced, and only its own files are removed.
#[derive(Clone, Copy)]
pub struct DirectoryKind {
    /// Its name in messages.
    pub name: &'static str,
    /// Files by which one is known: it has at least one of them.
    pub marks: &'static [&'static str],
    /// True for the names of its files; of folders in it with a / behind, of their files behind that.
    pub owns: fn(&str) -> bool,
}

impl DirectoryKind {
    /// Refuses a directory that is not of this kind, or that holds anything else.
    fn check(&self, directory: &Path) -> Result<()> {
        let name = self.name;
        let refuse = |why: String| {
            let remedy = "it is not replaced: move it away, or write elsewhere";
            Err(Error::file(directory, format!("{why}; {remedy}")))
        };
        if !directory.is_dir() {
            return refuse(format!("is no {name}"));
        }
        let files =
            names(directory).map_err(|source| Error::io(directory, "cannot read", source))?;
        if let Some(file) = files.iter().find(|file| !(self.owns)(file)) {
            return refuse(format!("holds '{file}', which is no file of a {name}"));
        }
        if files.iter().any(|file| self.marks.contains(&file.as_str())) {
            return Ok(());
        }
        refuse(format!(
            "is no {name}: it has no {}",
            self.marks.join(" or ")
        ))
    }
}

/// The names of the files of a directory and of the folders in it, as [`DirectoryKind::owns`] takes them.
fn names(directory: &Path) -> std::io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in directory.read_dir()? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !entry.file_type()?.is_dir() {
            names.push(name);
            continue;
        }
        names.push(format!("{name}/"));
        for inner in entry.path().read_dir()? {
            let inner = inner?;
            let is_folder = if inner.file_type()?.is_dir() { "/" } else { "" };
            let inner = inner.file_name().to_string_lossy().into_owned();
            names.push(format!("{name}/{inner}{is_folder}"));
        }
    }
    Ok(names)
}

/// A directory being filled, which takes the place of `path` when it is finished.
pub struct PendingDirectory {
    path: PathBuf,
    kind: DirectoryKind,
    replace: bool,
    temporary: TempDir,
    claim: Claim,
}

impl PendingDirectory {
    /// Starts a directory beside `path`.
    ///
    /// # Errors
    /// If `path` exists, and `replace` is false or it is of another kind; or if the folder cannot be
    /// written to.
    pub fn create(path: &Path, kind: DirectoryKind, replace: bool) -> Result<Self> {
        // Behind a separator, a link would be the folder that it leads to.
        let path: PathBuf = path.components().collect();
        let path = target(&path)?;
        let replaces = is_taken(&path)?;
        if replaces && !replace {
            return Err(exists(&path));
        }
        if replaces {
            kind.check(&path)?;
        }
        // The replacement of a private directory is private while it is filled.
        let mode = if replaces { 0o700 } else { 0o777 };
        let (temporary, claim) = temporary(
            &path,
            &folder(&path)?,
            mode,
            |builder, folder| builder.tempdir_in(folder),
            |directory| {
                let path = directory.path();
                (path.to_owned(), File::open(path).ok())
            },
        )?;
        Ok(PendingDirectory {
            path,
            kind,
            replace,
            temporary,
            claim,
        })
    }

    /// Where to write.
    pub fn path(&self) -> &Path {
        self.temporary.path()
    }

    /// Puts the directory in place, and removes what it replaces. At every moment there is a whole
    /// directory at the final path, where the system can exchange two paths.
    ///
    /// # Errors
    /// If it cannot be renamed; then the old content stays.
    pub fn finish(self) -> Result<()> {
        let new = self.temporary.path();
        let replaces = self.replace && is_taken(&self.path)?;
        if replaces {
            self.kind.check(&self.path)?;
            access::keep_all(new, &self.path);
        }
        sync_all(new).map_err(|source| Error::io(&self.path, "cannot write", source))?;
        let lock = pending();
        let moved = if replaces {
            exchange(new, &self.path)
        } else {
            rename_new(new, &self.path).map(|()| None)
        };
        drop(lock);
        let old = moved.map_err(|source| match source.kind() {
            ErrorKind::AlreadyExists | ErrorKind::DirectoryNotEmpty if !replaces => {
                exists(&self.path)
            }
            _ => Error::io(&self.path, "cannot replace", source),
        })?;
        // Renamed away: nothing is left for its destructor to remove.
        let _ = self.temporary.keep();
        drop(self.claim);
        sync_folder(&self.path);
        match old.map(|old| (remove_owned(&old, self.kind.owns), old)) {
            Some((Err(source), old)) if source.kind() != ErrorKind::NotFound => {
                Err(Error::io(old, "cannot remove", source))
            }
            _ => Ok(()),
        }
    }
}

fn exists(path: &Path) -> Error {
    Error::file(
        path,
        "already exists; remove it, or replace it with --force",
    )
}

/// Writes a directory and its files to the disk.
fn sync_all(directory: &Path) -> std::io::Result<()> {
    for entry in directory.read_dir()? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_all(&entry.path())?;
            continue;
        }
        // Windows writes only what is open for writing.
        let file = File::options()
            .read(true)
            .write(cfg!(windows))
            .open(entry.path())?;
        sync(&file)?;
    }
    if cfg!(unix) {
        sync(&File::open(directory)?)?;
    }
    Ok(())
}

/// Puts `new` in place of `old`; returns where `old` is now.
fn exchange(new: &Path, old: &Path) -> std::io::Result<Option<PathBuf>> {
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    {
        use rustix::fs::RenameFlags;
        match rename_with(new, old, RenameFlags::EXCHANGE) {
            Err(problem) if is_unsupported(&problem) => {}
            moved => return moved.map(|()| Some(new.to_owned())),
        }
    }
    let aside = new.with_extension("old");
    std::fs::rename(old, &aside)?;
    match std::fs::rename(new, old) {
        Ok(()) => Ok(Some(aside)),
        Err(problem) => std::fs::rename(aside, old).and(Err(problem)),
    }
}

/// Renames a directory to a path where nothing is.
fn rename_new(new: &Path, path: &Path) -> std::io::Result<()> {
    #[cfg(any(target_os = "linux", target_vendor = "apple"))]
    {
        use rustix::fs::RenameFlags;
        match rename_with(new, path, RenameFlags::NOREPLACE) {
            Err(problem) if is_unsupported(&problem) => {}
            moved => return moved,
        }
    }
    // An empty directory is all that this replaces at `path`.
    std::fs::rename(new, path)
}

#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn rename_with(from: &Path, to: &Path, how: rustix::fs::RenameFlags) -> std::io::Result<()> {
    use rustix::fs::{CWD, renameat_with};
    Ok(renameat_with(CWD, from, CWD, to, how)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOXES: DirectoryKind = DirectoryKind {
        name: "box",
        marks: &["lid"],
        owns: |name| ["lid", "file", "bag/", "bag/file"].contains(&name),
    };

    fn fill(path: &Path, replace: bool) -> Result<PendingDirectory> {
        let pending = PendingDirectory::create(path, BOXES, replace)?;
        std::fs::create_dir(pending.path().join("bag")).unwrap();
        for file in ["lid", "bag/file"] {
            std::fs::write(pending.path().join(file), "new").unwrap();
        }
        Ok(pending)
    }

    #[test]
    fn a_directory_replaces_only_when_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("graph.bv");
        for replace in [false, true] {
            fill(&path, replace).unwrap().finish().unwrap();
        }
        assert!(fill(&path, false).is_err());
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    fn only_its_own_kind_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("graph.bv");
        for (files, word) in [
            (&["thesis"][..], "holds 'thesis'"),
            (&["lid", "thesis"], "holds 'thesis'"),
            (&["file"], "it has no lid"),
            (&[], "it has no lid"),
            (&["lid", "bag/thesis"], "holds 'bag/thesis'"),
            (&["lid", "case/file"], "holds 'case/'"),
            (&["lid", "bag/file/x"], "holds 'bag/file/'"),
        ] {
            std::fs::create_dir(&path).unwrap();
            for file in files {
                let file = path.join(file);
                std::fs::create_dir_all(file.parent().unwrap()).unwrap();
                std::fs::write(file, "old").unwrap();
            }
            let problem = fill(&path, true).err().unwrap().to_string();
            assert!(problem.contains(word), "{problem}");
            assert_eq!(path.read_dir().unwrap().count(), files.len());
            std::fs::remove_dir_all(&path).unwrap();
        }
        std::fs::write(&path, "old").unwrap();
        let problem = fill(&path, true).err().unwrap().to_string();
        assert!(problem.contains("is no box"), "{problem}");
    }

    #[test]
    fn what_is_put_there_meanwhile_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("graph.bv");
        let late = fill(&path, false).unwrap();
        fill(&path, false).unwrap().finish().unwrap();
        std::fs::write(path.join("lid"), "first").unwrap();
        let problem = late.finish().unwrap_err().to_string();
        assert!(problem.contains("already exists"), "{problem}");
        let late = fill(&path, true).unwrap();
        std::fs::write(path.join("thesis"), "x").unwrap();
        assert!(late.finish().is_err());
        assert_eq!(std::fs::read(path.join("lid")).unwrap(), b"first");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn access_is_kept() {
        #[cfg(unix)]
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("graph.bv");
        fill(&path, false).unwrap().finish().unwrap();
        let set = |path: &Path, mode| {
            std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
        };
        set(&path, 0o750);
        set(&path.join("lid"), 0o640);
        let pending = fill(&path, true).unwrap();
        let mode = |path: &Path| path.metadata().unwrap().mode() & 0o777;
        assert_eq!(mode(pending.path()), 0o700);
        pending.finish().unwrap();
        assert_eq!((mode(&path), mode(&path.join("lid"))), (0o750, 0o640));
    }
}
