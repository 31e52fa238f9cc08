//! The state of a tree: which runs count, and how far it is.

use super::run::Entry;
use crate::sieve::seen::VERSION;
use serde::{Deserialize, Serialize};
use std::path::Path;
use webrank_base::error::{Error, Result};
use xxhash_rust::xxh3::xxh3_64;

/// The content of `state`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct State {
    pub(super) version: u32,
    pub(super) sieve: String,
    pub(super) keys: [u64; 2],
    pub(super) runs: Vec<Entry>,
    pub(super) taken: u64,
    pub(super) given: u64,
    pub(super) mark: u64,
    /// xxh3-64 of this state with 0 here.
    checksum_of_state: u64,
}

const NAME: &str = "lsm";

impl State {
    /// The state of a sieve that has taken nothing.
    pub(super) fn new(keys: [u64; 2]) -> Self {
        State {
            version: VERSION,
            sieve: NAME.to_owned(),
            keys,
            runs: Vec::new(),
            taken: 0,
            given: 0,
            mark: 0,
            checksum_of_state: 0,
        }
    }

    /// The content of the file.
    pub(super) fn text(&self) -> Vec<u8> {
        let mut state = self.clone();
        state.checksum_of_state = 0;
        state.checksum_of_state = xxh3_64(&serde_json::to_vec(&state).expect("numbers serialise"));
        serde_json::to_vec(&state).expect("numbers serialise")
    }

    /// # Errors
    /// If the file is that of another sieve or version, or damaged.
    pub(super) fn read(path: &Path, text: &[u8]) -> Result<Self> {
        let refused = |problem: &str| {
            let text = format!("{problem}; remove the folder to begin again");
            Err(Error::file(path, text))
        };
        let state: Option<State> = serde_json::from_slice(text).ok();
        match state.filter(|state| state.sieve == NAME) {
            None => refused("is not the state of a sieve 'lsm'"),
            Some(state) if state.version != VERSION => refused("is of another version of webrank"),
            Some(state) if state.text() != text => refused("the state is damaged"),
            Some(state) => Ok(state),
        }
    }
}
