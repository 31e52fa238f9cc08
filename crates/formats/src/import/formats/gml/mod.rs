//! GML, as networkx, igraph, Gephi, yEd and Cytoscape write it.
//!
//! A list of keys and values: numbers, texts in quotation marks, and lists in brackets. The first list
//! `graph` holds the lists `node` with `id` and perhaps `label` or else `name`, and `edge` with `source`, `target`
//! and perhaps `weight`, or else `value`; keys and lists come in any order. Labels are names if each
//! node has one and all are different, otherwise ids are. Edges are undirected unless `directed 1`
//! says otherwise, as in GML's definition. Other keys and what is in their lists are left out.
//!
//! Source: Himsolt, GML: A Portable Graph File Format, 1997.

mod entities;
#[cfg(test)]
mod tests;

use super::super::Input;
use super::super::recognise::{First, Verdict};
use super::held::{Ends, Held, Naming, Rules, Text, Weight, whole_number};
use std::io::Read;
use std::path::Path;
use webrank_base::error::Result;
use webrank_base::shown::quoted;

/// The deepest nesting of lists.
const MAX_DEPTH: usize = 1000;

/// A file with a list `graph`, perhaps after comments and keys such as `Creator`, or named `.gml`.
pub(in crate::import) fn recognise(first: &First) -> Verdict {
    match (has_graph(first), first.extension()) {
        (true, _) => Verdict::Is("a list 'graph [' of GML".into()),
        (false, Some("gml")) => Verdict::Is("named .gml".into()),
        _ => Verdict::No,
    }
}

fn has_graph(first: &First) -> bool {
    let mut rest: &str = first.text.as_ref();
    // The text before the graph is short.
    for _ in 0..1000 {
        rest = rest.trim_start();
        if let Some(comment) = rest.strip_prefix('#') {
            rest = comment.find(['\n', '\r']).map_or("", |end| &comment[end..]);
            continue;
        }
        let end = rest.find(|letter: char| letter.is_whitespace() || "[\"#".contains(letter));
        let (key, value) = rest.split_at(end.unwrap_or(rest.len()));
        let value = value.trim_start();
        let is_key = key.starts_with(|first: char| first.is_ascii_alphabetic());
        if !is_key {
            return false;
        }
        if let Some(list) = value.strip_prefix('[') {
            return key.eq_ignore_ascii_case("graph") && is_list(list);
        }
        rest = match value.strip_prefix('"') {
            Some(text) => text.split_once('"').map_or("", |(_, rest)| rest),
            None => {
                // Only keys with numbers stand beside texts: words are another format.
                let end = value.find(char::is_whitespace).unwrap_or(value.len());
                let (word, rest) = value.split_at(end);
                match word.parse::<f64>() {
                    Ok(_) => rest,
                    Err(_) => return false,
                }
            }
        };
    }
    false
}

/// True for the start of the content of a list: keys, comments, or its end.
fn is_list(text: &str) -> bool {
    let text = text.trim_start();
    text.is_empty()
        || text.starts_with(|first: char| first.is_ascii_alphabetic() || "#]".contains(first))
}

/// A file, and what was read of it.
struct Gml {
    text: Text,
    held: Held,
    word: Vec<u8>,
    /// Whether a list `graph` was read.
    has_graph: bool,
    is_directed: bool,
}

/// The next part of a file.
#[derive(Debug, PartialEq)]
enum Part {
    /// A key, or a value without quotation marks.
    Word(String),
    Text(String),
    Open,
    Close,
    End,
}

/// A value that is kept.
enum Value {
    Number(String),
    Text(String),
    /// A list that was skipped.
    List,
}

impl Value {
    /// The text of an id.
    fn id(&self) -> Option<String> {
        match self {
            Value::Number(number) => Some(whole_number(number).into_owned()),
            Value::Text(text) => Some(whole_number(text).into_owned()),
            Value::List => None,
        }
    }

