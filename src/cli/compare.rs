//! `rank compare`.

use super::comparison::{as_json, print, write_csv};
use super::shared::options::{Global, write_lines, write_stdout};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use webrank::compare::comparisons::{
    CompareOptions, Comparisons, GivenRanks, NamedScores, compare_ranked, rank_columns,
};
use webrank::compare::{BoundedScores, RankBy, Weigher, Weighting};
use webrank::internals::error::{Error, Result};
use webrank::internals::graph::text::shown::{quoted, shown};
use webrank::internals::output::{PendingFile, publish};
use webrank::internals::report::ComparisonPage;
use webrank::internals::scores::guarantee::Guarantee;
use webrank::internals::scores::manifest::Account;
use webrank::internals::scores::read::{Joined, join, read_scores};
use webrank::internals::scores::write::{Format, write_compressed};
use webrank::internals::visible::{visible, visible_json};

/// Compare rankings: do they agree, where do they differ, does it matter at the top?
///
/// FILES are tables that 'rank' wrote, or any Parquet, Arrow, CSV, TSV or JSON lines with a column of
/// keys and a column 'score' (or several columns of scores, such as those of 'rank geometric': all of
/// them are compared), or numpy's .npy with the scores by node. Rows are matched by name, or failing
/// that (and with .npy) by node; rows that some file lacks are left out and reported.
///
/// For every pair: Kendall's tau-b, Vigna's weighted tau (hyperbolic: the top weighs most), Spearman's
/// rho, Pearson on the logarithms, Goodman and Kruskal's gamma, AP correlation, rank-biased overlap
/// (p = 0.9; w, a and b are three treatments of ties), overlap and Jaccard coefficient of the first
/// 10, 100, 1000, ..., distances of the normalised scores, and the nodes that climb and fall most.
///
/// --html writes all of it as one web page with plots: rank against rank; the overlap of the first
/// k; the distribution of the scores; how the first 25 change places.
#[derive(clap::Args)]
pub struct Args {
    /// Tables of scores; larger is better
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The column of keys [default: name; without it, node; without that, the first]
    #[arg(long, value_name = "COLUMN")]
    on: Option<String>,
    /// Report what the errors of the tables leave undecided. Bounds come from FILE.json (and the
    /// columns 'lower' and 'upper'); they are certified, or hold with some probability for samples.
    /// Scores without a guarantee are named and taken as exact
    #[arg(long)]
    respect_bounds: bool,
    /// Compare columns that look like ranks (1, 2, 3, ...) as scores instead of refusing them
    #[arg(long)]
    ranks_are_scores: bool,
    /// Weighted tau: the weight of a node by its rank r, from 0
    #[arg(long, value_enum, default_value_t = Weigher::Hyperbolic)]
    weigher: Weigher,
    /// Weighted tau: which table of a pair gives the ranks
    #[arg(long, value_enum, default_value_t = RankBy::Both)]
    rank_by: RankBy,
    /// Weighted tau: take the ranks from this table, which is not compared; ties share a rank
    #[arg(long, value_name = "FILE", conflicts_with = "rank_by")]
    rank_by_table: Option<PathBuf>,
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

impl Args {
    fn options(&self, ranks: Option<GivenRanks>) -> CompareOptions {
        let movers = if self.html.is_some() { 20 } else { 5 };
        CompareOptions {
            weighting: Weighting {
                weigher: self.weigher,
                rank_by: self.rank_by,
                ..Weighting::default()
            },
            ranks,
            movers: self.movers.unwrap_or(movers),
            ..CompareOptions::default()
        }
    }
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let outputs = Outputs::open(args)?;
    let mut joined = read(args)?;
    let ranks = args.rank_by_table.as_deref();
    let ranks = ranks.map(|path| ranks_by(path, &mut joined)).transpose()?;
    let names = names(&args.files, &joined);
    let guarantees = args.respect_bounds.then(|| guarantees(args, &joined));
    let guarantees = guarantees.transpose()?;
    let bounds = match &guarantees {
        Some(guarantees) => half_widths(guarantees, joined.keys.len()),
        None => vec![None; names.len()],
    };
    let columns = columns(&joined, &names, guarantees.as_deref(), &bounds)?;
    if columns.len() < 2 {
        return Err(Error::argument(
            "FILES",
            "one column of scores",
            "name two tables or more",
        ));
    }
    let progress = global.progress();
    let rankings = rank_columns(&columns, progress.as_ref())?;
    let found = compare_ranked(&columns, &rankings, args.options(ranks), progress.as_ref())?;
    drop(progress);
    refuse_ranks(args, &joined, &found)?;
    let mut notes = unmatched(args, &joined);
    if let Some(guarantees) = &guarantees {
        let named = names.iter().zip(guarantees);
        notes.extend(named.map(|(name, guarantee)| format!("{name}: {}", guarantee.text())));
    }
    for note in &notes {
        global.summary(&format!("rank: {}\n", visible(note)));
    }
    let page = ComparisonPage {
        columns: &columns,
        rankings: &rankings,
        comparisons: &found,
        keys: &joined.keys,
        notes: &notes,
    };
    if outputs.write(args, &page)? && !args.json {
        return Ok(());
    }
    if !args.json {
        return write_lines(|out| print(out, &found, &joined.keys));
    }
    let json = as_json(&args.files, &joined, &found, guarantees.as_deref());
    write_stdout(|out| writeln!(out, "{}", visible_json(&format!("{json:#}"))))
}

/// The output files, opened before any work is done.
struct Outputs {
    page: Option<PendingFile>,
    coefficients: Option<PendingFile>,
}

impl Outputs {
    fn open(args: &Args) -> Result<Self> {
        if let Some(path) = args.output.as_deref()
            && Format::of(path)? != Format::Csv
        {
            let problem = "coefficients are written as CSV; name a file such as coefficients.csv";
            return Err(Error::file(path, problem));
        }
        let create = |path: &Option<PathBuf>| path.as_deref().map(PendingFile::create).transpose();
        Ok(Outputs {
            coefficients: create(&args.output)?,
            page: create(&args.html)?,
        })
    }

