//! `rank search`.

use super::given::Given;
use super::scoring::{RetrievalArgs, manifest, open};
use crate::collection::ABOUT;
use crate::expression::Expression;
use crate::fields::TextField;
use crate::lists::Seeking;
use crate::matching::Scoring;
use serde_json::{Value, json};
use std::path::PathBuf;
use webrank_base::error::{Error, Result};
use webrank_base::phases::Phases;
use webrank_base::visible::visible;
use webrank_scores::manifest::Manifest;
use webrank_tables::table::{Cells, ColumnTable, NamedColumn};
use webrank_terminal::Tool;
use webrank_terminal::options::{Global, Output, OutputArgs, at_least_one, write_json};
use webrank_terminal::reported::Reported;
use webrank_terminal::rerun::Input;

/// Find pages by BM25 over titles, texts, links and URLs, and a score of any table
///
/// QUERY is words, "phrases", phrases with words between them ("red apple"~2), AND, OR, NOT, +word,
/// -word, (groups), a field before a colon (title:vec; body, anchors, url) and weights (vec^2). Words of
/// which one is enough are separated by blanks. NOT is the complement in the whole collection, wherever
/// it stands in a formula: NOT vec finds all pages without vec, with score 0. Beside words, without AND or
/// OR, it leaves pages out: web NOT vec and web (NOT vec) find pages with web and without vec.
///
/// --static combines BM25 with scores that do not depend on the query, such as those of 'rank
/// pagerank'. Rows are matched by name, or failing that by node; pages without a row have score 0. Every
/// page that matches is scored before the best are chosen, so the result is exact. Ties are in the order
/// of nodes.
///
/// Of an index in parts ('rank index --parts'), those are read whose filters have words that the query needs. Hits and
/// the bits of scores are those of an index in one piece; -v says how many parts and bytes were read.
///
/// An index with lists of 'rank index --codes' is searched by these, with the same hits; so are --model, --k1, --b,
/// --idf, --window and --early by those of the index. They sum scores as 64-bit numbers.
///
/// Sources: Robertson and Zaragoza, The probabilistic relevance framework: BM25 and beyond, 2009;
/// Craswell, Robertson, Zaragoza and Taylor, Relevance weighting for query independent evidence, 2005.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    given: Given,
    /// An index that 'rank index' made
    index: PathBuf,
    /// The query
    query: String,
    /// How many pages
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10, aliases = ["hits", "limit"], value_parser = at_least_one)]
    top: usize,
    /// A table of static scores, of any format that 'rank' reads
    #[arg(long = "static", value_name = "FILE", help_heading = "Scores")]
    table: Option<PathBuf>,
    /// Weight of the static score
    #[arg(
        long,
        value_name = "W",
        default_value_t = 1.0,
        allow_negative_numbers = true,
        help_heading = "Scores"
    )]
    weight: f64,
    #[command(flatten)]
    scoring: RetrievalArgs,
    /// A phrase finds its words in any order, within so many words of a field
    #[arg(long, value_name = "WORDS", help_heading = "Lists")]
    window: Option<u32>,
    /// Stop where no other page can be among the best: the same hits sooner, without a count of all that match
    #[arg(long, help_heading = "Lists")]
    early: bool,
    /// How conjunctions move in lists that 'rank index --codes' made [default: galloping]
    #[arg(long, value_enum, value_name = "HOW", help_heading = "Lists")]
    conjunctions: Option<Seeking>,
    /// Show the parts of each score: BM25 of each field, and the static part
    #[arg(long, help_heading = "Output")]
    explain: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "output", help_heading = "Output")]
    json: bool,
    /// Write the table to FILE, in the format of its extension as in other commands, and a manifest to
    /// FILE.json [default: a list if the output is a terminal, otherwise CSV]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

impl Tool for Args {
    const NAME: &'static str = "search";

    const INPUTS: &'static [Input] = &[("index", Some(ABOUT)), ("table", None)];

    fn run(&self, global: &Global) -> Result<()> {
        run(self, global)
    }
}

fn run(args: &Args, global: &Global) -> Result<()> {
    let mut phases = Phases::start();
    let output = Output::of_rows(args.output.as_deref(), global)?;
    let weights = args.scoring.weights()?;
    let combination = args.scoring.combination(args.weight)?;
    args.scoring
        .check_static(&args.given, args.table.is_some())?;
    let scoring = Scoring {
        window: args.window,
        seeking: args.conjunctions.unwrap_or_default(),
        ..args.scoring.scoring()?
    };
    let scoring = scoring.checked()?;
    let expression = Expression::parse(&args.query, &weights)?;
    if expression.is_empty() {
        let remedy = "give a word that is looked for";
        return Err(Error::argument("QUERY", "without words", remedy));
    }
    if !expression.has_phrase() {
        let remedy = "QUERY has no phrase; put \" around words, or leave it out";
        args.given.refuse(&["window"], remedy)?;
    }
    let tables = usize::from(args.table.is_some());
    let collection = open(&args.index, 1, tables, Some(&expression), global)?;
    if !collection.has_lists() {
        let remedy = "the index has no lists of 'rank index --codes'; make them, or leave it out";
        args.given.refuse(&["conjunctions"], remedy)?;
    }
    let parts = args.table.as_deref();
    let parts = parts.map(|table| args.scoring.parts(table, &collection, global));
    let parts = parts.transpose()?;
    phases.done("read");
    let evidence = parts.as_deref().map(|parts| (parts, combination.weight));
    let (best, matches, scored) = match args.early {
        true => {
            let best = collection.best_early(&expression, &scoring, evidence, args.top)?;
            (best.hits, None, best.scored)
        }
        false => {
            let matches = collection.scored(&expression, &scoring)?;
            let best = collection.best(&matches, evidence, args.top);
            (best, Some(matches.len()), matches.len() as u64)
        }
    };
    let mut hits = Vec::new();
    for hit in best {
        let (url, title) = collection.named(hit.page)?;
        let static_part = evidence.map(|(parts, weight)| weight * parts[hit.page as usize]);
        let fields = match args.explain {
            true => collection.parts_by(&expression, &scoring, hit.page)?,
            false => [0.0; 4],
        };
        hits.push(Found {
            node: hit.node,
            score: hit.score,
            url,
            title,
            fields,
            static_part,
        });
    }
    if let Some([parts, read, bytes]) = collection.parts_read() {
        log::info!("parts: {read} of {parts} were searched, and {bytes} bytes of parts read");
    }
    phases.done("search");
    let report = SearchReport {
        inputs: args.inputs(),
        matches,
        scored,
        pages: collection.len(),
        explain: args.explain,
        hits,
        phases,
    };
    match args.json {
        true => write_json(&report.json(&args.query)),
        false => report.write(output, &OutputArgs::all(), global),
    }
}

