//! [`super::late_walks`] on shards, by several workers.
//!
//! Workers have rows of predecessors. In the first pass, every node whose score is 0 takes the largest
//! share of its predecessors. If walks get anywhere in it, a second pass lists the arcs from nodes whose
//! score was 0, and walks go on along these, step by step.

use super::certificate::Certified;
use super::late_walks::{self, LateArcs, Mass, Reached, share};
use crate::late_nodes::Teleport;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::filled;
use webrank_base::output::SpillBudget;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_cluster::Exchange;
use webrank_cluster::pieces::{LocalPartition, Piece, worker_of};
use webrank_graph::shards::Shards;
use webrank_linear::runs::{Row, RunRows};

/// The graph, as a worker has it.
pub(super) struct Reaching<'a> {
    pub(super) shards: &'a Shards,
    /// All its rows, which are opened when they are needed first.
    pub(super) all_rows: &'a OnceLock<LocalPartition>,
    /// The number of nodes of the whole graph.
    pub(super) num_nodes: usize,
    /// The room for rows and arcs.
    pub(super) room: &'a SpillBudget,
}

impl<'a> Reaching<'a> {
    /// All rows.
    fn pieces(
        &self,
        exchange: &mut Exchange,
        progress: &dyn Progress,
    ) -> Result<&'a LocalPartition> {
        let opened = match self.all_rows.get() {
            Some(_) => None,
            None => Some(LocalPartition::open(
                self.shards,
                exchange,
                self.room,
                progress,
            )?),
        };
        Ok(self
            .all_rows
            .get_or_init(|| opened.expect("opened if there are none")))
    }
}

/// Gives positive scores to the nodes that nodes with positive scores reach, as
/// [`super::late_walks::extend`] does: 8 bytes per node if a score is 0, and if walks get to such a node,
/// 16 bytes for each of these and for each arc between them, equal rows once.
///
/// # Errors
/// If rows cannot be read, if there is not enough memory, if another worker fails, or if the user
/// interrupts.
pub(super) fn extend(
    certified: &mut Certified,
    tolerance: f64,
    jumps: Teleport,
    reaching: &Reaching,
    exchange: &mut Exchange,
    progress: &dyn Progress,
) -> Result<()> {
    let n = certified.scores.len();
    let open = |exchange: &mut Exchange| {
        let pieces = reaching.pieces(exchange, progress)?;
        Ok(ListedArcs {
            pieces,
            alpha: jumps.alpha,
            room: reaching.room.bytes.saturating_sub(pieces.bytes_in_memory()),
            arriving: filled(0, n, "the scores")?,
            arcs: None,
        })
    };
    let asked = (tolerance, jumps, reaching.num_nodes);
    late_walks::extend(certified, asked, open, exchange, progress)
}

/// The arcs of the nodes of a worker.
struct ListedArcs<'a> {
    pieces: &'a LocalPartition,
    alpha: f64,
    /// The bytes for lists.
    room: u64,
    /// The bits of the largest share that has reached each node whose score is 0.
    arriving: Vec<u64>,
    /// The arcs of each part along which walks go on, once they get anywhere.
    arcs: Option<Vec<PieceArcs>>,
}

