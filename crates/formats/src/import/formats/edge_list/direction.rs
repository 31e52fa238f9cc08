//! The column `Type` of arcs, as Gephi writes it, and numbers of nodes with decimals.

use super::super::super::receiver::{Problem, Receiver};
use webrank_base::Node;
use webrank_base::shown::shown;

/// Whether an arc has a direction.
#[derive(Clone, Copy)]
pub(in super::super) enum Direction {
    Directed,
    Undirected,
}

impl Direction {
    /// The direction that a word says.
    ///
    /// # Errors
    /// If it says none.
    pub(in super::super) fn of(word: &str) -> Result<Self, String> {
        let word = word.trim();
        match () {
            () if word.eq_ignore_ascii_case("directed") => Ok(Direction::Directed),
            () if word.eq_ignore_ascii_case("undirected") => Ok(Direction::Undirected),
            () if word.eq_ignore_ascii_case("mutual") => Ok(Direction::Undirected),
            () => Err(format!(
                "'{}' is neither Directed nor Undirected, as the type of other lines is; --columns \
                 without the type takes all as directed",
                shown(word)
            )),
        }
    }

    /// Passes an arc, or an edge without a direction, on to the receiver.
    ///
    /// # Errors
    /// The receiver's errors.
    pub(in super::super) fn give(
        self,
        to: &mut dyn Receiver,
        source: Node,
        target: Node,
        weight: f64,
    ) -> Result<(), Problem> {
        match self {
            Direction::Directed => to.arc(source, target, weight),
            Direction::Undirected => to.edge(source, target, weight),
        }
    }
}

/// The whole number that a decimal number is, if a double holds it exactly.
pub(in super::super) fn whole(name: &str) -> Option<i64> {
    let number: f64 = name
        .contains(['.', 'e', 'E'])
        .then(|| name.trim().parse().ok())??;
    let is_exact = number.fract() == 0.0 && number.abs() < (1u64 << 53) as f64;
    is_exact.then_some(number as i64)
}
