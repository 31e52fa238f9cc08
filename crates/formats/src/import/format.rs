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
    /// A node and its successors in each line
    Adjacency,
    /// WebGraph's BVGraph, or a bundle
    BvGraph,
}
