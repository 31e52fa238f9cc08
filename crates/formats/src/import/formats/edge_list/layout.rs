//! Which columns of a list hold the arcs, and whether its first line is a header.

mod values;

use self::values::{counts_lines, counts_parts, field};
use super::super::super::columns::{
    ArcColumns, ColumnChoice, are_of_nodes, end_elsewhere, is_count, is_index, is_quantity,
    is_time, known, listed,
};
use super::super::super::notes::Note;
use super::header::{FirstLine, first_line};
use super::shape::{Row, Shape, is_number};
use webrank_base::shown::{quoted, shown};

/// The layout that the first lines show.
pub(in super::super) struct Layout {
    pub(in super::super) columns: ArcColumns,
    pub(super) has_header: bool,
    /// A blank follows each separator, and belongs to it.
    pub(super) trims: bool,
    /// Nodes are whole numbers, some of them written with decimals, as in 1.0.
    pub(in super::super) has_decimals: bool,
    pub(in super::super) notes: Vec<Note>,
}

/// The state of the search for the columns.
struct Finding<'a> {
    shape: &'a Shape,
    choice: &'a ColumnChoice,
    /// The fields of the first line.
    names: Vec<&'a str>,
    /// Records of the usual width, without a header.
    rows: Vec<&'a Row>,
    /// The first column is an index, as of pandas or of R.
    has_index: bool,
    /// Which columns hold texts, whatever those look like, if columns have types.
    texts: Option<&'a [bool]>,
    notes: Vec<Note>,
}

impl Layout {
    /// The layout of a table whose columns have names and types, by its first rows; `texts` says which columns
    /// hold texts.
    ///
    /// # Errors
    /// If it cannot be told which columns hold the arcs.
    #[cfg(any(feature = "arrow", feature = "parquet"))]
    pub(in super::super) fn of_columns(
        names: Vec<String>,
        rows: Vec<Vec<String>>,
        texts: &[bool],
        choice: &ColumnChoice,
    ) -> Result<Self, String> {
        let shape = Shape::of_columns(names, rows);
        let choice = choice.with_header();
        Finding {
            texts: Some(texts),
            ..Finding::new(&shape, &choice)
        }
        .layout(false)
    }

    /// The layout of a list; `has_time` says that a fourth column is a time.
    ///
    /// # Errors
    /// If it cannot be told which columns hold the arcs.
    pub(super) fn of(shape: &Shape, choice: &ColumnChoice, has_time: bool) -> Result<Self, String> {
        Finding::new(shape, choice).layout(has_time)
    }
}

impl<'a> Finding<'a> {
    fn layout(mut self, has_time: bool) -> Result<Layout, String> {
        let (shape, choice) = (self.shape, self.choice);
        let known = known(&self.names);
        let by_user = match &choice.columns {
            Some(wanted) => Some(choice.chosen(wanted, &self.names)?),
            None => None,
        };
        let has_header = self.has_header(by_user, known);
        let rows = match has_header {
            true => shape.records.get(1..).unwrap_or(&[]),
            false => &shape.records[..],
        };
        let is_even = |row: &&Row| row.fields.len() == shape.width;
        self.rows = rows.iter().filter(is_even).collect();
        let columns = match (by_user, has_header) {
            (Some(columns), _) => columns,
            (None, true) => self.with_header(known)?,
            (None, false) => self.without_header(has_time)?,
        };
        if by_user.is_none() && known.is_none() && !choice.is_list {
            self.refuse_measurements(&columns, has_header)?;
            self.refuse_times(&columns)?;
        }
        let weight = columns.weight.filter(|_| !choice.unweighted);
        let columns = ArcColumns { weight, ..columns };
        self.tell(&columns, has_header);
        Ok(Layout {
            columns,
            has_header,
            trims: shape.has_blanks_after_separators(),
            has_decimals: self.has_decimals(&columns),
            notes: self.notes,
        })
    }

