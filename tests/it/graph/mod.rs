//! Reading and writing graphs.

mod bundles;
#[cfg(feature = "cli")]
mod command;
mod components;
mod damage;
#[cfg(all(feature = "npy", feature = "parquet", feature = "xml"))]
mod export;
#[cfg(feature = "cli")]
mod export_command;
#[cfg(all(feature = "npy", feature = "parquet", feature = "xml"))]
mod export_readers;
mod formats;
mod generated;
mod import_fixtures;
mod import_formats;
mod java;
mod mutants;
mod provenance;
mod reorder;
#[cfg(all(feature = "npy", feature = "parquet", feature = "xml"))]
mod round_trips;
mod statistics;
mod streamed;
mod subgraph;
