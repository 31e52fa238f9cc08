//! Refusals of tantivy, as our errors.

use std::fmt::Display;
use std::path::Path;
use webrank_base::error::Error;

/// An error of tantivy on the index at `path`, in one line.
pub(super) fn refused(path: &Path, action: &str, problem: impl Display) -> Error {
    let problem = problem.to_string().replace(['\n', '\r'], " ");
    Error::file(path, format!("cannot {action} the index: {problem}"))
}