    fn new(shape: &'a Shape, choice: &'a ColumnChoice) -> Self {
        let first = &shape.records[0].fields;
        let mut names: Vec<&str> = first.iter().map(|name| name.trim()).collect();
        // R and pandas leave out the name of the column of their row names.
        let is_of_r = names.len() > 1
            && names.len() + 1 == shape.width
            && counts_lines(shape.below())
            && !names.iter().any(|name| is_number(name));
        if is_of_r {
            names.insert(0, "");
        }
        let first = names[0].to_lowercase();
        let below = shape.below().iter();
        let mut firsts = below.filter_map(|row| row.fields.first());
        let is_unnamed = (first.is_empty() || first.starts_with("unnamed"))
            && firsts.all(|field| field.trim().parse::<u64>().is_ok());
        let is_named = is_index(&first) && counts_parts(shape.below()) && !are_of_nodes(&names);
        let has_index = names.len() > 2 && (is_unnamed || is_named);
        Finding {
            shape,
            choice,
            names,
            rows: Vec::new(),
            has_index,
            texts: None,
            notes: Vec::new(),
        }
    }

    /// The columns of source and target if no name says them.
    fn first_two(&self) -> (usize, usize) {
        match self.has_index {
            true => (1, 2),
            false => (0, 1),
        }
    }

    fn has_header(&mut self, by_user: Option<ArcColumns>, known: Option<ArcColumns>) -> bool {
        if let Some(is_there) = self.choice.is_there {
            return is_there;
        }
        let wanted = self.choice.columns.iter().flatten();
        let mut names = wanted.filter(|column| column.parse::<usize>().is_err());
        if known.is_some()
            || are_of_nodes(&self.names)
            || names.next().is_some()
            || self.names.len() > self.shape.records[0].fields.len()
        {
            return true;
        }
        let (source, target) = match by_user {
            Some(columns) => (columns.source, columns.target),
            None => self.first_two(),
        };
        if self.shape.width <= source.max(target) || self.names.len() <= source.max(target) {
            return false;
        }
        let first = listed(&[self.names[source], self.names[target]]);
        match first_line(self.shape, source, target) {
            FirstLine::Header => true,
            FirstLine::PerhapsHeader => {
                let text = format!(
                    "the first line, {first}, was taken for a header (--header=false if it is an arc)"
                );
                self.notes.push(Note::assumed("header", text));
                true
            }
            FirstLine::PerhapsArc => {
                let text = format!(
                    "the first line, {first}, was taken for an arc (--header if it is a header)"
                );
                self.notes.push(Note::assumed("header", text));
                false
            }
            FirstLine::Arc => false,
        }
    }

    fn with_header(&mut self, known: Option<ArcColumns>) -> Result<ArcColumns, String> {
        let most = Some(self.names.len());
        if let Some(columns) = known {
            self.check_kinds(&columns)?;
            let pair = (columns.source, columns.target);
            let direction = columns
                .direction
                .filter(|&column| self.are_directions(column));
            let used = [
                Some(columns.source),
                Some(columns.target),
                columns.weight,
                direction,
            ];
            let others = (usize::from(self.has_index)..self.names.len())
                .filter(|column| !used.contains(&Some(*column)));
            let others: Vec<usize> = others.collect();
            let weight = match (columns.weight, &others[..]) {
                (Some(weight), _) => Some(weight),
                (None, &[other]) => self.as_weight(other, pair),
                (None, _) => {
                    let mut counts = others.iter().copied();
                    counts.find(|&it| is_count(self.names[it]) && self.may_be_weights(it))
                }
            };
            return Ok(ArcColumns {
                weight,
                direction,
                most,
                ..columns
            });
        }
        let (source, target) = self.first_two();
        if let Some(end) = end_elsewhere(&self.names, [source, target]) {
            return Err(format!(
                "a column {} without one for the other end; --columns says which columns are source \
                 and target",
                quoted(end)
            ));
        }
        let mut ends = [source, target]
            .into_iter()
            .filter_map(|it| self.names.get(it));
        if let Some(name) = ends.find(|name| is_time(name)) {
            return Err(format!(
                "column {} holds times, which are no nodes; --columns says which columns are source and \
                 target",
                quoted(name)
            ));
        }
        let names: Vec<&str> = self.names[source..].to_vec();
        let is_quantity = |column: usize| {
            let name = self.names.get(column);
            name.is_some_and(|name| is_quantity(name)) && self.may_be_weights(column)
        };
        if are_of_nodes(&names) || is_quantity(source) || is_quantity(target) {
            return Err(format!(
                "a table of nodes ({}), not of arcs; --columns says which columns are source and \
                 target, if two are",
                listed(&names)
            ));
        }
        if let [one, other, ..] = names[..]
            && self.is_numeric(source)
            && self.is_numeric(target)
        {
            self.check_two_kinds([one, other])?;
        }
        if names[0].is_empty() {
            return Err(
                "no name above the first column: if it is a matrix, its rows and columns have to \
                 have the same names; --columns says which columns hold arcs"
                    .to_owned(),
            );
        }
        self.check_no_matrix()?;
        let (third, fourth) = (target + 1, target + 2);
        let pair = (source, target);
        let weight = match names.len() {
            0 | 1 => return Err("one column, but arcs need a source and a target".to_owned()),
            2 => None,
            3 if self.may_be_weights(third) => self.as_weight(third, pair),
            4 if self.may_be_weights(third) && self.is_time(fourth) => self.as_weight(third, pair),
            _ => {
                return Err(format!(
                    "which columns hold the arcs? there are {}; say so, as in --columns {},{}",
                    listed(&names),
                    shown(names[0]),
                    shown(names[1])
                ));
            }
        };
        Ok(ArcColumns {
            source,
            target,
            weight,
            direction: None,
            most,
        })
    }

