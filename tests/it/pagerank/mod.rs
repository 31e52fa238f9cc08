//! PageRank and its variants: several alpha, its derivative, many seeds, weighted walks, TrustRank.

mod alphas_derivative_seeds;
mod closed_forms;
#[cfg(feature = "cli")]
mod command;
#[cfg(feature = "cli")]
mod command_memory;
#[cfg(all(feature = "cli", target_os = "linux"))]
mod command_memory_limit;
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
mod weighted;
