//! The greeting of two workers that connect.
//!
//! The one who connects begins with what it is and a challenge; the other answers with one of its own,
//! the number of the run, and a proof; the first proves the same. A byte ends it.

use super::handshake::{HANDSHAKE, Meeting};
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::Instant;

pub(super) type Random = [u8; 16];

/// The purpose of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Data = 0,
    Control = 1,
}

/// The first bytes of both sides.
const MAGIC: [u8; 8] = *b"webrank1";

/// The last byte of a handshake.
pub(super) const WELCOME: u8 = 0;
pub(super) const OTHER_FINGERPRINT: u8 = 1;
pub(super) const OTHER_SECRET: u8 = 2;
pub(super) const OTHER_RUN: u8 = 3;
pub(super) const TAKEN: u8 = 4;
pub(super) const NOT_A_WORKER: u8 = 5;

pub(super) fn reason(code: u8) -> &'static str {
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

impl Meeting<'_> {
    /// The side of the one who connects.
    pub(super) fn introduce(
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

    /// The side of the one who is connected to.
    pub(super) fn welcome(&self, mut stream: TcpStream) -> io::Result<()> {
        stream.set_nonblocking(false)?;
        stream.set_nodelay(true)?;
        let until = Instant::now() + HANDSHAKE;
        let mut hello = [0; 8 + 1 + 12 + 16 + 16];
        let (magic, rest) = hello.split_at_mut(MAGIC.len());
        take_until(&mut stream, magic, until)?;
        if *magic != MAGIC {
            // A stranger may never say as much as a worker does.
            return Ok(());
        }
        take_until(&mut stream, rest, until)?;
        let number = |at: usize| {
            u32::from_le_bytes([hello[at], hello[at + 1], hello[at + 2], hello[at + 3]])
        };
        let [from, to, workers] = [9, 13, 17].map(|at| number(at) as usize);
        let kind = match hello[8] {
            0 => Kind::Data,
            1 => Kind::Control,
            _ => return Ok(()),
        };
        let (me, n) = (self.hosts.me(), self.hosts.count());
        if hello[21..37] != self.identity.fingerprint {
            return self.refuse(stream, OTHER_FINGERPRINT);
        }
        if workers != n || to != me || from <= me || from >= n {
            return self.refuse(stream, NOT_A_WORKER);
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
            return self.refuse(stream, OTHER_SECRET);
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

    /// Refuses a process, and notes it: it may be the one that is waited for.
    fn refuse(&self, mut stream: TcpStream, code: u8) -> io::Result<()> {
        let from = stream.peer_addr()?.ip();
        let refused = format!("a process at {from} was refused, which {}", reason(code));
        self.state().refused = Some(refused);
        stream.write_all(&[code])
    }

    fn proof(
        &self,
        who: &[u8],
        one: &Random,
        other: &Random,
        run: &Random,
        hello: &[u8],
    ) -> blake3::Hash {
        proof(&self.identity.secret, [who, one, other, run, hello])
    }
}

/// A proof that one knows the secret.
pub(super) fn proof(secret: &[u8], parts: [&[u8]; 5]) -> blake3::Hash {
    let key = blake3::derive_key("webrank cluster handshake 1", secret);
    let mut hasher = blake3::Hasher::new_keyed(&key);
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize()
}

pub(super) fn random() -> io::Result<Random> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes)
}

pub(super) fn take<const N: usize>(stream: &mut TcpStream) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    stream.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Reads, until a moment: one byte now and then does not prolong it.
pub(super) fn take_until(
    stream: &mut TcpStream,
    mut bytes: &mut [u8],
    until: Instant,
) -> io::Result<()> {
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
