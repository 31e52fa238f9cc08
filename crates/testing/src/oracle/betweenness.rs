//! Betweenness straight from its definition: all distances, all numbers of shortest paths, and a
//! sum over all pairs for every node and arc.

use super::distances::{self, FAR};

/// All pairs: distances and numbers of shortest paths.
pub struct Pairs {
    pub distance: Vec<Vec<u32>>,
    pub paths: Vec<Vec<f64>>,
}

pub fn pairs(num_nodes: usize, arcs: &[(u32, u32)]) -> Pairs {
    let mut arcs = arcs.to_vec();
    arcs.sort();
    arcs.dedup();
    let distance = distances::distances(num_nodes, &arcs);
    let mut paths = vec![vec![0.0; num_nodes]; num_nodes];
    for y in 0..num_nodes {
        paths[y][y] = 1.0;
        for far in 1..num_nodes as u32 {
            for &(x, z) in &arcs {
                let (x, z) = (x as usize, z as usize);
                if distance[y][z] == far && distance[y][x] == far - 1 {
                    paths[y][z] += paths[y][x];
                }
            }
        }
    }
    Pairs { distance, paths }
}

/// The sum over the `sources` y and all z of the share of shortest y-z paths through x.
pub fn of_nodes(
    num_nodes: usize,
    arcs: &[(u32, u32)],
    sources: &[u32],
    endpoints: bool,
) -> Vec<f64> {
    let Pairs { distance: d, paths } = pairs(num_nodes, arcs);
    let mut scores = vec![0.0; num_nodes];
    for (x, score) in scores.iter_mut().enumerate() {
        for y in sources.iter().map(|&y| y as usize) {
            for z in 0..num_nodes {
                if y == z || d[y][z] == FAR {
                    continue;
                }
                if x == y || x == z {
                    *score += endpoints as u32 as f64;
                } else if d[y][x] != FAR && d[x][z] != FAR && d[y][x] + d[x][z] == d[y][z] {
                    *score += paths[y][x] * paths[x][z] / paths[y][z];
                }
            }
        }
    }
    scores
}

/// The sum over all pairs y, z of the share of shortest y-z paths that take the arc v -> w.
pub fn of_arc(pairs: &Pairs, v: usize, w: usize) -> f64 {
    let Pairs { distance: d, paths } = pairs;
    let mut score = 0.0;
    for y in 0..d.len() {
        for z in 0..d.len() {
            let reached = v != w && d[y][v] != FAR && d[w][z] != FAR;
            if reached && d[y][v] + 1 + d[w][z] == d[y][z] {
                score += paths[y][v] * paths[w][z] / paths[y][z];
            }
        }
    }
    score
}

/// The sum over reachable pairs of their distance less 1, which all scores add up to.
pub fn total(pairs: &Pairs) -> f64 {
    let distances = pairs.distance.iter().flatten();
    distances
        .filter(|&&d| d != FAR && d > 0)
        .map(|&d| d as f64 - 1.0)
        .sum()
}
