//! Text files, and every name in them.

mod text;
