//! Nodes that a user names: some on the command line, or many in a file.

use clap::Args;
use std::path::{Path, PathBuf};
use webrank::internals::error::{Error, Result};
use webrank::internals::graph::text::keys::NodeKeys;
use webrank::internals::graph::text::node_list::nodes_in;
use webrank::internals::graph::text::shown::quoted;
use webrank::internals::graph::{Graph, Node};

/// The seeds.
#[derive(Args)]
#[group(id = "seed_args", multiple = false)]
pub struct SeedArgs {
    /// The seeds, separated by commas: names of nodes, or their numbers; put a name with a comma in
    /// quotation marks
    #[arg(long, value_name = "NODES")]
    seeds: Vec<String>,
    /// The seeds: FILE with one name or number per line, or a table with a column 'name' or 'node'
    #[arg(long, value_name = "FILE")]
    seeds_file: Option<PathBuf>,
}

impl SeedArgs {
    /// Whether there are any.
    pub fn are_given(&self) -> bool {
        !self.seeds.is_empty() || self.seeds_file.is_some()
    }

    /// The same, with a file relative to this folder.
    pub fn below(mut self, folder: &Path) -> Self {
        self.seeds_file = self.seeds_file.map(|file| folder.join(file));
        self
    }

    /// Finds the nodes.
    pub fn find(&self, graph: &Graph) -> Result<Vec<Node>> {
        if let Some(path) = &self.seeds_file {
            return graph.nodes(path);
        }
        let keys = NodeKeys::new(graph.num_nodes(), graph.names());
        let mut nodes: Vec<Node> = Vec::with_capacity(self.seeds.len());
        for text in &self.seeds {
            let found = nodes_in(text, keys);
            nodes.extend(found.map_err(|key| bad(&key, keys.why_unknown(&key)))?);
        }
        let mut sorted = nodes.clone();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(bad(&graph.name(pair[0]), "name each seed once".to_owned())),
            None => Ok(nodes),
        }
    }
}

fn bad(key: &str, remedy: String) -> Error {
    Error::argument("--seeds", quoted(key), remedy)
}
