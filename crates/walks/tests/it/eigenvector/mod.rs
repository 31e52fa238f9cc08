//! Eigenvector centrality.

mod definition;
mod limits;
mod peers;
