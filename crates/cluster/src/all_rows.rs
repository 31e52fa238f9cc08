//! Sums over the rows of all nodes of a worker, which are decoded from the files of its parts: for what is
//! needed once or twice in a run, so that these rows take no memory.

use super::Exchange;
use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::zeros;
use webrank_base::parallel::blocks::split_mut;
use webrank_base::parallel::tasks;
use webrank_graph::shards::damaged;
use webrank_graph::{Compressed, Rows};

/// Bits (plus nodes) that a task decodes at a time.
const BLOCK_BITS: u64 = 1 << 17;

/// Sums that a worker sends to another in a round, before it takes those of others: so what waits to be
/// sent or taken is never all of it.
const ROUND: usize = if cfg!(test) { 3 } else { 1 << 16 };

/// Rows of nodes elsewhere that a task decodes at a time.
const ROWS: usize = if cfg!(test) { 2 } else { 1 << 11 };

/// The rows of the parts of a worker, in their files.
pub(super) struct AllRows {
    pub(super) num_nodes: usize,
    pub(super) parts: Vec<PartRows>,
    /// The nodes for which each worker sends something, in their order, counted from the first of this
    /// worker; none for this one.
    pub(super) expected: Vec<Vec<Node>>,
}

/// The rows of a part.
pub(super) struct PartRows {
    pub(super) own: Compressed,
    pub(super) away: Compressed,
    /// Its nodes, counted from the first of the worker.
    pub(super) nodes: Range<usize>,
    /// Which of the rows of other nodes are for each worker.
    pub(super) rows_for: Vec<Range<usize>>,
    /// The nodes of the rows for this worker.
    pub(super) inside: Vec<Node>,
}

/// The values that nodes give to each of their successors.
pub(super) struct Values<'v> {
    /// The places of nodes, counted from the first of the worker.
    pub(super) place_of: Vec<Node>,
    /// The sum over all places before one, and before the end.
    pub(super) before: &'v [u64],
}

impl Values<'_> {
    /// The sum over some nodes, modulo 2^64; none if one of them has no place.
    fn sum(&self, first: usize, nodes: &[Node]) -> Option<u64> {
        nodes.iter().try_fold(0u64, |sum, &node| {
            let place = *self.place_of.get(first + node as usize)? as usize;
            let [start, end] = self.before.get(place..)?.first_chunk()?;
            Some(sum.wrapping_add(end.wrapping_sub(*start)))
        })
    }
}

impl AllRows {
    /// The rows of a worker with so many nodes, without parts.
    pub(super) fn new(num_nodes: usize) -> Self {
        AllRows {
            num_nodes,
            parts: Vec::new(),
            expected: Vec::new(),
        }
    }

    /// The sum over the predecessors of each node of this worker, modulo 2^64.
    ///
    /// # Errors
    /// If a file has changed, if there is not enough memory, or if another worker fails.
    pub(super) fn sums(&self, exchange: &mut Exchange, values: &Values) -> Result<Vec<u64>> {
        let mut sums = zeros(self.num_nodes, "sums over rows")?;
        let most = (0..exchange.workers()).map(|to| self.num_sums_for(exchange, to));
        let most = exchange.gather([most.max().unwrap_or(0) as u64])?;
        let most = most.iter().map(|[count]| *count as usize).max();
        let rounds = most.unwrap_or(0).div_ceil(ROUND);
        for round in 0..rounds {
            self.send(exchange, round * ROUND, values)?;
            // Workers with fewer sums to send have more rows of their own: in each round, all have as much
            // to do.
            self.add_own(exchange, [round, rounds], values, &mut sums)?;
            self.receive(exchange, round * ROUND, &mut sums)?;
            // Nobody sends what comes next before all have taken this.
            exchange.gather([])?;
        }
        if rounds == 0 {
            self.add_own(exchange, [0, 1], values, &mut sums)?;
        }
        Ok(sums)
    }

    /// Adds what nodes of this worker give to others of it: in each round, the part of it that is due.
    fn add_own(
        &self,
        exchange: &Exchange,
        due: [usize; 2],
        values: &Values,
        sums: &mut [u64],
    ) -> Result<()> {
        let mut parts = self.parts.iter();
        parts.try_for_each(|part| part.add_own(exchange.index(), due, values, sums))
    }

