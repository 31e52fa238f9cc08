//! Connections between the workers of one run, and nobody else.
//!
//! Worker i connects to every worker j < i, twice: for messages, and to tell that it is alive. Both
//! sides prove that they know the shared secret, each on a challenge of the other (BLAKE3 in keyed
//! mode), and that they have the same version, shards and parameters. Worker 0 draws the number of the
//! run, which the others tell each other, so that nobody takes a process of an earlier run for one of
//! this. All of it has a deadline, and strangers, whatever they send, only lose their connection.

use super::hosts::Hosts;
use crate::error::{Error, Result};
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// What all workers of a run have in common.
#[derive(Debug, Clone)]
pub(crate) struct Identity {
    /// A hash of version, shards and parameters.
    pub(crate) fingerprint: [u8; 16],
    /// The shared secret.
    pub(crate) secret: Vec<u8>,
}

/// The connections to all workers; none to this one.
pub(super) struct Connections {
    /// For messages.
    pub(super) data: Vec<Option<TcpStream>>,
    /// To tell that this worker is alive.
    pub(super) control: Vec<Option<TcpStream>>,
}

/// What a connection is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Data = 0,
    Control = 1,
}

/// The first bytes of both sides.
const MAGIC: [u8; 8] = *b"webrank1";

/// The time that one handshake may take.
const HANDSHAKE: Duration = Duration::from_secs(5);

/// Handshakes at a time; further strangers wait.
const AT_A_TIME: usize = 200;

/// How long to wait before the next attempt.
const PAUSE: Duration = Duration::from_millis(50);

/// The last byte of a handshake.
const WELCOME: u8 = 0;
const OTHER_FINGERPRINT: u8 = 1;
const OTHER_SECRET: u8 = 2;
const OTHER_RUN: u8 = 3;
const TAKEN: u8 = 4;
const NOT_A_WORKER: u8 = 5;

fn reason(code: u8) -> &'static str {
    match code {
        OTHER_FINGERPRINT => {
            "has other shards, other parameters or another version: start all workers with the same"
        }
        OTHER_SECRET => "has another secret: give all workers the same",
        OTHER_RUN => "belongs to another run: stop the processes of earlier runs",
        TAKEN => "knows another process with the number of this one: give each its own (--process)",
        NOT_A_WORKER => "has another number of workers: give all the same hosts file",
        _ => "refuses this process",
    }
}

type Random = [u8; 16];

/// What this worker knows while workers connect.
struct Meeting<'a> {
    hosts: &'a Hosts,
    identity: &'a Identity,
    deadline: Instant,
    state: Mutex<State>,
    changed: Condvar,
    handshakes: AtomicUsize,
}

#[derive(Default)]
struct State {
    /// The number of the run, once it is known.
    run: Option<Random>,
    data: Vec<Option<TcpStream>>,
    control: Vec<Option<TcpStream>>,
    problem: Option<Error>,
}

impl State {
    fn of(&mut self, kind: Kind) -> &mut Vec<Option<TcpStream>> {
        match kind {
            Kind::Data => &mut self.data,
            Kind::Control => &mut self.control,
        }
    }
}

/// Connects with all other workers.
///
/// # Errors
/// As [`super::connect`].
pub(super) fn connect(
    hosts: &Hosts,
    identity: &Identity,
    patience: Duration,
) -> Result<Connections> {
    let (me, n) = (hosts.me(), hosts.count());
    let none = || (0..n).map(|_| None).collect::<Vec<_>>();
    let meeting = Meeting {
        hosts,
        identity,
        deadline: Instant::now() + patience,
        state: Mutex::new(State {
            run: (me == 0)
                .then(random)
                .transpose()
                .map_err(|source| Error::io("random numbers", "cannot draw", source))?,
            data: none(),
            control: none(),
            problem: None,
        }),
        changed: Condvar::new(),
        handshakes: AtomicUsize::new(0),
    };
    let listener = match me + 1 < n {
        true => Some(listen(hosts, meeting.deadline)?),
        false => None,
    };
    thread::scope(|scope| {
        let connecting = scope.spawn(|| meeting.connect_to_earlier());
        if let Some(listener) = &listener {
            meeting.accept(scope, listener);
        }
        if let Err(problem) = connecting.join().expect("connecting does not panic") {
            meeting.fail(problem);
        }
        meeting.await_all();
    });
    let State {
        data,
        control,
        problem,
        ..
    } = meeting
        .state
        .into_inner()
        .unwrap_or_else(|broken| broken.into_inner());
    match problem {
        Some(problem) => Err(problem),
        None => Ok(Connections { data, control }),
    }
}