impl Args {
    /// The files that are read; that of the index has the checksums of the others.
    fn inputs(&self) -> Vec<PathBuf> {
        let about = self.index.join(ABOUT);
        [about].into_iter().chain(self.table.clone()).collect()
    }
}

/// A page and why.
struct Found {
    node: u32,
    score: f64,
    url: String,
    title: String,
    fields: [f64; 4],
    static_part: Option<f64>,
}

struct SearchReport {
    inputs: Vec<PathBuf>,
    matches: Option<usize>,
    scored: u64,
    pages: usize,
    explain: bool,
    hits: Vec<Found>,
    phases: Phases,
}

impl SearchReport {
    /// The names of the parts of a score, and the parts of each hit.
    fn parts(&self) -> Vec<(&'static str, Vec<f64>)> {
        if !self.explain {
            return Vec::new();
        }
        let field = |field: TextField| {
            let parts = self.hits.iter().map(|hit| hit.fields[field as usize]);
            (field.name(), parts.collect())
        };
        let mut parts: Vec<(&str, Vec<f64>)> = TextField::ALL.into_iter().map(field).collect();
        // The title itself is a column, too.
        parts
            .iter_mut()
            .for_each(|(name, _)| *name = part_name(name));
        let of_statics: Option<Vec<f64>> = self.hits.iter().map(|hit| hit.static_part).collect();
        parts.extend(of_statics.map(|statics| ("static", statics)));
        parts
    }

    fn json(&self, query: &str) -> Value {
        let parts = self.parts();
        let hits = self.hits.iter().enumerate().map(|(row, hit)| {
            let mut value = json!({
                "rank": row + 1,
                "node": hit.node,
                "name": hit.url,
                "score": hit.score,
                "title": hit.title,
            });
            if self.explain {
                let parts = parts
                    .iter()
                    .map(|(name, parts)| ((*name).to_owned(), json!(parts[row])));
                value["parts"] = Value::Object(parts.collect());
            }
            value
        });
        json!({
            "query": query,
            "pages": self.pages,
            "matches": self.matches,
            "scored": self.scored,
            "hits": hits.collect::<Vec<_>>(),
        })
    }
}

/// As columns name the part of a field.
fn part_name(field: &str) -> &'static str {
    match field {
        "title" => "bm25_title",
        "body" => "bm25_body",
        "anchors" => "bm25_anchors",
        _ => "bm25_url",
    }
}

impl Reported for SearchReport {
    fn summary(&self) -> String {
        let pages = self.pages;
        match self.matches {
            Some(matches) => format!("{matches} of {pages} pages match\n"),
            None => format!("{} of {pages} pages were scored\n", self.scored),
        }
    }

    fn shown(&self, _: usize) -> String {
        let parts = self.parts();
        let mut text = String::new();
        for (row, hit) in self.hits.iter().enumerate() {
            let (url, title) = (visible(&hit.url), visible(&hit.title));
            text += &format!("{:>4}  {:<10.4}  {url}  {title}\n", row + 1, hit.score);
            if self.explain {
                let shown = parts.iter().filter(|(_, parts)| parts[row] != 0.0);
                let shown = shown.map(|(name, parts)| format!("{name} {:.4}", parts[row]));
                text += &format!("      = {}\n", shown.collect::<Vec<_>>().join(" + "));
            }
        }
        text
    }

    fn columns(&self, _: &OutputArgs) -> ColumnTable<'_> {
        let hits = &self.hits;
        let mut fields = vec![
            NamedColumn::new("node", Cells::Counts(Box::new(|row| hits[row].node))),
            NamedColumn::new("name", Cells::Names(Box::new(|row| hits[row].url.as_str()))),
            NamedColumn::new("score", Cells::Numbers(Box::new(|row| hits[row].score))),
            NamedColumn::new("rank", Cells::Counts(Box::new(|row| row as u32 + 1))),
            NamedColumn::new(
                "title",
                Cells::Names(Box::new(|row| hits[row].title.as_str())),
            ),
        ];
        for (name, parts) in self.parts() {
            fields.push(NamedColumn::new(
                name,
                Cells::Numbers(Box::new(move |row| parts[row])),
            ));
        }
        ColumnTable {
            rows: hits.len(),
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
