//! BVGraphs: the compressed format of WebGraph, read without trusting the file and written by the
//! `webgraph` crate.
//!
//! * [`properties`]: the `.properties` file;
//! * `bits`: readers for the instantaneous codes;
//! * `decode`: decodes one successor list and checks every step;
//! * `offsets`: where each successor list starts;
//! * [`compressed`]: rows decoded by ranges;
//! * `load`: decodes rows into memory, as they are or transposed;
//! * `compress`: writing.

pub(crate) mod bits;
pub(crate) mod compress;
pub mod compressed;
pub(crate) mod decode;
pub(crate) mod load;
pub(crate) mod offsets;
pub mod properties;
