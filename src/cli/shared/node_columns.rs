//! The columns of tables, for the nodes of a graph that is exported.

use crate::cli::join::{key, prefixes};
use std::path::{Path, PathBuf};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::filled;
use webrank_base::shown::quoted;
use webrank_base::units::counted_as;
use webrank_base::visible::visible;
use webrank_graph::Graph;
use webrank_scores::manifest::ManifestState;
use webrank_tables::join::{self, JoinedTable, Joint};
use webrank_tables::read::{OpenTable, TableSize, open_table};
use webrank_tables::table::{Cells, NamedColumn};
use webrank_tables::text::keys::NodeKeys;
use webrank_terminal::options::Global;

/// Tables whose columns become attributes of the nodes.
#[derive(clap::Args)]
pub struct ScoresArgs {
    /// A table whose columns become attributes of the nodes: scores, ranks and any others, of a table
    /// that 'rank' wrote or any with a column 'name' or 'node'; again for each table. Columns that
    /// several tables have get a prefix, as in 'rank join'. Beside a list of arcs (.csv, .tsv), they
    /// go to a table of nodes of its own: edges.csv and edges.nodes.csv
    #[arg(long, value_name = "TABLE")]
    pub scores: Vec<PathBuf>,
}

/// Joined tables, and which of their rows are about which nodes.
pub struct NodeColumns {
    joint: Joint,
    key: String,
    /// For each node, its row; [`NONE`] if it has none.
    rows: Vec<u32>,
}

const NONE: u32 = u32::MAX;

/// Columns that say which node a row is about.
const IDENTITIES: [&str; 2] = ["node", "name"];

/// The bytes that tables and their columns take.
///
/// # Errors
/// If a table cannot be read.
pub fn needs(files: &[PathBuf], graph: &Graph) -> Result<u64> {
    if files.is_empty() {
        return Ok(0);
    }
    let sizes = files.iter().map(|path| TableSize::of(path, None));
    let sizes = sizes.collect::<Result<Option<Vec<_>>>>()?;
    let tables = join::needs(&sizes.unwrap_or_default()).saturating_sub(join::needs(&[]));
    Ok(tables.saturating_add(4 * graph.num_nodes() as u64))
}

/// True for a table of the nodes with other columns, false for a list of them.
pub fn is_table(path: &Path) -> bool {
    let has_others = |table: OpenTable| {
        let names = table.header();
        names.len() > 1
            && IDENTITIES
                .iter()
                .any(|key| names.iter().any(|it| it == key))
    };
    path.is_file() && open_table(path).is_ok_and(has_others)
}

impl NodeColumns {
    /// Reads tables; no rows if there are none. O(n log n).
    ///
    /// # Errors
    /// If a table cannot be read or has no column of keys; if no row is about a node, or two rows are
    /// about one.
    pub fn read(files: &[PathBuf], graph: &Graph, global: &Global) -> Result<Self> {
        let opened = files.iter().map(|path| open_table(path));
        let opened = opened.collect::<Result<Vec<_>>>()?;
        let first = match &opened[..] {
            [table]
                if !table
                    .header()
                    .iter()
                    .any(|it| IDENTITIES.contains(&it.as_str())) =>
            {
                table.header().first().map(String::as_str)
            }
            _ => None,
        };
        let key = key(first, files, &opened, "rename the column of keys")?;
        let tables = opened.into_iter().map(|table| table.read(&key));
        let tables = tables.collect::<Result<Vec<_>>>()?;
        let manifests = files.iter().map(|path| ManifestState::beside(path));
        let prefixes = prefixes(files, &manifests.collect::<Result<Vec<_>>>()?);
        let parts = prefixes.into_iter().zip(tables);
        let parts = parts.map(|(prefix, table)| JoinedTable { prefix, table });
        let joint = Joint::new(&key, parts.collect(), false)?;
        let mut columns = NodeColumns {
            rows: filled(NONE, graph.num_nodes(), "nodes")?,
            joint,
            key,
        };
        if let Some(note) = columns.find_rows(files, graph)? {
            global.summary(&format!("rank: {}\n", visible(&note)));
        }
        Ok(columns)
    }

    /// Finds the rows of the nodes; says what the tables have and the graph has not.
    fn find_rows(&mut self, files: &[PathBuf], graph: &Graph) -> Result<Option<String>> {
        let mut keys = NodeKeys::new(graph.num_nodes(), graph.names());
        if self.key == "node" {
            keys = keys.in_column_node();
        }
        let wrong =
            |problem: String| Err(Error::file(files.first().expect("there is one"), problem));
        let (mut unknown, mut first) = (0usize, None);
        for (row, key) in (0u32..).zip(self.joint.keys().iter()) {
            match keys.find(key) {
                None => {
                    unknown += 1;
                    first.get_or_insert(key);
                }
                Some(node) if self.rows[node as usize] != NONE => {
                    return wrong(format!("{} and another key mean one node", quoted(key)));
                }
                Some(node) => self.rows[node as usize] = row,
            }
        }
        let Some(first) = first else { return Ok(None) };
        let is_by_number = self.key == "node";
        if is_by_number || unknown == self.joint.keys().len() {
            return wrong(format!("{}: {}", quoted(first), keys.why_unknown(first)));
        }
        let (first, nodes) = (quoted(first), graph.num_nodes());
        let rows = counted_as(unknown, "row of the tables is", "rows of the tables are");
        Ok(Some(format!(
            "{rows} about none of the {nodes} nodes, the first is {first}"
        )))
    }

    /// These columns for some nodes, in their order.
    pub fn of(mut self, nodes: &[Node]) -> Self {
        self.rows = nodes.iter().map(|&node| self.rows[node as usize]).collect();
        self
    }

    /// Says which cells are no attributes of nodes.
    pub fn tell_left_out(&self, global: &Global) {
        let is_lost = |field: &NamedColumn, row: usize| match &field.cells {
            Cells::Numbers(number) => field.is_present(row) && !number(row).is_finite(),
            _ => false,
        };
        let (mut count, mut first) = (0usize, None);
        for field in self.fields() {
            let lost = (0..self.rows.len())
                .filter(|&row| is_lost(&field, row))
                .count();
            if lost > 0 {
                first.get_or_insert(field.name);
            }
            count += lost;
        }
        if let Some(column) = first {
            let column = quoted(&column);
            let cells = counted_as(
                count,
                "cell that is NaN or infinite is",
                "cells that are NaN or infinite are",
            );
            global.summary(&format!(
                "rank: {cells} left out, the first in column {column}\n"
            ));
        }
    }

    /// The columns but those that say which node a row is about; a row for each node.
    pub fn fields(&self) -> Vec<NamedColumn<'_>> {
        let is_key = |name: &str| name == self.key || IDENTITIES.contains(&name);
        let fields = self.joint.columns().fields.into_iter();
        let others = fields.filter(|field| !is_key(&field.name));
        others.map(|field| field.of_rows(&self.rows)).collect()
    }
}
