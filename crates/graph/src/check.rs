//! Reads all files of a graph and reports what was verified.

use super::arc_weights::read_weights;
use super::bvgraph::load;
use super::bvgraph::meter::Meter;
use super::bvgraph::properties::Properties;
use super::{Compressed, StoredGraph};
use crate::Size;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_base::shown::quoted;
use webrank_base::units::{counted, counted_as};
use webrank_tables::text::checksums::Checksums;
use webrank_tables::text::names::Names;

/// The bytes that [`check`] holds at most: rows, those of the transpose, and the transpose of the rows with
/// a count of each thread; or rows, weights as they are read, and names in order.
pub fn needs(source: &StoredGraph, names: Option<&Names>) -> u64 {
    let size = Size::on_disk(source, names);
    let with_names = if names.is_some() { 16 } else { 0 };
    let one = size.while_decoding();
    let one = one.max(size.once_decoded(12 + with_names, 4));
    let weighted = match source.weights() {
        Some(_) => size.once_decoded(12, 24),
        None => 0,
    };
    let both = match source.has_transpose() {
        true => {
            let counts = 4 * (rayon::current_num_threads() as u64).min(8);
            let decoded = size.while_decoding().saturating_add(8 * size.nodes);
            let decoded = decoded.saturating_add(4 * size.arcs);
            let more = size.of_long_row(8);
            decoded.max(
                size.once_decoded(28 + counts + with_names, 12)
                    .saturating_add(more),
            )
        }
        false => 0,
    };
    one.max(weighted).max(both)
}

/// Verifies a graph from end to end, with its names if it has any; returns a sentence for each thing
/// verified. O(n + m), both directions in memory.
///
/// # Errors
/// The first thing that is wrong.
pub fn check(
    source: &StoredGraph,
    names: Option<&Names>,
    progress: &dyn Progress,
) -> Result<Vec<String>> {
    let mut verified = Vec::new();
    if source.lacks_manifest() {
        let problem = "the bundle has no manifest.json, so its files cannot be verified: make it \
                       again or copy it again";
        return Err(Error::file(source.path(), problem));
    }
    if let Some(manifest) = source.manifest() {
        verified.push(format!(
            "{} xxh3-128 checksums in the manifest",
            counted_as(
                manifest.files.len(),
                "file matches its",
                "files match their"
            )
        ));
    }
    let compressed = source.compressed()?;
    let graph = load::decode(&compressed, progress)?;
    verified.push(format!(
        "{} and {}, as declared; every list is within bounds and strictly increasing",
        counted(graph.num_nodes(), "node"),
        counted(graph.num_arcs(), "arc")
    ));
    verified.push(format!(
        "every list starts where the offsets say, and the file ends after {} bits",
        compressed.num_bits()
    ));
    if let Some(sentence) = compare_statistics(&compressed, source.properties())? {
        verified.push(sentence);
    }
    drop(compressed);
    source.check_arcs_of(&graph)?;
    if let Some(path) = source.weights() {
        let weights = read_weights(path, &graph, names, &Checksums::default())?.len();
        let weights = counted(weights, "weight");
        verified.push(format!("{weights} of arcs, all positive and finite"));
    }
    if let Some(fingerprints) = source.fingerprints()? {
        let given = fingerprints.iter().filter(|&&word| word != 0).count();
        verified.push(format!("{} of nodes", counted(given, "fingerprint")));
    }
    if let Some(pages) = source.pages()? {
        let mut count = 0u64;
        for page in pages {
            page?;
            count += 1;
        }
        verified.push(format!("{} with text, each once", counted(count, "node")));
    }
    if let Some(compressed) = source.compressed_transpose()? {
        let transpose = load::decode(&compressed, progress)?;
        compare_statistics(&compressed, compressed.properties())?;
        let path = compressed.path().to_owned();
        drop(compressed);
        if transpose != graph.transpose()? {
            return Err(Error::file(
                path,
                "these are not the reversed arcs of the graph; remove the transpose and it will \
                 be computed",
            ));
        }
        verified.push("the transpose holds exactly the reversed arcs".into());
    }
    if let Some(names) = names {
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
            "{}, all different{}",
            counted(names.len(), "name"),
            if in_order { ", in order" } else { "" }
        ));
        if let Some(index) = source.name_index()? {
            index.verify(names)?;
            verified.push("the index of names leads to each of them, by node and by name".into());
        }
    }
    Ok(verified)
}

/// Bits that a task decodes at a time.
const BLOCK_BITS: u64 = 1 << 19;

/// Compares the bits and arcs of each component of the lists with what the properties state, as
/// Java does.
fn compare_statistics(graph: &Compressed, properties: &Properties) -> Result<Option<String>> {
    if properties.stated.is_empty() {
        return Ok(None);
    }
    let meters = tasks::try_map(graph.blocks(BLOCK_BITS), |block| {
        graph.listen(Meter::default(), block, |_, _| Ok(()))
    })?;
    let meter = meters.into_iter().fold(Meter::default(), Meter::plus);
    match meter.compare(&properties.stated) {
        Ok(()) => Ok(Some(format!(
            "{} statistics of the properties are those of the lists",
            properties.stated.len()
        ))),
        Err((property, stated, counted)) => Err(Error::file(
            graph.path(),
            format!(
                "the properties state {property}={stated}, but the lists have {counted}; the file \
                 is damaged or does not belong to its .properties: copy it again from its source"
            ),
        )),
    }
}
