//! How pages are scored: fields, and static scores.

use super::given::Given;
use crate::collection::Collection;
use crate::expression::Expression;
use crate::fields::FieldWeights;
use crate::matching::{Idf, Model, Scoring};
use crate::search::BYTES_OF_PAGE;
use crate::static_rank::{StaticScores, Transform, TransformParams};
use clap::Args;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::memory::of_process;
use webrank_base::phases::Phases;
use webrank_scores::manifest::{GraphRecord, Manifest};
use webrank_scores::parts::entry_of;
use webrank_tables::read::TableSize;
use webrank_terminal::options::Global;

/// How pages are scored.
#[derive(Args)]
#[command(next_help_heading = "Scores")]
pub struct RetrievalArgs {
    /// Weights of the BM25 scores of fields; a field without a weight is not searched
    #[arg(
        long,
        value_name = "WEIGHTS",
        default_value = "title=3,body=1,anchors=2,url=1"
    )]
    fields: String,
    /// The score of a word, summed over the words of a query
    #[arg(long, value_enum, default_value_t, value_name = "MODEL")]
    model: Model,
    /// k1 of BM25: how fast repeated words saturate; 0 counts each word once [default: 1.2]
    #[arg(long, value_name = "K1", allow_negative_numbers = true)]
    k1: Option<f64>,
    /// b of BM25: how much long fields lose, from 0 to 1 [default: 0.75]
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    b: Option<f64>,
    /// The weight of a word in n of N pages [default: positive]
    #[arg(long, value_enum, value_name = "IDF")]
    idf: Option<Idf>,
    /// The column of scores of the table [default: the first]
    #[arg(long, value_name = "COLUMN")]
    column: Option<String>,
    /// Contribution of a static score S to BM25, with N pages
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    combine: Transform,
    /// k of saturation and sigmoid: the score that counts half [default: the median of the positive
    /// scores]
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true)]
    k: Option<f64>,
    /// a of sigmoid: how steep it is
    #[arg(
        long,
        value_name = "A",
        default_value_t = TransformParams::default().a,
        allow_negative_numbers = true
    )]
    a: f64,
}

/// The options that are about a table of static scores.
const OF_STATIC: [&str; 5] = ["weight", "column", "combine", "k", "a"];

impl RetrievalArgs {
    /// Checks that options about static scores have an effect.
    ///
    /// # Errors
    /// If there is no table, or its scores are combined without a parameter that is given.
    pub fn check_static(&self, given: &Given, has_table: bool) -> Result<()> {
        if !has_table {
            let remedy = "it is about static scores; give --static, or leave it out";
            return given.refuse(&OF_STATIC, remedy);
        }
        if self.combine == Transform::Sigmoid {
            return Ok(());
        }
        given.refuse(
            &["a"],
            "it is of --combine sigmoid; give this, or leave it out",
        )?;
        if self.combine == Transform::Saturation {
            return Ok(());
        }
        let remedy = "it is of --combine saturation and sigmoid; give one, or leave it out";
        given.refuse(&["k"], remedy)
    }

    /// How words are scored.
    pub fn scoring(&self) -> Result<Scoring> {
        let given = [
            ("k1", self.k1.is_some()),
            ("b", self.b.is_some()),
            ("idf", self.idf.is_some()),
        ];
        let given = given.into_iter().find(|(_, is_given)| *is_given);
        if let Some((name, _)) = given.filter(|_| self.model != Model::Bm25) {
            let remedy = "it is a parameter of BM25; leave it or --model out";
            return Err(Error::argument(name, "given", remedy));
        }
        let usual = Scoring::default();
        let scoring = Scoring {
            model: self.model,
            k1: self.k1.unwrap_or(usual.k1),
            b: self.b.unwrap_or(usual.b),
            idf: self.idf.unwrap_or_default(),
            ..usual
        };
        scoring.checked()
    }

    /// The kind of score.
    pub fn model(&self) -> Model {
        self.model
    }

    /// The weights of the fields.
    pub fn weights(&self) -> Result<FieldWeights> {
        self.fields.parse()
    }

    /// How static scores are combined.
    pub fn combination(&self, weight: f64) -> Result<TransformParams> {
        let combination = TransformParams {
            combine: self.combine,
            weight,
            k: self.k,
            a: self.a,
        };
        combination.checked()
    }

    /// The part that a table adds for each page of an index, with weight 1.
    pub fn parts(
        &self,
        table: &Path,
        collection: &Collection,
        global: &Global,
    ) -> Result<Vec<f64>> {
        if let Some(size) = TableSize::of(table, None)? {
            let pages = 16 * collection.len() as u64;
            global.admit("search", of_process() + size.of_scores() + pages)?;
        }
        let scores = StaticScores::read(table, self.column.as_deref(), collection)?;
        let parts = scores.parts(&self.combination(1.0)?);
        if scores.missing + scores.elsewhere > 0 {
            let path = table.display();
            let (missing, elsewhere) = (scores.missing, scores.elsewhere);
            global.summary(&format!(
                "rank: {path}: {missing} of {} pages have no row, and {elsewhere} rows are about no page\n",
                collection.len()
            ));
        }
        parts
    }
}

/// Opens an index, if there is memory to search it with so many searches at a time: in parts, for
/// those that one query reads, or for all.
pub fn open(
    path: &Path,
    searches: usize,
    tables: usize,
    query: Option<&Expression>,
    global: &Global,
) -> Result<Collection> {
    let lists = Collection::bytes_to_open(path)?;
    global.admit("search", of_process().saturating_add(lists))?;
    let collection = Collection::open(path)?;
    let pages = collection.len() as u64;
    let tables = 8 * tables as u64;
    let needed = pages.saturating_mul(BYTES_OF_PAGE * searches as u64 + tables);
    let parts = collection.bytes_to_search(query);
    let needed = needed.saturating_add(lists).saturating_add(parts);
    global.admit("search", of_process().saturating_add(needed))?;
    Ok(collection)
}

/// A manifest of a table that was made of these files.
pub fn manifest(inputs: &[PathBuf], phases: &Phases) -> Result<Manifest> {
    let mut manifest = Manifest::about(GraphRecord::default(), [], &[], phases);
    let mut entries = BTreeMap::new();
    for path in inputs.iter().filter(|path| path.is_file()) {
        entries.insert(path.to_string_lossy().into_owned(), entry_of(path)?);
    }
    manifest.inputs = entries;
    Ok(manifest)
}
