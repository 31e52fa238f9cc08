//! The rows of a table that is verified, in the order of the nodes or arcs that they are about.

use std::path::Path;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::progress::Progress;
use webrank_base::shown::quoted;
use webrank_graph::Graph;
use webrank_scores::of_arcs::scores_of_arcs;
use webrank_scores::of_nodes::read_for;
use webrank_tables::read::ScoreFile;
use webrank_tables::text::keys::NodeKeys;

/// A table.
pub struct VerifiedRows {
    /// The headers and entries of its columns of scores.
    pub columns: Vec<(String, Vec<f64>)>,
    /// The number of rows.
    pub count: usize,
    /// The row of each node or arc; none has the largest number.
    rows: Vec<usize>,
    /// Why the table is refused, if all scores are needed: some node has no row.
    pub lacks: Option<String>,
}

impl VerifiedRows {
    /// A table of nodes.
    ///
    /// # Errors
    /// If it cannot be read, or if a row is about no node, or two about the same.
    pub fn of_nodes(path: &Path, graph: &Graph) -> Result<Self> {
        let table = read_for(path, graph)?;
        let rows = rows_of_nodes(path, &table, graph)?;
        let mut missing = (0..rows.len()).filter(|&node| rows[node] == usize::MAX);
        let lacks = missing.next().map(|first| {
            format!(
                "has no row for {} of the {} nodes, the first is {}; all scores are needed",
                1 + missing.count(),
                rows.len(),
                quoted(&graph.name(first as Node))
            )
        });
        Ok(VerifiedRows {
            count: table.keys.len(),
            columns: table.columns,
            rows,
            lacks,
        })
    }

    /// A table of arcs.
    ///
    /// # Errors
    /// As for [`scores_of_arcs`].
    pub fn of_arcs(path: &Path, graph: &Graph, progress: &dyn Progress) -> Result<Self> {
        let rows = graph.successors(progress)?;
        let scores = scores_of_arcs(path, graph, &rows)?;
        Ok(VerifiedRows {
            count: scores.len(),
            rows: (0..scores.len()).collect(),
            columns: vec![("score".to_owned(), scores)],
            lacks: None,
        })
    }

    /// The score of each node or arc, NaN for one without a row.
    pub fn scores(&self, entries: &[f64]) -> Vec<f64> {
        let entry = |&row: &usize| entries.get(row).copied().unwrap_or(f64::NAN);
        self.rows.iter().map(entry).collect()
    }
}

/// The row of each node.
fn rows_of_nodes(path: &Path, table: &ScoreFile, graph: &Graph) -> Result<Vec<usize>> {
    let mut keys = NodeKeys::new(graph.num_nodes(), graph.names());
    if table.key_column == "node" {
        keys = keys.in_column_node();
    }
    let mut rows = vec![usize::MAX; graph.num_nodes()];
    for (row, key) in table.keys.iter().enumerate() {
        let Some(node) = keys.find(key) else {
            let problem = format!("{}: {}", quoted(key), keys.why_unknown(key));
            return Err(Error::file(path, problem));
        };
        if rows[node as usize] != usize::MAX {
            let problem = format!("{}: another row is about the same node", quoted(key));
            return Err(Error::file(path, problem));
        }
        rows[node as usize] = row;
    }
    Ok(rows)
}
