//! Coefficients of agreement, and their bounds.

mod compare;