    /// How many sums another worker gets.
    fn num_sums_for(&self, exchange: &Exchange, to: usize) -> usize {
        match to == exchange.index() {
            true => 0,
            false => self.parts.iter().map(|part| part.rows_for[to].len()).sum(),
        }
    }

    /// Sends to each worker its sums from this one on, as many as a round has.
    fn send(&self, exchange: &mut Exchange, first: usize, values: &Values) -> Result<()> {
        let me = exchange.index();
        for to in (0..exchange.workers()).filter(|&to| to != me) {
            let mut words = Vec::new();
            let mut start = 0;
            for part in &self.parts {
                let rows = &part.rows_for[to];
                let row_of = |sum: usize| rows.start + sum.saturating_sub(start).min(rows.len());
                let sums = part.away_sums(row_of(first)..row_of(first + ROUND), values)?;
                words.extend(sums);
                start += rows.len();
            }
            if !words.is_empty() {
                exchange.send(to, words)?;
            }
        }
        Ok(())
    }

    /// Adds the sums of a round that other workers send.
    fn receive(&self, exchange: &mut Exchange, first: usize, sums: &mut [u64]) -> Result<()> {
        let of_round = |from: usize| {
            let nodes = &self.expected[from];
            let [start, end] = [first, first + ROUND].map(|sum| sum.min(nodes.len()));
            &nodes[start..end]
        };
        let mut to_come: Vec<&[Node]> = (0..exchange.workers()).map(of_round).collect();
        while to_come.iter().any(|nodes| !nodes.is_empty()) {
            let (from, words) = exchange.receive()?;
            let nodes = std::mem::take(&mut to_come[from]);
            if words.len() != nodes.len() {
                return Err(exchange.not_planned(from));
            }
            add(sums, nodes, words);
        }
        Ok(())
    }
}

impl PartRows {
    /// Adds what the nodes of this part give to nodes of this worker, which is `me`: what is due in one of
    /// some rounds.
    fn add_own(
        &self,
        me: usize,
        [round, rounds]: [usize; 2],
        values: &Values,
        sums: &mut [u64],
    ) -> Result<()> {
        let due = |count: usize| count * round / rounds..count * (round + 1) / rounds;
        let blocks = self.own.blocks(BLOCK_BITS);
        let blocks = &blocks[due(blocks.len())];
        let parts = split_mut(&mut sums[self.nodes.clone()], blocks);
        tasks::try_map(blocks.iter().zip(parts), |(rows, sums)| {
            self.write(&self.own, rows.clone(), values, sums)
        })?;
        let rows = self.rows_for[me].clone();
        let due = due(self.inside.len());
        let (rows, inside) = (rows.start + due.start.., &self.inside[due]);
        for (first, nodes) in rows.step_by(ROUND).zip(inside.chunks(ROUND)) {
            let of_rows = self.away_sums(first..first + nodes.len(), values)?;
            add(sums, nodes, of_rows);
        }
        Ok(())
    }

    /// Sums over rows of nodes elsewhere.
    fn away_sums(&self, rows: Range<usize>, values: &Values) -> Result<Vec<u64>> {
        let mut sums = vec![0; rows.len()];
        let parts = rows.step_by(ROWS).zip(sums.chunks_mut(ROWS));
        tasks::try_map(parts, |(first, sums)| {
            self.write(&self.away, first..first + sums.len(), values, sums)
        })?;
        Ok(sums)
    }

    /// Adds sums over some rows to their places.
    fn write(
        &self,
        rows: &Compressed,
        range: Range<usize>,
        values: &Values,
        sums: &mut [u64],
    ) -> Result<()> {
        let first = range.start;
        rows.try_rows(range, &mut |node, row| {
            let sum = values.sum(self.nodes.start, row);
            let sum = sum.ok_or_else(|| impossible_row(rows, node))?;
            let place = &mut sums[node as usize - first];
            *place = place.wrapping_add(sum);
            Ok(())
        })
    }
}

/// Adds to the sums of some nodes.
fn add(sums: &mut [u64], nodes: &[Node], more: Vec<u64>) {
    for (&node, more) in nodes.iter().zip(more) {
        let sum = &mut sums[node as usize];
        *sum = sum.wrapping_add(more);
    }
}

/// The error of a row that was not there when the part was opened.
pub(super) fn impossible_row(rows: &Compressed, node: Node) -> Error {
    damaged(rows.path(), format!("row {node} cannot be"))
}
