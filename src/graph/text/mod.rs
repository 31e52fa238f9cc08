//! Text files about nodes and arcs: names, lists of nodes, numbers for nodes, weights of arcs.
//!
//! * [`names`]: node number and name, either from the other;
//! * [`suggestions`]: names like one that no node has;
//! * [`node_list`]: some nodes of a graph;
//! * [`node_values`]: a number for each node;
//! * [`arc_weights`]: a number for each arc.

pub mod arc_weights;
pub mod names;
pub mod node_list;
pub mod node_values;
pub mod suggestions;
