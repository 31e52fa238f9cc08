//! GEXF, as Gephi, networkx and others write it.
//!
//! Nodes are called by their ids, or by their labels ([`super::ids`]). If any edge has the attribute
//! `weight`, or a value of an attribute that the file declares for edges under the title `weight`,
//! arcs have weights. Others have the declared default, or weigh 1: to know it, the file is read
//! twice. Edges are
//! directed as `defaultedgetype` says (undirected if it does not), or their own `type`; `mutual` ones
//! are arcs in both directions. Nodes within nodes are refused; other attributes and times are skipped.

use super::super::super::Input;
use super::super::super::receiver::{Problem, Receiver, settle};
use super::super::weight;
use super::{Element, Ids, Part, Xml};
use std::path::Path;
use webrank_base::error::{Error, Result};
use webrank_base::shown::quoted;
use webrank_tables::text::input;

/// Reads whether there are weights.
///
/// # Errors
/// If the file cannot be read, or if it is standard input.
pub(in crate::import) fn open(path: &Path, unweighted: bool) -> Result<Input> {
    if path.as_os_str() == "-" {
        let problem = "GEXF is read twice, to know whether edges have weights: give a file";
        return Err(Error::file("standard input", problem));
    }
    let weights = Weights::of(Xml::new(path, input::open(path)?))?;
    let path = path.to_owned();
    Ok(Input {
        weighted: !unweighted && weights.are_there,
        is_directed: true,
        is_numbered: false,
        read: Box::new(move |to| read(Xml::new(&path, input::open(&path)?), &weights, to)),
    })
}

/// Where the weights of edges are.
#[derive(Default)]
struct Weights {
    are_there: bool,
    /// The id of the attribute that holds them.
    id: Option<String>,
    /// The weight of edges that say none.
    default: Option<String>,
}

impl Weights {
    fn of(mut xml: Xml) -> Result<Self> {
        let mut weights = Weights::default();
        // Ids of the attributes of nodes are others.
        let (mut are_for_edges, mut is_edge) = (false, false);
        loop {
            let element = match xml.next()? {
                Part::Start(element) => element,
                Part::EndOfFile => return Ok(weights),
                Part::End | Part::Text(_) => continue,
            };
            match element.name.as_str() {
                "attributes" => are_for_edges = element.attribute("class") == Some("edge"),
                "attribute" if are_for_edges && is_weight(&element) => {
                    weights.id = element.attribute("id").map(str::to_owned);
                    weights.default = default_of(&mut xml)?;
                    weights.are_there |= weights.default.is_some();
                }
                "node" => is_edge = false,
                "edge" => {
                    is_edge = true;
                    weights.are_there |= element.attribute("weight").is_some();
                }
                "attvalue" if is_edge => {
                    weights.are_there |= weights.value(&element).is_some();
                }
                _ => {}
            }
        }
    }

    /// The weight in a value of an edge.
    fn value<'a>(&self, value: &'a Element) -> Option<&'a str> {
        let id = value.attribute("for").or(value.attribute("id"));
        let is_weight = id.is_some() && id == self.id.as_deref();
        value.attribute("value").filter(|_| is_weight)
    }
}

fn is_weight(attribute: &Element) -> bool {
    let title = attribute.attribute("title");
    title.is_some_and(|title| title.eq_ignore_ascii_case("weight"))
}

/// The default of an attribute, if it has one.
fn default_of(xml: &mut Xml) -> Result<Option<String>> {
    let outside = xml.depth - 1;
    let (mut default, mut is_inside) = (None, false);
    while xml.depth > outside {
        match xml.next()? {
            Part::Start(element) => is_inside = element.name == "default",
            Part::Text(text) if is_inside => {
                default.get_or_insert_with(String::new).push_str(&text);
            }
            Part::Text(_) => {}
            Part::End => is_inside = false,
            Part::EndOfFile => break,
        }
    }
    Ok(default)
}

fn read(mut xml: Xml, weights: &Weights, to: &mut dyn Receiver) -> Result<()> {
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
        let mut is_edge = false;
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
            "edge" => {
                is_edge = true;
                Ok(())
            }
            _ => {
                xml.skip()?;
                continue;
            }
        };
        settle(taken, to, |problem| xml.wrong(problem))?;
        let outside = xml.depth - 1;
        let mut weight = element.attribute("weight").map(str::to_owned);
        while xml.depth > outside {
            match xml.next()? {
                Part::Start(inner) if inner.name == "nodes" => {
                    return Err(xml.wrong("nodes within a node; save the graph without hierarchy"));
                }
                Part::Start(inner) if is_edge && inner.name == "attvalue" => {
                    weight = weight.or(weights.value(&inner).map(str::to_owned));
                }
                Part::EndOfFile => break,
                _ => {}
            }
        }
        if is_edge {
            let weight = weight.as_deref().or(weights.default.as_deref());
            let taken = edge(&element, weight, default.as_deref(), &ids, to);
            settle(taken, to, |problem| xml.wrong(problem))?;
        }
    }
}

fn edge(
    edge: &Element,
    of_edge: Option<&str>,
    default: Option<&str>,
    ids: &Ids,
    to: &mut dyn Receiver,
) -> Result<(), Problem> {
    let weight = of_edge.map_or(Ok(1.0), weight)?;
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
