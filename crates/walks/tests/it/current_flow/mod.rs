//! Current-flow betweenness.

mod definition;
mod peers;
