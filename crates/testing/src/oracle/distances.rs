//! All shortest distances by the method of Floyd and Warshall: three loops, nothing shared with
//! the library.

/// The distance of an unreachable pair.
pub const FAR: u32 = u32::MAX;

/// `distances[y][x]` is the length of a shortest path from `y` to `x`, or [`FAR`] if there is none.
pub fn distances(num_nodes: usize, arcs: &[(u32, u32)]) -> Vec<Vec<u32>> {
    let mut d = vec![vec![FAR; num_nodes]; num_nodes];
    for (x, row) in d.iter_mut().enumerate() {
        row[x] = 0;
    }
    for &(y, x) in arcs {
        if y != x {
            d[y as usize][x as usize] = 1;
        }
    }
    for z in 0..num_nodes {
        for y in 0..num_nodes {
            for x in 0..num_nodes {
                if d[y][z] != FAR && d[z][x] != FAR {
                    d[y][x] = d[y][x].min(d[y][z] + d[z][x]);
                }
            }
        }
    }
    d
}

/// Distances from every other node that reaches `x`, or with `outgoing` to every other node that
/// `x` reaches.
pub fn of_node(distances: &[Vec<u32>], x: usize, outgoing: bool) -> Vec<u32> {
    (0..distances.len())
        .filter(|&y| y != x)
        .map(|y| {
            if outgoing {
                distances[x][y]
            } else {
                distances[y][x]
            }
        })
        .filter(|&d| d != FAR)
        .collect()
}
