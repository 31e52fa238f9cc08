//! Where workers are: a file with an address a line, in the order of the workers, and a weight if a
//! worker holds more parts than others.

use std::io;
use std::net::{IpAddr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use webrank_base::error::{Error, Result};

/// The addresses of all workers, and which of them this process is.
#[derive(Debug, Clone)]
pub struct Hosts {
    addresses: Vec<String>,
    weights: Vec<u32>,
    me: usize,
    /// The listener, if this process listens already.
    listener: Option<Arc<TcpListener>>,
}

/// The largest weight.
const MAX_WEIGHT: u32 = 1000;

/// The longest file of addresses.
const MAX_HOSTS: u64 = 1 << 20;

/// Where launchers say which process this is.
const VARIABLES: [&str; 4] = [
    "SLURM_PROCID",
    "OMPI_COMM_WORLD_RANK",
    "PMI_RANK",
    "JOB_COMPLETION_INDEX",
];

impl Hosts {
    /// These addresses of workers of equal weight; this process is the one with this number.
    pub fn new(addresses: Vec<String>, me: usize) -> Self {
        Hosts {
            weights: vec![1; addresses.len()],
            addresses,
            me,
            listener: None,
        }
    }

    /// These hosts, where this process listens already: then nobody can take its port meanwhile.
    pub fn listening(self, listener: Arc<TcpListener>) -> Self {
        Hosts {
            listener: Some(listener),
            ..self
        }
    }

    /// Begins to listen, or goes on.
    pub(super) fn listen(&self) -> io::Result<TcpListener> {
        match &self.listener {
            Some(listener) => listener.try_clone(),
            None => TcpListener::bind(self.address(self.me)),
        }
    }

    /// Reads a file of addresses: `host:port`, one a line, and a weight from 1 to 1000 after a space
    /// unless it is 1; empty lines and those that begin with # do not count. The number of this process
    /// is `process`, or what the environment says.
    ///
    /// # Errors
    /// If the file cannot be read, has a line that is no address, or one twice; if it is not known
    /// which process this is.
    pub fn read(path: &Path, process: Option<usize>) -> Result<Self> {
        let cannot = |source| Error::io(path, "cannot read", source);
        let length = path.metadata().map_err(cannot)?.len();
        if length > MAX_HOSTS {
            return Err(Error::file(
                path,
                "longer than 1 MiB; is this the right file?",
            ));
        }
        let text = std::fs::read_to_string(path).map_err(cannot)?;
        let (mut addresses, mut weights) = (Vec::<String>::new(), Vec::new());
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let refuse = |why| {
                let problem = format!("line {}: {why}", number + 1);
                Err(Error::file(path, problem))
            };
            let (line, weight) = match line.split_once(char::is_whitespace) {
                Some((address, weight)) => (address, weight.trim().parse().ok()),
                None => (line, Some(1)),
            };
            let port = line.rsplit_once(':').and_then(|(host, port)| {
                (!host.is_empty())
                    .then(|| port.parse::<u16>().ok())
                    .flatten()
            });
            if port.is_none_or(|port| port == 0) {
                return refuse("not an address; write host:port, such as 10.0.0.4:2101");
            }
            let Some(weight) = weight.filter(|weight| (1..=MAX_WEIGHT).contains(weight)) else {
                return refuse(
                    "not a weight; write a whole number from 1 to 1000 after the address, or nothing",
                );
            };
            if addresses.iter().any(|address| address == line) {
                return refuse("the address is there twice; give every worker its own");
            }
            addresses.push(line.to_owned());
            weights.push(weight);
        }
        if addresses.is_empty() {
            return Err(Error::file(
                path,
                "no addresses; write host:port, one a line",
            ));
        }
        let (source, me) = match process {
            Some(me) => ("--process".to_owned(), me),
            None => from_environment().ok_or_else(|| {
                let problem = "which of these is this process? Say so with --process";
                Error::file(path, problem)
            })?,
        };
        if me >= addresses.len() {
            let last = addresses.len() - 1;
            let problem = format!("{source} is {me}, but workers are numbered from 0 to {last}");
            return Err(Error::file(path, problem));
        }
        Ok(Hosts {
            addresses,
            weights,
            me,
            listener: None,
        })
    }

    /// Which worker this process is.
    pub fn me(&self) -> usize {
        self.me
    }

    /// The address at which this process listens, if others than those of its machine can reach it.
    pub fn open_address(&self) -> Option<&str> {
        let address = self.address(self.me);
        let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        let is_own = match bare.parse::<IpAddr>() {
            Ok(address) => address.is_loopback(),
            Err(_) => bare.eq_ignore_ascii_case("localhost"),
        };
        (!is_own).then_some(address)
    }

    /// The number of workers.
    pub fn count(&self) -> usize {
        self.addresses.len()
    }

    /// The weights of the workers.
    pub fn weights(&self) -> Vec<u32> {
        self.weights.clone()
    }

    /// The address of a worker.
    pub fn address(&self, worker: usize) -> &str {
        &self.addresses[worker]
    }

    /// The error that a worker has this problem.
    pub(super) fn problem(&self, worker: usize, problem: impl std::fmt::Display) -> Error {
        Error::Worker {
            worker,
            address: Some(self.address(worker).to_owned()),
            problem: problem.to_string(),
        }
    }
}

/// The number that a launcher gave this process, and where.
fn from_environment() -> Option<(String, usize)> {
    VARIABLES.iter().find_map(|name| {
        let number = std::env::var(name).ok()?.trim().parse().ok()?;
        Some(((*name).to_owned(), number))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_reach_all_addresses_but_those_of_the_machine_itself() {
        for (address, is_open) in [
            ("0.0.0.0:2101", true),
            ("10.0.0.4:2101", true),
            ("[::]:2101", true),
            ("worker-1:2101", true),
            ("127.0.0.1:2101", false),
            ("127.8.0.1:2101", false),
            ("[::1]:2101", false),
            ("LocalHost:2101", false),
        ] {
            let hosts = Hosts::new(vec![address.to_owned()], 0);
            assert_eq!(hosts.open_address().is_some(), is_open, "{address}");
        }
    }
}
