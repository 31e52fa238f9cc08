//! Tables with all their columns, for [`super::super::join`].

use super::super::keys::Keys;
use super::cells::{Cell, TableFile, check_distinct, push_key, with_point};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::memory::reserve;
use webrank_base::shown::{quoted, shown};

/// A table of which only the header has been read.
pub struct OpenTable {
    pub(super) path: PathBuf,
    /// The file, of which rows are still to be read.
    pub file: Box<dyn TableFile>,
}

/// A table in memory.
pub struct WholeTable {
    /// The key of each row, all different.
    pub keys: Keys,
    /// The other columns, with their headers.
    pub columns: Vec<(String, Entries)>,
}

/// The entries of a column.
pub struct Entries {
    /// One for each row; some value for a row without an entry.
    pub values: Values,
    /// Which rows have an entry; all if `None`.
    pub present: Option<Vec<bool>>,
}

/// Values of one type.
pub enum Values {
    /// Whole numbers from 0.
    Counts(Vec<u32>),
    /// Numbers.
    Numbers(Vec<f64>),
    /// Yes or no.
    Flags(Vec<bool>),
    /// Texts.
    Texts(Keys),
}

impl OpenTable {
    /// The headers.
    pub fn header(&self) -> &[String] {
        self.file.header()
    }

    /// Reads the table; keys are in this column.
    ///
    /// # Errors
    /// If there is no such column, a key occurs twice or is missing, or the file cannot be read.
    pub fn read(mut self, key: &str) -> Result<WholeTable> {
        let header = self.file.header().to_vec();
        let Some(key) = header.iter().position(|name| name == key) else {
            let names: Vec<_> = header.iter().take(20).map(|name| shown(name)).collect();
            let (key, names) = (quoted(key), names.join(", "));
            let problem = format!("no column {key}; there are {names}");
            return Err(Error::file(&self.path, problem));
        };
        let mut keys = Keys::default();
        let mut columns: Vec<Builder> = header.iter().map(|_| Builder::default()).collect();
        let all: Vec<usize> = (0..header.len()).collect();
        self.file.each(&all, &mut |column, _, cell| {
            if column == key {
                return push_key(&mut keys, cell, &header[key]);
            }
            match cell {
                Cell::CommaDecimal(text) if header[column] != "name" => {
                    Ok(columns[column].push(Cell::Text(&with_point(text)))?)
                }
                cell => Ok(columns[column].push(cell)?),
            }
        })?;
        check_distinct(&keys, self.file.as_ref())?;
        let is_typed = self.file.is_typed();
        let named = header.into_iter().zip(columns).enumerate();
        let others = named.filter(|(column, _)| *column != key);
        let columns = others.map(|(_, (name, column))| {
            let mut entries = column.finish();
            // Names may look like numbers.
            if !is_typed && name != "name" {
                entries.infer();
            }
            (name, entries)
        });
        Ok(WholeTable {
            columns: columns.collect(),
            keys,
        })
    }
}

impl Entries {
    /// The entry of a row as text, if there is one.
    pub fn text(&self, row: usize) -> Option<Cow<'_, str>> {
        let is_present = self.present.as_ref().is_none_or(|present| present[row]);
        is_present.then(|| self.values.text(row))
    }

    /// Gives texts the type that all of them look like.
    pub(crate) fn infer(&mut self) {
        let Values::Texts(texts) = &self.values else {
            return;
        };
        let rows = || (0..texts.len()).filter(|&row| self.text(row).is_some());
        let all = |is: fn(&str) -> bool| rows().all(|row| is(texts.get(row)));
        let values = if all(|text| count(text).is_some()) {
            let counts = texts.iter().map(|text| count(text).unwrap_or_default());
            Values::Counts(counts.collect())
        } else if all(|text| number(text).is_some()) {
            let numbers = texts.iter().map(|text| number(text).unwrap_or_default());
            Values::Numbers(numbers.collect())
        } else if all(|text| matches!(text, "true" | "false")) {
            Values::Flags(texts.iter().map(|text| text == "true").collect())
        } else {
            return;
        };
        self.values = values;
    }
}

