//! Connections to the other agents, which come back when they were cut: a thread reads each, another writes
//! what waits for it.

use super::frames::Frame;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use std::io::BufReader;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::thread::{Builder, sleep};
use std::time::Duration;
use webrank_cluster::network::{Dialled, Met, Party};

/// An event of connections.
pub(in crate::crawler) enum Event {
    /// An agent is there.
    Up(usize, Line),
    /// A connection has ended.
    Down(usize, u64),
    /// Something came on a connection.
    Frame(usize, u64, Frame),
    /// An agent does not want this one, and why.
    Refused(usize, &'static str),
}

/// A connection to an agent: it ends when this is dropped, after what waits was sent.
pub(in crate::crawler) struct Line {
    /// No two connections have the same.
    pub(super) number: u64,
    out: Sender<Frame>,
}

impl Line {
    /// Sends a frame if there is room; true if so.
    pub(super) fn send(&self, frame: Frame) -> bool {
        self.out.try_send(frame).is_ok()
    }

    /// True if there is no room for a frame.
    pub(super) fn is_full(&self) -> bool {
        self.out.is_full()
    }

    /// Sends a frame, and waits a while for room.
    pub(super) fn send_in_time(&self, frame: Frame) {
        // Who is gone meanwhile does not hear it.
        let _ = self.out.send_timeout(frame, BEAT);
    }
}

/// Frames that wait for a connection, 64 KiB each at most.
const ROOM: usize = 16;

/// How often an agent tells that it is alive.
const BEAT: Duration = Duration::from_secs(1);

/// A connection on which nothing comes for so long is cut.
const SILENCE: Duration = Duration::from_secs(30);

/// Handshakes at a time; further strangers wait.
const AT_A_TIME: usize = 64;

/// Between two attempts to connect, at first and at most.
const PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(3));

/// Between two looks for somebody who connects.
const LOOK: Duration = Duration::from_millis(20);

/// The state that the threads share.
struct Lines {
    party: Arc<Party>,
    events: Sender<Event>,
    numbers: AtomicU64,
    handshakes: AtomicUsize,
    is_over: Arc<AtomicBool>,
}

/// Starts to connect with these agents, and to listen for those behind this one, until it `is_over`.
///
/// # Errors
/// If the system refuses threads, or to listen.
pub(super) fn start(
    party: &Arc<Party>,
    others: impl Iterator<Item = usize>,
    is_over: &Arc<AtomicBool>,
) -> std::io::Result<Receiver<Event>> {
    let listener = party.listen()?;
    listener.set_nonblocking(true)?;
    let (events, inbox) = bounded(4 * ROOM);
    let lines = Arc::new(Lines {
        party: Arc::clone(party),
        events,
        numbers: AtomicU64::new(0),
        handshakes: AtomicUsize::new(0),
        is_over: Arc::clone(is_over),
    });
    let listening = Arc::clone(&lines);
    let named = |name: &str| Builder::new().name(name.into());
    named("listener").spawn(move || listen(&listening, &listener))?;
    for other in others.filter(|&other| other < party.hosts().me()) {
        let dialling = Arc::clone(&lines);
        named("dialler").spawn(move || dialling.dial(other))?;
    }
    Ok(inbox)
}

/// Answers those who connect.
fn listen(lines: &Arc<Lines>, listener: &TcpListener) {
    while !lines.is_over.load(Relaxed) {
        let has_room = lines.handshakes.load(Relaxed) < AT_A_TIME;
        let Some((stream, place)) = has_room.then(|| listener.accept().ok()).flatten() else {
            sleep(LOOK);
            continue;
        };
        lines.handshakes.fetch_add(1, Relaxed);
        let answering = Arc::clone(lines);
        let answer = move || {
            let met = stream
                .set_nonblocking(false)
                .and_then(|()| answering.party.answer(stream));
            answering.handshakes.fetch_sub(1, Relaxed);
            match met {
                Ok(Met::Process(from, stream)) => answering.carry(from, &stream),
                Ok(Met::Refused(why)) => {
                    log::warn!("{}: a process here was refused: it {why}", place.ip())
                }
                // Strangers lose their connection, no more.
                Ok(Met::Stranger) | Err(_) => {}
            }
        };
        if Builder::new().name("answer".into()).spawn(answer).is_err() {
            lines.handshakes.fetch_sub(1, Relaxed);
        }
    }
}

impl Lines {
    /// Connects with an agent, again and again.
    fn dial(&self, to: usize) {
        let mut pause = PAUSES.0;
        while !self.is_over.load(Relaxed) {
            match self.party.dial(to) {
                Ok(Dialled::Connected(stream)) => {
                    self.carry(to, &stream);
                    pause = PAUSES.0;
                }
                Ok(Dialled::Refused(why)) => {
                    // Nobody may listen any more.
                    let _ = self.events.send(Event::Refused(to, why));
                    return;
                }
                Err(_) => pause = (2 * pause).min(PAUSES.1),
            }
            sleep(pause);
        }
    }

    /// Reads a connection until it ends, while another thread writes to it.
    fn carry(&self, with: usize, stream: &TcpStream) {
        let number = self.numbers.fetch_add(1, Relaxed);
        let (out, frames) = bounded(ROOM);
        let timed = stream.set_read_timeout(Some(SILENCE));
        let timed = timed.and_then(|()| stream.set_write_timeout(Some(SILENCE)));
        let Ok(writing) = timed.and_then(|()| stream.try_clone()) else {
            return;
        };
        let write = move || write(writing, &frames);
        if Builder::new().name("writer".into()).spawn(write).is_err()
            || self
                .events
                .send(Event::Up(with, Line { number, out }))
                .is_err()
        {
            return;
        }
        let mut input = BufReader::with_capacity(1 << 16, stream);
        while let Ok(frame) = Frame::read(&mut input) {
            if frame != Frame::Alive && self.events.send(Event::Frame(with, number, frame)).is_err()
            {
                break;
            }
        }
        let _ = stream.shutdown(Shutdown::Both);
        let _ = self.events.send(Event::Down(with, number));
    }
}

/// Writes what waits, until nothing more can come.
fn write(mut stream: TcpStream, frames: &Receiver<Frame>) {
    loop {
        let frame = match frames.recv_timeout(BEAT) {
            Ok(frame) => frame,
            Err(RecvTimeoutError::Timeout) => Frame::Alive,
            Err(RecvTimeoutError::Disconnected) => break,
        };
        if frame.write(&mut stream).is_err() {
            break;
        }
    }
    // The reader ends with it.
    let _ = stream.shutdown(Shutdown::Both);
}
