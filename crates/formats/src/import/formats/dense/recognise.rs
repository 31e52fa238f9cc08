//! Whether a table is an adjacency matrix.

use super::super::super::recognise::{First, Verdict};
use super::row::{Cells, Separator};
use std::collections::HashSet;

/// Smaller matrices without names look like lists of arcs.
const LEAST: usize = 4;

/// Up to so many columns, numbers must look like those of a matrix, too.
const FEW: usize = 7;

/// From so many columns of numbers on, a table is a matrix even if its end is not there to count rows.
const MANY: usize = 16;

/// True if a text that starts with these bytes is certainly an adjacency matrix. With names, the first
/// cells of all rows must be names of different columns, and the other cells numbers; a whole file has
/// a row for each column. Without, there must be as many rows as columns, four or more, of which the
/// numbers are 0 and 1 or the diagonal is 0 if they are few.
pub(in crate::import) fn recognise(first: &First) -> Verdict {
    match is_matrix(&first.text, first.is_whole) {
        true => Verdict::Is("a table that is square, of numbers".into()),
        false => Verdict::No,
    }
}

fn is_matrix(text: &str, is_whole: bool) -> bool {
    // The last line may be a part of one.
    let end = match is_whole {
        true => text.len(),
        false => text.rfind('\n').unwrap_or(0),
    };
    let lines = text[..end].lines().filter(|line| !line.trim().is_empty());
    let mut lines = lines.skip_while(|line| line.trim_start().starts_with('#'));
    let Some(header) = lines.next() else {
        return false;
    };
    let separator = Separator::of(header);
    let cells = |line| Cells::new(line, separator);
    let rows: Vec<&str> = lines.collect();
    let names: Vec<String> = cells(header).map(|cell| cell.trim().to_owned()).collect();
    let is_header = cells(header).any(|cell| separator.number(&cell).is_none());
    // With the corner, or without. If all cells are numbers, it may be a list.
    let mut are_names = [&names[1..], &names[..]].into_iter();
    if is_header && are_names.any(|names| is_named(names, &rows, separator, is_whole)) {
        return true;
    }
    let mut numbers = Vec::new();
    let all = (!is_header).then_some(header).into_iter().chain(rows);
    for line in all {
        let row: Option<Vec<f64>> = cells(line).map(|cell| separator.number(&cell)).collect();
        let Some(row) = row else {
            return false;
        };
        if row.len() != names.len() {
            return false;
        }
        numbers.push(row);
    }
    is_numeric(&numbers, names.len(), is_header, is_whole)
}

/// True if rows begin with the names of columns, and numbers or empty cells follow.
fn is_named(names: &[String], rows: &[&str], separator: Separator, is_whole: bool) -> bool {
    let set: HashSet<&str> = names.iter().map(String::as_str).collect();
    if names.len() < 2 || set.len() != names.len() || set.contains("") {
        return false;
    }
    let mut seen = HashSet::new();
    let is_row = |row: &&str| {
        let mut cells = Cells::new(row, separator);
        let name = cells.next().unwrap_or_default();
        let name = name.trim();
        let mut width = 0;
        let are_numbers = cells.all(|cell| {
            width += 1;
            cell.trim().is_empty() || separator.number(&cell).is_some()
        });
        are_numbers && width == names.len() && set.contains(name) && seen.insert(name.to_owned())
    };
    let count = rows.len();
    rows.iter().all(is_row) && count > 0 && (!is_whole || count == names.len())
}

fn is_numeric(rows: &[Vec<f64>], columns: usize, is_header: bool, is_whole: bool) -> bool {
    if !is_whole {
        return columns >= MANY && !is_header && !rows.is_empty();
    }
    if columns < LEAST || rows.len() != columns {
        return false;
    }
    let all = || rows.iter().flatten();
    let are_bits = all().all(|number| *number == 0.0 || *number == 1.0);
    let has_empty_diagonal = (0..).zip(rows).all(|(place, row)| row[place] == 0.0);
    let looks_like_one = are_bits || has_empty_diagonal;
    let needs_look = columns <= FEW || is_header;
    looks_like_one || !needs_look
}
