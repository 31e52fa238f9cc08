//! What all measures have in common: they stop when they are asked to, and equal rows tie.

mod equal_rows;
mod interruption;
