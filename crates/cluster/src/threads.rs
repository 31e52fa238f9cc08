//! Workers that are threads of one process.

use super::{Message, Transport};
use std::sync::mpsc::{Receiver, Sender, channel};
use webrank_base::error::{Error, Result};

/// The transport of one of several threads.
pub struct Threads {
    index: usize,
    /// To every thread, this one included.
    to: Vec<Sender<(usize, Message)>>,
    from: Receiver<(usize, Message)>,
}

/// One transport for each of so many threads.
pub fn threads(workers: usize) -> Vec<Threads> {
    let (to, from): (Vec<_>, Vec<_>) = (0..workers).map(|_| channel()).unzip();
    let transport = |(index, from)| Threads {
        index,
        to: to.clone(),
        from,
    };
    from.into_iter().enumerate().map(transport).collect()
}

impl Threads {
    fn gone(&self, worker: usize) -> Error {
        Error::Worker {
            worker,
            address: None,
            problem: "it has ended".into(),
        }
    }
}

impl Transport for Threads {
    fn index(&self) -> usize {
        self.index
    }

    fn workers(&self) -> usize {
        self.to.len()
    }

    fn send(&mut self, to: usize, message: Message) -> Result<()> {
        let sent = self.to[to].send((self.index, message));
        sent.map_err(|_| self.gone(to))
    }

    fn next(&mut self) -> Result<(usize, Message)> {
        // There is always a sender: this thread itself.
        self.from.recv().map_err(|_| self.gone(self.index))
    }
}
