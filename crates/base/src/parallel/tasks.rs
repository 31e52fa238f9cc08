//! Pieces of work that threads share.
//!
//! A loop over tasks is compiled once, here, whatever the tasks are: where `rayon` takes the type of every
//! closure into its own, each loop costs the compiler as much as a whole file does, and loops were half of
//! all that it optimised. The cost of a task besides its work, some tens of nanoseconds, is lost in the
//! thousands of entries that it handles.
//!
//! Results stand in the order of the tasks. As tasks are cut by the graph alone, results do not
//! depend on the number of threads.

use super::sums::INDICES_PER_TASK;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Runs `task` for every number below `count`, in any order.
fn run(count: usize, task: &(dyn Fn(usize) + Sync)) {
    // Small components have only one task in each of thousands of loops: it is done at once.
    if count == 1 {
        return task(0);
    }
    // Long tasks are handed out one by one, thousands of short ones by the dozen.
    let at_once = count / (32 * rayon::current_num_threads());
    let tasks = (0..count).into_par_iter().with_max_len(at_once.max(1));
    tasks.for_each(task);
}

const HELD: &str = "nothing panics while it holds a slot";

/// A value that one thread leaves and another takes.
struct Slot<T>(Mutex<Option<T>>);

impl<T> Slot<T> {
    fn of(value: Option<T>) -> Self {
        Slot(Mutex::new(value))
    }

    fn put(&self, value: T) {
        *self.0.lock().expect(HELD) = Some(value);
    }

    fn take(&self) -> T {
        let mut slot = self.0.lock().expect(HELD);
        slot.take().expect("each is put and taken once")
    }
}

/// Tasks that wait for a thread.
fn slots<T>(tasks: impl IntoIterator<Item = T>) -> Vec<Slot<T>> {
    tasks.into_iter().map(|task| Slot::of(Some(task))).collect()
}

/// Does all tasks, in any order.
pub fn for_each<T: Send>(tasks: impl IntoIterator<Item = T>, work: impl Fn(T) + Sync) {
    let tasks = slots(tasks);
    run(tasks.len(), &|i| work(tasks[i].take()));
}

/// The results of all tasks, in their order.
pub fn map<T: Send, R: Send>(
    tasks: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> R + Sync,
) -> Vec<R> {
    let tasks = slots(tasks);
    results(tasks.len(), &|i| work(tasks[i].take()))
}

