//! `rank evaluate`.

use super::evaluation::EvaluationReport;
use super::given::Given;
use super::runs;
use super::runs::RunArgs;
use super::scoring::{RetrievalArgs, open};
use crate::collection::{ABOUT, Collection};
use crate::evaluate;
use crate::evaluate::{Evidence, Searching, rankings};
use crate::judgements;
use crate::judgements::Topic;
use crate::known_items::{KnownItems, known_items};
use crate::matching::Model;
use crate::significance::Resampling;
use crate::trec;
use crate::tune::tune;
use std::path::PathBuf;
use webrank_base::error::{Error, Result};
use webrank_base::output::{PendingFile, publish};
use webrank_base::phases::Phases;
use webrank_base::units::counted;
use webrank_tables::write::write_compressed;
use webrank_terminal::Tool;
use webrank_terminal::options::{Global, Output, OutputArgs, write_json};
use webrank_terminal::reported::Reported;
use webrank_terminal::rerun::Input;

/// Rankings of so many queries are in memory at a time.
const CHUNK: usize = 256;

/// Options that a run in a file does not have.
const OF_INDEX: [&str; 18] = [
    "queries",
    "known_items",
    "sample",
    "qrels",
    "seed",
    "draws",
    "tables",
    "weight",
    "tune",
    "fields",
    "model",
    "k1",
    "b",
    "idf",
    "column",
    "combine",
    "k",
    "a",
];

/// Measure whether a ranking helps to find pages, by queries with and without it
///
/// Queries and judgements come from files, or from the pages themselves: a known item is a title, or
/// the text of links, that belongs to exactly one page, and this page is what the query should find. The
/// field that such queries come from is left out of the search, so that they do not find themselves.
///
/// Measures: p_10 (precision at 10), ap (average precision; its mean is MAP), ndcg_10 (gain 2^grade - 1),
/// rr (reciprocal rank), recall_100, of the first 1000 pages. Queries without a relevant page are left
/// out; those that find nothing count as 0. Queries are words, of which one is enough.
///
/// For every static score and measure: the mean, the difference from that of BM25 alone, its 95 %
/// interval and its p-value. Both are of one test, the randomisation of signs over queries: the interval
/// excludes 0 exactly when p is below 0.05. With several scores or measures, some p-values are small by
/// chance.
///
/// Without INDEX, --run is a ranking of any program in the format of TREC, and its measures are those of
/// trec_eval 9.0, under its names: 'rank evaluate --run RUN --judgements QRELS'. Scores of the file are
/// compared as 32-bit numbers; of equal ones, the page whose name is last comes first. Pages without a
/// judgement are not relevant, ndcg takes grades as gains, and queries without a relevant page count as 0.
///
/// Sources: Smucker, Allan and Carterette, A comparison of statistical significance tests for
/// information retrieval evaluation, 2007; Craswell et al. as for 'rank search'.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    given: Given,
    /// An index that 'rank index' made
    #[arg(required_unless_present = "run")]
    index: Option<PathBuf>,
    /// Queries: an identifier, a tab, and words in each line
    #[arg(long, value_name = "FILE", requires = "judgements")]
    queries: Option<PathBuf>,
    /// Judgements as TREC writes them: query, 0, page (URL or node) and grade in each line
    #[arg(long, value_name = "FILE")]
    judgements: Option<PathBuf>,
    /// Make queries of the pages themselves
    #[arg(long, value_enum, value_name = "FROM", conflicts_with_all = ["judgements", "queries"])]
    known_items: Option<KnownItems>,
    /// How many known items are drawn at random
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1000,
        requires = "known_items"
    )]
    sample: usize,
    /// The seed of all random draws
    #[arg(long, value_name = "SEED", default_value_t = 0)]
    seed: u64,
    /// How often signs are drawn at random
    #[arg(
        long,
        value_name = "N",
        default_value_t = Resampling::default().draws,
        value_parser = clap::value_parser!(u32).range(99..=1_000_000),
    )]
    draws: u32,
    /// A table of static scores; may be given several times
    #[arg(long = "static", value_name = "FILE", help_heading = "Scores")]
    tables: Vec<PathBuf>,
    /// Weight of static scores
    #[arg(
        long,
        value_name = "W",
        default_value_t = 1.0,
        allow_negative_numbers = true,
        help_heading = "Scores"
    )]
    weight: f64,
    /// Choose each weight by mean average precision on one half of the queries, report the other half, and
    /// the other way round; without a table, choose k1 and b of BM25
    #[arg(long, conflicts_with = "weight", help_heading = "Scores")]
    tune: bool,
    #[command(flatten)]
    scoring: RetrievalArgs,
    #[command(flatten)]
    of_run: RunArgs,
    /// Write what was found as TREC reads it, with at most one table of static scores: the score is 1001
    /// minus the rank, so that ties stay in order. Without INDEX, the ranking to measure, of any program
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "tune",
        help_heading = "Output"
    )]
    run: Option<PathBuf>,
    /// Write the judgements of known items as TREC reads them
    #[arg(
        long,
        value_name = "FILE",
        requires = "known_items",
        help_heading = "Output"
    )]
    qrels: Option<PathBuf>,
    /// Print JSON
    #[arg(long, conflicts_with = "output", help_heading = "Output")]
    json: bool,
    /// Write the table to FILE, in the format of its extension as in other commands, and a manifest to
    /// FILE.json [default: a summary if the output is a terminal, otherwise CSV]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

impl Tool for Args {
    const NAME: &'static str = "evaluate";

    const INPUTS: &'static [Input] = &[
        ("index", Some(ABOUT)),
        ("tables", None),
        ("queries", None),
        ("judgements", None),
    ];

    fn also_reads(&self) -> Vec<PathBuf> {
        let run = self.run.iter().filter(|_| self.index.is_none());
        run.cloned().collect()
    }

    fn run(&self, global: &Global) -> Result<()> {
        run(self, global)
    }
}

