//! `rank join`.

use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::phases::Phases;
use webrank_base::shown::quoted;
use webrank_base::units::counted;
use webrank_base::visible::visible;
use webrank_graph::bundle::FileEntry;
use webrank_scores::manifest::{GraphRecord, Manifest, ManifestState};
use webrank_tables::join;
use webrank_tables::join::{JoinedTable, Joint};
use webrank_tables::read::{OpenTable, TableSize, WholeTable, open_table};
use webrank_tables::table::ColumnTable;
use webrank_terminal::options::{Global, Output, OutputArgs, refuse_two_on_stdout, write_json};
use webrank_terminal::plan::READ_ONCE;
use webrank_terminal::reported::Reported;

/// Join tables into one: the columns of all of them, matched by name or node
///
/// FILES are tables that 'rank' wrote, or any CSV, TSV, JSON lines, Parquet, Arrow or .npy. A row that
/// a table lacks has empty cells there, and a line says how many there are. Columns that several
/// tables have get a prefix: the measure, if the manifest FILE.json says it, or the name of the file:
/// pagerank_score, lin_score. The manifest of the joint table says how each column was computed.
#[derive(clap::Args)]
pub struct Args {
    /// Tables
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The column of keys [default: name, if all tables have it, otherwise node]
    #[arg(long, value_name = "COLUMN")]
    on: Option<String>,
    /// Keep only the rows that every table has
    #[arg(long)]
    inner: bool,
    /// Write the table to FILE, in the format of its extension as in other commands, and a manifest to
    /// FILE.json [default: the standard output, as CSV]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
    /// Print how many rows and which columns there are, and what tables lack, as JSON
    #[arg(long, requires = "output", help_heading = "Output")]
    json: bool,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let mut phases = Phases::start();
    let output = args.output.as_deref().unwrap_or(Path::new("-"));
    refuse_two_on_stdout(output, args.json)?;
    let output = Output::of_rows(Some(output), global)?;
    let sizes = read_all(&args.files, |path| TableSize::of(path, None))?;
    match sizes.into_iter().collect::<Option<Vec<_>>>() {
        Some(sizes) => global.admit("join", join::needs(&sizes))?,
        None => global.refuse_plan(READ_ONCE)?,
    }
    let inputs = inputs(&args.files)?;
    let opened = read_all(&args.files, open_table)?;
    let remedy = "name the column of keys with --on";
    let key = key(args.on.as_deref(), &args.files, &opened, remedy)?;
    let tables = opened.into_par_iter().map(|table| table.read(&key));
    let tables: Vec<Result<WholeTable>> = tables.collect();
    let tables = tables.into_iter().collect::<Result<Vec<_>>>()?;
    let accounts = read_all(&args.files, ManifestState::beside)?;
    check_unchanged(&args.files, &inputs)?;
    phases.done("read");
    let prefixes = prefixes(&args.files, &accounts);
    let parts = prefixes.into_iter().zip(tables);
    let parts = parts.map(|(prefix, table)| JoinedTable { prefix, table });
    let joint = Joint::new(&key, parts.collect(), args.inner)?;
    phases.done("join");
    let account = args.json.then(|| account(args, &joint));
    if let Some(note) = note(args, &joint) {
        global.summary(&format!("rank: {}\n", visible(&note)));
    }
    let report = JoinReport {
        inputs,
        joint,
        accounts,
        phases,
    };
    report.write(output, &OutputArgs::all(), global)?;
    account.map_or(Ok(()), |account| write_json(&account))
}

/// Does the same with every file, in parallel; the first problem is that of the first file.
fn read_all<T: Send>(
    files: &[PathBuf],
    read: impl Fn(&Path) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let read: Vec<Result<T>> = files.par_iter().map(|path| read(path)).collect();
    read.into_iter().collect()
}

/// The checksums of the tables, by their paths; without those that can be read only once.
fn inputs(files: &[PathBuf]) -> Result<BTreeMap<String, FileEntry>> {
    let all: Vec<PathBuf> = files
        .iter()
        .filter(|path| path.is_file())
        .cloned()
        .collect();
    let entries = read_all(&all, FileEntry::of)?;
    let names = all.iter().map(|path| path.to_string_lossy().into_owned());
    Ok(names.zip(entries).collect())
}

/// Refuses tables that were changed while they were read.
fn check_unchanged(files: &[PathBuf], before: &BTreeMap<String, FileEntry>) -> Result<()> {
    let after = inputs(files)?;
    let mut all = after.keys().chain(before.keys());
    match all.find(|name| after.get(*name) != before.get(*name)) {
        None => Ok(()),
        Some(name) => {
            let problem = "has been changed while it was read; run again";
            Err(Error::file(Path::new(name), problem))
        }
    }
}

