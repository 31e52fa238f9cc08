//! One function for both directions of a state: a checkpoint takes each of its parts, or gives it back.

use super::{CheckpointReader, CheckpointWriter, Number};
use crate::error::{Error, Result};
use std::ops::Range;

/// A checkpoint that visits the parts of a state, in an order that never changes. There is no file where
/// another worker has it: then parts stay as they are.
pub enum StateVisitor<'c> {
    /// Parts are written.
    Save(Option<&'c mut CheckpointWriter>),
    /// Parts are replaced by those of the file.
    Restore(Option<&'c mut CheckpointReader>),
}

impl StateVisitor<'_> {
    /// True if parts are replaced.
    pub fn is_restoring(&self) -> bool {
        matches!(self, StateVisitor::Restore(_))
    }

    /// Visits a list of fixed length.
    ///
    /// # Errors
    /// If the file cannot be written or read, or if its list has another length.
    pub fn numbers<T: Number>(&mut self, numbers: &mut [T]) -> Result<()> {
        match self {
            StateVisitor::Save(Some(to)) => to.numbers(numbers),
            StateVisitor::Restore(Some(from)) => from.fill(numbers),
            _ => Ok(()),
        }
    }

    /// Visits a list of `most` numbers at most.
    ///
    /// # Errors
    /// If the file cannot be written or read, if its list is longer, or if there is not enough memory.
    pub fn list<T: Number>(&mut self, numbers: &mut Vec<T>, most: usize) -> Result<()> {
        match self {
            StateVisitor::Save(Some(to)) => to.numbers(numbers)?,
            StateVisitor::Restore(Some(from)) => *numbers = from.list(most)?,
            _ => {}
        }
        Ok(())
    }

    /// Visits a list with a number of each item.
    ///
    /// # Errors
    /// If the file cannot be written or read, or if its list has another length.
    pub fn column<S, T: Number>(
        &mut self,
        items: &mut [S],
        of: impl Fn(&mut S) -> &mut T,
    ) -> Result<()> {
        match self {
            StateVisitor::Save(Some(to)) => {
                to.list(items.len(), items.iter_mut().map(|item| *of(item)))
            }
            StateVisitor::Restore(Some(from)) => {
                let mut numbers = vec![T::default(); items.len()];
                from.fill(&mut numbers)?;
                let items = items.iter_mut().zip(numbers);
                items.for_each(|(item, number)| *of(item) = number);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Visits a list with a number of each item, of which the file has `most` at most.
    ///
    /// # Errors
    /// As for [`Self::list`].
    pub fn first_column<S: Clone + Default, T: Number>(
        &mut self,
        items: &mut Vec<S>,
        most: usize,
        of: impl Fn(&mut S) -> &mut T,
    ) -> Result<()> {
        match self {
            StateVisitor::Restore(Some(from)) => {
                let numbers = from.list(most)?;
                *items = vec![S::default(); numbers.len()];
                let items = items.iter_mut().zip(numbers);
                items.for_each(|(item, number)| *of(item) = number);
                Ok(())
            }
            _ => self.column(items, of),
        }
    }

    /// Visits a list of `count` numbers that is not in memory: `load` reads the numbers from a place on,
    /// `store` writes them. Ranges are consecutive.
    ///
    /// # Errors
    /// If the file cannot be written or read, or if its list has another length; those of `load` and
    /// `store`.
    pub fn pieces<T: Number>(
        &mut self,
        count: usize,
        ranges: impl IntoIterator<Item = Range<usize>>,
        load: impl Fn(usize, &mut [T]) -> Result<()>,
        store: impl Fn(usize, &[T]) -> Result<()>,
    ) -> Result<()> {
        let found = match self {
            StateVisitor::Save(Some(to)) => to.begin::<T>(count as u64).map(|()| count)?,
            StateVisitor::Restore(Some(from)) => from.begin::<T>()?,
            _ => return Ok(()),
        };
        self.check(found == count)?;
        let mut part = Vec::new();
        for range in ranges {
            part.resize(range.len(), T::default());
            match self {
                StateVisitor::Save(Some(to)) => {
                    load(range.start, &mut part)?;
                    to.append(part.iter().copied())?;
                }
                StateVisitor::Restore(Some(from)) => {
                    from.fill_begun(&mut part)?;
                    store(range.start, &part)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks what holds for every state.
    ///
    /// # Errors
    /// If it does not hold for that of the file: the file is damaged.
    pub fn check(&self, holds: bool) -> Result<()> {
        match self.damaged() {
            Some(damaged) if !holds => Err(damaged),
            _ => Ok(()),
        }
    }

    /// The error of a file that contradicts itself, if one is read.
    pub fn damaged(&self) -> Option<Error> {
        match self {
            StateVisitor::Restore(Some(from)) => Some(from.damaged()),
            _ => None,
        }
    }
}
