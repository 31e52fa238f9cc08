//! The indexed fields of a page, and how text becomes words.
//!
//! A word is a run of letters and digits, in lower case, of any language; longer ones than
//! [`LONGEST_WORD`] bytes are left out. Nothing is stemmed and no word is stopped: BM25 gives words
//! that are everywhere little weight.

use std::fmt;
use std::str::FromStr;
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STORED, STRING, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{
    LowerCaser, RemoveLongFilter, SimpleTokenizer, TextAnalyzer, TokenStream,
};
use webrank_base::error::{Error, Result};

/// Longer words are left out, in bytes.
pub const LONGEST_WORD: usize = 255;

/// How the index names our way to cut text into words.
pub(super) const TOKENIZER: &str = "webrank";

/// A part of a page that queries are matched with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextField {
    /// Its title.
    Title,
    /// Its text.
    Body,
    /// The texts of links to it.
    Anchors,
    /// Its name, cut into words.
    Url,
}

impl TextField {
    /// All of them.
    pub const ALL: [TextField; 4] = [
        TextField::Title,
        TextField::Body,
        TextField::Anchors,
        TextField::Url,
    ];

    /// As queries and options name it.
    pub fn name(self) -> &'static str {
        ["title", "body", "anchors", "url"][self as usize]
    }

    /// The field of this name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }
}

/// A factor for the BM25 score of each field; fields with factor 0 are not searched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FieldWeights([f32; 4]);

impl Default for FieldWeights {
    fn default() -> Self {
        FieldWeights([3.0, 1.0, 2.0, 1.0])
    }
}

impl FieldWeights {
    /// The factor of a field.
    pub fn of(&self, field: TextField) -> f32 {
        self.0[field as usize]
    }

    /// These weights without a field.
    ///
    /// # Errors
    /// If no field is left.
    pub fn without(mut self, field: TextField) -> Result<Self> {
        self.0[field as usize] = 0.0;
        self.check()
    }

    /// The fields that are searched.
    pub fn searched(&self) -> impl Iterator<Item = TextField> + '_ {
        let all = TextField::ALL.into_iter();
        all.filter(|&field| self.of(field) > 0.0)
    }

    fn check(self) -> Result<Self> {
        if self.0.iter().all(|&weight| weight == 0.0) {
            let remedy = "give a field that is searched, such as body=1";
            return Err(Error::argument("fields", self, remedy));
        }
        Ok(self)
    }
}

impl FromStr for FieldWeights {
    type Err = Error;

    /// From `title=3,body=1`: fields that are not named are not searched.
    fn from_str(text: &str) -> Result<Self> {
        let wrong = |remedy: String| Error::argument("fields", text, remedy);
        let mut weights = [0.0; 4];
        for part in text.split(',') {
            let (name, weight) = part.split_once('=').unwrap_or((part, "1"));
            let field = TextField::of(name.trim()).ok_or_else(|| {
                wrong("fields are title, body, anchors and url, as in title=3,body=1".into())
            })?;
            let weight: f32 = weight.trim().parse().unwrap_or(f32::NAN);
            if !(0.0..=1e6).contains(&weight) {
                return Err(wrong(format!(
                    "{} needs a weight from 0 to 1000000",
                    field.name()
                )));
            }
            weights[field as usize] = weight;
        }
        FieldWeights(weights).check()
    }
}

impl fmt::Display for FieldWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = TextField::ALL.map(|field| format!("{}={}", field.name(), self.of(field)));
        f.write_str(&parts.join(","))
    }
}

/// The fields of an index.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    /// The fields that queries are matched with.
    pub text: [Field; 4],
    /// The node.
    pub node: Field,
    /// The name as it is.
    pub name: Field,
    /// The title as a query, to find titles that one page has.
    pub title_item: Field,
    /// The texts of links as queries.
    pub anchor_item: Field,
}

/// The schema of every index.
pub(super) fn schema() -> (Schema, Fields) {
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(TOKENIZER)
        .set_index_option(IndexRecordOption::WithFreqsAndPositions);
    let mut builder = Schema::builder();
    let text = TextField::ALL.map(|field| {
        let options = TextOptions::default().set_indexing_options(indexing.clone());
        let options = match field {
            // Hits show titles. Text is not stored: the bundle has it, compressed better.
            TextField::Title => options.set_stored(),
            _ => options,
        };
        builder.add_text_field(field.name(), options)
    });
    let fields = Fields {
        text,
        node: builder.add_u64_field("node", FAST | STORED | INDEXED),
        name: builder.add_text_field("name", STRING | STORED),
        title_item: builder.add_text_field("title_item", STRING),
        anchor_item: builder.add_text_field("anchor_item", STRING),
    };
    (builder.build(), fields)
}

/// The schema of pages of a part, whose texts are in lists.
pub(super) fn schema_of_pages() -> Schema {
    let mut builder = Schema::builder();
    builder.add_text_field(TextField::Title.name(), STORED);
    builder.add_u64_field("node", FAST | STORED | INDEXED);
    builder.add_text_field("name", STRING | STORED);
    builder.build()
}

/// How text is cut into words.
pub(super) fn analyzer() -> TextAnalyzer {
    TextAnalyzer::builder(SimpleTokenizer::default())
        .filter(RemoveLongFilter::limit(LONGEST_WORD + 1))
        .filter(LowerCaser)
        .build()
}

/// The words of a text.
pub fn words(text: &str) -> Vec<String> {
    let mut analyzer = analyzer();
    let mut stream = analyzer.token_stream(text);
    let mut words = Vec::new();
    while let Some(token) = stream.next() {
        words.push(token.text.clone());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_runs_of_letters_and_digits() {
        assert_eq!(
            words("Vec::push_str(&'a İ 東京)"),
            ["vec", "push", "str", "a", "i\u{307}", "東京"]
        );
        assert_eq!(
            words(&format!("a {} {}", "x".repeat(255), "x".repeat(256))).len(),
            2
        );
        assert!(words(" ,.-\u{7}\n").is_empty());
    }

    #[test]
    fn weights_are_read() {
        let weights: FieldWeights = "title=3, body=0.5".parse().unwrap();
        assert_eq!(weights.to_string(), "title=3,body=0.5,anchors=0,url=0");
        let default = FieldWeights::default().to_string();
        assert_eq!(
            default.parse::<FieldWeights>().unwrap(),
            FieldWeights::default()
        );
        for wrong in [
            "",
            "text=1",
            "title=-1",
            "title=nan",
            "title=inf",
            "title=0",
            "body=x",
        ] {
            assert!(wrong.parse::<FieldWeights>().is_err(), "{wrong}");
        }
    }
}
