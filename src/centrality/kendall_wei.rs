//! The Kendall-Wei ranking of tournaments: a win counts as much as the one who lost.
//!
//! With W the matrix of wins, `W_uv` being what u won against v (1, or a weight: points, games),
//! and rho its spectral radius,
//!
//! ```text
//! W x = rho x:
//! ```
//!
//! the score of a player is in proportion to the sum of the scores of those beaten, the limit of
//! counting wins, wins of the beaten, and so on. An arc leads from the winner to the loser, which
//! is how tournaments are drawn; in graphs whose arcs lead to the winner, give rows of
//! predecessors.
//!
//! Where every player beat every other, directly or by way of others, the tournament is *strong*
//! and all scores are positive. Otherwise its strong components are ordered: all players of one beat
//! all of the later ones, if every pair met. Scores then are the limit that
//! [eigenvector centrality](super::eigenvector) defines: the component of the largest radius counts, and
//! those that beat someone of it. The scores of the others are not defined, and 0. Where no
//! component has two players, wins alone order them, and there are no scores.
//!
//! Pairs that never met, and those with arcs both ways, are counted, not refused.
//!
//! Source: Kendall, "Further contributions to the theory of paired comparisons", Biometrics 11,
//! 1955; Wei, "The algebraic foundations of ranking theory", thesis, Cambridge, 1952.

use super::eigenvector::{Dominance, Eigenvector, right_eigenvector};
use crate::error::{Error, Result};
use crate::graph::components::StrongComponents;
use crate::graph::{Csr, Node, Successors};
use crate::linear::matrix::Matrix;
use crate::progress::Progress;
use rayon::prelude::*;
use serde_json::json;

/// Scores, and what kind of tournament it is.
#[derive(Debug, Clone)]
pub struct Ranked {
    /// The scores.
    pub dominance: Dominance,
    /// Who met.
    pub pairs: Pairs,
    /// The strong components, winners first.
    pub groups: Vec<Group>,
}

/// How often players met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pairs {
    /// Pairs of players.
    pub all: u64,
    /// Those without an arc.
    pub never_met: u64,
    /// Those with arcs both ways.
    pub both_ways: u64,
}

/// A strong component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// Its smallest node.
    pub first: Node,
    /// The number of its nodes.
    pub nodes: usize,
}

/// Ranks players, given for each those that it beat.
///
/// O(m log m) besides the cost of [`right_eigenvector`].
///
/// # Errors
/// If a player has an arc to itself; if no two players beat each other, directly or not; if the
/// user interrupts.
pub fn kendall_wei(
    beaten: Successors<Matrix>,
    params: &Eigenvector,
    progress: &dyn Progress,
) -> Result<Ranked> {
    let rows = beaten.0.rows();
    let pairs = pairs(rows)?;
    let components = StrongComponents::new(rows, progress)?;
    let (starts, members) = components.members();
    // Rows lead to lower numbers, from winners to losers.
    let groups: Vec<Group> = (0..components.num_components())
        .rev()
        .map(|component| Group {
            first: members[starts[component]],
            nodes: starts[component + 1] - starts[component],
        })
        .collect();
    if groups.iter().all(|group| group.nodes == 1) {
        return Err(Error::Unsupported(
            "no two players beat each other, directly or by way of others, so Kendall-Wei scores \
             are not defined; wins alone order such players: use 'rank outdegree' ('rank indegree' \
             if arcs lead to winners)"
                .into(),
        ));
    }
    let mut dominance = right_eigenvector(beaten, params, progress)?;
    dominance.scores.run.measure = "kendall-wei";
    let parameters = &mut dominance.scores.run.parameters;
    parameters.insert("never_met".into(), json!(pairs.never_met));
    parameters.insert("both_ways".into(), json!(pairs.both_ways));
    Ok(Ranked {
        dominance,
        pairs,
        groups,
    })
}

fn pairs(rows: &Csr) -> Result<Pairs> {
    let n = rows.num_nodes() as u64;
    let nodes = (0..rows.num_nodes() as Node).into_par_iter();
    let beat = |u: Node, v: Node| rows.row(u).binary_search(&v).is_ok();
    if let Some(player) = nodes.clone().find_first(|&u| beat(u, u)) {
        return Err(Error::Unsupported(format!(
            "node {player} has an arc to itself, but no player meets itself: leave such arcs out"
        )));
    }
    let both = nodes.map(|u| {
        let later = rows.row(u).iter().filter(|&&v| v > u);
        later.filter(|&&v| beat(v, u)).count() as u64
    });
    let both_ways = both.sum::<u64>();
    let all = n * n.saturating_sub(1) / 2;
    Ok(Pairs {
        all,
        never_met: all - (rows.num_arcs() - both_ways),
        both_ways,
    })
}
