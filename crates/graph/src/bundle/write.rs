//! Writes bundles.

use super::fill::{Content, RowVisitor, Target, Written, fill};
use super::fingerprints::write_fingerprints;
use super::{FINGERPRINTS, KIND, MadeFrom, NAMES, NamesWriter};
use crate::bvgraph::compress::parts;
use crate::codes::Coding;
use crate::{Csr, Graph};
use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::output::{PendingDirectory, SpillBudget};
use webrank_base::progress::{Progress, Silent};

/// How to write a bundle.
#[derive(Debug, Clone, Copy, Default)]
pub struct BundleOptions {
    /// Replace an existing bundle at the output path. Nothing else is ever replaced.
    pub replace: bool,
    /// Leave out the transpose and the `.offsets` file, which are computed when they are missing.
    pub compact: bool,
}

/// Rows in memory.
struct Rows<'a> {
    rows: Cow<'a, Csr>,
    /// The weights of the arcs, if they have any, until they are reversed.
    weights: Option<&'a [f64]>,
}

impl Content for Rows<'_> {
    fn num_nodes(&self) -> usize {
        self.rows.num_nodes()
    }

    fn parts(&self) -> Vec<Range<usize>> {
        parts(self.rows.num_nodes(), self.rows.num_arcs())
    }

    fn is_weighted(&self) -> bool {
        self.weights.is_some()
    }

    fn rows(&self, mut range: Range<usize>, visit: &mut RowVisitor) -> Result<()> {
        let offsets = self.rows.offsets();
        range.try_for_each(|node| {
            let of_row = offsets[node] as usize..offsets[node + 1] as usize;
            let weights = self.weights.map_or(&[][..], |weights| &weights[of_row]);
            visit(node as Node, self.rows.row(node as Node), weights)
        })
    }

    fn reverse(&mut self) -> Result<()> {
        self.weights = None;
        self.rows = Cow::Owned(self.rows.transpose()?);
        Ok(())
    }
}

/// Fails if no bundle could be written to `output`.
///
/// # Errors
/// As [`write_bundle`], before any work.
pub fn check_output(output: &Path, options: BundleOptions) -> Result<()> {
    PendingDirectory::create(output, KIND, options.replace).map(drop)
}

/// Writes a graph, its transpose, offsets, names (in node order) and manifest as a bundle.
///
/// # Errors
/// If `output` exists and is not to be replaced or is no bundle, or if a file cannot be written.
/// Then nothing is left behind, and what was there stays.
pub fn write_bundle(
    successors: &Csr,
    names: Option<&[Box<str>]>,
    output: &Path,
    options: BundleOptions,
) -> Result<()> {
    write_graph(successors, names, None, output, options)
}

/// [`write_bundle`] with the weights of the arcs, by source and target.
///
/// # Errors
/// As [`write_bundle`].
pub fn write_graph(
    successors: &Csr,
    names: Option<&[Box<str>]>,
    weights: Option<&[f64]>,
    output: &Path,
    options: BundleOptions,
) -> Result<()> {
    let nodes = Nodes {
        names,
        fingerprints: None,
    };
    write_nodes(successors, weights, nodes, output, options)
}

/// The properties of a bundle's nodes, in their order.
#[derive(Clone, Copy, Default)]
pub struct Nodes<'a> {
    /// Their names.
    pub names: Option<&'a [Box<str>]>,
    /// The fingerprints of their texts, 0 for nodes without text.
    pub fingerprints: Option<&'a [u64]>,
}

/// [`write_bundle`] with all that is known of the nodes.
///
/// # Errors
/// As [`write_bundle`].
pub fn write_nodes(
    successors: &Csr,
    weights: Option<&[f64]>,
    nodes: Nodes,
    output: &Path,
    options: BundleOptions,
) -> Result<()> {
    let bundle = PendingBundle::create(output, options)?;
    if let Some(names) = nodes.names {
        let mut file = bundle.names(None)?;
        names.iter().try_for_each(|name| file.push(name))?;
        file.finish()?;
    }
    if let Some(fingerprints) = nodes.fingerprints {
        bundle.fingerprints(fingerprints.iter().copied())?;
    }
    let mut rows = Rows {
        rows: Cow::Borrowed(successors),
        weights,
    };
    bundle.finish(&mut rows, &Silent).map(drop)
}

