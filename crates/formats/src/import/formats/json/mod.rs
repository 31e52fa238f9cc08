//! Graphs in JSON, in the shapes of several programs.
//!
//! * node-link: `nodes`, and `links` or `edges`, of networkx, d3, vis.js and graphology (sigma);
//! * networkx's `adjacency_data`: `nodes` and `adjacency`;
//! * Cytoscape: `elements`, with `nodes` and `edges` or as one list, whose elements have `data`;
//! * the JSON Graph Format: `graph` with `nodes` and `edges`;
//! * networkx's `to_dict_of_lists`: an object of lists of ids, by the id of their node;
//! * rows: an array, or a line for each, of objects with source and target, or of pairs.
//!
//! Graphs are held in memory, without what is no part of them; rows are read one by one. `weight`, or
//! else `value`, is the weight of an edge. Ids are names; where all ids are made up, such as `17` or
//! `n3`, names are labels, if each node has one (`label` or `name`) and all are different. How the
//! ends of links name nodes is decided in [`ends`].

mod element;
mod ends;
mod graph;
mod lists;
mod pull;
mod rows;
#[cfg(test)]
mod tests;

use super::super::Input;
use super::super::columns::ColumnChoice;
use super::super::recognise::{First, Verdict};
use super::held::Text;
use std::io::{Cursor, Read};
use std::path::Path;
use webrank_base::error::{Error, Result};

use graph::Graph;
use pull::{Json, Part};

/// True for CX, which Cytoscape and NDEx exchange: an array of aspects, one of which says its version.
pub(in crate::import) fn is_cx(first: &First) -> bool {
    let mut keys = ["\"CXVersion\"", "\"numberVerification\""].iter();
    first.starts_with("[") && keys.any(|key| first.text.contains(key))
}

/// A file named `.json`, `.jsonl` or `.ndjson`, or one that starts like an object, or like an array of objects or arrays, or of two or three values.
pub(in crate::import) fn recognise(first: &First) -> Verdict {
    if let Some(extension @ ("json" | "jsonl" | "ndjson")) = first.extension()
        && !is_cx(first)
    {
        return Verdict::Is(format!("named .{extension}").into());
    }
    if !first.starts_with("{") && !first.starts_with("[") || is_cx(first) {
        return Verdict::No;
    }
    let bytes = first.text.as_bytes().to_vec();
    let shape = Text::new("-".as_ref(), Box::new(Cursor::new(bytes)));
    match shape.and_then(|text| shape_of(Json::new(text))) {
        Ok(Some(shape)) => Verdict::Is(format!("starts as JSON, with {shape}").into()),
        Ok(None) => Verdict::No,
        // The first bytes may end within a key.
        Err(_) if !first.is_whole && first.starts_with("{\"") => {
            Verdict::Is("starts as JSON, with an object".into())
        }
        Err(_) => Verdict::No,
    }
}

fn shape_of(mut json: Json) -> Result<Option<&'static str>> {
    let shape = match (json.next()?, json.next()?) {
        (Part::OpenObject, Part::Key) => {
            json.next()?;
            "an object"
        }
        (Part::OpenObject, Part::CloseObject) => "an object",
        (Part::OpenArray, Part::OpenObject) => "an array of objects",
        (Part::OpenArray, Part::OpenArray) => "an array of arrays",
        (Part::OpenArray, Part::CloseArray) => "an array",
        (Part::OpenArray, Part::Text | Part::Number) => {
            let mut values = 1;
            loop {
                match json.next()? {
                    Part::Text | Part::Number => values += 1,
                    Part::CloseArray if (2..=3).contains(&values) => break "rows of values",
                    _ => return Ok(None),
                }
            }
        }
        _ => return Ok(None),
    };
    Ok(Some(shape))
}

/// Reads a graph, or the first row.
///
/// # Errors
/// If the file cannot be read, or holds neither.
pub(in crate::import) fn open(
    path: &Path,
    input: Box<dyn Read + Send>,
    ids: bool,
    choice: &ColumnChoice,
) -> Result<Input> {
    let mut json = Json::new(Text::new(path, input)?);
    match json.next()? {
        Part::OpenObject => {
            let line = json.line();
            let mut graph = Graph::new(json);
            graph.object(true)?;
            if graph.has_lists() {
                graph.take_lists()?;
            }
            if graph.is_there() {
                if let Some(columns) = &choice.columns {
                    let remedy = "the file is a graph with nodes and edges, which has no columns: leave \
                                  it out";
                    return Err(Error::argument("columns", columns.join(","), remedy));
                }
                return graph.into_input(ids, choice.unweighted);
            }
            let (json, first) = graph.into_row(line);
            rows::open(json, first, false, choice)
        }
        Part::OpenArray => match json.next()? {
            Part::CloseArray => Err(json.wrong("an empty array, which is no graph")),
            part @ (Part::OpenObject | Part::OpenArray) => {
                let (first, element) = rows::first(&mut json, part)?;
                match element {
                    None => rows::open(json, first, true, choice),
                    Some(element) => {
                        let mut graph = Graph::new(json);
                        graph.elements(element)?;
                        graph.into_input(ids, choice.unweighted)
                    }
                }
            }
            part => {
                // A line is an array of values.
                let first = rows::values(&mut json, part)?;
                rows::open(json, first, false, choice)
            }
        },
        Part::End => Err(json.wrong("the file is empty")),
        _ => Err(json.wrong("a single value, which is no graph")),
    }
}