/// The column of keys; `on`, if it is given. The `remedy` is for tables without one.
pub fn key(
    on: Option<&str>,
    files: &[PathBuf],
    tables: &[OpenTable],
    remedy: &str,
) -> Result<String> {
    if let Some(key) = on {
        return Ok(key.to_owned());
    }
    let has = |table: &OpenTable, name: &str| table.header().iter().any(|it| it == name);
    let everywhere = |name: &&str| tables.iter().all(|table| has(table, name));
    if let Some(key) = ["name", "node"].into_iter().find(everywhere) {
        return Ok(key.to_owned());
    }
    let files = files.iter().zip(tables);
    let mut lacking = files.filter(|(_, table)| !has(table, "node") && !has(table, "name"));
    let problem = format!("has neither a column 'name' nor 'node'; {remedy}");
    Err(match lacking.next() {
        Some((path, _)) => Error::file(path, problem),
        None => {
            let remedy = "some tables have only 'name', others only 'node'; add a column to some";
            Error::argument("FILES", "without a column of keys in common", remedy)
        }
    })
}

/// The prefixes of the columns of each table: its measure, or the stem of its name, or its place.
pub fn prefixes(files: &[PathBuf], accounts: &[ManifestState]) -> Vec<String> {
    let stem = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.split('.').next().unwrap_or_default().to_owned()
    };
    let measure = |account: &ManifestState| {
        let runs = account.manifest()?.columns.values();
        let mut measures: Vec<&str> = runs.map(|run| run.measure.as_str()).collect();
        measures.dedup();
        match &measures[..] {
            [measure] => Some((*measure).to_owned()),
            _ => None,
        }
    };
    let stems: Vec<String> = files.iter().map(stem).collect();
    let measures: Vec<Option<String>> = accounts.iter().map(measure).collect();
    let prefixes = stems
        .iter()
        .zip(&measures)
        .enumerate()
        .map(|(i, (stem, measure))| {
            let is_only = |count: usize| count == 1;
            let measure = measure.clone();
            let measure = measure.filter(|it| {
                let same = measures.iter().filter(|other| other.as_ref() == Some(it));
                is_only(same.count())
            });
            measure.unwrap_or_else(|| {
                let same = stems.iter().filter(|other| *other == stem);
                match is_only(same.count()) {
                    true => stem.clone(),
                    false => format!("{stem}_{}", i + 1),
                }
            })
        });
    prefixes.collect()
}

/// Rows, columns and what tables lack, as JSON.
fn account(args: &Args, joint: &Joint) -> Value {
    let columns = joint.columns();
    let unmatched = args.files.iter().zip(joint.unmatched());
    let unmatched = unmatched
        .map(|(table, keys)| json!({ "table": table, "count": keys.count, "first": keys.first }));
    json!({
        "rows": columns.rows,
        "columns": columns.fields.iter().map(|field| &field.name).collect::<Vec<_>>(),
        "unmatched": unmatched.collect::<Vec<_>>(),
    })
}

/// The rows that tables lack, in one line.
fn note(args: &Args, joint: &Joint) -> Option<String> {
    let rows = joint.keys().len();
    let unmatched = args.files.iter().zip(joint.unmatched());
    let notes = unmatched.filter_map(|(path, keys)| {
        let (path, count, first) = (path.display(), keys.count, quoted(keys.first.as_ref()?));
        Some(match args.inner {
            true => {
                let rows = counted(count, "row");
                let are = if count == 1 { "is" } else { "are" };
                format!("{rows} of {path} {are} left out, the first is {first}")
            }
            false => format!("{path} lacks {count} of the {rows} rows, the first is {first}"),
        })
    });
    let notes: Vec<String> = notes.collect();
    (!notes.is_empty()).then(|| notes.join("; "))
}

struct JoinReport {
    inputs: BTreeMap<String, FileEntry>,
    joint: Joint,
    accounts: Vec<ManifestState>,
    phases: Phases,
}

impl Reported for JoinReport {
    fn summary(&self) -> String {
        let columns = self.joint.columns();
        let (rows, fields) = (columns.rows, columns.fields.len());
        format!("{}, {}\n", counted(rows, "row"), counted(fields, "column"))
    }

    fn shown(&self, _: usize) -> String {
        String::new()
    }

    fn columns(&self, _: &OutputArgs) -> ColumnTable<'_> {
        self.joint.columns()
    }

    /// How each column was computed, as far as it is known; the graph, if it is the same everywhere.
    fn manifest(&self, phases: &Phases) -> Result<Manifest> {
        let known = || self.accounts.iter().filter_map(ManifestState::manifest);
        let mut graphs = known().map(|manifest| &manifest.graph);
        let first = graphs.next();
        let is_same =
            |graph: &GraphRecord| Some(&graph.fingerprint) == first.map(|it| &it.fingerprint);
        let graph = first.filter(|_| graphs.all(is_same)).cloned();
        let mut manifest = Manifest::about(graph.unwrap_or_default(), [], &[], phases);
        manifest.inputs.clone_from(&self.inputs);
        for (headers, account) in self.joint.headers().zip(&self.accounts) {
            let Some(of_table) = account.manifest() else {
                continue;
            };
            for (old, new) in headers {
                if let Some(run) = of_table.columns.get(old) {
                    manifest.columns.insert(new.to_owned(), run.clone());
                }
                if let Some(claim) = of_table.intervals.get(old) {
                    manifest.intervals.insert(new.to_owned(), *claim);
                }
            }
        }
        Ok(manifest)
    }

    fn phases(&self) -> &Phases {
        &self.phases
    }
}
