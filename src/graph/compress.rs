//! Writing BVGraphs, by the compressor of the `webgraph` crate.

use super::{Csr, Node};
use crate::error::{Error, Result};
use dsi_bitstream::prelude::BE;
use dsi_progress_logger::no_logging;
use lender::{Lend, Lender, Lending, check_covariance};
use std::path::Path;
use webgraph::prelude::{BvComp, NodeLabelsLender, store_ef_with_data};

/// Writes `basename.graph`, `.properties`, `.offsets` and `.ef`: big endian, with the default
/// codes and window, so that every tool that knows the format can read them.
///
/// # Errors
/// If a file cannot be written.
pub(crate) fn compress(graph: &Csr, basename: &Path) -> Result<()> {
    let cannot = |problem| Error::file(basename, format!("cannot write the graph: {problem:#}"));
    let rows = RowLender { graph, next: 0 };
    BvComp::with_basename(basename)
        .comp_lender::<BE, _>(rows, Some(graph.num_nodes()))
        .map_err(cannot)?;
    let file = |extension| basename.with_extension(extension);
    store_ef_with_data(
        graph.num_nodes(),
        file("graph"),
        file("offsets"),
        file("ef"),
        no_logging!(),
    )
    .map_err(cannot)
}

/// The rows of a graph as the compressor asks for them.
struct RowLender<'g> {
    graph: &'g Csr,
    next: usize,
}

impl<'lend> NodeLabelsLender<'lend> for RowLender<'_> {
    type Label = usize;
    type IntoIterator =
        std::iter::Map<std::iter::Copied<std::slice::Iter<'lend, Node>>, fn(Node) -> usize>;
}

impl<'lend> Lending<'lend> for RowLender<'_> {
    type Lend = (usize, <Self as NodeLabelsLender<'lend>>::IntoIterator);
}

impl Lender for RowLender<'_> {
    check_covariance!();

    fn next(&mut self) -> Option<Lend<'_, Self>> {
        let node = self.next;
        if node == self.graph.num_nodes() {
            return None;
        }
        self.next += 1;
        let row = self.graph.row(node as Node).iter().copied();
        Some((node, row.map(|target| target as usize)))
    }
}