    /// True if there is any.
    fn write(self, args: &Args, page: &ComparisonPage) -> Result<bool> {
        let mut written = Vec::new();
        if let (Some(mut file), Some(path)) = (self.page, &args.html) {
            let html = page.html()?;
            write_compressed(path, &mut file, |out| out.write_all(html.as_bytes()))?;
            written.push(file);
        }
        if let (Some(mut file), Some(path)) = (self.coefficients, &args.output) {
            write_compressed(path, &mut file, |out| write_csv(out, page.comparisons))?;
            written.push(file);
        }
        let is_any = !written.is_empty();
        publish(written)?;
        Ok(is_any)
    }
}

/// Reads the tables in parallel and matches their rows; the one that gives ranks is last.
fn read(args: &Args) -> Result<Joined> {
    let paths: Vec<&PathBuf> = args.files.iter().chain(&args.rank_by_table).collect();
    // Arrays have no names: all tables are then matched by node.
    let is_array = |path: &&PathBuf| matches!(Format::of(path), Ok(Format::Npy));
    let by_node = paths.iter().any(is_array).then_some("node");
    let on = args.on.as_deref().or(by_node);
    let read: Vec<Result<_>> = paths.par_iter().map(|path| read_scores(path, on)).collect();
    // Report the first problem in the order of the files, not in the order of time.
    Ok(join(read.into_iter().collect::<Result<_>>()?))
}

/// Removes the table that gives ranks from those that are compared.
fn ranks_by(path: &Path, joined: &mut Joined) -> Result<GivenRanks> {
    let columns = joined.columns.pop().unwrap_or_default();
    let [(_, scores)] = &columns[..] else {
        let headers: Vec<&str> = columns.iter().map(|(header, _)| header.as_str()).collect();
        return Err(Error::file(
            path,
            format!(
                "ranks must come from one column, not from {}; name that column 'score'",
                shown(&headers.join(", "))
            ),
        ));
    };
    GivenRanks::new(&path.display().to_string(), scores)
}

/// What the manifest beside each table guarantees, column by column.
fn guarantees(args: &Args, joined: &Joined) -> Result<Vec<Guarantee>> {
    let mut guarantees = Vec::new();
    let tables = joined.columns.iter().zip(&joined.intervals);
    for (path, (columns, interval)) in args.files.iter().zip(tables) {
        let account = Account::beside(path)?;
        let of = |header: &str| Guarantee::of(&account, header, interval.is_some());
        guarantees.extend(columns.iter().map(|(header, _)| of(header)));
    }
    let why = |guarantee: &Guarantee| match guarantee {
        Guarantee::None { why } => Some(why.clone()),
        _ => None,
    };
    let whys: Option<Vec<String>> = guarantees.iter().map(why).collect();
    if let Some(why) = whys.and_then(|whys| whys.into_iter().next()) {
        let remedy = format!(
            "no table has a guarantee to respect (the first: {why}); compare without it, or with \
             tables that have their manifests (FILE.json) beside them"
        );
        return Err(Error::argument("respect_bounds", "given", remedy));
    }
    Ok(guarantees)
}

/// The error bound of the scores, if all share one.
fn half_widths(guarantees: &[Guarantee], rows: usize) -> Vec<Option<Vec<f64>>> {
    let widths = guarantees.iter().map(|guarantee| match guarantee {
        Guarantee::Exact => Some(vec![0.0; rows]),
        Guarantee::Within { half_width, .. } => Some(vec![*half_width; rows]),
        _ => None,
    });
    widths.collect()
}

/// The columns of all tables, with their bounds.
fn columns<'a>(
    joined: &'a Joined,
    names: &'a [String],
    guarantees: Option<&[Guarantee]>,
    half_widths: &'a [Option<Vec<f64>>],
) -> Result<Vec<NamedScores<'a>>> {
    let tables = joined.columns.iter().zip(&joined.intervals);
    let scores = tables.flat_map(|(columns, interval)| {
        columns
            .iter()
            .map(move |(_, scores)| (scores, interval.as_ref()))
    });
    let named = scores.zip(names).zip(half_widths).enumerate();
    let columns = named.map(|(i, (((scores, interval), name), half_widths))| {
        let between = matches!(guarantees, Some(g) if matches!(g[i], Guarantee::Between { .. }));
        let bounds = match (half_widths, interval) {
            (Some(half_widths), _) => Some(BoundedScores::new(scores, half_widths)?),
            (None, Some([lower, upper])) if between => Some(BoundedScores::between(lower, upper)?),
            _ => None,
        };
        Ok(NamedScores {
            name,
            scores,
            bounds,
        })
    });
    columns.collect()
}

