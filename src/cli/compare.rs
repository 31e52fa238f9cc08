//! `rank compare`.

use super::comparison::{AsJson, print, write_csv};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use webrank::compare::comparisons::{CompareOptions, GivenRanks};
use webrank::compare::needs::{Compared, PAGE};
use webrank::compare::tables::Tables;
use webrank::compare::{RankBy, Weigher, Weighting};
use webrank_base::error::{Error, Result};
use webrank_base::memory::resident_memory;
use webrank_base::output::{PendingFile, publish};
use webrank_base::visible::visible;
use webrank_compare::report::ComparisonPage;
use webrank_scores::guarantee::Guarantee;
use webrank_scores::manifest::ManifestState;
use webrank_tables::read::{Joined, TableSize, join, open_table, read_scores};
use webrank_tables::write::{TableFormat, write_compressed};
use webrank_terminal::options::{Global, write_json, write_lines};
use webrank_terminal::plan::READ_ONCE;

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
    fn options(&self, columns: usize, ranks: Option<GivenRanks>) -> CompareOptions {
        let is_listed = self.json || self.html.is_some();
        let movers = match (self.html.is_some(), columns > 2 && !is_listed) {
            (true, _) => 20,
            // Matrices have no movers.
            (false, true) => 0,
            (false, false) => 5,
        };
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

    /// The size of the comparison.
    fn compared(&self, rows: u64, columns: u64) -> Compared {
        Compared {
            rows,
            columns,
            bounds: self.respect_bounds,
            page: if self.html.is_some() { PAGE } else { 0 },
        }
    }

    /// Checks, before tables are read, that they and what is made of them fit into memory; false if
    /// some table can be read only once, so that its size is not known.
    fn admit(&self, global: &Global) -> Result<bool> {
        let paths = self.files.iter().chain(&self.rank_by_table);
        let on = self.key_column();
        let sizes: Vec<Result<_>> = paths.map(|path| TableSize::of(path, on)).collect();
        let sizes: Option<Vec<TableSize>> = sizes.into_iter().collect::<Result<_>>()?;
        let Some(sizes) = sizes else {
            return global.refuse_plan(READ_ONCE).map(|()| false);
        };
        let rows = sizes.iter().map(|size| size.rows).min().unwrap_or(0);
        let compared = sizes.iter().take(self.files.len());
        let columns: u64 = compared.map(|size| size.scores).sum();
        let options = self.options(columns as usize, None);
        let needed = self.compared(rows, columns).needs(&sizes, &options);
        global.admit("compare", needed)?;
        Ok(true)
    }

    /// The column of keys, if it is not each table's own choice.
    fn key_column(&self) -> Option<&str> {
        // Arrays without names: all tables are then matched by node.
        let has_names = |path: &PathBuf| {
            open_table(path).is_ok_and(|table| table.header().iter().any(|name| name == "name"))
        };
        let is_array = |path: &PathBuf| {
            matches!(TableFormat::of(path), Ok(TableFormat::Npy)) && !has_names(path)
        };
        let mut paths = self.files.iter().chain(&self.rank_by_table);
        let by_node = paths.any(is_array).then_some("node");
        self.on.as_deref().or(by_node)
    }
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let outputs = Outputs::open(args)?;
    let is_admitted = args.admit(global)?;
    let mut joined = read(args)?;
    let ranks = args.rank_by_table.as_deref();
    let ranks = ranks.map(|path| Tables::take_ranks(&mut joined, &path.display().to_string()));
    let ranks = ranks.transpose()?;
    let labels = args.files.iter().chain(&args.rank_by_table);
    let labels = labels.map(|path| path.display().to_string()).collect();
    let names: Vec<String> = args.files.iter().map(|path| stem(path)).collect();
    let mut tables = Tables::new(joined, labels, &names);
    if args.respect_bounds {
        let guarantees = guarantees(args, &tables.joined)?;
        tables = tables.respecting(guarantees)?;
    }
    let columns = tables.columns()?;
    let options = args.options(columns.len(), ranks);
    if !is_admitted {
        let compared = args.compared(tables.joined.keys.len() as u64, columns.len() as u64);
        let held = resident_memory();
        global.admit("compare", held.saturating_add(compared.comparing(&options)))?;
    }
    let progress = global.progress();
    let (rankings, found) =
        tables.compare(&columns, options, args.ranks_are_scores, progress.as_ref())?;
    drop(progress);
    if found.rows == 0 {
        let remedy = "their keys differ: compare tables about the same nodes, or name the column of keys \
                      with --on";
        return Err(Error::argument("FILES", "without a row in common", remedy));
    }
    let notes = tables.notes();
    for note in &notes {
        global.summary(&format!("rank: {}\n", visible(note)));
    }
    let page = ComparisonPage {
        columns: &columns,
        rankings: &rankings,
        comparisons: &found,
        keys: &tables.joined.keys,
        notes: &notes,
    };
    if outputs.write(args, &page)? && !args.json {
        return Ok(());
    }
    if !args.json {
        return write_lines(|out| print(out, &found, &tables.joined.keys));
    }
    let guarantees = tables.guarantees.as_deref();
    write_json(&AsJson::new(
        &args.files,
        &tables.joined,
        &found,
        guarantees,
    ))
}

/// The output files, opened before any work is done.
struct Outputs {
    page: Option<PendingFile>,
    coefficients: Option<PendingFile>,
}

impl Outputs {
    fn open(args: &Args) -> Result<Self> {
        if let Some(path) = args.output.as_deref()
            && TableFormat::of(path)? != TableFormat::Csv
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
    let on = args.key_column();
    let read: Vec<Result<_>> = paths.par_iter().map(|path| read_scores(path, on)).collect();
    // Report the first problem in the order of the files, not in the order of time.
    Ok(join(read.into_iter().collect::<Result<_>>()?))
}

/// The guarantees of the manifest beside each table, column by column.
fn guarantees(args: &Args, joined: &Joined) -> Result<Vec<Guarantee>> {
    let mut guarantees = Vec::new();
    let tables = joined.columns.iter().zip(&joined.intervals);
    for (path, (columns, interval)) in args.files.iter().zip(tables) {
        let account = ManifestState::beside(path)?;
        let of = |header: &str| Guarantee::of(&account, header, interval.is_some());
        guarantees.extend(columns.iter().map(|(header, _)| of(header)));
    }
    Ok(guarantees)
}

/// The short name of a table: its file's name up to the first dot.
fn stem(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}
