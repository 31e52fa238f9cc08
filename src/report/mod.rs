//! A comparison of rankings as a web page: one file that needs no network, no scripts and no
//! fonts, for light and dark screens.
//!
//! It shows every coefficient as a matrix; how scores are distributed; and for every pair of
//! rankings where the nodes are (counts in cells of logarithmic ranks), how many of the first k
//! are shared, how the first nodes change places, and who climbs and falls most. However many
//! nodes there are, a plot draws cells or some hundred points, never a point a node: a page has a
//! few dozen kilobytes a pair. O(n) for each plot, parallel.

mod chart;
mod density;
mod matrices;
mod overlap;
mod page;
mod pair;
mod palette;
mod slope;
mod tail;

use crate::compare::{Comparisons, NamedScores, Ranking};
use crate::error::Result;
use crate::scores::keys::Keys;

/// What a page is about.
#[derive(Clone, Copy)]
pub struct ComparisonPage<'a> {
    /// The scores that were compared.
    pub columns: &'a [NamedScores<'a>],
    /// Their rankings, as [`rank_columns`](crate::compare::comparisons::rank_columns) makes them.
    pub rankings: &'a [Ranking],
    /// The coefficients.
    pub comparisons: &'a Comparisons,
    /// What to call the node in each row.
    pub keys: &'a Keys,
    /// Sentences that a reader should know: rows left out, bounds respected.
    pub notes: &'a [String],
}

impl ComparisonPage<'_> {
    /// The page, as HTML in UTF-8. Names and keys are text: nothing in them is taken as markup, and
    /// control characters are spelled out.
    ///
    /// # Errors
    /// [`Error::Plot`](crate::Error::Plot) if a plot cannot be drawn.
    pub fn html(&self) -> Result<String> {
        page::page(self)
    }
}
