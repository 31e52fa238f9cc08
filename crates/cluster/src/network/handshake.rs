//! Connections between the workers of one run, and nobody else.
//!
//! Worker i connects to every worker j < i, twice: for messages, and to tell that it is alive. Both
//! sides prove that they know the shared secret, each on a challenge of the other (BLAKE3 in keyed
//! mode), and that they have the same version, shards and parameters. Worker 0 draws the number of the
//! run, which the others tell each other, so that nobody takes a process of an earlier run for one of
//! this. All of it has a deadline, and strangers, whatever they send, only lose their connection.

use super::greeting::{Kind, OTHER_RUN, Random, TAKEN, WELCOME, random, reason};
use super::hosts::Hosts;
use super::links::{failure, gone};
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};
use webrank_base::error::{Error, Result};

/// The facts that all workers of a run have in common.
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

/// The time that one handshake may take.
pub(super) const HANDSHAKE: Duration = Duration::from_secs(5);

/// Handshakes at a time; further strangers wait.
const AT_A_TIME: usize = 200;

/// How long to wait before the next attempt.
const PAUSE: Duration = Duration::from_millis(50);

/// The state of this worker while workers connect.
pub(super) struct Meeting<'a> {
    pub(super) hosts: &'a Hosts,
    pub(super) identity: &'a Identity,
    deadline: Instant,
    state: Mutex<State>,
    pub(super) changed: Condvar,
    handshakes: AtomicUsize,
}

#[derive(Default)]
pub(super) struct State {
    /// The number of the run, once it is known.
    pub(super) run: Option<Random>,
    data: Vec<Option<TcpStream>>,
    control: Vec<Option<TcpStream>>,
    problem: Option<Error>,
    /// The last process that was refused, and why.
    pub(super) refused: Option<String>,
}

impl State {
    pub(super) fn of(&mut self, kind: Kind) -> &mut Vec<Option<TcpStream>> {
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
            refused: None,
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
    let Some(problem) = problem else {
        return Ok(Connections { data, control });
    };
    // Connected workers should not name this worker for what another has done.
    let why = failure(&problem.to_string());
    for mut stream in control.iter().flatten() {
        let _ = stream.write_all(&why);
    }
    Err(problem)
}

/// Listens at the address of this worker.
fn listen(hosts: &Hosts, deadline: Instant) -> Result<TcpListener> {
    loop {
        let problem = match hosts.listen().and_then(|listener| {
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
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
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
            self.look_after();
            match self.try_connect(worker, kind) {
                Ok((stream, WELCOME)) => return Ok(stream),
                // Another process may still be there that ends soon.
                Ok((_, code @ (OTHER_RUN | TAKEN))) => last = reason(code).into(),
                Ok((_, code)) => return Err(self.hosts.problem(worker, reason(code))),
                Err(problem) => last = unreachable(&problem),
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

    /// Accepts connections until all later workers are there.
    fn accept<'s, 'e>(&'s self, scope: &'s thread::Scope<'s, 'e>, listener: &TcpListener) {
        while !self.is_over() && !self.has_all() {
            self.look_after();
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

    /// The number of the run, which worker 0 knows, and others once they are connected with it.
    pub(super) fn await_run(&self, until: Instant) -> Option<Random> {
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

    /// Fails if a worker that is connected is gone.
    fn look_after(&self) {
        let mut state = self.state();
        let lost = state
            .control
            .iter()
            .enumerate()
            .find_map(|(worker, stream)| {
                let reason = gone(stream.as_ref()?)?;
                Some(self.hosts.problem(worker, reason))
            });
        if let Some(problem) = lost {
            state.problem.get_or_insert(problem);
            drop(state);
            self.changed.notify_all();
        }
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
        let refused = state.refused.clone();
        drop(state);
        if let Some(worker) = missing {
            let remedy = "start it, with the same hosts file, or wait longer (--timeout)";
            let why = refused.unwrap_or_else(|| remedy.into());
            let problem = format!("did not connect in time: {why}");
            self.fail(self.hosts.problem(worker, problem));
        }
    }
}

/// The words for a worker that a handshake did not come to an end with.
fn unreachable(problem: &io::Error) -> String {
    match problem.kind() {
        io::ErrorKind::UnexpectedEof => "cannot be reached: it ends the connection".into(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            "cannot be reached: it does not answer".into()
        }
        _ => format!("cannot be reached: {problem}"),
    }
}
