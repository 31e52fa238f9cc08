//! [`super::reach_streamed`] on shards, by several workers, with the same bits.
//!
//! Workers have rows of predecessors. In the first pass, every node whose score is 0 takes the largest
//! share of its predecessors. If walks get anywhere in it, a second pass lists the arcs from nodes whose
//! score was 0, and walks go on along these, step by step.

use super::certificate::Certified;
use super::late_nodes::{LEAST, Teleport, fit};
use super::late_nodes_streamed::{Mass, share};
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

/// What a worker has of the graph.
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
/// [`super::late_nodes_streamed::extend`] does. The scores are those of the nodes of a worker, and so are the
/// distributions of `jumps`; the bound is that of all. 8 bytes a node if a score is 0, and if walks get
/// to such a node, 16 bytes for each of these and for each arc between them, equal rows once.
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
    let is_zero = |node: usize| certified.scores[node] == 0.0;
    let has_zero = tasks::first(n, is_zero).is_some();
    let zeros = exchange.gather([has_zero.into()])?;
    if jumps.alpha == 0.0 || zeros.iter().all(|[has_zero]| *has_zero == 0) {
        return Ok(());
    }
    let pieces = reaching.pieces(exchange, progress)?;
    let room = reaching.room.bytes.saturating_sub(pieces.bytes_in_memory());
    let mut walks = Walks {
        pieces,
        jumps,
        num_nodes: reaching.num_nodes,
        arriving: filled(0, n, "the scores")?,
        scores: &mut certified.scores,
        dangling: 0.0,
    };
    let mut reached = Vec::new();
    let mut level = walks.first(exchange)?;
    let mut arcs: Option<Vec<PieceArcs>> = None;
    while exchange
        .gather([level.len() as u64])?
        .iter()
        .any(|[count]| *count > 0)
    {
        progress.check()?;
        if arcs.is_none() {
            let is_level = |node: usize| level.binary_search(&(node as Node)).is_ok();
            arcs = Some(walks.arcs(is_level, room)?);
        }
        let next = walks.next(&level, arcs.as_deref().unwrap_or_default(), exchange)?;
        reached.append(&mut level);
        level = next;
    }
    let total = Mass::of(reached.iter().map(|&node| certified.scores[node as usize]));
    let [low, high, largest] = total.words();
    let parts = exchange.gather([low, high, largest, reached.len() as u64])?;
    let count: u64 = parts.iter().map(|[.., count]| count).sum();
    let parts = parts
        .into_iter()
        .map(|[low, high, largest, _]| [low, high, largest]);
    fit(
        certified,
        &reached,
        Mass::of_words(parts).at_most(count),
        tolerance,
    );
    Ok(())
}

/// Walks on their way: those at the nodes of a worker.
struct Walks<'a> {
    pieces: &'a LocalPartition,
    jumps: Teleport<'a>,
    /// That of the whole graph.
    num_nodes: usize,
    scores: &'a mut [f64],
    /// The bits of the largest share that has reached each node whose score is 0.
    arriving: Vec<u64>,
    /// What dangling nodes pass on; 0 before walks are known to get there.
    dangling: f64,
}

impl Walks<'_> {
    /// The nodes that are reached in one step, with their scores.
    fn first(&mut self, exchange: &mut Exchange) -> Result<Vec<Node>> {
        let (scores, alpha) = (&*self.scores, self.jumps.alpha);
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
        let (arriving, jumps, n) = (&self.arriving, self.jumps, self.num_nodes);
        let is_reached = |node: usize| {
            let is_met = arriving[node] > 0 || jumps.starts_at(node as Node, n);
            (scores[node] == 0.0 && is_met).then_some(node as Node)
        };
        let level = tasks::select(scores.len(), is_reached);
        let ends = (0..scores.len()).filter(|&node| outdegrees[node] == 0);
        let dangling = Mass::of(ends.map(|node| scores[node]));
        self.settle(level, dangling, exchange)
    }

    /// The arcs of each part from nodes whose score is 0 or that are in the first level.
    fn arcs(&self, is_level: impl Fn(usize) -> bool + Sync, room: u64) -> Result<Vec<PieceArcs>> {
        let is_zero = |node: usize| self.scores[node] == 0.0;
        let is_source = |node: usize| is_zero(node) || is_level(node);
        let mut left = room;
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

    /// The nodes that these are the first to reach, with their scores.
    fn next(
        &mut self,
        level: &[Node],
        arcs: &[PieceArcs],
        exchange: &mut Exchange,
    ) -> Result<Vec<Node>> {
        let (me, pieces) = (exchange.index(), self.pieces);
        let mut met = Vec::new();
        let mut dangling = Mass::default();
        // What is for other workers: by worker and place among the nodes that they expect.
        let mut away: Vec<BTreeMap<u64, u64>> = vec![BTreeMap::new(); exchange.workers()];
        let mut announced = vec![0; exchange.workers()];
        for (piece, arcs) in pieces.pieces.iter().zip(arcs) {
            let nodes = piece.nodes.clone();
            let start = level.partition_point(|&node| (node as usize) < nodes.start);
            let end = level.partition_point(|&node| (node as usize) < nodes.end);
            for &node in &level[start..end] {
                let score = self.scores[node as usize];
                let outdegree = pieces.outdegrees[node as usize] as usize;
                if outdegree == 0 {
                    dangling.add(score);
                    continue;
                }
                let share = share(self.jumps.alpha, score, outdegree).to_bits();
                let source = node - nodes.start as Node;
                for to in arcs.own.targets_of(source) {
                    self.arrive(nodes.start as Node + to, share, &mut met);
                }
                for row in arcs.away.targets_of(source) {
                    let to = worker_of(row, &piece.rows_for);
                    let place = row as usize - piece.rows_for[to].start;
                    if to == me {
                        self.arrive(piece.inside[place], share, &mut met);
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
                self.arrive(node, share, &mut met);
            }
        }
        self.settle(met, dangling, exchange)
    }

    /// Notes what arrives at a node.
    fn arrive(&mut self, node: Node, share: u64, met: &mut Vec<Node>) {
        if self.scores[node as usize] == 0.0 {
            let arriving = &mut self.arriving[node as usize];
            met.extend((*arriving == 0).then_some(node));
            *arriving = share.max(*arriving);
        }
    }

    /// Gives these nodes their scores, and those that walks enter from dangling nodes, if these, with
    /// the scores of `dangling`, are the first of them; returns all in increasing order.
    fn settle(
        &mut self,
        mut level: Vec<Node>,
        dangling: Mass,
        exchange: &mut Exchange,
    ) -> Result<Vec<Node>> {
        let (n, jumps) = (self.num_nodes, self.jumps);
        let dangling = Mass::of_words(exchange.gather(dangling.words())?).value();
        if self.dangling == 0.0 && dangling > 0.0 && jumps.dangling.is_some() {
            self.dangling = dangling;
            let is_entered = |node: usize| {
                let is_new = self.scores[node] == 0.0 && self.arriving[node] == 0;
                let is_entered = is_new && jumps.after_dangling(node as Node, n) > 0.0;
                is_entered.then_some(node as Node)
            };
            level.extend(tasks::select(self.scores.len(), is_entered));
        }
        level.sort_unstable();
        level.dedup();
        for &node in &level {
            let share = f64::from_bits(self.arriving[node as usize]);
            let entering = jumps.alpha * self.dangling;
            let entering = entering * jumps.after_dangling(node, n);
            self.scores[node as usize] = (share + entering).max(LEAST);
        }
        Ok(level)
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
