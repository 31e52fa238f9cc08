//! Components and the bow-tie by their definitions, from the relation of reachability.

use webrank_base::Node;

/// Which nodes reach which, each of them itself, by Warshall's algorithm.
fn reaches(n: usize, arcs: impl Iterator<Item = (Node, Node)>) -> Vec<Vec<bool>> {
    let mut reaches = vec![vec![false; n]; n];
    (0..n).for_each(|i| reaches[i][i] = true);
    for (i, j) in arcs {
        reaches[i as usize][j as usize] = true;
    }
    for k in 0..n {
        for i in 0..n {
            for j in 0..n {
                reaches[i][j] |= reaches[i][k] && reaches[k][j];
            }
        }
    }
    reaches
}

/// The members of the strong and of the weak component of each node.
pub fn members(n: usize, arcs: &[(Node, Node)]) -> [Vec<Vec<usize>>; 2] {
    let there = reaches(n, arcs.iter().copied());
    let around = reaches(n, arcs.iter().flat_map(|&(i, j)| [(i, j), (j, i)]));
    let all = |same: &dyn Fn(usize, usize) -> bool| {
        let of = |i: usize| (0..n).filter(|&j| same(i, j)).collect();
        (0..n).map(of).collect()
    };
    [
        all(&|i, j| there[i][j] && there[j][i]),
        all(&|i, j| around[i][j]),
    ]
}

/// The part of the bow-tie that each node is in.
pub fn bow_tie(n: usize, arcs: &[(Node, Node)]) -> Vec<&'static str> {
    let [strong, weak] = members(n, arcs);
    let Some(core) = strong.iter().max_by_key(|set| (set.len(), n - set[0])) else {
        return Vec::new();
    };
    let there = reaches(n, arcs.iter().copied());
    let beside = arcs
        .iter()
        .filter(|(i, j)| !core.contains(&(*i as usize)) && !core.contains(&(*j as usize)));
    let beside = reaches(n, beside.copied());
    let is_in = |i: usize| !core.contains(&i) && there[i][core[0]];
    let is_out = |i: usize| !core.contains(&i) && there[core[0]][i];
    let part = |i: usize| {
        let is_tube = || {
            (0..n).any(|a| is_in(a) && beside[a][i]) && (0..n).any(|b| is_out(b) && beside[i][b])
        };
        match () {
            () if core.contains(&i) => "core",
            () if is_in(i) => "in",
            () if is_out(i) => "out",
            () if is_tube() => "tube",
            () if weak[core[0]].contains(&i) => "tendril",
            () => "disconnected",
        }
    };
    (0..n).map(part).collect()
}
