//! Text files: the one reader, and the names that it must be able to read.

mod names;
mod records;
