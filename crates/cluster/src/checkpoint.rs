//! Checkpoints of what several workers compute: worker 0 has the file.
//!
//! A list with numbers for each node is in the order of the nodes, so a run may go on with another number
//! of workers. Workers send their parts one after the other, when they are asked, so that worker 0 never
//! holds more than a piece of them.

use super::Exchange;
use std::ops::Range;
use webrank_base::Node;
use webrank_base::checkpoint::{CheckpointReader, CheckpointWriter, Number, Stage, StateVisitor};
use webrank_base::error::Result;
use webrank_base::progress::Progress;

/// Numbers that are sent at a time.
const AT_ONCE: usize = 1 << 16;

/// A word that asks for the next piece, or says that one has come.
const NEXT: u64 = 0;

/// Which nodes of a worker have numbers: those of all others are 0 in the list, and are not kept.
#[derive(Clone, Copy)]
pub struct Listed<'s> {
    /// All nodes of the worker.
    pub num_nodes: usize,
    /// The nodes with numbers, in increasing order.
    pub nodes: &'s [Node],
}

/// A state of which each worker has a part.
pub trait State {
    /// Hands all of it to a visitor, which writes it or replaces it.
    ///
    /// # Errors
    /// If the file cannot be written or read, or is not of such a state; if another worker fails.
    fn visit(&mut self, visitor: &mut DistributedVisitor) -> Result<()>;
}

/// One state, then the other.
impl<A: State + ?Sized, B: State + ?Sized> State for (&mut A, &mut B) {
    fn visit(&mut self, visitor: &mut DistributedVisitor) -> Result<()> {
        self.0.visit(visitor)?;
        self.1.visit(visitor)
    }
}

/// A checkpoint that visits the state of several workers.
pub struct DistributedVisitor<'s, 't> {
    /// The file, which worker 0 has.
    pub file: StateVisitor<'s>,
    /// The workers.
    pub exchange: &'s mut Exchange<'t>,
    /// Which nodes have numbers; none if all have.
    pub some: Option<Listed<'s>>,
}

impl DistributedVisitor<'_, '_> {
    /// True if parts are replaced.
    pub fn is_restoring(&self) -> bool {
        self.file.is_restoring()
    }

    /// Visits numbers that are the same for all workers.
    ///
    /// # Errors
    /// If the file cannot be written or read, or if it has another number of them; if another worker fails.
    pub fn same<T: Number>(&mut self, numbers: &mut [T]) -> Result<()> {
        self.file.numbers(numbers)?;
        if self.is_restoring() {
            let first = self.exchange.first(&words(numbers))?;
            let read = of_words(&first, numbers.len());
            numbers.copy_from_slice(&read.ok_or_else(|| self.exchange.not_planned(0))?);
        }
        Ok(())
    }

    /// Visits numbers that are the same for all workers, however many.
    ///
    /// # Errors
    /// If the file cannot be written or read; if another worker fails.
    pub fn list(&mut self, numbers: &mut Vec<u64>) -> Result<()> {
        self.file.list(numbers, u32::MAX as usize)?;
        if self.is_restoring() {
            *numbers = self.exchange.first(numbers)?;
        }
        Ok(())
    }

    /// Checks what holds for every state.
    ///
    /// # Errors
    /// If it does not hold for that of the file.
    pub fn check(&self, holds: bool) -> Result<()> {
        match self.is_restoring() && !holds {
            true => Err((self.file.damaged()).unwrap_or_else(|| self.exchange.not_planned(0))),
            false => Ok(()),
        }
    }

    /// Visits the list of which each worker has the part for its nodes; false if that of the file is empty.
    ///
    /// # Errors
    /// If the file cannot be written or read, or if its list has another length; if another worker fails.
    pub fn of_nodes<T: Number>(&mut self, numbers: &mut [T]) -> Result<bool> {
        let num_nodes = self.some.map_or(numbers.len(), |some| some.num_nodes);
        let counts = self.exchange.gather([num_nodes as u64])?;
        let counts: Vec<u64> = counts.into_iter().flatten().collect();
        let parts = Parts {
            exchange: self.exchange,
            some: self.some,
            num_nodes,
            counts,
        };
        match &mut self.file {
            StateVisitor::Save(to) => parts.save(numbers, to.as_deref_mut()).map(|()| true),
            StateVisitor::Restore(from) => parts.restore(numbers, from.as_deref_mut()),
        }
    }
}

/// A list of which each worker has a part.
struct Parts<'p, 's, 't> {
    exchange: &'p mut Exchange<'t>,
    some: Option<Listed<'s>>,
    /// The nodes of this worker, and of each.
    num_nodes: usize,
    counts: Vec<u64>,
}

