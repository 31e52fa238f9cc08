//! GEXF, as Gephi, networkx and others write it.
//!
//! Nodes are called by their ids, or by their labels ([`super::ids`]). If any edge has the attribute
//! `weight`, arcs have weights, and others weigh 1: to know it, the file is read twice. Edges are
//! directed as `defaultedgetype` says (undirected if it does not), or their own `type`; `mutual` ones
//! are arcs in both directions. Nodes within nodes are refused; attributes and times are skipped.

use super::super::super::Input;
use super::super::super::receiver::{Problem, Receiver, settle};
use super::super::weight;
use super::{Element, Ids, Part, Xml};
use crate::error::{Error, Result};
use crate::graph::text::input;
use crate::graph::text::shown::quoted;
use std::path::Path;

/// Reads whether there are weights.
///
/// # Errors
/// If the file cannot be read, or if it is standard input.
pub(in crate::graph::import) fn open(path: &Path, unweighted: bool) -> Result<Input> {
    if path.as_os_str() == "-" {
        let problem = "GEXF is read twice, to know whether edges have weights: give a file";
        return Err(Error::file("standard input", problem));
    }
    let weighted = !unweighted && has_weights(Xml::new(path, input::open(path)?))?;
    let path = path.to_owned();
    Ok(Input {
        weighted,
        is_directed: true,
        is_numbered: false,
        read: Box::new(move |to| read(Xml::new(&path, input::open(&path)?), to)),
    })
}

fn has_weights(mut xml: Xml) -> Result<bool> {
    loop {
        match xml.next()? {
            Part::Start(it) if it.name == "edge" && it.attribute("weight").is_some() => {
                return Ok(true);
            }
            Part::EndOfFile => return Ok(false),
            _ => {}
        }
    }
}

fn read(mut xml: Xml, to: &mut dyn Receiver) -> Result<()> {
    let mut ids = Ids::default();
    let mut default = None;
    loop {
        let element = match xml.next()? {
            Part::Start(element) => element,
            Part::End | Part::Text(_) => continue,
            Part::EndOfFile if default.is_none() => {
                return Err(xml.wrong("the file ends before a graph"));
            }
            Part::EndOfFile => return Ok(()),
        };
        let taken = match element.name.as_str() {
            "gexf" | "nodes" | "edges" => continue,
            "graph" if default.is_some() => {
                return Err(xml.wrong("a second graph; save it in a file of its own"));
            }
            "graph" => {
                let kind = element.attribute("defaultedgetype").unwrap_or("undirected");
                default = Some(kind.to_owned());
                continue;
            }
            "node" => {
                let id = element.required("id").map_err(Problem::Record);
                id.and_then(|id| ids.declare(id, element.attribute("label"), to))
            }
            "edge" => edge(&element, default.as_deref(), &ids, to),
            _ => {
                xml.skip()?;
                continue;
            }
        };
        settle(taken, to, |problem| xml.wrong(problem))?;
        let outside = xml.depth - 1;
        while xml.depth > outside {
            match xml.next()? {
                Part::Start(inner) if inner.name == "nodes" => {
                    return Err(xml.wrong("nodes within a node; save the graph without hierarchy"));
                }
                Part::EndOfFile => break,
                _ => {}
            }
        }
    }
}

fn edge(
    edge: &Element,
    default: Option<&str>,
    ids: &Ids,
    to: &mut dyn Receiver,
) -> Result<(), Problem> {
    let weight = edge.attribute("weight").map_or(Ok(1.0), weight)?;
    let source = ids.find(edge.required("source")?, to)?;
    let target = ids.find(edge.required("target")?, to)?;
    match edge.attribute("type").or(default) {
        Some("directed") => to.arc(source, target, weight),
        Some("undirected" | "mutual") | None => to.edge(source, target, weight),
        Some(kind) => {
            let kind = quoted(kind);
            Err(format!("the type {kind} of edges is none of directed, undirected, mutual").into())
        }
    }
}
