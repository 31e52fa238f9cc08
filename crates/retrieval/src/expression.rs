//! A query as a tree, whose leaves are words and phrases in one field each.
//!
//! The score of a page is the sum of the scores of the leaves that match it, each multiplied by the
//! weight of its field and by the factors around it, as in `vector^2`: so it has a part from every field.
//! tantivy parses what users write, and scores leaves by BM25 (k1 = 1.2, b = 0.75, the length of a
//! field rounded down to one of 256 lengths):
//!
//! score(w, d) = ln(1 + (N - n + 0.5) / (n + 0.5)) 2.2 f / (f + 1.2 (0.25 + 0.75 |d| / average)).
//!
//! Here f is how often the word w is in the field of d, |d| the rounded length of the field, n in how many
//! of the N pages the word is. A phrase is scored as a word whose first factor is the sum of those of
//! its words.

use super::collection::Collection;
use super::fields::{FieldWeights, TextField, words};
use std::collections::BTreeMap;
use tantivy::query::{
    AllQuery, BooleanQuery, BoostQuery, EnableScoring, Occur, PhraseQuery, Query, TermQuery,
};
use tantivy::query_grammar::{
    Delimiter, UserInputAst, UserInputLeaf, UserInputLiteral, parse_query,
};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, Score, Term};
use webrank_base::error::{Error, Result};
use webrank_base::shown::quoted;

/// A longer query is refused, in bytes.
pub const LONGEST_QUERY: usize = 64 << 10;

/// Parentheses are not nested deeper.
pub const DEEPEST_QUERY: usize = 16;

/// A query.
#[derive(Debug, Clone, PartialEq)]
pub enum Expression {
    /// A word, or several in this order, in a field.
    Leaf {
        /// The field.
        field: TextField,
        /// The words.
        words: Vec<String>,
        /// In a phrase, how many words may be in between.
        slop: u32,
        /// The factor of the score.
        factor: Score,
    },
    /// Several, of which some must match and some must not.
    All(Vec<(Occur, Expression)>),
    /// Every page, with score 0: the collection from which NOT takes pages away.
    Everything,
}

impl Expression {
    /// The words of a text, any of which may match, in all fields; repeated words count as often. Nothing
    /// in the text has a meaning of its own.
    ///
    /// # Errors
    /// If the text is too long.
    pub fn of_words(text: &str, weights: &FieldWeights) -> Result<Self> {
        check_length(text)?;
        let mut counts: BTreeMap<String, u32> = BTreeMap::new();
        for word in words(text) {
            *counts.entry(word).or_default() += 1;
        }
        let mut all = Vec::new();
        for (word, count) in counts {
            for field in weights.searched() {
                all.push((
                    Occur::Should,
                    Expression::Leaf {
                        field,
                        words: vec![word.clone()],
                        slop: 0,
                        factor: weights.of(field) * count as Score,
                    },
                ));
            }
        }
        Ok(Expression::All(all))
    }

    /// A formula of words, "phrases", AND, OR, NOT, +word, -word, (groups), title:word, word^2.
    /// NOT is the complement in the whole collection, wherever it stands; pages that only a
    /// complement finds have score 0.
    ///
    /// # Errors
    /// If it cannot be understood, is too long, or asks for what the index does not have.
    pub fn parse(text: &str, weights: &FieldWeights) -> Result<Self> {
        check_length(text)?;
        check_depth(text)?;
        let tree = parse_query(&spaced(text)).map_err(|_| {
            wrong(
                text,
                "quotation marks or parentheses are not closed, or an operator lacks a side",
            )
        })?;
        Reader { text, weights }.read(tree, 1.0)
    }

    /// True if no page can match.
    pub fn is_empty(&self) -> bool {
        match self {
            Expression::Leaf { .. } | Expression::Everything => false,
            Expression::All(clauses) => !clauses
                .iter()
                .any(|(occur, clause)| *occur != Occur::MustNot && !clause.is_empty()),
        }
    }

    /// False if no page can match among pages that have some words only.
    pub(super) fn may_match(&self, has: &dyn Fn(TextField, &str) -> bool) -> bool {
        match self {
            Expression::Leaf { field, words, .. } => words.iter().all(|word| has(*field, word)),
            Expression::Everything => true,
            Expression::All(clauses) => {
                let of = |wanted| clauses.iter().filter(move |(occur, _)| *occur == wanted);
                let (mut must, mut may) = (of(Occur::Must), of(Occur::Should));
                let is_bound = must.clone().next().is_some();
                must.all(|(_, clause)| clause.may_match(has))
                    && (is_bound || may.any(|(_, clause)| clause.may_match(has)))
            }
        }
    }

