//! From a ranking to what the user sees: the table, the manifest, the summary.

use crate::options::OutputArgs;
use crate::reported::Reported;
use std::fmt::Write as _;
use webrank_base::error::Result;
use webrank_base::phases::Phases;
use webrank_base::visible::visible;
use webrank_scores::manifest::Manifest;
use webrank_scores::ranked_rows::RankedRows;
use webrank_scores::report::Report;
use webrank_tables::table::Columns;

impl<R: RankedRows> Reported for Report<'_, R> {
    fn shown(&self, count: usize) -> String {
        best(self, count)
    }

    fn columns(&self, shape: &OutputArgs) -> Columns<'_> {
        Report::columns(self, shape.rows())
    }

    fn check_read(&self) -> Result<()> {
        self.ranked.check_read()
    }

    fn manifest(&self, phases: &Phases) -> Result<Manifest> {
        Report::manifest(self, phases)
    }

    fn phases(&self) -> &Phases {
        self.ranked.phases()
    }

    fn summary(&self) -> String {
        Report::summary(self)
    }
}

/// The best nodes, for people to read.
fn best<R: RankedRows>(report: &Report<'_, R>, count: usize) -> String {
    let header = report.ranked.headings()[0].header;
    let estimates = report.ranked.estimates();
    let mut text = match estimates {
        None => format!("\n{:>8}  {header:<12}  node\n", "rank"),
        Some(_) => format!(
            "\n{:>8}  {:<15}  {header:<12}  {:<12}  {:<12}  node\n",
            "rank", "from to", "lower", "upper"
        ),
    };
    for place in report.ranked.places(count) {
        let (node, score) = (place.node as usize, place.score);
        let unproved = if place.is_certain { "" } else { "~" };
        let rank = format!("{unproved}{}", place.rank);
        let name = report.graph.name(place.node);
        let name = visible(&name);
        let line = match estimates {
            None => format!("{rank:>8}  {score:<12.6e}  {name}"),
            Some((intervals, ranks)) => {
                let (lower, upper) = (intervals.lower[node], intervals.upper[node]);
                let range = format!("{} {}", ranks.from[node], ranks.to[node]);
                format!(
                    "{rank:>8}  {range:<15}  {score:<12.6e}  {lower:<12.6e}  {upper:<12.6e}  {name}"
                )
            }
        };
        writeln!(text, "{line}").expect("strings grow");
    }
    text
}
