//! Eigenvector centrality.

#[cfg(feature = "cli")]
mod command;
