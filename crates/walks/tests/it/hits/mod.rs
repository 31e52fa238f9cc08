//! HITS and SALSA.

mod definition;
mod exact_order;
mod peers;
