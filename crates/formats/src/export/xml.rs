//! GraphML and GEXF. The name of a node is its identifier in GraphML, and its label in GEXF.
//!
//! Sources: Brandes, Eiglsperger, Herman, Himsolt and Marshall, GraphML Progress Report, 2002;
//! GEXF 1.3, <https://gexf.net>.

use super::{Exported, Failure, Written, score};
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

    fn data(&mut self, key: &str, value: f64) -> Written {
        self.open("data", &[("key", key.into())])?;
        let text = number(value);
        self.0.write_event(Event::Text(BytesText::new(&text)))?;
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

/// A node as the value of an attribute.
fn escaped<'a>(graph: &Exported<'a>, node: Node) -> Result<Cow<'a, str>, Failure> {
    let label: Cow<'a, str> = match graph.names {
        Some(name) => Cow::Borrowed(name(node)),
        None => Cow::Owned(node.to_string()),
    };
    let is_allowed =
        |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..) && !matches!(c, '\u{fffe}' | '\u{ffff}');
    if !label.chars().all(is_allowed) {
        let problem = format!(
            "the name {} of node {node} has a character that XML cannot hold; write another format",
            quoted(&label)
        );
        return Err(Error::Rows { problem }.into());
    }
    if !label.contains(['&', '<', '>', '"', '\'', '\t', '\n', '\r']) {
        return Ok(label);
    }
    // Readers turn white space in attributes into blanks, unless it is written as a number.
    let text = quick_xml::escape::escape(&*label);
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
    for (is_there, name, of) in [
        (graph.scores.is_some(), "score", "node"),
        (graph.weights.is_some(), "weight", "edge"),
    ] {
        if is_there {
            xml.empty(
                "key",
                &[
                    ("id", name.into()),
                    ("for", of.into()),
                    ("attr.name", name.into()),
                    ("attr.type", "double".into()),
                ],
            )?;
        }
    }
    xml.open("graph", &[("edgedefault", "directed".into())])?;
    for node in 0..graph.num_nodes() as Node {
        let id = [("id", escaped(graph, node)?)];
        match score(graph, node) {
            None => xml.empty("node", &id)?,
            Some(score) => {
                xml.open("node", &id)?;
                xml.data("score", score)?;
                xml.close("node")?;
            }
        }
    }
    graph.each_arc(|source, target, weight| {
        let ends = [
            ("source", escaped(graph, source)?),
            ("target", escaped(graph, target)?),
        ];
        match weight {
            None => xml.empty("edge", &ends),
            Some(weight) => {
                xml.open("edge", &ends)?;
                xml.data("weight", weight)?;
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
    if graph.scores.is_some() {
        xml.open("attributes", &[("class", "node".into())])?;
        let (title, kind) = (("title", "score".into()), ("type", "double".into()));
        xml.empty("attribute", &[("id", "0".into()), title, kind])?;
        xml.close("attributes")?;
    }
    xml.open("nodes", &[])?;
    for node in 0..graph.num_nodes() as Node {
        let id = [
            ("id", node.to_string().into()),
            ("label", escaped(graph, node)?),
        ];
        match score(graph, node) {
            None => xml.empty("node", &id)?,
            Some(score) => {
                xml.open("node", &id)?;
                xml.open("attvalues", &[])?;
                let value = ("value", number(score).into());
                xml.empty("attvalue", &[("for", "0".into()), value])?;
                xml.close("attvalues")?;
                xml.close("node")?;
            }
        }
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
