//! Statements of DOT.

use super::super::held::{Held, Text, Weight};
use super::groups::{End, Group, Named, Strict};
use super::tokens::{Token, Tokens};
use std::collections::HashMap;
use webrank_base::error::Result;
use webrank_base::shown::quoted;

/// The deepest nesting of groups.
const MAX_DEPTH: usize = 200;

/// The edges between groups, in the whole file, that are always read.
const LEAST_BETWEEN: u64 = 1 << 20;

/// The further edges between groups that are read per byte of the file: its size bounds memory and time.
const BETWEEN_A_BYTE: u64 = 16;

/// A file, and what was read of it.
pub(super) struct Dot {
    tokens: Tokens,
    held: Held,
    is_directed: bool,
    /// The edges so far, if each is there once.
    strict: Option<Strict>,
    /// The nodes of groups with names: a group goes on where its name comes again.
    groups: HashMap<String, usize>,
    named: Vec<Named>,
    /// Edges between groups so far, and nodes that a group took over from one that goes on.
    between: u64,
}

/// The weight of edges that say none, if there is one.
type Usual = Option<f64>;

impl Dot {
    pub(super) fn new(text: Text) -> Self {
        let held = super::held(text.path());
        Dot {
            tokens: Tokens::new(text),
            held,
            is_directed: false,
            strict: None,
            groups: HashMap::new(),
            named: Vec::new(),
            between: 0,
        }
    }

    /// Reads up to the first brace; returns the keyword, or nothing if this is another text.
    pub(super) fn header(&mut self) -> Result<Option<String>> {
        let mut word = self.keyword()?;
        if word == "strict" {
            self.strict = Some(Strict::default());
            word = self.keyword()?;
        }
        self.is_directed = word == "digraph";
        if !["graph", "digraph"].contains(&word.as_str()) {
            return Ok(None);
        }
        if let Token::Word(_) | Token::Id(_) = self.tokens.peek()? {
            self.tokens.next()?;
        }
        Ok(self.tokens.skip(b'{')?.then_some(word))
    }

    /// The next token in small letters, if it is a word.
    fn keyword(&mut self) -> Result<String> {
        match self.tokens.next()? {
            Token::Word(word) => Ok(word.to_ascii_lowercase()),
            _ => Ok(String::new()),
        }
    }

    /// Reads the file; returns the graph, and whether it is directed.
    pub(super) fn read(mut self) -> Result<(Held, bool)> {
        if self.header()?.is_none() {
            let problem = "the file does not start with 'graph {' or 'digraph {'";
            return Err(self.tokens.wrong(problem));
        }
        self.statements(0, None, &mut None)?;
        let encoding = self.tokens.decoder.note("names");
        if encoding.count > 0 {
            self.held.note(encoding);
        }
        match self.tokens.next()? {
            Token::End => Ok((self.held, self.is_directed)),
            Token::Word(word)
                if ["strict", "graph", "digraph"].contains(&word.to_ascii_lowercase().as_str()) =>
            {
                Err(self
                    .tokens
                    .wrong("a second graph; save it in a file of its own"))
            }
            other => Err(self.tokens.unexpected(&other, "the end of the file")),
        }
    }

