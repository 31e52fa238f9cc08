//! Files that commands write.

#[cfg(feature = "cli")]
mod full_disk;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "cli")]
mod tables;
