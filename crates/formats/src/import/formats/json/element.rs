//! Nodes and edges: the fields of their objects that count.

use super::super::held::{Weight, whole_number};
use super::pull::{Json, Part};
use std::borrow::Cow;
use webrank_base::error::Result;
use webrank_base::shown::quoted;

/// The fields that are kept, by any name that a program gives them.
const KEPT: &[&str] = &[
    "id",
    "key",
    "name",
    "label",
    "source",
    "target",
    "from",
    "to",
    "weight",
    "value",
    "directed",
    "undirected",
    "type",
    "group",
];

/// Fields that hold the fields of an element: of Cytoscape, graphology and the JSON Graph Format.
const CONTENTS: &[&str] = &["data", "attributes", "metadata"];

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Text(String),
    Number(String),
    Flag(bool),
    Null,
    /// `NaN` or infinite.
    NotFinite,
    /// An object or an array, which was skipped.
    Nested,
}

impl Value {
    /// The value whose first part was read.
    pub(super) fn read(json: &mut Json, first: Part) -> Result<Self> {
        Ok(match first {
            Part::Text => Value::Text(json.text().to_owned()),
            Part::Number
                if json
                    .text()
                    .ends_with(|last: char| last.is_ascii_alphabetic()) =>
            {
                Value::NotFinite
            }
            Part::Number => Value::Number(json.text().to_owned()),
            Part::Flag(flag) => Value::Flag(flag),
            Part::Null => Value::Null,
            first => {
                json.skip(first)?;
                Value::Nested
            }
        })
    }

    /// The text of an id, and whether it is a number.
    pub(super) fn id(&self) -> Option<(Cow<'_, str>, bool)> {
        match self {
            Value::Text(text) => Some((text.into(), false)),
            Value::Number(number) => Some((whole_number(number), true)),
            _ => None,
        }
    }

    /// The number that it is, if it is one.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            Value::Text(text) | Value::Number(text) => text
                .trim()
                .parse()
                .ok()
                .filter(|number: &f64| !number.is_nan()),
            _ => None,
        }
    }
}

/// The fields of a node or an edge.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) line: u64,
    fields: Vec<Field>,
}

#[derive(Debug)]
struct Field {
    name: &'static str,
    value: Value,
    /// Whether it is a field of a content, not of the element.
    is_inner: bool,
}

impl Element {
    pub(super) fn new(line: u64) -> Self {
        Element {
            line,
            fields: Vec::new(),
        }
    }

    /// The element whose opening brace was read.
    pub(super) fn read(json: &mut Json) -> Result<Self> {
        let mut element = Element::new(json.line());
        while json.next()? == Part::Key {
            let key = json.text().to_owned();
            let first = json.next()?;
            element.field(json, &key, first)?;
        }
        Ok(element)
    }

    /// Takes a field whose key and first part were read; true if it is the content of an element.
    pub(super) fn field(&mut self, json: &mut Json, key: &str, first: Part) -> Result<bool> {
        if first == Part::OpenObject && CONTENTS.contains(&key) {
            while json.next()? == Part::Key {
                let name = kept(json.text());
                let first = json.next()?;
                let value = Value::read(json, first)?;
                self.set(name, value, true);
            }
            return Ok(true);
        }
        let name = kept(key);
        let is_end = ["source", "target", "from", "to"].contains(&key);
        let value = match first {
            // d3 puts nodes in place of their ids.
            Part::OpenObject if is_end => Self::id_of_node(json)?,
            first => Value::read(json, first)?,
        };
        self.set(name, value, false);
        Ok(false)
    }

    fn id_of_node(json: &mut Json) -> Result<Value> {
        let node = Element::read(json)?;
        let id = node.first(&["id", "key", "name"]).cloned();
        Ok(id.unwrap_or(Value::Nested))
    }

    /// Keeps a field that is not of a content.
    pub(super) fn keep(&mut self, key: &str, value: Value) {
        self.set(kept(key), value, false);
    }

    /// Keeps a field. The last of equal keys counts, as in most programs.
    pub(super) fn set(&mut self, name: Option<&'static str>, value: Value, is_inner: bool) {
        let Some(name) = name else {
            return;
        };
        let mut fields = self.fields.iter_mut();
        match fields.find(|field| field.name == name && field.is_inner == is_inner) {
            Some(field) => field.value = value,
            None => self.fields.push(Field {
                name,
                value,
                is_inner,
            }),
        }
    }

    /// A field of the element, or else of its content.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        let find = |is_inner| {
            let mut fields = self.fields.iter();
            fields.find(|field| {
                let is_there = !matches!(field.value, Value::Null | Value::NotFinite);
                field.name == name && field.is_inner == is_inner && is_there
            })
        };
        find(false).or_else(|| find(true)).map(|field| &field.value)
    }

    /// The first field of these that is there.
    pub(super) fn first(&self, names: &[&str]) -> Option<&Value> {
        names.iter().find_map(|name| self.get(name))
    }

    /// True if it has both ends of an edge.
    pub(super) fn is_edge(&self) -> bool {
        match self.get("group") {
            Some(Value::Text(group)) if group == "edges" => true,
            Some(Value::Text(group)) if group == "nodes" => false,
            _ => self.get("source").is_some() && self.get("target").is_some(),
        }
    }

    /// The weight of an edge.
    pub(super) fn weight(&self) -> Result<Weight, String> {
        let is_not_finite = |name: &str| {
            let mut fields = self.fields.iter();
            fields.any(|field| field.name == name && field.value == Value::NotFinite)
        };
        if is_not_finite("weight") || self.get("weight").is_none() && is_not_finite("value") {
            return Err("the weight is NaN or infinite, which is not a number".to_owned());
        }
        if let Some(weight) = self.get("weight") {
            let number = weight.number();
            return number.map(Weight::Some).ok_or_else(|| match weight {
                Value::Text(text) => format!("the weight {} is not a number", quoted(text)),
                _ => "the weight is not a number".to_owned(),
            });
        }
        let second = self.get("value").and_then(Value::number);
        Ok(second.map_or(Weight::None, Weight::Second))
    }

    /// Whether the edge says that it is directed.
    pub(super) fn is_directed(&self) -> Option<bool> {
        match (
            self.get("directed"),
            self.get("undirected"),
            self.get("type"),
        ) {
            (Some(&Value::Flag(directed)), ..) => Some(directed),
            (_, Some(&Value::Flag(undirected)), _) => Some(!undirected),
            (.., Some(Value::Text(kind))) => match kind.to_lowercase().as_str() {
                "directed" => Some(true),
                "undirected" => Some(false),
                _ => None,
            },
            _ => None,
        }
    }
}

fn kept(key: &str) -> Option<&'static str> {
    KEPT.iter().find(|kept| **kept == key).copied()
}
