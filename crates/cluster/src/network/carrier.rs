//! Messages between processes, carried by the communication layer of timely dataflow: a thread for
//! each direction of each connection, and queues that never block. Its threads panic when a connection
//! ends; here, the end of a connection is noted, and its thread sleeps until the process ends.

use super::handshake::Connections;
use super::hosts::Hosts;
use super::links::Links;
use crate::{Message, MessageContent, Transport};
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use timely_communication::allocator::zero_copy::bytes_slab::BytesRefill;
use timely_communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely_communication::allocator::zero_copy::stream::Stream;
use timely_communication::allocator::{Allocator, ProcessBuilder};
use timely_communication::{Bytesable, Hooks, Pull, Push};
use webrank_base::error::Result;

/// Words in a packet at most.
const PACKET: usize = 1 << 16;

/// How long to wait before workers are looked after.
const WAIT: Duration = Duration::from_millis(50);

/// The transport of one of several processes.
pub(super) struct Carrier {
    me: usize,
    allocator: Allocator,
    to: Vec<Box<dyn Push<Packet>>>,
    from: Box<dyn Pull<Packet>>,
    /// The received words of messages in several packets.
    begun: Vec<Vec<u64>>,
    links: Arc<Links>,
    is_over: bool,
}

impl Carrier {
    /// Starts to carry messages over these connections.
    ///
    /// # Errors
    /// If the system refuses threads.
    pub(super) fn new(hosts: &Hosts, connections: Connections, patience: Duration) -> Result<Self> {
        let (me, n) = (hosts.me(), hosts.count());
        let links = Links::start(hosts, connections.control, patience)?;
        let line = |(worker, stream): (usize, Option<TcpStream>)| {
            stream.map(|stream| Line {
                stream,
                worker,
                links: Arc::clone(&links),
            })
        };
        let lines = connections.data.into_iter().enumerate().map(line).collect();
        let hooks = Hooks::default();
        let own = ProcessBuilder::new_typed_vector(1, refill(), None);
        let started = initialize_networking_from_sockets(own, lines, me, 1, hooks);
        let (builders, guard) = started
            .map_err(|problem| hosts.problem(me, format!("cannot start threads: {problem}")))?;
        // Threads end with the process: they may sleep on a connection that has ended.
        std::mem::forget(guard);
        let builder = builders.into_iter().next().expect("one for each thread");
        let mut allocator = Allocator::Tcp(builder.build());
        let (to, from) = allocator.allocate(0);
        Ok(Carrier {
            me,
            allocator,
            to,
            from,
            begun: vec![Vec::new(); n],
            links,
            is_over: false,
        })
    }
}

fn refill() -> BytesRefill {
    BytesRefill {
        logic: Arc::new(|size| Box::new(vec![0u8; size])),
        limit: None,
    }
}

impl Transport for Carrier {
    fn index(&self) -> usize {
        self.me
    }

    fn workers(&self) -> usize {
        self.to.len()
    }

    fn send(&mut self, to: usize, message: Message) -> Result<()> {
        let (kind, words) = match message.content {
            MessageContent::Words(words) => (Packet::WORDS, words),
            MessageContent::Part(words) => (Packet::PART, words),
            MessageContent::Failed(reason) => {
                // On the other connections, where no words are in the way.
                if !self.is_over {
                    self.is_over = true;
                    self.links.failed(&reason);
                }
                return Ok(());
            }
        };
        let (me, to_worker) = (self.me as u64, &mut self.to[to]);
        let mut push = |kind, words| {
            let head = Some([me, message.round, kind]);
            to_worker.send(Packet { head, words });
        };
        match words.len() {
            // Most messages: nothing is copied.
            0..=PACKET => push(kind | Packet::LAST, words),
            length => {
                let last = (length - 1) / PACKET;
                for (piece, words) in words.chunks(PACKET).enumerate() {
                    let is_last = u64::from(piece == last);
                    push(kind | (is_last * Packet::LAST), words.to_vec());
                }
            }
        }
        self.to[to].done();
        self.allocator.release();
        Ok(())
    }

    fn next(&mut self) -> Result<(usize, Message)> {
        loop {
            self.allocator.receive();
            self.allocator.events().borrow_mut().clear();
            while let Some(Packet { head, mut words }) = self.from.recv() {
                let Some([from, round, kind]) = head else {
                    return Err(self
                        .links
                        .problem(self.me, "received half a packet; run again"));
                };
                let from = (from as usize).min(self.begun.len() - 1);
                let begun = &mut self.begun[from];
                if kind & Packet::LAST == 0 || !begun.is_empty() {
                    begun.append(&mut words);
                }
                if kind & Packet::LAST == 0 {
                    continue;
                }
                if words.is_empty() {
                    words = std::mem::take(begun);
                }
                let content = match kind & Packet::PART {
                    0 => MessageContent::Words(words),
                    _ => MessageContent::Part(words),
                };
                return Ok((from, Message { round, content }));
            }
            self.allocator.release();
            self.links.check()?;
            self.allocator.await_events(Some(WAIT));
        }
    }

    fn end(&mut self) -> Result<()> {
        self.is_over = true;
        self.links.done();
        self.links.await_done()
    }
}

/// Words that are sent at once.
struct Packet {
    /// The sender, the round, the kind; none in what is too short.
    head: Option<[u64; 3]>,
    words: Vec<u64>,
}

impl Packet {
    const LAST: u64 = 1;
    const PART: u64 = 2;
    const WORDS: u64 = 0;
}

impl Bytesable for Packet {
    fn from_bytes(bytes: timely_bytes::arc::Bytes) -> Self {
        let (words, _) = bytes.as_chunks();
        let (head, words) = words.split_at(words.len().min(3));
        let number = |&word: &[u8; 8]| u64::from_le_bytes(word);
        Packet {
            head: head.first_chunk().map(|head| head.each_ref().map(number)),
            words: words.iter().map(number).collect(),
        }
    }

    fn length_in_bytes(&self) -> usize {
        8 * (3 + self.words.len())
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let head = self.head.unwrap_or_default();
        for words in [&head[..]].into_iter().chain(self.words.chunks(1 << 9)) {
            let mut bytes = [[0; 8]; 1 << 9];
            for (bytes, word) in bytes.iter_mut().zip(words) {
                *bytes = word.to_le_bytes();
            }
            let written = writer.write_all(bytes[..words.len()].as_flattened());
            written.expect("there is room for the bytes that were announced");
        }
    }
}

/// A connection whose end is noted, and otherwise not noticed.
struct Line {
    stream: TcpStream,
    worker: usize,
    links: Arc<Links>,
}

impl Line {
    /// Notes the end, and sleeps.
    fn lost(&self, problem: &io::Error) -> ! {
        self.links.cut(self.worker, problem);
        loop {
            thread::park();
        }
    }
}

impl Read for Line {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(bytes) {
                Ok(0) => self.lost(&io::ErrorKind::UnexpectedEof.into()),
                Ok(count) => return Ok(count),
                Err(problem) if problem.kind() == io::ErrorKind::Interrupted => {}
                Err(problem) => self.lost(&problem),
            }
        }
    }
}

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.stream.write(bytes) {
                Err(problem) if problem.kind() == io::ErrorKind::Interrupted => {}
                Err(problem) => self.lost(&problem),
                Ok(0) => self.lost(&io::ErrorKind::WriteZero.into()),
                Ok(count) => return Ok(count),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Line {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Line {
            stream: self.stream.try_clone()?,
            worker: self.worker,
            links: Arc::clone(&self.links),
        })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // The other side may have ended before.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
