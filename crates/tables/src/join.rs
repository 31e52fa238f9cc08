//! One table with the columns of several, matched by key.
//!
//! The rows of an outer join are all keys: those of the first table in its order, then those of the
//! second that are new, and so on; by number, if all tables are in the order of their nodes. An inner
//! join has the keys that every table has. Columns whose header occurs in several tables get a
//! prefix, and so do the intervals and ranks of a column `score` that gets one; except `node` and
//! `name`, which become one column if the tables agree on them.

use super::keys::Keys;
use super::read::{Entries, TableSize, Values, WholeTable};
use super::table::{Cells, ColumnTable, NamedColumn};
use super::text::names::integer;
use std::collections::HashMap;
use webrank_base::error::Result;
use webrank_base::memory;

/// A table to join.
pub struct JoinedTable {
    /// The text that tells its columns from those of others.
    pub prefix: String,
    /// Its rows.
    pub table: WholeTable,
}

/// Tables that have been joined.
pub struct Joint {
    key: String,
    keys: Keys,
    /// Columns that tables share.
    shared: Vec<(String, Entries)>,
    parts: Vec<JoinedTable>,
    /// For each part, its row for each key; [`NONE`] if it has none.
    rows: Vec<Vec<u32>>,
    /// For each part, the header of each of its columns, unless that is shared.
    headers: Vec<Vec<Option<String>>>,
    /// For each part, what it lacks, or what is left out of it.
    unmatched: Vec<Unmatched>,
}

/// Rows that a table lacks, or that are left out of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmatched {
    /// How many there are.
    pub count: usize,
    /// The key of the first.
    pub first: Option<String>,
}

impl Unmatched {
    /// The keys for which `lacks` is true.
    fn of(keys: &Keys, lacks: impl Fn(usize) -> bool) -> Self {
        let mut rows = (0..keys.len()).filter(|&row| lacks(row));
        let first = rows.next();
        Unmatched {
            count: usize::from(first.is_some()) + rows.count(),
            first: first.map(|row| keys.get(row).to_owned()),
        }
    }
}

/// The bytes that the process holds at most while tables of these sizes are read, joined and written.
pub fn needs(tables: &[TableSize]) -> u64 {
    let of_tables = tables.iter().map(TableSize::of_columns);
    let read = of_tables.fold(memory::of_process(), u64::saturating_add);
    // Tables with the keys of an earlier one add none.
    let is_new = |&place: &usize| {
        !tables[..place]
            .iter()
            .any(|it| it.has_keys_of(&tables[place]))
    };
    let new = (0..tables.len()).filter(is_new).map(|place| &tables[place]);
    let (rows, keys) = new.fold((0, 0u64), |(rows, keys), table| {
        (rows + table.rows, keys.saturating_add(table.of_keys()))
    });
    // Each key of the joint table takes: itself, twice while it is put in order; its place in every table;
    // an index of all; its number; and the columns that tables share.
    let of_row = 4 * tables.len() as u64 + OF_KEY;
    let joint = rows.saturating_mul(of_row).saturating_add(2 * keys);
    read.saturating_add(joint)
}

/// The bytes of a row of the joint table besides its key and places.
const OF_KEY: u64 = 40;

/// No row.
const NONE: u32 = u32::MAX;

/// Columns that say something of the column `score`, and get a prefix if that does.
const OF_SCORES: [&str; 4] = ["lower", "upper", "rank_from", "rank_to"];

/// Columns that say what the node of a row is.
const IDENTITIES: [&str; 2] = ["node", "name"];

