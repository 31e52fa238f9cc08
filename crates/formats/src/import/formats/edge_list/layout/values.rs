//! The signs in the columns of a list: numbers, times, kinds of arcs, a matrix.

use super::super::super::super::columns::{
    ArcColumns, are_of_one_kind, are_of_two_kinds, is_count, is_id, is_no_weight, listed,
};
use super::super::super::super::notes::Note;
use super::super::shape::{Row, decimal_comma, is_number};
use super::Finding;
use std::collections::HashSet;
use webrank_base::shown::{quoted, shown};
use webrank_tables::text::separator::Separator;

impl Finding<'_> {
    /// True if a column holds numbers that may be weights: not texts that look like them.
    pub(super) fn may_be_weights(&self, column: usize) -> bool {
        let is_text = self.texts.and_then(|texts| texts.get(column));
        is_text != Some(&true) && self.is_numeric(column)
    }

    /// A column of numbers that is a weight unless it is one of times.
    pub(super) fn as_weight(&mut self, column: usize, pair: (usize, usize)) -> Option<usize> {
        if !self.may_be_weights(column) {
            return None;
        }
        let is_word = |name: &&str| !is_number(name) && decimal_comma(name).is_none();
        let has_name = self.names.get(column).is_some_and(is_word);
        let called = match has_name {
            true => format!("column {}", self.names[column]),
            false => format!("column {}", column + 1),
        };
        let is_said = has_name && is_count(self.names[column]);
        if !is_said && self.is_time(column) {
            let text = format!(
                "{called} was taken for {}, not for a weight (--columns {},{},{} if it is one)",
                match has_name && is_id(self.names[column]) {
                    true => "an identifier",
                    false => "a time",
                },
                pair.0 + 1,
                pair.1 + 1,
                column + 1
            );
            self.notes.push(Note::assumed("weights", text));
            return None;
        }
        if has_name && !is_said && !self.choice.unweighted {
            let text = format!("{called} was taken for weights (--unweighted if it is none)");
            self.notes.push(Note::assumed("weights", text));
        }
        Some(column)
    }

    pub(super) fn is_numeric(&self, column: usize) -> bool {
        let is_comma = self.shape.text.separator == Separator::Comma;
        let is_number = |field: &str| {
            is_number(field) || !is_comma && decimal_comma(field).is_some() || is_not_finite(field)
        };
        // Digits after a zero identify something.
        let is_number = |field: &str| {
            let digits = field.trim().strip_prefix('0');
            is_number(field)
                && !digits.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        !self.rows.is_empty() && self.rows.iter().all(|row| is_number(field(row, column)))
    }

    /// True if all numbers look like seconds or milliseconds since 1970, or their column is called so.
    /// The third column is where weights stand: there, times are whole or in several rows. Days such as
    /// 20240131 are times there, and so are whole numbers that begin with 0 and never fall.
    pub(super) fn is_time(&self, column: usize) -> bool {
        if self.shape.records[0]
            .fields
            .get(column)
            .is_some_and(|name| !is_number(name) && is_no_weight(name))
        {
            return true;
        }
        let is_third = column <= self.first_two().1 + 1;
        let (mut least, mut most) = (f64::INFINITY, 0.0f64);
        let (mut are_whole, mut rise, mut are_days) = (true, true, true);
        for row in &self.rows {
            let number = field(row, column).trim();
            are_whole &= number.bytes().all(|byte| byte.is_ascii_digit());
            are_days &= is_day(number);
            let Ok(number) = number.parse::<f64>() else {
                return false;
            };
            rise &= number >= most;
            (least, most) = (least.min(number), most.max(number));
        }
        let is_clock = least >= 1e8 && most < 1e14 && most < 100.0 * least;
        let is_exact = are_whole || !is_third || self.rows.len() > 1 && most < 5e9;
        let starts_at_0 = are_whole && rise && least == 0.0 && most > 0.0 && self.rows.len() >= 10;
        is_clock && is_exact || are_days || starts_at_0
    }

    /// Refuses a column of numbers with fractions, or of days, beside one of something else, and two columns
    /// of fractions that share none. Sections are no fractions: 1.2 beside 1.
    ///
    /// # Errors
    /// With the column.
    pub(super) fn refuse_measurements(
        &self,
        columns: &ArcColumns,
        has_header: bool,
    ) -> Result<(), String> {
        let ends = [columns.source, columns.target];
        let fields = |column: usize| self.rows.iter().map(move |row| field(row, column).trim());
        let number = |field: &str| field.parse::<f64>().ok();
        let has_fractions = |column: usize| {
            fields(column)
                .filter_map(number)
                .any(|it| it.fract() != 0.0)
                && fields(column).all(|it| number(it).is_some())
        };
        let are_days = |column: usize| !self.rows.is_empty() && fields(column).all(is_date);
        let is_part = |row: &&Row| {
            let [source, target] = ends.map(|it| field(row, it).trim());
            let is_below = |part: &str, whole: &str| {
                part.strip_prefix(whole)
                    .is_some_and(|rest| rest.starts_with('.'))
            };
            is_below(source, target) || is_below(target, source)
        };
        let share_none = || {
            let sources: HashSet<&str> = fields(ends[0]).collect();
            self.rows.len() > 1 && !fields(ends[1]).any(|it| sources.contains(it))
        };
        let (place, what) = match (ends.map(has_fractions), ends.map(are_days)) {
            ([true, true], _) if share_none() => (0, "the numbers of {} have fractions"),
            ([true, false], _) => (0, "the numbers of {} have fractions"),
            ([false, true], _) => (1, "the numbers of {} have fractions"),
            (_, [true, false]) => (0, "{} holds days"),
            (_, [false, true]) => (1, "{} holds days"),
            _ => return Ok(()),
        };
        if self.rows.iter().all(is_part) {
            return Ok(());
        }
        let called = match has_header {
            true => format!(
                "column {}",
                quoted(self.names.get(ends[place]).copied().unwrap_or_default())
            ),
            false => format!("column {}", ends[place] + 1),
        };
        Err(format!(
            "{}, so they name no nodes; --columns says which columns are source and target, if two are",
            what.replace("{}", &called)
        ))
    }

    /// Refuses a column of seconds or milliseconds since 1970 beside two of small numbers.
    ///
    /// # Errors
    /// With the columns that may be source and target.
    pub(super) fn refuse_times(&self, columns: &ArcColumns) -> Result<(), String> {
        let is_between = |column: usize, least: u64, most: u64| {
            let mut numbers = self
                .rows
                .iter()
                .map(|row| field(row, column).trim().parse());
            numbers.all(|number| number.is_ok_and(|it: u64| (least..most).contains(&it)))
        };
        let is_clock = |&column: &usize| {
            let seconds = is_between(column, 100_000_000, 2_200_000_000);
            seconds || is_between(column, 100_000_000_000, 2_200_000_000_000)
        };
        let ends = [columns.source, columns.target];
        let all = [ends[0], ends[1], ends[1] + 1];
        let Some(&time) = ends
            .iter()
            .find(|it| is_clock(it))
            .filter(|_| !self.rows.is_empty())
        else {
            return Ok(());
        };
        let others: Vec<usize> = all.into_iter().filter(|&column| column != time).collect();
        match others
            .iter()
            .all(|&column| is_between(column, 0, 100_000_000))
        {
            true => Err(format!(
                "column {} holds times since 1970, which are no nodes; --columns {},{} says that source and \
                 target are the others, --columns {},{},{} that these are nodes, with weights",
                time + 1,
                others[0] + 1,
                others[1] + 1,
                all[0] + 1,
                all[1] + 1,
                all[2] + 1
            )),
            false => Ok(()),
        }
    }

    /// Refuses numbers of people and those of things, and tells that columns of two names share their numbers.
    ///
    /// # Errors
    /// With the names.
    pub(super) fn check_two_kinds(&mut self, names: [&str; 2]) -> Result<(), String> {
        if are_of_two_kinds(&names) {
            return Err(format!(
                "sources and targets are of two kinds ({}), whose numbers are not the same nodes; give \
                 them names of their own first, or --columns says that they are",
                listed(&names)
            ));
        }
        if !are_of_one_kind(names) {
            let [one, other] = names.map(shown);
            let text = format!(
                "columns {one} and {other} share their numbers, so that 1 is one node in both (if they do \
                 not, give them names of their own, such as {one}1 and {other}1)"
            );
            self.notes.push(Note::assumed("nodes", text));
        }
        Ok(())
    }

    /// True if all nodes are whole numbers, and some are written with decimals.
    pub(super) fn has_decimals(&mut self, columns: &ArcColumns) -> bool {
        let is_whole = |field: &str| {
            is_number(field) && field.trim().parse().is_ok_and(|it: f64| it.fract() == 0.0)
        };
        let nodes = || {
            let rows = self.rows.iter();
            rows.flat_map(|row| [columns.source, columns.target].map(|column| field(row, column)))
        };
        let has_some = nodes().any(|node| node.contains('.')) && nodes().all(is_whole);
        if has_some {
            let text = "numbers of nodes with decimals, such as 1.0, were taken for whole numbers";
            self.notes.push(Note::assumed("nodes", text));
        }
        has_some
    }

    /// True if few values come again and again in a column: kinds of arcs.
    pub(super) fn are_kinds(&self, column: usize) -> bool {
        let values: HashSet<&str> = self.rows.iter().map(|row| field(row, column)).collect();
        let others: HashSet<&str> = self.rows.iter().map(|row| field(row, column + 1)).collect();
        2 * values.len() <= self.rows.len() && values.len() < others.len()
    }

    /// Refuses Neo4j's ids of two spaces, `:START_ID(Person)` and `:END_ID(Movie)`, if they are numbers.
    pub(super) fn check_kinds(&self, columns: &ArcColumns) -> Result<(), String> {
        let space = |column: usize| self.names[column].strip_prefix(':')?.split_once('(');
        let (from, to) = (space(columns.source), space(columns.target));
        let differ = from.zip(to).is_some_and(|(from, to)| from.1 != to.1);
        let are_numbers = [columns.source, columns.target].map(|column| self.is_numeric(column));
        match differ && are_numbers.iter().any(|&are| are) {
            true => Err(format!(
                "sources and targets are of two kinds ({}, {}), whose numbers are not the same \
                 nodes; give them names of their own first",
                shown(self.names[columns.source]),
                shown(self.names[columns.target])
            )),
            false => Ok(()),
        }
    }

    /// Refuses three rows of three numbers with zeros among the weights, which may be a matrix.
    pub(super) fn check_no_matrix(&self) -> Result<(), String> {
        let is_zero = |row: &&Row| field(row, 2).trim().parse() == Ok(0.0);
        let is_square = self.shape.width == 3 && self.rows.len() == 3;
        let are_numbers = (0..3).all(|column| self.is_numeric(column));
        match self.texts.is_none()
            && is_square
            && are_numbers
            && !self.choice.is_list
            && self.rows.iter().any(is_zero)
        {
            true => Err(
                "three rows of three numbers, some 0: a matrix (--from matrix), or arcs with \
                 weights (--from edges)?"
                    .to_owned(),
            ),
            false => Ok(()),
        }
    }

    /// Refuses three columns of whole numbers if the first counts the lines: it is an index of pandas, or
    /// holds sources with a target and a weight each.
    pub(super) fn check_no_index(&self, width: usize) -> Result<(), String> {
        let rows = &self.shape.records;
        let number = |row: &Row, column: usize| field(row, column).trim().parse::<u64>().ok();
        let are_whole = || {
            let mut rows = rows.iter();
            rows.all(|row| number(row, 1).zip(number(row, 2)).is_some())
        };
        // A path or a circle.
        let is_path = || {
            let steps = |row: &&Row| number(row, 1) == number(row, 0).map(|it| it + 1);
            rows.iter().filter(steps).count() + 1 >= rows.len()
        };
        let differ = || rows.iter().any(|row| field(row, 2) != field(&rows[0], 2));
        let is_index = width == 3 && rows.len() >= 5 && counts_lines(rows);
        let is_asked = !self.choice.is_list && !self.choice.unweighted;
        if is_index && is_asked && are_whole() && differ() && !is_path() && !self.is_time(2) {
            return Err(
                "the first of three columns counts the lines: is it an index (--columns 2,3), or are these \
                 sources, targets and weights (--columns 1,2,3)?"
                    .to_owned(),
            );
        }
        Ok(())
    }

    pub(super) fn are_directions(&self, column: usize) -> bool {
        let is_direction = |field: &str| {
            ["directed", "undirected", "mutual"]
                .iter()
                .any(|known| field.trim().eq_ignore_ascii_case(known))
        };
        !self.rows.is_empty() && self.rows.iter().all(|row| is_direction(field(row, column)))
    }
}

