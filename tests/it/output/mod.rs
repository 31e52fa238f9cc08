//! Files that commands write.

#[cfg(all(feature = "cli", target_os = "linux"))]
mod checkpoint;
#[cfg(feature = "cli")]
mod display;
#[cfg(feature = "cli")]
mod full_disk;
#[cfg(all(feature = "cli", target_os = "linux"))]
mod interrupted;
#[cfg(feature = "cli")]
mod intervals;
#[cfg(feature = "cli")]
mod join;
#[cfg(feature = "cli")]
mod json;
#[cfg(feature = "cli")]
mod kept;
#[cfg(all(feature = "cli", target_os = "linux"))]
mod killed;
#[cfg(feature = "cli")]
mod parquet;
#[cfg(feature = "cli")]
mod rerun;
#[cfg(feature = "cli")]
mod rerun_calls;
#[cfg(feature = "cli")]
mod table_formats;
#[cfg(feature = "cli")]
mod tables;
#[cfg(all(feature = "cli", target_os = "linux"))]
mod terminal;
#[cfg(feature = "cli")]
mod trace;
