//! PageRank and its variants: several alpha, its derivative, many seeds, weighted walks, TrustRank.

mod alphas_derivative_seeds;
mod closed_forms;
mod compact;
mod contract;
mod external;
mod peers;
mod properties;
mod reference;
pub mod runs;
mod start;
pub mod streamed;
mod sweeps;
mod trustrank;
mod unreached;
mod weighted;
