//! The sieve of a key-value store: 128-bit signatures in a B-tree on disk, by `redb`.
//!
//! Batches are inserted in the order of their signatures, in a transaction that also keeps the numbers
//! of URLs taken and given and the mark of the outlet: after a kill, the store is as after one of them.
//! Each URL costs a path in the tree, so that the others are faster when all is said; but a batch of
//! few URLs needs no pass over what was seen.

use super::batch::Batch;
use super::signature::Signer;
use super::{Sieve, SieveStats, UrlSink, collisions, disk};
use redb::backends::FileBackend;
use redb::{BackendError, Builder, Database, ReadableDatabase, StorageBackend, TableDefinition};
use std::fs::File;
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use webrank_base::error::{Error, Result};

pub(super) struct Store {
    path: PathBuf,
    store: Database,
    signer: Signer,
    batch: Batch,
    room: u64,
    memory: u64,
    taken: u64,
    given: u64,
    traffic: Arc<Traffic>,
}

const SEEN: TableDefinition<u128, ()> = TableDefinition::new("seen");
const STATE: TableDefinition<&str, u64> = TableDefinition::new("state");

impl Store {
    pub(super) fn open(folder: &Path, memory: u64, out: &mut dyn UrlSink) -> Result<Self> {
        // A part for the batch, whose lists may double, and half for pages of the tree.
        Self::with_room(folder, memory / 4, memory / 2, out)
    }

    /// A sieve that holds back so many bytes of URLs, and holds so many bytes of the tree.
    pub(super) fn with_room(
        folder: &Path,
        room: u64,
        cache: u64,
        out: &mut dyn UrlSink,
    ) -> Result<Self> {
        let path = folder.join("store.redb");
        let traffic = Arc::new(Traffic::default());
        if !path.exists() {
            // A store that is cut while it is made is none: it gets its name when it is whole.
            let new = folder.join("store.new");
            disk::remove(&new)?;
            drop(database(&new, cache, &traffic)?);
            let named = disk::spend().and_then(|()| std::fs::rename(&new, &path));
            named.map_err(|source| Error::io(&path, "cannot create", source))?;
        }
        let store = database(&path, cache, &traffic)?;
        let mut store = Store {
            path,
            store,
            signer: Signer::random(),
            batch: Batch::default(),
            room,
            memory: 2 * room + cache,
            taken: 0,
            given: 0,
            traffic,
        };
        let mark = store.restore()?;
        out.cut(mark)?;
        Ok(store)
    }

    /// Reads the state; returns the mark of the outlet.
    fn restore(&mut self) -> Result<u64> {
        let path = self.path.clone();
        let read = self.store.begin_read();
        let read = read.map_err(|problem| failed(&path, problem))?;
        let state = match read.open_table(STATE) {
            Ok(state) => state,
            Err(redb::TableError::TableDoesNotExist(_)) => return Ok(0),
            Err(problem) => return Err(failed(&path, problem)),
        };
        let get = |name: &str| {
            let found = state.get(name).map_err(|problem| failed(&path, problem))?;
            let found = found.ok_or_else(|| failed(&path, format!("it has no '{name}'")))?;
            Ok(found.value())
        };
        self.signer = Signer::with_keys([get("key 1")?, get("key 2")?]);
        self.taken = get("taken")?;
        self.given = get("given")?;
        get("mark")
    }
}

/// Opens a store, or makes it.
fn database(path: &Path, cache: u64, traffic: &Arc<Traffic>) -> Result<Database> {
    let cannot = |source| Error::io(path, "cannot open", source);
    let file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(cannot)?;
    let is_new = file.metadata().map_err(cannot)?.len() == 0;
    let backend = FileBackend::new(file).map_err(|problem| failed(path, problem))?;
    let backend = Watched {
        inner: backend,
        traffic: Arc::clone(traffic),
    };
    Builder::new()
        .set_cache_size(cache as usize)
        .set_check_integrity_on_open(!is_new)
        .create_with_backend(backend)
        .map_err(|problem| failed(path, problem))
}

/// An error of the store.
fn failed(path: &Path, problem: impl std::fmt::Display) -> Error {
    let problem = problem.to_string().replace('\n', " ");
    Error::file(
        path,
        format!("the store of a sieve cannot be used: {problem}; remove the folder to begin again"),
    )
}