    fn number(&self) -> Option<f64> {
        match self {
            Value::Number(text) | Value::Text(text) => text.trim().parse().ok(),
            Value::List => None,
        }
    }

    fn into_text(self) -> Option<String> {
        match self {
            Value::Number(text) | Value::Text(text) => Some(text),
            Value::List => None,
        }
    }
}

/// Reads a file.
///
/// # Errors
/// If it cannot be read, or is not GML.
pub(in crate::import) fn open(
    path: &Path,
    input: Box<dyn Read + Send>,
    (ids, unweighted): (bool, bool),
) -> Result<Input> {
    let text = Text::new(path, input)?;
    let mut gml = Gml {
        held: Held::new(text.path(), Ends::Declared),
        text,
        word: Vec::new(),
        has_graph: false,
        is_directed: false,
    };
    gml.read()?;
    let rules = Rules {
        naming: if ids { Naming::Ids } else { Naming::Labels },
        is_directed: gml.is_directed,
        unweighted,
    };
    gml.held.into_input(&rules)
}

impl Gml {
    fn read(&mut self) -> Result<()> {
        loop {
            let key = match self.part()? {
                Part::Word(key) => key,
                Part::End if self.has_graph => return Ok(()),
                Part::End => return Err(self.text.wrong("the file ends before 'graph ['")),
                part => return Err(self.unexpected(&part, "a key")),
            };
            match self.part()? {
                Part::Open if key.eq_ignore_ascii_case("graph") => {
                    if self.has_graph {
                        let problem = "a second graph; save it in a file of its own";
                        return Err(self.text.wrong(problem));
                    }
                    self.has_graph = true;
                    self.graph()?;
                }
                Part::Open => self.skip()?,
                Part::Word(_) | Part::Text(_) => {}
                part => return Err(self.unexpected(&part, "a value")),
            }
        }
    }

    /// The list `graph` up to its end.
    fn graph(&mut self) -> Result<()> {
        while let Some(key) = self.key()? {
            let line = self.text.line();
            match self.part()? {
                Part::Open if key.eq_ignore_ascii_case("node") => self.node(line)?,
                Part::Open if key.eq_ignore_ascii_case("edge") => self.edge(line)?,
                Part::Open => self.skip()?,
                Part::Word(value) | Part::Text(value) if key.eq_ignore_ascii_case("directed") => {
                    self.is_directed = match value.as_str() {
                        "0" => false,
                        "1" => true,
                        _ => {
                            let problem = format!("'directed' is {}, not 0 or 1", quoted(&value));
                            return Err(self.text.wrong(problem));
                        }
                    };
                }
                Part::Word(_) | Part::Text(_) => {}
                part => return Err(self.unexpected(&part, "a value")),
            }
        }
        Ok(())
    }

    fn node(&mut self, line: u64) -> Result<()> {
        let (mut id, mut label, mut name) = (None, None, None);
        while let Some(key) = self.key()? {
            let value = self.value()?;
            match key.as_str() {
                "id" => id = value.id(),
                "label" => label = value.into_text(),
                // igraph's name of a node.
                "name" => name = value.into_text(),
                _ => {}
            }
        }
        let Some(id) = id else {
            return Err(self.text.wrong("a node without 'id' ends here"));
        };
        let id = self.held.id(&id)?;
        self.held.declare(Some(id), label.or(name).as_deref(), line)
    }

