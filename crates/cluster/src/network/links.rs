//! Who was heard last, and who is gone.
//!
//! Beside the connection for messages there is another, on which every worker tells each second that
//! it is alive, at the end that it is done, and if it fails, why.

use super::hosts::Hosts;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};
use webrank_base::error::{Error, Result};

/// How often a worker tells that it is alive.
const BEAT: Duration = Duration::from_secs(1);

/// The first byte of a word.
const ALIVE: u8 = 0;
const DONE: u8 = 1;
const FAILED: u8 = 2;

/// The longest reason that is told.
const MAX_REASON: usize = 1 << 10;

/// A word of a worker on its second connection.
enum Word {
    Alive,
    Done,
    Failed(String),
}

impl Word {
    /// Waits for the next one.
    fn hear(stream: &mut impl Read) -> io::Result<Self> {
        let mut kind = [0];
        stream.read_exact(&mut kind)?;
        match kind[0] {
            FAILED => {
                let mut length = [0; 4];
                stream.read_exact(&mut length)?;
                let mut reason = vec![0; (u32::from_le_bytes(length) as usize).min(MAX_REASON)];
                stream.read_exact(&mut reason)?;
                Ok(Word::Failed(String::from_utf8_lossy(&reason).into_owned()))
            }
            DONE => Ok(Word::Done),
            _ => Ok(Word::Alive),
        }
    }
}

/// The state of the link to a worker.
#[derive(Debug, Clone)]
struct Link {
    heard: Instant,
    is_done: bool,
    /// Why it does not work on.
    gone: Option<String>,
    cut: Option<Cut>,
}

/// The state of a connection for messages that has ended. The other one may yet tell that the worker is
/// done: after a disturbance, one may be back seconds before the other.
#[derive(Debug, Clone)]
struct Cut {
    reason: String,
    /// When the worker was heard first after that.
    heard: Option<Instant>,
}

/// For how long a worker may go on telling that it is alive, once it sends no more messages.
const GRACE: Duration = Duration::from_secs(2);

/// The links to all workers.
pub(super) struct Links {
    hosts: Hosts,
    patience: Duration,
    links: Mutex<Vec<Link>>,
    control: Vec<Option<TcpStream>>,
    is_over: AtomicBool,
}

impl Links {
    /// Begins to listen, and to tell that this worker is alive.
    ///
    /// # Errors
    /// If the system refuses threads.
    pub(super) fn start(
        hosts: &Hosts,
        control: Vec<Option<TcpStream>>,
        patience: Duration,
    ) -> Result<Arc<Self>> {
        let link = Link {
            heard: Instant::now(),
            is_done: false,
            gone: None,
            cut: None,
        };
        let links = Arc::new(Links {
            hosts: hosts.clone(),
            patience,
            links: Mutex::new(vec![link; hosts.count()]),
            control,
            is_over: AtomicBool::new(false),
        });
        let cannot =
            |problem| hosts.problem(hosts.me(), format!("cannot start a thread: {problem}"));
        for worker in 0..hosts.count() {
            let Some(stream) = &links.control[worker] else {
                continue;
            };
            let stream = stream.try_clone().map_err(cannot)?;
            let heard = Arc::clone(&links);
            let listen = move || heard.listen(worker, stream);
            thread::Builder::new().spawn(listen).map_err(cannot)?;
        }
        let beating = Arc::clone(&links);
        let beat = move || {
            while !beating.is_over.load(Relaxed) {
                beating.tell(&[ALIVE]);
                thread::sleep(BEAT);
            }
        };
        thread::Builder::new().spawn(beat).map_err(cannot)?;
        Ok(links)
    }

