//! Files that replace others when they are finished.

use super::temporary::{Claim, pending, temporary};
use super::write_behind::Early;
use super::{access, folder, is_taken, sync, sync_folder, target};
use crate::error::{Error, Result};
use crate::visible::VisibleWriter;
use std::fs::{File, TryLockError};
use std::io::{BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempPath;
use xxhash_rust::xxh3::Xxh3;

/// A file being written, which replaces `path` when it is [published](publish). Pipes, devices and
/// open files, such as `/dev/fd/3`, are written to directly; at a terminal, what would act on it is
/// spelled out.
pub struct PendingFile {
    path: PathBuf,
    writer: BufWriter<Sink>,
    temporary: Option<(TempPath, Claim)>,
    digest: Digest,
    early: Early,
}

impl PendingFile {
    /// Starts a file beside `path`. It may be read by whoever may read the file that it replaces.
    ///
    /// # Errors
    /// If the folder does not exist or cannot be written to, or if `path` is a directory or cannot
    /// be the name of a file.
    pub fn create(path: &Path) -> Result<Self> {
        Self::beside(path, path)
    }

    /// Where the file will be.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Starts a file that comes with another: if it is new, it may be read by whoever may read the other
    /// one.
    ///
    /// # Errors
    /// As [`create`](Self::create).
    pub fn beside(path: &Path, other: &Path) -> Result<Self> {
        if path.is_dir() {
            return Err(Error::file(path, "is a directory; name a file to write"));
        }
        if is_written_directly(path) {
            // An open file may hold something already.
            let append = is_open_file(path);
            let file = File::options().write(true).append(append).open(path);
            let file = file.map_err(|source| Error::io(path, "cannot open", source))?;
            let sink = match file.is_terminal() {
                true => Sink::Terminal(VisibleWriter::new(file)),
                false => Sink::File(file),
            };
            return Ok(Self::new(path, sink, None));
        }
        let path = &target(path)?;
        is_taken(path)?;
        let old = path.metadata().or_else(|_| other.metadata()).ok();
        let old = old.filter(|old| old.is_file());
        let folder = folder(path)?;
        let (file, claim) = temporary(
            path,
            &folder,
            access::mode(old.as_ref()),
            |builder, folder| builder.tempfile_in(folder),
            |file| (file.path().to_owned(), file.as_file().try_clone().ok()),
        )?;
        let (file, temporary) = file.into_parts();
        if let Some(old) = &old {
            access::keep(&file, old);
        }
        let sink = Sink::File(file);
        Ok(Self::new(path, sink, Some((temporary, claim))))
    }

    fn new(path: &Path, sink: Sink, temporary: Option<(TempPath, Claim)>) -> Self {
        let file = match &sink {
            Sink::File(file) if temporary.is_some() => file.try_clone().ok(),
            _ => None,
        };
        PendingFile {
            path: path.to_owned(),
            early: Early::of(file),
            writer: BufWriter::with_capacity(1 << 18, sink),
            temporary,
            digest: Digest::default(),
        }
    }

    /// How many bytes have been written so far, and their xxh3-128.
    pub fn checksum(&self) -> (u64, u128) {
        self.digest.checksum()
    }

    /// Writes the last bytes to the disk.
    fn complete(self) -> Result<Option<Complete>> {
        let cannot = |source| Error::io(&self.path, "cannot write", source);
        let sink = self.writer.into_inner();
        let sink = sink.map_err(|problem| cannot(problem.into_error()))?;
        let file = match sink {
            Sink::File(file) => file,
            Sink::Terminal(writer) => writer.finish().map_err(cannot)?,
        };
        let Some((temporary, claim)) = self.temporary else {
            return Ok(None);
        };
        self.early.end().map_err(cannot)?;
        sync(&file).map_err(cannot)?;
        Ok(Some(Complete {
            path: self.path,
            temporary,
            claim,
        }))
    }
}

enum Sink {
    File(File),
    /// Control characters would act on it.
    Terminal(VisibleWriter<File>),
}

impl Write for Sink {
    fn write(&mut self, buffer: &[u8]) -> std::io::Result<usize> {
        match self {
            Sink::File(file) => file.write(buffer),
            Sink::Terminal(writer) => writer.write(buffer),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Sink::File(file) => file.flush(),
            Sink::Terminal(writer) => writer.flush(),
        }
    }
}

/// A file that only needs its name.
struct Complete {
    path: PathBuf,
    temporary: TempPath,
    claim: Claim,
}

/// Puts files in place of the old ones: all of them are written to the disk before the first one appears,
/// and an interruption comes before the first or after the last. Runs that write the same files come one
/// after the other: no file of one stays beside a file of another.
///
/// # Errors
/// If last bytes cannot be written, or a file cannot be renamed; then the old file stays. If another
/// process keeps the folder locked.
pub fn publish(files: impl IntoIterator<Item = PendingFile>) -> Result<()> {
    publish_within(files, PATIENCE)
}

/// How long files wait for those of other runs. Renaming takes less than a thousandth of it.
const PATIENCE: Duration = Duration::from_secs(20);

fn publish_within(files: impl IntoIterator<Item = PendingFile>, patience: Duration) -> Result<()> {
    let mut complete = Vec::new();
    for file in files {
        complete.extend(file.complete()?);
    }
    // Before the lock of this process, for which its signals wait.
    let locks = folder_locks(&complete, patience)?;
    let mut done = Vec::new();
    let mut renamed = Ok(());
    let lock = pending();
    for file in complete {
        if renamed.is_ok() {
            let problem = file.temporary.persist(&file.path).err();
            let problem = problem.map(|p| Error::io(&file.path, "cannot replace", p.error));
            renamed = problem.map_or(Ok(()), Err);
        }
        done.push((file.path, file.claim));
    }
    drop(lock);
    drop(locks);
    // Files that come together mostly lie in one folder.
    done.dedup_by(|(one, _), (other, _)| one.parent() == other.parent());
    done.iter().for_each(|(path, _)| sync_folder(path));
    renamed
}

/// Locks the folders of files that come together.
fn folder_locks(files: &[Complete], patience: Duration) -> Result<Vec<File>> {
    let mut folders: Vec<PathBuf> = match files {
        // It is whole, whatever others do.
        [] | [_] => return Ok(Vec::new()),
        files => files
            .iter()
            .map(|file| folder(&file.path))
            .collect::<Result<_>>()?,
    };
    // All runs in one order, so that none waits for another in a circle.
    folders.sort();
    folders.dedup();
    let end = Instant::now() + patience;
    let mut locks = Vec::new();
    for folder in folders {
        // Where folders cannot be opened or locked, nobody locks them.
        let Ok(lock) = File::open(&folder) else {
            continue;
        };
        while let Err(TryLockError::WouldBlock) = lock.try_lock() {
            if Instant::now() >= end {
                let problem = "another process keeps this folder locked; nothing was written: run again \
                               when it has ended";
                return Err(Error::file(folder, problem));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        locks.push(lock);
    }
    Ok(locks)
}

impl Write for PendingFile {
    fn write(&mut self, buffer: &[u8]) -> std::io::Result<usize> {
        let count = self.writer.write(buffer)?;
        self.early.wrote(count);
        self.digest.write(&buffer[..count])
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.writer.flush()
    }
}

/// A file that is not written: only its checksum is known.
#[derive(Default)]
pub struct Digest {
    hasher: Xxh3,
    bytes: u64,
}

impl Digest {
    /// How many bytes have been written so far, and their xxh3-128.
    pub fn checksum(&self) -> (u64, u128) {
        (self.bytes, self.hasher.digest128())
    }
}

impl Write for Digest {
    fn write(&mut self, buffer: &[u8]) -> std::io::Result<usize> {
        self.hasher.update(buffer);
        self.bytes += buffer.len() as u64;
        Ok(buffer.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// True for pipes, devices and open files: they cannot be replaced, and nothing can lie beside them.
pub fn is_written_directly(path: &Path) -> bool {
    is_open_file(path) || path.exists() && !path.is_file() && !path.is_dir()
}

/// True for the names of open files: `/dev/stdout`, `/dev/fd/3`, `/proc/self/fd/3`.
fn is_open_file(path: &Path) -> bool {
    let mut path = path.to_owned();
    // A chain of links as long as systems follow.
    for _ in 0..40 {
        let Some(folder) = path.parent() else {
            return false;
        };
        if folder == Path::new("/dev/fd") {
            return true;
        }
        if let Ok(folder) = folder.canonicalize()
            && folder.starts_with("/proc")
            && folder.ends_with("fd")
        {
            return true;
        }
        match path.read_link() {
            Ok(link) => path = folder.join(link),
            Err(_) => return false,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) -> PendingFile {
        let mut file = PendingFile::create(path).unwrap();
        file.write_all(text.as_bytes()).unwrap();
        file
    }

    #[test]
    fn an_unfinished_file_leaves_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scores.csv");
        std::fs::write(&path, "old").unwrap();
        drop(write(&path, "new"));
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        publish([write(&path, "new")]).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(folder.path().read_dir().unwrap().count(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn files_that_come_together_wait_for_those_of_another_run() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["scores.csv", "scores.csv.json"].map(|name| folder.path().join(name));
        let pair = |text: &str| paths.clone().map(|path| write(&path, text));
        publish(pair("one")).unwrap();
        // Another process is between its two renames.
        let other = File::open(folder.path()).unwrap();
        other.try_lock().unwrap();
        let problem = publish_within(pair("two"), Duration::ZERO).unwrap_err();
        assert!(problem.to_string().contains("another process"), "{problem}");
        let all = || {
            paths
                .clone()
                .map(|path| std::fs::read_to_string(path).unwrap())
        };
        assert_eq!(all(), ["one", "one"]);
        assert_eq!(folder.path().read_dir().unwrap().count(), 2);
        drop(other);
        publish(pair("three")).unwrap();
        assert_eq!(all(), ["three", "three"]);
    }

    #[test]
    fn a_missing_folder_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let problem = PendingFile::create(&folder.path().join("no/scores.csv"));
        let problem = problem.err().unwrap().to_string();
        assert!(problem.contains("does not exist"), "{problem}");
    }

    #[test]
    fn a_name_that_no_file_can_have_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let problem = PendingFile::create(&folder.path().join("n".repeat(300)));
        let problem = problem.err().unwrap().to_string();
        assert!(problem.contains("cannot write"), "{problem}");
    }

    #[test]
    fn the_checksum_is_that_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let file = write(&folder.path().join("scores.csv"), "0,1\n");
        let expected = xxhash_rust::xxh3::xxh3_128(b"0,1\n");
        assert_eq!(file.checksum(), (4, expected));
    }

    #[test]
    fn a_long_file_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scores.csv");
        let text: Vec<u8> = (0..20_000_000u32).map(|byte| (byte % 251) as u8).collect();
        let mut file = PendingFile::create(&path).unwrap();
        for part in text.chunks(1 << 20) {
            file.write_all(part).unwrap();
        }
        publish([file]).unwrap();
        assert!(std::fs::read(&path).unwrap() == text);
    }

    #[test]
    #[cfg(unix)]
    fn a_file_that_replaces_a_private_one_is_private_at_all_times() {
        #[cfg(unix)]
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("scores.csv");
        std::fs::write(&path, "old").unwrap();
        let private = std::fs::Permissions::from_mode(0o600);
        std::fs::set_permissions(&path, private).unwrap();
        let modes = || {
            let entries = folder.path().read_dir().unwrap();
            let modes = entries.map(|entry| entry.unwrap().metadata().unwrap().mode() & 0o777);
            modes.collect::<Vec<_>>()
        };
        let table = write(&path, "new");
        let beside = PendingFile::beside(&folder.path().join("scores.csv.json"), &path).unwrap();
        assert_eq!(modes(), [0o600; 3]);
        publish([table, beside]).unwrap();
        assert_eq!(modes(), [0o600; 2]);
    }

    #[test]
    #[cfg(unix)]
    fn what_a_killed_run_leaves_is_removed_and_what_a_living_one_writes_is_not() {
        let folder = tempfile::tempdir().unwrap();
        for name in [".rank-dead.part", ".rank-other", "mine.part"] {
            std::fs::write(folder.path().join(name), "x").unwrap();
        }
        let bundle = folder.path().join(".rank-deadtoo.part");
        std::fs::create_dir(&bundle).unwrap();
        std::fs::write(bundle.join("graph.graph"), "x").unwrap();
        let living = write(&folder.path().join("a.csv"), "a");
        publish([write(&folder.path().join("b.csv"), "b")]).unwrap();
        publish([living]).unwrap();
        let entries = folder.path().read_dir().unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, [".rank-other", "a.csv", "b.csv", "mine.part"]);
    }
}
