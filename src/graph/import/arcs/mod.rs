//! Arcs in any order, sorted by source and by target, in memory or on disk.
//!
//! [`ArcStore`] takes arcs one by one and cuts them into chunks. A chunk that is full is sorted while
//! the next one fills, and becomes a run: in memory as long as there is room, then on disk, once by
//! source and once by target. [`SortedArcs`] merges the runs, range by range of rows, as often as
//! needed. So there is one way for all sizes, and a graph that fits never touches the disk.
//!
//! * `element`: an arc in 8 bytes, or in 16 with its weight;
//! * `disk`: runs on disk;
//! * `run`: runs wherever they are, and places in them;
//! * `store`: takes arcs;
//! * `sorted`: gives rows, without duplicates.

mod disk;
mod element;
mod run;
mod sorted;
mod store;

pub(crate) use element::{Element, Weighted};
pub use sorted::Duplicates;
pub(crate) use sorted::SortedArcs;
pub(crate) use store::{ArcStore, Room};
