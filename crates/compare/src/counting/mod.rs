//! Pairs of nodes counted by how two rankings order them, in O(n log n).
//!
//! * [`merge_sort`]: Knight's method, with one count per row besides the total;
//! * [`few_classes`]: the same counts without a sort, for few classes.

pub(crate) mod few_classes;
pub(crate) mod merge_sort;
