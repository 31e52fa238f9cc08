//! Output of `rank compare`: JSON, CSV, and text for people.

use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use webrank::compare::scalars::short;
use webrank::compare::{Comparison, Comparisons};
use webrank_base::units::counted;
use webrank_base::visible::visible;
use webrank_scores::guarantee::Guarantee;
use webrank_tables::keys::Keys;
use webrank_tables::read::Joined;

/// Everything, as JSON.
#[derive(Serialize)]
pub struct AsJson<'a> {
    files: Vec<FileJson<'a>>,
    guarantees: Option<&'a [Guarantee]>,
    keys_of_movers: BTreeMap<String, &'a str>,
    table: &'a Comparisons,
}

/// A table, as JSON.
#[derive(Serialize)]
struct FileJson<'a> {
    path: Cow<'a, str>,
    rows_left_out: Vec<&'a str>,
}

impl<'a> AsJson<'a> {
    pub fn new(
        files: &'a [PathBuf],
        joined: &'a Joined,
        table: &'a Comparisons,
        guarantees: Option<&'a [Guarantee]>,
    ) -> Self {
        let files = files.iter().zip(&joined.unmatched);
        let files = files.map(|(path, keys)| FileJson {
            path: path.to_string_lossy(),
            rows_left_out: keys.iter().collect(),
        });
        AsJson {
            files: files.collect(),
            guarantees,
            keys_of_movers: keys_of_movers(table, &joined.keys),
            table,
        }
    }
}

/// The keys of the rows that climb and fall.
fn keys_of_movers<'k>(found: &Comparisons, keys: &'k Keys) -> BTreeMap<String, &'k str> {
    let movers = found
        .comparisons
        .iter()
        .map(|comparison| &comparison.movers);
    let nodes = movers.flat_map(|movers| movers.climbers.iter().chain(&movers.fallers));
    nodes
        .map(|mover| (mover.node.to_string(), keys.get(mover.node as usize)))
        .collect()
}

/// The coefficients, one row each.
pub fn write_csv(out: &mut dyn Write, found: &Comparisons) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(["x", "y", "coefficient", "value"])?;
    for comparison in &found.comparisons {
        let [x, y] = [comparison.x, comparison.y].map(|i| &found.columns[i].name);
        for scalar in comparison.scalars() {
            let value = scalar.value.map(|value| value.to_string());
            writer.write_record([x, y, &scalar.name, &value.unwrap_or_default()])?;
        }
    }
    writer.flush()
}

/// A coefficient by name.
type Named = (&'static str, fn(&Comparison) -> Option<f64>);

/// Coefficients shown as matrices when there are more than two columns.
const MATRICES: [Named; 3] = [
    ("weighted_tau", |pair| pair.weighted_tau),
    ("tau_b", |pair| pair.tau_b),
    ("rbo_a", |pair| pair.rbo.map(|rbo| rbo.a)),
];

/// Text for people.
pub fn print(out: &mut dyn Write, found: &Comparisons, keys: &Keys) -> io::Result<()> {
    let columns = found.columns.iter();
    let names: Vec<_> = columns.map(|column| visible(&column.name)).collect();
    writeln!(out, "{} in common", counted(found.rows, "row"))?;
    if names.len() > 2 {
        for matrix in MATRICES {
            print_matrix(out, found, &names, matrix)?;
        }
        return writeln!(out, "\n--json or -o FILE.csv has the other coefficients");
    }
    for comparison in &found.comparisons {
        let [x, y] = [comparison.x, comparison.y].map(|i| &names[i]);
        writeln!(out, "\n{x} and {y}\n")?;
        for scalar in comparison.scalars() {
            let value = scalar.text().unwrap_or_else(|| "-".into());
            writeln!(out, "  {:<16} {value}", scalar.name)?;
        }
        for (what, movers) in [
            ("climbers", &comparison.movers.climbers),
            ("fallers", &comparison.movers.fallers),
        ] {
            writeln!(out, "\n  {what} from {x} to {y}")?;
            for mover in movers {
                let key = visible(keys.get(mover.node as usize));
                writeln!(out, "  {:>10} -> {:<10} {key}", mover.rank_x, mover.rank_y)?;
            }
        }
    }
    Ok(())
}

fn print_matrix(
    out: &mut dyn Write,
    found: &Comparisons,
    names: &[impl AsRef<str>],
    (coefficient, value): Named,
) -> io::Result<()> {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    let lengths = names.iter().map(|name| name.chars().count());
    let width = lengths.max().unwrap_or(0).max(8);
    write!(out, "\n{coefficient:<width$}")?;
    for name in &names {
        write!(out, "  {name:>width$}")?;
    }
    writeln!(out)?;
    for (a, name) in names.iter().enumerate() {
        write!(out, "{name:<width$}")?;
        for b in 0..names.len() {
            let entry = if a == b {
                "1".into()
            } else {
                let value = found.comparison(a, b).and_then(value);
                value.map_or("-".into(), short)
            };
            write!(out, "  {entry:>width$}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
