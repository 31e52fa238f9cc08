//! Objects that hold a graph, in any order of their keys.

use super::super::super::Input;
use super::super::super::notes::Note;
use super::super::held::{Ends, Held, Naming, Rules};
use super::element::{Element, Value};
use super::ends::Kinds;
use super::lists::List;
use super::pull::{Json, Part};
use super::rows::Row;
use webrank_base::error::{Error, Result};
use webrank_base::shown::quoted;

/// A graph, as far as it was read.
pub(super) struct Graph {
    pub(super) json: Json,
    pub(super) held: Held,
    pub(super) kinds: Kinds,
    /// The key of the edges that were read: there is one list of them.
    edges: Option<String>,
    pub(super) has_nodes: bool,
    is_directed: Option<bool>,
    /// Whether the format says what edges are that the file says nothing of.
    has_default: bool,
    is_adjacency: bool,
    /// The fields of the outermost object that are no part of a graph: perhaps it is a row.
    pub(super) fields: Vec<(String, Value)>,
    /// Its fields that hold lists of ids: perhaps they are nodes and their successors.
    pub(super) lists: Vec<List>,
}

impl Graph {
    pub(super) fn new(json: Json) -> Self {
        let held = Held::new(json.path(), Ends::Declared);
        Graph {
            json,
            held,
            kinds: Kinds::default(),
            edges: None,
            has_nodes: false,
            is_directed: None,
            has_default: false,
            is_adjacency: false,
            fields: Vec::new(),
            lists: Vec::new(),
        }
    }

    /// True if anything of a graph was found.
    pub(super) fn is_there(&self) -> bool {
        self.has_nodes || self.edges.is_some()
    }

    /// The fields that were read, as a row that started in a line.
    pub(super) fn into_row(self, line: u64) -> (Json, Row) {
        let row = Row {
            line,
            fields: self.fields,
            is_array: false,
        };
        (self.json, row)
    }

    /// The object whose opening brace was read.
    pub(super) fn object(&mut self, is_outermost: bool) -> Result<()> {
        while self.json.next()? == Part::Key {
            let key = self.json.text().to_owned();
            let first = self.json.next()?;
            self.entry(key, first, is_outermost)?;
        }
        Ok(())
    }

    fn entry(&mut self, key: String, first: Part, is_outermost: bool) -> Result<()> {
        match (key.as_str(), first) {
            ("nodes" | "vertices", Part::OpenArray | Part::OpenObject) => {
                if self.has_nodes {
                    let problem = format!("a second list of nodes, {}", quoted(&key));
                    return Err(self.json.wrong(problem));
                }
                self.has_nodes = true;
                match first {
                    Part::OpenArray => self.nodes(),
                    _ => self.nodes_by_id(),
                }
            }
            ("links" | "edges" | "arcs", Part::OpenArray) => {
                self.begin_edges(key)?;
                self.edges()
            }
            ("adjacency", Part::OpenArray) => {
                self.begin_edges(key)?;
                self.is_adjacency = true;
                self.adjacency()
            }
            ("hyperedges", Part::OpenArray) => match self.json.next()? {
                Part::CloseArray => Ok(()),
                _ => Err(self
                    .json
                    .wrong("edges of more than two nodes ('hyperedges') are no arcs")),
            },
            ("elements", Part::OpenObject) if is_outermost => self.object(false),
            ("elements", Part::OpenArray) if is_outermost => {
                self.has_nodes = true;
                self.elements_in_array()
            }
            ("graph", Part::OpenObject) if is_outermost => {
                let before = self.is_there();
                self.object(false)?;
                // In the JSON Graph Format, edges are directed if nothing is said.
                self.has_default |= !before && self.is_there();
                Ok(())
            }
            ("graphs", Part::OpenArray) if is_outermost => self.graphs(),
            ("directed", Part::Flag(directed)) => {
                self.is_directed = Some(directed);
                Ok(())
            }
            ("options", Part::OpenObject) => self.options(),
            (_, Part::OpenArray) if is_outermost => self.list(key),
            (_, first) => {
                let value = Value::read(&mut self.json, first)?;
                if is_outermost {
                    self.fields.push((key, value));
                }
                Ok(())
            }
        }
    }

