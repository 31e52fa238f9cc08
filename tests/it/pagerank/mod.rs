//! PageRank and its variants: several alpha, its derivative, many seeds, weighted walks, TrustRank.

#[cfg(feature = "cli")]
mod command;
#[cfg(feature = "cli")]
mod command_memory;
#[cfg(all(feature = "cli", target_os = "linux"))]
mod command_memory_limit;
mod external;
mod start;
