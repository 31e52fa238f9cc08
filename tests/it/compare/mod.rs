//! Comparing rankings.

#[cfg(feature = "cli")]
mod command;
#[cfg(feature = "cli")]
mod command_html;
