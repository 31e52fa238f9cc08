//! Graphs in WebGraph's format: bundles and BVGraphs, named by their basename or one of their files.
//!
//! The names and weights of a bundle are kept. A graph without weights is decoded row by row from its
//! file; one with weights is held in memory.

use super::super::receiver::{Problem, Receiver};
use super::super::{Format, ImportOptions, Input};
use super::check_distinct;
use std::path::Path;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::progress::Silent;
use webrank_graph::bundle::GRAPH;
use webrank_graph::{Graph, Rows, StoredGraph};

/// True if a folder is a bundle.
pub(in crate::import) fn is_bundle(folder: &Path) -> bool {
    folder.join(format!("{GRAPH}.properties")).exists()
}

/// Opens the graph that a path means, if it means one.
///
/// # Errors
/// If there is a graph that cannot be read, or if there is none where one is promised.
pub(in crate::import) fn open(path: &Path, options: &ImportOptions) -> Result<Option<Input>> {
    let is_promised = options.from == Some(Format::BvGraph) || path.is_dir();
    if path.as_os_str() == "-" || options.from.is_some() && !is_promised {
        return Ok(None);
    }
    let mut properties = path.as_os_str().to_owned();
    properties.push(".properties");
    let is_promised = is_promised || Path::new(&properties).exists();
    let source = match StoredGraph::open(path) {
        Ok(source) => source,
        Err(problem) if is_promised => return Err(problem),
        Err(_) => return Ok(None),
    };
    let weighted = source.weights().is_some() && !options.unweighted;
    let is_numbered = options.ids || options.names.is_some() || !source.has_names();
    Ok(Some(Input {
        weighted,
        is_directed: true,
        is_numbered,
        read: Box::new(move |to| read(source, weighted, is_numbered, to)),
    }))
}

/// Rows decoded between checks of what becomes of them.
const ROWS: usize = 1 << 12;

fn read(
    source: StoredGraph,
    weighted: bool,
    is_numbered: bool,
    to: &mut dyn Receiver,
) -> Result<()> {
    let path = source.path().to_owned();
    let failed = |problem: Problem, node: usize| {
        problem.at(|problem| Error::file(&path, format!("node {node}: {problem}")))
    };
    let num_nodes = source.properties().nodes;
    let names = if is_numbered { None } else { source.names()? };
    let mut numbers = Vec::new();
    for node in 0..num_nodes {
        let number = match &names {
            Some(names) => to.key(names.get(node as Node)),
            None => to.number(node as u64),
        };
        let number = number.map_err(|problem| failed(problem, node))?;
        if names.is_some() {
            webrank_base::memory::reserve(&mut numbers, 1, "nodes")?;
            numbers.push(number);
        }
    }
    if let Err(problem) = check_distinct(&numbers) {
        return Err(problem.at(|problem| Error::file(&path, problem)));
    }
    let number = |node: Node| match names {
        Some(_) => numbers[node as usize],
        None => node,
    };
    if weighted {
        let graph = Graph::from_source(source)?;
        let Some((rows, weights)) = graph.weighted_successors(&Silent)? else {
            return Ok(());
        };
        let mut weights = weights.into_iter();
        for node in 0..num_nodes as Node {
            for &target in rows.row(node) {
                let weight = weights.next().unwrap_or(1.0);
                to.arc(number(node), number(target), weight)
                    .map_err(|problem| failed(problem, node as usize))?;
            }
        }
        return Ok(());
    }
    let rows = source.streamed()?;
    for start in (0..num_nodes).step_by(ROWS) {
        let mut given = Ok(());
        let end = (start + ROWS).min(num_nodes);
        rows.for_rows(start..end, &mut |node, row| {
            let source = number(node);
            let mut row = row.iter();
            if given.is_ok() {
                let given_row = row.try_for_each(|&target| to.arc(source, number(target), 1.0));
                given = given_row.map_err(|problem| failed(problem, node as usize));
            }
        })?;
        given?;
    }
    Ok(())
}
