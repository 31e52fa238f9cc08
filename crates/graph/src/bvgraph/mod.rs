//! BVGraphs: the compressed format of WebGraph, read without trusting the file and written by the
//! `webgraph` crate.
//!
//! * [`properties`]: the `.properties` file;
//! * `bits`: the bits of a file, in memory or read part by part;
//! * `codes`: readers for the instantaneous codes;
//! * `decode`: decodes one successor list and checks every step;
//! * `offsets`: where each successor list starts;
//! * `locate`: finds the places of the lists where there is no `.offsets` file;
//! * [`compressed`]: rows decoded by ranges;
//! * `earlier`: rows before a range that its lists copy from;
//! * `meter`: how many bits and arcs each component takes;
//! * `load`: decodes rows into memory, as they are or transposed;
//! * `compress`: writing;
//! * `outdegrees`: the first number of each list;
//! * `written`: the properties of what was written.

pub(crate) mod bits;
pub(crate) mod codes;
pub mod compress;
pub mod compressed;
pub(crate) mod decode;
pub(crate) mod earlier;
pub mod load;
mod locate;
pub mod meter;
pub(crate) mod offsets;
mod outdegrees;
pub mod properties;
mod written;
