//! The code laboratory, and graphs written again with other codes.

#[cfg(feature = "cli")]
mod command;
pub mod counted;
mod recode;
mod textbook;
