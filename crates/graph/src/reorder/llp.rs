//! Layered label propagation: P. Boldi, M. Rosa, M. Santini and S. Vigna, "Layered label propagation:
//! a multiresolution coordinate-free ordering for compressing social networks", 2011.
//!
//! On the graph without directions and loops, every node begins with a label of its own. In turn,
//! nodes take the label with the largest value `k - gamma (v - k)` among their neighbours, where k
//! neighbours have it and v nodes in all. A small gamma makes few large communities, a large one
//! many small ones. Labelings for several gammas are combined into one order: nodes with equal labels
//! for all gammas come together, then those that differ in one, and so on, beginning with the gamma
//! whose order has the smallest gaps.
//!
//! Nodes have their turns in pseudorandom batches: all nodes of a batch choose by the labels before
//! it. So threads share a batch, and results do not depend on them, as they do where every thread
//! sees what others have just written. A batch is a small part of the graph: few neighbours choose
//! at once.

use super::super::Csr;
use super::orders::all;
use rayon::slice::ParallelSliceMut;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory::filled;
use webrank_base::parallel::{blocks, tasks};
use webrank_base::progress::Progress;
use webrank_base::random::{GOLDEN, finalised};

/// 1, 1/2, 1/4 and so on to 1/1024, and 0.
const GAMMAS: usize = 12;

/// So often every node has its turn, at most.
const UPDATES: usize = 100;

/// Turns end when they raise the value of the labeling by less than this share.
const LEAST_GAIN: f64 = 1e-3;

/// The bytes held at most.
pub(super) fn needs(nodes: u64, arcs: u64) -> u64 {
    // Both directions and the graph without directions; their offsets, a labeling for each gamma,
    // and some lists of nodes.
    16 * arcs + (3 * 8 + 4 * GAMMAS as u64 + 32) * nodes
}

/// The nodes in order.
pub(super) fn order(successors: Csr, progress: &dyn Progress) -> Result<Vec<Node>> {
    let graph = undirected(successors)?;
    let n = graph.num_nodes();
    progress.begin("label propagation", Some(GAMMAS as u64));
    let mut labelings = Vec::new();
    for step in 0..GAMMAS {
        let gamma = match step {
            0 => 0.0,
            step => 0.5f64.powi(step as i32 - 1),
        };
        let labels = propagate(&graph, gamma, progress)?;
        let mut nodes = all(n)?;
        nodes.par_sort_unstable_by_key(|&node| (labels[node as usize], node));
        labelings.push((gap_bits(&graph, &nodes)?, labels));
        progress.advance(1);
    }
    drop(graph);
    // The worst first: what is combined last counts most.
    labelings.sort_by_key(|(bits, _)| std::cmp::Reverse(*bits));
    let best = labelings.last().map(|(_, labels)| labels.clone());
    let best = best.unwrap_or_default();
    let mut combined = best.clone();
    let mut nodes = all(n)?;
    for (_, labels) in &labelings {
        progress.check()?;
        combine(&mut combined, labels, &mut nodes);
        combine(&mut combined, &best, &mut nodes);
    }
    nodes.par_sort_unstable_by_key(|&node| (combined[node as usize], node));
    progress.end();
    Ok(nodes)
}

/// The graph without directions and loops.
fn undirected(successors: Csr) -> Result<Csr> {
    let predecessors = successors.transpose()?;
    let n = successors.num_nodes();
    let row = |node: Node| Merged {
        node,
        one: successors.row(node),
        other: predecessors.row(node),
    };
    let mut offsets: Vec<u64> = filled(0, n + 1, "rows")?;
    tasks::update(&mut offsets[1..], |node, degree| {
        *degree = row(node as Node).count() as u64;
    });
    let mut sum = 0;
    for offset in &mut offsets {
        sum += *offset;
        *offset = sum;
    }
    let mut targets: Vec<Node> = filled(0, sum as usize, "rows")?;
    let parts = blocks::cut(&offsets, blocks::BLOCK_WEIGHT);
    let of_parts: Vec<_> = parts
        .iter()
        .map(|part| offsets[part.start] as usize..offsets[part.end] as usize)
        .collect();
    let pieces = blocks::split_mut(&mut targets, &of_parts);
    tasks::for_each(parts.into_iter().zip(pieces), |(part, piece)| {
        let neighbours = part.flat_map(|node| row(node as Node));
        for (entry, neighbour) in piece.iter_mut().zip(neighbours) {
            *entry = neighbour;
        }
    });
    Ok(Csr::from_checked(offsets, targets))
}

