//! Rows with an arc each: objects with source and target, or arrays of two or three values; in an array, or
//! one after the other, as in JSON lines. They are read one by one.

use super::super::super::Input;
use super::super::super::columns::{ArcColumns, ColumnChoice, are_of_nodes, is_count, known};
use super::super::super::notes::Note;
use super::super::super::receiver::{Problem, Receiver, settle};
use super::super::edge_list::Direction;
use super::element::{Element, Value};
use super::pull::{Json, Part};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::shown::{quoted, shown};

/// A row.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) line: u64,
    /// Values by key; the keys of arrays are their places from 1.
    pub(super) fields: Vec<(String, Value)>,
    pub(super) is_array: bool,
}

/// The first row of an array; if it is an element of Cytoscape, as that.
pub(super) fn first(json: &mut Json, part: Part) -> Result<(Row, Option<Element>)> {
    let line = json.line();
    if part == Part::OpenArray {
        let part = json.next()?;
        return Ok((values(json, part)?, None));
    }
    let mut element = Element::new(line);
    let mut row = Row {
        line,
        ..Row::default()
    };
    let mut is_element = false;
    while json.next()? == Part::Key {
        let key = json.text().to_owned();
        let first = json.next()?;
        match first {
            Part::OpenObject | Part::OpenArray => {
                is_element |= element.field(json, &key, first)? && key == "data";
                row.fields.push((key, Value::Nested));
            }
            first => {
                let value = Value::read(json, first)?;
                element.keep(&key, value.clone());
                row.fields.push((key, value));
            }
        }
    }
    Ok((row, is_element.then_some(element)))
}

/// The row of an array whose first part was read.
pub(super) fn values(json: &mut Json, mut part: Part) -> Result<Row> {
    let mut row = Row {
        line: json.line(),
        is_array: true,
        ..Row::default()
    };
    while part != Part::CloseArray {
        let value = Value::read(json, part)?;
        if row.fields.len() == MOST {
            return Err(json.wrong_at(row.line, "a row of more than 1000 values is no arc"));
        }
        row.fields.push(((row.fields.len() + 1).to_string(), value));
        part = json.next()?;
    }
    Ok(row)
}

/// The most values of a row.
const MOST: usize = 1000;

/// Rows, of which the first was read.
struct Rows {
    json: Json,
    first: Option<Row>,
    is_in_array: bool,
    /// The keys of source, target and perhaps weight.
    keys: Vec<String>,
    has_weight: bool,
    /// The key that says whether an arc has a direction.
    direction: Option<String>,
    unused: Vec<String>,
    /// The user says which values are arcs.
    is_chosen: bool,
}

/// Finds source, target and weight in the first row.
///
/// # Errors
/// If it is no arc.
pub(super) fn open(
    json: Json,
    first: Row,
    is_in_array: bool,
    choice: &ColumnChoice,
) -> Result<Input> {
    let is_single = |value: &Value| !matches!(value, Value::Nested);
    let header = first.fields.iter().filter(|(_, value)| is_single(value));
    let header: Vec<&str> = header.map(|(key, _)| key.as_str()).collect();
    let columns = columns(&first, &header, choice);
    let columns = columns.map_err(|problem| json.wrong_at(first.line, problem))?;
    let all = [
        Some(columns.source),
        Some(columns.target),
        columns.weight,
        columns.direction,
    ];
    let all: Vec<usize> = all.into_iter().flatten().collect();
    let key = |column: usize| header[column].to_owned();
    let keys = all.iter().copied().map(key).collect();
    let unused = (0..header.len()).filter(|column| !all.contains(column));
    let unused = unused.map(|column| header[column].to_owned()).collect();
    let rows = Rows {
        json,
        is_in_array,
        keys,
        has_weight: columns.weight.is_some(),
        direction: columns.direction.map(key),
        unused,
        is_chosen: choice.columns.is_some(),
        first: Some(first),
    };
    Ok(Input {
        weighted: columns.weight.is_some(),
        is_directed: true,
        is_numbered: false,
        read: Box::new(move |to| rows.read(to)),
    })
}

