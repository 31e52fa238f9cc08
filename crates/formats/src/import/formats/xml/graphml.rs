//! GraphML, as networkx, igraph, Gephi, yEd and others write it.
//!
//! Nodes are called by their ids, or by their labels ([`super::ids`]): data of a key whose `attr.name`
//! is `name` or `label`. Weights are data of a key of edges called `weight` or `value`; an edge without
//! gets the key's default, otherwise 1. Edges are directed as `edgedefault` says, or their own
//! `directed`. Ports are skipped; nested graphs and hyperedges are refused.

use super::super::super::Input;
use super::super::super::receiver::{Problem, Receiver, settle};
use super::super::weight;
use super::{Element, Ids, Part, Xml};
use std::io::Read;
use std::path::Path;
use webrank_base::error::Result;

/// A file, opened up to its first node.
struct GraphMl {
    xml: Xml,
    keys: Keys,
    is_directed: bool,
}

/// The ids of the keys that matter.
#[derive(Default)]
struct Keys {
    label: Option<String>,
    weight: Option<String>,
    /// The weight of edges that say none.
    default: Option<f64>,
}

/// Reads the keys.
///
/// # Errors
/// If the file cannot be read, or holds no graph.
pub(in crate::import) fn open(
    path: &Path,
    input: Box<dyn Read + Send>,
    unweighted: bool,
) -> Result<Input> {
    let mut xml = Xml::new(path, input);
    let mut keys = Keys::default();
    let graph = loop {
        match xml.next()? {
            Part::Start(element) => match element.name.as_str() {
                "graphml" => {}
                "graph" => break element,
                "key" => keys.add(&element, &mut xml)?,
                _ => xml.skip()?,
            },
            Part::End | Part::Text(_) => {}
            Part::EndOfFile => return Err(xml.wrong("the file ends before a graph")),
        }
    };
    let is_directed = match graph.attribute("edgedefault") {
        Some("directed") => true,
        Some("undirected") => false,
        _ => {
            return Err(xml.wrong(
                "the graph does not say whether edges are directed: edgedefault must be directed \
                 or undirected",
            ));
        }
    };
    if unweighted {
        keys.weight = None;
    }
    Ok(Input {
        weighted: keys.weight.is_some(),
        is_directed: true,
        is_numbered: false,
        read: Box::new(move |to| {
            GraphMl {
                xml,
                keys,
                is_directed,
            }
            .read(to)
        }),
    })
}

impl Keys {
    fn add(&mut self, key: &Element, xml: &mut Xml) -> Result<()> {
        let id = key.required("id");
        let id = id.map_err(|problem| xml.wrong(problem))?.to_owned();
        let name = key.attribute("attr.name").unwrap_or(&id).to_lowercase();
        let is_of = |what: &str| [None, Some("all"), Some(what)].contains(&key.attribute("for"));
        // A text that is no default is blank.
        let default = xml.text()?;
        if is_of("node") && (name == "label" || name == "name" && self.label.is_none()) {
            self.label = Some(id);
        } else if is_of("edge") && (name == "weight" || name == "value" && self.weight.is_none()) {
            self.weight = Some(id);
            self.default = match default.as_str() {
                "" => None,
                text => Some(weight(text).map_err(|problem| xml.wrong(problem))?),
            };
        }
        Ok(())
    }
}

impl GraphMl {
    fn read(mut self, to: &mut dyn Receiver) -> Result<()> {
        let mut ids = Ids::default();
        let mut is_inside = true;
        loop {
            let element = match self.xml.next()? {
                Part::Start(element) => element,
                Part::EndOfFile => return Ok(()),
                Part::End => {
                    is_inside = false;
                    continue;
                }
                Part::Text(_) => continue,
            };
            let taken = match element.name.as_str() {
                "graph" => {
                    return Err(self
                        .xml
                        .wrong("a second graph; save it in a file of its own"));
                }
                "hyperedge" => {
                    return Err(self
                        .xml
                        .wrong("an edge of several nodes: write an edge for each pair of them"));
                }
                "node" if is_inside => {
                    let label = self.data(|keys| keys.label.as_deref())?;
                    let id = element.required("id");
                    id.map_err(Problem::Record)
                        .and_then(|id| ids.declare(id, label.as_deref(), to))
                }
                "edge" if is_inside => {
                    let weight = self.data(|keys| keys.weight.as_deref())?;
                    self.edge(&element, weight, &ids, to)
                }
                _ => {
                    self.xml.skip()?;
                    continue;
                }
            };
            settle(taken, to, |problem| self.xml.wrong(problem))?;
        }
    }

    /// The text of the data with a key in the element that has begun, up to its end.
    fn data(&mut self, key: impl Fn(&Keys) -> Option<&str>) -> Result<Option<String>> {
        let outside = self.xml.depth - 1;
        let mut found = None;
        while self.xml.depth > outside {
            if let Part::Start(element) = self.xml.next()? {
                if element.name == "graph" {
                    return Err(self
                        .xml
                        .wrong("a graph within a node; save it without nesting"));
                }
                let wanted = key(&self.keys);
                let is_wanted = element.name == "data" && wanted.is_some();
                if is_wanted && element.attribute("key") == wanted {
                    found = Some(self.xml.text()?);
                } else if element.name == "data" {
                    self.xml.skip()?;
                }
            }
        }
        Ok(found)
    }

    fn edge(
        &self,
        edge: &Element,
        text: Option<String>,
        ids: &Ids,
        to: &mut dyn Receiver,
    ) -> Result<(), Problem> {
        let weight = match text {
            Some(text) => weight(&text)?,
            None => self.keys.default.unwrap_or(1.0),
        };
        let is_directed = match edge.attribute("directed") {
            None => self.is_directed,
            Some("true") => true,
            Some("false") => false,
            Some(_) => return Err("directed is neither true nor false".to_owned().into()),
        };
        let source = ids.find(edge.required("source")?, to)?;
        let target = ids.find(edge.required("target")?, to)?;
        match is_directed {
            true => to.arc(source, target, weight),
            false => to.edge(source, target, weight),
        }
    }
}
