//! Comparing rankings.

mod certified;
mod coefficients;
#[cfg(feature = "cli")]
mod command;
#[cfg(feature = "cli")]
mod command_html;
mod overlap;
mod peers;
mod table;
