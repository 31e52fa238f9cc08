//! Measures of a ranking in a file: `rank evaluate --run FILE --judgements FILE`.

use super::scoring::manifest;
use crate::runs::{Options, RetrievalMeasure, Summary};
use crate::runs::{parse_measures, read_judgements, read_run, summary};
use clap::Args;
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::memory::of_process;
use webrank_base::phases::Phases;
use webrank_base::visible::visible;
use webrank_scores::manifest::Manifest;
use webrank_tables::table::{Cells, ColumnTable, NamedColumn};
use webrank_terminal::options::{Global, Output, OutputArgs, write_json};
use webrank_terminal::reported::Reported;

/// Bytes that are held for each byte of the files: names of pages, and where they are.
const HELD: u64 = 3;

/// How a ranking of a file is measured.
#[derive(Args)]
#[command(next_help_heading = "Measures of a file")]
pub struct RunArgs {
    /// Measures of trec_eval: official, all, or names such as map,P_10,ndcg_cut
    #[arg(
        long,
        value_name = "LIST",
        default_value = "official",
        conflicts_with = "index"
    )]
    measures: String,
    /// Show the values of each query too, as 'trec_eval -q' does
    #[arg(long, conflicts_with = "index")]
    each_query: bool,
    /// Mean over all judged queries: those without a ranking count as 0, as with 'trec_eval -c'
    #[arg(long, conflicts_with = "index")]
    all_queries: bool,
    /// The least grade of a relevant page ('trec_eval -l')
    #[arg(
        long,
        value_name = "GRADE",
        default_value_t = 1,
        value_parser = clap::value_parser!(u64).range(1..),
        conflicts_with = "index"
    )]
    least_grade: u64,
    /// At most N pages of each query count ('trec_eval -M')
    #[arg(long, value_name = "N", conflicts_with = "index")]
    depth: Option<usize>,
    /// Leave pages out that were not judged ('trec_eval -J')
    #[arg(long, conflicts_with = "index")]
    judged_only: bool,
}

/// Measures the ranking of a file.
pub fn run(
    args: &RunArgs,
    [run, judgements]: [&Path; 2],
    output: Output,
    is_json: bool,
    global: &Global,
) -> Result<()> {
    let mut phases = Phases::start();
    let measures = parse_measures(&args.measures)?;
    let options = Options {
        least_grade: args.least_grade,
        depth: args.depth.unwrap_or(usize::MAX),
        judged_only: args.judged_only,
        all_queries: args.all_queries,
    };
    if options.depth == 0 {
        return Err(Error::argument("depth", 0, "give at least 1"));
    }
    let bytes = |path: &Path| path.metadata().map_or(0, |found| found.len());
    let held = HELD.saturating_mul(bytes(run) + bytes(judgements));
    global.admit("evaluate", of_process().saturating_add(held))?;
    let (ranked, judged) = (read_run(run)?, read_judgements(judgements)?);
    phases.done("read");
    let summary = summary([run, judgements], &ranked, &judged, &measures, &options)?;
    phases.done("evaluate");
    let report = RunReport {
        inputs: vec![run.to_owned(), judgements.to_owned()],
        names: measures.iter().map(RetrievalMeasure::to_string).collect(),
        measures,
        each_query: args.each_query,
        all_queries: args.all_queries,
        summary,
        phases,
    };
    match is_json {
        true => write_json(&report.json()),
        false => report.write(output, &OutputArgs::all(), global),
    }
}

struct RunReport {
    inputs: Vec<PathBuf>,
    measures: Vec<RetrievalMeasure>,
    names: Vec<String>,
    each_query: bool,
    all_queries: bool,
    summary: Summary,
    phases: Phases,
}

/// A value: of a query, or of all.
struct Row<'a> {
    query: &'a str,
    name: &'a str,
    is_count: bool,
    value: f64,
}

impl RunReport {
    /// The values of a query, or of all.
    fn rows_of<'a>(&'a self, query: &'a str, values: &'a [f64]) -> impl Iterator<Item = Row<'a>> {
        let named = self.measures.iter().zip(&self.names);
        named.zip(values).map(move |((measure, name), &value)| Row {
            query,
            name,
            is_count: measure.is_count(),
            value,
        })
    }

    fn rows(&self) -> Vec<Row<'_>> {
        let queries = self.summary.queries.iter().filter(|_| self.each_query);
        let of_queries = queries.flat_map(|(query, values)| {
            let rows = self.rows_of(query, values).zip(&self.measures);
            rows.filter(|(_, measure)| measure.is_of_query())
                .map(|(row, _)| row)
        });
        of_queries
            .chain(self.rows_of("all", &self.summary.all))
            .collect()
    }

    fn json(&self) -> Value {
        let named = |values: &[f64], is_shown: fn(RetrievalMeasure) -> bool| {
            let values = self.measures.iter().zip(values);
            let values = values.filter(|(measure, _)| is_shown(**measure));
            let values = values.map(|(measure, value)| (measure.to_string(), json!(value)));
            Value::Object(values.collect())
        };
        let mut value = json!({
            "queries": self.summary.queries.len(),
            "queries_without_judgements": self.summary.unjudged,
            "queries_without_ranking": self.summary.unranked,
            "measures": named(&self.summary.all, |_| true),
        });
        if self.each_query {
            let queries = self.summary.queries.iter();
            let each = queries.map(|(query, values)| {
                (query.clone(), named(values, RetrievalMeasure::is_of_query))
            });
            value["each_query"] = Value::Object(each.collect::<Map<_, _>>());
        }
        value
    }
}

impl Reported for RunReport {
    fn summary(&self) -> String {
        let found = &self.summary;
        let mut text = format!("{} queries are ranked and judged", found.queries.len());
        if found.unjudged > 0 {
            let _ = write!(
                text,
                "; {} have no judgements and are left out",
                found.unjudged
            );
        }
        if found.unranked > 0 {
            let how = match self.all_queries {
                true => "count as 0",
                false => "are left out (--all-queries counts them as 0)",
            };
            let _ = write!(
                text,
                "; {} judged ones have no ranking and {how}",
                found.unranked
            );
        }
        text + "\n"
    }

    /// As trec_eval prints.
    fn shown(&self, _: usize) -> String {
        let mut text = String::new();
        for row in self.rows() {
            let (query, name, value) = (visible(row.query), row.name, row.value);
            let _ = match row.is_count {
                true => writeln!(text, "{name:<22}\t{query}\t{value:.0}"),
                false => writeln!(text, "{name:<22}\t{query}\t{value:.4}"),
            };
        }
        text
    }

    fn columns(&self, _: &OutputArgs) -> ColumnTable<'_> {
        let rows = self.rows();
        let names: Vec<&str> = rows.iter().map(|row| row.name).collect();
        let queries: Vec<&str> = rows.iter().map(|row| row.query).collect();
        let count = rows.len();
        let fields = vec![
            NamedColumn::new("query", Cells::Names(Box::new(move |row| queries[row]))),
            NamedColumn::new("measure", Cells::Names(Box::new(move |row| names[row]))),
            NamedColumn::new(
                "value",
                Cells::Numbers(Box::new(move |row| rows[row].value)),
            ),
        ];
        ColumnTable {
            rows: count,
            fields,
        }
    }

    fn manifest(&self, phases: &Phases) -> Result<Manifest> {
        manifest(&self.inputs, phases)
    }

    fn phases(&self) -> &Phases {
        &self.phases
    }
}
