//! Reading and writing graphs.

mod bundles;
#[cfg(feature = "cli")]
mod command;
mod damage;
mod formats;
mod generated;
mod import_fixtures;
mod import_formats;
mod mutants;
mod provenance;
mod statistics;
mod streamed;