/// A field, or nothing where the header has more columns than the lines below.
pub(super) fn field(row: &Row, column: usize) -> &str {
    row.fields.get(column).map_or("", String::as_str)
}

/// True if the first fields of rows are 0, 1, 2 and so on, or 1, 2, 3.
pub(super) fn counts_lines(rows: &[Row]) -> bool {
    let counts = |start: usize| {
        let mut rows = rows.iter().enumerate();
        rows.all(|(place, row)| row.fields[0].trim() == (start + place).to_string())
    };
    counts(0) || counts(1)
}

/// [`counts_lines`] where counting may begin again, as in joined files.
pub(super) fn counts_parts(rows: &[Row]) -> bool {
    let number = |row: &Row| row.fields[0].trim().parse::<u64>().ok();
    let numbers: Option<Vec<u64>> = rows.iter().map(number).collect();
    let numbers = numbers.unwrap_or_default();
    let goes_on = |pair: &&[u64]| pair[0].checked_add(1) == Some(pair[1]);
    let begins_again = |pair: &[u64]| pair[1] == numbers[0];
    let steps = numbers.windows(2).filter(goes_on).count();
    numbers.first().is_some_and(|&first| first < 2)
        && 2 * steps >= numbers.len() - 1
        && numbers
            .windows(2)
            .all(|pair| goes_on(&pair) || begins_again(pair))
}

/// True for a date such as 2024-01-31, perhaps with a time behind it.
fn is_date(field: &str) -> bool {
    let bytes = field.as_bytes();
    let digits = |range: std::ops::Range<usize>| {
        bytes
            .get(range)
            .is_some_and(|it| it.iter().all(u8::is_ascii_digit))
    };
    digits(0..4) && digits(5..7) && digits(8..10) && bytes[4] == b'-' && bytes[7] == b'-'
}

/// True for a day of the years 1900 to 2099, as in 20240131.
fn is_day(field: &str) -> bool {
    let number = |range: std::ops::Range<usize>| field.get(range)?.parse::<u32>().ok();
    let parts = || Some((number(0..4)?, number(4..6)?, number(6..8)?));
    field.len() == 8
        && parts().is_some_and(|(year, month, day)| {
            (1900..2100).contains(&year) && (1..13).contains(&month) && (1..32).contains(&day)
        })
}

/// Weights that are refused with their line.
fn is_not_finite(field: &str) -> bool {
    let field = field.trim().trim_start_matches(['+', '-']);
    ["nan", "inf", "infinity"]
        .iter()
        .any(|word| field.eq_ignore_ascii_case(word))
}
