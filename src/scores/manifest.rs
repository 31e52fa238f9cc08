//! The account beside a table: what `rank` says in `FILE.json` of how `FILE` came to be.

use crate::error::{Error, Result};
use serde_json::{Map, Value};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The account of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Account(Value);

/// The path of the account of the table at `path`.
pub fn path_beside(path: &Path) -> PathBuf {
    let mut manifest = path.as_os_str().to_owned();
    manifest.push(".json");
    manifest.into()
}

impl Account {
    /// Reads the account of the table at `path`; none if there is none beside it.
    ///
    /// # Errors
    /// If there is one that cannot be read or is no JSON.
    pub fn beside(path: &Path) -> Result<Option<Self>> {
        let manifest = path_beside(path);
        let text = match std::fs::read(&manifest) {
            Ok(text) => text,
            Err(problem) if problem.kind() == ErrorKind::NotFound => return Ok(None),
            Err(problem) => return Err(Error::io(manifest, "cannot read", problem)),
        };
        match serde_json::from_slice(&text) {
            Ok(value) => Ok(Some(Account(value))),
            Err(problem) => Err(Error::file(
                &manifest,
                format!("not the account of a table: {problem}; move it away, or run 'rank' again"),
            )),
        }
    }

    /// Number of nodes of the graph.
    pub fn nodes(&self) -> Option<u64> {
        self.0["graph"]["nodes"].as_u64()
    }

    /// The measure in a column.
    pub fn measure(&self, column: &str) -> Option<&str> {
        self.0["columns"][column]["measure"].as_str()
    }

    /// The algorithm that computed a column.
    pub fn method(&self, column: &str) -> Option<&str> {
        self.0["columns"][column]["method"].as_str()
    }

    /// The parameters of the measure in a column; none without a value.
    pub fn parameters(&self, column: &str) -> Map<String, Value> {
        let parameters = self.0["columns"][column]["parameters"].as_object();
        let set = parameters
            .into_iter()
            .flatten()
            .filter(|(_, v)| !v.is_null());
        set.map(|(name, value)| (name.clone(), value.clone()))
            .collect()
    }

    /// How sure the scores in a column are, as [`Outcome`](super::Outcome) serialises.
    pub(super) fn outcome(&self, column: &str) -> &Value {
        &self.0["columns"][column]["outcome"]
    }
}
