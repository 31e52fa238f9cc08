//! Processes that meet in pairs, at any time, and again after one of them was away.
//!
//! Process i connects to every process j < i. The one who connects begins with who it is and a challenge;
//! the other answers with one of its own and a proof that it knows the secret; the first proves the same.
//! Processes that hold something else in common, as other options, refuse each other with the reason;
//! strangers, whatever they send, only lose their connection.

use super::greeting::{
    NOT_A_WORKER, OTHER_FINGERPRINT, OTHER_SECRET, Random, WELCOME, proof, random, take, take_until,
};
use super::handshake::HANDSHAKE;
use super::{Hosts, Secret};
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::time::Instant;

/// The first bytes of both sides.
const MAGIC: [u8; 8] = *b"webrankA";

/// The outcome of an attempt to connect.
#[derive(Debug)]
pub enum Dialled {
    /// The other side knows the secret, and has the same fingerprint.
    Connected(TcpStream),
    /// It is another, and why.
    Refused(&'static str),
}

/// Who has connected.
#[derive(Debug)]
pub enum Met {
    /// The process with this number.
    Process(usize, TcpStream),
    /// A process that was refused, and why.
    Refused(&'static str),
    /// Something else.
    Stranger,
}

/// One of several processes with a common secret and a common fingerprint.
#[derive(Debug)]
pub struct Party {
    hosts: Hosts,
    secret: Secret,
    fingerprint: [u8; 16],
}

impl Party {
    /// The process of these hosts; all have the same `fingerprint`, a hash of what they must agree on.
    pub fn new(hosts: Hosts, secret: Secret, fingerprint: [u8; 16]) -> Self {
        Party {
            hosts,
            secret,
            fingerprint,
        }
    }

    /// Where all of them are.
    pub fn hosts(&self) -> &Hosts {
        &self.hosts
    }

    /// Listens at the address of this process.
    ///
    /// # Errors
    /// If the address is taken, or not one of this machine.
    pub fn listen(&self) -> io::Result<TcpListener> {
        self.hosts.listen()
    }

    /// Connects to a process. It takes a few seconds at most.
    ///
    /// # Errors
    /// If it cannot be reached now.
    pub fn dial(&self, to: usize) -> io::Result<Dialled> {
        let mut last = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
        for address in self.hosts.address(to).to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, HANDSHAKE) {
                Ok(stream) => return self.introduce(stream, to),
                Err(problem) => last = problem,
            }
        }
        Err(last)
    }

    fn introduce(&self, mut stream: TcpStream, to: usize) -> io::Result<Dialled> {
        stream.set_read_timeout(Some(HANDSHAKE))?;
        stream.set_write_timeout(Some(HANDSHAKE))?;
        stream.set_nodelay(true)?;
        let mine = random()?;
        let mut hello = Vec::from(MAGIC);
        for number in [self.hosts.me(), to, self.hosts.count()] {
            hello.extend((number as u32).to_le_bytes());
        }
        hello.extend(self.fingerprint);
        hello.extend(mine);
        stream.write_all(&hello)?;
        let [first] = take(&mut stream)?;
        if first != WELCOME {
            return Ok(Dialled::Refused(reason(first)));
        }
        let theirs: Random = take(&mut stream)?;
        let proved: [u8; 32] = take(&mut stream)?;
        if blake3::Hash::from(proved) != self.proof(b"welcome", &mine, &theirs, &hello) {
            return Ok(Dialled::Refused(reason(OTHER_SECRET)));
        }
        let proof = self.proof(b"hello", &mine, &theirs, &hello);
        stream.write_all(proof.as_bytes())?;
        match take(&mut stream)? {
            [WELCOME] => Ok(Dialled::Connected(stream)),
            [code] => Ok(Dialled::Refused(reason(code))),
        }
    }

    /// Answers someone who has connected. It takes a few seconds at most.
    ///
    /// # Errors
    /// If the connection ends, or nothing comes.
    pub fn answer(&self, mut stream: TcpStream) -> io::Result<Met> {
        stream.set_nodelay(true)?;
        stream.set_write_timeout(Some(HANDSHAKE))?;
        let until = Instant::now() + HANDSHAKE;
        let mut hello = [0; 8 + 12 + 16 + 16];
        let (magic, rest) = hello.split_at_mut(MAGIC.len());
        take_until(&mut stream, magic, until)?;
        if *magic != MAGIC {
            // A stranger may never say as much as a process does.
            return Ok(Met::Stranger);
        }
        take_until(&mut stream, rest, until)?;
        let number = |at: usize| {
            let bytes = [hello[at], hello[at + 1], hello[at + 2], hello[at + 3]];
            u32::from_le_bytes(bytes) as usize
        };
        let [from, to, count] = [8, 12, 16].map(number);
        let (me, n) = (self.hosts.me(), self.hosts.count());
        let refuse = |mut stream: TcpStream, code| {
            stream.write_all(&[code])?;
            Ok(Met::Refused(reason(code)))
        };
        if count != n || to != me || from <= me || from >= n {
            return refuse(stream, NOT_A_WORKER);
        }
        if hello[20..36] != self.fingerprint {
            return refuse(stream, OTHER_FINGERPRINT);
        }
        let (theirs, mine) = (take_last(&hello), random()?);
        let mut answer = vec![WELCOME];
        answer.extend(mine);
        answer.extend(self.proof(b"welcome", &theirs, &mine, &hello).as_bytes());
        stream.write_all(&answer)?;
        let mut proved = [0; 32];
        take_until(&mut stream, &mut proved, until)?;
        if blake3::Hash::from(proved) != self.proof(b"hello", &theirs, &mine, &hello) {
            return refuse(stream, OTHER_SECRET);
        }
        stream.write_all(&[WELCOME])?;
        Ok(Met::Process(from, stream))
    }

    /// A proof that one knows the secret.
    fn proof(&self, who: &[u8], one: &Random, other: &Random, hello: &[u8]) -> blake3::Hash {
        proof(&self.secret.0, [who, one, other, &self.fingerprint, hello])
    }
}

/// The challenge at the end of a hello.
fn take_last(hello: &[u8; 52]) -> Random {
    hello.last_chunk().copied().unwrap_or_default()
}

fn reason(code: u8) -> &'static str {
    match code {
        OTHER_FINGERPRINT => "has other options or another version: start all with the same",
        OTHER_SECRET => "has another secret: give all the same",
        NOT_A_WORKER => "has another hosts file or another number: give all the same file",
        _ => "refuses this process",
    }
}
