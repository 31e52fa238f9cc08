//! Which format a file has: what its first bytes show, otherwise what its name says.

use serde::Serialize;
use std::path::Path;

/// A format of graphs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum), value(rename_all = "lower"))]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Lines of source and target: TSV, CSV, blanks; of SNAP, KONECT and others
    Edges,
    /// MatrixMarket, coordinates
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
    /// METIS: the neighbours of a node in each line
    Metis,
    /// A node and its successors in each line
    Adjacency,
    /// WebGraph's BVGraph, or a bundle
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
        if first.starts_with(b"WARC/") {
            return Err("is an archive of web pages; 'rank ingest' makes a graph of it");
        }
        if starts("<!doctype html") || starts("<html") {
            return Err("is a page of HTML; 'rank ingest' makes a graph of a folder of such pages");
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
        let mut lines = text.lines().map(str::trim_start);
        let content = lines.find(|line| !line.is_empty() && !line.starts_with('%'));
        let content = content.unwrap_or_default().to_lowercase();
        if content.starts_with("*vertices") || content.starts_with("*network") {
            return Ok(Format::Pajek);
        }
        let first_word = text.split([' ', '\t', '\r', '\n', '[']).next();
        let first_word = first_word.unwrap_or_default().to_lowercase();
        let may_be_gml = ["graph", "creator", "version"].contains(&first_word.as_str());
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
            // BVGraphs have such a file too, which holds bits.
            Some("graph") if is_metis_header(&content) => Ok(Format::Metis),
            Some("adjlist" | "adj") => Ok(Format::Adjacency),
            _ => Ok(Format::Edges),
        }
    }
}

/// True for two to four numbers: those of nodes and edges come first.
fn is_metis_header(line: &str) -> bool {
    let mut words = line.split_whitespace();
    let are_numbers = words.all(|word| word.bytes().all(|byte| byte.is_ascii_digit()));
    are_numbers && (2..=4).contains(&line.split_whitespace().count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_and_names_show_formats() {
        for (name, first, expected) in [
            ("a.csv", "a,b\n", Format::Edges),
            ("a", "", Format::Edges),
            (
                "a.mtx",
                "%%MatrixMarket matrix coordinate",
                Format::MatrixMarket,
            ),
            ("-", "\u{feff}%%matrixmarket matrix", Format::MatrixMarket),
            ("a.mtx", "1 2\n", Format::Edges),
            ("a", "PAR1...", Format::Parquet),
            ("a.parquet.csv", "x,y\n", Format::Edges),
            ("a.feather", "ARROW1\0\0", Format::Arrow),
            ("a.npz", "PK\u{3}\u{4}", Format::Npz),
            (
                "a.xml",
                "<?xml version='1.0'?>\n<graphml xmlns=",
                Format::GraphMl,
            ),
            ("a.xml", "<?xml?>\n<!-- x -->\n<gexf version", Format::Gexf),
            ("a.net", "% comment\n\n*Vertices 5\n", Format::Pajek),
            ("a", "*network x\n", Format::Pajek),
            ("a.net", "1 2\n", Format::Edges),
            ("a.metis", "% x\n3 2\n", Format::Metis),
            ("a.METIS.gz", "3 2\n", Format::Metis),
            ("a.graph", "% x\n3 2 1\n", Format::Metis),
            ("a.graph", "3 2 x\n", Format::Edges),
            ("a.adjlist.xz", "a b c\n", Format::Adjacency),
            ("graph.csv", "graph,node\n[,x\n", Format::Edges),
        ] {
            let found = Format::of(name.as_ref(), first.as_bytes());
            assert_eq!(found, Ok(expected), "{name} {first}");
        }
        let stream = [0xff, 0xff, 0xff, 0xff, 0x10, 0];
        assert_eq!(Format::of("-".as_ref(), &stream), Ok(Format::Arrow));
    }

    #[test]
    fn pages_are_ingested() {
        for first in ["WARC/1.0\r\n", "<!DOCTYPE HTML>\n", " <html lang=en>"] {
            let problem = Format::of("a.tsv".as_ref(), first.as_bytes()).unwrap_err();
            assert!(problem.contains("'rank ingest'"), "{problem}");
        }
        assert_eq!(Format::of("a".as_ref(), b"WARCraft x\n"), Ok(Format::Edges));
    }

    #[test]
    fn gml_is_converted() {
        for first in ["graph [\n  node [\n", "Creator \"x\"\ngraph\n[\nnode\n["] {
            let problem = Format::of("a.gml".as_ref(), first.as_bytes()).unwrap_err();
            assert!(problem.contains("networkx.read_gml"), "{problem}");
        }
    }
}
