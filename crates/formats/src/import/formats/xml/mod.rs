//! Graphs as XML: GraphML and GEXF.
//!
//! [`Xml`] gives elements and texts one by one, none longer than a line of text may be, and not nested
//! deeply. Entities that a file defines are not expanded, but refused. Files may be in any encoding that
//! they name or show ([`encoding`]).

mod encoding;
pub(in crate::import) mod gexf;
pub(in crate::import) mod graphml;
mod ids;

use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::shown::shown;
use webrank_tables::text::input::MAX_LINE;

use ids::Ids;

/// An XML file, read from the start to the end.
pub(super) struct Xml {
    path: PathBuf,
    reader: Reader<Limited>,
    buffer: Vec<u8>,
    pub(super) depth: usize,
}

/// The next part of a file.
pub(super) enum Part {
    /// An element begins; it ends even if it has no content.
    Start(Element),
    /// The innermost element ends.
    End,
    Text(String),
    EndOfFile,
}

/// The name of an element, without its prefix, and its attributes.
pub(super) struct Element {
    pub(super) name: String,
    attributes: Vec<(String, String)>,
}

impl Element {
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        let mut attributes = self.attributes.iter();
        let found = attributes.find(|(attribute, _)| attribute == name);
        found.map(|(_, value)| value.as_str())
    }

    /// An attribute in another name space, whatever its prefix is.
    #[cfg(feature = "zip")]
    pub(super) fn qualified(&self, name: &str) -> Option<&str> {
        let mut attributes = self.attributes.iter();
        let is_it = |attribute: &str| attribute.split_once(':').is_some_and(|(_, it)| it == name);
        attributes
            .find(|(attribute, _)| is_it(attribute))
            .map(|(_, value)| value.as_str())
    }

    /// An attribute that an edge or a node must have.
    fn required(&self, name: &str) -> Result<&str, String> {
        let missing = || format!("an element {} without attribute {name}", shown(&self.name));
        self.attribute(name).ok_or_else(missing)
    }
}

/// The deepest nesting; graphs need five.
const MAX_DEPTH: usize = 100;

impl Xml {
    /// A file that is still at its start.
    pub(super) fn new(path: &Path, input: Box<dyn Read + Send>) -> Result<Self> {
        let path: PathBuf = match path.as_os_str() == "-" {
            true => "standard input".into(),
            false => path.to_owned(),
        };
        let input = encoding::decoded(input);
        let input = input.map_err(|source| Error::io(&path, "cannot read", source))?;
        let input = input.map_err(|encoding| {
            let encoding = shown(&encoding);
            let problem =
                format!("the file is in {encoding}, which is not known; convert it to UTF-8");
            Error::line(&path, 1, problem)
        })?;
        let mut reader = Reader::from_reader(Limited {
            input: BufReader::with_capacity(1 << 16, input),
            line: 1,
            left: MAX_LINE,
        });
        reader.config_mut().expand_empty_elements = true;
        Ok(Xml {
            path,
            reader,
            buffer: Vec::new(),
            depth: 0,
        })
    }

    /// An error where the file was read up to.
    pub(super) fn wrong(&self, problem: impl Into<String>) -> Error {
        Error::line(&self.path, self.reader.get_ref().line, problem)
    }

    pub(super) fn next(&mut self) -> Result<Part> {
        loop {
            self.buffer.clear();
            self.reader.get_mut().left = MAX_LINE;
            let event = self.reader.read_event_into(&mut self.buffer);
            let line = self.reader.get_ref().line;
            let wrong = |problem: &str| Error::line(&self.path, line, shown(problem));
            let part = match event.map_err(|problem| wrong(&problem.to_string()))? {
                Event::Start(start) | Event::Empty(start) => {
                    self.depth += 1;
                    if self.depth > MAX_DEPTH {
                        return Err(wrong("elements are nested too deeply for a graph"));
                    }
                    let element = element(&start);
                    Part::Start(element.map_err(|problem| wrong(&problem))?)
                }
                Event::End(_) => {
                    self.depth = self.depth.saturating_sub(1);
                    Part::End
                }
                Event::Text(text) => Part::Text(text.xml10_content().into_owned()),
                Event::CData(text) => Part::Text(text.xml10_content().into_owned()),
                Event::GeneralRef(reference) => {
                    let character = reference.resolve_char_ref();
                    let character = character.map_err(|problem| wrong(&problem.to_string()))?;
                    let text = match character {
                        Some(character) => Some(character.to_string()),
                        None => resolve_predefined_entity(&reference).map(str::to_owned),
                    };
                    let unknown = || wrong("an entity that is none of XML's own five; expand it");
                    Part::Text(text.ok_or_else(unknown)?)
                }
                Event::Eof if self.depth > 0 => {
                    return Err(wrong("the file ends within an element"));
                }
                Event::Eof => Part::EndOfFile,
                Event::Decl(_) | Event::Comment(_) | Event::PI(_) | Event::DocType(_) => continue,
            };
            return Ok(part);
        }
    }

    /// Skips the rest of the element that has begun.
    pub(super) fn skip(&mut self) -> Result<()> {
        let outside = self.depth - 1;
        while self.depth > outside {
            if matches!(self.next()?, Part::EndOfFile) {
                break;
            }
        }
        Ok(())
    }

    /// The text of the element that has begun, up to its end, without blanks around it.
    fn text(&mut self) -> Result<String> {
        Ok(self.untrimmed_text()?.trim().to_owned())
    }

    /// [`Self::text`] with the blanks around it.
    pub(super) fn untrimmed_text(&mut self) -> Result<String> {
        let outside = self.depth - 1;
        let mut text = String::new();
        while self.depth > outside {
            match self.next()? {
                Part::Text(part) if text.len() + part.len() <= MAX_LINE => text += &part,
                Part::Text(_) => return Err(self.wrong("a text is too long")),
                Part::EndOfFile => break,
                Part::Start(_) | Part::End => {}
            }
        }
        Ok(text)
    }
}

fn element(start: &BytesStart) -> Result<Element, String> {
    let attributes = start.attributes().map(|attribute| {
        let attribute = attribute.map_err(|problem| problem.to_string())?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value = value.map_err(|problem| problem.to_string())?;
        Ok((attribute.key.0.to_owned(), value.into_owned()))
    });
    Ok(Element {
        name: start.local_name().as_ref().to_owned(),
        attributes: attributes.collect::<Result<_, String>>()?,
    })
}

/// Bytes of which only so many are read for one part of the file; counts lines.
struct Limited {
    input: BufReader<Box<dyn Read + Send>>,
    line: u64,
    left: usize,
}

impl Read for Limited {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Limited {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        if self.left == 0 {
            let problem = "a tag or a text is longer than 16 MiB; is this a graph?";
            return Err(std::io::Error::other(problem));
        }
        self.input.fill_buf()
    }

    fn consume(&mut self, bytes: usize) {
        let consumed = &self.input.buffer()[..bytes];
        self.line += memchr::memchr_iter(b'\n', consumed).count() as u64;
        self.left = self.left.saturating_sub(bytes);
        self.input.consume(bytes);
    }
}

#[cfg(test)]
mod tests;
