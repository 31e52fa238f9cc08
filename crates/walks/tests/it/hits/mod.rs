//! HITS and SALSA.

mod definition;
mod peers;
