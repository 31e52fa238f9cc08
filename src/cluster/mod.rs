//! Workers that compute together, each with a part of the graph.
//!
//! * [`Team`]: who computes together;
//! * [`pieces`]: what a worker has of the graph;
//! * `kept`: checkpoints of what they compute;
//! * [`Exchange`]: what workers do together; computations know nothing else of other workers;
//! * [`Transport`]: how a message gets from one to another;
//! * `threads`: workers that are threads of one process;
//! * `network` (feature `cluster`): workers that are processes, on one machine or several.
//!
//! Sums of whole numbers do not depend on the order in which they arrive, so no result depends on how
//! many workers there are or which of them is first. A message that is not planned, or that is missing,
//! is an error and never a wait.

mod kept;
#[cfg(feature = "cluster")]
pub mod network;
pub(crate) mod pieces;
mod team;
mod threads;

use crate::error::{Error, Result};
pub(crate) use kept::{FoundAmong, SavingAmong};
use std::collections::VecDeque;
pub use team::Team;
use threads::threads;

/// What a worker sends to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    /// How many times the sender had gathered before.
    pub(crate) round: u64,
    pub(crate) content: Content,
}

/// What is in a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    Words(Vec<u64>),
    /// The part of the sender in what all workers gather, the last of its round.
    Part(Vec<u64>),
    /// The sender has failed, and sends nothing more.
    Failed(String),
}

/// How a message gets from one worker to another: messages between two workers stay in their order.
pub(crate) trait Transport {
    /// Which of the workers this is.
    fn index(&self) -> usize;

    /// The number of workers.
    fn workers(&self) -> usize;

    /// Sends a message to any worker, this one included; never waits.
    ///
    /// # Errors
    /// If the other worker is gone.
    fn send(&mut self, to: usize, message: Message) -> Result<()>;

    /// The next message, and which worker sent it. Waits for it.
    ///
    /// # Errors
    /// If a worker is gone.
    fn next(&mut self) -> Result<(usize, Message)>;

    /// Ends the work, once all have gathered the last time.
    ///
    /// # Errors
    /// If a worker is gone before it has received everything.
    fn end(&mut self) -> Result<()> {
        Ok(())
    }
}

/// What a worker does together with the others. All of them take the same steps in the same order.
pub(crate) struct Exchange<'t> {
    transport: Box<dyn Transport + 't>,
    /// How many times this worker has gathered.
    round: u64,
    /// Words that came while parts were awaited.
    words: VecDeque<(usize, u64, Vec<u64>)>,
    /// Parts that came while words, or parts of others, were awaited: a queue for each worker.
    parts: Vec<VecDeque<Vec<u64>>>,
    is_over: bool,
}

impl<'t> Exchange<'t> {
    /// The exchange over a transport.
    pub(crate) fn new(transport: impl Transport + 't) -> Self {
        Exchange {
            round: 0,
            words: VecDeque::new(),
            parts: vec![VecDeque::new(); transport.workers()],
            transport: Box::new(transport),
            is_over: false,
        }
    }

    /// The exchange of a worker that is alone.
    pub(crate) fn alone() -> Self {
        Exchange::new(threads(1).remove(0))
    }

    /// Which of the workers this is.
    pub(crate) fn index(&self) -> usize {
        self.transport.index()
    }

    /// The number of workers.
    pub(crate) fn workers(&self) -> usize {
        self.transport.workers()
    }

    /// Sends words to another worker, which receives them after those sent before. It never waits.
    ///
    /// # Errors
    /// If that worker has failed.
    pub(crate) fn send(&mut self, to: usize, words: Vec<u64>) -> Result<()> {
        let message = self.message(Content::Words(words));
        self.transport.send(to, message)
    }