    fn edge(&mut self, line: u64) -> Result<()> {
        let (mut source, mut target) = (None, None);
        let mut weight = Weight::None;
        while let Some(key) = self.key()? {
            let value = self.value()?;
            match key.as_str() {
                "source" => source = value.id(),
                "target" => target = value.id(),
                "weight" => match value.number() {
                    Some(number) => weight = Weight::Some(number),
                    None => {
                        let text = value.into_text().unwrap_or_default();
                        let problem = format!("the weight {} is not a number", quoted(&text));
                        return Err(self.text.wrong(problem));
                    }
                },
                "value" => {
                    if let (Some(number), Weight::None) = (value.number(), weight) {
                        weight = Weight::Second(number);
                    }
                }
                _ => {}
            }
        }
        if let Weight::Some(weight) | Weight::Second(weight) = weight
            && weight.is_nan()
        {
            return Err(self.text.wrong("a weight is not a number (NaN)"));
        }
        let (Some(source), Some(target)) = (source, target) else {
            let problem = "an edge without 'source' and 'target' ends here";
            return Err(self.text.wrong(problem));
        };
        let ends = (self.held.id(&source)?, self.held.id(&target)?);
        self.held.edge(ends, weight, None, line)
    }

    /// The next key of a list; none at its end.
    fn key(&mut self) -> Result<Option<String>> {
        match self.part()? {
            Part::Word(key) => Ok(Some(key)),
            Part::Close => Ok(None),
            Part::End => Err(self.text.wrong("the file ends within a list")),
            part => Err(self.unexpected(&part, "a key")),
        }
    }

    fn value(&mut self) -> Result<Value> {
        match self.part()? {
            Part::Word(word) => Ok(Value::Number(word)),
            Part::Text(text) => Ok(Value::Text(text)),
            Part::Open => {
                self.skip()?;
                Ok(Value::List)
            }
            part => Err(self.unexpected(&part, "a value")),
        }
    }

    /// Skips the rest of a list.
    fn skip(&mut self) -> Result<()> {
        let mut depth = 1;
        while depth > 0 {
            match self.part()? {
                Part::Open if depth == MAX_DEPTH => {
                    return Err(self.text.wrong("lists are nested too deeply for a graph"));
                }
                Part::Open => depth += 1,
                Part::Close => depth -= 1,
                Part::End => return Err(self.text.wrong("the file ends within a list")),
                Part::Word(_) | Part::Text(_) => {}
            }
        }
        Ok(())
    }

    fn unexpected(&self, part: &Part, wanted: &str) -> webrank_base::error::Error {
        let found = match part {
            Part::Word(word) => quoted(word),
            Part::Text(text) => format!("the text {}", quoted(text)),
            Part::Open => "'['".into(),
            Part::Close => "']'".into(),
            Part::End => "the end of the file".into(),
        };
        self.text.wrong(format!("{found} where {wanted} should be"))
    }

    /// The next part of the file.
    fn part(&mut self) -> Result<Part> {
        loop {
            let Some(byte) = self.text.peek()? else {
                return Ok(Part::End);
            };
            match byte {
                b'#' => self.text.skip_line()?,
                b'[' | b']' => {
                    self.text.next()?;
                    return Ok(if byte == b'[' {
                        Part::Open
                    } else {
                        Part::Close
                    });
                }
                b'"' => {
                    self.text.next()?;
                    return self.quoted_text();
                }
                byte if byte.is_ascii_whitespace() => {
                    self.text.next()?;
                }
                _ => {
                    self.word.clear();
                    self.text.take(&mut self.word, |byte| {
                        !byte.is_ascii_whitespace() && !b"[]\"".contains(&byte)
                    })?;
                    return Ok(Part::Word(self.text.utf8(&self.word)?.to_owned()));
                }
            }
        }
    }

    /// A text up to its quotation mark.
    fn quoted_text(&mut self) -> Result<Part> {
        let line = self.text.line();
        self.word.clear();
        self.text.take(&mut self.word, |byte| byte != b'"')?;
        if self.text.next()?.is_none() {
            let problem = "a quotation mark is never closed; within a text, it is '&quot;'";
            return Err(webrank_base::error::Error::line(
                self.text.path(),
                line,
                problem,
            ));
        }
        Ok(Part::Text(entities::resolved(self.text.utf8(&self.word)?)))
    }
}
