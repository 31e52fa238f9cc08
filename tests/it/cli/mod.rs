//! What commands have in common.

mod explain;
mod failures;
mod snapshots;
