//! Distance measures (harmonic, closeness, Lin, reachable, eccentricity, decay, integration), and
//! distances themselves.

#[cfg(feature = "cli")]
mod checked_lengths;
#[cfg(feature = "cli")]
mod command;
#[cfg(feature = "cli")]
mod lengths;
