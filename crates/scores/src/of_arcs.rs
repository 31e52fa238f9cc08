//! Tables of the arcs of a graph: columns `source`, `target` and `score`.

use std::path::Path;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::{filled, reserve};
use webrank_base::shown::quoted;
use webrank_graph::{Csr, Graph};
use webrank_tables::read::cells::{Cell, Problem};
use webrank_tables::read::whole::open_table;
use webrank_tables::text::keys::NodeKeys;

/// The columns of ends and scores.
const COLUMNS: [&str; 3] = ["source", "target", "score"];

/// The score of every arc in a table, by source and target, in a graph with these rows. Ends are names
/// or numbers of nodes; with columns `source_name` and `target_name`, they are numbers.
///
/// # Errors
/// If the table cannot be read or has no such columns, if a row is about no arc or two are about the
/// same, or if an arc has none.
pub fn scores_of_arcs(path: &Path, graph: &Graph, rows: &Csr) -> Result<Vec<f64>> {
    let mut table = open_table(path)?;
    let find = |name: &str| table.header().iter().position(|header| header == name);
    let columns: Option<Vec<usize>> = COLUMNS.iter().map(|name| find(name)).collect();
    let problem = "is no table of arcs: it needs columns source, target and score";
    let columns = columns.ok_or_else(|| Error::file(path, problem))?;
    let mut keys = NodeKeys::new(graph.num_nodes(), graph.names());
    if find("source_name").is_some() {
        keys = keys.in_column_node();
    }
    // Formats of columns give all sources first.
    let (mut ends, mut scores): ([Vec<Node>; 2], Vec<f64>) = Default::default();
    table.file.each(&columns, &mut |column, _, cell| {
        if let Some(ends) = ends.get_mut(column) {
            reserve(ends, 1, "the arcs of a table")?;
            ends.push(node(&keys, cell)?);
        } else {
            reserve(&mut scores, 1, "the scores of a table")?;
            scores.push(score(cell)?);
        }
        Ok(())
    })?;
    let mut of_arcs = filled(f64::NAN, rows.num_arcs() as usize, "the scores of arcs")?;
    for (row, &score) in scores.iter().enumerate() {
        let (source, target) = (ends[0][row], ends[1][row]);
        let arc = || {
            let [source, target] = [source, target].map(|node| quoted(&graph.name(node)));
            format!("the arc from {source} to {target}")
        };
        let Ok(place) = rows.row(source).binary_search(&target) else {
            let problem = format!("{} is not in the graph", arc());
            return Err(table.file.wrong(row, problem));
        };
        let known = &mut of_arcs[rows.offsets()[source as usize] as usize + place];
        if !known.is_nan() {
            let problem = format!("{}: another row is about it", arc());
            return Err(table.file.wrong(row, problem));
        }
        *known = score;
    }
    let mut missing = (0..of_arcs.len()).filter(|&arc| of_arcs[arc].is_nan());
    let Some(first) = missing.next() else {
        return Ok(of_arcs);
    };
    let problem = format!(
        "has no row for {} of the {} arcs, the first is {}; all scores are needed",
        1 + missing.count(),
        of_arcs.len(),
        quoted(&name_of_arc(graph, rows, first))
    );
    Err(Error::file(path, problem))
}

/// The names of the ends of the arc at this place, by source and target.
pub fn name_of_arc(graph: &Graph, rows: &Csr, arc: usize) -> String {
    let offsets = rows.offsets();
    let source = offsets.partition_point(|&offset| offset <= arc as u64) - 1;
    let (source, target) = (source as Node, rows.targets()[arc]);
    format!("{} -> {}", graph.name(source), graph.name(target))
}

fn node(keys: &NodeKeys, cell: Cell) -> Result<Node, Problem> {
    let key = cell.key();
    let key = key.ok_or_else(|| "an end of an arc is no node".to_owned())?;
    let unknown = || format!("{}: {}", quoted(&key), keys.why_unknown(&key));
    Ok(keys.find(&key).ok_or_else(unknown)?)
}

fn score(cell: Cell) -> Result<f64, Problem> {
    let score = match cell {
        Cell::Text(text) => text.trim().parse().ok(),
        cell => cell.number(),
    };
    let score = score.filter(|score: &f64| score.is_finite());
    Ok(score.ok_or_else(|| "a score is not a finite number".to_owned())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use webrank_base::progress::Silent;

    #[test]
    fn arcs_are_named_by_their_ends() {
        let graph = Graph::from_arcs(4, vec![(0, 1), (0, 3), (2, 0)]).unwrap();
        let rows = graph.successors(&Silent).unwrap();
        let names = [0, 1, 2].map(|arc| name_of_arc(&graph, &rows, arc));
        assert_eq!(names, ["0 -> 1", "0 -> 3", "2 -> 0"]);
    }
}