/// Listens at the address of this worker.
fn listen(hosts: &Hosts, deadline: Instant) -> Result<TcpListener> {
    loop {
        let listener = TcpListener::bind(hosts.address(hosts.me()));
        let problem = match listener.and_then(|listener| {
            listener.set_nonblocking(true)?;
            Ok(listener)
        }) {
            Ok(listener) => return Ok(listener),
            Err(problem) => problem,
        };
        // A process that has just ended may still hold it.
        let is_taken = problem.kind() == io::ErrorKind::AddrInUse;
        if !is_taken || Instant::now() + Duration::from_secs(2) > deadline {
            let problem = format!(
                "cannot listen here: {problem}; give it an address of this machine that is free"
            );
            return Err(hosts.problem(hosts.me(), problem));
        }
        thread::sleep(PAUSE);
    }
}

impl Meeting<'_> {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .unwrap_or_else(|broken| broken.into_inner())
    }

    /// Keeps the first problem, and ends all waiting.
    fn fail(&self, problem: Error) {
        self.state().problem.get_or_insert(problem);
        self.changed.notify_all();
    }

    fn is_over(&self) -> bool {
        self.state().problem.is_some() || Instant::now() >= self.deadline
    }

    /// Connects to the workers before this one, the first of which knows the number of the run.
    fn connect_to_earlier(&self) -> Result<()> {
        for worker in 0..self.hosts.me() {
            for kind in [Kind::Data, Kind::Control] {
                let stream = self.connect_to(worker, kind)?;
                self.state().of(kind)[worker] = Some(stream);
                self.changed.notify_all();
            }
        }
        Ok(())
    }

    /// Tries until the deadline.
    fn connect_to(&self, worker: usize, kind: Kind) -> Result<TcpStream> {
        let mut last = String::from("nothing was tried");
        while !self.is_over() {
            match self.try_connect(worker, kind) {
                Ok((stream, WELCOME)) => return Ok(stream),
                // Another process may still be there that ends soon.
                Ok((_, code @ (OTHER_RUN | TAKEN))) => last = reason(code).into(),
                Ok((_, code)) => return Err(self.hosts.problem(worker, reason(code))),
                Err(problem) => last = format!("cannot be reached: {problem}"),
            }
            thread::sleep(PAUSE);
        }
        Err(self.hosts.problem(worker, last))
    }

    fn try_connect(&self, worker: usize, kind: Kind) -> io::Result<(TcpStream, u8)> {
        let addresses = self.hosts.address(worker).to_socket_addrs()?;
        let mut last = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
        for address in addresses {
            match TcpStream::connect_timeout(&address, HANDSHAKE) {
                Ok(stream) => return self.introduce(stream, worker, kind),
                Err(problem) => last = problem,
            }
        }
        Err(last)
    }

    /// The side of the one who connects.
    fn introduce(
        &self,
        mut stream: TcpStream,
        worker: usize,
        kind: Kind,
    ) -> io::Result<(TcpStream, u8)> {
        stream.set_read_timeout(Some(HANDSHAKE))?;
        stream.set_write_timeout(Some(HANDSHAKE))?;
        stream.set_nodelay(true)?;
        let mine = random()?;
        let me = self.hosts.me() as u32;
        let mut hello = Vec::from(MAGIC);
        hello.push(kind as u8);
        for number in [me, worker as u32, self.hosts.count() as u32] {
            hello.extend(number.to_le_bytes());
        }
        hello.extend(self.identity.fingerprint);
        hello.extend(mine);
        stream.write_all(&hello)?;
        let [first] = take(&mut stream)?;
        if first != WELCOME {
            return Ok((stream, first));
        }
        let theirs: Random = take(&mut stream)?;
        let run: Random = take(&mut stream)?;
        let proof: [u8; 32] = take(&mut stream)?;
        if blake3::Hash::from(proof) != self.proof(b"welcome", &mine, &theirs, &run, &hello) {
            return Ok((stream, OTHER_SECRET));
        }
        let known = *self.state().run.get_or_insert(run);
        self.changed.notify_all();
        if known != run {
            return Ok((stream, OTHER_RUN));
        }
        let proof = self.proof(b"hello", &mine, &theirs, &run, &hello);
        stream.write_all(proof.as_bytes())?;
        let [code] = take(&mut stream)?;
        stream.set_read_timeout(None)?;
        stream.set_write_timeout(None)?;
        Ok((stream, code))
    }

    /// Accepts connections until all later workers are there.
    fn accept<'s, 'e>(&'s self, scope: &'s thread::Scope<'s, 'e>, listener: &TcpListener) {
        while !self.is_over() && !self.has_all() {
            if self.handshakes.load(Relaxed) >= AT_A_TIME {
                thread::sleep(PAUSE);
                continue;
            }
            match listener.accept() {
                Ok((stream, _)) => {
                    self.handshakes.fetch_add(1, Relaxed);
                    scope.spawn(move || {
                        // Strangers and those who give up lose their connection, no more.
                        let _ = self.welcome(stream);
                        self.handshakes.fetch_sub(1, Relaxed);
                    });
                }
                Err(_) => thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    /// The side of the one who is connected to.
    fn welcome(&self, mut stream: TcpStream) -> io::Result<()> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        let until = Instant::now() + HANDSHAKE;
        let mut hello = [0; 8 + 1 + 12 + 16 + 16];
        take_until(&mut stream, &mut hello, until)?;
        let number = |at: usize| {
            u32::from_le_bytes([hello[at], hello[at + 1], hello[at + 2], hello[at + 3]])
        };
        let [from, to, workers] = [9, 13, 17].map(|at| number(at) as usize);
        let kind = match hello[8] {
            0 => Kind::Data,
            1 => Kind::Control,
            _ => return Ok(()),
        };
        if hello[..8] != MAGIC {
            return Ok(());
        }
        let (me, n) = (self.hosts.me(), self.hosts.count());
        if hello[21..37] != self.identity.fingerprint {
            return stream.write_all(&[OTHER_FINGERPRINT]);
        }
        if workers != n || to != me || from <= me || from >= n {
            return stream.write_all(&[NOT_A_WORKER]);
        }
        let theirs: Random = hello[37..53].try_into().expect("16 bytes");
        let Some(run) = self.await_run(until) else {
            return Ok(());
        };
        let mine = random()?;
        let mut answer = vec![WELCOME];
        answer.extend(mine);
        answer.extend(run);
        answer.extend(
            self.proof(b"welcome", &theirs, &mine, &run, &hello)
                .as_bytes(),
        );
        stream.set_write_timeout(Some(HANDSHAKE))?;
        stream.write_all(&answer)?;
        let mut proof = [0; 32];
        take_until(&mut stream, &mut proof, until)?;
        if blake3::Hash::from(proof) != self.proof(b"hello", &theirs, &mine, &run, &hello) {
            return stream.write_all(&[OTHER_SECRET]);
        }
        stream.set_read_timeout(None)?;
        stream.set_write_timeout(None)?;
        let mut state = self.state();
        if state.of(kind)[from].is_some() {
            drop(state);
            return stream.write_all(&[TAKEN]);
        }
        stream.write_all(&[WELCOME])?;
        state.of(kind)[from] = Some(stream);
        drop(state);
        self.changed.notify_all();
        Ok(())
    }

    /// The number of the run, which worker 0 knows, and others once they are connected with it.
    fn await_run(&self, until: Instant) -> Option<Random> {
        let mut state = self.state();
        while state.run.is_none() && state.problem.is_none() {
            let left = until.checked_duration_since(Instant::now())?;
            state = match self.changed.wait_timeout(state, left) {
                Ok((state, _)) => state,
                Err(broken) => broken.into_inner().0,
            };
        }
        state.run
    }

    /// Whether the connections from all later workers are there.
    fn has_all(&self) -> bool {
        let state = self.state();
        let later = self.hosts.me() + 1..self.hosts.count();
        later
            .clone()
            .all(|worker| state.data[worker].is_some() && state.control[worker].is_some())
    }

    /// Notes which workers are not there at the deadline.
    fn await_all(&self) {
        let state = self.state();
        let me = self.hosts.me();
        let is_missing = |&worker: &usize| {
            worker != me && (state.data[worker].is_none() || state.control[worker].is_none())
        };
        let missing = (0..self.hosts.count()).find(is_missing);
        drop(state);
        if let Some(worker) = missing {
            let problem = "did not connect in time: start it, with the same hosts file, or wait longer (--timeout)";
            self.fail(self.hosts.problem(worker, problem));
        }
    }

    /// What only one who knows the secret can compute.
    fn proof(
        &self,
        who: &[u8],
        one: &Random,
        other: &Random,
        run: &Random,
        hello: &[u8],
    ) -> blake3::Hash {
        let key = blake3::derive_key("webrank cluster handshake 1", &self.identity.secret);
        let mut hasher = blake3::Hasher::new_keyed(&key);
        for part in [who, one, other, run, hello] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        hasher.finalize()
    }
}

fn random() -> io::Result<Random> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes)
}

fn take<const N: usize>(stream: &mut TcpStream) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    stream.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Reads, until a moment: one byte now and then does not prolong it.
fn take_until(stream: &mut TcpStream, mut bytes: &mut [u8], until: Instant) -> io::Result<()> {
    while !bytes.is_empty() {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(bytes) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => bytes = &mut bytes[count..],
            Err(problem) if problem.kind() == io::ErrorKind::Interrupted => {}
            Err(problem) => return Err(problem),
        }
    }
    Ok(())
}
