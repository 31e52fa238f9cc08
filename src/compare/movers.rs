//! The nodes whose rank changes most from one vector to the other: climbers and fallers.
//!
//! The rank of a node is the average of the places that its tie covers, so that a node does not
//! seem to move when a tie of thousands around it is broken evenly. A change is measured in
//! places, rank_x - rank_y, or as a ratio, rank_x / rank_y: from 1000th to 10th is a factor 100,
//! wherever a thousand places at the bottom of a large graph mean little. Nodes that do not move
//! are never listed. Order: largest change first, then smallest node. O(n log n), mostly O(n).

use rayon::prelude::*;
use serde::Serialize;

use super::pair::check_same_universe;
use super::ranking::Ranking;
use crate::error::Result;
use crate::graph::Node;

/// How a change of rank is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// By the difference of the ranks.
    #[default]
    Places,
    /// By the ratio of the ranks.
    Ratio,
}

/// A node and its ranks, counted from 1; halves come from ties.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Mover {
    /// The node.
    pub node: Node,
    /// Its rank in the first vector.
    pub rank_x: f64,
    /// Its rank in the second vector.
    pub rank_y: f64,
}

/// The nodes that move most from x to y.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Movers {
    /// Nodes that rank better in y, largest change first.
    pub climbers: Vec<Mover>,
    /// Nodes that rank worse in y, largest change first.
    pub fallers: Vec<Mover>,
}

/// The `count` largest climbers and fallers from `x` to `y`, among nodes ranked in both.
///
/// # Errors
/// [`Error::Argument`](crate::Error::Argument) if the universes differ in size.
pub fn movers(x: &Ranking, y: &Ranking, change: Change, count: usize) -> Result<Movers> {
    check_same_universe(x, y)?;
    Ok(Movers {
        climbers: largest(x, y, count, |mover| {
            gain(change, mover.rank_x, mover.rank_y)
        }),
        fallers: largest(x, y, count, |mover| {
            gain(change, mover.rank_y, mover.rank_x)
        }),
    })
}

/// How much better rank `to` is than rank `from`; positive if it is better.
fn gain(change: Change, from: f64, to: f64) -> f64 {
    match change {
        Change::Places => from - to,
        Change::Ratio => from / to - 1.0,
    }
}

/// The `count` nodes of largest positive gain.
fn largest(
    x: &Ranking,
    y: &Ranking,
    count: usize,
    gain: impl Fn(&Mover) -> f64 + Sync,
) -> Vec<Mover> {
    const BLOCK_ROWS: usize = 1 << 16;
    let keep_largest = |mut movers: Vec<(f64, Mover)>| {
        let better =
            |a: &(f64, Mover), b: &(f64, Mover)| b.0.total_cmp(&a.0).then(a.1.node.cmp(&b.1.node));
        if movers.len() > count && count > 0 {
            movers.select_nth_unstable_by(count - 1, better);
        }
        movers.truncate(count);
        movers.sort_unstable_by(better);
        movers
    };
    let rank = |ranking: &Ranking, node: usize| ranking.twice_mid_position(node) as f64 / 2.0 + 1.0;
    let n = x.universe();
    let blocks: Vec<_> = (0..n.div_ceil(BLOCK_ROWS))
        .into_par_iter()
        .map(|block| {
            let nodes = block * BLOCK_ROWS..n.min((block + 1) * BLOCK_ROWS);
            let moved = nodes
                .filter(|&v| x.class(v as Node).is_some() && y.class(v as Node).is_some())
                .map(|v| Mover {
                    node: v as Node,
                    rank_x: rank(x, v),
                    rank_y: rank(y, v),
                })
                .map(|mover| (gain(&mover), mover))
                .filter(|&(gain, _)| gain > 0.0);
            keep_largest(moved.collect())
        })
        .collect();
    keep_largest(blocks.concat())
        .into_iter()
        .map(|(_, mover)| mover)
        .collect()
}
