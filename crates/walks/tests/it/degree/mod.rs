//! Degrees.

mod definition;
