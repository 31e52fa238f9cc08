//! A table as `mysqldump` and `mariadb-dump` write it: comments, a `CREATE TABLE`, and rows in statements
//! `INSERT INTO ... VALUES`, on lines of any length.
//!
//! Read are the names of the columns and the rows. Left out are keys, types and all other statements.
//! A dump that begins with the comment of these programs must end with theirs, too: otherwise it is
//! cut off.

use super::row::{self, Field, blanks};
use super::script::{Notes, next_statement, skip, whole};
use super::statement::{self, Statement, Table};
use super::window::{LONGEST, Window};
use std::borrow::Cow;
use std::path::Path;
use webrank_base::error::{Error, Result};
use webrank_base::shown::{quoted, shown};
use webrank_tables::text::checksums::Checksums;

/// A dump of one table, read row by row.
pub struct Dump {
    window: Window,
    table: Table,
    notes: Notes,
    /// Where each column of the table is in the rows of this statement.
    positions: Vec<Option<usize>>,
    /// How many values its rows have.
    width: usize,
    state: State,
    fields: Vec<Field>,
    /// The length of the row that was given last.
    used: usize,
    rows: u64,
}

/// The part that comes next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// A statement.
    Statement,
    /// The first row of a statement.
    First,
    /// The text between two rows, or the end of the statement.
    Next,
}

/// A row of a table.
pub struct DumpRow<'a> {
    dump: &'a Dump,
    bytes: &'a [u8],
}

impl Dump {
    /// The dump of a table in a file, compressed or not. The checksum is noted at the end.
    ///
    /// # Errors
    /// If the file cannot be read, or if no table begins there.
    pub fn open(path: &Path, checksums: &Checksums) -> Result<Self> {
        let mut window = Window::open(path, checksums)?;
        let mut notes = Notes::default();
        let mut read = 0;
        loop {
            let found = next_statement(&mut window, &mut notes, &mut read)?;
            match found {
                Some(Statement::Create) => break,
                Some(Statement::Other) if read <= LONGEST => read += skip(&mut window)?,
                _ => {
                    let problem = "is no dump of a table: no CREATE TABLE comes before rows";
                    return Err(Error::file(path, problem));
                }
            }
        }
        let length = whole(&mut window)?;
        let table = statement::table(&window.rest()[..length]);
        let table = table.map_err(|problem| Error::file(path, problem))?;
        window.advance(length);
        Ok(Dump {
            window,
            notes,
            positions: (0..table.columns.len()).map(Some).collect(),
            width: table.columns.len(),
            table,
            state: State::Statement,
            fields: Vec::new(),
            used: 0,
            rows: 0,
        })
    }

    /// The name of the table.
    pub fn table(&self) -> &str {
        &self.table.name
    }

    /// The name of the database, if the dump says it.
    pub fn database(&self) -> Option<&str> {
        self.notes.database.as_deref()
    }

    /// All numbers of rows are below this one, if the table numbers its rows.
    pub fn next_number(&self) -> Option<u64> {
        self.table.next_number
    }

    /// The place of a column, if the table has it.
    pub fn find(&self, column: &str) -> Option<usize> {
        self.table.columns.iter().position(|it| it == column)
    }

