//! [webrank]: ../webrank/index.html
#![doc = include_str!("../README.md")]
//!
//! # Inside
//!
//! `all_rows` sums for all nodes in the end, `order` has ranks across workers, and `bipartite` finds the nodes that
//! steps forth and back along arcs connect.
//!
//! Sums of integers do not depend on the order in which they arrive, so no result depends on how
//! many workers there are or which of them is first. A message that is not planned, or that is missing,
//! is an error and never a wait.

mod all_rows;
pub(crate) mod bipartite;
pub mod buffered_gather;
mod checkpoint;
pub mod delivery;
mod division;
pub mod fixed_point;
mod gather_in;
mod gather_out;
#[cfg(feature = "network")]
pub mod network;
pub mod nondangling;
mod order;
pub mod pieces;
pub mod products;
mod team;
pub mod threads;

pub use checkpoint::{DistributedStage, DistributedVisitor, Listed, State};
pub use division::{Division, LocalSizes};
pub use gather_out::Steps;
use std::collections::VecDeque;
use std::time::{Duration, Instant};
pub use team::Workers;
pub use threads::threads;
use webrank_base::error::{Error, Result};

/// A message of a worker to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// How many times the sender had gathered before.
    pub round: u64,
    /// Its content.
    pub content: MessageContent,
}

/// The content of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MessageContent {
    /// Numbers of one step.
    Words(Vec<u64>),
    /// The part of the sender in what all workers gather, the last of its round.
    Part(Vec<u64>),
    /// The sender has failed, and sends nothing more.
    Failed(String),
}

/// How a message gets from one worker to another: messages between two workers stay in their order.
pub trait Transport {
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

/// The bytes that workers have sent each other, and their waits.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Traffic {
    /// The bytes that all workers together have sent, without what messages begin with.
    pub bytes_sent: u64,
    /// How long each worker has waited for others. A slow one waits least.
    pub seconds_waited: Vec<f64>,
    /// The bytes of the sums that they send in a sweep, if these are fewer than the plan says.
    pub bytes_a_sweep: Option<u64>,
}

