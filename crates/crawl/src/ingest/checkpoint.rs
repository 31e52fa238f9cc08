//! The first pass in a folder, so that the same command goes on after a kill.
//!
//! From time to time, pages and redirects are made last on the disk, and then `state.json`, which says
//! how many of them count and where reading was, is replaced whole. The next run cuts off the rest. It
//! skips the records that were read, without parsing them, and compares their checksum, so that a
//! source that has changed is no part of two graphs.

use super::page_spool::{Spool, SpoolWriter, read_text, write_text};
use super::{IngestCounts, Wants};
use crate::sieve::{Signer, replace};
use serde::{Deserialize, Serialize};
use std::fs::{File, TryLockError};
use std::io::{BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use webrank_base::error::{Error, Result};
use webrank_graph::bundle::FileEntry;
use xxhash_rust::xxh3::xxh3_64;

/// Where the state of the first pass is kept, and how often.
#[derive(Debug, Clone)]
pub struct IngestCheckpoint {
    /// A folder of its own, which is removed at the end.
    pub folder: PathBuf,
    /// Twice within this time, nothing is written.
    pub every: Duration,
}

/// A place between two records of a source.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Place {
    /// How many records come before it.
    pub(super) records: u64,
    /// Their checksum.
    pub(super) checksum: u64,
}

/// The parameters of the first pass.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Command {
    pub(super) version: String,
    pub(super) sources: Vec<String>,
    pub(super) max_page: u64,
    pub(super) base: String,
    pub(super) drops_nofollow: bool,
    pub(super) wants: Wants,
}

/// The content of `state.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct State {
    command: Command,
    /// Sources that were read to their ends.
    pub(super) sources: Vec<FileEntry>,
    /// Their counts.
    pub(super) counts: IngestCounts,
    /// Where reading was in the next one.
    pub(super) place: Place,
    /// The counts of this one so far.
    pub(super) of_source: IngestCounts,
    /// Pages that were put away, and the length of their file.
    pages: u64,
    bytes: u64,
    /// The length of the file of redirects.
    redirects: u64,
    /// Keys of the hashes of pages: those that were put away have them.
    pub(super) keys: [u64; 2],
    /// xxh3-64 of this state with 0 here.
    checksum: u64,
}

/// The folder of a run.
pub(super) struct Kept {
    folder: PathBuf,
    every: Duration,
    last: Instant,
    redirects: BufWriter<File>,
    pub(super) state: State,
    /// Locked as long as the run lives.
    lock: File,
}

const STATE: &str = "state.json";
const PAGES: &str = "pages.zst";
const REDIRECTS: &str = "redirects";
const LOCK: &str = "lock";
/// The new state, until it replaces the old.
const NEW: &str = "state.new";

impl State {
    fn text(&self) -> Vec<u8> {
        let mut state = self.clone();
        state.checksum = 0;
        state.checksum = xxh3_64(&serde_json::to_vec(&state).expect("numbers serialise"));
        serde_json::to_vec(&state).expect("numbers serialise")
    }
}

