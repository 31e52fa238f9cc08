//! `rank top`.

use serde_json::json;
use std::path::PathBuf;
use webrank_base::error::{Error, Result};
use webrank_base::memory::of_process;
use webrank_base::shown::quoted;
use webrank_base::visible::visible;
use webrank_scores::ranking::Ranking;
use webrank_tables::read::{TableSize, read_scores};
use webrank_terminal::aligned::aligned;
use webrank_terminal::options::{Global, at_least_one, write_json, write_lines};
use webrank_terminal::plan::READ_ONCE;

/// Show the best rows of a table of scores, perhaps only those whose names start with a prefix
///
/// Ranks are those among all rows of the table: 1 plus the number of rows with a larger score.
#[derive(clap::Args)]
pub struct Args {
    /// A table of any format that 'rank' reads, of any program
    scores: PathBuf,
    /// Only rows whose names start with this
    #[arg(long, value_name = "PREFIX", default_value = "")]
    prefix: String,
    /// How many rows
    #[arg(short = 'n', long, value_name = "K", default_value_t = 20, aliases = ["limit", "hits"], value_parser = at_least_one)]
    top: usize,
    /// The column of scores [default: the first]
    #[arg(long, value_name = "NAME")]
    column: Option<String>,
    /// The column of names [default: name, else node, else the first]
    #[arg(long, value_name = "NAME")]
    on: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    match TableSize::of(&args.scores, args.on.as_deref())? {
        Some(size) => {
            // The ranking of one column.
            let ranking = size.of_scores().saturating_add(24 * size.rows);
            global.admit("top", of_process() + ranking.max(size.of_reading()))?;
        }
        None => global.refuse_plan(READ_ONCE)?,
    }
    let table = read_scores(&args.scores, args.on.as_deref())?;
    let wanted = |name: &str| args.column.as_ref().is_none_or(|column| column == name);
    let column = table.columns.iter().find(|(name, _)| wanted(name));
    let (header, scores) = column.ok_or_else(|| {
        let columns: Vec<String> = table.columns.iter().map(|(name, _)| quoted(name)).collect();
        let problem = format!("no such column of scores; there are {}", columns.join(", "));
        Error::file(&args.scores, problem)
    })?;
    let ranking = Ranking::new(scores)?;
    let starts = |row: &u32| table.keys.get(*row as usize).starts_with(&args.prefix);
    let best = ranking.order().iter().copied().filter(starts);
    let best: Vec<usize> = best.take(args.top).map(|row| row as usize).collect();
    if args.json {
        let row = |&row: &usize| {
            json!({
                "rank": ranking.ranks()[row],
                header: scores[row],
                &table.key_column: table.keys.get(row),
            })
        };
        return write_json(&best.iter().map(row).collect::<Vec<_>>());
    }
    let shown: Vec<f64> = best.iter().map(|&row| scores[row]).collect();
    let shown = aligned(&shown);
    let header = visible(header);
    let width = shown
        .first()
        .map_or(0, String::len)
        .max(header.chars().count());
    write_lines(|out| {
        let keys = visible(&table.key_column);
        writeln!(out, "{:>8}  {header:<width$}  {keys}", "rank")?;
        for (&row, score) in best.iter().zip(&shown) {
            let (rank, name) = (ranking.ranks()[row], visible(table.keys.get(row)));
            writeln!(out, "{rank:>8}  {score:<width$}  {name}")?;
        }
        Ok(())
    })
}
