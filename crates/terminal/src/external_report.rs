//! From a ranking in files to what the user sees.

use crate::options::OutputArgs;
use crate::reported::Reported;
use std::fmt::Write as _;
use webrank_base::error::Result;
use webrank_base::phases::Phases;
use webrank_base::visible::visible;
use webrank_scores::external::report::ExternalReport;
use webrank_scores::manifest::Manifest;
use webrank_scores::report::summed_up;
use webrank_tables::table::Columns;

impl Reported for ExternalReport<'_> {
    fn shown(&self, count: usize) -> String {
        let mut text = format!("\n{:>8}  {:<12}  node\n", "rank", "score");
        for place in self.ranked.best(count) {
            let unproved = if place.is_certain { "" } else { "~" };
            let rank = format!("{unproved}{}", place.rank);
            let name = self.graph.name(place.node);
            let (score, name) = (place.score, visible(&name));
            writeln!(text, "{rank:>8}  {score:<12.6e}  {name}").expect("strings grow");
        }
        text
    }

    fn columns(&self, shape: &OutputArgs) -> Columns<'_> {
        ExternalReport::columns(*self, shape.rows())
    }

    fn check_read(&self) -> Result<()> {
        self.ranked.check_read()
    }

    fn manifest(&self, phases: &Phases) -> Result<Manifest> {
        ExternalReport::manifest(*self, phases)
    }

    fn phases(&self) -> &Phases {
        &self.ranked.phases
    }

    fn summary(&self) -> String {
        summed_up(&self.account())
    }
}
