//! GEXF, as Gephi, networkx and others write it.
//!
//! Nodes are called by their ids, or by their labels ([`super::ids`]). If any edge has the attribute
//! `weight`, or a value of an attribute that the file declares for edges under the title `weight`,
//! arcs have weights. Others have the declared default, or weigh 1: to know it, the file is read
//! twice. Edges are directed as `defaultedgetype` says (undirected if it does not), or their own `type`;
//! `mutual` ones are arcs in both directions. Nodes within nodes are nodes as others. Times are left out:
//! all nodes and edges are read, and of several weights of an edge the first one. These are told; other
//! attributes are skipped.

use super::super::super::Input;
use super::super::super::notes::Note;
use super::super::super::receiver::{Problem, Receiver, settle};
use super::super::super::source::Source;
use super::super::{note, weight};
use super::{Element, Ids, Part, Xml};
use webrank_base::error::{Error, Result};
use webrank_base::shown::quoted;

/// Reads whether there are weights.
///
/// # Errors
/// If the file cannot be read, or if it is standard input.
pub(in crate::import) fn open(source: &Source, unweighted: bool) -> Result<Input> {
    if source.is_stream() {
        let problem = "GEXF is read twice, to know whether edges have weights: give a file";
        return Err(Error::file("standard input", problem));
    }
    let weights = Weights::of(Xml::new(source.path(), source.open()?)?)?;
    let source = source.clone();
    Ok(Input {
        weighted: !unweighted && weights.are_there,
        is_directed: true,
        is_numbered: false,
        read: Box::new(move |to| {
            let xml = Xml::new(source.path(), source.open()?)?;
            Gexf::new(xml, &weights).read(to)
        }),
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

/// A file while its nodes and edges are read.
struct Gexf<'a> {
    xml: Xml,
    weights: &'a Weights,
    ids: Ids,
    /// The type of edges that say none, once the graph has begun.
    default: Option<String>,
    /// Nodes within nodes, elements with times, and weights after the first one of an edge.
    nested: u64,
    timed: u64,
    later_weights: u64,
}

impl<'a> Gexf<'a> {
    fn new(xml: Xml, weights: &'a Weights) -> Self {
        Gexf {
            xml,
            weights,
            ids: Ids::default(),
            default: None,
            nested: 0,
            timed: 0,
            later_weights: 0,
        }
    }

    fn read(mut self, to: &mut dyn Receiver) -> Result<()> {
        // How deep the nodes are that are not within others.
        let mut outermost = None;
        loop {
            let element = match self.xml.next()? {
                Part::Start(element) => element,
                Part::End | Part::Text(_) => continue,
                Part::EndOfFile if self.default.is_none() => {
                    return Err(self.xml.wrong("the file ends before a graph"));
                }
                Part::EndOfFile => break,
            };
            self.timed += u64::from(is_timed(&element));
            let taken = match element.name.as_str() {
                "gexf" | "nodes" | "edges" => continue,
                "graph" if self.default.is_some() => {
                    let problem = "a second graph; save it in a file of its own";
                    return Err(self.xml.wrong(problem));
                }
                "graph" => {
                    let kind = element.attribute("defaultedgetype");
                    self.default = Some(kind.unwrap_or("undirected").to_owned());
                    continue;
                }
                "node" => {
                    let is_nested = self.xml.depth > *outermost.get_or_insert(self.xml.depth);
                    let has_parent = element.attribute("pid").is_some();
                    self.nested += u64::from(is_nested || has_parent);
                    let id = element.required("id").map_err(Problem::Record);
                    id.and_then(|id| self.ids.declare(id, element.attribute("label"), to))
                }
                "edge" => {
                    let weight = self.weight(&element)?;
                    self.edge(&element, weight.as_deref(), to)
                }
                "spells" => {
                    self.timed += 1;
                    self.xml.skip()?;
                    continue;
                }
                _ => {
                    self.xml.skip()?;
                    continue;
                }
            };
            settle(taken, to, |problem| self.xml.wrong(problem))?;
        }
        self.tell(to);
        Ok(())
    }

    /// The weight of an edge that has begun, if it says one, up to its end.
    fn weight(&mut self, edge: &Element) -> Result<Option<String>> {
        let outside = self.xml.depth - 1;
        let mut weight = edge.attribute("weight").map(str::to_owned);
        let mut values = 0;
        while self.xml.depth > outside {
            match self.xml.next()? {
                Part::Start(inner) if inner.name == "attvalue" => {
                    if let Some(value) = self.weights.value(&inner) {
                        values += 1;
                        weight = weight.or(Some(value.to_owned()));
                    }
                }
                Part::Start(inner) if inner.name == "spells" => self.timed += 1,
                Part::EndOfFile => break,
                _ => {}
            }
        }
        self.later_weights += u64::from(values > 1);
        Ok(weight)
    }

    fn edge(
        &mut self,
        edge: &Element,
        of_edge: Option<&str>,
        to: &mut dyn Receiver,
    ) -> Result<(), Problem> {
        let text = of_edge.or(self.weights.default.as_deref());
        let weight = text.map_or(Ok(1.0), weight)?;
        let source = self.ids.find(edge.required("source")?, to)?;
        let target = self.ids.find(edge.required("target")?, to)?;
        match edge.attribute("type").or(self.default.as_deref()) {
            Some("directed") => to.arc(source, target, weight),
            // GEXF 1.0 calls mutual ones double.
            Some("undirected" | "mutual" | "double") | None => to.edge(source, target, weight),
            Some(kind) => {
                let kind = quoted(kind);
                let problem =
                    format!("the type {kind} of edges is none of directed, undirected, mutual");
                Err(problem.into())
            }
        }
    }

    fn tell(&self, to: &mut dyn Receiver) {
        let text = "nodes within nodes are read as nodes of the graph";
        note(to, self.nested, Note::assumed("nesting", text));
        let text = "times of nodes and edges left out: all of them are in the graph";
        note(to, self.timed, Note::left_out("times", 0, text));
        let text = "edges have several weights, of which the first is read";
        note(to, self.later_weights, Note::assumed("weights", text));
        self.ids.tell(to);
    }
}

/// True for a node or an edge that is there at times.
fn is_timed(element: &Element) -> bool {
    let is_one = ["node", "edge"].contains(&element.name.as_str());
    let times = ["start", "end", "startopen", "endopen", "timestamp"];
    is_one && times.iter().any(|time| element.attribute(time).is_some())
}