/// The results of all tasks, in their order, or the error of one: after an error no more tasks are
/// begun.
pub fn try_map<T: Send, R: Send, E: Send>(
    tasks: impl IntoIterator<Item = T>,
    work: impl Fn(T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    let tasks = slots(tasks);
    try_results(tasks.len(), &|i| work(tasks[i].take()))
}

// What follows is compiled once for all loops with results of a type.

/// Places for results, one for each task.
fn places<R>(count: usize) -> Vec<Slot<R>> {
    (0..count).map(|_| Slot::of(None)).collect()
}

fn results<R: Send>(count: usize, result: &(dyn Fn(usize) -> R + Sync)) -> Vec<R> {
    let places = places(count);
    run(count, &|i| places[i].put(result(i)));
    places.iter().map(Slot::take).collect()
}

fn try_results<R: Send, E: Send>(
    count: usize,
    result: &(dyn Fn(usize) -> Result<R, E> + Sync),
) -> Result<Vec<R>, E> {
    let places = places(count);
    let failed = AtomicBool::new(false);
    run(count, &|i| {
        if !failed.load(Relaxed) {
            let result = result(i);
            failed.fetch_or(result.is_err(), Relaxed);
            places[i].put(result);
        }
    });
    // Tasks that were not begun have no result, and only where some other has an error.
    let mut results = Vec::with_capacity(count);
    for Slot(place) in places {
        if let Some(result) = place.into_inner().expect(HELD) {
            results.push(result?);
        }
    }
    Ok(results)
}

/// Does tasks in their order, as many at a time as there are threads, each with a state of its
/// thread; after an error no more tasks are begun.
pub fn try_in_order<T: Send, S: Default, E: Send>(
    tasks: impl IntoIterator<Item = T>,
    work: impl Fn(&mut S, T) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let tasks = slots(tasks);
    let next = AtomicUsize::new(0);
    let threads = tasks.len().min(rayon::current_num_threads());
    let results = try_map(0..threads, |_| {
        let mut state = S::default();
        while let Some(task) = tasks.get(next.fetch_add(1, Relaxed)) {
            if let Err(problem) = work(&mut state, task.take()) {
                next.store(tasks.len(), Relaxed);
                return Err(problem);
            }
        }
        Ok(())
    });
    results.map(|_| ())
}

/// Consecutive ranges of indices below `count`, one for each task.
pub fn ranges(count: usize) -> impl Iterator<Item = Range<usize>> {
    let starts = (0..count).step_by(INDICES_PER_TASK);
    starts.map(move |start| start..count.min(start + INDICES_PER_TASK))
}

/// `value(index)` for every index below `count`.
pub fn tabulate<R: Clone + Default + Send>(
    count: usize,
    value: impl Fn(usize) -> R + Sync,
) -> Vec<R> {
    let mut values = vec![R::default(); count];
    update(&mut values, |index, entry| *entry = value(index));
    values
}

/// The values of `value(index)` that are something, in the order of the indices below `count`.
pub fn select<R: Send>(count: usize, value: impl Fn(usize) -> Option<R> + Sync) -> Vec<R> {
    let parts = map(ranges(count), |range| {
        range.filter_map(&value).collect::<Vec<R>>()
    });
    parts.into_iter().flatten().collect()
}

/// Hands the parts of `entries` to `change`, each with the range of its indices.
pub fn update_parts<T: Send>(entries: &mut [T], change: impl Fn(Range<usize>, &mut [T]) + Sync) {
    // Not inlined: a parameter is known to alias nothing, so its loops can use vector instructions.
    #[inline(never)]
    fn part<T>(task: usize, part: &mut [T], change: &impl Fn(Range<usize>, &mut [T])) {
        let first = task * INDICES_PER_TASK;
        change(first..first + part.len(), part);
    }
    let parts = entries.chunks_mut(INDICES_PER_TASK).enumerate();
    for_each(parts, |(task, entries)| part(task, entries, &change));
}

/// Hands every entry to `change`, with its index.
pub fn update<T: Send>(entries: &mut [T], change: impl Fn(usize, &mut T) + Sync) {
    update_parts(entries, |range, part| {
        for (index, entry) in range.zip(part) {
            change(index, entry);
        }
    });
}

/// Hands every entry of `entries`, and that of `others` beside it, to `change`.
///
/// # Panics
/// If there are more entries than others.
pub fn update_with<T: Send, U: Sync>(
    entries: &mut [T],
    others: &[U],
    change: impl Fn(&mut T, &U) + Sync,
) {
    assert!(
        entries.len() <= others.len(),
        "each entry has one beside it"
    );
    update_parts(entries, |range, part| {
        for (entry, other) in part.iter_mut().zip(&others[range]) {
            change(entry, other);
        }
    });
}

/// `zero` joined with the parts that `part` makes of ranges of the indices below `count`, in their order.
pub fn reduce<R: Send>(
    count: usize,
    zero: R,
    part: impl Fn(Range<usize>) -> R + Sync,
    join: impl Fn(R, R) -> R,
) -> R {
    map(ranges(count), part).into_iter().fold(zero, join)
}

/// Whether `holds` of every index below `count`.
pub fn all(count: usize, holds: impl Fn(usize) -> bool + Sync) -> bool {
    first(count, |index| !holds(index)).is_none()
}

/// The first index below `count` of which `holds`.
pub fn first(count: usize, holds: impl Fn(usize) -> bool + Sync) -> Option<usize> {
    let found = map(ranges(count), |mut range| range.find(|&index| holds(index)));
    found.into_iter().flatten().next()
}

/// The number of indices below `count` of which `holds`.
pub fn count(count: usize, holds: impl Fn(usize) -> bool + Sync) -> usize {
    let part = |range: Range<usize>| range.filter(|&index| holds(index)).count();
    reduce(count, 0, part, |a, b| a + b)
}

/// The largest `value(index)` of the indices below `count`, or 0 if none is larger. Numbers that are
/// NaN do not count.
pub fn largest(count: usize, value: impl Fn(usize) -> f64 + Sync) -> f64 {
    let part = |range: Range<usize>| range.map(&value).fold(0.0, f64::max);
    reduce(count, 0.0, part, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: usize = 2 * INDICES_PER_TASK + 3;

    #[test]
    fn results_are_in_the_order_of_the_tasks() {
        assert_eq!(
            map(0..1000, |i| i * i),
            (0..1000).map(|i| i * i).collect::<Vec<_>>()
        );
        assert_eq!(map([(); 0], |()| 1), [0; 0]);
    }

    #[test]
    fn every_index_is_handled_once() {
        let values = tabulate(COUNT, |i| i as u64);
        assert_eq!(values, (0..COUNT as u64).collect::<Vec<_>>());
        let mut sums = values.clone();
        update_with(&mut sums, &values, |sum, value| *sum += value);
        update(&mut sums, |i, sum| *sum -= i as u64);
        assert_eq!(sums, values);
        let odd = select(COUNT, |i| (i % 2 == 1).then_some(i));
        assert_eq!(odd, (1..COUNT).step_by(2).collect::<Vec<_>>());
        assert_eq!(ranges(COUNT).map(|range| range.len()).sum::<usize>(), COUNT);
    }

    #[test]
    fn the_first_is_the_first() {
        assert_eq!(first(COUNT, |i| i >= 7 && i % 5 == 0), Some(10));
        assert_eq!(first(COUNT, |i| i == COUNT - 1), Some(COUNT - 1));
        assert!(all(COUNT, |i| i < COUNT));
        assert!(!all(COUNT, |i| i + 1 < COUNT));
        assert_eq!(count(COUNT, |i| i < 10), 10);
    }

    #[test]
    fn an_error_of_any_task_is_found() {
        let result: Result<Vec<usize>, usize> = try_map(0..100, Ok);
        assert_eq!(result.unwrap().len(), 100);
        let result: Result<Vec<usize>, usize> =
            try_map(0..100, |i| if i < 99 { Ok(i) } else { Err(i) });
        assert_eq!(result, Err(99));
        let done = AtomicUsize::new(0);
        let ordered = |limit: usize| {
            try_in_order(0..100, |count: &mut usize, i| {
                *count += 1;
                assert!(*count <= done.fetch_add(1, Relaxed) + 1);
                if i < limit { Ok(()) } else { Err(i) }
            })
        };
        assert_eq!(ordered(100), Ok(()));
        assert_eq!(done.load(Relaxed), 100);
        assert_eq!(ordered(99), Err(99));
    }
}