    /// Visits the words that are looked for.
    pub(super) fn for_each_word(&self, visit: &mut dyn FnMut(TextField, &str)) {
        match self {
            Expression::Leaf { field, words, .. } => {
                words.iter().for_each(|word| visit(*field, word));
            }
            Expression::Everything => {}
            Expression::All(clauses) => {
                clauses
                    .iter()
                    .for_each(|(_, clause)| clause.for_each_word(visit));
            }
        }
    }

    /// True if it has a phrase.
    pub fn has_phrase(&self) -> bool {
        match self {
            Expression::Leaf { words, .. } => words.len() > 1,
            Expression::All(clauses) => clauses.iter().any(|(_, clause)| clause.has_phrase()),
            Expression::Everything => false,
        }
    }

    /// True if pages with a phrase are left out. tantivy 0.27 looks for such a page behind the place where its
    /// phrases are, and its assertion against that fails.
    pub(super) fn excludes_phrases(&self) -> bool {
        match self {
            Expression::All(clauses) => clauses.iter().any(|(occur, clause)| {
                clause.excludes_phrases() || *occur == Occur::MustNot && clause.has_phrase()
            }),
            _ => false,
        }
    }

    /// The query of tantivy.
    pub(super) fn query(&self, collection: &Collection) -> Box<dyn Query> {
        match self {
            Expression::Leaf {
                field,
                words,
                slop,
                factor,
            } => {
                let field = collection.fields.text[*field as usize];
                let mut terms = words.iter().map(|word| Term::from_field_text(field, word));
                let leaf: Box<dyn Query> = match (words.len(), terms.next()) {
                    (1, Some(term)) => Box::new(TermQuery::new(term, IndexRecordOption::WithFreqs)),
                    (_, Some(first)) => {
                        let mut phrase =
                            PhraseQuery::new([first].into_iter().chain(terms).collect());
                        phrase.set_slop(*slop);
                        Box::new(phrase)
                    }
                    (_, None) => Box::new(tantivy::query::EmptyQuery),
                };
                Box::new(BoostQuery::new(leaf, *factor))
            }
            Expression::All(clauses) => {
                let clauses = clauses.iter();
                let clauses = clauses.map(|(occur, clause)| (*occur, clause.query(collection)));
                Box::new(BooleanQuery::new(clauses.collect()))
            }
            Expression::Everything => Box::new(BoostQuery::new(Box::new(AllQuery), 0.0)),
        }
    }

    /// The part of each field in the score of a page; `None` if the page does not match.
    pub(super) fn parts(
        &self,
        collection: &Collection,
        page: DocId,
    ) -> tantivy::Result<Option<[f64; 4]>> {
        let clauses = match self {
            Expression::Leaf { field, .. } => {
                let score = self.score(collection, page)?;
                return Ok(score.map(|score| {
                    let mut parts = [0.0; 4];
                    parts[*field as usize] = f64::from(score);
                    parts
                }));
            }
            Expression::All(clauses) => clauses,
            Expression::Everything => return Ok(Some([0.0; 4])),
        };
        let (mut sum, mut has_must, mut has_should) = ([0.0; 4], false, false);
        for (occur, clause) in clauses {
            let parts = clause.parts(collection, page)?;
            match (occur, parts) {
                (Occur::Must, None) | (Occur::MustNot, Some(_)) => return Ok(None),
                (Occur::MustNot, None) | (Occur::Should, None) => {}
                (Occur::Must | Occur::Should, Some(parts)) => {
                    sum.iter_mut()
                        .zip(parts)
                        .for_each(|(sum, part)| *sum += part);
                    has_must |= *occur == Occur::Must;
                    has_should |= *occur == Occur::Should;
                }
            }
        }
        Ok((has_must || has_should).then_some(sum))
    }

    fn score(&self, collection: &Collection, page: DocId) -> tantivy::Result<Option<Score>> {
        let Some((searcher, segment)) = collection.of_tantivy() else {
            return Ok(None);
        };
        let scoring = EnableScoring::enabled_from_searcher(searcher);
        let weight = self.query(collection).weight(scoring)?;
        let mut scorer = weight.scorer(segment, 1.0)?;
        let is_there = scorer.doc() <= page && (scorer.doc() == page || scorer.seek(page) == page);
        Ok(is_there.then(|| scorer.score()))
    }
}

fn wrong(text: &str, remedy: impl Into<String>) -> Error {
    Error::argument("QUERY", quoted(text), remedy)
}

