//! Takes arcs, and sorts them chunk by chunk while more arrive.

use super::disk::{DiskRun, DiskRunWriter};
use super::element::{Element, key};
use super::run::{Run, Side, merge, reverse};
use super::sorted::{Duplicates, SortedArcs};
use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::JoinHandle;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::output::{SpillBudget, TemporaryFolder};

/// Arcs in any order.
pub struct ArcStore<E: Element> {
    room: SpillBudget,
    /// True if nodes get their final numbers when all arcs are known.
    renumbers: bool,
    filling: Vec<E>,
    /// The length of a chunk.
    chunk: usize,
    /// Arcs in memory.
    held: usize,
    /// Chunks that wait for the final numbers.
    raw: Vec<Raw<E>>,
    runs: Vec<Run<E>>,
    /// The chunk that is being sorted.
    sorting: Option<JoinHandle<Result<Run<E>>>>,
}

/// A chunk with nodes that will be renumbered.
enum Raw<E> {
    Memory(Vec<E>),
    Disk { path: PathBuf, arcs: usize },
}

/// Runs on disk that are merged at once: each has an open file, and a buffer for each thread.
const RUNS: usize = 128;

/// So many are merged at once however little memory there is.
const LEAST_RUNS: usize = 16;

/// The bytes of a buffer.
const BUFFERS: std::ops::RangeInclusive<usize> = 1 << 12..=1 << 17;

/// How many runs on disk there may be, and what is read of each at once. Buffers take the room of the
/// chunks that are gone when runs are merged, a quarter of all.
fn runs_and_buffer(room: u64) -> (usize, usize) {
    let each = usize::try_from(room / 4).unwrap_or(usize::MAX) / rayon::current_num_threads();
    let runs = (each / BUFFERS.start()).clamp(LEAST_RUNS, RUNS);
    (runs, (each / runs).clamp(*BUFFERS.start(), *BUFFERS.end()))
}

impl<E: Element> ArcStore<E> {
    /// An empty store.
    pub fn new(room: SpillBudget, renumbers: bool) -> Self {
        // Two chunks are at hand while one is sorted, and up to eight others wait for the disk.
        let arcs = room.bytes / (12 * size_of::<E>() as u64 + 2 * E::SORTING);
        Self::with_chunk(room, renumbers, arcs.clamp(1 << 14, 1 << 22) as usize)
    }

    /// An empty store that cuts chunks of this length.
    pub(super) fn with_chunk(room: SpillBudget, renumbers: bool, chunk: usize) -> Self {
        ArcStore {
            chunk,
            room,
            renumbers,
            filling: Vec::new(),
            held: 0,
            raw: Vec::new(),
            runs: Vec::new(),
            sorting: None,
        }
    }

    /// Takes an arc.
    ///
    /// # Errors
    /// If memory is short, or if the disk is full.
    #[inline]
    pub fn push(&mut self, source: Node, target: Node, weight: f64) -> Result<()> {
        if self.filling.len() == self.filling.capacity() {
            self.make_room()?;
        }
        self.filling.push(E::new(key(source, target), weight));
        Ok(())
    }

    #[cold]
    fn make_room(&mut self) -> Result<()> {
        if self.filling.len() < self.chunk {
            let more = self.filling.len().max(1 << 10);
            let more = more.min(self.chunk - self.filling.len());
            let reserved = self.filling.try_reserve_exact(more);
            return reserved.map_err(|_| Error::memory("arcs", (more * size_of::<E>()) as u64));
        }
        self.put_away()?;
        let reserved = self.filling.try_reserve_exact(self.chunk);
        reserved.map_err(|_| Error::memory("arcs", (self.chunk * size_of::<E>()) as u64))
    }

    /// Puts the chunk that was filled away.
    fn put_away(&mut self) -> Result<()> {
        let chunk = std::mem::take(&mut self.filling);
        if chunk.is_empty() {
            return Ok(());
        }
        if !self.renumbers {
            return self.sort(chunk);
        }
        let raw = match self.place(chunk.len())? {
            None => Raw::Memory(chunk),
            Some(folder) => {
                let (path, file) = folder.new_file()?;
                write_raw(&chunk, file).map_err(|e| Error::io(&path, "cannot write", e))?;
                let arcs = chunk.len();
                Raw::Disk { path, arcs }
            }
        };
        self.raw.push(raw);
        Ok(())
    }

    /// Where so many more arcs go: none is memory.
    fn place(&mut self, arcs: usize) -> Result<Option<Arc<TemporaryFolder>>> {
        // Besides the arcs held: the chunk that fills, the one that is sorted, and what sorting takes.
        let of_chunks = self.chunk as u64 * (3 * size_of::<E>() as u64 + E::SORTING);
        let bytes = (self.held + arcs) as u64 * size_of::<E>() as u64 + of_chunks;
        if bytes <= self.room.bytes {
            self.held += arcs;
            return Ok(None);
        }
        match &self.room.folder {
            Some(folder) => Ok(Some(folder.clone())),
            None => Err(Error::NeedsMemory {
                what: "the graph",
                needed: bytes,
                allowed: self.room.bytes,
            }),
        }
    }

