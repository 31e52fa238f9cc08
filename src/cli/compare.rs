//! `rank compare`.

use super::options::{Global, write_compressed, write_stdout};
use clap::ValueEnum;
use serde_json::json;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use webrank::compare::table::{Column, Options, Table, rankings, table_of};
use webrank::compare::{RankBy, Weigher, Weighting};
use webrank::error::{Error, Result};
use webrank::output::PendingFile;
use webrank::report::{Report, html};
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
///
/// --html writes all of it as one web page with plots: where the nodes are, rank against rank; the
/// overlap of the first k; the distribution of the scores; how the first 25 change places.
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
    /// Weighted tau: the weight of a node by its rank r, from 0
    #[arg(long, value_enum, default_value_t = WeigherArg::Hyperbolic)]
    weigher: WeigherArg,
    /// Weighted tau: which table's order gives the ranks, the first or the second of a pair
    #[arg(long, value_enum, default_value_t = RankByArg::Both)]
    rank_by: RankByArg,
    /// Climbers and fallers to list [default: 5, on a web page 20]
    #[arg(long, value_name = "N")]
    movers: Option<usize>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write a web page with plots; it is one file and needs no network
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the coefficients of every pair as CSV (.gz and .zst are compressed)
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum WeigherArg {
    /// 1 / (r + 1): the top weighs most, the tail still counts
    Hyperbolic,
    /// 1 / ln(r + e): the tail counts more
    Logarithmic,
    /// 1 / (r + 1)^2: in effect, the first nodes only
    Quadratic,
}

#[derive(Clone, Copy, ValueEnum)]
enum RankByArg {
    /// The first, its ties broken by the second
    A,
    /// The second, its ties broken by the first
    B,
    /// Each in turn: the mean of the two values
    Both,
}

impl Args {
    fn options(&self) -> Options {
        let weigher = match self.weigher {
            WeigherArg::Hyperbolic => Weigher::Hyperbolic,
            WeigherArg::Logarithmic => Weigher::Logarithmic,
            WeigherArg::Quadratic => Weigher::Quadratic,
        };
        let rank_by = match self.rank_by {
            RankByArg::A => RankBy::X,
            RankByArg::B => RankBy::Y,
            RankByArg::Both => RankBy::Both,
        };
        let movers = if self.html.is_some() { 20 } else { 5 };
        Options {
            weighting: Weighting {
                weigher,
                rank_by,
                ..Weighting::default()
            },
            movers: self.movers.unwrap_or(movers),
            ..Options::default()
        }
    }
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let create = |path: &Option<PathBuf>| path.as_deref().map(PendingFile::create).transpose();
    let (output, page) = (create(&args.output)?, create(&args.html)?);
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
    let progress = global.progress();
    let rankings = rankings(&columns, progress.as_ref())?;
    let found = table_of(&columns, &rankings, args.options(), progress.as_ref())?;
    drop(progress);
    refuse_ranks(args, &found)?;
    let notes = unmatched(args, &joined);
    for note in &notes {
        global.summary(&format!("rank: {note}\n"));
    }
    let silent = !args.json && (output.is_some() || page.is_some());
    if let (Some(mut file), Some(path)) = (page, &args.html) {
        let report = Report {
            columns: &columns,
            rankings: &rankings,
            table: &found,
            keys: &joined.keys,
            notes: &notes,
        };
        let page = html(&report)?;
        write_compressed(path, &mut file, |out| out.write_all(page.as_bytes()))?;
        file.finish()?;
    }
    if let (Some(mut file), Some(path)) = (output, &args.output) {
        write_compressed(path, &mut file, |out| write_csv(out, &found))?;
        file.finish()?;
    }
    if silent {
        return Ok(());
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

/// What was left out of each table, in a sentence.
fn unmatched(args: &Args, joined: &Joined) -> Vec<String> {
    let files = args.files.iter().zip(&joined.unmatched);
    let notes = files.filter_map(|(path, keys)| {
        Some(format!(
            "{}: {} rows that another table lacks are left out, the first is '{}'",
            path.display(),
            keys.len(),
            keys.first()?
        ))
    });
    notes.collect()
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
