//! `rank compare`.

use super::options::{Global, write_compressed, write_stdout};
use serde_json::json;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use webrank::compare::table::{Column, Options, Table, table};
use webrank::error::{Error, Result};
use webrank::output::PendingFile;
use webrank::scores::read::{Joined, join, read_scores};

/// Compare rankings: do they agree, where do they differ, does it matter at the top?
///
/// FILES are tables that 'rank' wrote, or any CSV or TSV with a header, a column of keys and a column
/// 'score' (or several columns of scores, such as those of 'rank geometric'; each takes part). Rows
/// are matched by name, else by node; rows that some file lacks are left out and reported.
///
/// For every pair: Kendall's tau-b, Vigna's weighted tau (hyperbolic: the top weighs most), Spearman's
/// rho, Pearson on the logarithms, Goodman and Kruskal's gamma, AP correlation, rank-biased overlap
/// (p = 0.9; w, a and b are three ways with ties), overlap and Jaccard coefficient of the first 10,
/// 100, 1000, ..., distances of the normalised scores, and the nodes that climb and fall most.
#[derive(clap::Args)]
pub struct Args {
    /// Tables of scores; larger is better
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The column of keys [default: name, else node, else the first]
    #[arg(long, value_name = "COLUMN")]
    on: Option<String>,
    /// Take the certified error of each table from its FILE.json, and say what it leaves undecided
    #[arg(long)]
    respect_bounds: bool,
    /// Compare columns that look like ranks (1, 2, 3, ...) all the same, as scores
    #[arg(long)]
    ranks_are_scores: bool,
    /// Climbers and fallers to list
    #[arg(long, value_name = "N", default_value_t = 5)]
    movers: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write the coefficients of every pair as CSV (.gz and .zst are compressed)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let output = args
        .output
        .as_deref()
        .map(PendingFile::create)
        .transpose()?;
    let on = args.on.as_deref();
    let read: Vec<_> = args
        .files
        .iter()
        .map(|path| read_scores(path, on))
        .collect::<Result<_>>()?;
    let joined = join(&read);
    drop(read);
    let bounds = match args.respect_bounds {
        true => args
            .files
            .iter()
            .map(|path| error_bound(path))
            .collect::<Result<_>>()?,
        false => vec![None; args.files.len()],
    };
    let names = names(&args.files, &joined);
    let bounds: Vec<Option<Vec<f64>>> = bounds
        .into_iter()
        .zip(&joined.columns)
        .flat_map(|(bound, columns)| columns.iter().map(move |_| bound))
        .map(|bound: Option<f64>| bound.map(|bound| vec![bound; joined.keys.len()]))
        .collect();
    let columns: Vec<Column> = joined
        .columns
        .iter()
        .flatten()
        .zip(&names)
        .zip(&bounds)
        .map(|(((_, scores), name), bounds)| Column {
            name,
            scores,
            bounds: bounds.as_deref(),
        })
        .collect();
    if columns.len() < 2 {
        return Err(Error::argument(
            "FILES",
            "one column of scores",
            "name two tables or more",
        ));
    }
    let options = Options {
        movers: args.movers,
        ..Options::default()
    };
    let progress = global.progress();
    let found = table(&columns, options, progress.as_ref())?;
    drop(progress);
    refuse_ranks(args, &found)?;
    report_unmatched(args, &joined, global);
    if let (Some(mut file), Some(path)) = (output, &args.output) {
        write_compressed(path, &mut file, |out| write_csv(out, &found))?;
        return file.finish();
    }
    write_stdout(|out| match args.json {
        true => writeln!(out, "{:#}", as_json(args, &joined, &found)),
        false => print(out, &found, &joined.keys),
    })
}

/// The certified l1 error in the manifest beside a table. No single score is off by more.
fn error_bound(path: &Path) -> Result<Option<f64>> {
    let mut manifest = path.as_os_str().to_owned();
    manifest.push(".json");
    let manifest = PathBuf::from(manifest);
    let text = std::fs::read(&manifest)
        .map_err(|source| Error::io(&manifest, "cannot read the error bounds", source))?;
    let account: serde_json::Value = serde_json::from_slice(&text)
        .map_err(|problem| Error::file(&manifest, format!("not a manifest: {problem}")))?;
    Ok(account["columns"]["score"]["outcome"]["error_bound"].as_f64())
}

/// What to call each column: the file's stem, and the column's header if a file has several.
fn names(files: &[PathBuf], joined: &Joined) -> Vec<String> {
    let named = files
        .iter()
        .zip(&joined.columns)
        .flat_map(|(path, columns)| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let stem = name.split('.').next().unwrap_or_default().to_owned();
            columns.iter().map(move |(header, _)| match columns.len() {
                1 => stem.clone(),
                _ => format!("{stem}:{header}"),
            })
        });
    named.collect()
}

fn refuse_ranks(args: &Args, found: &Table) -> Result<()> {
    let ranks = found
        .columns
        .iter()
        .find_map(|column| Some((column, column.rank_like?)));
    match ranks {
        Some((column, why)) if !args.ranks_are_scores => Err(Error::Unsupported(format!(
            "{} looks like ranks, not scores ({why}), and larger must be better: compare the scores, \
             or insist with --ranks-are-scores",
            column.name
        ))),
        _ => Ok(()),
    }
}

fn report_unmatched(args: &Args, joined: &Joined, global: &Global) {
    for (path, keys) in args.files.iter().zip(&joined.unmatched) {
        if let Some(first) = keys.first() {
            global.summary(&format!(
                "rank: {}: {} rows that another table lacks are left out, the first is '{first}'\n",
                path.display(),
                keys.len()
            ));
        }
    }
}

fn as_json(args: &Args, joined: &Joined, found: &Table) -> serde_json::Value {
    let files: Vec<_> = args.files.iter().zip(&joined.unmatched).collect();
    json!({
        "files": files
            .iter()
            .map(|(path, keys)| json!({"path": path, "rows_left_out": keys}))
            .collect::<Vec<_>>(),
        "keys_of_movers": keys_of_movers(found, &joined.keys),
        "table": found,
    })
}

/// The keys of the rows that climbers and fallers are told by.
fn keys_of_movers(found: &Table, keys: &[String]) -> serde_json::Map<String, serde_json::Value> {
    let movers = found
        .comparisons
        .iter()
        .map(|comparison| &comparison.movers);
    let nodes = movers.flat_map(|movers| movers.climbers.iter().chain(&movers.fallers));
    nodes
        .map(|mover| (mover.node.to_string(), json!(keys[mover.node as usize])))
        .collect()
}

fn write_csv(out: &mut dyn Write, found: &Table) -> io::Result<()> {
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

fn print(out: &mut dyn Write, found: &Table, keys: &[String]) -> io::Result<()> {
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
                let key = &keys[mover.node as usize];
                writeln!(out, "  {:>10} -> {:<10} {key}", mover.rank_x, mover.rank_y)?;
            }
        }
    }
    Ok(())
}

fn print_matrix(out: &mut dyn Write, found: &Table, coefficient: &str) -> io::Result<()> {
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
