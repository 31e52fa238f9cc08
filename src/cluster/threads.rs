//! Workers that are threads of one process.

use super::Exchange;
use crate::error::{Error, Result};
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};

/// What a thread sends to another.
enum Message {
    Words(Vec<u64>),
    /// Its part of what all of them gather.
    Part(Vec<u64>),
    /// It has failed, and sends nothing more.
    Failed,
}

/// The exchange of one of several threads.
pub(crate) struct Threads {
    index: usize,
    /// To every thread, this one included.
    to: Vec<Sender<(usize, Message)>>,
    from: Receiver<(usize, Message)>,
    /// Words that came while parts were awaited.
    words: VecDeque<(usize, Vec<u64>)>,
    /// Parts that came while words, or earlier parts, were awaited: a queue for each thread.
    parts: Vec<VecDeque<Vec<u64>>>,
    is_done: bool,
}

impl Threads {
    /// One exchange for each of so many threads.
    pub(crate) fn new(workers: usize) -> Vec<Threads> {
        let (to, from): (Vec<_>, Vec<_>) = (0..workers).map(|_| channel()).unzip();
        let exchange = |(index, from)| Threads {
            index,
            to: to.clone(),
            from,
            words: VecDeque::new(),
            parts: vec![VecDeque::new(); workers],
            is_done: false,
        };
        from.into_iter().enumerate().map(exchange).collect()
    }

    /// Ends this worker's part in the work; without this, the others fail when it is dropped.
    pub(crate) fn done(mut self) {
        self.is_done = true;
    }

    /// Takes the next message.
    fn next(&mut self) -> Result<()> {
        // There is always a sender: this worker's own.
        match self.from.recv() {
            Ok((from, Message::Words(words))) => self.words.push_back((from, words)),
            Ok((from, Message::Part(part))) => self.parts[from].push_back(part),
            Ok((_, Message::Failed)) | Err(_) => return Err(Error::Interrupted),
        }
        Ok(())
    }

    fn put(&self, to: usize, message: Message) -> Result<()> {
        let sent = self.to[to].send((self.index, message));
        sent.map_err(|_| Error::Interrupted)
    }
}

impl Exchange for Threads {
    fn index(&self) -> usize {
        self.index
    }

    fn workers(&self) -> usize {
        self.to.len()
    }

    fn send(&mut self, to: usize, words: Vec<u64>) -> Result<()> {
        self.put(to, Message::Words(words))
    }

    fn receive(&mut self) -> Result<(usize, Vec<u64>)> {
        loop {
            if let Some(received) = self.words.pop_front() {
                return Ok(received);
            }
            self.next()?;
        }
    }

    fn gather(&mut self, own: &[u64]) -> Result<Vec<Vec<u64>>> {
        for to in 0..self.workers() {
            self.put(to, Message::Part(own.to_vec()))?;
        }
        while self.parts.iter().any(VecDeque::is_empty) {
            self.next()?;
        }
        let parts = self.parts.iter_mut().flat_map(VecDeque::pop_front);
        Ok(parts.collect())
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        if !self.is_done {
            // Those that have ended need not know.
            (0..self.workers()).for_each(|to| drop(self.put(to, Message::Failed)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn words_come_in_order_and_parts_by_worker() {
        let workers = Threads::new(4);
        thread::scope(|scope| {
            for mut worker in workers {
                scope.spawn(move || {
                    let me = worker.index();
                    for round in 0..50 {
                        for to in (0..4).filter(|&to| to != me) {
                            worker.send(to, vec![round, me as u64]).unwrap();
                            worker.send(to, vec![round, me as u64 + 10]).unwrap();
                        }
                        let mut received = vec![Vec::new(); 4];
                        for _ in 0..6 {
                            let (from, words) = worker.receive().unwrap();
                            received[from].push(words);
                        }
                        for from in (0..4).filter(|&from| from != me) {
                            let expected = [vec![round, from as u64], vec![round, from as u64 + 10]];
                            assert_eq!(received[from], expected);
                        }
                        let parts = worker.gather(&[round * 4 + me as u64]).unwrap();
                        let expected: Vec<_> = (0..4).map(|from| vec![round * 4 + from]).collect();
                        assert_eq!(parts, expected);
                    }
                    worker.done();
                });
            }
        });
    }

    #[test]
    fn a_failure_ends_all_waiting() {
        let mut workers = Threads::new(3).into_iter();
        let (first, mut second, mut third) =
            (workers.next().unwrap(), workers.next().unwrap(), workers.next().unwrap());
        thread::scope(|scope| {
            scope.spawn(move || assert!(second.gather(&[1]).is_err()));
            scope.spawn(move || assert!(third.receive().is_err()));
            drop(first);
        });
    }
}
