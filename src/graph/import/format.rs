//! Which format a file has: what its first bytes show, otherwise what its name says.

use serde::Serialize;
use std::path::Path;

/// A format of graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Lines with source and target: TSV, CSV, blanks.
    Edges,
    /// MatrixMarket, coordinates.
    MatrixMarket,
    /// Apache Parquet.
    Parquet,
    /// Apache Arrow IPC, a file or a stream.
    Arrow,
    /// GraphML.
    GraphMl,
    /// GEXF.
    Gexf,
    /// Pajek.
    Pajek,
    /// A sparse matrix in compressed rows, as scipy saves it.
    Npz,
    /// METIS.
    Metis,
    /// A node and its successors in each line.
    Adjacency,
    /// WebGraph's BVGraph.
    BvGraph,
}

impl Format {
    /// The format of a file with this name that starts with these bytes.
    ///
    /// # Errors
    /// If the format is known but not read: the sentence says how to convert it.
    pub(super) fn of(path: &Path, first: &[u8]) -> Result<Format, &'static str> {
        let text = String::from_utf8_lossy(&first[..first.len().min(4096)]);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        let starts = |word: &str| {
            let start = text.as_bytes().get(..word.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
        };
        if first.starts_with(b"PAR1") {
            return Ok(Format::Parquet);
        }
        if first.starts_with(b"ARROW1") || first.starts_with(&[0xff, 0xff, 0xff, 0xff]) {
            return Ok(Format::Arrow);
        }
        if first.starts_with(b"PK\x03\x04") {
            return Ok(Format::Npz);
        }
        if starts("%%MatrixMarket") {
            return Ok(Format::MatrixMarket);
        }
        if starts("<") && text.contains("<graphml") {
            return Ok(Format::GraphMl);
        }
        if starts("<") && text.contains("<gexf") {
            return Ok(Format::Gexf);
        }
        if starts("*vertices") || starts("*network") {
            return Ok(Format::Pajek);
        }
        let may_be_gml = ["graph", "creator", "version"]
            .iter()
            .any(|word| starts(word));
        if may_be_gml && text.contains('[') && text.contains("node") {
            return Err(
                "is GML, which is not read; convert it in Python: networkx.write_graphml(\
                 networkx.read_gml(FILE), 'graph.graphml')",
            );
        }
        // A compressed file is named for what it holds.
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_lowercase();
        let stem = [".gz", ".zst", ".bz2", ".xz"]
            .iter()
            .find_map(|end| name.strip_suffix(end));
        let extension = stem
            .unwrap_or(&name)
            .rsplit_once('.')
            .map(|(_, extension)| extension);
        match extension {
            Some("metis") => Ok(Format::Metis),
            Some("adjlist" | "adj") => Ok(Format::Adjacency),
            _ => Ok(Format::Edges),
        }
    }
}
