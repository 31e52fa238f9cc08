//! The Kendall-Wei ranking.

mod definition;
