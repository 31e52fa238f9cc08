//! GraphML, as networkx, igraph, Gephi, yEd and others write it.
//!
//! Nodes are called by their ids, or by their labels ([`super::ids`]): data of a key whose `attr.name`
//! is `name` or `label`, or the label that yEd draws (`y:NodeLabel`). Weights are data of a key of edges
//! called `weight` or `value`; an edge without gets the key's default, otherwise 1. Edges are directed as
//! `edgedefault` says, or their own `directed`. A graph within a node, such as a group of yEd, is part of
//! the graph, and the node remains one; this is told. Ports are skipped, so that edges end at nodes;
//! hyperedges and a second graph are refused.

use super::super::super::Input;
use super::super::super::notes::Note;
use super::super::super::receiver::{Problem, Receiver, settle};
use super::super::{note, weight};
use super::{Element, Ids, Part, Xml};
use std::io::Read;
use std::path::Path;
use webrank_base::error::Result;

/// A file, opened up to its first node.
struct GraphMl {
    xml: Xml,
    keys: Keys,
    graphs: Vec<Open>,
    nested: u64,
}

/// A graph that has begun and not ended.
struct Open {
    /// How deep its content is.
    depth: usize,
    is_directed: bool,
}

/// The ids of the keys that matter.
#[derive(Default)]
struct Keys {
    label: Option<String>,
    weight: Option<String>,
    /// The weight of edges that say none.
    default: Option<f64>,
    /// Weights that are texts, which are none.
    texts: u64,
}

/// The content of a node.
#[derive(Default)]
struct Content {
    label: Option<String>,
    /// The label that yEd draws.
    drawn: Option<String>,
    /// A graph within the node that has begun.
    graph: Option<Element>,
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
    let mut xml = Xml::new(path, input)?;
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
    let first = Open::of(&graph, &xml, None)?;
    if unweighted {
        keys.weight = None;
    }
    Ok(Input {
        weighted: keys.weight.is_some(),
        is_directed: true,
        is_numbered: false,
        read: Box::new(move |to| {
            let file = GraphMl {
                xml,
                keys,
                graphs: vec![first],
                nested: 0,
            };
            file.read(to)
        }),
    })
}

impl Open {
    /// A graph that begins; within another, its edges are as those are if it does not say.
    fn of(graph: &Element, xml: &Xml, outer: Option<&Open>) -> Result<Self> {
        let is_directed = match (graph.attribute("edgedefault"), outer) {
            (Some("directed"), _) => true,
            (Some("undirected"), _) => false,
            (None, Some(outer)) => outer.is_directed,
            _ => {
                return Err(xml.wrong(
                    "the graph does not say whether edges are directed: edgedefault must be \
                     directed or undirected",
                ));
            }
        };
        Ok(Open {
            depth: xml.depth,
            is_directed,
        })
    }
}