    fn without_header(&mut self, has_time: bool) -> Result<ArcColumns, String> {
        // Some programs end lines with a separator.
        let is_empty = |column: usize| {
            self.rows
                .iter()
                .all(|row| field(row, column).trim().is_empty())
        };
        let mut width = match self.choice.is_there {
            Some(false) | None => self.shape.width.max(1),
            Some(true) => self.names.len(),
        };
        while width > 2 && !self.rows.is_empty() && is_empty(width - 1) {
            width -= 1;
        }
        if !self.choice.is_list && width > 2 {
            self.refuse_times(&ArcColumns::default())?;
        }
        self.check_no_matrix()?;
        self.check_no_index(width)?;
        let weight = match width {
            0..=2 => None,
            3 if self.is_numeric(2) => self.as_weight(2, (0, 1)),
            3 if self.choice.unweighted => None,
            4 if self.is_numeric(2) && (has_time || self.is_time(3)) => {
                let text = "column 4, a time, not used";
                self.notes.push(Note::left_out("columns", 0, text));
                Some(2)
            }
            3 => {
                let third = self.rows.iter().map(|row| field(row, 2));
                let third = third.filter(|third| !is_number(third)).map(quoted).next();
                let third = third.unwrap_or_default();
                let advice = match self.are_kinds(1) {
                    true => {
                        "if the second says the kind of an arc, --columns 1,3 reads all arcs as of \
                         one kind"
                    }
                    false => "--columns says what they are, as in --columns 1,2",
                };
                return Err(format!(
                    "more than two fields, and the third, {third}, is not a weight; {advice}"
                ));
            }
            fields => {
                return Err(format!(
                    "more than two fields ({fields}); --columns says what they are, as in --columns \
                     1,2 or --columns source,target,weight"
                ));
            }
        };
        Ok(ArcColumns {
            weight,
            most: Some(self.shape.width.max(2)),
            ..ArcColumns::default()
        })
    }

    /// Notes what the list is, and which columns are not used.
    fn tell(&mut self, columns: &ArcColumns, has_header: bool) {
        let separators = self.shape.text.separator.plural();
        let used = [
            Some(columns.source),
            Some(columns.target),
            columns.weight,
            columns.direction,
        ];
        let name = |column: usize| match self.names.get(column) {
            Some(&"") | None if column == 0 && self.has_index => "1, an index,".to_owned(),
            Some(name) if column == 0 && self.has_index => format!("{}, an index,", shown(name)),
            Some(&"") | None => (column + 1).to_string(),
            Some(name) if name.chars().count() > 30 => {
                quoted(&name[..name.char_indices().nth(30).map_or(0, |it| it.0)])
            }
            Some(name) => shown(name),
        };
        let named = || {
            let names: Vec<String> = used.into_iter().flatten().map(name).collect();
            names.join(", ")
        };
        let text = match has_header {
            _ if self.texts.is_some() => format!("columns {}", named()),
            true => format!("{separators}, header, columns {}", named()),
            false => format!("{separators}, no header"),
        };
        let others = (0..self.names.len()).filter(|column| !used.contains(&Some(*column)));
        let others: Vec<String> = others.take(20).map(name).collect();
        self.notes.push(Note::understood("list", text));
        if has_header && !others.is_empty() {
            let text = match &others[..] {
                [one] => format!("column {one} not used"),
                _ => format!("columns {} not used", others.join(", ")),
            };
            self.notes.push(Note::left_out("columns", 0, text));
        }
    }
}
