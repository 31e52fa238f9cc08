//! Seeley's index.

mod definition;
mod peers;