/// The name of each column: the file's stem, and the column's header if a file has several.
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

/// Fails on the first column of ranks, unless they are to be compared as scores.
fn refuse_ranks(args: &Args, joined: &Joined, found: &Comparisons) -> Result<()> {
    if args.ranks_are_scores {
        return Ok(());
    }
    let files = args.files.iter().zip(&joined.columns);
    let columns = files.flat_map(|(path, columns)| columns.iter().map(move |_| path));
    for (path, column) in columns.zip(&found.columns) {
        if let Some(why) = column.rank_like {
            let name = &column.name;
            let problem = format!(
                "{name} looks like ranks, not scores ({why}), but larger must be better: compare the \
                 scores, or insist with --ranks-are-scores"
            );
            return Err(Error::file(path, problem));
        }
    }
    Ok(())
}

/// One sentence for each table that has unmatched rows.
fn unmatched(args: &Args, joined: &Joined) -> Vec<String> {
    let files = args.files.iter().chain(&args.rank_by_table);
    let files = files.zip(&joined.unmatched);
    let notes = files.filter_map(|(path, keys)| {
        Some(format!(
            "{}: {} rows that another table lacks are left out, the first is {}",
            path.display(),
            keys.len(),
            quoted(keys.iter().next()?)
        ))
    });
    notes.collect()
}
