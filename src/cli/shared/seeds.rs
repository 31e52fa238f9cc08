//! Nodes that a user names: some on the command line, or many in a file.

use clap::Args;
use std::path::PathBuf;
use webrank::error::{Error, Result};
use webrank::graph::text::node_list::{find_node, read_nodes, unknown_node};
use webrank::graph::{Names, Node};

/// The seeds.
#[derive(Args)]
#[group(id = "seed_args", multiple = false)]
pub struct SeedArgs {
    /// The seeds, separated by commas: names of nodes, or their numbers
    #[arg(long, value_delimiter = ',', value_name = "NODES")]
    seeds: Vec<String>,
    /// The seeds: FILE with a name or number a line, or a table with a column 'name' or 'node'
    #[arg(long, value_name = "FILE")]
    seeds_file: Option<PathBuf>,
}

impl SeedArgs {
    /// Whether there are any.
    pub fn are_given(&self) -> bool {
        !self.seeds.is_empty() || self.seeds_file.is_some()
    }

    /// Finds the nodes.
    pub fn find(&self, num_nodes: usize, names: Option<&Names>) -> Result<Vec<Node>> {
        if let Some(path) = &self.seeds_file {
            return read_nodes(path, num_nodes, names);
        }
        let mut nodes: Vec<Node> = Vec::with_capacity(self.seeds.len());
        for key in &self.seeds {
            let bad = |remedy: String| Error::argument("--seeds", format!("'{key}'"), remedy);
            let node = find_node(key, num_nodes, names)
                .ok_or_else(|| bad(unknown_node(key, num_nodes, names)))?;
            if nodes.contains(&node) {
                return Err(bad("name each seed once".to_owned()));
            }
            nodes.push(node);
        }
        Ok(nodes)
    }
}
