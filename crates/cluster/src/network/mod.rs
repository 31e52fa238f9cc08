//! Workers that are processes, on one machine or several, over TCP.
//!
//! * `hosts`: where workers are, and which of them this process is;
//! * `greeting`: what two workers say to each other first;
//! * `handshake`: connections between workers of one run, and nobody else;
//! * `links`: who was heard last, who is gone;
//! * `carrier`: messages, carried by the communication layer of timely dataflow;
//! * `party`: processes that meet in pairs, at any time and again.
//!
//! Messages are neither encrypted nor meant for an open network. A shared secret keeps others out
//! while workers connect.

mod carrier;
mod greeting;
mod handshake;
mod hosts;
mod links;
mod party;

pub(crate) use handshake::Identity;
pub use hosts::Hosts;
pub use party::{Dialled, Met, Party};

use super::Exchange;
use std::fmt;
use std::path::Path;
use std::time::Duration;
use webrank_base::error::{Error, Result};

/// How this process finds the others.
#[derive(Debug, Clone)]
pub struct Processes {
    /// Where they are.
    pub hosts: Hosts,
    /// How long a worker may be silent, and may take to connect.
    pub patience: Duration,
    /// The secret that they share.
    pub secret: Secret,
}

/// A shared secret; none by default.
#[derive(Clone, Default)]
pub struct Secret(Vec<u8>);

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str("Secret")
    }
}

/// The environment variable with the shared secret.
const SECRET: &str = "RANK_SECRET";

/// The longest secret.
const MAX_SECRET: u64 = 1 << 16;

impl Secret {
    /// These bytes.
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Secret(bytes.into())
    }

    /// The secret of a file, or else that of the environment; a warning says so if there is none, and other
    /// machines reach this process.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub fn given(path: Option<&Path>, hosts: &Hosts) -> Result<Self> {
        if let Some(path) = path {
            return Secret::read(path);
        }
        let given = std::env::var_os(SECRET);
        if let (None, Some(address)) = (&given, hosts.open_address()) {
            log::warn!(
                "{address}: other machines reach this address, and there is no secret: give all workers \
                 the same --secret FILE"
            );
        }
        Ok(Secret::new(
            given.unwrap_or_default().to_string_lossy().as_bytes(),
        ))
    }

    /// Reads the bytes of a file, without the ends of lines after them.
    ///
    /// # Errors
    /// If it cannot be read, or is empty or longer than 64 KiB.
    pub fn read(path: &Path) -> Result<Self> {
        let cannot = |source| Error::io(path, "cannot read", source);
        let length = path.metadata().map_err(cannot)?.len();
        if length > MAX_SECRET {
            return Err(Error::file(
                path,
                "longer than 64 KiB; is this the right file?",
            ));
        }
        let bytes = std::fs::read(path).map_err(cannot)?;
        let end = bytes.iter().rposition(|byte| !b"\r\n".contains(byte));
        match end {
            Some(end) => Ok(Secret(bytes[..=end].to_vec())),
            None => Err(Error::file(
                path,
                "the file is empty; write a secret into it",
            )),
        }
    }
}

impl Processes {
    /// Connects this process with all others, which must have the same `fingerprint`; returns what
    /// they do together.
    ///
    /// # Errors
    /// If a worker cannot be reached in time, is another one or of another run; or if the address of
    /// this process is taken.
    pub(crate) fn connect(&self, fingerprint: [u8; 16]) -> Result<Exchange<'static>> {
        let identity = Identity {
            fingerprint,
            secret: self.secret.0.clone(),
        };
        let connections = handshake::connect(&self.hosts, &identity, self.patience)?;
        let carrier = carrier::Carrier::new(&self.hosts, connections, self.patience)?;
        Ok(Exchange::new(carrier).weighing(self.hosts.weights()))
    }
}

#[cfg(test)]
mod tests;
