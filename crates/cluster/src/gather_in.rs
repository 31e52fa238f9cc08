//! Sums over the predecessors of nodes, whichever worker has these.

use super::Exchange;
use super::buffered_gather::Inflows;
use super::pieces::{LocalPartition, Piece};
use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory::filled;
use webrank_base::parallel::tasks;
use webrank_linear::runs::{Row, RunRows};

impl LocalPartition {
    /// Joins to `into`, which has an entry for each node of this worker, what its predecessors give.
    ///
    /// `of_row` makes this of the predecessors in a part, which are counted from the first node of the
    /// part; it is told the number of that one. `join` must give the same in any order. A worker joins
    /// what its nodes give to a node of another worker before it sends it: 8 bytes for each such node
    /// of [`super::Division::touched`], in an order that never changes. All workers must call this, and
    /// gather something before they exchange anything else.
    ///
    /// # Errors
    /// If rows in a file cannot be read, if there is not enough memory, or if another worker fails.
    pub fn pull(
        &self,
        exchange: &mut Exchange,
        into: &mut [u64],
        of_row: impl Fn(usize, Row) -> u64 + Sync,
        join: impl Fn(u64, u64) -> u64 + Sync,
    ) -> Result<()> {
        let of_rows = |piece: usize, rows: &RunRows| {
            let first = self.pieces[piece].nodes.start;
            let mut values = filled(0, rows.num_rows(), "sums over rows")?;
            rows.sums(&rows.blocks(), &mut values, |row| of_row(first, row))?;
            Ok(values)
        };
        self.join_rows(
            exchange,
            into,
            |piece| of_rows(piece, &self.pieces[piece].own),
            |piece| of_rows(piece, &self.pieces[piece].away),
            join,
        )
    }

    /// The sums of the values of predecessors, modulo 2^64, from the sums of the values of all nodes
    /// before one and before the end: so values take 8 bytes a node, and a run two reads.
    ///
    /// # Errors
    /// As for [`Self::pull`].
    pub(crate) fn pull_sums(
        &self,
        exchange: &mut Exchange,
        before: &[u64],
        into: &mut [u64],
    ) -> Result<()> {
        let mut inflows = Inflows::new(self)?;
        inflows.send(exchange, before)?;
        inflows.add_up(exchange, before)?;
        tasks::update_parts(into, |range, into| inflows.write(range.start, into));
        Ok(())
    }

    /// Joins to `into` what distinct rows give: `own` and `away` tell it for those of a part.
    ///
    /// # Errors
    /// Theirs; if another worker fails.
    pub(super) fn join_rows(
        &self,
        exchange: &mut Exchange,
        into: &mut [u64],
        mut own: impl FnMut(usize) -> Result<Vec<u64>>,
        mut away: impl FnMut(usize) -> Result<Vec<u64>>,
        join: impl Fn(u64, u64) -> u64 + Sync,
    ) -> Result<()> {
        for (index, piece) in self.pieces.iter().enumerate() {
            let values = away(index)?;
            for (&node, value) in piece.inside.iter().zip(piece.send(&values, exchange)?) {
                let entry = &mut into[node as usize];
                *entry = join(*entry, value);
            }
        }
        for (index, piece) in self.pieces.iter().enumerate() {
            let values = own(index)?;
            tasks::update(&mut into[piece.nodes.clone()], |node, entry| {
                *entry = join(*entry, values[piece.own.row_of(node)]);
            });
        }
        self.receive(exchange, into, join)
    }

    /// Joins what other workers send.
    fn receive(
        &self,
        exchange: &mut Exchange,
        into: &mut [u64],
        join: impl Fn(u64, u64) -> u64,
    ) -> Result<()> {
        self.receive_sums(exchange, |nodes, words| {
            for (&node, word) in nodes.iter().zip(words) {
                let entry = &mut into[node as usize];
                *entry = join(*entry, *word);
            }
        })
    }

    /// Hands what other workers send to `take`, with the nodes that it is for.
    ///
    /// # Errors
    /// If another worker fails, or sends what is not planned.
    pub(super) fn receive_sums(
        &self,
        exchange: &mut Exchange,
        mut take: impl FnMut(&[Node], &[u64]),
    ) -> Result<()> {
        let mut places = vec![0; self.expected.len()];
        let mut missing: usize = self.expected.iter().map(Vec::len).sum();
        while missing > 0 {
            let (from, words) = exchange.receive()?;
            let nodes = &self.expected[from][places[from]..];
            if words.is_empty() || words.len() > nodes.len() {
                return Err(exchange.not_planned(from));
            }
            take(&nodes[..words.len()], &words);
            places[from] += words.len();
            missing -= words.len();
        }
        Ok(())
    }
}

impl Piece {
    /// Sends what the distinct rows of nodes elsewhere give to the workers that have these; returns what is
    /// for nodes in other parts of this worker.
    ///
    /// # Errors
    /// If another worker fails.
    pub(super) fn send(
        &self,
        values: &[u64],
        exchange: &mut Exchange,
    ) -> Result<impl Iterator<Item = u64>> {
        let me = exchange.index();
        let of_rows = |rows: &Range<usize>| {
            let rows = self.away.rows_of(rows.clone()).iter();
            rows.map(|&row| values[row as usize])
        };
        let rows_for = self.rows_for.iter().enumerate();
        for (to, rows) in rows_for.filter(|&(to, rows)| to != me && !rows.is_empty()) {
            exchange.send(to, of_rows(rows).collect())?;
        }
        Ok(of_rows(&self.rows_for[me]))
    }
}
