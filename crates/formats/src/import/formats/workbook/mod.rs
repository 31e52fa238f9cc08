//! Workbooks of Excel (`.xlsx`): a sheet that is a list of arcs, by the rules of lists.
//!
//! The first sheet is read, or the one that `book.xlsx:Sheet` names; of several, this is told. A row of
//! the sheet is a line of the list, so that messages name rows. Columns before the first cell of the
//! first row do not count. Of formulas, the values that were saved are read; errors such as `#REF!` are
//! empty cells. Rows are read one by one; the texts of the workbook are in memory.

mod cells;
mod sheet;

use self::sheet::Sheet;
use super::super::zipped::{Archive, Member};
use super::xml::{Element, Part, Xml};
use cells::Texts;
use std::io::Read;
use std::path::Path;
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
    let sheets = sheets(&mut archive, file)?;
    let names: Vec<String> = sheets
        .iter()
        .take(20)
        .map(|(name, _)| quoted(name))
        .collect();
    let names = names.join(", ");
    let chosen = match sheet {
        Some(sheet) => sheets.iter().find(|(name, _)| name == sheet),
        None => sheets.first(),
    };
    let Some((name, id)) = chosen else {
        let problem = match sheet {
            Some(sheet) => format!("no sheet is called {}; there are {names}", quoted(sheet)),
            None => "the workbook has no sheet".to_owned(),
        };
        return Err(Error::file(file, problem));
    };
    let assumed = (sheet.is_none() && sheets.len() > 1).then(|| {
        let (count, name, file) = (sheets.len(), quoted(name), file.display());
        format!("the first of {count} sheets, {name}, is read; '{file}:SHEET' names another")
    });
    let target = target(&mut archive, file, id)?;
    let texts = match archive.named("xl/sharedStrings.xml")? {
        Some(member) => Texts::read(&member)?,
        None => Texts::default(),
    };
    let xml = xml(&member(&mut archive, file, &target)?)?;
    Ok(List {
        text: Box::new(Sheet::new(xml, texts)),
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

/// The names of the sheets, and the ids of their parts.
fn sheets(archive: &mut Archive, file: &Path) -> Result<Vec<(String, String)>> {
    let mut xml = xml(&member(archive, file, "xl/workbook.xml")?)?;
    let mut sheets = Vec::new();
    loop {
        match xml.next()? {
            Part::Start(element) if element.name == "sheet" && sheets.len() < MAX_SHEETS => {
                let id = element.qualified("id").unwrap_or_default().to_owned();
                let name = element.attribute("name").unwrap_or_default().to_owned();
                sheets.push((name, id));
            }
            Part::EndOfFile => return Ok(sheets),
            _ => {}
        }
    }
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