impl Kept {
    /// Makes the folder, or goes on in the one that a run of the same command has left.
    ///
    /// # Errors
    /// If there is another folder, if another run is using it, if it is of another command, or if it
    /// cannot be read or written.
    pub(super) fn open(checkpoint: &IngestCheckpoint, command: Command) -> Result<Self> {
        let folder = &checkpoint.folder;
        match std::fs::create_dir(folder) {
            Err(problem) if problem.kind() != ErrorKind::AlreadyExists => {
                return Err(Error::io(folder, "cannot create", problem));
            }
            Err(_) if !is_ours(folder) => {
                let problem = "is no checkpoint of 'rank ingest'; name another folder";
                return Err(Error::file(folder, problem));
            }
            _ => {}
        }
        let lock = open(&folder.join(LOCK))?;
        if matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) {
            let problem =
                "another run is using this checkpoint; wait for it, or name another folder";
            return Err(Error::file(folder, problem));
        }
        let path = folder.join(STATE);
        let state = match webrank_base::regular::read(&path, MAX_STATE)? {
            Some(text) => read(&path, &text, &command)?,
            None => State {
                command,
                sources: Vec::new(),
                counts: IngestCounts::default(),
                place: Place::default(),
                of_source: IngestCounts::default(),
                pages: 0,
                bytes: 0,
                redirects: 0,
                keys: Signer::random().keys(),
                checksum: 0,
            },
        };
        let redirects = cut(&folder.join(REDIRECTS), state.redirects)?;
        Ok(Kept {
            folder: folder.clone(),
            every: checkpoint.every,
            last: Instant::now(),
            redirects: BufWriter::with_capacity(1 << 16, redirects),
            state,
            lock,
        })
    }

    /// The file of pages, to go on behind those that count.
    pub(super) fn pages(&self) -> Result<SpoolWriter> {
        let path = self.folder.join(PAGES);
        let file = cut(&path, self.state.bytes)?;
        SpoolWriter::new(path, file, self.state.pages)
    }

    /// The error if the pages that count cannot be read.
    pub(super) fn damaged(&self, problem: &Error) -> Error {
        let text = format!(
            "the pages that were read cannot be used: {problem}; remove the folder to begin again"
        );
        Error::file(&self.folder, text)
    }

    /// The pages that count.
    pub(super) fn spool(&self) -> Spool {
        Spool::of(self.folder.join(PAGES), self.state.pages)
    }

    /// Calls `each` for the redirects that count: from, to.
    pub(super) fn redirects(&self, each: &mut dyn FnMut(&str, &str) -> Result<()>) -> Result<()> {
        let path = self.folder.join(REDIRECTS);
        let cannot = |source| Error::io(&path, "cannot read", source);
        let file = File::open(&path).map_err(cannot)?;
        let mut input = BufReader::new(file).take(self.state.redirects);
        let (mut from, mut to) = (String::new(), String::new());
        while input.limit() > 0 {
            let read =
                read_text(&mut input, &mut from).and_then(|()| read_text(&mut input, &mut to));
            read.map_err(cannot)?;
            each(&from, &to)?;
        }
        Ok(())
    }

    /// Notes a redirect.
    pub(super) fn redirect(&mut self, from: &str, to: &str) -> Result<()> {
        let out = &mut self.redirects;
        let written = write_text(out, from).and_then(|()| write_text(out, to));
        written.map_err(|source| Error::io(self.folder.join(REDIRECTS), "cannot write", source))
    }

    /// True if it is time to make the state last.
    pub(super) fn is_due(&self) -> bool {
        self.last.elapsed() >= self.every
    }

    /// Makes all that came before a place of the present source last.
    pub(super) fn keep(
        &mut self,
        place: Place,
        of_source: IngestCounts,
        spool: &mut SpoolWriter,
    ) -> Result<()> {
        let path = self.folder.join(REDIRECTS);
        let redirects = self.redirects.stream_position().and_then(|length| {
            self.redirects.get_ref().sync_data()?;
            Ok(length)
        });
        let redirects = redirects.map_err(|source| Error::io(path, "cannot write", source))?;
        let (pages, bytes) = spool.commit()?;
        (self.state.place, self.state.of_source) = (place, of_source);
        (self.state.pages, self.state.bytes) = (pages, bytes);
        self.state.redirects = redirects;
        replace(&self.folder.join(STATE), &self.state.text())?;
        self.last = Instant::now();
        Ok(())
    }

    /// Removes the folder: the bundle is made.
    pub(super) fn finish(self) -> Result<()> {
        let cannot = |source| Error::io(&self.folder, "cannot remove", source);
        // The state goes first: without it, nothing else counts.
        for name in [STATE, NEW, PAGES, REDIRECTS, LOCK] {
            match std::fs::remove_file(self.folder.join(name)) {
                Err(problem) if problem.kind() != ErrorKind::NotFound => {
                    return Err(cannot(problem));
                }
                _ => {}
            }
        }
        std::fs::remove_dir(&self.folder).map_err(cannot)
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // Children that are being started hold the file, too, for a moment.
        let _ = self.lock.unlock();
    }
}

/// The longest state: a source takes less than 100 bytes beside its name.
const MAX_STATE: u64 = 1 << 30;

fn read(path: &Path, text: &[u8], command: &Command) -> Result<State> {
    let state = serde_json::from_slice(text).ok();
    let state = state.filter(|state: &State| state.text() == text);
    let state = state.ok_or_else(|| {
        let problem = "is damaged, or of another version; remove the folder to begin again";
        Error::file(path, problem)
    })?;
    match state.command == *command {
        true => Ok(state),
        false => {
            let problem = "is the checkpoint of other sources or options; repeat the command that \
                           made it, or remove the folder to begin again";
            Err(Error::file(path, problem))
        }
    }
}

/// True for folders in which nothing is but what a run has left.
fn is_ours(folder: &Path) -> bool {
    let Ok(entries) = folder.read_dir() else {
        return false;
    };
    let known = [STATE, NEW, PAGES, REDIRECTS, LOCK];
    entries.into_iter().all(|entry| {
        let name = entry.map(|entry| entry.file_name());
        name.is_ok_and(|name| known.iter().any(|known| name == **known))
    })
}

fn open(path: &Path) -> Result<File> {
    let mut options = File::options();
    let file = options.read(true).write(true).create(true).open(path);
    file.map_err(|source| Error::io(path, "cannot open", source))
}

/// Opens a file, and cuts off what does not count.
fn cut(path: &Path, bytes: u64) -> Result<File> {
    let mut file = open(path)?;
    let cannot = |source| Error::io(path, "cannot write", source);
    if file.metadata().map_err(cannot)?.len() < bytes {
        let problem = "is shorter than it was; remove the folder to begin again";
        return Err(Error::file(path, problem));
    }
    file.set_len(bytes).map_err(cannot)?;
    file.seek(SeekFrom::End(0)).map_err(cannot)?;
    Ok(file)
}
