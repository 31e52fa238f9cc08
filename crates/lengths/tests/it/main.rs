//! Tests of the crate against exact fractions, closed forms and hops.

mod closed_forms;
mod definition;
mod hops;
mod input;
mod oracle;
mod peers;
mod sampled;
