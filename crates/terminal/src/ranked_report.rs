//! From a ranking to what the user sees: the table, the manifest, the summary.

use crate::aligned::aligned;
use crate::options::OutputArgs;
use crate::reported::{Reported, SHOWN};
use serde_json::{Map, Value};
use std::fmt::Write as _;
use webrank_base::error::Result;
use webrank_base::phases::Phases;
use webrank_base::units::counted;
use webrank_base::visible::visible;
use webrank_scores::intervals::{Intervals, RankRanges};
use webrank_scores::manifest::Manifest;
use webrank_scores::ranked_rows::{Place, RankedRows};
use webrank_scores::report::Report;
use webrank_tables::table::ColumnTable;

impl<R: RankedRows> Reported for Report<'_, R> {
    fn usual(&self) -> usize {
        (SHOWN / self.ranked.headings().len()).max(5)
    }

    fn shown(&self, count: usize) -> String {
        let (mut text, headings) = (best(self, count), self.ranked.headings());
        for (column, heading) in headings.iter().enumerate().take(SHOWN).skip(1) {
            let places = self.ranked.best_by(column, count);
            if !places.is_empty() {
                text += &rows(self, heading.header, (&places, None));
            }
        }
        if headings.len() > SHOWN {
            let more = counted(headings.len() - SHOWN, "more column");
            writeln!(text, "\n{more}: -o FILE writes all").expect("strings grow");
        }
        text
    }

    fn best_rows(&self, count: usize) -> Vec<Value> {
        let headings = self.ranked.headings();
        let header = headings[0].header;
        let row = |place: Place| {
            let mut row = Map::new();
            row.insert("rank".into(), place.rank.into());
            row.insert(header.into(), place.score.into());
            if let Some((intervals, ranks)) = self.ranked.estimates() {
                let node = place.node as usize;
                row.insert("lower".into(), intervals.lower[node].into());
                row.insert("upper".into(), intervals.upper[node].into());
                row.insert("rank_from".into(), ranks.from[node].into());
                row.insert("rank_to".into(), ranks.to[node].into());
            }
            row.insert("node".into(), place.node.into());
            if self.graph.names().is_some() {
                row.insert("name".into(), self.graph.name(place.node).into());
            }
            if self.ranked.proved_positions().is_some() {
                row.insert("certain".into(), place.is_certain.into());
            }
            Value::Object(row)
        };
        self.ranked.places(count).into_iter().map(row).collect()
    }

    fn columns(&self, shape: &OutputArgs) -> ColumnTable<'_> {
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
        Report::summary(self, log::log_enabled!(log::Level::Info))
    }
}

/// The best nodes, for people to read.
fn best<R: RankedRows>(report: &Report<'_, R>, count: usize) -> String {
    let header = report.ranked.headings()[0].header;
    let places = report.ranked.places(count);
    rows(report, header, (&places, report.ranked.estimates()))
}

/// Nodes, ranked by the column with this header; with their intervals if scores are estimates.
fn rows<R: RankedRows>(
    report: &Report<'_, R>,
    header: &str,
    (places, estimates): (&[Place], Option<(&Intervals, &RankRanges)>),
) -> String {
    let scores = places.iter().map(|place| place.score);
    let of_intervals = |bounds: fn(&Intervals) -> &[f64]| {
        let bounds = estimates.map(|(intervals, _)| bounds(intervals));
        let nodes = places.iter().map(|place| place.node as usize);
        bounds
            .into_iter()
            .flat_map(move |bounds| nodes.clone().map(|node| bounds[node]))
    };
    let lower = of_intervals(|intervals| &intervals.lower);
    let upper = of_intervals(|intervals| &intervals.upper);
    let numbers: Vec<f64> = scores.chain(lower).chain(upper).collect();
    // Scores and intervals in one form.
    let numbers = aligned(&numbers);
    let width = numbers
        .first()
        .map_or(0, String::len)
        .max(header.chars().count());
    let mut text = match estimates {
        None => format!("\n{:>8}  {header:<width$}  node\n", "rank"),
        Some(_) => format!(
            "\n{:>8}  {:<15}  {header:<width$}  {:<width$}  {:<width$}  node\n",
            "rank", "from to", "lower", "upper"
        ),
    };
    for (row, place) in places.iter().enumerate() {
        let unproved = if place.is_certain { "" } else { "~" };
        let rank = format!("{unproved}{}", place.rank);
        let name = report.graph.name(place.node);
        let (name, score) = (visible(&name), &numbers[row]);
        let line = match estimates {
            None => format!("{rank:>8}  {score:<width$}  {name}"),
            Some((_, ranks)) => {
                let node = place.node as usize;
                let range = format!("{} {}", ranks.from[node], ranks.to[node]);
                let [lower, upper] = [1, 2].map(|part| &numbers[part * places.len() + row]);
                format!(
                    "{rank:>8}  {range:<15}  {score:<width$}  {lower:<width$}  {upper:<width$}  {name}"
                )
            }
        };
        writeln!(text, "{line}").expect("strings grow");
    }
    text
}
