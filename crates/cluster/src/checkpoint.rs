//! Checkpoints of what several workers compute: worker 0 has the file.
//!
//! A list with numbers for each node is in the order of the nodes, so a run may go on with another number
//! of workers. Workers send their parts one after the other, when they are asked, so that worker 0 never
//! holds more than a piece of them.

use super::Exchange;
use std::ops::Range;
use webrank_base::Node;
use webrank_base::checkpoint::{CheckpointReader, CheckpointWriter, Number};
use webrank_base::error::{Error, Result};

/// Numbers that are sent at a time.
const AT_ONCE: usize = 1 << 16;

/// What is sent to ask for the next piece, or to say that one has come.
const NEXT: u64 = 0;

/// Which nodes of a worker have numbers: those of all others are 0 in the list, and are not kept.
#[derive(Clone, Copy)]
pub struct Listed<'s> {
    /// All nodes of the worker.
    pub num_nodes: usize,
    /// Those with numbers, in increasing order.
    pub nodes: &'s [Node],
}

/// A state that is being written.
pub struct DistributedWriter<'s, 't> {
    /// The file, which worker 0 has.
    pub to: Option<&'s mut CheckpointWriter>,
    /// The other workers.
    pub exchange: &'s mut Exchange<'t>,
    /// Which nodes have numbers; none if all have.
    pub some: Option<Listed<'s>>,
}

impl DistributedWriter<'_, '_> {
    /// Writes numbers that are the same for all workers.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn same<T: Number>(&mut self, numbers: &[T]) -> Result<()> {
        let written = self.to.as_mut().map(|to| to.numbers(numbers));
        written.unwrap_or(Ok(()))
    }

    /// Writes the list of which each worker has the part for its nodes.
    ///
    /// # Errors
    /// If the file cannot be written, or another worker fails.
    pub fn of_nodes<T: Number>(&mut self, numbers: &[T]) -> Result<()> {
        let exchange = &mut *self.exchange;
        let num_nodes = self.some.map_or(numbers.len(), |some| some.num_nodes);
        let counts = exchange.gather([num_nodes as u64])?;
        let part = |range: Range<usize>| match self.some {
            None => numbers[range].to_vec(),
            Some(some) => some.spread(range, numbers),
        };
        if let Some(to) = &mut self.to {
            to.begin::<T>(counts.iter().map(|[count]| count).sum())?;
            for range in pieces(num_nodes) {
                to.append(part(range))?;
            }
            for (worker, [count]) in counts.into_iter().enumerate().skip(1) {
                let mut left = count as usize;
                while left > 0 {
                    exchange.send(worker, vec![NEXT])?;
                    let piece = received::<T>(exchange, worker, left.min(AT_ONCE))?;
                    left -= piece.len();
                    to.append(piece)?;
                }
            }
        } else {
            for range in pieces(num_nodes) {
                await_next(exchange, 0)?;
                exchange.send(0, words(&part(range)))?;
            }
        }
        exchange.gather([])?;
        Ok(())
    }
}

/// The nodes that come at a time.
fn pieces(num_nodes: usize) -> impl Iterator<Item = Range<usize>> {
    let starts = (0..num_nodes).step_by(AT_ONCE);
    starts.map(move |start| start..num_nodes.min(start + AT_ONCE))
}

impl Listed<'_> {
    /// The nodes of a range that have numbers, and their places.
    fn within(&self, range: &Range<usize>) -> Range<usize> {
        let place = |node: usize| self.nodes.partition_point(|&other| (other as usize) < node);
        place(range.start)..place(range.end)
    }

    /// The part of the list for a range of nodes.
    fn spread<T: Number>(&self, range: Range<usize>, numbers: &[T]) -> Vec<T> {
        let places = self.within(&range);
        let mut list = vec![T::default(); range.len()];
        for (&node, &number) in self.nodes[places.clone()].iter().zip(&numbers[places]) {
            list[node as usize - range.start] = number;
        }
        list
    }

    /// Takes numbers from the part of the list for a range of nodes.
    fn collect<T: Number>(&self, range: Range<usize>, list: &[T], numbers: &mut [T]) {
        let places = self.within(&range);
        for (&node, number) in self.nodes[places.clone()].iter().zip(&mut numbers[places]) {
            *number = list[node as usize - range.start];
        }
    }
}

/// A state that is being taken up.
pub struct DistributedReader<'s, 't> {
    /// The file, which worker 0 has.
    pub from: Option<&'s mut CheckpointReader>,
    /// The other workers.
    pub exchange: &'s mut Exchange<'t>,
    /// Which nodes have numbers; none if all have.
    pub some: Option<Listed<'s>>,
}