    fn links(&self) -> MutexGuard<'_, Vec<Link>> {
        self.links
            .lock()
            .unwrap_or_else(|broken| broken.into_inner())
    }

    /// Tells all others.
    fn tell(&self, bytes: &[u8]) {
        for mut stream in self.control.iter().flatten() {
            // Workers that cannot be told are found out by silence.
            let _ = stream.write_all(bytes);
        }
    }

    /// Tells all others that this worker is done.
    pub(super) fn done(&self) {
        self.is_over.store(true, Relaxed);
        self.tell(&[DONE]);
    }

    /// Tells all others why this worker fails.
    pub(super) fn failed(&self, reason: &str) {
        self.is_over.store(true, Relaxed);
        self.tell(&failure(reason));
    }

    /// Listens to a worker until it is done or gone.
    fn listen(&self, worker: usize, mut stream: TcpStream) {
        loop {
            match self.hear(worker, &mut stream) {
                Ok(true) => {}
                Ok(false) => return,
                Err(problem) => return self.lose(worker, &problem),
            }
        }
    }

    fn hear(&self, worker: usize, stream: &mut TcpStream) -> io::Result<bool> {
        let word = Word::hear(stream)?;
        let link = &mut self.links()[worker];
        link.heard = Instant::now();
        if let Some(cut) = &mut link.cut {
            cut.heard.get_or_insert(link.heard);
        }
        match word {
            Word::Alive => {}
            Word::Done => link.is_done = true,
            Word::Failed(reason) => link.gone = Some(gave_up(&reason)),
        }
        Ok(link.gone.is_none() && !link.is_done)
    }

    /// Notes that the connection has ended on which a worker tells that it is alive.
    fn lose(&self, worker: usize, problem: &io::Error) {
        let link = &mut self.links()[worker];
        if !link.is_done {
            link.gone.get_or_insert(told(problem));
        }
    }

    /// Notes that the connection for messages has ended.
    pub(super) fn cut(&self, worker: usize, problem: &io::Error) {
        let link = &mut self.links()[worker];
        link.cut.get_or_insert_with(|| Cut {
            reason: told(problem),
            heard: None,
        });
    }

    /// # Errors
    /// If a worker is gone, or has been silent for too long.
    pub(super) fn check(&self) -> Result<()> {
        let links = self.links();
        for (worker, link) in links
            .iter()
            .enumerate()
            .filter(|&(worker, _)| worker != self.hosts.me())
        {
            if let Some(reason) = &link.gone {
                return Err(self.hosts.problem(worker, reason));
            }
            if let Some(Cut {
                reason,
                heard: Some(heard),
            }) = &link.cut
                && !link.is_done
                && link.heard.duration_since(*heard) > GRACE
            {
                return Err(self.hosts.problem(worker, reason));
            }
            if !link.is_done && link.heard.elapsed() > self.patience {
                let seconds = self.patience.as_secs();
                let problem = format!(
                    "has been silent for {seconds} s: its machine, the network or the process \
                                       stands still; run the same command again"
                );
                return Err(self.hosts.problem(worker, problem));
            }
        }
        Ok(())
    }

    /// Waits until all others are done: then nothing that this worker has sent is on its way.
    ///
    /// # Errors
    /// As for [`Self::check`].
    pub(super) fn await_done(&self) -> Result<()> {
        loop {
            self.check()?;
            let links = self.links();
            let me = self.hosts.me();
            if links
                .iter()
                .enumerate()
                .all(|(worker, link)| worker == me || link.is_done)
            {
                return Ok(());
            }
            drop(links);
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// The error of a worker, by the address in the hosts file.
    pub(super) fn problem(&self, worker: usize, problem: &str) -> Error {
        self.hosts.problem(worker, problem)
    }
}

/// Looks, without waiting, whether a worker that is connected has ended or failed, and why.
pub(super) fn gone(control: &TcpStream) -> Option<String> {
    match look(control) {
        Ok(Some(Word::Failed(reason))) => Some(gave_up(&reason)),
        Ok(_) => None,
        Err(problem) => Some(told(&problem)),
    }
}

/// The word of a worker, if there is anything to hear.
fn look(mut control: &TcpStream) -> io::Result<Option<Word>> {
    control.set_nonblocking(true)?;
    let waiting = control.peek(&mut [0]);
    control.set_nonblocking(false)?;
    match waiting {
        Ok(_) => Word::hear(&mut control).map(Some),
        Err(problem) if problem.kind() == io::ErrorKind::WouldBlock => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// The word that tells others why a worker fails.
pub(super) fn failure(reason: &str) -> Vec<u8> {
    let end = (0..=reason.len().min(MAX_REASON))
        .rev()
        .find(|&end| reason.is_char_boundary(end));
    let reason = &reason.as_bytes()[..end.unwrap_or(0)];
    let mut bytes = vec![FAILED];
    bytes.extend((reason.len() as u32).to_le_bytes());
    bytes.extend(reason);
    bytes
}

fn gave_up(reason: &str) -> String {
    format!("gave up: {reason}")
}

/// The words for a connection that has ended.
fn told(problem: &io::Error) -> String {
    let reason = match problem.kind() {
        io::ErrorKind::UnexpectedEof => "it was stopped, or its machine failed".into(),
        _ => problem.to_string(),
    };
    format!("is gone: {reason}; run the same command again")
}