/// Writes a graph with its names and weights, wherever they come from.
///
/// # Errors
/// As [`write_bundle`]; if the graph cannot be read.
pub fn save(
    graph: &Graph,
    output: &Path,
    options: BundleOptions,
    progress: &dyn Progress,
) -> Result<()> {
    let bundle = PendingBundle::create(output, options)?;
    if let Some(names) = graph.names() {
        let mut file = bundle.names(None)?;
        let mut nodes = 0..names.len() as Node;
        nodes.try_for_each(|node| file.push(names.get(node)))?;
        file.finish()?;
    }
    let (successors, weighted);
    let mut rows = match graph.weighted_successors(progress)? {
        Some(found) => {
            weighted = found;
            Rows {
                rows: Cow::Borrowed(&weighted.0),
                weights: Some(&weighted.1),
            }
        }
        None => {
            successors = graph.successors(progress)?;
            Rows {
                rows: Cow::Borrowed(&successors),
                weights: None,
            }
        }
    };
    bundle.finish(&mut rows, progress).map(drop)
}

/// A bundle being written.
pub struct PendingBundle {
    directory: PendingDirectory,
    output: PathBuf,
    compact: bool,
    coding: Coding,
    made_from: Option<Arc<OnceLock<MadeFrom>>>,
}

impl PendingBundle {
    /// Begins a bundle.
    ///
    /// # Errors
    /// If `output` exists and is not to be replaced or is no bundle.
    pub fn create(output: &Path, options: BundleOptions) -> Result<Self> {
        Ok(PendingBundle {
            directory: PendingDirectory::create(output, KIND, options.replace)?,
            output: output.to_owned(),
            compact: options.compact,
            coding: Coding::default(),
            made_from: None,
        })
    }

    /// Writes the fingerprints of the nodes, in their order.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn fingerprints(&self, of_nodes: impl IntoIterator<Item = u64>) -> Result<()> {
        let mut of_nodes = Some(of_nodes);
        self.add(&mut |folder| {
            let of_nodes = of_nodes.take().into_iter().flatten();
            write_fingerprints(&folder.join(FINGERPRINTS), of_nodes)
        })
    }

    /// This bundle with other codes.
    pub fn coded(self, coding: &Coding) -> Self {
        PendingBundle {
            coding: coding.clone(),
            ..self
        }
    }

    /// This bundle, with what it is made from, which is known before it is finished.
    pub fn made_from(self, made_from: Arc<OnceLock<MadeFrom>>) -> Self {
        PendingBundle {
            made_from: Some(made_from),
            ..self
        }
    }
}

impl Target for PendingBundle {
    fn names(&self, room: Option<SpillBudget>) -> Result<NamesWriter> {
        let shown = self.output.join(NAMES);
        NamesWriter::create(&self.directory.path().join(NAMES), &shown, room)
    }

    fn add(&self, write: &mut dyn FnMut(&Path) -> Result<()>) -> Result<()> {
        let folder = self.directory.path();
        write(folder).map_err(|problem| problem.moved(folder, &self.output))
    }

    fn finish(self, content: &mut dyn Content, progress: &dyn Progress) -> Result<Written> {
        let folder = self.directory.path();
        let made_from = self.made_from.as_ref().and_then(|it| it.get().cloned());
        let (coding, compact) = (&self.coding, self.compact);
        let written = fill(folder, content, coding, compact, made_from, progress);
        let written = written.map_err(|problem| problem.moved(folder, &self.output))?;
        self.directory.finish()?;
        Ok(written)
    }
}
