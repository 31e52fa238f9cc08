//! The score of a word in a field of a page.
//!
//! With f, how often the word is there, |d| the length of the field (as it is rounded in the index), n in
//! how many of the N pages the word is, and w the weight of the field:
//!
//! * counts: w f
//! * TF-IDF: w f ln(N / n)
//! * BM25: w idf (k1 + 1) f / (f + k1 (1 - b + b |d| / average)), where idf is ln(1 + (N - n + 0.5) / (n + 0.5)),
//!   or ln((N - n + 0.5) / (n + 0.5)) as in the paper, which is negative for words of more than half of the
//!   pages.
//!
//! With k1 = 0 a page has the idf of its words, however often they are there; with b = 0 lengths do not matter.
//! For phrases and windows, f is how often they are there, and idf the sum over words. Robertson and
//! Zaragoza, The probabilistic relevance framework: BM25 and beyond, 2009.

use crate::lists::Seeking;
use tantivy::fieldnorm::FieldNormReader;
use webrank_base::error::{Error, Result};

/// What a score is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Model {
    /// BM25
    #[default]
    Bm25,
    /// How often words are there, times ln(N / n)
    Tfidf,
    /// How often words are there
    Counts,
}

/// The weight of a word in BM25.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Idf {
    /// ln(1 + (N - n + 0.5) / (n + 0.5))
    #[default]
    Positive,
    /// ln((N - n + 0.5) / (n + 0.5)), negative for words of more than half of the pages
    Plain,
}

/// How pages are scored and found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scoring {
    /// The kind of score.
    pub model: Model,
    /// How fast counts saturate.
    pub k1: f64,
    /// How much lengths matter, from 0 to 1.
    pub b: f64,
    /// The weight of words.
    pub idf: Idf,
    /// A phrase finds its words in any order, within so many words of a field.
    pub window: Option<u32>,
    /// How lists are moved.
    pub seeking: Seeking,
}

impl Default for Scoring {
    fn default() -> Self {
        Scoring {
            model: Model::Bm25,
            k1: 1.2,
            b: 0.75,
            idf: Idf::Positive,
            window: None,
            seeking: Seeking::default(),
        }
    }
}

impl Scoring {
    /// Checks the parameters.
    ///
    /// # Errors
    /// If k1 is not from 0 to 1000, b not from 0 to 1, or a window has no words.
    pub fn checked(self) -> Result<Self> {
        if !(0.0..=1000.0).contains(&self.k1) {
            let remedy = match self.k1 < 0.0 {
                true => "it cannot be negative; give a number from 0 to 1000",
                false => "give a number from 0 to 1000",
            };
            return Err(Error::argument("k1", self.k1, remedy));
        }
        if !(0.0..=1.0).contains(&self.b) {
            return Err(Error::argument("b", self.b, "give a number from 0 to 1"));
        }
        if self.window == Some(0) {
            return Err(Error::argument("window", 0, "give at least 1"));
        }
        Ok(self)
    }

    /// True if tantivy scores in the same way.
    pub fn is_usual(&self) -> bool {
        let seeking = self.seeking;
        *self
            == Scoring {
                seeking,
                ..Scoring::default()
            }
    }

    /// The weight of a word that n of N pages have.
    fn weight(&self, with: u64, all: u64) -> f64 {
        let (n, all) = (with as f64, all as f64);
        match (self.model, self.idf) {
            (Model::Counts, _) => 1.0,
            (Model::Tfidf, _) => (all / n).ln(),
            (Model::Bm25, Idf::Positive) => (1.0 + (all - n + 0.5) / (n + 0.5)).ln(),
            (Model::Bm25, Idf::Plain) => ((all - n + 0.5) / (n + 0.5)).ln(),
        }
    }
}

/// How a leaf of a query scores.
pub(super) struct Weight {
    scoring: Scoring,
    /// The weight of the field times those of the words.
    weight: f64,
    average: f64,
    lengths: FieldNormReader,
}

impl Weight {
    /// For words that so many of all pages have, in fields of so many words on average.
    pub fn new(
        scoring: Scoring,
        factor: f64,
        with: &[u64],
        all: u64,
        average: f64,
        lengths: FieldNormReader,
    ) -> Self {
        let weights = with.iter().map(|&with| scoring.weight(with, all));
        let weight = match scoring.model {
            Model::Counts => factor,
            _ => factor * weights.sum::<f64>(),
        };
        Weight {
            scoring,
            weight,
            average,
            lengths,
        }
    }

    fn of_length(&self, count: f64, length: u32) -> f64 {
        if self.scoring.model != Model::Bm25 {
            return self.weight * count;
        }
        let Scoring { k1, b, .. } = self.scoring;
        let norm = k1 * (1.0 - b + b * f64::from(length) / self.average);
        self.weight * (k1 + 1.0) * count / (count + norm)
    }

    /// The score of a page.
    pub fn score(&self, document: u32, count: u32) -> f64 {
        self.of_length(f64::from(count), self.lengths.fieldnorm(document))
    }

    /// No page has a larger score, if no count is larger and no field shorter than these.
    pub fn bound(&self, most: Option<(u32, u8)>) -> f64 {
        let bound = match (most, self.scoring.model) {
            (Some((count, shortest)), _) => {
                self.of_length(f64::from(count), FieldNormReader::id_to_fieldnorm(shortest))
            }
            // As the count grows, its part tends to 1.
            (None, Model::Bm25) => self.weight * (self.scoring.k1 + 1.0),
            (None, _) => f64::INFINITY,
        };
        bound.max(0.0)
    }
}
