//! `rank verify`.

use super::provenance::Provenance;
use super::verification_target::{ArcWeights, MeasureArgs};
use super::verified_rows::VerifiedRows;
use serde::Serialize;
use serde_json::{Map, Value};
use std::io::{self, Write};
use std::path::PathBuf;
use webrank_base::error::{Error, Result};
use webrank_base::limits::Tolerance;
use webrank_base::shown::{quoted, shown};
use webrank_base::units::counted;
use webrank_base::visible::visible;
use webrank_graph::Size;
use webrank_scores::of_arcs::name_of_arc;
use webrank_scores::report::{described, described_graph};
use webrank_tables::read::TableSize;
use webrank_terminal::options::{Global, write_json, write_lines};
use webrank_verify::claims::Promise;
use webrank_verify::{Finding, Question, TableItems, Worst};

/// Tell how far the scores of a table are off, by another computation
///
/// TABLE is a table that 'rank' wrote, or any Parquet, Arrow, CSV, TSV or JSON lines with a column
/// 'name' or 'node' and a score for each node of the graph (for betweenness of arcs, with columns
/// 'source', 'target' and 'score' and a row for each arc), or numpy's .npy. What 'rank' wrote has
/// its graph, measure and parameters in the manifest TABLE.json. For a table of another program, name them:
///
///   rank verify pagerank.csv
///   rank verify networkx.csv --graph graph.bv --measure pagerank --alpha 0.9
///
/// No kernel that computes scores is used. PageRank, TrustRank and its candidates, Katz, LeaderRank,
/// Seeley: plain sweeps over the arcs, which start from the scores, prove between which bounds their
/// error is.
/// Eigenvectors: the residual, and bounds on the eigenvalue. Degrees, SALSA: counted again.
/// Distances, betweenness: searches from all nodes, or from a sample if that takes long.
///
/// Scores may be a multiple of those of the definition, such as betweenness divided by the number of
/// pairs: the factor is found and printed. For networkx: closeness_centrality is '--measure closeness
/// --variant wasserman-faust'; katz_centrality needs its --alpha, by default 0.1.
///
/// Exit codes: 0 if the error is proved to be as small as the manifest promises, or as --tolerance
/// allows, or without either, at most anything; 1 if it is larger, or infinite; 4 if neither is proved.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Args {
    /// The table
    table: PathBuf,
    /// The column of scores [default: score, or all columns that the manifest describes]
    #[arg(long, value_name = "NAME")]
    column: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    measure: MeasureArgs,
    /// Distances and betweenness: search from this many nodes [default: as many as take seconds]
    #[arg(long, value_name = "N", help_heading = "Check")]
    samples: Option<usize>,
    /// Fail unless the error is proved to be at most this: the l1 error (pagerank, trustrank,
    /// seeley), that divided by the sum of scores (katz, leaderrank), the residual (eigenvector,
    /// kendall-wei, hits), or the largest relative error of a score that was checked
    #[arg(long, help_heading = "Check", allow_hyphen_values = true)]
    tolerance: Option<f64>,
}

/// The report on a table.
#[derive(Serialize)]
struct Report {
    table: String,
    rows: usize,
    graph: String,
    columns: Vec<ColumnReport>,
}

/// The report on a column.
#[derive(Serialize)]
struct ColumnReport {
    column: String,
    measure: &'static str,
    parameters: Map<String, Value>,
    #[serde(flatten)]
    finding: Finding,
    /// The name of the worst node.
    #[serde(skip_serializing_if = "Option::is_none")]
    worst_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    promised: Option<Promise>,
}