fn columns(first: &Row, header: &[&str], choice: &ColumnChoice) -> Result<ArcColumns, String> {
    if let Some(wanted) = &choice.columns {
        return choice.chosen(wanted, header);
    }
    let weight = |weight: Option<usize>| weight.filter(|_| !choice.unweighted);
    if let Some(columns) = known(header).filter(|_| !first.is_array) {
        let value = |column: usize| {
            let fields = &mut first.fields.iter();
            fields
                .find(|(key, _)| key == header[column])
                .map(|(_, it)| it)
        };
        let is_number = |column: usize| value(column).is_some_and(|it| it.number().is_some());
        let counts = || (0..header.len()).find(|&it| is_count(header[it]) && is_number(it));
        let is_direction =
            |it| matches!(value(it), Some(Value::Text(word)) if Direction::of(word).is_ok());
        return Ok(ArcColumns {
            weight: weight(columns.weight.or_else(counts)),
            direction: columns.direction.filter(|&it| is_direction(it)),
            ..columns
        });
    }
    let has_weight = header.len() == 3 && first.fields[2].1.number().is_some();
    if first.is_array && (header.len() == 2 || has_weight) {
        return Ok(ArcColumns {
            weight: weight(has_weight.then_some(2)),
            ..ArcColumns::default()
        });
    }
    let keys: Vec<String> = header.iter().take(10).map(|key| quoted(key)).collect();
    let what = match first.is_array {
        true => format!("an array of {} values", first.fields.len()),
        false if first.fields.is_empty() => "an object without fields".to_owned(),
        false if keys.is_empty() => "an object that holds only lists and objects".to_owned(),
        false => format!("an object with the fields {}", keys.join(", ")),
    };
    let example = match header {
        [source, target] if !are_of_nodes(header) => format!("{},{}", shown(source), shown(target)),
        _ => "source,target".to_owned(),
    };
    Err(format!(
        "which values are an arc? there is {what}, and no lists 'nodes' and 'edges' (or 'links'); say \
         so, as in --columns {example}"
    ))
}

impl Rows {
    fn read(mut self, to: &mut dyn Receiver) -> Result<()> {
        if !self.unused.is_empty() {
            let shown: Vec<String> = self.unused.iter().take(10).map(|key| quoted(key)).collect();
            let text = format!("fields not used: {}", shown.join(", "));
            to.note(Note::left_out("columns", 0, text));
        }
        let used: Vec<String> = self.keys.iter().map(|key| shown(key)).collect();
        let text = format!("fields {}", used.join(", "));
        to.note(Note::understood("list", text));
        let mut row = self.first.take();
        let mut is_first = true;
        while let Some(this) = row {
            let given = self.give(&this, to);
            settle(given, to, |problem| self.json.wrong_at(this.line, problem))?;
            row = self.next()?;
            if row.is_none() && this.is_array && !self.is_in_array && is_first && !self.is_chosen {
                let problem =
                    "a single list of values, which is no graph; [[1, 2]] is one of an arc";
                return Err(self.json.wrong_at(this.line, problem));
            }
            is_first = false;
        }
        Ok(())
    }

    /// The next row.
    fn next(&mut self) -> Result<Option<Row>> {
        match self.json.next()? {
            Part::End => Ok(None),
            Part::CloseArray if self.is_in_array => match self.json.next()? {
                Part::End => Ok(None),
                _ => Err(self.json.wrong("something after the end of the array")),
            },
            Part::OpenObject => {
                let mut row = Row {
                    line: self.json.line(),
                    ..Row::default()
                };
                while self.json.next()? == Part::Key {
                    let place = self.keys.iter().position(|key| key == self.json.text());
                    let first = self.json.next()?;
                    match place {
                        None => self.json.skip(first)?,
                        Some(place) => {
                            let value = Value::read(&mut self.json, first)?;
                            row.fields.push((self.keys[place].clone(), value));
                        }
                    }
                }
                Ok(Some(row))
            }
            Part::OpenArray => {
                let part = self.json.next()?;
                values(&mut self.json, part).map(Some)
            }
            _ => Err(self
                .json
                .wrong("a row that is neither an object nor an array")),
        }
    }

    fn give(&self, row: &Row, to: &mut dyn Receiver) -> Result<(), Problem> {
        let value = |place: usize| {
            let key = &self.keys[place];
            // The last of equal keys counts.
            let found = row.fields.iter().rev().find(|(other, _)| other == key);
            found.map(|(_, value)| value)
        };
        let mut end = |place: usize| -> Result<Node, Problem> {
            match value(place) {
                Some(Value::Text(text)) => to.key(text),
                Some(number @ Value::Number(text)) => match text.parse::<i64>() {
                    Ok(integer) => to.integer(integer),
                    Err(_) => to.key(&number.id().map_or_else(|| text.into(), |(id, _)| id)),
                },
                Some(Value::Null) | None => {
                    Err(format!("no value {}", quoted(&self.keys[place])).into())
                }
                Some(_) => {
                    let key = quoted(&self.keys[place]);
                    Err(format!("the value {key} is neither a text nor a number").into())
                }
            }
        };
        let (source, target) = (end(0)?, end(1)?);
        let weight = match self.has_weight {
            false => 1.0,
            true => value(2)
                .and_then(Value::number)
                .ok_or_else(|| format!("the value {} is not a number", quoted(&self.keys[2])))?,
        };
        let direction = match &self.direction {
            None => Direction::Directed,
            Some(key) => match value(self.keys.len() - 1) {
                Some(Value::Text(word)) => Direction::of(word)?,
                _ => return Err(format!("no text {}", quoted(key)).into()),
            },
        };
        direction.give(to, source, target, weight)
    }
}
