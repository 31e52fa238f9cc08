//! Betweenness in exact fractions: dependencies of all sources in integers of any size.

use num_bigint::BigUint;
use num_rational::Ratio;
use num_traits::{One, Zero};
use std::cmp::Reverse;

pub type Fraction = Ratio<BigUint>;

/// The betweenness of nodes, with their end nodes if `endpoints`, and of arcs in increasing order.
pub struct Exact {
    pub nodes: Vec<Fraction>,
    pub arcs: Vec<Fraction>,
}

pub fn betweenness(num_nodes: usize, arcs: &[(u32, u32)], endpoints: bool) -> Exact {
    let mut arcs = arcs.to_vec();
    arcs.sort();
    arcs.dedup();
    let zeros = |count| vec![Fraction::zero(); count];
    let (mut nodes, mut of_arcs) = (zeros(num_nodes), zeros(arcs.len()));
    for source in 0..num_nodes {
        let distance = distances(num_nodes, &arcs, source);
        // The arcs on shortest paths, by the distance of their ends.
        let mut used: Vec<usize> = (0..arcs.len())
            .filter(|&i| {
                let (v, w) = (arcs[i].0 as usize, arcs[i].1 as usize);
                distance[v].is_some() && distance[w] == distance[v].map(|d| d + 1)
            })
            .collect();
        used.sort_by_key(|&i| distance[arcs[i].0 as usize]);
        let mut paths = vec![BigUint::zero(); num_nodes];
        paths[source] = BigUint::one();
        for &i in &used {
            let more = paths[arcs[i].0 as usize].clone();
            paths[arcs[i].1 as usize] += more;
        }
        used.sort_by_key(|&i| Reverse(distance[arcs[i].0 as usize]));
        let mut dependency = zeros(num_nodes);
        for &i in &used {
            let (v, w) = (arcs[i].0 as usize, arcs[i].1 as usize);
            let ratio = Fraction::new(paths[v].clone(), paths[w].clone());
            let share = ratio * (dependency[w].clone() + Fraction::one());
            of_arcs[i] += share.clone();
            dependency[v] += share;
        }
        let reached = (0..num_nodes).filter(|&x| x != source && distance[x].is_some());
        for x in reached {
            nodes[x] += dependency[x].clone();
            if endpoints {
                nodes[x] += Fraction::one();
                nodes[source] += Fraction::one();
            }
        }
    }
    Exact {
        nodes,
        arcs: of_arcs,
    }
}

/// A round over all arcs for each level.
fn distances(num_nodes: usize, arcs: &[(u32, u32)], source: usize) -> Vec<Option<u32>> {
    let mut distance = vec![None; num_nodes];
    distance[source] = Some(0);
    for level in 0.. {
        let mut grew = false;
        for &(v, w) in arcs {
            if distance[v as usize] == Some(level) && distance[w as usize].is_none() {
                distance[w as usize] = Some(level + 1);
                grew = true;
            }
        }
        if !grew {
            return distance;
        }
    }
    unreachable!("levels end")
}

/// Ranks: 1 plus the number of larger values.
pub fn ranks(scores: &[Fraction]) -> Vec<u32> {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&x, &y| scores[y].cmp(&scores[x]));
    let mut ranks = vec![0; scores.len()];
    let mut rank = 0;
    for (place, &x) in order.iter().enumerate() {
        if place == 0 || scores[x] != scores[order[place - 1]] {
            rank = place as u32 + 1;
        }
        ranks[x] = rank;
    }
    ranks
}
