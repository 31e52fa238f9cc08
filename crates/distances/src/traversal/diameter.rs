//! The diameter of a graph, without a search from every node.

use dsi_progress_logger::no_logging;
use lender::{Lend, Lender, Lending, check_covariance};
use std::iter::{Copied, Map};
use std::slice::Iter;
use webgraph::traits::{
    NodeLabelsLender, RandomAccessGraph, RandomAccessLabeling, SequentialGraph, SequentialLabeling,
};
use webgraph_algo::distances::exact_sum_sweep::{Diameter, Level};
use webrank_base::Node;
use webrank_graph::Csr;

/// The largest distance between two nodes, one of which reaches the other; exact, by the
/// ExactSumSweep algorithm of `webgraph-algo` (Borassi, Crescenzi, Habib et al. 2015).
///
/// Usually a few dozen searches; n at worst.
pub fn diameter(rows: &Csr, reverse: &Csr) -> u32 {
    if rows.num_nodes() == 0 {
        return 0;
    }
    Diameter::run(Arcs(rows), Arcs(reverse), None, true, no_logging![]).diameter as u32
}

/// A graph in the form that WebGraph's algorithms take.
struct Arcs<'g>(&'g Csr);

/// The neighbours of a node.
type Row<'a> = Map<Copied<Iter<'a, Node>>, fn(Node) -> usize>;

fn row(rows: &Csr, node: usize) -> Row<'_> {
    let widen: fn(Node) -> usize = |y| y as usize;
    rows.row(node as Node).iter().copied().map(widen)
}

impl SequentialLabeling for Arcs<'_> {
    type Label = usize;
    type Lender<'a>
        = RowsFrom<'a>
    where
        Self: 'a;

    fn num_nodes(&self) -> usize {
        self.0.num_nodes()
    }

    fn get_num_arcs(&self) -> Option<u64> {
        Some(self.0.num_arcs())
    }

    fn iter_from(&self, from: usize) -> RowsFrom<'_> {
        RowsFrom {
            rows: self.0,
            next: from,
        }
    }
}

impl RandomAccessLabeling for Arcs<'_> {
    type Labels<'a>
        = Row<'a>
    where
        Self: 'a;

    fn num_arcs(&self) -> u64 {
        self.0.num_arcs()
    }

    fn labels(&self, node: usize) -> Row<'_> {
        row(self.0, node)
    }

    fn outdegree(&self, node: usize) -> usize {
        self.0.degree(node as Node) as usize
    }
}

impl SequentialGraph for Arcs<'_> {}
impl RandomAccessGraph for Arcs<'_> {}

/// All nodes from one on, each with its neighbours.
struct RowsFrom<'g> {
    rows: &'g Csr,
    next: usize,
}

impl<'lend> NodeLabelsLender<'lend> for RowsFrom<'_> {
    type Label = usize;
    type IntoIterator = Row<'lend>;
}

impl<'lend> Lending<'lend> for RowsFrom<'_> {
    type Lend = (usize, Row<'lend>);
}

impl Lender for RowsFrom<'_> {
    check_covariance!();

    fn next(&mut self) -> Option<Lend<'_, Self>> {
        let node = self.next;
        (node < self.rows.num_nodes()).then(|| {
            self.next += 1;
            (node, row(self.rows, node))
        })
    }
}
