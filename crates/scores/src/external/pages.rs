//! Entries of vectors in files, for those who ask for one after the other.

use bytemuck::Pod;
use std::sync::{Mutex, MutexGuard, PoisonError};
use webrank_base::error::{Error, Result};
use webrank_base::file_vector::FileVector;

/// Entries that are read at a time.
const PAGE: usize = if cfg!(test) { 4 } else { 1 << 13 };

/// The first error of those who read.
#[derive(Default)]
pub(super) struct Failed(Mutex<Option<Error>>);

impl Failed {
    pub(super) fn check(&self) -> Result<()> {
        held(&self.0).take().map_or(Ok(()), Err)
    }

    /// Keeps the first error; returns what there is instead of what was not read.
    pub(super) fn note<T: Default>(&self, problem: Error) -> T {
        held(&self.0).get_or_insert(problem);
        T::default()
    }
}

/// The entries of a vector in a file: a page for each thread is in memory.
pub(super) struct Pages<'f, T> {
    vector: &'f FileVector<T>,
    failed: &'f Failed,
    /// For threads outside of the pool, and for each of the pool: no thread waits for another.
    pages: Vec<Mutex<Page<T>>>,
}

struct Page<T> {
    start: usize,
    entries: Vec<T>,
}

impl<'f, T: Pod + Default + Send + Sync> Pages<'f, T> {
    pub(super) fn of(vector: &'f FileVector<T>, failed: &'f Failed) -> Self {
        let page = || {
            Mutex::new(Page {
                start: 0,
                entries: Vec::new(),
            })
        };
        let pages = std::iter::repeat_with(page);
        Pages {
            vector,
            failed,
            pages: pages.take(rayon::current_num_threads() + 1).collect(),
        }
    }

    /// An entry; 0 if it cannot be read.
    #[inline]
    pub(super) fn get(&self, index: usize) -> T {
        let thread = rayon::current_thread_index().map_or(0, |thread| thread + 1);
        let mut page = held(&self.pages[thread % self.pages.len()]);
        let entry = page.entries.get(index.wrapping_sub(page.start)).copied();
        entry.unwrap_or_else(|| self.turn(&mut page, index))
    }

    #[cold]
    fn turn(&self, page: &mut Page<T>, index: usize) -> T {
        page.start = index / PAGE * PAGE;
        let count = PAGE.min(self.vector.len().saturating_sub(page.start));
        page.entries.resize(count, T::zeroed());
        if let Err(problem) = self.vector.fill(page.start, &mut page.entries) {
            page.entries = self.failed.note(problem);
        }
        let entry = page.entries.get(index - page.start).copied();
        entry.unwrap_or_default()
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
