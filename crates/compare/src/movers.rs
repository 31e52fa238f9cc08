//! The nodes whose rank changes most from one vector to the other: climbers and fallers.
//!
//! The rank of a node is the average of the places that its tie covers, so that a node does not
//! seem to move when a tie of thousands around it is broken evenly. A change is measured in
//! places, rank_x - rank_y, or as a ratio, rank_x / rank_y. As a ratio, from 1000th to 10th is a
//! factor of 100, while a thousand places at the bottom of a large graph mean little. Nodes that do
//! not move are never listed. Order: largest change first, then smallest node. O(n log n), mostly
//! O(n).

use serde::Serialize;

use super::pair::check_same_universe;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::tasks;
use webrank_scores::ranking::Ranking;

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
/// [`Error::Argument`](webrank_base::error::Error::Argument) if the universes differ in size.
pub fn movers(x: &Ranking, y: &Ranking, change: Change, count: usize) -> Result<Movers> {
    check_same_universe(x, y)?;
    let n = x.universe();
    let rank = |ranking: &Ranking, node: usize| ranking.twice_mid_position(node) as f64 / 2.0 + 1.0;
    let blocks = tasks::map((0..n).step_by(BLOCK_ROWS), |start| {
        let [mut climbers, mut fallers] = [Largest::new(count), Largest::new(count)];
        for node in start..n.min(start + BLOCK_ROWS) {
            if x.class(node as Node).is_none() || y.class(node as Node).is_none() {
                continue;
            }
            let (rank_x, rank_y) = (rank(x, node), rank(y, node));
            let mover = Mover {
                node: node as Node,
                rank_x,
                rank_y,
            };
            climbers.offer(gain(change, rank_x, rank_y), mover);
            fallers.offer(gain(change, rank_y, rank_x), mover);
        }
        [climbers, fallers]
    });
    let [mut climbers, mut fallers] = [Largest::new(count), Largest::new(count)];
    for [of_climbers, of_fallers] in blocks {
        climbers.merge(of_climbers);
        fallers.merge(of_fallers);
    }
    Ok(Movers {
        climbers: climbers.into_movers(),
        fallers: fallers.into_movers(),
    })
}

/// Nodes that one task looks at.
const BLOCK_ROWS: usize = 1 << 16;

/// How much better rank `to` is than rank `from`; positive if it is better.
fn gain(change: Change, from: f64, to: f64) -> f64 {
    match change {
        Change::Places => from - to,
        Change::Ratio => from / to - 1.0,
    }
}

/// The `count` movers of largest positive gain among those offered.
struct Largest {
    count: usize,
    /// The least gain kept. A new gain must exceed it, or equal it with a smaller node.
    threshold: f64,
    kept: Vec<(f64, Mover)>,
}

impl Largest {
    fn new(count: usize) -> Self {
        Self {
            count,
            threshold: 0.0,
            kept: Vec::new(),
        }
    }

    fn offer(&mut self, gain: f64, mover: Mover) {
        if gain > 0.0 && gain >= self.threshold {
            self.kept.push((gain, mover));
            // Twice as many as needed are gathered before the rest is dropped: O(1) per node.
            if self.kept.len() > 2 * self.count + 16 {
                self.shrink();
            }
        }
    }

    /// Sorts by decreasing gain, then increasing node, and drops all but the first `count`.
    fn shrink(&mut self) {
        self.kept
            .sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.node.cmp(&b.1.node)));
        self.kept.truncate(self.count);
        if let Some(&(least, _)) = self.kept.last().filter(|_| self.kept.len() == self.count) {
            self.threshold = least;
        }
    }

    fn merge(&mut self, other: Self) {
        for (gain, mover) in other.kept {
            self.offer(gain, mover);
        }
    }

    fn into_movers(mut self) -> Vec<Mover> {
        self.shrink();
        let movers = self.kept.into_iter().map(|(_, mover)| mover);
        let mut movers: Vec<Mover> = movers.collect();
        // They would keep the room of all that were gathered: a kilobyte for each of many pairs.
        movers.shrink_to_fit();
        movers
    }
}