impl Parts<'_, '_, '_> {
    fn save<T: Number>(self, numbers: &[T], to: Option<&mut CheckpointWriter>) -> Result<()> {
        let exchange = self.exchange;
        let part = |range: Range<usize>| match self.some {
            None => numbers[range].to_vec(),
            Some(some) => some.spread(range, numbers),
        };
        if let Some(to) = to {
            to.begin::<T>(self.counts.iter().sum())?;
            for range in pieces(self.num_nodes) {
                to.append(part(range))?;
            }
            for (worker, count) in self.counts.into_iter().enumerate().skip(1) {
                let mut left = count as usize;
                while left > 0 {
                    exchange.send(worker, vec![NEXT])?;
                    let piece = received::<T>(exchange, worker, left.min(AT_ONCE))?;
                    left -= piece.len();
                    to.append(piece)?;
                }
            }
        } else {
            for range in pieces(self.num_nodes) {
                await_next(exchange, 0)?;
                exchange.send(0, words(&part(range)))?;
            }
        }
        exchange.gather([])?;
        Ok(())
    }

    fn restore<T: Number>(
        self,
        numbers: &mut [T],
        mut from: Option<&mut CheckpointReader>,
    ) -> Result<bool> {
        let exchange = self.exchange;
        let all: u64 = self.counts.iter().sum();
        let mut found = 0;
        if let Some(from) = &mut from {
            found = from.begin::<T>()? as u64;
            if found > 0 && found != all {
                return Err(from.damaged());
            }
        }
        if exchange.first(&[found])? != [all] {
            return Ok(false);
        }
        let mut take = |range: Range<usize>, list: &[T]| match self.some {
            None => numbers[range].copy_from_slice(list),
            Some(some) => some.collect(range, list, numbers),
        };
        if let Some(from) = from {
            for range in pieces(self.num_nodes) {
                let mut piece = vec![T::default(); range.len()];
                from.fill_begun(&mut piece)?;
                take(range, &piece);
            }
            for (worker, count) in self.counts.into_iter().enumerate().skip(1) {
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
            for range in pieces(self.num_nodes) {
                let piece = received(exchange, 0, range.len())?;
                take(range, &piece);
                exchange.send(0, vec![NEXT])?;
            }
        }
        exchange.gather([])?;
        Ok(true)
    }
}

/// A stage of several workers, whose state is kept if the run has a checkpoint: worker 0 has it.
pub struct DistributedStage<'p> {
    stage: Option<Stage<'p>>,
    is_kept: bool,
}

impl<'p> DistributedStage<'p> {
    /// Begins a stage, if it has a name, and takes up the state that the checkpoint holds, if it holds one.
    ///
    /// # Errors
    /// If what it holds cannot be read, or is of other work; if another worker fails.
    pub fn begin(
        name: Option<&str>,
        exchange: &mut Exchange,
        progress: &'p dyn Progress,
        state: &mut dyn State,
    ) -> Result<Self> {
        let (mut stage, mut found) = (None, None);
        if let (Some(name), Some(checkpoint)) = (name, progress.checkpoint()) {
            let (begun, state) = checkpoint.begin(name, progress)?;
            (stage, found) = (Some(begun), state);
        }
        let is_kept = exchange.is_for_first(stage.is_some())?;
        if is_kept && exchange.is_for_first(found.is_some())? {
            visit(state, StateVisitor::Restore(found.as_mut()), exchange)?;
            found.map(CheckpointReader::end).transpose()?;
        }
        Ok(DistributedStage { stage, is_kept })
    }

    /// Writes the state, if that is due, or if what follows is the `last` that this run may do; `at` says
    /// where the run is.
    ///
    /// # Errors
    /// As for [`Stage::keep`]; if another worker fails.
    pub fn keep(
        &self,
        (at, last): (&str, bool),
        exchange: &mut Exchange,
        state: &mut dyn State,
    ) -> Result<()> {
        let is_due = |stage: &Stage| stage.is_due() || last;
        let is_due = self.stage.as_ref().is_some_and(is_due);
        if !self.is_kept || !exchange.is_for_first(is_due)? {
            return Ok(());
        }
        match &self.stage {
            Some(stage) => stage.keep(at, |to| {
                visit(state, StateVisitor::Save(Some(to)), exchange)
            }),
            None => visit(state, StateVisitor::Save(None), exchange),
        }
    }

    /// Ends the stage.
    ///
    /// # Errors
    /// As for [`Stage::end`].
    pub fn end(self) -> Result<()> {
        self.stage.map_or(Ok(()), Stage::end)
    }
}

/// Visits a state in which all nodes have numbers.
fn visit(state: &mut dyn State, file: StateVisitor, exchange: &mut Exchange) -> Result<()> {
    state.visit(&mut DistributedVisitor {
        file,
        exchange,
        some: None,
    })
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
