//! BVGraphs: the compressed format of WebGraph, read without trust and written by `webgraph`.
//!
//! * [`properties`]: the `.properties` file;
//! * `bits`: readers for the instantaneous codes;
//! * `decode`: one successor list out of its bits, checked at every step;
//! * `offsets`: where each successor list starts;
//! * [`compressed`]: rows decoded by ranges;
//! * `load`: compressed rows into memory, as they are or transposed;
//! * `compress`: writing.

pub(crate) mod bits;
pub(crate) mod compress;
pub mod compressed;
pub(crate) mod decode;
pub(crate) mod load;
pub(crate) mod offsets;
pub mod properties;