/// The nodes of two increasing lists, each once, without one.
struct Merged<'a> {
    node: Node,
    one: &'a [Node],
    other: &'a [Node],
}

impl Iterator for Merged<'_> {
    type Item = Node;

    fn next(&mut self) -> Option<Node> {
        loop {
            let next = match (self.one.first(), self.other.first()) {
                (Some(&a), Some(&b)) => a.min(b),
                (Some(&a), None) | (None, Some(&a)) => a,
                (None, None) => return None,
            };
            for list in [&mut self.one, &mut self.other] {
                if list.first() == Some(&next) {
                    *list = &list[1..];
                }
            }
            if next != self.node {
                return Some(next);
            }
        }
    }
}

/// The label that a node chooses, and how much more it is worth than the one it has.
struct Choice {
    node: Node,
    label: Node,
    gain: f64,
}

/// A labeling for one gamma.
fn propagate(graph: &Csr, gamma: f64, progress: &dyn Progress) -> Result<Vec<Node>> {
    let n = graph.num_nodes();
    let mut labels = all(n)?;
    // How many nodes have each label.
    let mut volumes: Vec<Node> = filled(1, n, "nodes")?;
    // A node whose neighbours keep their labels keeps its own.
    let may_change: Vec<AtomicBool> = tasks::map(tasks::ranges(n), |range| {
        range.map(|_| AtomicBool::new(true)).collect::<Vec<_>>()
    })
    .into_iter()
    .flatten()
    .collect();
    let mut value = 0.0;
    for update in 0..UPDATES as u64 {
        let mut turns = tasks::select(n, |node| {
            may_change[node].load(Relaxed).then_some(node as Node)
        });
        turns.par_sort_unstable_by_key(|&node| (scattered(u64::from(node), update), node));
        let (mut changed, mut gained) = (0, 0.0);
        for batch in turns.chunks((n / BATCHES).max(LEAST_BATCH)) {
            progress.check()?;
            let choices = tasks::map(batch.chunks(TASK), |nodes| {
                let mut around = Vec::new();
                let choose = |&node: &Node| {
                    may_change[node as usize].store(false, Relaxed);
                    choose(graph, node, gamma, update, &labels, &volumes, &mut around)
                };
                nodes.iter().filter_map(choose).collect::<Vec<_>>()
            });
            for choice in choices.iter().flatten() {
                let label = &mut labels[choice.node as usize];
                volumes[*label as usize] -= 1;
                volumes[choice.label as usize] += 1;
                *label = choice.label;
                gained += choice.gain;
                changed += 1;
            }
            tasks::for_each(&choices, |choices| {
                for choice in choices {
                    for &neighbour in graph.row(choice.node) {
                        may_change[neighbour as usize].store(true, Relaxed);
                    }
                }
            });
        }
        value += gained;
        if changed == 0 || gained <= LEAST_GAIN * value {
            break;
        }
    }
    Ok(labels)
}

/// A batch is such a part of all nodes,
const BATCHES: usize = 256;
/// or so many.
const LEAST_BATCH: usize = 16;
/// The nodes of a task.
const TASK: usize = 256;