    fn begin_edges(&mut self, key: String) -> Result<()> {
        if let Some(before) = &self.edges {
            let problem = format!(
                "both {} and {}; which are the edges?",
                quoted(before),
                quoted(&key)
            );
            return Err(self.json.wrong(problem));
        }
        self.edges = Some(key);
        Ok(())
    }

    /// The JSON Graph Format's list of graphs, of which there may be one.
    fn graphs(&mut self) -> Result<()> {
        let mut graphs = 0;
        loop {
            match self.json.next()? {
                Part::CloseArray => return Ok(()),
                Part::OpenObject if graphs == 0 => self.object(false)?,
                Part::OpenObject => {
                    return Err(self
                        .json
                        .wrong("a second graph; save it in a file of its own"));
                }
                _ => return Err(self.json.wrong("a graph that is no object")),
            }
            graphs += 1;
            self.has_default = true;
        }
    }

    /// graphology's options.
    fn options(&mut self) -> Result<()> {
        while self.json.next()? == Part::Key {
            let is_type = self.json.text() == "type";
            let first = self.json.next()?;
            if let (true, Value::Text(kind)) = (is_type, Value::read(&mut self.json, first)?) {
                match kind.as_str() {
                    "directed" => self.is_directed = Some(true),
                    "undirected" => self.is_directed = Some(false),
                    // Edges say whether they are undirected.
                    "mixed" => self.has_default = true,
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn nodes(&mut self) -> Result<()> {
        loop {
            match self.json.next()? {
                Part::CloseArray => return Ok(()),
                Part::OpenObject => {
                    let node = Element::read(&mut self.json)?;
                    self.node(&node)?;
                }
                part @ (Part::Text | Part::Number) => {
                    let mut node = Element::new(self.json.line());
                    let id = Value::read(&mut self.json, part)?;
                    node.set(Some("id"), id, false);
                    self.node(&node)?;
                }
                _ => {
                    return Err(self
                        .json
                        .wrong("a node that is neither an object nor an id"));
                }
            }
        }
    }

    /// An object of nodes by id.
    fn nodes_by_id(&mut self) -> Result<()> {
        while self.json.next()? == Part::Key {
            let id = self.json.text().to_owned();
            let line = self.json.line();
            let mut node = match self.json.next()? {
                Part::OpenObject => Element::read(&mut self.json)?,
                first => {
                    self.json.skip(first)?;
                    Element::new(line)
                }
            };
            node.set(Some("id"), Value::Text(id), false);
            self.node(&node)?;
        }
        Ok(())
    }

    fn node(&mut self, node: &Element) -> Result<()> {
        let label = match node.first(&["label", "name"]) {
            Some(Value::Text(label) | Value::Number(label)) => Some(label.as_str()),
            _ => None,
        };
        let id = match node.first(&["id", "key"]) {
            None => {
                self.kinds.node(None);
                None
            }
            Some(id) => {
                let Some((id, is_number)) = id.id() else {
                    return Err(self
                        .json
                        .wrong_at(node.line, "the id of a node is no text or number"));
                };
                self.kinds.node(Some(is_number));
                Some(self.held.id(&id)?)
            }
        };
        self.held.declare(id, label, node.line)
    }

    fn edges(&mut self) -> Result<()> {
        loop {
            match self.json.next()? {
                Part::CloseArray => return Ok(()),
                Part::OpenObject => {
                    let edge = Element::read(&mut self.json)?;
                    self.edge(&edge)?;
                }
                Part::OpenArray => {
                    let edge = self.edge_of_values()?;
                    self.edge(&edge)?;
                }
                _ => {
                    return Err(self
                        .json
                        .wrong("an edge that is neither an object nor a pair"));
                }
            }
        }
    }

    /// An edge as source, target and perhaps weight.
    fn edge_of_values(&mut self) -> Result<Element> {
        let mut edge = Element::new(self.json.line());
        for name in ["source", "target", "weight", ""] {
            let first = self.json.next()?;
            if first == Part::CloseArray {
                return Ok(edge);
            }
            if name.is_empty() {
                break;
            }
            let value = Value::read(&mut self.json, first)?;
            edge.set(Some(name), value, false);
        }
        Err(self.json.wrong("an edge of more than three values"))
    }

    fn edge(&mut self, edge: &Element) -> Result<()> {
        let wrong = |json: &Json, problem: String| json.wrong_at(edge.line, problem);
        let mut end = |names: &[&str]| -> Result<u32> {
            let value = edge.first(names).and_then(Value::id);
            let (id, is_number) = value.ok_or_else(|| {
                wrong(&self.json, format!("an edge without {}", quoted(names[0])))
            })?;
            self.kinds.end(is_number);
            self.held.id(&id)
        };
        let ends = (end(&["source", "from"])?, end(&["target", "to"])?);
        let weight = edge
            .weight()
            .map_err(|problem| wrong(&self.json, problem))?;
        self.held.edge(ends, weight, edge.is_directed(), edge.line)
    }

    /// networkx's lists of neighbours, in the order of the nodes.
    fn adjacency(&mut self) -> Result<()> {
        let mut place = 0u32;
        loop {
            match self.json.next()? {
                Part::CloseArray => return Ok(()),
                Part::OpenArray => self.neighbours(place)?,
                _ => return Err(self.json.wrong("neighbours that are no array")),
            }
            place = place.saturating_add(1);
        }
    }

    fn neighbours(&mut self, place: u32) -> Result<()> {
        loop {
            match self.json.next()? {
                Part::CloseArray => return Ok(()),
                Part::OpenObject => {
                    let neighbour = Element::read(&mut self.json)?;
                    let wrong = |problem: &str| self.json.wrong_at(neighbour.line, problem);
                    let id = neighbour.get("id").and_then(Value::id);
                    let (id, _) = id.ok_or_else(|| wrong("a neighbour without 'id'"))?;
                    let weight = neighbour.weight().map_err(|problem| wrong(&problem))?;
                    // These are never places.
                    self.kinds.end(false);
                    let id = self.held.id(&id)?;
                    self.held
                        .edge_from_place(place, id, weight, neighbour.line)?;
                }
                _ => return Err(self.json.wrong("a neighbour that is no object with 'id'")),
            }
        }
    }

    /// Cytoscape's elements in an array whose first element was read, which is the whole file.
    pub(super) fn elements(&mut self, first: Element) -> Result<()> {
        self.has_nodes = true;
        self.element(&first)?;
        self.elements_in_array()
    }

    fn elements_in_array(&mut self) -> Result<()> {
        self.begin_edges("elements".into())?;
        loop {
            match self.json.next()? {
                Part::CloseArray => return Ok(()),
                Part::OpenObject => {
                    let element = Element::read(&mut self.json)?;
                    self.element(&element)?;
                }
                _ => return Err(self.json.wrong("an element that is no object")),
            }
        }
    }

    fn element(&mut self, element: &Element) -> Result<()> {
        match element.is_edge() {
            true => self.edge(element),
            false => self.node(element),
        }
    }

    /// The graph that was read.
    pub(super) fn into_input(mut self, ids: bool, unweighted: bool) -> Result<Input> {
        if self.json.next()? != Part::End {
            return Err(self
                .json
                .wrong("something after the end of the graph; save it in a file of its own"));
        }
        self.check_adjacency()?;
        self.kinds.decide(&mut self.held)?;
        let is_directed = self.is_directed.unwrap_or(true);
        if self.is_directed.is_none() && !self.has_default && self.held.num_edges() > 0 {
            self.held.note(Note::assumed(
                "directions",
                "the file does not say whether edges have directions: they are arcs from source to \
                 target; --symmetric adds their reverses",
            ));
        }
        self.held.into_input(&Rules {
            naming: if ids {
                Naming::Ids
            } else {
                Naming::LabelsOfMadeUpIds
            },
            is_directed,
            unweighted,
        })
    }

    /// Lists of neighbours name each edge of an undirected graph twice.
    fn check_adjacency(&mut self) -> Result<()> {
        if !self.is_adjacency {
            return Ok(());
        }
        if !self.has_nodes {
            let problem = "neighbours ('adjacency') without the 'nodes' whose they are";
            return Err(Error::file(self.json.path(), problem));
        }
        if self.is_directed == Some(false) {
            self.held.lists_are_symmetric = true;
        }
        Ok(())
    }
}