fn check_length(text: &str) -> Result<()> {
    if text.len() > LONGEST_QUERY {
        return Err(wrong(text, "queries have at most 65536 bytes"));
    }
    Ok(())
}

/// The text with a blank between AND, OR, NOT and a parenthesis beside them, which the parser needs.
fn spaced(text: &str) -> String {
    let mut spaced = String::with_capacity(text.len() + 16);
    let (mut word, mut is_quoted, mut is_escaped) = (String::new(), false, false);
    for letter in text.chars() {
        let is_operator = matches!(word.as_str(), "AND" | "OR" | "NOT");
        if letter == '(' && is_operator && !is_quoted {
            spaced.push(' ');
        }
        if letter == '"' && !is_escaped {
            is_quoted = !is_quoted;
        }
        is_escaped = letter == '\\' && !is_escaped;
        let starts_word = spaced.ends_with(')') && letter.is_alphabetic() && !is_quoted;
        if starts_word {
            spaced.push(' ');
        }
        match letter.is_whitespace() || "()".contains(letter) {
            true => word.clear(),
            false => word.push(letter),
        }
        spaced.push(letter);
    }
    spaced
}

/// The parser calls itself for each parenthesis: their depth is bounded before.
fn check_depth(text: &str) -> Result<()> {
    let open = |byte: &u8| *byte == b'(';
    if text.bytes().filter(|byte| open(byte)).count() <= DEEPEST_QUERY {
        return Ok(());
    }
    let mut depth = 0usize;
    for byte in text.bytes() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST_QUERY {
            return Err(wrong(text, "parentheses are nested at most 16 deep"));
        }
    }
    Ok(())
}

/// Turns what tantivy parsed into an expression.
struct Reader<'a> {
    text: &'a str,
    weights: &'a FieldWeights,
}

impl Reader<'_> {
    fn read(&self, tree: UserInputAst, factor: f64) -> Result<Expression> {
        match tree {
            UserInputAst::Boost(inner, by) => {
                let factor = factor * by.into_inner();
                if !(0.0..=1e6).contains(&factor) {
                    return Err(wrong(self.text, "factors behind ^ are from 0 to 1000000"));
                }
                self.read(*inner, factor)
            }
            UserInputAst::Clause(clauses) => {
                let clauses = clauses.into_iter().map(|(occur, clause)| {
                    Ok((occur.unwrap_or(Occur::Should), self.read(clause, factor)?))
                });
                let mut clauses: Vec<_> = clauses.collect::<Result<_>>()?;
                if clauses.iter().any(|(occur, _)| *occur == Occur::MustNot)
                    && clauses.iter().all(|(occur, _)| *occur == Occur::MustNot)
                {
                    clauses.push((Occur::Should, Expression::Everything));
                }
                Ok(Expression::All(clauses))
            }
            UserInputAst::Leaf(leaf) => match *leaf {
                UserInputLeaf::Literal(literal) => self.literal(literal, factor),
                _ => Err(wrong(
                    self.text,
                    "ranges, sets, patterns and * are not searched for; put \" around them to take \
                     them as text",
                )),
            },
        }
    }

    fn literal(&self, literal: UserInputLiteral, factor: f64) -> Result<Expression> {
        if literal.prefix {
            return Err(wrong(
                self.text,
                "beginnings of phrases are not searched for; leave * out",
            ));
        }
        let named = match &literal.field_name {
            None => None,
            Some(name) => Some(TextField::of(name).ok_or_else(|| {
                let remedy =
                    "before : stands title, body, anchors or url; put \" around a word with a :";
                wrong(self.text, remedy)
            })?),
        };
        let words = words(&literal.phrase);
        let fields: Vec<(TextField, Score)> = match named {
            // Who names a field wants it searched.
            Some(field) if self.weights.of(field) == 0.0 => vec![(field, 1.0)],
            Some(field) => vec![(field, self.weights.of(field))],
            None => {
                let searched = self.weights.searched();
                searched
                    .map(|field| (field, self.weights.of(field)))
                    .collect()
            }
        };
        let is_quoted = literal.delimiter != Delimiter::None;
        let slop = if is_quoted { literal.slop } else { 0 };
        let leaf = |(field, weight): (TextField, Score)| {
            let leaf = Expression::Leaf {
                field,
                words: words.clone(),
                slop,
                factor: weight * factor as Score,
            };
            (Occur::Should, leaf)
        };
        if words.is_empty() {
            return Ok(Expression::All(Vec::new()));
        }
        Ok(Expression::All(fields.into_iter().map(leaf).collect()))
    }
}