pub fn run(args: &Args, global: &Global) -> Result<()> {
    let tolerance = args.tolerance.map(Tolerance::new).transpose()?;
    if args.table.as_os_str() != "-" {
        let exists = std::fs::metadata(&args.table);
        exists.map_err(|source| Error::io(&args.table, "cannot read", source))?;
    }
    let origin = Provenance::of(&args.table, &args.measure)?;
    let graph = origin.open_graph(&args.measure, global)?;
    // The table, a row for each node, and what is known of the graph.
    let of_table = TableSize::of(&args.table, None)?.map(|size| size.of_reading());
    let is_of_arcs = origin.is_about_arcs(&args.measure);
    let size = Size::of(&graph);
    let (items, of_graph) = match is_of_arcs {
        true => (size.arcs, size.bytes(24, 6)),
        false => (size.nodes, size.base),
    };
    let of_table = of_table.map(|bytes| bytes.saturating_add(24 * items));
    let reading = of_table.map(|bytes| of_graph.saturating_add(bytes));
    if let Some(reading) = reading {
        global.admit_part("verify", reading)?;
    }
    let table = match is_of_arcs {
        true => VerifiedRows::of_arcs(&args.table, &graph, global.progress().as_ref())?,
        false => VerifiedRows::of_nodes(&args.table, &graph)?,
    };
    let mut report = Report {
        table: args.table.to_string_lossy().into_owned(),
        rows: table.count,
        graph: described_graph(&graph),
        columns: Vec::new(),
    };
    let columns = columns(args, &table.columns, &origin)?;
    for (column, entries) in columns {
        let claimed = match origin.claimed(column, &args.measure, &graph)? {
            Ok(claimed) => claimed,
            // The columns that can be verified are, where there are several.
            Err(why) if table.columns.len() > 1 && args.column.is_none() => {
                global.summary(&format!("rank: {}\n", visible(&why)));
                continue;
            }
            Err(why) => return Err(Error::file(&args.table, why)),
        };
        let items = claimed.verifier.items();
        if let Some(lacks) = table.lacks.as_ref().filter(|_| items != TableItems::Best) {
            return Err(Error::file(&args.table, lacks.clone()));
        }
        let scores = table.scores(entries);
        origin.check_inputs(&graph, &args.measure)?;
        // The graph with other weights keeps no rows, so it is another graph.
        let again = || origin.open_graph(&args.measure, global);
        let other = match &claimed.weights {
            ArcWeights::File(path) => Some(again()?.with_weights(path)),
            ArcWeights::None if graph.has_weights() => Some(again()?.without_weights()),
            ArcWeights::None | ArcWeights::OfGraph => None,
        };
        let graph = other.as_ref().unwrap_or(&graph);
        let columns = 24 * (table.columns.len() * scores.len()) as u64;
        let of_table = of_table.unwrap_or(columns);
        let verifying = of_table.saturating_add(claimed.verifier.needs(graph, &claimed.parameters));
        global.admit("verify", reading.unwrap_or(0).max(verifying))?;
        let progress = global.progress();
        let question = Question {
            graph,
            scores: &scores,
            parameters: &claimed.parameters,
            samples: args.samples,
            progress: progress.as_ref(),
        };
        let finding = claimed.verifier.check(&question)?;
        let name = |worst: Worst| -> Result<String> {
            Ok(match items {
                TableItems::Arcs => {
                    let rows = graph.successors(progress.as_ref())?;
                    name_of_arc(graph, &rows, worst.node as usize)
                }
                TableItems::Nodes | TableItems::Best => graph.name(worst.node).into_owned(),
            })
        };
        let worst_name = finding.worst.map(name).transpose()?;
        drop(progress);
        origin.check_inputs(graph, &args.measure)?;
        let outcome = claimed.outcome.as_ref();
        report.columns.push(ColumnReport {
            column: column.to_owned(),
            measure: claimed.verifier.measure,
            parameters: claimed.shown,
            worst_name,
            promised: outcome.and_then(|outcome| Promise::of(outcome, &finding)),
            finding,
        });
    }
    if report.columns.is_empty() {
        let problem = "has no column that can be verified";
        return Err(Error::file(&args.table, problem));
    }
    if args.json {
        write_json(&report)?;
    } else {
        write_lines(|out| report.print(out))?;
    }
    let columns = &report.columns;
    if let Some(problem) = columns.iter().find_map(|it| it.wrong(tolerance)) {
        return Err(Error::file(&args.table, problem));
    }
    let open = columns.iter().find_map(|it| it.not_decided(tolerance));
    open.map_or(Ok(()), |problem| {
        Err(Error::NotDecided {
            path: args.table.clone(),
            problem,
        })
    })
}

/// The columns to verify.
fn columns<'t>(
    args: &Args,
    all: &'t [(String, Vec<f64>)],
    origin: &Provenance,
) -> Result<Vec<(&'t str, &'t [f64])>> {
    let all = all.iter();
    let all = all.map(|(name, entries)| (name.as_str(), entries.as_slice()));
    let all: Vec<(&str, &[f64])> = all.collect();
    let names = || {
        let names: Vec<String> = all.iter().map(|(name, _)| shown(name)).collect();
        names.join(", ")
    };
    match &args.column {
        Some(wanted) => {
            let found = all.iter().find(|(name, _)| name == wanted);
            let problem = || {
                let problem = format!(
                    "no column {} of scores; there is {}",
                    quoted(wanted),
                    names()
                );
                Error::file(&args.table, problem)
            };
            Ok(vec![*found.ok_or_else(problem)?])
        }
        None if all.len() > 1 && !origin.describes_columns() => {
            let problem = format!(
                "the table has several columns of scores: name one of {}",
                names()
            );
            Err(Error::argument("column", "not given", problem))
        }
        None => Ok(all),
    }
}

