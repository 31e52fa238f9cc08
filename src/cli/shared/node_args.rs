//! Nodes that a user names: some on the command line, or many in a file.

use clap::{ArgMatches, Args, FromArgMatches};
use std::path::{Path, PathBuf};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::shown::quoted;
use webrank_graph::Graph;
use webrank_tables::text::keys::NodeKeys;
use webrank_tables::text::node_list::nodes_in;

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

/// The seeds of personalised PageRank, each of which has a ranking of its own.
#[derive(Args)]
#[group(id = "seed_args", multiple = false)]
pub struct EachSeedArgs {
    /// Personalised scores: a column for each of these nodes, at which all walks start; separated by
    /// commas: names, or numbers; put a name with a comma in quotation marks
    #[arg(long, value_name = "NODES")]
    each_seed: Vec<String>,
    /// Personalised scores for each node in FILE: one name or number per line, or a table with a column
    /// 'name' or 'node'
    #[arg(long, value_name = "FILE")]
    each_seed_file: Option<PathBuf>,
}

/// A number for each node, which an option gives: those in a file, or 1 for each node of a list such as `a,b`.
///
/// # Errors
/// If there is no such file and no such node, or the file cannot be read.
pub fn node_values(option: &'static str, given: &Path, graph: &Graph) -> Result<Vec<f64>> {
    let keys = NodeKeys::new(graph.num_nodes(), graph.names());
    let Some(list) = given
        .to_str()
        .filter(|&text| text != "-" && !given.exists())
    else {
        let is_node = given
            .to_str()
            .is_some_and(|text| nodes_in(text, keys).is_ok());
        if is_node && given.is_file() {
            let (file, node) = (given.display(), quoted(&given.to_string_lossy()));
            let problem = format!(
                "a file and the node {node} have this name: write ./{file} for the file, or rename it"
            );
            return Err(Error::file(given, problem));
        }
        return graph.node_values(given);
    };
    let nodes = nodes_in(list, keys).map_err(|key| {
        let why = keys.why_unknown(&key);
        let remedy = format!("there is no such file, and no node {}: {why}", quoted(&key));
        Error::argument(option, quoted(list), remedy)
    })?;
    let mut values = vec![0.0; graph.num_nodes()];
    for node in nodes {
        if std::mem::replace(&mut values[node as usize], 1.0) != 0.0 {
            let node = quoted(&graph.name(node));
            let remedy = format!("{node} is there twice: name each node once");
            return Err(Error::argument(option, quoted(list), remedy));
        }
    }
    Ok(values)
}

/// The nodes that betweenness searches from.
#[derive(Args)]
#[group(id = "source_args", multiple = false)]
pub struct SourceArgs {
    /// Betweenness from sources: search from these nodes, separated by commas: names, or numbers;
    /// put a name with a comma in quotation marks
    #[arg(long, value_name = "NODES")]
    sources: Vec<String>,
    /// Search from the nodes in FILE: one name or number per line, or a table with a column 'name' or
    /// 'node'
    #[arg(long, value_name = "FILE")]
    sources_file: Option<PathBuf>,
}

/// Nodes in a list or a file.
pub trait NodeArgs: FromArgMatches {
    /// The name of the list in a command.
    const LIST: &'static str;

    /// The remedy for a node that is there twice.
    const ONCE: &'static str;

    /// The lists, as many as were given, and the file.
    fn parts(&self) -> (&[String], Option<&Path>);

    /// The nodes of a command, if it has any.
    fn of(command: &ArgMatches) -> Option<Self> {
        command.try_contains_id(Self::LIST).ok()?;
        let found = Self::from_arg_matches(command).ok();
        found.filter(Self::are_given)
    }

    /// Whether there are any.
    fn are_given(&self) -> bool {
        let (list, file) = self.parts();
        !list.is_empty() || file.is_some()
    }

    /// Finds the nodes; a file is relative to the working folder.
    fn find(&self, graph: &Graph) -> Result<Vec<Node>> {
        self.find_below(Path::new(""), graph)
    }

    /// [`Self::find`] with a file relative to this folder.
    fn find_below(&self, folder: &Path, graph: &Graph) -> Result<Vec<Node>> {
        let (list, file) = self.parts();
        if let Some(path) = file {
            return graph.nodes(&folder.join(path));
        }
        let bad = |key: &str, remedy: String| Error::argument(Self::LIST, quoted(key), remedy);
        let keys = NodeKeys::new(graph.num_nodes(), graph.names());
        let mut nodes: Vec<Node> = Vec::with_capacity(list.len());
        for text in list {
            let found = nodes_in(text, keys);
            nodes.extend(found.map_err(|key| bad(&key, keys.why_unknown(&key)))?);
        }
        let mut sorted = nodes.clone();
        sorted.sort_unstable();
        match sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) => Err(bad(&graph.name(pair[0]), Self::ONCE.to_owned())),
            None => Ok(nodes),
        }
    }
}

impl NodeArgs for SeedArgs {
    const LIST: &'static str = "seeds";
    const ONCE: &'static str = "name each seed once";

    fn parts(&self) -> (&[String], Option<&Path>) {
        (&self.seeds, self.seeds_file.as_deref())
    }
}

impl NodeArgs for EachSeedArgs {
    const LIST: &'static str = "each_seed";
    const ONCE: &'static str = "name each seed once";

    fn parts(&self) -> (&[String], Option<&Path>) {
        (&self.each_seed, self.each_seed_file.as_deref())
    }
}

impl NodeArgs for SourceArgs {
    const LIST: &'static str = "sources";
    const ONCE: &'static str = "name each source once";

    fn parts(&self) -> (&[String], Option<&Path>) {
        (&self.sources, self.sources_file.as_deref())
    }
}
