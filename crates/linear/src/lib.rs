//! Linear algebra on the rows of a graph, without ever forming a dense matrix.
//!
//! * [`runs`]: rows of predecessors, where equal rows and runs of nodes are summed once;
//! * [`prefixes`]: the sum of a run of nodes in two reads;
//! * `file_vector`: vectors in temporary files;
//! * [`matrix`]: nonnegative matrices by rows, with or without weights;
//! * [`prepared`]: a matrix prepared for many multiplications; `single_rows`: one row at a time;
//! * [`inflow`]: what flows into a node, nearly exactly;
//! * [`irreducible`]: the irreducible parts of a matrix: strong components that have a cycle;
//! * [`dominant`]: the parts with the largest spectral radius;
//! * [`radii`]: bounds on the spectral radii of the parts;
//! * [`perron`]: certified bounds on spectral radii, and dominant eigenvectors by [`arnoldi`];
//! * [`stationary`]: stationary distributions of irreducible walks by [`bicgstab`], certified by
//!   hitting times;
//! * [`wide`]: numbers of any size; [`scaling`]: weights of any size, in units that doubles hold;
//! * [`stop`]: stopping rules of iterations.

pub mod arnoldi;
pub mod bicgstab;
pub mod components;
pub mod dominant;
pub mod inflow;
pub mod irreducible;
pub mod matrix;
pub mod perron;
pub mod prefixes;
pub mod prepared;
pub mod radii;
pub mod runs;
pub mod scaling;
mod single_rows;
pub mod stationary;
pub mod stop;
pub mod wide;

pub use matrix::Matrix;
pub use stop::{StopRule, Tolerance};
