//! The cursors of a query.

use super::leaf::{Leaf, Together};
use super::scoring::{Scoring, Weight};
use super::tree::{All, Any, Clauses, Tree};
use crate::collection::Collection;
use crate::expression::Expression;
use crate::fields::TextField;
use crate::lists::{List, OfTantivy};
use tantivy::query::Occur;
use tantivy::schema::IndexRecordOption;
use tantivy::{SegmentReader, Term};

/// What makes cursors.
pub(super) struct Planner<'a> {
    collection: &'a Collection,
    segment: &'a SegmentReader,
    scoring: &'a Scoring,
}

impl<'a> Planner<'a> {
    /// Nothing, if there are no pages.
    pub fn new(collection: &'a Collection, scoring: &'a Scoring) -> Option<Self> {
        let segment = collection.segment()?;
        Some(Planner {
            collection,
            segment,
            scoring,
        })
    }

    /// The cursors whose pages an expression finds, any of which is enough. None, if it finds nothing.
    pub fn roots(&self, expression: &Expression) -> tantivy::Result<Vec<Tree<'a>>> {
        let mut roots = Vec::new();
        self.add(expression, &mut roots)?;
        Ok(roots)
    }

    /// One cursor for the same.
    pub fn tree(&self, expression: &Expression) -> tantivy::Result<Option<Tree<'a>>> {
        let mut roots = self.roots(expression)?;
        Ok(match roots.len() {
            0 | 1 => roots.pop(),
            _ => Some(Box::new(Any::new(roots))),
        })
    }

    /// Adds the cursors of an expression to others of which one is enough.
    fn add(&self, expression: &Expression, any: &mut Vec<Tree<'a>>) -> tantivy::Result<()> {
        match expression {
            Expression::Everything => {
                let pages = self.segment.max_doc();
                any.push(Box::new(All { pages, at: 0 }));
            }
            Expression::Leaf {
                field,
                words,
                slop,
                factor,
            } => {
                let leaf = self.leaf(*field, words, *slop, f64::from(*factor))?;
                any.extend(leaf.map(|leaf| Box::new(leaf) as Tree));
            }
            Expression::All(clauses)
                if clauses.iter().all(|(occur, _)| *occur == Occur::Should) =>
            {
                for (_, clause) in clauses {
                    self.add(clause, any)?;
                }
            }
            Expression::All(clauses) => any.extend(self.clauses(clauses)?),
        }
        Ok(())
    }

    fn clauses(&self, clauses: &[(Occur, Expression)]) -> tantivy::Result<Option<Tree<'a>>> {
        let (mut must, mut may, mut not) = (Vec::new(), Vec::new(), Vec::new());
        for (occur, clause) in clauses {
            match occur {
                Occur::Must => match self.tree(clause)? {
                    Some(tree) => must.push(tree),
                    None => return Ok(None),
                },
                Occur::Should => self.add(clause, &mut may)?,
                Occur::MustNot => not.extend(self.tree(clause)?),
            }
        }
        if must.is_empty() {
            if may.is_empty() {
                return Ok(None);
            }
            must.push(Box::new(Any::new(std::mem::take(&mut may))));
        }
        let seeking = self.scoring.seeking;
        Ok(Some(Box::new(Clauses::new(must, may, not, seeking))))
    }

    /// The cursor of words, if the field has all of them.
    fn leaf(
        &self,
        field: TextField,
        words: &[String],
        slop: u32,
        factor: f64,
    ) -> tantivy::Result<Option<Leaf<'a>>> {
        let mut words: Vec<&String> = words.iter().collect();
        let together = match self.scoring.window {
            None => Together::Phrase(slop),
            Some(width) => {
                words.sort_unstable();
                words.dedup();
                Together::Window(width)
            }
        };
        let of_index = self.collection.fields.text[field as usize];
        let inverted = self.segment.inverted_index(of_index)?;
        let mut lists = Vec::new();
        for word in &words {
            let term = Term::from_field_text(of_index, word);
            match self.list(field, &term, words.len() > 1)? {
                Some(list) => lists.push(list),
                None => return Ok(None),
            }
        }
        if lists.is_empty() {
            return Ok(None);
        }
        let with: Vec<u64> = lists.iter().map(|list| list.cost()).collect();
        let pages = u64::from(self.segment.max_doc());
        let average = inverted.total_num_tokens() as f64 / pages as f64;
        let lengths = self.segment.get_fieldnorms_reader(of_index)?;
        let weight = Weight::new(*self.scoring, factor, &with, pages, average, lengths);
        let seeking = self.scoring.seeking;
        Ok(Some(Leaf::new(
            lists,
            together,
            seeking,
            field as usize,
            weight,
        )))
    }

    /// The list of a term: in codes if the index has such lists.
    fn list(
        &self,
        field: TextField,
        term: &Term,
        with_positions: bool,
    ) -> tantivy::Result<Option<Box<dyn List + 'a>>> {
        let inverted = self.segment.inverted_index(term.field())?;
        if let Some(lists) = &self.collection.lists {
            let place = inverted.terms().term_ord(term.serialized_value_bytes())?;
            let list = place.and_then(|it| lists.list(field as usize, it, self.scoring.seeking));
            return Ok(list);
        }
        let option = match with_positions {
            true => IndexRecordOption::WithFreqsAndPositions,
            false => IndexRecordOption::WithFreqs,
        };
        let postings = inverted.read_postings(term, option)?;
        Ok(postings.map(OfTantivy::boxed))
    }
}