/// The label that a node changes to: its own among equal ones, otherwise a pseudorandom one.
fn choose(
    graph: &Csr,
    node: Node,
    gamma: f64,
    update: u64,
    labels: &[Node],
    volumes: &[Node],
    around: &mut Vec<Node>,
) -> Option<Choice> {
    let own = labels[node as usize];
    around.clear();
    around.extend(graph.row(node).iter().map(|&other| labels[other as usize]));
    around.sort_unstable();
    let value = |label: Node, count: usize| {
        // Without the node itself.
        let volume = volumes[label as usize] - Node::from(label == own);
        (1.0 + gamma) * count as f64 - gamma * f64::from(volume)
    };
    let with_own = around.iter().filter(|&&label| label == own).count();
    let before = value(own, with_own);
    let rank = |label: Node, count: usize| {
        let key = scattered(u64::from(node) << 32 | u64::from(label), update);
        (value(label, count), key, label)
    };
    let kinds = around.chunk_by(|a, b| a == b);
    let best = kinds.map(|kind| rank(kind[0], kind.len())).max_by(|a, b| {
        a.0.total_cmp(&b.0)
            .then_with(|| (a.1, a.2).cmp(&(b.1, b.2)))
    })?;
    (best.0 > before).then_some(Choice {
        node,
        label: best.2,
        gain: best.0 - before,
    })
}

/// A pseudorandom number.
fn scattered(key: u64, seed: u64) -> u64 {
    finalised(key.wrapping_add(seed.wrapping_add(1).wrapping_mul(GOLDEN)))
}

/// The bits of the gaps between neighbours in gamma code, if nodes had this order.
fn gap_bits(graph: &Csr, nodes: &[Node]) -> Result<u64> {
    let n = nodes.len();
    let mut numbers: Vec<Node> = filled(0, n, "nodes")?;
    for (new, &old) in nodes.iter().enumerate() {
        numbers[old as usize] = new as Node;
    }
    let bits = |gap: u64| 2 * u64::from((gap + 1).ilog2()) + 1;
    let part = |range: std::ops::Range<usize>| {
        let (mut sum, mut row) = (0, Vec::new());
        for node in range {
            row.clear();
            let neighbours = graph.row(node as Node).iter();
            row.extend(neighbours.map(|&other| u64::from(numbers[other as usize])));
            row.sort_unstable();
            let first = row
                .first()
                .map(|&first| first.abs_diff(u64::from(numbers[node])));
            let gaps = row.windows(2).map(|pair| pair[1] - pair[0]);
            sum += first.into_iter().chain(gaps).map(bits).sum::<u64>();
        }
        sum
    };
    Ok(tasks::reduce(n, 0, part, |a, b| a + b))
}

/// Refines a labeling by another. Labels of `labels` are nodes; those of `combined` become numbers
/// from 0, in order.
fn combine(combined: &mut [Node], labels: &[Node], nodes: &mut [Node]) {
    let key = |&node: &Node| {
        let label = labels[node as usize];
        (combined[label as usize], label, combined[node as usize])
    };
    nodes.par_sort_unstable_by_key(|node| (key(node), *node));
    let (mut last, mut number) = (None, 0);
    for &node in nodes.iter() {
        let pair = (combined[node as usize], labels[node as usize]);
        if last.replace(pair).is_some_and(|last| last != pair) {
            number += 1;
        }
        combined[node as usize] = number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use webrank_base::progress::Silent;

    /// Cliques whose nodes are far apart come together.
    #[test]
    fn communities_come_together() {
        let (cliques, size) = (7u32, 9u32);
        let within = (0..cliques).flat_map(|clique| {
            let node = move |i: u32| clique + cliques * i;
            (0..size).flat_map(move |i| (0..size).map(move |j| (node(i), node(j))))
        });
        let between = (0..cliques - 1).map(|clique| (clique, clique + 1));
        let graph = Csr::from_arcs((cliques * size) as usize, within.chain(between)).unwrap();
        let nodes = order(graph, &Silent).unwrap();
        for clique in nodes.chunks(size as usize) {
            assert!(
                clique
                    .iter()
                    .all(|node| node % cliques == clique[0] % cliques),
                "{nodes:?}"
            );
        }
    }

    #[test]
    fn directions_and_loops_do_not_count() {
        let graph = Csr::from_arcs(4, [(0, 0), (0, 1), (1, 0), (3, 1), (2, 2)]).unwrap();
        let expected = Csr::from_arcs(4, [(0, 1), (1, 0), (1, 3), (3, 1)]).unwrap();
        assert_eq!(undirected(graph).unwrap(), expected);
    }
}