impl Keys {
    fn add(&mut self, key: &Element, xml: &mut Xml) -> Result<()> {
        let id = key.required("id");
        let id = id.map_err(|problem| xml.wrong(problem))?.to_owned();
        let name = key.attribute("attr.name").unwrap_or(&id).to_lowercase();
        let kind = key
            .attribute("attr.type")
            .unwrap_or_default()
            .to_lowercase();
        let is_of = |what: &str| [None, Some("all"), Some(what)].contains(&key.attribute("for"));
        // A text that is no default is blank.
        let default = xml.text()?;
        let is_text = ["string", "boolean"].contains(&kind.as_str());
        let is_weight = name == "weight" || name == "value" && self.weight.is_none();
        if is_of("node")
            && kind != "boolean"
            && (name == "label" || name == "name" && self.label.is_none())
        {
            self.label = Some(id);
        } else if is_of("edge") && is_weight && is_text {
            self.texts += u64::from(name == "weight");
        } else if is_of("edge") && is_weight {
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
        loop {
            let element = match self.xml.next()? {
                Part::Start(element) => element,
                Part::EndOfFile => break,
                Part::End => {
                    self.graphs.retain(|graph| graph.depth <= self.xml.depth);
                    continue;
                }
                Part::Text(_) => continue,
            };
            let taken = match element.name.as_str() {
                "graph" => {
                    self.begin(&element)?;
                    continue;
                }
                "hyperedge" => {
                    let problem = "an edge of several nodes: write an edge for each pair of them";
                    return Err(self.xml.wrong(problem));
                }
                "node" if !self.graphs.is_empty() => {
                    let content = self.content()?;
                    let label = content.label.or(content.drawn);
                    let id = element.required("id").map_err(Problem::Record);
                    let taken = id.and_then(|id| ids.declare(id, label.as_deref(), to));
                    if let Some(graph) = content.graph {
                        self.begin(&graph)?;
                    }
                    taken
                }
                "edge" if !self.graphs.is_empty() => {
                    let weight = self.weight()?;
                    self.edge(&element, weight, &mut ids, to)
                }
                _ => {
                    self.xml.skip()?;
                    continue;
                }
            };
            settle(taken, to, |problem| self.xml.wrong(problem))?;
        }
        let text = "graphs within nodes are read as parts of the graph, and these nodes as nodes";
        note(to, self.nested, Note::assumed("nesting", text));
        let text = "key 'weight' of edges holds texts, which are no weights";
        note(
            to,
            self.keys.texts,
            Note::left_out("weights", self.keys.texts, text),
        );
        ids.tell(to);
        Ok(())
    }

    /// Begins a graph within a node.
    fn begin(&mut self, graph: &Element) -> Result<()> {
        let Some(outer) = self.graphs.last() else {
            let problem = "a second graph; save it in a file of its own";
            return Err(self.xml.wrong(problem));
        };
        let inner = Open::of(graph, &self.xml, Some(outer))?;
        self.graphs.push(inner);
        self.nested += 1;
        Ok(())
    }

    /// Reads a node that has begun up to its end, or to a graph within it.
    fn content(&mut self) -> Result<Content> {
        let outside = self.xml.depth - 1;
        let mut content = Content::default();
        while self.xml.depth > outside {
            let element = match self.xml.next()? {
                Part::Start(element) => element,
                Part::EndOfFile => break,
                Part::End | Part::Text(_) => continue,
            };
            match element.name.as_str() {
                "graph" => {
                    content.graph = Some(element);
                    break;
                }
                "data"
                    if self.keys.label.is_some()
                        && element.attribute("key") == self.keys.label.as_deref() =>
                {
                    content.label = Some(self.xml.text()?).filter(|label| !label.is_empty());
                }
                "NodeLabel" => {
                    let label = Some(self.xml.text()?).filter(|label| !label.is_empty());
                    content.drawn = content.drawn.or(label);
                }
                _ => {}
            }
        }
        Ok(content)
    }

    /// The weight of an edge that has begun, if it says one, up to its end.
    fn weight(&mut self) -> Result<Option<String>> {
        let outside = self.xml.depth - 1;
        let mut found = None;
        while self.xml.depth > outside {
            if let Part::Start(element) = self.xml.next()?
                && element.name == "data"
            {
                let key = self.keys.weight.as_deref();
                if key.is_some() && element.attribute("key") == key {
                    found = Some(self.xml.text()?).filter(|text| !text.is_empty());
                } else {
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
        ids: &mut Ids,
        to: &mut dyn Receiver,
    ) -> Result<(), Problem> {
        let weight = match text {
            Some(text) => weight(&text)
                .map_err(|problem| format!("the weight {problem}; --unweighted reads none"))?,
            None => self.keys.default.unwrap_or(1.0),
        };
        let is_directed = match edge.attribute("directed") {
            None => self.graphs.last().is_some_and(|graph| graph.is_directed),
            Some("true" | "True" | "1") => true,
            Some("false" | "False" | "0") => false,
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
