//! From a ranking to what the user sees: the table, the manifest, the summary.

use crate::options::OutputArgs;
use crate::reported::Reported;
use std::fmt::Write as _;
use webrank_base::error::Result;
use webrank_base::phases::Phases;
use webrank_base::visible::visible;
use webrank_scores::manifest::Manifest;
use webrank_scores::proved_order::Certainty;
use webrank_scores::ranked::Ranked;
use webrank_scores::report::Report;
use webrank_tables::table::Columns;

impl Reported for Report<'_> {
    fn shown(&self, count: usize) -> String {
        best(self.ranked, count)
    }

    fn columns(&self, shape: &OutputArgs) -> Columns<'_> {
        Report::columns(*self, shape.rows())
    }

    fn manifest(&self, phases: &Phases) -> Result<Manifest> {
        Report::manifest(*self, phases)
    }

    fn phases(&self) -> &Phases {
        self.ranked.phases()
    }

    fn summary(&self) -> String {
        Report::summary(*self)
    }
}

/// The best nodes, for people to read.
fn best(ranked: &Ranked, count: usize) -> String {
    let header = &ranked.columns()[0].0;
    let estimates = ranked.intervals().zip(ranked.rank_ranges());
    let mut text = match estimates {
        None => format!("\n{:>8}  {header:<12}  node\n", "rank"),
        Some(_) => format!(
            "\n{:>8}  {:<15}  {header:<12}  {:<12}  {:<12}  node\n",
            "rank", "from to", "lower", "upper"
        ),
    };
    let certain = ranked.certainty().map(Certainty::certain);
    let ranks = ranked.ranking().ranks();
    for &node in ranked.ranking().order().iter().take(count) {
        let place = node as usize;
        let unproved = if certain.is_none_or(|certain| certain[place]) {
            ""
        } else {
            "~"
        };
        let rank = format!("{unproved}{}", ranks[place]);
        let (score, name) = (ranked.values()[place], ranked.name(node));
        let name = visible(&name);
        let line = match estimates {
            None => format!("{rank:>8}  {score:<12.6e}  {name}"),
            Some((intervals, ranks)) => {
                let (lower, upper) = (intervals.lower[place], intervals.upper[place]);
                let range = format!("{} {}", ranks.from[place], ranks.to[place]);
                format!(
                    "{rank:>8}  {range:<15}  {score:<12.6e}  {lower:<12.6e}  {upper:<12.6e}  {name}"
                )
            }
        };
        writeln!(text, "{line}").expect("strings grow");
    }
    text
}
