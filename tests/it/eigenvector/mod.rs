//! Eigenvector centrality.

#[cfg(feature = "cli")]
mod command;
mod definition;
mod limits;
mod peers;