impl DistributedReader<'_, '_> {
    /// Reads numbers that are the same for all workers.
    ///
    /// # Errors
    /// If they cannot be read, or are not as many, or another worker fails.
    pub fn same<T: Number>(&mut self, numbers: &mut [T]) -> Result<()> {
        if let Some(from) = &mut self.from {
            from.fill(numbers)?;
        }
        let first = self.exchange.first(&words(numbers))?;
        let read = of_words(&first, numbers.len());
        numbers.copy_from_slice(&read.ok_or_else(|| self.exchange.not_planned(0))?);
        Ok(())
    }

    /// The error of a state that contradicts itself.
    pub fn damaged(&self) -> Error {
        match &self.from {
            Some(from) => from.damaged(),
            None => self.exchange.not_planned(0),
        }
    }

    /// Reads numbers that are the same for all workers, however many.
    ///
    /// # Errors
    /// If they cannot be read, or another worker fails.
    pub fn list(&mut self) -> Result<Vec<u64>> {
        let mut list = Vec::new();
        if let Some(from) = &mut self.from {
            list = from.list(u32::MAX as usize)?;
        }
        self.exchange.first(&list)
    }

    /// Fills the part for the nodes of each worker from a list; false if the list is empty.
    ///
    /// # Errors
    /// If it cannot be read, or has another length, or another worker fails.
    pub fn of_nodes<T: Number>(&mut self, numbers: &mut [T]) -> Result<bool> {
        let exchange = &mut *self.exchange;
        let num_nodes = self.some.map_or(numbers.len(), |some| some.num_nodes);
        let counts = exchange.gather([num_nodes as u64])?;
        let all: u64 = counts.iter().map(|[count]| count).sum();
        let mut found = 0;
        if let Some(from) = &mut self.from {
            found = from.begin::<T>()? as u64;
            if found > 0 && found != all {
                return Err(from.damaged());
            }
        }
        if exchange.first(&[found])? != [all] {
            return Ok(false);
        }
        let some = self.some;
        let mut take = |range: Range<usize>, list: &[T]| match some {
            None => numbers[range].copy_from_slice(list),
            Some(some) => some.collect(range, list, numbers),
        };
        if let Some(from) = &mut self.from {
            for range in pieces(num_nodes) {
                let mut piece = vec![T::default(); range.len()];
                from.fill_begun(&mut piece)?;
                take(range, &piece);
            }
            for (worker, [count]) in counts.into_iter().enumerate().skip(1) {
                let mut left = count as usize;
                while left > 0 {
                    let mut piece = vec![T::default(); left.min(AT_ONCE)];
                    from.fill_begun(&mut piece)?;
                    exchange.send(worker, words(&piece))?;
                    await_next(exchange, worker)?;
                    left -= piece.len();
                }
            }
        } else {
            for range in pieces(num_nodes) {
                let piece = received(exchange, 0, range.len())?;
                take(range, &piece);
                exchange.send(0, vec![NEXT])?;
            }
        }
        exchange.gather([])?;
        Ok(true)
    }
}

/// Waits until a worker is ready.
fn await_next(exchange: &mut Exchange, worker: usize) -> Result<()> {
    let (from, words) = exchange.receive()?;
    match from == worker && words == [NEXT] {
        true => Ok(()),
        false => Err(exchange.not_planned(from)),
    }
}

/// So many numbers from a worker.
fn received<T: Number>(exchange: &mut Exchange, worker: usize, count: usize) -> Result<Vec<T>> {
    let (from, words) = exchange.receive()?;
    let numbers = of_words(&words, count).filter(|_| from == worker);
    numbers.ok_or_else(|| exchange.not_planned(from))
}

/// Numbers as words, the last of which may have room left.
fn words<T: Number>(numbers: &[T]) -> Vec<u64> {
    let mut bytes = Vec::with_capacity(numbers.len() * T::BYTES + 7);
    numbers.iter().for_each(|number| number.put(&mut bytes));
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let (words, _) = bytes.as_chunks();
    words.iter().map(|&word| u64::from_le_bytes(word)).collect()
}

/// So many numbers of these words, if they are as many.
fn of_words<T: Number>(words: &[u64], count: usize) -> Option<Vec<T>> {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let expected = count * T::BYTES;
    let is_whole = bytes.len() == expected.next_multiple_of(8);
    is_whole.then(|| {
        bytes[..expected]
            .chunks_exact(T::BYTES)
            .map(T::of)
            .collect()
    })
}
