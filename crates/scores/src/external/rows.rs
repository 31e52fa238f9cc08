//! A ranking in files as tables, manifests and summaries see it.

use super::ExternalRanking;
use crate::ranked_rows::{Heading, Place, RankedRows};
use crate::report::TableRows;
use serde_json::Value;
use std::sync::Arc;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::phases::Phases;
use webrank_graph::Graph;
use webrank_tables::table::{Cells, ColumnTable, NamedColumn, identity};

impl RankedRows for ExternalRanking {
    fn headings(&self) -> Vec<Heading<'_>> {
        vec![Heading {
            header: "score",
            run: &self.run,
            claim: None,
        }]
    }

    fn proved_positions(&self) -> Option<usize> {
        Some(self.ranks.proved)
    }

    fn form(&self) -> Option<&Value> {
        Some(&self.form)
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn phases(&self) -> &Phases {
        &self.phases
    }

    /// Some of the best nodes in the order of the graph are held in memory.
    fn table<'a>(&'a self, graph: &'a Graph, rows: TableRows) -> ColumnTable<'a> {
        let all = self.len();
        let count = rows.top.unwrap_or(all).min(all);
        if rows.best_first {
            return of_places(graph, count, || self.by_position());
        }
        if count < all {
            let mut best = self.places(count);
            best.sort_unstable_by_key(|place| place.node);
            let best: Arc<[Place]> = best.into();
            return of_places(graph, best.len(), || {
                let best = best.clone();
                move |row| best[row]
            });
        }
        let [ranks, certain] = [(); 2].map(|()| self.ranks());
        let cells = [
            Cells::Numbers(Box::new(self.scores())),
            Cells::Counts(Box::new(move |row| ranks(row).0)),
            Cells::Flags(Box::new(move |row| certain(row).1)),
        ];
        columns(
            graph,
            count,
            cells,
            [(); 2].map(|()| |row: usize| row as Node),
        )
    }

    /// None if they cannot be read.
    fn places(&self, count: usize) -> Vec<Place> {
        let places = self.ranks.places.read(0..count.min(self.len()));
        let places = places.unwrap_or_else(|problem| self.failed.note(problem));
        places.into_iter().map(super::order::place).collect()
    }

    fn check_read(&self) -> Result<()> {
        self.failed.check()
    }
}

/// The columns of so many rows; each reads its places by a function of its own.
fn of_places<'a, F: Fn(usize) -> Place + Sync + 'a>(
    graph: &'a Graph,
    rows: usize,
    place: impl Fn() -> F,
) -> ColumnTable<'a> {
    let [nodes, names, scores, ranks, certain] = [(); 5].map(|()| place());
    let cells = [
        Cells::Numbers(Box::new(move |row| scores(row).score)),
        Cells::Counts(Box::new(move |row| ranks(row).rank)),
        Cells::Flags(Box::new(move |row| certain(row).is_certain)),
    ];
    let nodes = [nodes, names].map(|place| move |row| place(row).node);
    columns(graph, rows, cells, nodes)
}

/// The columns with these cells, and the node of each row.
fn columns<'a>(
    graph: &'a Graph,
    rows: usize,
    [score, rank, certain]: [Cells<'a>; 3],
    [number, node]: [impl Fn(usize) -> Node + Sync + 'a; 2],
) -> ColumnTable<'a> {
    let mut fields = identity(graph.names(), number, node);
    fields.extend([
        NamedColumn::new("score", score),
        NamedColumn::new("rank", rank),
        NamedColumn::new("certain", certain),
    ]);
    ColumnTable { rows, fields }
}
