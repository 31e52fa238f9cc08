//! Eigenvector centrality.

#[cfg(feature = "cli")]
mod command;
mod definition;
mod peers;
