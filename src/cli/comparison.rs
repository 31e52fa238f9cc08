//! What `rank compare` found: as JSON, as CSV, for people to read.

use serde_json::json;
use std::io::{self, Write};
use std::path::PathBuf;
use webrank::compare::comparisons::Comparisons;
use webrank::scores::guarantee::Guarantee;
use webrank::scores::keys::Keys;
use webrank::scores::read::Joined;

/// Everything, as JSON.
pub fn as_json(
    files: &[PathBuf],
    joined: &Joined,
    found: &Comparisons,
    guarantees: Option<&[Guarantee]>,
) -> serde_json::Value {
    let files: Vec<_> = files.iter().zip(&joined.unmatched).collect();
    json!({
        "files": files
            .iter()
            .map(|(path, keys)| json!({"path": path, "rows_left_out": keys.iter().collect::<Vec<_>>()}))
            .collect::<Vec<_>>(),
        "keys_of_movers": keys_of_movers(found, &joined.keys),
        "guarantees": guarantees,
        "table": found,
    })
}

/// The keys of the rows that climbers and fallers are told by.
fn keys_of_movers(found: &Comparisons, keys: &Keys) -> serde_json::Map<String, serde_json::Value> {
    let movers = found
        .comparisons
        .iter()
        .map(|comparison| &comparison.movers);
    let nodes = movers.flat_map(|movers| movers.climbers.iter().chain(&movers.fallers));
    nodes
        .map(|mover| (mover.node.to_string(), json!(keys.get(mover.node as usize))))
        .collect()
}

/// The coefficients, a row each.
pub fn write_csv(out: &mut dyn Write, found: &Comparisons) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(["x", "y", "coefficient", "value"])?;
    for comparison in &found.comparisons {
        let (x, y) = (
            &found.columns[comparison.x].name,
            &found.columns[comparison.y].name,
        );
        for (name, value) in comparison.scalars() {
            let value = value.map(|value| value.to_string()).unwrap_or_default();
            writer.write_record([x, y, &name, &value])?;
        }
    }
    writer.flush()
}

/// Matrices shown when there are more than two columns.
const MATRICES: [&str; 3] = ["weighted_tau", "tau_b", "rbo_a"];

/// For people to read.
pub fn print(out: &mut dyn Write, found: &Comparisons, keys: &Keys) -> io::Result<()> {
    writeln!(out, "{} rows in common", found.rows)?;
    if found.columns.len() > 2 {
        for coefficient in MATRICES {
            print_matrix(out, found, coefficient)?;
        }
        writeln!(out, "\n--json or -o FILE.csv has the other coefficients")?;
        return Ok(());
    }
    for comparison in &found.comparisons {
        let [x, y] = [comparison.x, comparison.y].map(|i| &found.columns[i].name);
        writeln!(out, "\n{x} and {y}\n")?;
        for (name, value) in comparison.scalars() {
            writeln!(out, "  {name:<16} {}", number(value))?;
        }
        for (what, movers) in [
            ("climbers", &comparison.movers.climbers),
            ("fallers", &comparison.movers.fallers),
        ] {
            writeln!(out, "\n  {what} from {x} to {y}")?;
            for mover in movers {
                let key = keys.get(mover.node as usize);
                writeln!(out, "  {:>10} -> {:<10} {key}", mover.rank_x, mover.rank_y)?;
            }
        }
    }
    Ok(())
}

fn print_matrix(out: &mut dyn Write, found: &Comparisons, coefficient: &str) -> io::Result<()> {
    let width = found
        .columns
        .iter()
        .map(|column| column.name.len())
        .max()
        .unwrap_or(0)
        .max(8);
    write!(out, "\n{coefficient:<width$}")?;
    for column in &found.columns {
        write!(out, "  {:>width$}", column.name)?;
    }
    writeln!(out)?;
    for (a, row) in found.columns.iter().enumerate() {
        write!(out, "{:<width$}", row.name)?;
        for b in 0..found.columns.len() {
            let value = found.comparison(a, b).and_then(|comparison| {
                let mut scalars = comparison.scalars().into_iter();
                scalars.find(|(name, _)| name == coefficient)?.1
            });
            let entry = if a == b { "1".into() } else { number(value) };
            write!(out, "  {entry:>width$}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}

fn number(value: Option<f64>) -> String {
    match value {
        None => "-".into(),
        Some(value) if value != 0.0 && value.abs() < 1e-4 => format!("{value:.3e}"),
        Some(value) => format!("{value:.6}"),
    }
}
