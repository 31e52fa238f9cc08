//! Facts about a graph before ranking: counts, degrees, codes, files.

use super::{Csr, Graph, StoredGraph};
use crate::Size;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory::filled;
use webrank_base::parallel::sums::INDICES_PER_TASK;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_tables::text::names::Names;

/// Facts about a graph.
#[derive(Debug, Default, Serialize)]
pub struct Info {
    /// Number of nodes.
    pub nodes: u64,
    /// Number of arcs, self-loops included.
    pub arcs: u64,
    /// Nodes without successors.
    pub dangling_nodes: u64,
    /// Arcs from a node to itself.
    pub self_loops: u64,
    /// Arcs per node.
    pub mean_degree: f64,
    /// Degrees of the successor lists.
    pub outdegree: Extremes,
    /// Degrees of the predecessor lists.
    pub indegree: Extremes,
    /// Bits of the graph file per arc; `None` without arcs.
    pub bits_per_arc: Option<f64>,
    /// `big` or `little`; `None`, as the next two, for a graph that is no BVGraph.
    pub endianness: Option<&'static str>,
    /// How far back a list may refer.
    pub window: Option<usize>,
    /// Shortest run written as an interval; 0 if none is.
    pub min_interval: Option<usize>,
    /// The code of each component of a list.
    pub codes: BTreeMap<&'static str, String>,
    /// Every file and its length in bytes.
    pub files: BTreeMap<String, u64>,
    /// Whether arcs have weights.
    pub weights: bool,
    /// Whether nodes have names.
    pub names: bool,
    /// Whether the transpose lies beside the graph.
    pub transpose: bool,
}

/// The smallest and largest degree, and a node that has the largest.
#[derive(Debug, Default, Serialize)]
pub struct Extremes {
    /// Smallest degree.
    pub min: u64,
    /// Largest degree.
    pub max: u64,
    /// The first node with the largest degree.
    pub max_node: Node,
}

impl Extremes {
    fn of(num_nodes: usize, degree: impl Fn(usize) -> u64 + Sync) -> Self {
        let parts = tasks::map(tasks::ranges(num_nodes), |nodes| {
            let degrees = nodes.map(|node| (degree(node), Reverse(node as Node)));
            let min = degrees.clone().map(|(degree, _)| degree).min();
            (min, degrees.max())
        });
        let min = parts.iter().filter_map(|&(min, _)| min).min();
        let max = parts.iter().filter_map(|&(_, max)| max).max();
        let (max, Reverse(max_node)) = max.unwrap_or_default();
        Extremes {
            min: min.unwrap_or(0),
            max,
            max_node,
        }
    }
}

/// In how many rows each node is.
fn indegrees(graph: &Csr) -> Result<Vec<AtomicU32>> {
    let counts: Vec<u32> = filled(0, graph.num_nodes(), "the indegrees")?;
    let counts: Vec<AtomicU32> = counts.into_iter().map(AtomicU32::new).collect();
    tasks::for_each(graph.targets().chunks(INDICES_PER_TASK), |targets| {
        for &target in targets {
            counts[target as usize].fetch_add(1, Relaxed);
        }
    });
    Ok(counts)
}

impl Info {
    /// The bytes that counting takes at most, with the names of the nodes beside it.
    pub fn needs(source: &StoredGraph, names: Option<&Names>) -> u64 {
        let size = Size::on_disk(source, names);
        size.while_decoding().max(size.once_decoded(14, 4))
    }

    /// Reads the whole graph and counts. O(n + m).
    ///
    /// # Errors
    /// If a file is damaged or missing.
    pub fn of(source: &StoredGraph, progress: &dyn Progress) -> Result<Self> {
        let compressed = source.compressed()?;
        let num_bits = compressed.num_bits();
        drop(compressed);
        let counted = Self::counted(&source.successors(progress)?)?;
        let properties = source.properties();
        let codes = &properties.codes;
        let files = source.files();
        Ok(Info {
            bits_per_arc: (counted.arcs > 0).then(|| num_bits as f64 / counted.arcs as f64),
            endianness: Some(match properties.endianness {
                crate::bvgraph::properties::Endianness::Big => "big",
                crate::bvgraph::properties::Endianness::Little => "little",
            }),
            window: Some(properties.window),
            min_interval: Some(properties.min_interval),
            codes: BTreeMap::from([
                ("outdegrees", codes.outdegrees.to_string()),
                ("references", codes.references.to_string()),
                ("block counts", codes.block_counts.to_string()),
                ("blocks", codes.blocks.to_string()),
                ("intervals", codes.intervals.to_string()),
                ("residuals", codes.residuals.to_string()),
            ]),
            files: files
                .into_iter()
                .map(|(path, bytes)| (path.display().to_string(), bytes))
                .collect(),
            weights: source.weights().is_some(),
            names: source.has_names(),
            transpose: source.has_transpose(),
            ..counted
        })
    }

    /// Counts in a graph that was read from a file of another format. O(n + m).
    ///
    /// # Errors
    /// If memory is short.
    pub fn of_graph(graph: &Graph, progress: &dyn Progress) -> Result<Self> {
        let size = |path: &std::path::Path| path.metadata().map_or(0, |file| file.len());
        let files = graph.path().into_iter();
        Ok(Info {
            weights: graph.has_weights(),
            names: graph.names().is_some(),
            files: files
                .map(|path| (path.display().to_string(), size(path)))
                .collect(),
            ..Self::counted(&*graph.successors(progress)?)?
        })
    }

    /// The counts in rows of successors.
    fn counted(graph: &Csr) -> Result<Self> {
        let n = graph.num_nodes();
        let dangling_nodes = tasks::count(n, |node| graph.degree(node as Node) == 0);
        let loops = |node: Node| graph.row(node).binary_search(&node).is_ok();
        let self_loops = tasks::count(n, |node| loops(node as Node));
        let (n, m) = (n as u64, graph.num_arcs());
        let outdegree = Extremes::of(graph.num_nodes(), |node| graph.degree(node as Node));
        let indegrees = indegrees(graph)?;
        let indegree = Extremes::of(graph.num_nodes(), |node| {
            indegrees[node].load(Relaxed).into()
        });
        Ok(Info {
            nodes: n,
            arcs: m,
            dangling_nodes: dangling_nodes as u64,
            self_loops: self_loops as u64,
            mean_degree: if n == 0 { 0.0 } else { m as f64 / n as f64 },
            outdegree,
            indegree,
            ..Info::default()
        })
    }
}
