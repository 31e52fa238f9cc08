//! Pairs of nodes counted by how two rankings order them, in O(n log n).
//!
//! * [`merge_sort`]: Knight's method, with one count a row beside the count in all;
//! * [`few_classes`]: the same counts without a sort, where there are few classes.

pub(crate) mod few_classes;
pub(crate) mod merge_sort;