impl Joint {
    /// Joins tables whose keys are in the column `key`. O(n log n).
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(key: &str, parts: Vec<JoinedTable>, inner: bool) -> Result<Self> {
        let mut keys = Keys::default();
        for part in &parts {
            let known = part.table.keys.rows_in(&keys);
            for (key, known) in part.table.keys.iter().zip(known) {
                if known.is_none() {
                    keys.push(key)?;
                }
            }
        }
        if let Some(order) = by_number(&keys, &parts) {
            keys = keys.select(order);
        }
        let places = |keys: &Keys| -> Vec<Vec<u32>> {
            let places = parts.iter().map(|part| {
                let rows = keys.rows_in(&part.table.keys);
                rows.into_iter().map(|row| row.unwrap_or(NONE)).collect()
            });
            places.collect()
        };
        let mut rows = places(&keys);
        let lacks = |rows: &Vec<u32>| Unmatched::of(&keys, |i| rows[i] == NONE);
        let mut unmatched: Vec<Unmatched> = rows.iter().map(lacks).collect();
        if inner {
            let everywhere = |i: &usize| rows.iter().all(|rows| rows[*i] != NONE);
            keys = keys.select((0..keys.len()).filter(everywhere));
            rows = places(&keys);
            unmatched = parts
                .iter()
                .map(|part| left_out(&part.table.keys, &keys))
                .collect();
        }
        let mut joint = Joint {
            key: key.to_owned(),
            keys,
            shared: Vec::new(),
            parts,
            rows,
            headers: Vec::new(),
            unmatched,
        };
        for name in IDENTITIES {
            joint.shared.extend(
                joint
                    .agreed(name)?
                    .map(|entries| (name.to_owned(), entries)),
            );
        }
        joint.headers = joint.name_columns();
        Ok(joint)
    }

    /// The keys of the rows.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// For each table, the keys that it lacks; in an inner join, those that are left out of it.
    pub fn unmatched(&self) -> &[Unmatched] {
        &self.unmatched
    }

    /// For each table, each header that is not shared, and its new one.
    pub fn headers(&self) -> impl Iterator<Item = Vec<(&str, &str)>> {
        let tables = self.parts.iter().zip(&self.headers);
        tables.map(|(part, headers)| {
            let columns = part.table.columns.iter().zip(headers);
            let renamed =
                columns.filter_map(|((old, _), new)| Some((old.as_str(), new.as_deref()?)));
            renamed.collect()
        })
    }

    /// A column that several tables have, if no two of them disagree.
    fn agreed(&self, name: &str) -> Result<Option<Entries>> {
        let columns = self
            .parts
            .iter()
            .zip(&self.rows)
            .filter_map(|(part, rows)| {
                let mut columns = part.table.columns.iter();
                let (_, entries) = columns.find(|(header, _)| header == name)?;
                Some((entries, rows))
            });
        let columns: Vec<_> = columns.collect();
        if columns.len() < 2 {
            return Ok(None);
        }
        let (mut texts, mut present) = (Keys::default(), vec![true; self.keys.len()]);
        for (row, present) in present.iter_mut().enumerate() {
            let mut found = columns
                .iter()
                .filter(|(_, rows)| rows[row] != NONE)
                .filter_map(|(entries, rows)| entries.text(rows[row] as usize));
            let first = found.next();
            if found.any(|other| Some(&other) != first.as_ref()) {
                return Ok(None);
            }
            *present = first.is_some();
            texts.push(&first.unwrap_or_default())?;
        }
        let mut entries = Entries {
            values: Values::Texts(texts),
            present: present.contains(&false).then_some(present),
        };
        if name == "node" {
            entries.infer();
        }
        Ok(Some(entries))
    }

    /// The headers of the columns that are not shared.
    fn name_columns(&self) -> Vec<Vec<Option<String>>> {
        let is_shared = |name: &str| self.shared.iter().any(|(shared, _)| shared == name);
        let mut tables_with: HashMap<&str, usize> = HashMap::new();
        for part in &self.parts {
            for (name, _) in &part.table.columns {
                *tables_with.entry(name).or_default() += 1;
            }
        }
        let mut taken: Vec<String> = self.shared.iter().map(|(name, _)| name.clone()).collect();
        taken.push(self.key.clone());
        let mut unused = |wanted: String| {
            let numbered = (2..).map(|i| format!("{wanted}_{i}"));
            let mut names = std::iter::once(wanted.clone()).chain(numbered);
            let name = names.find(|name| !taken.contains(name)).unwrap_or(wanted);
            taken.push(name.clone());
            name
        };
        let headers = self.parts.iter().map(|part| {
            let has_scores = part.table.columns.iter().any(|(name, _)| name == "score");
            let follows_scores = has_scores && tables_with["score"] > 1;
            let header = |(name, _): &(String, Entries)| {
                let follows = follows_scores && OF_SCORES.contains(&name.as_str());
                let is_everywhere_different = tables_with[name.as_str()] == 1 && !follows;
                match is_shared(name) {
                    true => None,
                    false if is_everywhere_different => Some(unused(name.clone())),
                    false => Some(unused(format!("{}_{name}", part.prefix))),
                }
            };
            part.table.columns.iter().map(header).collect()
        });
        headers.collect()
    }

