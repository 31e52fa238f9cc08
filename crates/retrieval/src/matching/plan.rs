//! The cursors of a query.

use super::leaf::{Leaf, Together};
use super::scoring::{Scoring, Weight};
use super::tree::{All, Any, Clauses, Tree};
use crate::collection::Stretch;
use crate::expression::Expression;
use crate::fields::TextField;
use tantivy::query::Occur;
use webrank_base::error::Result;

/// The maker of cursors.
pub(super) struct Planner<'a> {
    stretch: &'a Stretch<'a>,
    scoring: &'a Scoring,
    /// Pages of the whole index.
    all: u64,
}

impl<'a> Planner<'a> {
    pub fn new(stretch: &'a Stretch<'a>, scoring: &'a Scoring, all: u64) -> Self {
        Planner {
            stretch,
            scoring,
            all,
        }
    }

    /// The cursors whose pages an expression finds, any of which is enough. None, if it finds nothing.
    pub fn roots(&self, expression: &Expression) -> Result<Vec<Tree<'a>>> {
        let mut roots = Vec::new();
        self.add(expression, &mut roots)?;
        Ok(roots)
    }

    /// One cursor for the same.
    pub fn tree(&self, expression: &Expression) -> Result<Option<Tree<'a>>> {
        let mut roots = self.roots(expression)?;
        Ok(match roots.len() {
            0 | 1 => roots.pop(),
            _ => Some(Box::new(Any::new(roots))),
        })
    }

    /// Adds the cursors of an expression to others of which one is enough.
    fn add(&self, expression: &Expression, any: &mut Vec<Tree<'a>>) -> Result<()> {
        match expression {
            Expression::Everything => {
                let pages = self.stretch.documents.len();
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

    fn clauses(&self, clauses: &[(Occur, Expression)]) -> Result<Option<Tree<'a>>> {
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
    ) -> Result<Option<Leaf<'a>>> {
        let mut words: Vec<&String> = words.iter().collect();
        let together = match self.scoring.window {
            None => Together::Phrase(slop),
            Some(width) => {
                words.sort_unstable();
                words.dedup();
                Together::Window(width)
            }
        };
        let mut lists = Vec::new();
        let seeking = self.scoring.seeking;
        for word in &words {
            match self.stretch.list(field, word, words.len() > 1, seeking)? {
                Some(list) => lists.push(list),
                None => return Ok(None),
            }
        }
        if lists.is_empty() {
            return Ok(None);
        }
        let with: Vec<u64> = lists.iter().map(|list| list.everywhere()).collect();
        let (average, lengths) = (
            self.stretch.average(field),
            self.stretch.documents.lengths(field)?,
        );
        let weight = Weight::new(*self.scoring, factor, &with, self.all, average, lengths);
        Ok(Some(Leaf::new(
            lists,
            together,
            seeking,
            field as usize,
            weight,
        )))
    }
}