    /// Reads statements up to the closing brace; their nodes are added to `group`.
    fn statements(
        &mut self,
        depth: usize,
        mut weight: Usual,
        group: &mut Option<Group>,
    ) -> Result<()> {
        loop {
            match self.tokens.peek()?.clone() {
                Token::Mark(b'}') => {
                    self.tokens.next()?;
                    return Ok(());
                }
                Token::Mark(b';' | b',') => {
                    self.tokens.next()?;
                }
                Token::End => return Err(self.tokens.wrong("the file ends before a closing '}'")),
                Token::Mark(b'{') => self.chain(None, depth, weight, group)?,
                Token::Word(word) => {
                    self.tokens.next()?;
                    match word.to_ascii_lowercase().as_str() {
                        "edge" => weight = self.attributes()?.or(weight),
                        "node" | "graph" => drop(self.attributes()?),
                        "subgraph" => {
                            let named = self.subgraph(depth, weight)?;
                            self.chain(Some(named), depth, weight, group)?;
                        }
                        "strict" | "digraph" => {
                            let problem = format!(
                                "the keyword {} is no name; put it in quotation marks",
                                quoted(&word)
                            );
                            return Err(self.tokens.wrong(problem));
                        }
                        _ => self.node_or_setting(&word, depth, weight, group)?,
                    }
                }
                Token::Id(id) => {
                    self.tokens.next()?;
                    self.node_or_setting(&id, depth, weight, group)?;
                }
                other => return Err(self.tokens.unexpected(&other, "a statement")),
            }
        }
    }

    /// `id = id`, or a statement that starts with a node.
    fn node_or_setting(
        &mut self,
        id: &str,
        depth: usize,
        weight: Usual,
        group: &mut Option<Group>,
    ) -> Result<()> {
        if self.tokens.skip(b'=')? {
            return match self.tokens.next()? {
                Token::Word(_) | Token::Id(_) => Ok(()),
                other => Err(self.tokens.unexpected(&other, "a value")),
            };
        }
        let node = self.node(id)?;
        self.chain(Some(node), depth, weight, group)
    }

    /// A node whose id was read, with its port.
    fn node(&mut self, id: &str) -> Result<End> {
        let node = self.held.id(id)?;
        for _ in 0..2 {
            if self.tokens.skip(b':')? {
                match self.tokens.next()? {
                    Token::Word(_) | Token::Id(_) => {}
                    other => return Err(self.tokens.unexpected(&other, "a port")),
                }
            }
        }
        Ok(End::Node(node))
    }

    /// `subgraph`, whose keyword was read.
    fn subgraph(&mut self, depth: usize, weight: Usual) -> Result<End> {
        let name = match self.tokens.peek()?.clone() {
            Token::Word(name) | Token::Id(name) => {
                self.tokens.next()?;
                name
            }
            _ => return Ok(End::Group(self.braces(depth, weight)?)),
        };
        let group = self.braces(depth, weight)?;
        // Names are part of the file, and so are their groups.
        let place = *self.groups.entry(name).or_insert(self.named.len());
        if place == self.named.len() {
            self.named.push(Named::default());
        }
        let before = self.named[place].nodes().len();
        if depth > 0 {
            self.charge(before)?;
        }
        let named = &mut self.named[place];
        named.extend(&group.nodes)?;
        let len = named.nodes().len();
        Ok(End::Named { place, len })
    }

    /// Counts edges between groups, and refuses more than the file is large enough for.
    fn charge(&mut self, edges: usize) -> Result<()> {
        self.between = self.between.saturating_add(edges as u64);
        let most = LEAST_BETWEEN + BETWEEN_A_BYTE * self.tokens.bytes();
        if self.between > most {
            let problem = format!(
                "groups of nodes make more than {most} edges, which is much for so small a file; \
                 list them one by one"
            );
            return Err(self.tokens.wrong(problem));
        }
        Ok(())
    }

    /// A group in braces.
    fn braces(&mut self, depth: usize, weight: Usual) -> Result<Group> {
        match self.tokens.next()? {
            Token::Mark(b'{') if depth < MAX_DEPTH => {}
            Token::Mark(b'{') => {
                return Err(self
                    .tokens
                    .wrong("groups are nested too deeply for a graph"));
            }
            other => return Err(self.tokens.unexpected(&other, "'{'")),
        }
        let mut group = Some(Group::default());
        self.statements(depth + 1, weight, &mut group)?;
        Ok(group.unwrap_or_default().distinct())
    }