impl Sieve for Store {
    fn take(&mut self, url: &str, out: &mut dyn UrlSink) -> Result<()> {
        self.batch.push(url)?;
        match self.batch.bytes() >= self.room {
            true => self.flush(out),
            false => Ok(()),
        }
    }

    fn flush(&mut self, out: &mut dyn UrlSink) -> Result<()> {
        let (batch, path) = (&self.batch, &self.path);
        if batch.len() == 0 {
            return Ok(());
        }
        let mut order: Vec<(u128, u32)> = (0..batch.len())
            .map(|index| (self.signer.of_128_bits(batch.url(index)), index as u32))
            .collect();
        order.sort_unstable();
        order.dedup_by_key(|(signature, _)| *signature);
        let mut is_new = vec![false; batch.len()];
        let begun = self.store.begin_write();
        let write = begun.map_err(|problem| failed(path, problem))?;
        {
            let seen = write.open_table(SEEN);
            let mut seen = seen.map_err(|problem| failed(path, problem))?;
            for (signature, index) in order {
                let before = seen.insert(signature, ());
                let before = before.map_err(|problem| failed(path, problem))?;
                is_new[index as usize] = before.is_none();
            }
        }
        let mut given = 0;
        for index in (0..batch.len()).filter(|&index| is_new[index]) {
            out.give(self.taken + index as u64, batch.url(index))?;
            given += 1;
        }
        let (taken, given) = (self.taken + batch.len() as u64, self.given + given);
        let [one, two] = self.signer.keys();
        let values = [
            ("key 1", one),
            ("key 2", two),
            ("taken", taken),
            ("given", given),
            ("mark", out.mark()?),
        ];
        {
            let state = write.open_table(STATE);
            let mut state = state.map_err(|problem| failed(path, problem))?;
            for (name, value) in values {
                let inserted = state.insert(name, value);
                inserted.map_err(|problem| failed(path, problem))?;
            }
        }
        write.commit().map_err(|problem| failed(path, problem))?;
        (self.taken, self.given) = (taken, given);
        self.batch.clear();
        Ok(())
    }

    fn taken(&self) -> u64 {
        self.taken
    }

    fn account(&self) -> SieveStats {
        SieveStats {
            taken: self.taken + self.batch.len() as u64,
            given: self.given,
            bytes_read: self.traffic.read.load(Relaxed),
            bytes_written: self.traffic.written.load(Relaxed),
            memory: self.memory,
            lost: collisions(self.given, 128),
            ..SieveStats::default()
        }
    }
}

/// Bytes that went through a file.
#[derive(Debug, Default)]
struct Traffic {
    read: AtomicU64,
    written: AtomicU64,
}

/// A file whose traffic is counted, and whose writing tests can cut.
#[derive(Debug)]
struct Watched {
    inner: FileBackend,
    traffic: Arc<Traffic>,
}

impl StorageBackend for Watched {
    fn len(&self) -> std::io::Result<u64> {
        self.inner.len()
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> std::io::Result<()> {
        self.traffic.read.fetch_add(out.len() as u64, Relaxed);
        self.inner.read(offset, out)
    }

    fn set_len(&self, length: u64) -> std::io::Result<()> {
        disk::spend()?;
        self.inner.set_len(length)
    }

    fn sync_data(&self) -> std::io::Result<()> {
        disk::spend()?;
        disk::sync(|| self.inner.sync_data())
    }

    fn write(&self, offset: u64, data: &[u8]) -> std::io::Result<()> {
        disk::spend()?;
        self.traffic.written.fetch_add(data.len() as u64, Relaxed);
        self.inner.write(offset, data)
    }

    fn close(&self) -> std::io::Result<()> {
        self.inner.close()
    }

    fn try_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.inner.try_lock_range(start, end)
    }

    fn try_lock_shared_range(
        &self,
        start: Bound<u64>,
        end: Bound<u64>,
    ) -> Result<bool, BackendError> {
        self.inner.try_lock_shared_range(start, end)
    }

    fn lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.inner.lock_range(start, end)
    }

    fn lock_shared_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.inner.lock_shared_range(start, end)
    }

    fn unlock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<(), BackendError> {
        self.inner.unlock_range(start, end)
    }

    fn query_lock_range(&self, start: Bound<u64>, end: Bound<u64>) -> Result<bool, BackendError> {
        self.inner.query_lock_range(start, end)
    }
}