/// A worker's part in the exchange. All workers take the same steps in the same order.
pub struct Exchange<'t> {
    transport: Box<dyn Transport + 't>,
    /// The share of the graph of each worker.
    weights: Vec<u32>,
    /// The words sent to other workers.
    sent: u64,
    /// How long this worker has waited for others.
    waited: Duration,
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
    pub fn new(transport: impl Transport + 't) -> Self {
        Exchange {
            weights: vec![1; transport.workers()],
            sent: 0,
            waited: Duration::ZERO,
            round: 0,
            words: VecDeque::new(),
            parts: vec![VecDeque::new(); transport.workers()],
            transport: Box::new(transport),
            is_over: false,
        }
    }

    /// The exchange of a worker that is alone.
    pub fn alone() -> Self {
        Exchange::new(threads(1).remove(0))
    }

    /// The exchange with these weights, one for each worker.
    #[cfg(feature = "network")]
    pub(crate) fn weighing(mut self, weights: Vec<u32>) -> Self {
        self.weights = weights;
        self
    }

    /// Which of the workers this is.
    pub fn index(&self) -> usize {
        self.transport.index()
    }

    /// The number of workers.
    pub fn workers(&self) -> usize {
        self.transport.workers()
    }

    /// The share of the graph of each worker: see [`Division`].
    pub fn weights(&self) -> &[u32] {
        &self.weights
    }

    /// The bytes and waits of all workers so far.
    ///
    /// # Errors
    /// If a worker has failed.
    pub fn account(&mut self) -> Result<Traffic> {
        let own = [self.sent, self.waited.as_micros() as u64];
        let all = self.gather(own)?;
        Ok(Traffic {
            bytes_sent: all.iter().map(|[words, _]| 8 * words).sum(),
            seconds_waited: all.iter().map(|[_, micros]| *micros as f64 / 1e6).collect(),
            bytes_a_sweep: None,
        })
    }

    /// Sends words to another worker, which receives them after those sent before. It never waits.
    ///
    /// # Errors
    /// If that worker has failed.
    pub fn send(&mut self, to: usize, words: Vec<u64>) -> Result<()> {
        self.sent += words.len() as u64;
        let message = self.message(MessageContent::Words(words));
        self.transport.send(to, message)
    }

    /// The next words from any other worker, and which it is. Waits for them.
    ///
    /// # Errors
    /// If a worker has failed, or if all have sent everything before they gather the next time.
    pub fn receive(&mut self) -> Result<(usize, Vec<u64>)> {
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
    pub fn gather<const N: usize>(&mut self, own: [u64; N]) -> Result<Vec<[u64; N]>> {
        self.give(own)?;
        self.given()
    }

    /// Gives words without waiting for those of others, which [`Self::given`] returns. In between, this
    /// worker may receive what was sent before.
    ///
    /// # Errors
    /// If a worker has failed.
    pub fn give<const N: usize>(&mut self, own: [u64; N]) -> Result<()> {
        self.give_list(&own)
    }

    /// The words that every worker has given, in the order of the workers. Waits for all.
    ///
    /// # Errors
    /// As for [`Self::gather`].
    pub fn given<const N: usize>(&mut self) -> Result<Vec<[u64; N]>> {
        let parts = self.given_lists()?;
        let array =
            |(from, part): (usize, Vec<u64>)| part.try_into().map_err(|_| self.not_planned(from));
        parts.into_iter().enumerate().map(array).collect()
    }

    /// The lists that every worker gives, in the order of the workers. Waits for all.
    ///
    /// # Errors
    /// If a worker has failed.
    pub fn gather_lists(&mut self, own: &[u64]) -> Result<Vec<Vec<u64>>> {
        self.give_list(own)?;
        self.given_lists()
    }

    fn give_list(&mut self, own: &[u64]) -> Result<()> {
        self.sent += (own.len() * (self.workers() - 1)) as u64;
        for to in 0..self.workers() {
            let message = self.message(MessageContent::Part(own.to_vec()));
            self.transport.send(to, message)?;
        }
        Ok(())
    }

    fn given_lists(&mut self) -> Result<Vec<Vec<u64>>> {
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
    pub fn first(&mut self, own: &[u64]) -> Result<Vec<u64>> {
        let own = if self.index() == 0 { own } else { &[] };
        Ok(self.gather_lists(own)?.swap_remove(0))
    }

    /// Whether something is so for worker 0.
    ///
    /// # Errors
    /// If a worker has failed.
    pub fn is_for_first(&mut self, own: bool) -> Result<bool> {
        Ok(self.first(&[own.into()])? == [1])
    }

    /// Ends this worker's part in the work, or tells the others why it ends too early.
    pub fn end<T>(mut self, result: Result<T>) -> Result<T> {
        match &result {
            Ok(_) => {
                self.is_over = true;
                self.transport.end()?;
            }
            Err(problem) => self.fail(&problem.to_string()),
        }
        result
    }

    fn message(&self, content: MessageContent) -> Message {
        Message {
            round: self.round,
            content,
        }
    }

    /// Takes the next message.
    fn next(&mut self) -> Result<()> {
        let start = Instant::now();
        let (from, Message { round, content }) = self.transport.next()?;
        self.waited += start.elapsed();
        match content {
            MessageContent::Words(words) => self.words.push_back((from, round, words)),
            MessageContent::Part(part) => {
                let expected = self.round + self.parts[from].len() as u64;
                if round != expected {
                    return Err(self.not_planned(from));
                }
                self.parts[from].push_back(part);
            }
            MessageContent::Failed(problem) => {
                return Err(Error::Worker {
                    worker: from,
                    address: None,
                    problem,
                });
            }
        }
        Ok(())
    }

    /// The error for a message that is not planned, or missing.
    pub fn not_planned(&self, worker: usize) -> Error {
        Error::Worker {
            worker,
            address: None,
            problem:
                "unexpected message: are all workers using the same shards? Restart all workers"
                    .into(),
        }
    }

    fn fail(&mut self, problem: &str) {
        self.is_over = true;
        for to in 0..self.workers() {
            // Workers that have ended need not know.
            let _ = self
                .transport
                .send(to, self.message(MessageContent::Failed(problem.into())));
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
