//! Reads all files of a graph and reports what was verified.

use super::Source;
use super::bvgraph::load;
use super::text::shown::quoted;
use crate::error::{Error, Result};
use crate::progress::Progress;

/// Verifies a graph from end to end; returns a sentence for each thing verified. O(n + m), both
/// directions in memory.
///
/// # Errors
/// The first thing that is wrong.
pub fn check(source: &Source, progress: &dyn Progress) -> Result<Vec<String>> {
    let mut verified = Vec::new();
    if let Some(manifest) = source.manifest() {
        verified.push(format!(
            "{} files match their xxh3-128 checksums in the manifest",
            manifest.files.len()
        ));
    }
    let compressed = source.compressed()?;
    let graph = load::decode(&compressed, progress)?;
    verified.push(format!(
        "{} nodes and {} arcs, as declared; every list is within bounds and strictly increasing",
        graph.num_nodes(),
        graph.num_arcs()
    ));
    verified.push(format!(
        "every list starts where the offsets say, and the file ends after {} bits",
        compressed.num_bits()
    ));
    drop(compressed);
    if let Some(compressed) = source.compressed_transpose()? {
        let transpose = load::decode(&compressed, progress)?;
        if transpose != graph.transpose()? {
            return Err(Error::file(
                compressed.path(),
                "these are not the reversed arcs of the graph; remove the transpose and it will \
                 be computed",
            ));
        }
        verified.push("the transpose holds exactly the reversed arcs".into());
    }
    if let Some(names) = source.names()? {
        let mut sorted: Vec<&str> = (0..names.len())
            .map(|node| names.get(node as u32))
            .collect();
        let in_order = sorted.is_sorted();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            let problem = format!(
                "two nodes are named {}, so names cannot stand for nodes",
                quoted(twice[0])
            );
            return Err(Error::file(source.path(), problem));
        }
        verified.push(format!(
            "{} names, all different{}",
            names.len(),
            if in_order { ", in order" } else { "" }
        ));
    }
    Ok(verified)
}
