//! A ranking in files as users see it: the same table, manifest and summary as of one in memory.

use super::{ExternalRanking, Place};
use crate::manifest::Manifest;
use crate::report::{RANK_MEANS, Rows, described_graph, described_measure};
use std::sync::Arc;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::phases::Phases;
use webrank_graph::Graph;
use webrank_tables::table::{Cells, Columns, Field};

/// A ranking in files, and the graph whose nodes it ranks.
#[derive(Clone, Copy)]
pub struct ExternalReport<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// The ranking.
    pub ranked: &'a ExternalRanking,
}

impl<'a> ExternalReport<'a> {
    /// The table: `node`, `name` if there are names, `score`, `rank` and `certain`. Some of the best nodes
    /// in the order of the graph are held in memory.
    pub fn columns(self, rows: Rows) -> Columns<'a> {
        let all = self.ranked.len();
        let count = rows.top.unwrap_or(all).min(all);
        let ranked = self.ranked;
        if rows.best_first {
            let [nodes, names, scores, ranks, certain] = [(); 5].map(|()| ranked.by_position());
            return self.of(
                count,
                [
                    Cells::Counts(Box::new(move |row| nodes(row).node)),
                    Cells::Numbers(Box::new(move |row| scores(row).score)),
                    Cells::Counts(Box::new(move |row| ranks(row).rank)),
                    Cells::Flags(Box::new(move |row| certain(row).is_certain)),
                ],
                move |row| names(row).node,
            );
        }
        if count == all {
            let [ranks, certain] = [(); 2].map(|()| ranked.ranks());
            return self.of(
                count,
                [
                    Cells::Counts(Box::new(|row| row as Node)),
                    Cells::Numbers(Box::new(ranked.scores())),
                    Cells::Counts(Box::new(move |row| ranks(row).0)),
                    Cells::Flags(Box::new(move |row| certain(row).1)),
                ],
                |row| row as Node,
            );
        }
        let mut best = ranked.best(count);
        best.sort_unstable_by_key(|place| place.node);
        let best: Arc<[Place]> = best.into();
        let count = best.len();
        let [nodes, names, scores, ranks, certain] = [(); 5].map(|()| best.clone());
        self.of(
            count,
            [
                Cells::Counts(Box::new(move |row| nodes[row].node)),
                Cells::Numbers(Box::new(move |row| scores[row].score)),
                Cells::Counts(Box::new(move |row| ranks[row].rank)),
                Cells::Flags(Box::new(move |row| certain[row].is_certain)),
            ],
            move |row| names[row].node,
        )
    }

    /// The columns with these cells, and a name for the node of each row.
    fn of(
        self,
        rows: usize,
        [node, score, rank, certain]: [Cells<'a>; 4],
        node_of: impl Fn(usize) -> Node + Sync + 'a,
    ) -> Columns<'a> {
        let mut fields = vec![Field::new("node", node)];
        if let Some(names) = self.graph.names() {
            let name = move |row| names.get(node_of(row));
            fields.push(Field::new("name", Cells::Names(Box::new(name))));
        }
        fields.extend([
            Field::new("score", score),
            Field::new("rank", rank),
            Field::new("certain", certain),
        ]);
        Columns { rows, fields }
    }

    /// The manifest of a run that took these phases.
    ///
    /// # Errors
    /// If the graph's file cannot be read for its fingerprint.
    pub fn manifest(self, phases: &Phases) -> Result<Manifest> {
        let ranked = self.ranked;
        let columns = [("score", &ranked.run)];
        let mut manifest = Manifest::of(self.graph, columns, &ranked.notes, phases)?;
        manifest.proved_positions = Some(ranked.proved_positions());
        manifest.form = Some(ranked.form.clone());
        manifest.rank = Some(RANK_MEANS.into());
        Ok(manifest)
    }

    /// The lines of the summary: what each is about, and what it says.
    pub fn account(self) -> Vec<(&'static str, String)> {
        let (run, proved) = (&self.ranked.run, self.ranked.proved_positions());
        let mut lines = vec![
            ("graph", described_graph(self.graph)),
            ("measure", described_measure(run)),
            ("method", format!("{}, {}", run.method, run.outcome)),
            ("order", format!("the first {proved} positions are proved")),
        ];
        let notes = self.ranked.notes.iter();
        lines.extend(notes.map(|note| ("note", note.clone())));
        lines
    }
}
