//! GraphML and GEXF. The name of a node is its identifier in GraphML, and its label in GEXF.
//!
//! Sources: Brandes, Eiglsperger, Herman, Himsolt and Marshall, GraphML Progress Report, 2002;
//! GEXF 1.3, <https://gexf.net>.

use super::attributes::{Value, kind};
use super::{Exported, Failure, Written};
use quick_xml::Writer;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use quick_xml::name::QName;
use std::borrow::Cow;
use std::io::Write;
use webrank_base::Node;
use webrank_base::error::Error;
use webrank_base::shown::quoted;

/// An XML file that grows.
struct Xml<'w>(Writer<&'w mut (dyn Write + Send)>);

/// Attributes by name; values are escaped.
type Attributes<'a> = [(&'a str, Cow<'a, str>)];

impl<'w> Xml<'w> {
    fn new(out: &'w mut (dyn Write + Send)) -> Result<Self, Failure> {
        let mut xml = Xml(Writer::new_with_indent(out, b' ', 1));
        let declaration = BytesDecl::new("1.0", Some("UTF-8"), None);
        xml.0.write_event(Event::Decl(declaration))?;
        Ok(xml)
    }

    fn tag<'a>(name: &'a str, attributes: &'a Attributes) -> BytesStart<'a> {
        let mut tag = BytesStart::new(name);
        for (key, value) in attributes {
            tag.push_attribute(Attribute {
                key: QName(key),
                value: Cow::Borrowed(value),
            });
        }
        tag
    }

    fn open(&mut self, name: &str, attributes: &Attributes) -> Written {
        self.0
            .write_event(Event::Start(Self::tag(name, attributes)))?;
        Ok(())
    }

    fn close(&mut self, name: &str) -> Written {
        self.0.write_event(Event::End(BytesEnd::new(name)))?;
        Ok(())
    }

    fn empty(&mut self, name: &str, attributes: &Attributes) -> Written {
        self.0
            .write_event(Event::Empty(Self::tag(name, attributes)))?;
        Ok(())
    }

    /// The element `data` with an escaped text.
    fn data(&mut self, key: &str, value: &str) -> Written {
        self.open("data", &[("key", key.into())])?;
        let text = BytesText::from_escaped(value);
        self.0.write_event(Event::Text(text))?;
        self.close("data")
    }

    fn finish(mut self) -> Written {
        self.0.get_mut().write_all(b"\n")?;
        Ok(())
    }
}

fn number(value: f64) -> String {
    ryu::Buffer::new().format(value).to_owned()
}

/// A node as the value of an XML attribute.
fn node_id<'a>(graph: &Exported<'a>, node: Node) -> Result<Cow<'a, str>, Failure> {
    match graph.names {
        Some(name) => escaped(name(node).into(), "name", node),
        None => Ok(node.to_string().into()),
    }
}

/// An attribute of a node.
fn value_text<'a>(value: Value<'a>, node: Node) -> Result<Cow<'a, str>, Failure> {
    escaped(value.text(), "attribute", node)
}

/// The title of a column.
fn title(name: &str) -> Result<Cow<'_, str>, Failure> {
    escaped(name.into(), "column", 0)
}

/// A text as the value of an XML attribute; `what` it is of a node, for messages.
fn escaped<'a>(text: Cow<'a, str>, what: &str, node: Node) -> Result<Cow<'a, str>, Failure> {
    let is_allowed =
        |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..) && !matches!(c, '\u{fffe}' | '\u{ffff}');
    if !text.chars().all(is_allowed) {
        let problem = format!(
            "the {what} {} of node {node} has a character that XML cannot hold; write another format",
            quoted(&text)
        );
        return Err(Error::Rows { problem }.into());
    }
    if !text.contains(['&', '<', '>', '"', '\'', '\t', '\n', '\r']) {
        return Ok(text);
    }
    // Readers turn white space in attributes into blanks, unless it is written as a number.
    let text = quick_xml::escape::escape(&*text);
    let text = text
        .replace('\t', "&#9;")
        .replace('\n', "&#10;")
        .replace('\r', "&#13;");
    Ok(text.into())
}

