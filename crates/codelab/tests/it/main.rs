//! `rank codes`.

mod command;