impl LateArcs for ListedArcs<'_> {
    fn first(&mut self, scores: &[f64], exchange: &mut Exchange) -> Result<Reached> {
        let alpha = self.alpha;
        let outdegrees = &self.pieces.outdegrees;
        let share_of = |node: usize| match scores[node] > 0.0 {
            true => share(alpha, scores[node], outdegrees[node] as usize).to_bits(),
            false => 0,
        };
        let largest = |first: usize, row: Row| {
            let shares = row.nodes().map(|source| share_of(first + source as usize));
            shares.max().unwrap_or(0)
        };
        // Bits of positive doubles are in their order.
        self.pieces
            .pull(exchange, &mut self.arriving, largest, u64::max)?;
        let arriving = &self.arriving;
        let is_met = |node: usize| scores[node] == 0.0 && arriving[node] > 0;
        let met = |node: usize| is_met(node).then_some(node as Node);
        let ends = (0..scores.len()).filter(|&node| outdegrees[node] == 0);
        Ok(Reached {
            nodes: tasks::select(scores.len(), met),
            dangling: Mass::of(ends.map(|node| scores[node])),
        })
    }

    fn next(&mut self, scores: &[f64], level: &[Node], exchange: &mut Exchange) -> Result<Reached> {
        let arcs = match self.arcs.take() {
            Some(arcs) => arcs,
            None => {
                let is_level = |node: usize| level.binary_search(&(node as Node)).is_ok();
                self.listed(scores, is_level)?
            }
        };
        let found = self.follow(scores, level, &arcs, exchange);
        self.arcs = Some(arcs);
        found
    }

    fn arriving(&self, node: usize) -> u64 {
        self.arriving[node]
    }
}

impl ListedArcs<'_> {
    /// The arcs of each part from nodes whose score is 0 or that are in the first level.
    fn listed(
        &self,
        scores: &[f64],
        is_level: impl Fn(usize) -> bool + Sync,
    ) -> Result<Vec<PieceArcs>> {
        let is_zero = |node: usize| scores[node] == 0.0;
        let is_source = |node: usize| is_zero(node) || is_level(node);
        let mut left = self.room;
        let of_piece = |piece: &Piece| {
            let first = piece.nodes.start;
            let is_source = |source: Node| is_source(first + source as usize);
            let own = |node: usize| is_zero(first + node);
            let touched = piece.rows_for.last().map_or(0, |rows| rows.end);
            Ok(PieceArcs {
                own: Arcs::new(&piece.own, is_source, own, &mut left)?,
                away: Arcs::new(&piece.away, is_source, |row| row < touched, &mut left)?,
            })
        };
        self.pieces.pieces.iter().map(of_piece).collect()
    }

    /// Follows arcs to nodes of this worker, and of others.
    fn follow(
        &mut self,
        scores: &[f64],
        level: &[Node],
        arcs: &[PieceArcs],
        exchange: &mut Exchange,
    ) -> Result<Reached> {
        let (me, pieces) = (exchange.index(), self.pieces);
        let mut found = Reached::default();
        // The shares for other workers: by worker and place among the nodes that they expect.
        let mut away: Vec<BTreeMap<u64, u64>> = vec![BTreeMap::new(); exchange.workers()];
        let mut announced = vec![0; exchange.workers()];
        for (piece, arcs) in pieces.pieces.iter().zip(arcs) {
            let nodes = piece.nodes.clone();
            let start = level.partition_point(|&node| (node as usize) < nodes.start);
            let end = level.partition_point(|&node| (node as usize) < nodes.end);
            for &node in &level[start..end] {
                let score = scores[node as usize];
                let outdegree = pieces.outdegrees[node as usize] as usize;
                if outdegree == 0 {
                    found.dangling.add(score);
                    continue;
                }
                let share = share(self.alpha, score, outdegree).to_bits();
                let source = node - nodes.start as Node;
                for to in arcs.own.targets_of(source) {
                    self.arrive(nodes.start as Node + to, share, scores, &mut found);
                }
                for row in arcs.away.targets_of(source) {
                    let to = worker_of(row, &piece.rows_for);
                    let place = row as usize - piece.rows_for[to].start;
                    if to == me {
                        self.arrive(piece.inside[place], share, scores, &mut found);
                    } else {
                        let largest = away[to].entry(announced[to] + place as u64).or_default();
                        *largest = share.max(*largest);
                    }
                }
            }
            for (announced, rows) in announced.iter_mut().zip(&piece.rows_for) {
                *announced += rows.len() as u64;
            }
        }
        for (to, shares) in away.into_iter().enumerate().filter(|&(to, _)| to != me) {
            let words = shares.into_iter().flat_map(|(place, share)| [place, share]);
            exchange.send(to, words.collect())?;
        }
        let mut is_heard = vec![false; exchange.workers()];
        for _ in 1..exchange.workers() {
            let (from, words) = exchange.receive()?;
            let (entries, rest) = words.as_chunks::<2>();
            if std::mem::replace(&mut is_heard[from], true) || !rest.is_empty() {
                return Err(exchange.not_planned(from));
            }
            for &[place, share] in entries {
                let node = pieces.expected[from].get(place as usize);
                let node = *node.ok_or_else(|| exchange.not_planned(from))?;
                self.arrive(node, share, scores, &mut found);
            }
        }
        Ok(found)
    }

    /// Notes what arrives at a node.
    fn arrive(&mut self, node: Node, share: u64, scores: &[f64], found: &mut Reached) {
        if scores[node as usize] == 0.0 {
            let arriving = &mut self.arriving[node as usize];
            found.nodes.extend((*arriving == 0).then_some(node));
            *arriving = share.max(*arriving);
        }
    }
}

