//! A table of arcs: the columns `source` and `target` hold names, or numbers if nodes have no names,
//! and `weight` the weights.

use super::{ARCS_PER_GROUP, Exported, Failure, Written};
use std::io::Write;
use webrank_base::Node;
use webrank_base::memory::filled;
use webrank_tables::table::{Cells, NamedColumn};
use webrank_tables::text::names::integer;
use webrank_tables::write::ParquetWriter;

/// Returns the number of nodes without arcs, which the table does not hold.
pub(super) fn write(graph: &Exported, out: &mut (dyn Write + Send)) -> Result<u64, Failure> {
    let mut has_arcs = filled(false, graph.num_nodes(), "nodes")?;
    let mut group = ArcGroup {
        has_integers: graph
            .names
            .is_some_and(|name| are_integers(graph.num_nodes(), name)),
        ..ArcGroup::default()
    };
    let mut writer = ParquetWriter::new(&group.fields(graph), None, out)?;
    graph.each_arc(|source, target, weight| {
        has_arcs[source as usize] = true;
        has_arcs[target as usize] = true;
        group.sources.push(source);
        group.targets.push(target);
        group.weights.extend(weight);
        if group.sources.len() == ARCS_PER_GROUP {
            group.write(graph, &mut writer)?;
        }
        Ok(())
    })?;
    if !group.sources.is_empty() {
        group.write(graph, &mut writer)?;
    }
    writer.finish()?;
    Ok(has_arcs.iter().filter(|has_arcs| !**has_arcs).count() as u64)
}

/// True if the names of all nodes are integers.
fn are_integers<'n>(num_nodes: usize, name: &dyn Fn(Node) -> &'n str) -> bool {
    (0..num_nodes as Node).all(|node| integer(name(node).as_bytes()).is_some())
}

/// Arcs that are written together.
#[derive(Default)]
pub struct ArcGroup {
    /// Whether all names are integers.
    has_integers: bool,
    sources: Vec<Node>,
    targets: Vec<Node>,
    weights: Vec<f64>,
}

impl ArcGroup {
    fn fields<'s, 'g: 's>(&'s self, graph: &Exported<'g>) -> Vec<NamedColumn<'s>> {
        let name = graph.names;
        let nodes = |nodes: &'s [Node]| match name {
            None => Cells::Counts(Box::new(move |row| nodes[row])),
            Some(name) if self.has_integers => Cells::Long(Box::new(move |row| {
                integer(name(nodes[row]).as_bytes()).unwrap_or_default()
            })),
            Some(name) => Cells::Names(Box::new(move |row| name(nodes[row]))),
        };
        let mut fields = vec![
            NamedColumn::new("source", nodes(&self.sources)),
            NamedColumn::new("target", nodes(&self.targets)),
        ];
        if graph.weights.is_some() {
            let weight = |row: usize| self.weights[row];
            fields.push(NamedColumn::new("weight", Cells::Numbers(Box::new(weight))));
        }
        fields
    }

    fn write(&mut self, graph: &Exported, writer: &mut ParquetWriter) -> Written {
        writer.group(&self.fields(graph), 0..self.sources.len())?;
        self.sources.clear();
        self.targets.clear();
        self.weights.clear();
        Ok(())
    }
}
