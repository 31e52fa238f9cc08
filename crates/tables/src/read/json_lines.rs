//! JSON lines: an object in each line, all with the fields of the first, in any order.

use super::cells::{Cell, Extent, Problem, TableFile, Visit};
use super::size::lines;
use super::text::LineStarts;
use crate::text::records::Records;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use std::fmt;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::shown::quoted;

/// An open file; its first line has been read.
pub struct JsonLines {
    path: PathBuf,
    records: Records,
    header: Vec<String>,
    first: Option<Object>,
    lines: LineStarts,
}

/// The fields of a line, in its order.
struct Object(Vec<(String, Value)>);

impl JsonLines {
    /// Reads the header.
    pub fn open(path: &Path, records: Records) -> Result<Self> {
        let mut file = JsonLines {
            path: path.to_owned(),
            records: records.whole_lines(),
            header: Vec::new(),
            first: None,
            lines: LineStarts::default(),
        };
        file.first = file.next(0)?;
        if let Some(Object(fields)) = &file.first {
            file.header = fields.iter().map(|(name, _)| name.clone()).collect();
        }
        let mut names: Vec<&String> = file.header.iter().collect();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            let problem = format!("the field {} occurs twice", quoted(pair[0]));
            return Err(file.wrong(0, problem));
        }
        Ok(file)
    }

    fn next(&mut self, row: usize) -> Result<Option<Object>> {
        if !self.records.advance()? {
            return Ok(None);
        }
        let record = self.records.record();
        self.lines.push(row, record.line());
        let object = serde_json::from_str(record.text(0)?);
        object.map(Some).map_err(|problem| {
            // The line is that of the file, not of the text of one line.
            let problem = problem.to_string();
            let problem = problem.split(" at line ").next().unwrap_or_default();
            record.wrong(format!("not a JSON object: {problem}"))
        })
    }
}

impl TableFile for JsonLines {
    fn header(&self) -> &[String] {
        &self.header
    }

    fn each(&mut self, columns: &[usize], visit: &mut Visit) -> Result<()> {
        let mut row = 0;
        let mut object = self.first.take();
        while let Some(Object(fields)) = object {
            for (place, &column) in columns.iter().enumerate() {
                let name = &self.header[column];
                let find =
                    |(other, value): &(String, Value)| (other == name).then(|| value.clone());
                let in_order = fields.get(column).and_then(find);
                let value = in_order.or_else(|| fields.iter().find_map(find));
                let visited = cell(value.as_ref(), name).and_then(|cell| visit(place, row, cell));
                visited.map_err(|problem| problem.at(|problem| self.wrong(row, problem)))?;
            }
            row += 1;
            object = self.next(row)?;
        }
        Ok(())
    }

    fn extent(self: Box<Self>) -> Result<Extent> {
        let (rows, bytes) = lines(&self.path)?;
        Ok(Extent::even(rows, bytes, self.header.len()))
    }

    fn wrong(&self, row: usize, problem: String) -> Error {
        Error::line(&self.path, self.lines.of(row), problem)
    }
}

fn cell<'v>(value: Option<&'v Value>, name: &str) -> Result<Cell<'v>, Problem> {
    Ok(match value {
        None | Some(Value::Null) => Cell::Missing,
        Some(Value::Bool(flag)) => Cell::Flag(*flag),
        Some(Value::String(text)) => Cell::Text(text),
        Some(Value::Number(number)) => match (number.as_i128(), number.as_f64()) {
            (Some(number), _) => Cell::Integer(number),
            (None, Some(number)) => Cell::Number(number),
            (None, None) => Cell::Missing,
        },
        Some(Value::Array(_) | Value::Object(_)) => {
            let problem = format!("the field {} is nested; write single values", quoted(name));
            return Err(problem.into());
        }
    })
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = Object;

            fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
                out.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Object, M::Error> {
                let mut fields = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    fields.push(entry);
                }
                Ok(Object(fields))
            }
        }

        deserializer.deserialize_map(Fields)
    }
}
