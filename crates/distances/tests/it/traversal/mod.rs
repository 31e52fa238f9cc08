//! Breadth-first searches.

mod engines;