pub(super) fn write_graphml(graph: &Exported, out: &mut (dyn Write + Send)) -> Written {
    let mut xml = Xml::new(out)?;
    xml.open(
        "graphml",
        &[("xmlns", "http://graphml.graphdrawing.org/xmlns".into())],
    )?;
    let mut key = |id: &str, of: &'static str, name: &str, kind: &'static str| {
        let (of, name) = (("for", of.into()), ("attr.name", title(name)?));
        xml.empty(
            "key",
            &[("id", id.into()), of, name, ("attr.type", kind.into())],
        )
    };
    let ids: Vec<String> = (0..graph.columns.len()).map(|i| format!("d{i}")).collect();
    let titles = graph.titles(&[]);
    for ((id, title), field) in ids.iter().zip(&titles).zip(&graph.columns) {
        key(id, "node", title, kind(field))?;
    }
    if graph.weights.is_some() {
        key("weight", "edge", "weight", "double")?;
    }
    xml.open("graph", &[("edgedefault", "directed".into())])?;
    for node in 0..graph.num_nodes() as Node {
        let id = [("id", node_id(graph, node)?)];
        let mut attributes = graph.attributes(node).peekable();
        if attributes.peek().is_none() {
            xml.empty("node", &id)?;
            continue;
        }
        xml.open("node", &id)?;
        for (column, value) in attributes {
            xml.data(&ids[column], &value_text(value, node)?)?;
        }
        xml.close("node")?;
    }
    graph.each_arc(|source, target, weight| {
        let ends = [
            ("source", node_id(graph, source)?),
            ("target", node_id(graph, target)?),
        ];
        match weight {
            None => xml.empty("edge", &ends),
            Some(weight) => {
                xml.open("edge", &ends)?;
                xml.data("weight", &number(weight))?;
                xml.close("edge")
            }
        }
    })?;
    xml.close("graph")?;
    xml.close("graphml")?;
    xml.finish()
}

pub(super) fn write_gexf(graph: &Exported, out: &mut (dyn Write + Send)) -> Written {
    let mut xml = Xml::new(out)?;
    xml.open(
        "gexf",
        &[
            ("xmlns", "http://gexf.net/1.3".into()),
            ("version", "1.3".into()),
        ],
    )?;
    xml.open("graph", &[("defaultedgetype", "directed".into())])?;
    if !graph.columns.is_empty() {
        xml.open("attributes", &[("class", "node".into())])?;
        for (i, (name, field)) in graph.titles(&[]).iter().zip(&graph.columns).enumerate() {
            let (name, kind) = (("title", title(name)?), ("type", kind(field).into()));
            xml.empty("attribute", &[("id", i.to_string().into()), name, kind])?;
        }
        xml.close("attributes")?;
    }
    xml.open("nodes", &[])?;
    for node in 0..graph.num_nodes() as Node {
        let id = [
            ("id", node.to_string().into()),
            ("label", node_id(graph, node)?),
        ];
        let mut attributes = graph.attributes(node).peekable();
        if attributes.peek().is_none() {
            xml.empty("node", &id)?;
            continue;
        }
        xml.open("node", &id)?;
        xml.open("attvalues", &[])?;
        for (column, value) in attributes {
            let value = ("value", value_text(value, node)?);
            xml.empty("attvalue", &[("for", column.to_string().into()), value])?;
        }
        xml.close("attvalues")?;
        xml.close("node")?;
    }
    xml.close("nodes")?;
    xml.open("edges", &[])?;
    let mut edge = 0u64;
    graph.each_arc(|source, target, weight| {
        let mut attributes = vec![
            ("id", edge.to_string().into()),
            ("source", source.to_string().into()),
            ("target", target.to_string().into()),
        ];
        edge += 1;
        attributes.extend(weight.map(|weight| ("weight", number(weight).into())));
        xml.empty("edge", &attributes)
    })?;
    for name in ["edges", "graph", "gexf"] {
        xml.close(name)?;
    }
    xml.finish()
}
