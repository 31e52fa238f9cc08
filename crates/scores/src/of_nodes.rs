//! Tables of the nodes of a graph.

use crate::parts::checksum_of;
use std::path::Path;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::filled;
use webrank_base::shown::quoted;
use webrank_graph::Graph;
use webrank_tables::read::{ScoreFile, read_scores};
use webrank_tables::text::keys::NodeKeys;

/// Reads a table for a graph: by node numbers, if the graph does not know the names.
///
/// # Errors
/// As for [`read_scores`].
pub fn read_for(path: &Path, graph: &Graph) -> Result<ScoreFile> {
    let table = read_scores(path, None)?;
    if table.key_column == "name" && graph.names().is_none() {
        let by_node = read_scores(path, Some("node"));
        return by_node.map_err(|_| {
            let problem = "has names of nodes, but the graph has none, only numbers: give it the same \
                           names (--names), or a table with a column 'node'";
            Error::file(path, problem)
        });
    }
    Ok(table)
}

/// The first column of scores in a table, by node, and how many nodes have a row. The others get 0;
/// rows about other nodes are left out. The graph notes the checksum of the file.
///
/// # Errors
/// As for [`read_scores`]; if two rows are about the same node.
pub fn scores_of_nodes(path: &Path, graph: &Graph) -> Result<(Vec<f64>, usize)> {
    let table = read_for(path, graph)?;
    graph.note(path, checksum_of(path)?);
    let mut keys = NodeKeys::new(graph.num_nodes(), graph.names());
    if table.key_column == "node" {
        keys = keys.in_column_node();
    }
    let mut scores = filled(f64::NAN, graph.num_nodes(), "the scores of a table")?;
    let (_, column) = &table.columns[0];
    let mut known = 0;
    for (key, &score) in table.keys.iter().zip(column) {
        let Some(node) = keys.find(key) else { continue };
        let before: &mut f64 = &mut scores[node as usize];
        if !before.is_nan() {
            let name = graph.name(node as Node);
            let problem = format!("{}: another row is about the same node", quoted(&name));
            return Err(Error::file(path, problem));
        }
        *before = score;
        known += 1;
    }
    let unknown = scores.iter_mut().filter(|score| score.is_nan());
    unknown.for_each(|score| *score = 0.0);
    Ok((scores, known))
}