    /// The table: keys, shared columns, and those of each table.
    pub fn columns(&self) -> ColumnTable<'_> {
        let mut fields = vec![self.key_field()];
        for (name, entries) in &self.shared {
            let field = field(name, entries, None);
            // Tables start with the node.
            match name.as_str() {
                "node" => fields.insert(0, field),
                _ => fields.push(field),
            }
        }
        let parts = self.parts.iter().zip(&self.rows).zip(&self.headers);
        for ((part, rows), headers) in parts {
            for ((_, entries), header) in part.table.columns.iter().zip(headers) {
                fields.extend(
                    header
                        .as_ref()
                        .map(|header| field(header, entries, Some(rows))),
                );
            }
        }
        ColumnTable {
            rows: self.keys.len(),
            fields,
        }
    }

    fn key_field(&self) -> NamedColumn<'_> {
        let numbers: Option<Vec<i64>> = self.keys.iter().map(number).collect();
        let numbers = numbers.filter(|numbers| !numbers.is_empty());
        let are_counts = |numbers: &[i64]| numbers.iter().all(|&it| u32::try_from(it).is_ok());
        let cells = match numbers {
            // Names that are integers have 64 bits, as in tables that are not joined.
            Some(numbers) if self.key != "name" && are_counts(&numbers) => {
                Cells::Counts(Box::new(move |row| numbers[row] as u32))
            }
            Some(numbers) => Cells::Long(Box::new(move |row| numbers[row])),
            None => Cells::Names(Box::new(|row| self.keys.get(row))),
        };
        NamedColumn::new(self.key.as_str(), cells)
    }
}

/// A column of the joint table; `rows` are the rows of the entries, those of the table if `None`.
fn field<'a>(name: &'a str, entries: &'a Entries, rows: Option<&'a Vec<u32>>) -> NamedColumn<'a> {
    let place = move |row: usize| match rows {
        Some(rows) => rows[row] as usize,
        None => row,
    };
    let cells = match &entries.values {
        Values::Counts(values) => Cells::Counts(Box::new(move |row| values[place(row)])),
        Values::Numbers(values) => Cells::Numbers(Box::new(move |row| values[place(row)])),
        Values::Flags(values) => Cells::Flags(Box::new(move |row| values[place(row)])),
        Values::Texts(values) => Cells::Names(Box::new(move |row| values.get(place(row)))),
    };
    let lacks_rows = rows.is_some_and(|rows| rows.contains(&NONE));
    let mut field = NamedColumn::new(name, cells);
    if lacks_rows || entries.present.is_some() {
        field.present = Some(Box::new(move |row| {
            let place = place(row);
            place != NONE as usize
                && entries
                    .present
                    .as_ref()
                    .is_none_or(|present| present[place])
        }));
    }
    field
}

/// The number that a key is, as numbers are written.
fn number(key: &str) -> Option<i64> {
    integer(key.as_bytes())
}

/// The order of the keys by number, if they are numbers and increase in every table.
fn by_number(keys: &Keys, parts: &[JoinedTable]) -> Option<Vec<usize>> {
    let numbers: Vec<i64> = keys.iter().map(number).collect::<Option<_>>()?;
    let increases = |part: &JoinedTable| part.table.keys.iter().filter_map(number).is_sorted();
    if !parts.iter().all(increases) {
        return None;
    }
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_unstable_by_key(|&row| numbers[row]);
    Some(order)
}

/// The keys that the joint table does not have.
fn left_out(keys: &Keys, joint: &Keys) -> Unmatched {
    let places = keys.rows_in(joint);
    Unmatched::of(keys, |row| places[row].is_none())
}
