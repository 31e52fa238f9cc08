//! Which columns of a table hold the arcs.

use webrank_base::shown::quoted;
use webrank_tables::text::records::Record;

/// The columns of an arc.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ArcColumns {
    pub(super) source: usize,
    pub(super) target: usize,
    pub(super) weight: Option<usize>,
    /// The most fields that a line may have, unless a header or the user says what they are.
    pub(super) most: Option<usize>,
}

impl Default for ArcColumns {
    fn default() -> Self {
        ArcColumns {
            source: 0,
            target: 1,
            weight: None,
            most: Some(2),
        }
    }
}

/// What the user says about columns and header.
#[derive(Debug, Clone, Default)]
pub(super) struct ColumnChoice {
    /// The columns of source, target and perhaps weight, by number from 1 or by name.
    pub(super) columns: Option<Vec<String>>,
    /// Whether the first line is a header, if the user says so.
    pub(super) is_there: Option<bool>,
    /// Weights are not read.
    pub(super) unweighted: bool,
}

/// Columns found in a first line.
pub(super) struct Found {
    pub(super) columns: ArcColumns,
    pub(super) has_header: bool,
}

const SOURCES: &[&str] = &[
    "source",
    "src",
    "from",
    "fromnodeid",
    "fromnode",
    "fromid",
    "sourceid",
    "sourcenode",
    "srcid",
];
const TARGETS: &[&str] = &[
    "target",
    "dst",
    "dest",
    "destination",
    "to",
    "tonodeid",
    "tonode",
    "toid",
    "targetid",
    "targetnode",
    "dstid",
];
const WEIGHTS: &[&str] = &["weight", "weights", "value", "count", "rating"];

/// A name of a column without what people write differently.
fn plain(name: &str) -> String {
    let letters = name.trim().trim_matches('"').chars();
    let letters = letters.filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

impl ColumnChoice {
    /// The columns of a text file, from its first record. `has_time` allows a fourth column.
    pub(super) fn columns(&self, record: &Record, has_time: bool) -> Result<Found, String> {
        let names = (0..record.len()).map(|field| String::from_utf8_lossy(record.bytes(field)));
        let names: Vec<String> = names.map(|name| name.into_owned()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let known = known(&names);
        if let Some(wanted) = &self.columns {
            let by_name = wanted.iter().any(|column| column.parse::<usize>().is_err());
            let has_header = by_name || self.is_there.unwrap_or(known.is_some());
            let columns = self.chosen(wanted, &names)?;
            return Ok(Found {
                columns,
                has_header,
            });
        }
        let has_header = self.is_there.unwrap_or(known.is_some());
        if let Some(columns) = known.filter(|_| has_header) {
            let weight = columns.weight.filter(|_| !self.unweighted);
            let columns = ArcColumns { weight, ..columns };
            return Ok(Found {
                columns,
                has_header,
            });
        }
        let is_number = |field: usize| has_header || record.number(field).is_some();
        let weight = match record.len() {
            0..=2 => None,
            3 if self.unweighted || is_number(2) => Some(2),
            4 if has_time && is_number(2) => Some(2),
            3 => {
                let third = quoted(names[2]);
                return Err(format!(
                    "more than two fields, and the third, {third}, is not a weight; --columns says \
                     what they are, as in --columns 1,2"
                ));
            }
            fields => {
                return Err(format!(
                    "more than two fields ({fields}); --columns says what they are, as in --columns \
                     1,2 or --columns source,target,weight"
                ));
            }
        };
        let columns = ArcColumns {
            weight: weight.filter(|_| !self.unweighted),
            most: Some(record.len().max(2)),
            ..ArcColumns::default()
        };
        Ok(Found {
            columns,
            has_header,
        })
    }

    /// The columns of a table whose columns have names.
    pub(super) fn named(&self, names: &[&str]) -> Result<ArcColumns, String> {
        if let Some(wanted) = &self.columns {
            return self.chosen(wanted, names);
        }
        let columns = known(names).or_else(|| {
            let is_plain = (2..=3).contains(&names.len());
            is_plain.then(|| ArcColumns {
                weight: (names.len() == 3).then_some(2),
                most: None,
                ..ArcColumns::default()
            })
        });
        let columns = columns.ok_or_else(|| {
            format!(
                "which columns hold the arcs? there are {}; say so, as in --columns source,target",
                listed(names)
            )
        })?;
        let weight = columns.weight.filter(|_| !self.unweighted);
        Ok(ArcColumns { weight, ..columns })
    }

    /// The columns that the user wants.
    fn chosen(&self, wanted: &[String], names: &[&str]) -> Result<ArcColumns, String> {
        let find = |column: &String| {
            if let Ok(number) = column.parse::<usize>() {
                return match number {
                    0 => Err("columns are counted from 1".to_owned()),
                    _ if number > names.len() => Err(format!(
                        "there are only {} columns, not {number}",
                        names.len()
                    )),
                    _ => Ok(number - 1),
                };
            }
            let place = names.iter().position(|name| *name == column);
            let place =
                place.or_else(|| names.iter().position(|name| plain(name) == plain(column)));
            place
                .ok_or_else(|| format!("no column {}: there are {}", quoted(column), listed(names)))
        };
        let found: Vec<usize> = wanted.iter().map(find).collect::<Result<_, _>>()?;
        match found[..] {
            [source, target] => Ok(ArcColumns {
                source,
                target,
                weight: None,
                most: None,
            }),
            [source, target, weight] => Ok(ArcColumns {
                source,
                target,
                weight: Some(weight).filter(|_| !self.unweighted),
                most: None,
            }),
            _ => Err("columns are two or three: source,target or source,target,weight".to_owned()),
        }
    }
}

/// The columns whose names say what they hold.
pub(super) fn known(names: &[&str]) -> Option<ArcColumns> {
    let names: Vec<String> = names.iter().map(|name| plain(name)).collect();
    let find = |known: &[&str]| names.iter().position(|name| known.contains(&name.as_str()));
    Some(ArcColumns {
        source: find(SOURCES)?,
        target: find(TARGETS)?,
        weight: find(WEIGHTS),
        most: None,
    })
}

fn listed(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(20).map(|name| quoted(name)).collect();
    match shown.len() {
        0 => "none".to_owned(),
        _ => shown.join(", "),
    }
}