    /// The next words from any other worker, and which it is. Waits for them.
    ///
    /// # Errors
    /// If a worker has failed, or if all have sent everything before they gather the next time.
    pub(crate) fn receive(&mut self) -> Result<(usize, Vec<u64>)> {
        loop {
            if let Some((from, round, words)) = self.words.pop_front() {
                return match round == self.round {
                    true => Ok((from, words)),
                    false => Err(self.not_planned(from)),
                };
            }
            let me = self.index();
            let mut others = (0..self.workers()).filter(|&other| other != me);
            if others.all(|other| !self.parts[other].is_empty()) {
                return Err(self.not_planned(me));
            }
            self.next()?;
        }
    }

    /// The words that every worker gives, in the order of the workers. Waits for all.
    ///
    /// # Errors
    /// If a worker has failed, or gives another number of words.
    pub(crate) fn gather<const N: usize>(&mut self, own: [u64; N]) -> Result<Vec<[u64; N]>> {
        let parts = self.gather_lists(&own)?;
        let array =
            |(from, part): (usize, Vec<u64>)| part.try_into().map_err(|_| self.not_planned(from));
        parts.into_iter().enumerate().map(array).collect()
    }

    /// The lists that every worker gives, in the order of the workers. Waits for all.
    ///
    /// # Errors
    /// If a worker has failed.
    pub(crate) fn gather_lists(&mut self, own: &[u64]) -> Result<Vec<Vec<u64>>> {
        for to in 0..self.workers() {
            let message = self.message(Content::Part(own.to_vec()));
            self.transport.send(to, message)?;
        }
        while self.parts.iter().any(VecDeque::is_empty) {
            self.next()?;
        }
        self.round += 1;
        let parts = self.parts.iter_mut().flat_map(VecDeque::pop_front);
        Ok(parts.collect())
    }

    /// The words that worker 0 gives.
    ///
    /// # Errors
    /// If a worker has failed.
    pub(crate) fn first(&mut self, own: &[u64]) -> Result<Vec<u64>> {
        let own = if self.index() == 0 { own } else { &[] };
        Ok(self.gather_lists(own)?.swap_remove(0))
    }

    /// Whether something is so for worker 0.
    ///
    /// # Errors
    /// If a worker has failed.
    pub(crate) fn is_for_first(&mut self, own: bool) -> Result<bool> {
        Ok(self.first(&[own.into()])? == [1])
    }

    /// Ends this worker's part in the work, or tells the others why it ends too early.
    pub(crate) fn end<T>(mut self, result: Result<T>) -> Result<T> {
        match &result {
            Ok(_) => {
                self.is_over = true;
                self.transport.end()?;
            }
            Err(problem) => self.fail(&problem.to_string()),
        }
        result
    }

    fn message(&self, content: Content) -> Message {
        Message {
            round: self.round,
            content,
        }
    }

    /// Takes the next message.
    fn next(&mut self) -> Result<()> {
        let (from, Message { round, content }) = self.transport.next()?;
        match content {
            Content::Words(words) => self.words.push_back((from, round, words)),
            Content::Part(part) => {
                let expected = self.round + self.parts[from].len() as u64;
                if round != expected {
                    return Err(self.not_planned(from));
                }
                self.parts[from].push_back(part);
            }
            Content::Failed(problem) => {
                return Err(Error::Worker {
                    worker: from,
                    problem,
                });
            }
        }
        Ok(())
    }

    /// The error for a message that is not planned, or missing.
    pub(crate) fn not_planned(&self, worker: usize) -> Error {
        Error::Worker {
            worker,
            problem:
                "what it sends or awaits is not planned: it has other shards, or a message was \
                      lost; start all workers again"
                    .into(),
        }
    }

    fn fail(&mut self, problem: &str) {
        self.is_over = true;
        for to in 0..self.workers() {
            // Those that have ended need not know.
            let _ = self
                .transport
                .send(to, self.message(Content::Failed(problem.into())));
        }
    }
}

impl Drop for Exchange<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.fail("it ended too early");
        }
    }
}

#[cfg(test)]
mod tests;