    /// The place of a column.
    ///
    /// # Errors
    /// If the table does not have it.
    pub fn column(&self, column: &str) -> Result<usize> {
        self.find(column).ok_or_else(|| {
            let table = shown(&self.table.name);
            let problem = format!("the table {table} has no column {column}, as MediaWiki's has");
            self.wrong_file(problem)
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        self.window.path()
    }

    pub(super) fn wrong_file(&self, problem: impl Into<String>) -> Error {
        Error::file(self.window.path(), problem)
    }

    fn wrong(&self, problem: &str) -> Error {
        self.wrong_file(format!("row {}: {problem}", self.rows))
    }

    /// The next row; none at the end.
    ///
    /// # Errors
    /// If the file cannot be read, ends too soon, or holds what is no row of this table.
    pub fn next_row(&mut self) -> Result<Option<DumpRow<'_>>> {
        self.window.advance(std::mem::take(&mut self.used));
        loop {
            match self.state {
                State::Statement => match self.begin_rows()? {
                    true => self.state = State::First,
                    false => return Ok(None),
                },
                State::First => {
                    self.skip_blanks()?;
                    break;
                }
                State::Next => {
                    self.skip_blanks()?;
                    let next = self.window.rest().first().copied();
                    self.window.advance(usize::from(next.is_some()));
                    self.state = match next {
                        Some(b',') => State::First,
                        Some(b';') => State::Statement,
                        None => return Err(self.cut_off()),
                        Some(_) => {
                            return Err(self.wrong("no comma and no semicolon comes behind it"));
                        }
                    };
                }
            }
        }
        self.rows += 1;
        let length = loop {
            match row::parse(self.window.rest(), &mut self.fields) {
                Ok(Some(length)) => break length,
                Ok(None) if self.window.more()? => {}
                Ok(None) => {
                    self.rows -= 1;
                    return Err(self.cut_off());
                }
                Err(problem) => return Err(self.wrong(problem)),
            }
        };
        if self.fields.len() != self.width {
            let (found, expected) = (self.fields.len(), self.width);
            return Err(self.wrong(&format!("{found} values for {expected} columns")));
        }
        self.state = State::Next;
        self.used = length;
        Ok(Some(DumpRow {
            dump: self,
            bytes: &self.window.rest()[..length],
        }))
    }

    #[inline]
    fn skip_blanks(&mut self) -> Result<()> {
        loop {
            let rest = self.window.rest();
            let length = blanks(rest);
            let is_all = length == rest.len();
            self.window.advance(length);
            if !is_all || !self.window.more()? {
                return Ok(());
            }
        }
    }

    /// Goes to the rows of the next statement that has some.
    fn begin_rows(&mut self) -> Result<bool> {
        loop {
            let found = next_statement(&mut self.window, &mut self.notes, &mut 0)?;
            match found {
                Some(Statement::Insert) => break,
                Some(Statement::Other) => {
                    skip(&mut self.window)?;
                }
                Some(Statement::Create) => {
                    let problem = format!(
                        "holds another table behind {}; give a file for each table",
                        quoted(&self.table.name)
                    );
                    return Err(self.wrong_file(problem));
                }
                None if self.notes.is_noted && !self.notes.is_complete => {
                    return Err(self.cut_off());
                }
                None => return Ok(false),
            }
        }
        let head = loop {
            match statement::head(self.window.rest()) {
                Some(head) => break head.map_err(|problem| self.wrong_file(problem))?,
                None if self.window.more()? => {}
                None => return Err(self.cut_off()),
            }
        };
        if head.table != self.table.name {
            let problem = format!(
                "holds rows of {}, but its CREATE TABLE is that of {}",
                quoted(&head.table),
                quoted(&self.table.name)
            );
            return Err(self.wrong_file(problem));
        }
        let columns = head.columns.as_ref().unwrap_or(&self.table.columns);
        let place = |column| columns.iter().position(|it| it == column);
        self.positions = self.table.columns.iter().map(place).collect();
        self.width = columns.len();
        self.window.advance(head.length);
        Ok(true)
    }

    fn cut_off(&self) -> Error {
        let rows = self.rows;
        self.wrong_file(format!("is cut off behind row {rows}; copy it again"))
    }
}

impl DumpRow<'_> {
    fn field(&self, column: usize) -> Result<Field> {
        let dump = self.dump;
        let position = dump.positions.get(column).copied().flatten();
        let field = position.and_then(|position| dump.fields.get(position));
        field.copied().ok_or_else(|| {
            let name = shown(&dump.table.columns[column]);
            dump.wrong(&format!("its statement leaves the column {name} out"))
        })
    }

    /// How many columns the table has.
    pub fn num_columns(&self) -> usize {
        self.dump.table.columns.len()
    }

    /// The whole number in a column; none for NULL.
    ///
    /// # Errors
    /// If something else is there.
    #[inline]
    pub fn integer(&self, column: usize) -> Result<Option<i64>> {
        let field = self.field(column)?;
        if let Some(integer) = field.integer(self.bytes) {
            return Ok(Some(integer));
        }
        match field.is_null() {
            true => Ok(None),
            false => Err(self.wrong_column(column, "holds no whole number")),
        }
    }

    /// The number from 0 in a column.
    ///
    /// # Errors
    /// If something else is there, or NULL.
    #[inline]
    pub fn number(&self, column: usize) -> Result<u64> {
        let integer = self.integer(column)?;
        let number = integer.and_then(|integer| u64::try_from(integer).ok());
        number.ok_or_else(|| self.wrong_column(column, "holds no number from 0"))
    }

    /// The whole number in a column.
    ///
    /// # Errors
    /// If something else is there, or NULL.
    pub fn signed(&self, column: usize) -> Result<i64> {
        let integer = self.integer(column)?;
        integer.ok_or_else(|| self.wrong_column(column, "holds no whole number"))
    }

    /// The text in a column; none for NULL.
    ///
    /// # Errors
    /// If its bytes are not whole.
    pub fn text(&self, column: usize) -> Result<Option<Cow<'_, [u8]>>> {
        let field = self.field(column)?;
        if field.is_null() {
            return Ok(None);
        }
        let text = field.text(self.bytes);
        let text = text.ok_or_else(|| self.wrong_column(column, "holds half a byte"))?;
        Ok(Some(text))
    }

    /// An error in a column of this row.
    pub fn wrong_column(&self, column: usize, problem: &str) -> Error {
        let name = shown(&self.dump.table.columns[column]);
        self.dump.wrong(&format!("the column {name} {problem}"))
    }

    /// An error in this row.
    pub fn wrong(&self, problem: &str) -> Error {
        self.dump.wrong(problem)
    }
}
