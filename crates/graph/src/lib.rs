//! [webrank]: ../webrank/index.html
#![doc = include_str!("../README.md")]

mod arc_hash;
pub mod arc_weights;
pub mod arcs;
pub mod bow_tie;
pub mod bundle;
pub mod bvgraph;
pub mod check;
pub mod codes;
pub mod components;
pub mod csr;
pub mod direction;
mod disjoint_sets;
mod files;
pub mod info;
pub mod longest;
mod open;
pub mod recode;
pub mod reorder;
mod row;
mod rows;
pub mod shards;
pub mod size;
pub mod source;
pub mod sources;
pub mod subgraph;
mod transpose;
mod weights;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use webrank_base::error::{Error, Result};
use webrank_base::progress::{Progress, Silent};
use xxhash_rust::xxh3::Xxh3;

pub use arc_hash::ArcHash;
pub use bundle::NameIndex;
pub use bvgraph::compressed::Compressed;
pub use csr::Csr;
pub use direction::{Direction, Predecessors, Successors};
pub use disjoint_sets::DisjointSets;
pub use rows::Rows;
use shards::Shards;
pub use size::Size;
pub use source::{IncomingRows, StoredGraph};
use webrank_base::Node;
use webrank_tables::text::checksums::Checksums;
use webrank_tables::text::names::Names;
use webrank_tables::text::node_list::read_nodes;
use webrank_tables::text::node_values::read_node_values;

/// A directed graph to rank, on disk or in memory, with the names of its nodes and the weights of
/// its arcs, if it has any.
///
/// Each direction is decoded on demand. Measures that only read rows share them: the graph keeps
/// them. Measures that turn rows into another form take them, so that memory never holds both forms
/// for long. Clones share what is in memory.
///
/// ```
/// use webrank_graph::Graph;
///
/// let triangle = Graph::from_arcs(3, [(0, 1), (1, 2), (2, 0)])?;
/// assert_eq!((triangle.num_nodes(), triangle.num_arcs()), (3, 3));
/// # Ok::<(), webrank_base::error::Error>(())
/// ```
#[derive(Clone)]
pub struct Graph {
    source: Option<Arc<StoredGraph>>,
    /// The parts of a graph that is cut.
    shards: Option<Arc<Shards>>,
    /// Where a graph in memory was read from.
    path: Option<PathBuf>,
    num_nodes: usize,
    num_arcs: u64,
    names: Option<Arc<Names>>,
    weights: Option<weights::Weights>,
    read: Checksums,
    successors: OnceLock<Arc<Csr>>,
    predecessors: OnceLock<Arc<Csr>>,
}