    /// The next end of edges.
    fn end(&mut self, depth: usize, weight: Usual) -> Result<End> {
        match self.tokens.peek()?.clone() {
            Token::Mark(b'{') => Ok(End::Group(self.braces(depth, weight)?)),
            Token::Word(word) if word.eq_ignore_ascii_case("subgraph") => {
                self.tokens.next()?;
                self.subgraph(depth, weight)
            }
            Token::Word(id) | Token::Id(id) => {
                self.tokens.next()?;
                self.node(&id)
            }
            other => Err(self.tokens.unexpected(&other, "a node or a group")),
        }
    }

    /// Edges from end to end, after the first end, and their attributes.
    fn chain(
        &mut self,
        first: Option<End>,
        depth: usize,
        weight: Usual,
        group: &mut Option<Group>,
    ) -> Result<()> {
        let first = match first {
            Some(first) => first,
            None => End::Group(self.braces(depth, weight)?),
        };
        let line = self.tokens.line();
        let mut ends = vec![first];
        while let Token::Edge { is_directed } = *self.tokens.peek()? {
            if is_directed != self.is_directed {
                let problem = match is_directed {
                    true => {
                        "'->' in a graph without directions, which has '--'; or start it with 'digraph'"
                    }
                    false => "'--' in a directed graph, which has '->'; or start it with 'graph'",
                };
                return Err(self.tokens.wrong(problem));
            }
            self.tokens.next()?;
            ends.push(self.end(depth, weight)?);
        }
        let own = self.attributes()?;
        for pair in ends.windows(2) {
            self.edges(&pair[0], &pair[1], (own, weight), line)?;
        }
        if let Some(group) = group {
            ends.iter()
                .try_for_each(|end| group.extend(end.nodes(&self.named)))?;
        }
        Ok(())
    }

    /// Edges from each node of a group to each of another.
    fn edges(&mut self, from: &End, to: &End, weight: (Usual, Usual), line: u64) -> Result<()> {
        let (own, usual) = weight;
        let sizes = [from, to].map(|end| end.nodes(&self.named).len());
        let edges = sizes[0].saturating_mul(sizes[1]);
        if edges == 0 {
            return Ok(());
        }
        if edges > 1 {
            self.charge(edges)?;
        }
        for &source in from.nodes(&self.named) {
            for &target in to.nodes(&self.named) {
                let place = self.held.num_edges();
                let ends = match self.is_directed {
                    true => (source, target),
                    false => (source.min(target), source.max(target)),
                };
                if let Some(strict) = &mut self.strict
                    && let Some(before) = strict.find(ends, place)?
                {
                    if let Some(weight) = own {
                        self.held.reweigh(before, weight);
                    }
                    continue;
                }
                let weight = own.or(usual).map_or(Weight::None, Weight::Some);
                self.held.edge((source, target), weight, None, line)?;
            }
        }
        Ok(())
    }

    /// Lists of attributes in brackets, if there are any; the weight in them.
    fn attributes(&mut self) -> Result<Usual> {
        let mut weight = None;
        while self.tokens.skip(b'[')? {
            loop {
                let name = match self.tokens.next()? {
                    Token::Mark(b']') => break,
                    Token::Mark(b';' | b',') => continue,
                    Token::Word(name) | Token::Id(name) => name,
                    other => return Err(self.tokens.unexpected(&other, "an attribute")),
                };
                if !self.tokens.skip(b'=')? {
                    continue;
                }
                let value = match self.tokens.next()? {
                    Token::Word(value) | Token::Id(value) => value,
                    other => return Err(self.tokens.unexpected(&other, "a value")),
                };
                if name == "weight" && !value.is_empty() {
                    weight = Some(self.weight(&value)?);
                }
            }
        }
        Ok(weight)
    }

    fn weight(&self, text: &str) -> Result<f64> {
        let number: Option<f64> = text.trim().parse().ok();
        let number = number.filter(|number| !number.is_nan());
        number.ok_or_else(|| {
            self.tokens
                .wrong(format!("the weight {} is not a number", quoted(text)))
        })
    }
}