/// A whole number as it would be written.
fn count(text: &str) -> Option<u32> {
    let count: u32 = text.parse().ok()?;
    (itoa::Buffer::new().format(count) == text).then_some(count)
}

/// A number that a double holds; long numbers without a point, such as identifiers, are none.
fn number(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_identifier = digits.len() > 15 || digits.len() > 1 && digits.starts_with('0');
    if is_whole && is_identifier {
        return None;
    }
    text.parse().ok()
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Values::Counts(values) => values.len(),
            Values::Numbers(values) => values.len(),
            Values::Flags(values) => values.len(),
            Values::Texts(values) => values.len(),
        }
    }

    fn text(&self, row: usize) -> Cow<'_, str> {
        match self {
            Values::Counts(values) => values[row].to_string().into(),
            Values::Numbers(values) => ryu::Buffer::new().format(values[row]).to_owned().into(),
            Values::Flags(values) => values[row].to_string().into(),
            Values::Texts(values) => values.get(row).into(),
        }
    }
}

/// A column that grows; its type follows from its cells.
#[derive(Default)]
struct Builder {
    values: Option<Values>,
    present: Vec<bool>,
    lacks_some: bool,
}

impl Builder {
    fn push(&mut self, cell: Cell) -> Result<()> {
        let cell = match cell {
            Cell::Decimal(..) => cell.number().map_or(Cell::Missing, Cell::Number),
            Cell::CommaDecimal(text) => Cell::Text(text),
            cell => cell,
        };
        reserve(&mut self.present, 1, "a table")?;
        self.present.push(cell != Cell::Missing);
        if cell == Cell::Missing {
            self.lacks_some = true;
            return self.fill();
        }
        if self.values.is_none() {
            self.values = Some(match cell {
                Cell::Integer(number) if u32::try_from(number).is_ok() => {
                    Values::Counts(Vec::new())
                }
                Cell::Integer(number) if is_exact(number) => Values::Numbers(Vec::new()),
                Cell::Number(_) => Values::Numbers(Vec::new()),
                Cell::Flag(_) => Values::Flags(Vec::new()),
                _ => Values::Texts(Keys::default()),
            });
            let earlier = self.present.len() - 1;
            for _ in 0..earlier {
                self.fill()?;
            }
        }
        self.widen(cell)?;
        match (self.values.as_mut().expect("it was set"), cell) {
            (Values::Counts(values), Cell::Integer(number)) => add(values, number as u32),
            (Values::Numbers(values), Cell::Integer(number)) => add(values, number as f64),
            (Values::Numbers(values), Cell::Number(number)) => add(values, number),
            (Values::Flags(values), Cell::Flag(flag)) => add(values, flag),
            (Values::Texts(values), Cell::Text(text)) => values.push(text),
            (Values::Texts(values), Cell::Integer(number)) => values.push(&number.to_string()),
            (Values::Texts(values), Cell::Number(number)) => {
                values.push(ryu::Buffer::new().format(number))
            }
            (Values::Texts(values), Cell::Flag(flag)) => values.push(&flag.to_string()),
            _ => unreachable!("the type was widened"),
        }
    }

    /// A value for a row without an entry.
    fn fill(&mut self) -> Result<()> {
        match &mut self.values {
            None => Ok(()),
            Some(Values::Counts(values)) => add(values, 0),
            Some(Values::Numbers(values)) => add(values, 0.0),
            Some(Values::Flags(values)) => add(values, false),
            Some(Values::Texts(values)) => values.push(""),
        }
    }