impl Report {
    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "table     {}: {}",
            visible(&self.table),
            counted(self.rows, "row")
        )?;
        writeln!(out, "graph     {}", visible(&self.graph))?;
        for column in &self.columns {
            if self.columns.len() > 1 {
                writeln!(out)?;
            }
            column.print(out)?;
        }
        Ok(())
    }
}

impl ColumnReport {
    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut line = |what: &str, text: &str| writeln!(out, "{what:<9} {}", visible(text));
        line("column", &self.column)?;
        line("measure", &described(self.measure, &self.parameters))?;
        let found = &self.finding;
        line("checked", &format!("by {}", found.way))?;
        if let Some(is) = &found.scale_is {
            line("scale", &format!("divided by {:e} ({is})", found.scale))?;
        }
        line("error", &self.error())?;
        let worst = found
            .worst
            .filter(|worst| worst.difference() > worst.within);
        if let (Some(worst), Some(name)) = (worst, &self.worst_name) {
            let (score, truth, off) = (worst.score, worst.truth, worst.difference());
            let text = format!("{name}: {score:e}, not {truth:e}: off by {off:.1e}");
            let within = match worst.within {
                0.0 => String::new(),
                within => format!(", give or take {within:.1e}"),
            };
            line("worst", &(text + &within))?;
        }
        if let Some(sample) = &found.sample {
            let share = 100.0 * sample.share;
            let text = format!(
                "with 95% confidence, at most {share:.2}% of all nodes have a relative error above {:.1e}",
                sample.error
            );
            line("sample", &text)?;
        }
        if let Some([lower, upper]) = found.eigenvalue_bounds {
            line(
                "radius",
                &format!("the spectral radius is between {lower} and {upper}"),
            )?;
        }
        if let Some(claim) = &self.promised {
            let verdict = match (claim.holds, &found.sample) {
                (Some(true), None) if claim.is_rounded => "holds, up to the rounding of the check",
                (Some(true), None) => "holds",
                (Some(true), Some(_)) => "holds for the nodes that were checked",
                (Some(false), _) => "BROKEN",
                (None, _) => "not decided",
            };
            line("promised", &format!("{}: {verdict}", claim.text))?;
        }
        found.notes.iter().try_for_each(|note| line("note", note))
    }

    fn error(&self) -> String {
        let error = &self.finding.error;
        let (kind, least, most) = (error.kind.name(), error.at_least, error.at_most);
        match (least, most) {
            (0.0, f64::INFINITY) => format!("{kind}: nothing is proved"),
            (f64::INFINITY, _) => format!("{kind} infinite: a score that should be 0 is not"),
            (least, f64::INFINITY) => {
                format!("{kind} at least {least:.2e}; it is not proved to be at most anything")
            }
            (0.0, most) => format!("{kind} at most {most:.2e}"),
            (least, most) => format!("{kind} between {least:.2e} and {most:.2e}"),
        }
    }

    /// Why these scores are not as good as they should be.
    fn wrong(&self, tolerance: Option<Tolerance>) -> Option<String> {
        let column = shown(&self.column);
        let broken = self
            .promised
            .as_ref()
            .and_then(|claim| claim.broken.as_ref());
        if let Some(broken) = broken {
            return Some(format!("column {column}: {broken}"));
        }
        let Some(tolerance) = tolerance.map(Tolerance::get) else {
            let is_infinite = self.finding.error.at_least == f64::INFINITY;
            return is_infinite.then(|| format!("column {column}: {}", self.error()));
        };
        (self.finding.error.at_least > tolerance).then(|| {
            let error = self.error();
            format!("column {column}: {error}, above the tolerance {tolerance:e}")
        })
    }

    /// A statement that is neither proved nor disproved of these scores: that they are within the tolerance,
    /// or as good as they should be.
    fn not_decided(&self, tolerance: Option<Tolerance>) -> Option<String> {
        let (column, error) = (shown(&self.column), self.error());
        let bounds = &self.finding.error;
        let open = match (tolerance.map(Tolerance::get), &self.promised) {
            (Some(tolerance), _) if bounds.at_most <= tolerance => return None,
            (Some(tolerance), _) => format!("not proved to be within the tolerance {tolerance:e}"),
            (None, Some(claim)) if claim.holds.is_some() => return None,
            (None, Some(_)) => {
                "which neither proves nor breaks the promise of its manifest".to_owned()
            }
            (None, None) if bounds.at_most < f64::INFINITY => return None,
            (None, None) => "so how far the scores are off is not decided".to_owned(),
        };
        Some(format!("column {column}: {error}, {open}"))
    }
}
