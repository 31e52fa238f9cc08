//! Scores of nodes that walks reach only after more steps than the method has taken.
//!
//! If walks start at a few nodes, a score of 0 says that they never get to a node. But k sweeps
//! follow walks for k steps, and leave 0 for nodes further off, the scores of which are within the
//! certified bound of 0. Here such nodes get about their true score, `alpha sum x_j P_ji` over the
//! predecessors that are nearer to the start; or the least positive double, if that is all they
//! have.

use super::certificate::Certified;
use crate::graph::Node;

/// The part of a bound that its own slack covers.
const COVERED: f64 = 1e-13;

/// Gives positive scores to the nodes that nodes with positive scores reach. `shares(i, add)` calls
/// `add(j, P_ji)` for all predecessors j of i. The bound grows by the sum of these scores, but not
/// beyond `tolerance`, within which they are made to fit. O(n), and O(m) at most for the rows of
/// nodes whose score is 0.
///
/// Nodes with equal rows get equal scores.
pub fn extend(
    certified: &mut Certified,
    alpha: f64,
    tolerance: f64,
    shares: impl Fn(Node, &mut dyn FnMut(Node, f64)),
) {
    let Certified { scores, bound } = certified;
    let zeros = (0..scores.len() as Node).filter(|&node| scores[node as usize] == 0.0);
    let zeros: Vec<Node> = zeros.collect();
    if zeros.is_empty() || alpha == 0.0 {
        return;
    }
    // The arcs between such nodes, and those among them that are reached in one step.
    let mut arcs: Vec<(Node, Node)> = Vec::new();
    let mut level: Vec<Node> = Vec::new();
    for &node in &zeros {
        let mut is_reached = false;
        shares(node, &mut |j, _| match scores[j as usize] > 0.0 {
            true => is_reached = true,
            false => arcs.push((j, node)),
        });
        level.extend(is_reached.then_some(node));
    }
    arcs.sort_unstable();
    let mut is_met = vec![false; scores.len()];
    level.iter().for_each(|&node| is_met[node as usize] = true);
    let mut reached: Vec<Node> = Vec::new();
    while !level.is_empty() {
        let value = |&node: &Node| {
            let mut sum = 0.0;
            shares(node, &mut |j, share| sum += scores[j as usize] * share);
            (alpha * sum).max(f64::from_bits(1))
        };
        let values: Vec<f64> = level.iter().map(value).collect();
        for (&node, value) in level.iter().zip(values) {
            scores[node as usize] = value;
        }
        let mut next = Vec::new();
        for &node in &level {
            let first = arcs.partition_point(|&(from, _)| from < node);
            let to = arcs[first..].iter().take_while(|&&(from, _)| from == node);
            for &(_, to) in to {
                if !std::mem::replace(&mut is_met[to as usize], true) {
                    next.push(to);
                }
            }
        }
        reached.append(&mut level);
        next.sort_unstable();
        level = next;
    }
    let total: f64 = reached.iter().map(|&node| scores[node as usize]).sum();
    let allowed = (tolerance - *bound).max(COVERED * *bound);
    let mut factor = 1.0;
    while total * factor > allowed && factor > 1e-300 {
        factor *= 0.5;
    }
    if factor < 1.0 {
        for &node in &reached {
            let score = &mut scores[node as usize];
            *score = (*score * factor).max(f64::from_bits(1));
        }
    }
    if total * factor > COVERED * *bound {
        *bound += total * factor;
    }
}
