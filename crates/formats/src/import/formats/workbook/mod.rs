//! Workbooks of Excel (`.xlsx`): a sheet that is a list of arcs, by the rules of lists.
//!
//! The sheet that `book.xlsx:Sheet` names is read, otherwise the first that is called Edges, Links, Arcs or
//! like it, otherwise the first; of several, this is told. A row of the sheet is a line of the list, so
//! that messages name rows. Columns before the first cell of the first two rows do not count. Formulas have
//! the values that were saved; errors such as `#REF!` are empty cells. Numbers that Excel shows as dates
//! are dates ([`styles`]). Rows are read one by one; the texts of the workbook are in memory.

mod cells;
mod sheet;
mod styles;

use self::sheet::Sheet;
use super::super::zipped::{Archive, Member};
use super::xml::{Element, Part, Xml};
use cells::{Shared, Texts};
use std::io::Read;
use std::path::Path;
use styles::Styles;
use webrank_base::error::{Error, Result};
use webrank_base::shown::quoted;

/// A sheet as a list of arcs between commas, and what is to be said about the choice of it.
pub(in crate::import) struct List {
    pub(in crate::import) text: Box<dyn Read + Send>,
    pub(in crate::import) assumed: Option<String>,
}

/// Opens a sheet of the workbook in `file`, the first one if none is named.
///
/// # Errors
/// If the file is no workbook, or has no such sheet.
pub(in crate::import) fn open(file: &Path, sheet: Option<&str>) -> Result<List> {
    let mut archive = Archive::open(file)?;
    let Book {
        sheets,
        is_from_1904,
    } = Book::read(&mut archive, file)?;
    let names: Vec<String> = sheets
        .iter()
        .take(20)
        .map(|(name, _)| quoted(name))
        .collect();
    let names = names.join(", ");
    let chosen = match sheet {
        Some(sheet) => sheets.iter().find(|(name, _)| name == sheet),
        None => {
            let mut links = sheets.iter().filter(|(name, _)| is_of_links(name));
            links.next().or(sheets.first())
        }
    };
    let Some((name, id)) = chosen else {
        let problem = match sheet {
            Some(sheet) => format!("no sheet is called {}; there are {names}", quoted(sheet)),
            None => "the workbook has no sheet".to_owned(),
        };
        return Err(Error::file(file, problem));
    };
    let assumed = (sheet.is_none() && sheets.len() > 1).then(|| {
        let (count, file) = (sheets.len(), file.display());
        let which = match is_of_links(name) {
            true => format!("of {count} sheets, {} is read for its name", quoted(name)),
            false => format!("the first of {count} sheets, {}, is read", quoted(name)),
        };
        format!("{which}; '{file}:SHEET' names another")
    });
    let target = target(&mut archive, file, id)?;
    let texts = match archive.named("xl/sharedStrings.xml")? {
        Some(member) => Texts::read(&member)?,
        None => Texts::default(),
    };
    let styles = match archive.named("xl/styles.xml")? {
        Some(member) => Styles::read(&member, is_from_1904)?,
        None => Styles::default(),
    };
    let xml = xml(&member(&mut archive, file, &target)?)?;
    Ok(List {
        text: Box::new(Sheet::new(xml, Shared { texts, styles })),
        assumed,
    })
}

fn xml(member: &Member) -> Result<Xml> {
    Xml::new(member.path(), Box::new(member.open()?))
}

fn member(archive: &mut Archive, file: &Path, name: &str) -> Result<Member> {
    let found = archive.named(name)?;
    found.ok_or_else(|| Error::file(file, format!("the workbook has no part {}", quoted(name))))
}

/// More sheets than any workbook has.
const MAX_SHEETS: usize = 1 << 16;

/// The workbook's account of its sheets.
#[derive(Default)]
struct Book {
    /// The names of the sheets, and the ids of their parts.
    sheets: Vec<(String, String)>,
    /// Days are counted from 1904, as on old Macs.
    is_from_1904: bool,
}

impl Book {
    fn read(archive: &mut Archive, file: &Path) -> Result<Self> {
        let mut xml = xml(&member(archive, file, "xl/workbook.xml")?)?;
        let mut book = Book::default();
        loop {
            match xml.next()? {
                Part::Start(element)
                    if element.name == "sheet" && book.sheets.len() < MAX_SHEETS =>
                {
                    let id = element.qualified("id").unwrap_or_default().to_owned();
                    let name = element.attribute("name").unwrap_or_default().to_owned();
                    book.sheets.push((name, id));
                }
                Part::Start(element) if element.name == "workbookPr" => {
                    let says = element.attribute("date1904");
                    book.is_from_1904 = matches!(says, Some("1" | "true" | "on"));
                }
                Part::EndOfFile => return Ok(book),
                _ => {}
            }
        }
    }
}

/// True if the name of a sheet says that it holds arcs.
fn is_of_links(name: &str) -> bool {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    let name: String = letters.flat_map(char::to_lowercase).collect();
    let name = ["table", "list"]
        .iter()
        .find_map(|it| name.strip_suffix(it))
        .unwrap_or(&name);
    let known = [
        "edge", "edges", "link", "links", "arc", "arcs", "tie", "ties",
    ];
    known.contains(&name) || ["relations", "connections"].contains(&name)
}

/// The part of the archive that an id means.
fn target(archive: &mut Archive, file: &Path, id: &str) -> Result<String> {
    let mut xml = xml(&member(archive, file, "xl/_rels/workbook.xml.rels")?)?;
    let is_wanted =
        |element: &Element| element.name == "Relationship" && element.attribute("Id") == Some(id);
    loop {
        match xml.next()? {
            Part::Start(element) if is_wanted(&element) => {
                let target = element.attribute("Target").unwrap_or_default();
                // From the root of the archive, or from the folder of the workbook.
                return Ok(match target.strip_prefix('/') {
                    Some(target) => target.to_owned(),
                    None => format!("xl/{target}"),
                });
            }
            Part::EndOfFile => {
                let problem = "the workbook does not say which part of it is the sheet";
                return Err(Error::file(file, problem));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
