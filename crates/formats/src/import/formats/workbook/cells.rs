//! The values of cells.

use super::super::super::zipped::Member;
use super::super::xml::{Element, Part, Xml};
use super::styles::Styles;
use super::xml;
use webrank_base::error::{Error, Result};
use webrank_base::memory::{free_memory, reserve, reserve_text};

/// The texts that cells share, one after the other, and their ends.
#[derive(Default)]
pub(super) struct Texts {
    all: String,
    ends: Vec<usize>,
}

/// The parts that cells share.
pub(super) struct Shared {
    pub(super) texts: Texts,
    pub(super) styles: Styles,
}

/// Up to so many bytes of texts, free memory is not checked.
const SMALL: usize = 1 << 24;

impl Texts {
    pub(super) fn read(member: &Member) -> Result<Self> {
        let mut xml = xml(member)?;
        let (mut texts, mut checked) = (Texts::default(), SMALL);
        loop {
            match xml.next()? {
                Part::Start(element) if element.name == "si" => {
                    let text = rich_text(&mut xml)?;
                    if texts.all.len() > checked {
                        checked = 2 * texts.all.len();
                        if checked as u64 > free_memory() {
                            return Err(Error::memory("the texts of a workbook", checked as u64));
                        }
                    }
                    reserve_text(&mut texts.all, text.len(), "the texts of a workbook")?;
                    texts.all.push_str(&text);
                    reserve(&mut texts.ends, 1, "the texts of a workbook")?;
                    texts.ends.push(texts.all.len());
                }
                Part::EndOfFile => return Ok(texts),
                _ => {}
            }
        }
    }

    fn get(&self, place: usize) -> Option<&str> {
        let end = *self.ends.get(place)?;
        let start = match place {
            0 => 0,
            _ => self.ends[place - 1],
        };
        Some(&self.all[start..end])
    }
}

/// The text in the element that has begun, without notes on its pronunciation.
fn rich_text(xml: &mut Xml) -> Result<String> {
    let outside = xml.depth - 1;
    let mut text = String::new();
    while xml.depth > outside {
        match xml.next()? {
            Part::Start(element) if element.name == "t" => text += &xml.untrimmed_text()?,
            Part::Start(element) if element.name == "rPh" => xml.skip()?,
            Part::EndOfFile => break,
            _ => {}
        }
    }
    Ok(text)
}

/// The content of a cell.
pub(super) enum Value {
    Empty,
    /// As it is.
    Number(String),
    Text(String),
}

impl Value {
    pub(super) fn is_filled(&self) -> bool {
        !matches!(self, Value::Empty)
    }

    /// Its length in bytes.
    pub(super) fn len(&self) -> usize {
        match self {
            Value::Empty => 0,
            Value::Number(text) | Value::Text(text) => text.len(),
        }
    }

    /// Reads a cell that has begun, up to its end.
    pub(super) fn read(cell: &Element, xml: &mut Xml, shared: &Shared) -> Result<Self> {
        let outside = xml.depth - 1;
        let (mut value, mut inline) = (None, None);
        while xml.depth > outside {
            match xml.next()? {
                Part::Start(element) if element.name == "v" => value = Some(xml.untrimmed_text()?),
                Part::Start(element) if element.name == "is" => inline = Some(rich_text(xml)?),
                Part::Start(_) => xml.skip()?,
                Part::EndOfFile => break,
                _ => {}
            }
        }
        let text = |text: String| match text.is_empty() {
            true => Value::Empty,
            false => Value::Text(text),
        };
        let Some(value) = value else {
            return Ok(inline.map_or(Value::Empty, text));
        };
        Ok(match cell.attribute("t") {
            Some("s") => {
                let place = value.trim().parse().ok();
                let found = place.and_then(|place: usize| shared.texts.get(place));
                let found =
                    found.ok_or_else(|| xml.wrong("a cell has a text that is not there"))?;
                text(found.to_owned())
            }
            Some("str" | "inlineStr" | "d") => text(value),
            Some("b") => text(if value.trim() == "1" { "TRUE" } else { "FALSE" }.to_owned()),
            Some("e") => Value::Empty,
            _ => match shared.styles.date(cell.attribute("s"), value.trim()) {
                Some(date) => Value::Text(date),
                None => number(value.trim()),
            },
        })
    }
}

/// A number in its shortest form: Excel writes whole ones in all of their digits, or with exponents.
fn number(text: &str) -> Value {
    match text.parse::<f64>() {
        _ if text.is_empty() => Value::Empty,
        Ok(number) if number.fract() == 0.0 && number.abs() < MAX_EXACT => {
            Value::Number((number as i64).to_string())
        }
        Ok(number) if number.is_finite() => Value::Number(number.to_string()),
        _ => Value::Text(text.to_owned()),
    }
}

/// Whole numbers below are exact.
const MAX_EXACT: f64 = (1u64 << 53) as f64;