/// The arcs of a part, along which walks go on.
struct PieceArcs {
    own: Arcs,
    away: Arcs,
}

/// Arcs to distinct rows, and the nodes that have these.
struct Arcs {
    /// Sources and distinct rows, in increasing order.
    rows: Vec<(Node, u32)>,
    /// Distinct rows and nodes that have them, in increasing order.
    nodes: Vec<(u32, Node)>,
}

impl Arcs {
    /// The arcs from some nodes to some others. Takes their bytes from what is left.
    fn new(
        rows: &RunRows,
        is_source: impl Fn(Node) -> bool + Sync,
        is_target: impl Fn(usize) -> bool + Sync,
        left: &mut u64,
    ) -> Result<Self> {
        let nodes = 0..rows.num_nodes();
        let nodes = nodes.filter(|&node| is_target(node));
        let mut nodes: Vec<(u32, Node)> = nodes
            .map(|node| (rows.row_of(node) as u32, node as Node))
            .collect();
        nodes.sort_unstable();
        let mut has_target = vec![false; rows.num_rows()];
        nodes
            .iter()
            .for_each(|&(row, _)| has_target[row as usize] = true);
        let blocks = rows.blocks();
        let counts = rows.fold(&blocks, |count: &mut u64, row, sources| {
            if has_target[row] {
                *count += sources.nodes().filter(|&node| is_source(node)).count() as u64;
            }
        })?;
        let count = counts.iter().sum::<u64>() + nodes.len() as u64;
        let bytes = size_of::<(Node, u32)>() as u64 * count;
        // Lists of blocks, and one of all.
        let too_large = || Error::memory("arcs between nodes that no sweep has reached", 2 * bytes);
        *left = left.checked_sub(2 * bytes).ok_or_else(too_large)?;
        let lists = rows.fold(&blocks, |list: &mut Vec<(Node, u32)>, row, sources| {
            if has_target[row] {
                let sources = sources.nodes().filter(|&node| is_source(node));
                list.extend(sources.map(|node| (node, row as u32)));
            }
        })?;
        let mut rows = lists.concat();
        rows.sort_unstable();
        Ok(Arcs { rows, nodes })
    }

    /// The nodes that arcs from this one lead to.
    fn targets_of(&self, source: Node) -> impl Iterator<Item = Node> {
        let start = self.rows.partition_point(|&(from, _)| from < source);
        let rows = self.rows[start..]
            .iter()
            .take_while(move |&&(from, _)| from == source);
        rows.flat_map(move |&(_, row)| {
            let start = self.nodes.partition_point(|&(other, _)| other < row);
            let nodes = self.nodes[start..].iter();
            nodes
                .take_while(move |&&(other, _)| other == row)
                .map(|&(_, node)| node)
        })
    }
}
