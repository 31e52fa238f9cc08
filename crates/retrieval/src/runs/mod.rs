//! Measures of any ranking in a file of TREC, without an index: those of trec_eval, under its names.
//!
//! Pages of a query are in the order of their scores, as 32-bit numbers; of equal ones, the page whose
//! name is last in the order of bytes is first. Ranks that the file states are not used. Values are
//! those of trec_eval 9.0: see [`RetrievalMeasure`].

mod judged;
mod measure;
mod read;
mod summary;

pub use judged::{Judged, Seen};
pub use measure::{OFFICIAL, RetrievalMeasure, parse_measures};
pub use read::{Judgements, RetrievalRun, read_judgements, read_run};
pub use summary::{Options, Summary, summary};
