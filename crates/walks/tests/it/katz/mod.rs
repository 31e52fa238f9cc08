//! Katz's index.

mod definition;
mod limits;
mod peers;
mod truths;
