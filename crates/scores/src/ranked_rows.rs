//! The view of a ranking that tables, manifests and summaries are made from, whether its scores are in
//! memory or in files.

use super::intervals::{Claim, Intervals, RankRanges};
use super::proved_order::Certainty;
use super::ranked::Ranked;
use super::report::TableRows;
use super::{Run, Scores};
use serde_json::Value;
use std::borrow::Cow;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::phases::Phases;
use webrank_graph::Graph;
use webrank_tables::table::{Column, ColumnTable, Table};

/// The nodes of a graph, ranked.
pub trait RankedRows {
    /// The headers of the columns of scores. Nodes are ordered by the first column.
    fn headings(&self) -> Vec<Heading<'_>>;

    /// How many positions from the first on are proved, for measures that can prove ranks.
    fn proved_positions(&self) -> Option<usize>;

    /// The form that the graph was swept in.
    fn form(&self) -> Option<&Value>;

    /// Sentences for people: what was chosen and why, what zeros mean.
    fn notes(&self) -> &[String];

    /// How long the phases took.
    fn phases(&self) -> &Phases;

    /// The table: `node`, `name` if there are names, the scores, their intervals, `rank` with its range,
    /// and `certain`.
    fn table<'a>(&'a self, graph: &'a Graph, rows: TableRows) -> ColumnTable<'a>;

    /// The best nodes, best first.
    fn places(&self, count: usize) -> Vec<Place>;

    /// The best nodes by another column than the first, best first; none where columns are in files.
    fn best_by(&self, column: usize, count: usize) -> Vec<Place> {
        let _ = (column, count);
        Vec::new()
    }

    /// The intervals of the first column and the ranks that they leave open, if scores are estimates.
    fn estimates(&self) -> Option<(&Intervals, &RankRanges)> {
        None
    }

    /// Fails if places or entries that were asked for could not be read.
    ///
    /// # Errors
    /// Why they could not.
    fn check_read(&self) -> Result<()> {
        Ok(())
    }
}

/// A column of scores, apart from its entries.
#[derive(Clone, Copy)]
pub struct Heading<'a> {
    /// Its header.
    pub header: &'a str,
    /// The measure, the method, and the certainty.
    pub run: &'a Run,
    /// The claim of its intervals, if it has any.
    pub claim: Option<Claim>,
}

/// The headings of columns.
pub(super) fn headings_of(columns: &[(String, Scores)]) -> Vec<Heading<'_>> {
    let columns = columns.iter().map(|(header, scores)| Heading {
        header,
        run: &scores.run,
        claim: scores.intervals.as_ref().map(|intervals| intervals.claim),
    });
    columns.collect()
}

/// A node, as it is ranked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// The node.
    pub node: Node,
    /// Its score.
    pub score: f64,
    /// Its rank, from 1; nodes with equal scores share it.
    pub rank: u32,
    /// Whether its rank is proved; true for measures that prove none.
    pub is_certain: bool,
}

impl RankedRows for Ranked {
    fn headings(&self) -> Vec<Heading<'_>> {
        headings_of(self.columns())
    }

    fn proved_positions(&self) -> Option<usize> {
        self.certainty().map(Certainty::proved_positions)
    }

    fn form(&self) -> Option<&Value> {
        self.form()
    }

    fn notes(&self) -> &[String] {
        self.notes()
    }

    fn phases(&self) -> &Phases {
        self.phases()
    }

    fn table<'a>(&'a self, graph: &'a Graph, rows: TableRows) -> ColumnTable<'a> {
        let ranking = self.ranking();
        let scores = self.columns().iter();
        let scores = scores.map(|(header, scores)| (Cow::Borrowed(&header[..]), scores.as_slice()));
        let bounds = self.bounds().into_iter();
        let bounds = bounds.map(|(header, entries)| (Cow::Owned(header), entries));
        let numbers = scores.chain(bounds);
        let mut columns: Vec<_> = numbers
            .map(|(header, entries)| (header, Column::Numbers(entries)))
            .collect();
        if columns[0].0 == "score" {
            columns.push(("rank".into(), Column::Counts(ranking.ranks())));
            if let Some(ranges) = self.rank_ranges() {
                columns.push(("rank_from".into(), Column::Counts(&ranges.from)));
                columns.push(("rank_to".into(), Column::Counts(&ranges.to)));
            }
        }
        if let Some(certainty) = self.certainty() {
            columns.push(("certain".into(), Column::Flags(certainty.certain())));
        }
        let table = Table {
            nodes: rows.chosen(ranking.order()),
            num_nodes: ranking.order().len(),
            names: graph.names(),
            columns,
        };
        table.into_columns()
    }

    fn places(&self, count: usize) -> Vec<Place> {
        let certain = self.certainty().map(Certainty::certain);
        let place = |&node: &Node| Place {
            node,
            score: self.values()[node as usize],
            rank: self.ranking().ranks()[node as usize],
            is_certain: certain.is_none_or(|certain| certain[node as usize]),
        };
        self.ranking()
            .order()
            .iter()
            .take(count)
            .map(place)
            .collect()
    }

    fn best_by(&self, column: usize, count: usize) -> Vec<Place> {
        best_of(self.columns()[column].1.as_slice(), count)
    }

    fn estimates(&self) -> Option<(&Intervals, &RankRanges)> {
        self.intervals().zip(self.rank_ranges())
    }
}

/// The `count` nodes with the largest scores; of equal ones, those with the smaller numbers. O(n), and
/// memory for twice the count.
fn best_of(scores: &[f64], count: usize) -> Vec<Place> {
    let score = |node: Node| scores[node as usize];
    let by_score = |a: &Node, b: &Node| score(*b).total_cmp(&score(*a)).then(a.cmp(b));
    let mut best: Vec<Node> = Vec::new();
    for node in 0..scores.len() as Node {
        best.push(node);
        if best.len() > count.saturating_mul(2) {
            best.select_nth_unstable_by(count, by_score);
            best.truncate(count);
        }
    }
    best.sort_unstable_by(by_score);
    best.truncate(count);
    let mut places: Vec<Place> = Vec::with_capacity(best.len());
    for (position, node) in (1..).zip(best) {
        let tied = places.last().filter(|last| last.score == score(node));
        places.push(Place {
            node,
            score: score(node),
            rank: tied.map_or(position, |last| last.rank),
            is_certain: true,
        });
    }
    places
}

#[cfg(test)]
mod tests {
    use super::{Place, best_of};

    #[test]
    fn the_best_are_those_of_a_whole_ranking() {
        let scores: Vec<f64> = (0..97u32).map(|node| f64::from(node * 31 % 23)).collect();
        let mut order: Vec<u32> = (0..97).collect();
        order.sort_by(|&a, &b| scores[b as usize].total_cmp(&scores[a as usize]));
        for count in [0, 1, 2, 30, 96, 97, 200] {
            let found = best_of(&scores, count);
            let nodes: Vec<u32> = found.iter().map(|place| place.node).collect();
            assert_eq!(nodes, order[..count.min(97)]);
            let rank = |it: &Place| 1 + scores.iter().filter(|&&score| score > it.score).count();
            assert!(found.iter().all(|it| it.rank as usize == rank(it)));
        }
    }
}