    /// Sorts a chunk beside what comes next.
    fn sort(&mut self, mut chunk: Vec<E>) -> Result<()> {
        self.wait()?;
        let on_disk = self.runs.iter().filter(|run| matches!(run, Run::Disk(_)));
        let (most, buffer) = runs_and_buffer(self.room.bytes);
        if on_disk.count() >= most {
            self.merge_disk_runs(most, buffer)?;
        }
        let folder = self.place(chunk.len())?;
        self.sorting = Some(std::thread::spawn(move || {
            E::sort(&mut chunk);
            let Some(folder) = folder else {
                return Ok(Run::Memory(chunk));
            };
            let by_source = DiskRun::write(&chunk, &folder)?;
            reverse(&mut chunk);
            Ok(Run::Disk([by_source, DiskRun::write(&chunk, &folder)?]))
        }));
        Ok(())
    }

    /// Waits for the chunk that is being sorted.
    fn wait(&mut self) -> Result<()> {
        if let Some(sorting) = self.sorting.take() {
            let run = sorting.join();
            self.runs
                .push(run.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?);
        }
        Ok(())
    }

    /// Makes one run of the last ones on disk, at least a quarter of the most that there may be. Runs that
    /// are longer than all behind them wait, so that no arc is written again and again. Runs in memory come
    /// first.
    fn merge_disk_runs(&mut self, most: usize, buffer: usize) -> Result<()> {
        let Some(folder) = self.room.folder.clone() else {
            return Ok(());
        };
        let (mut start, mut arcs) = (self.runs.len(), 0);
        for run in self.runs.iter().rev() {
            let is_due = self.runs.len() - start < most / 4 || run.arcs() <= arcs;
            if matches!(run, Run::Memory(_)) || !is_due {
                break;
            }
            start -= 1;
            arcs += run.arcs();
        }
        let disk = self.runs.split_off(start);
        let merged = [Side::StoredGraph, Side::Target].map(|side| {
            let mut writer = DiskRunWriter::create(&folder)?;
            let cursors = disk.iter().map(|run| run.cursor(side, 0, buffer));
            merge(cursors.collect::<Result<_>>()?, u64::MAX, |arc| {
                writer.push(arc)
            })?;
            writer.finish()
        });
        let [by_source, by_target] = merged;
        for run in disk {
            if let Run::Disk(sides) = run {
                sides.into_iter().for_each(DiskRun::remove);
            }
        }
        self.runs.push(Run::Disk([by_source?, by_target?]));
        Ok(())
    }

    /// All arcs, sorted, of a graph of `num_nodes` nodes; if nodes are renumbered, node x is now
    /// `numbers[x]`.
    ///
    /// # Errors
    /// As for [`Self::push`].
    pub fn finish(
        mut self,
        num_nodes: usize,
        numbers: Option<&[Node]>,
        duplicates: Duplicates,
    ) -> Result<SortedArcs<E>> {
        self.put_away()?;
        for raw in std::mem::take(&mut self.raw) {
            let mut chunk = match raw {
                Raw::Memory(chunk) => {
                    self.held -= chunk.len();
                    chunk
                }
                Raw::Disk { path, arcs } => {
                    let chunk = read_raw(&path, arcs);
                    let chunk = chunk.map_err(|e| Error::io(&path, "cannot read", e))?;
                    let _ = std::fs::remove_file(path);
                    chunk
                }
            };
            if let Some(numbers) = numbers {
                renumber(&mut chunk, numbers);
            }
            self.sort(chunk)?;
        }
        self.wait()?;
        Ok(SortedArcs::new(
            num_nodes,
            self.runs,
            runs_and_buffer(self.room.bytes).1,
            duplicates,
            self.room.folder,
        ))
    }
}

fn renumber<E: Element>(chunk: &mut [E], numbers: &[Node]) {
    webrank_base::parallel::tasks::update(chunk, |_, arc| {
        let (source, target) = ((arc.key() >> 32) as usize, arc.key() as u32 as usize);
        *arc = E::new(key(numbers[source], numbers[target]), arc.weight());
    });
}

fn write_raw<E: Element>(chunk: &[E], file: File) -> std::io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 18, file);
    for arc in chunk {
        out.write_all(&arc.key().to_le_bytes())?;
        if E::WEIGHTED {
            out.write_all(&arc.weight().to_le_bytes())?;
        }
    }
    out.flush()
}

fn read_raw<E: Element>(path: &PathBuf, arcs: usize) -> std::io::Result<Vec<E>> {
    let mut input = BufReader::with_capacity(1 << 18, File::open(path)?);
    let mut number = || -> std::io::Result<[u8; 8]> {
        let mut bytes = [0; 8];
        input.read_exact(&mut bytes).map(|()| bytes)
    };
    let mut chunk = Vec::with_capacity(arcs);
    for _ in 0..arcs {
        let key = u64::from_le_bytes(number()?);
        let weight = if E::WEIGHTED {
            f64::from_le_bytes(number()?)
        } else {
            1.0
        };
        chunk.push(E::new(key, weight));
    }
    Ok(chunk)
}
