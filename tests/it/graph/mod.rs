//! Reading and writing graphs.

#[cfg(feature = "cli")]
mod command;
mod damage;
mod formats;
mod generated;
mod provenance;
