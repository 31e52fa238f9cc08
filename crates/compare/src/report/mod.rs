//! A comparison of rankings as a web page: one file that needs no network, no scripts and no
//! fonts, for light and dark screens.
//!
//! It shows every coefficient as a matrix and the distributions of scores. For every pair of
//! rankings it shows rank against rank (counts in cells of logarithmic ranks), how many of the
//! first k are shared, how the first nodes change places, and who climbs and falls most. A plot
//! draws cells or some hundred points, never one point per node, so a page has a few dozen
//! kilobytes per pair whatever the number of nodes. O(n) for each plot, parallel.

pub mod chart;
mod density;
mod matrices;
mod overlap;
mod page;
mod pair;
pub mod palette;
mod slope;
mod tail;

use crate::{Comparisons, NamedScores, Ranking};
use webrank_base::error::Result;
use webrank_tables::keys::Keys;

/// The contents of a page.
#[derive(Clone, Copy)]
pub struct ComparisonPage<'a> {
    /// The scores that were compared.
    pub columns: &'a [NamedScores<'a>],
    /// Their rankings, as [`rank_columns`](crate::comparisons::rank_columns) makes them.
    pub rankings: &'a [Ranking],
    /// The coefficients.
    pub comparisons: &'a Comparisons,
    /// The name of the node in each row.
    pub keys: &'a Keys,
    /// Notes for the reader: rows left out, bounds respected.
    pub notes: &'a [String],
}

impl ComparisonPage<'_> {
    /// The page, as HTML in UTF-8. Names and keys are escaped: nothing in them acts as markup, and
    /// control characters are spelled out.
    ///
    /// # Errors
    /// [`Error::Plot`](webrank_base::error::Error::Plot) if a plot cannot be drawn.
    pub fn html(&self) -> Result<String> {
        page::page(self)
    }
}