fn run(args: &Args, global: &Global) -> Result<()> {
    let mut phases = Phases::start();
    if args.index.is_none() {
        let remedy = "it needs an INDEX; leave it out to measure a run";
        args.given.refuse(&OF_INDEX, remedy)?;
    }
    if args.run.is_some() && args.tables.len() > 1 {
        let remedy = "a run is of one ranking; give one table, or none";
        return Err(Error::argument("static", "given several times", remedy));
    }
    let output = Output::of_rows(args.output.as_deref(), global)?;
    let index = match (&args.index, &args.run, &args.judgements) {
        (Some(index), ..) => index,
        (None, Some(run), Some(judgements)) => {
            return runs::run(&args.of_run, [run, judgements], output, args.json, global);
        }
        (None, ..) => {
            let remedy = "a ranking is measured by '--judgements FILE'";
            return Err(Error::argument("judgements", "not given", remedy));
        }
    };
    if args.known_items.is_none() {
        let remedy = "it draws from --known-items; give these, or leave it out";
        args.given.refuse(&["sample"], remedy)?;
    }
    // A repeated run writes nothing.
    let is_written = global.repeats.is_none();
    let create = |path: &Option<PathBuf>| {
        let path = path.as_deref().filter(|_| is_written);
        path.map(PendingFile::create).transpose()
    };
    let (run, qrels) = (create(&args.run)?, create(&args.qrels)?);
    let mut weights = args.scoring.weights()?;
    let combination = args.scoring.combination(args.weight)?;
    if let Some(items) = args.known_items {
        weights = weights.without(items.field())?;
    }
    args.scoring
        .check_static(&args.given, !args.tables.is_empty())?;
    let searching = Searching {
        weights,
        scoring: args.scoring.scoring()?,
    };
    let is_bm25 = args.tune && args.tables.is_empty();
    if is_bm25 && args.scoring.model() != Model::Bm25 {
        let remedy = "--tune chooses k1 and b of BM25; give --static, or leave one out";
        return Err(Error::argument("model", "given", remedy));
    }
    let searches = rayon::current_num_threads();
    let collection = open(index, searches, args.tables.len(), None, global)?;
    let (topics, source) = args.topics(&collection)?;
    let evidence = args.tables.iter().map(|table| {
        Ok(Evidence {
            label: table.display().to_string(),
            parts: args.scoring.parts(table, &collection, global)?,
            weight: (!args.tune).then_some(combination.weight),
        })
    });
    let evidence = evidence.collect::<Result<Vec<_>>>()?;
    phases.done("read");
    let resampling = Resampling {
        draws: args.draws,
        seed: args.seed,
    };
    let progress = global.progress();
    let evaluation = match is_bm25 {
        true => tune(
            &collection,
            &topics,
            &searching,
            resampling,
            progress.as_ref(),
        ),
        false => evaluate::evaluate(
            &collection,
            &topics,
            &searching,
            &evidence,
            resampling,
            progress.as_ref(),
        ),
    }?;
    let mut written = Vec::new();
    if let (Some(mut file), Some(path)) = (run, &args.run) {
        let first = evidence.first();
        let first = first.map(|it| (&it.parts[..], combination.weight));
        let mut problem = None;
        let finished = write_compressed(path, &mut file, |out| {
            for topics in evaluate::judged(&topics).unwrap_or_default().chunks(CHUNK) {
                let ranked = rankings(&collection, topics, &searching, first, progress.as_ref());
                match ranked.and_then(|ranked| trec::run(&collection, &ranked)) {
                    Ok(lines) => out.write_all(lines.as_bytes())?,
                    Err(found) => problem = Some(found),
                }
            }
            Ok(())
        });
        if let Some(problem) = problem {
            return Err(problem);
        }
        finished?;
        written.push(file);
    }
    if let (Some(mut file), Some(path)) = (qrels, &args.qrels) {
        let lines = trec::qrels(&collection, &topics)?;
        write_compressed(path, &mut file, |out| out.write_all(lines.as_bytes()))?;
        written.push(file);
    }
    drop(progress);
    publish(written)?;
    phases.done("evaluate");
    let report = EvaluationReport {
        inputs: args.inputs(),
        source,
        weights,
        evaluation,
        phases,
    };
    match args.json {
        true => write_json(&report.json()),
        false => report.write(output, &OutputArgs::all(), global),
    }
}

impl Args {
    /// The files that are read; that of the index has the checksums of the others.
    fn inputs(&self) -> Vec<PathBuf> {
        let about = self.index.iter().map(|index| index.join(ABOUT));
        let tables = self.tables.iter().cloned();
        let lists = [&self.queries, &self.judgements].into_iter().flatten();
        about.chain(tables).chain(lists.cloned()).collect()
    }

    /// The queries, and where they come from.
    fn topics(&self, collection: &Collection) -> Result<(Vec<Topic>, String)> {
        if let Some(items) = self.known_items {
            let (topics, all) = known_items(collection, items, self.sample, self.seed)?;
            let (count, field) = (topics.len(), items.field().name());
            let source = format!("{count} of {all} known items; field {field} is not searched");
            return Ok((topics, source));
        }
        let (Some(queries), Some(judged)) = (&self.queries, &self.judgements) else {
            let remedy = "give --queries and --judgements, or --known-items";
            return Err(Error::argument("queries", "not given", remedy));
        };
        let topics = judgements::read(queries, judged, collection)?;
        let source = format!(
            "{} of {}",
            counted(topics.len(), "query"),
            queries.display()
        );
        Ok((topics, source))
    }
}
