//! Comparing rankings.

mod certified;
mod coefficients;
mod overlap;
mod peers;
mod table;
