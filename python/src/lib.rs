//! The native half of the Python package `webrank`: graphs, scores and comparisons of the library,
//! with arguments that the package's Python half has put in order. The public classes, their
//! signatures and their documentation are there, in `webrank/*.py`.
//!
//! * `work`: long computations off the interpreter's lock, with progress and interruption;
//! * `errors`: the library's errors as Python exceptions;
//! * `array`: slices as NumPy arrays, without a copy;
//! * `graph`, `names`, `build`: graphs, the names of their nodes, and graphs made of arrays and
//!   tables;
//! * `options`, `measures`, `pagerank`, `distances`: keyword arguments, and the measures that they
//!   configure;
//! * `packing`, `workers`, `assigned`: parts of a graph, packed and ranked by tasks of another system;
//! * `scores`, `compare`: results.

#![deny(unsafe_code)]

mod array;
mod assigned;
mod build;
mod compare;
mod distances;
mod errors;
mod graph;
mod measures;
mod names;
mod options;
mod packing;
mod pagerank;
mod scores;
mod work;
mod workers;

use pyo3::prelude::*;

/// Native parts of the package webrank; use the package.
#[pymodule]
mod _webrank {
    #[pymodule_export]
    use super::array::Array;
    #[pymodule_export]
    use super::build::{graph_of_arcs, graph_of_rows, graph_of_table};
    #[pymodule_export]
    use super::compare::{Comparison, Table, compare};
    #[pymodule_export]
    use super::graph::{Graph, open_graph};
    #[pymodule_export]
    use super::measures::{measures, rank_arcs, rank_nodes};
    #[pymodule_export]
    use super::names::Names;
    #[pymodule_export]
    use super::packing::{PartPacker, plan_of_parts};
    #[pymodule_export]
    use super::scores::{ArcScores, Scores};
    #[pymodule_export]
    use super::work::fail;
    #[pymodule_export]
    use super::workers::{Port, Team, distances_part, free_memory, held_by_workers, rank_part};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
