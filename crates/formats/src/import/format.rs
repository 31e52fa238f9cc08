//! The formats of graphs.

use serde::Serialize;

/// A format of graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum), value(rename_all = "lower"))]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Lines of source and target: TSV, CSV, blanks; of SNAP, KONECT and others
    Edges,
    /// MatrixMarket
    MatrixMarket,
    /// Apache Parquet, with columns of source, target and perhaps weight
    Parquet,
    /// Apache Arrow IPC, a file (Feather) or a stream, with the same columns
    Arrow,
    /// GraphML
    GraphMl,
    /// GEXF, of Gephi
    Gexf,
    /// Pajek, .net
    Pajek,
    /// A sparse matrix by scipy.sparse.save_npz: CSR, CSC or COO
    Npz,
    /// UCINET DL
    Dl,
    /// An adjacency matrix as a table: CSV, tabs, blanks
    Matrix,
    /// N-Triples or N-Quads
    NTriples,
    /// An Excel workbook with a sheet of arcs
    Xlsx,
    /// METIS: the neighbours of a node in each line
    Metis,
    /// GML, of networkx, igraph, Gephi, yEd and others
    Gml,
    /// DOT, of Graphviz
    Dot,
    /// JSON: node-link, adjacency, Cytoscape, JSON Graph Format, or rows
    Json,
    /// TGF, of yEd: nodes, a line '#', edges
    Tgf,
    /// LGL: lists of neighbours below lines '# name'
    Lgl,
    /// NCOL: undirected edges, a line each
    Ncol,
    /// graph6, sparse6 or digraph6, of nauty
    Graph6,
    /// DIMACS: 'p edge' or 'p sp', and a line for each edge or arc
    Dimacs,
    /// SIF, of Cytoscape: a source, a relation and targets in each line
    Sif,
    /// A node and its successors in each line
    Adjacency,
    /// WebGraph's BVGraph, or a bundle
    BvGraph,
}

impl Format {
    /// The name for people.
    pub(super) fn title(self) -> &'static str {
        match self {
            Format::Edges => "a list of arcs",
            Format::MatrixMarket => "MatrixMarket",
            Format::Parquet => "Parquet",
            Format::Arrow => "Arrow",
            Format::GraphMl => "GraphML",
            Format::Gexf => "GEXF",
            Format::Pajek => "Pajek",
            Format::Npz => "a matrix of scipy",
            Format::Dl => "UCINET DL",
            Format::Matrix => "an adjacency matrix",
            Format::NTriples => "N-Triples",
            Format::Xlsx => "Excel",
            Format::Metis => "METIS",
            Format::Gml => "GML",
            Format::Dot => "DOT",
            Format::Json => "JSON",
            Format::Tgf => "TGF",
            Format::Lgl => "LGL",
            Format::Ncol => "NCOL",
            Format::Graph6 => "graph6",
            Format::Dimacs => "DIMACS",
            Format::Sif => "SIF",
            Format::Adjacency => "adjacency lists",
            Format::BvGraph => "a BVGraph",
        }
    }

    /// The words of a summary about a file: its format, if that is not told otherwise, and whether its
    /// edges have directions, if it can say so. So many `edges` are there, and `undirected` ones have no
    /// direction; `is_numbered` says that nodes have numbers.
    pub(super) fn told(self, undirected: u64, edges: u64, is_numbered: bool) -> Option<String> {
        use Format::{
            Adjacency, Arrow, BvGraph, Dimacs, Dl, Edges, Json, Matrix, MatrixMarket, Metis,
            NTriples, Npz, Pajek, Parquet, Sif, Tgf, Xlsx,
        };
        let is_table = matches!(self, Edges | Parquet | Arrow | Xlsx);
        if self == BvGraph {
            return None;
        }
        let mut parts = Vec::new();
        if !is_table {
            parts.push(self.title().to_owned());
        }
        let has_one_kind = matches!(
            self,
            Adjacency | Json | Matrix | Npz | NTriples | Sif | Tgf | Dl
        );
        match undirected {
            _ if self == Metis => parts.push("undirected".to_owned()),
            0 if is_table || has_one_kind || edges == 0 => {}
            0 => parts.push("directed".to_owned()),
            all if all == edges => parts.push("undirected".to_owned()),
            some => parts.push(format!("{some} of {edges} edges undirected")),
        }
        if is_numbered && matches!(self, Pajek | Dimacs | Dl | MatrixMarket | Metis) {
            parts.push("node 0 is 1 in the file".to_owned());
        }
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}