impl Graph {
    /// Opens a bundle, a BVGraph by its basename or any one of its files, or a folder of
    /// [shards](Shards). Reads the names of the nodes, but no arcs yet.
    ///
    /// # Errors
    /// If there is no graph there, if its files contradict each other, or if names cannot be read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        match Shards::is_at(path) {
            true => Self::from_shards(Shards::open(path)?),
            false => Self::from_source(StoredGraph::open(path)?),
        }
    }

    /// The graph in the files of `source`; reads the names of the nodes.
    ///
    /// # Errors
    /// If names cannot be read.
    pub fn from_source(source: StoredGraph) -> Result<Self> {
        let names = source.names()?;
        Ok(Self::of_source(source, names))
    }

    fn of_source(source: StoredGraph, names: Option<Names>) -> Self {
        let properties = source.properties();
        Graph {
            num_nodes: properties.nodes,
            num_arcs: properties.arcs,
            names: names.map(Arc::new),
            weights: source
                .weights()
                .map(|path| weights::Weights::File(path.to_owned())),
            read: source.read.clone(),
            source: Some(Arc::new(source)),
            shards: None,
            path: None,
            successors: OnceLock::new(),
            predecessors: OnceLock::new(),
        }
    }

    /// A graph of `num_nodes` nodes from its arcs (source, target) in any order; duplicates are
    /// dropped. O(m log m).
    ///
    /// # Errors
    /// If an arc names a node that is not below `num_nodes`.
    pub fn from_arcs(
        num_nodes: usize,
        arcs: impl IntoIterator<Item = (Node, Node)>,
    ) -> Result<Self> {
        Ok(Self::from_rows(Csr::from_arcs(num_nodes, arcs)?))
    }

    /// The graph with these rows of successors.
    pub fn from_rows(successors: Csr) -> Self {
        Graph {
            source: None,
            shards: None,
            path: None,
            num_nodes: successors.num_nodes(),
            num_arcs: successors.num_arcs(),
            names: None,
            weights: None,
            read: Checksums::default(),
            successors: OnceLock::from(Arc::new(successors)),
            predecessors: OnceLock::new(),
        }
    }

    /// This graph with names of its nodes.
    ///
    /// # Errors
    /// If there is not one for each node.
    pub fn with_names(mut self, names: Names) -> Result<Self> {
        let (given, nodes) = (names.len(), self.num_nodes);
        if given != nodes {
            let remedy = format!("the graph has {nodes} nodes");
            return Err(Error::argument("number of names", given, remedy));
        }
        self.names = Some(Arc::new(names));
        Ok(self)
    }

    /// This graph, read from `path`.
    pub fn read_from(mut self, path: &Path) -> Self {
        self.path = Some(path.to_owned());
        self
    }

    /// Where the graph comes from, if it was read.
    pub fn path(&self) -> Option<&Path> {
        self.path
            .as_deref()
            .or(self.source().map(StoredGraph::path))
    }

    /// Number of nodes.
    pub fn num_nodes(&self) -> usize {
        self.num_nodes
    }

    /// Number of arcs, self-loops included.
    pub fn num_arcs(&self) -> u64 {
        self.num_arcs
    }

    /// The files of the graph, if it is on disk.
    pub fn source(&self) -> Option<&StoredGraph> {
        self.source.as_deref()
    }

    /// The names of the nodes, if they have any.
    pub fn names(&self) -> Option<&Names> {
        self.names.as_deref()
    }

    /// The names of the nodes, shared with the graph.
    pub fn shared_names(&self) -> Option<Arc<Names>> {
        self.names.clone()
    }

    /// The name of a node; its number, if nodes have no names.
    ///
    /// # Panics
    /// If `node` is not in the graph.
    pub fn name(&self, node: Node) -> Cow<'_, str> {
        match &self.names {
            Some(names) => Cow::Borrowed(names.get(node)),
            None => Cow::Owned(node.to_string()),
        }
    }

    /// A node as messages mention it: its name, or `node 5`.
    pub fn label(&self, node: Node) -> String {
        match &self.names {
            Some(names) => names.get(node).to_owned(),
            None => format!("node {node}"),
        }
    }

    /// The files outside the graph that were read for it, such as weights.
    pub fn files_read(&self) -> &Checksums {
        &self.read
    }

    /// Reads a nonnegative finite number for each node from a file: one a line, or lines
    /// `name,number` or `node,number` for some of the nodes.
    ///
    /// # Errors
    /// If the file cannot be read, or does not say which number belongs to which node.
    pub fn node_values(&self, file: &Path) -> Result<Vec<f64>> {
        read_node_values(file, self.num_nodes, self.names(), &self.read)
    }

    /// Notes the length and checksum of a file that was read for a computation on this graph.
    pub fn note(&self, file: &Path, checksum: (u64, u128)) {
        self.read.note(file, checksum);
    }

    /// Reads a file of nodes, in its order: a name or number a line, or a table.
    ///
    /// # Errors
    /// If the file cannot be read, or names a node twice or that is not there.
    pub fn nodes(&self, file: &Path) -> Result<Vec<Node>> {
        read_nodes(file, self.num_nodes, self.names(), &self.read)
    }

    /// xxh3-128 of the graph's file, or of its rows in memory, in hexadecimal: equal fingerprints,
    /// equal graphs.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn fingerprint(&self) -> Result<String> {
        match (&self.source, &self.shards) {
            (Some(source), _) => source.fingerprint(),
            (None, Some(shards)) => Ok(shards.plan().fingerprint.clone()),
            (None, None) => {
                let rows = self.successors(&Silent)?;
                let mut hash = Xxh3::new();
                rows.offsets()
                    .iter()
                    .for_each(|x| hash.update(&x.to_le_bytes()));
                rows.targets()
                    .iter()
                    .for_each(|x| hash.update(&x.to_le_bytes()));
                Ok(bundle::hex(hash.digest128()))
            }
        }
    }

    /// The rows of successors, kept. O(n + m), parallel, the first time.
    ///
    /// # Errors
    /// If a file is damaged or missing, if a transpose beside the graph turns out to be that of
    /// another graph, or if memory is short.
    pub fn successors(&self, progress: &dyn Progress) -> Result<Arc<Csr>> {
        if let Some(rows) = self.successors.get() {
            return Ok(rows.clone());
        }
        let source = self.files()?;
        let rows = Arc::new(source.successors(progress)?);
        if let Some(predecessors) = self.predecessors.get() {
            source.compare(&rows, predecessors)?;
        }
        Ok(self.successors.get_or_init(|| rows).clone())
    }

    /// The rows of predecessors, kept. O(n + m), parallel, the first time: from the transpose if it
    /// lies beside the graph, otherwise from the successors.
    ///
    /// # Errors
    /// As for [`Self::successors`].
    pub fn predecessors(&self, progress: &dyn Progress) -> Result<Arc<Csr>> {
        if let Some(rows) = self.predecessors.get() {
            return Ok(rows.clone());
        }
        let rows = match (self.successors.get(), &self.source) {
            (None, Some(source)) => source.predecessors(progress)?.rows,
            (Some(successors), Some(source)) => source.reverse(successors, progress)?,
            (_, None) => self.successors(progress)?.transpose()?,
        };
        let rows = Arc::new(rows);
        Ok(self.predecessors.get_or_init(|| rows).clone())
    }

    /// The rows of successors and those of predecessors, kept.
    ///
    /// # Errors
    /// As for [`Self::successors`].
    pub fn both(&self, progress: &dyn Progress) -> Result<(Arc<Csr>, Arc<Csr>)> {
        let successors = self.successors(progress)?;
        Ok((successors, self.predecessors(progress)?))
    }

    /// The rows of predecessors, for a measure that turns them into another form; they are not kept.
    ///
    /// # Errors
    /// As for [`Self::successors`].
    pub fn take_predecessors(&self, progress: &dyn Progress) -> Result<IncomingRows> {
        match (&self.source, self.predecessors.get()) {
            (Some(source), None) => source.predecessors(progress),
            _ => Ok(IncomingRows {
                rows: Csr::clone(&*self.predecessors(progress)?),
                outdegrees: None,
            }),
        }
    }

    /// The rows of successors, for a measure that turns them into another form; they are not kept.
    ///
    /// # Errors
    /// As for [`Self::successors`].
    pub fn take_successors(&self, progress: &dyn Progress) -> Result<Csr> {
        match (&self.source, self.successors.get()) {
            (Some(source), None) => source.successors(progress),
            _ => Ok(Csr::clone(&*self.successors(progress)?)),
        }
    }

    fn files(&self) -> Result<&StoredGraph> {
        match (self.source(), &self.shards) {
            (Some(source), _) => Ok(source),
            (None, Some(cut)) => Err(Error::file(cut.path(), shards::NEEDS_WHOLE)),
            (None, None) => {
                let remedy = "give its arcs, or open a graph on disk";
                Err(Error::argument("graph", "without rows", remedy))
            }
        }
    }
}