    /// Takes a type that holds the values so far and this cell.
    fn widen(&mut self, cell: Cell) -> Result<()> {
        let fits = match (self.values.as_ref().expect("it was set"), cell) {
            (Values::Counts(_), Cell::Integer(number)) => u32::try_from(number).is_ok(),
            (Values::Numbers(_), Cell::Integer(number)) => is_exact(number),
            (Values::Numbers(_), Cell::Number(_))
            | (Values::Flags(_), Cell::Flag(_))
            | (Values::Texts(_), _) => true,
            _ => false,
        };
        if fits {
            return Ok(());
        }
        let values = self.values.take().expect("it was set");
        let to_number = match cell {
            Cell::Number(_) => true,
            Cell::Integer(number) => is_exact(number),
            _ => false,
        };
        self.values = Some(match values {
            Values::Counts(counts) if to_number => {
                Values::Numbers(counts.into_iter().map(f64::from).collect())
            }
            values => {
                let mut texts = Keys::default();
                for row in 0..values.len() {
                    texts.push(&values.text(row))?;
                }
                Values::Texts(texts)
            }
        });
        Ok(())
    }

    fn finish(mut self) -> Entries {
        if self.values.is_none() {
            self.values = Some(Values::Numbers(vec![0.0; self.present.len()]));
        }
        Entries {
            values: self.values.expect("it was set"),
            present: self.lacks_some.then_some(self.present),
        }
    }
}

fn add<T>(values: &mut Vec<T>, value: T) -> Result<()> {
    reserve(values, 1, "a table")?;
    values.push(value);
    Ok(())
}

/// True for numbers that a double holds.
fn is_exact(number: i128) -> bool {
    number.unsigned_abs() <= 1 << 53
}

/// Opens a table; its rows are read later.
///
/// # Errors
/// If the file cannot be read, or is in no format of tables.
pub fn open_table(path: &Path) -> Result<OpenTable> {
    Ok(OpenTable {
        path: path.to_owned(),
        file: super::open(path)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(cells: &[Cell]) -> Entries {
        let mut builder = Builder::default();
        cells.iter().for_each(|&cell| builder.push(cell).unwrap());
        builder.finish()
    }

    #[test]
    fn a_column_takes_the_type_of_all_its_cells() {
        use Cell::{Flag, Integer, Missing, Number, Text};
        let texts = |cells: &[Cell]| {
            let entries = column(cells);
            let kind = match entries.values {
                Values::Counts(_) => 'c',
                Values::Numbers(_) => 'n',
                Values::Flags(_) => 'f',
                Values::Texts(_) => 't',
            };
            let rows = (0..cells.len()).map(|row| entries.text(row).unwrap_or("-".into()));
            format!("{kind} {}", rows.collect::<Vec<_>>().join(" "))
        };
        for (cells, expected) in [
            (&[Integer(1), Missing, Integer(7)][..], "c 1 - 7"),
            (&[Missing, Integer(1), Number(0.5)], "n - 1.0 0.5"),
            (&[Integer(1), Integer(-1)], "n 1.0 -1.0"),
            (&[Integer(1), Integer(1 << 60)], "t 1 1152921504606846976"),
            (&[Flag(true), Missing], "f true -"),
            (&[Flag(true), Integer(3)], "t true 3"),
            (&[Number(0.5), Text("x")], "t 0.5 x"),
            (&[Missing, Missing], "n - -"),
        ] {
            assert_eq!(texts(cells), expected);
        }
    }

    #[test]
    fn texts_take_the_type_that_they_look_like() {
        for (texts, expected) in [
            (&["1", "20"][..], 'c'),
            (&["1", "-2"], 'n'),
            (&["1", "2e300", "inf"], 'n'),
            (&["007", "8"], 't'),
            (&["12345678901234567890"], 't'),
            (&["1.0", "1.0.1"], 't'),
            (&["true", "false"], 'f'),
        ] {
            let cells: Vec<Cell> = texts.iter().map(|text| Cell::Text(text)).collect();
            let mut entries = column(&cells);
            entries.infer();
            let kind = match entries.values {
                Values::Counts(_) => 'c',
                Values::Numbers(_) => 'n',
                Values::Flags(_) => 'f',
                Values::Texts(_) => 't',
            };
            assert_eq!(kind, expected, "{texts:?}");
        }
    }
}
