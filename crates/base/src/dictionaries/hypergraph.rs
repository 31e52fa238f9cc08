//! Random hypergraphs, and their peeling.
//!
//! An edge is peeled off if one of its vertices, its hinge, is in no other edge that is left. A hypergraph
//! with n edges of R random vertices out of m is peeled off completely, in a time O(n + m), if m / n is large
//! enough: with R = 2, m > 2.09 n leaves a constant probability for that, with R = 3, m > 1.23 n leaves
//! next to none for the contrary (the threshold is 1.222), and more vertices in an edge need more again.
//!
//! B. Majewski, N. Wormald, G. Havas and Z. Czech, "A family of perfect hashing methods", 1996; M. Molloy,
//! "Cores in random hypergraphs and Boolean formulas", 2005.

use crate::error::Result;
use crate::memory::{filled, reserve_exact};

/// Numbers drawn from a hash: SplitMix64.
pub struct Drawn(u64, u64);

impl Drawn {
    /// Draws from a hash of 128 bits.
    pub fn from(hash: u128) -> Self {
        // An odd step, so that all states come.
        Drawn(hash as u64, (hash >> 64) as u64 | 1)
    }

    /// The next number.
    #[inline]
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(self.1);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Different vertices below `vertices`, of which there are at least `R`.
    #[inline]
    pub fn edge<const R: usize>(&mut self, vertices: u32) -> [u32; R] {
        let mut edge = [0; R];
        let mut count = 0;
        while count < R {
            let vertex = ((u128::from(self.draw()) * u128::from(vertices)) >> 64) as u32;
            if !edge[..count].contains(&vertex) {
                edge[count] = vertex;
                count += 1;
            }
        }
        edge
    }
}

/// The edges in the order in which they are peeled off, each with its hinge; none if some are left. O(n + m).
///
/// # Errors
/// If memory is short.
pub fn peel<const R: usize>(edges: &[[u32; R]], vertices: u32) -> Result<Option<Vec<(u32, u32)>>> {
    const WHAT: &str = "a hypergraph";
    let mut degrees = filled(0u32, vertices as usize, WHAT)?;
    // The exclusive or of the edges of a vertex with one edge is the edge.
    let mut mixed = filled(0u32, vertices as usize, WHAT)?;
    for (edge, of_edge) in edges.iter().enumerate() {
        for &vertex in of_edge {
            degrees[vertex as usize] += 1;
            mixed[vertex as usize] ^= edge as u32;
        }
    }
    let (mut order, mut hinges) = (Vec::new(), Vec::new());
    reserve_exact(&mut order, edges.len(), WHAT)?;
    for start in 0..vertices {
        hinges.push(start);
        while let Some(hinge) = hinges.pop() {
            if degrees[hinge as usize] != 1 {
                continue;
            }
            let edge = mixed[hinge as usize];
            order.push((edge, hinge));
            for &vertex in &edges[edge as usize] {
                degrees[vertex as usize] -= 1;
                mixed[vertex as usize] ^= edge;
                if degrees[vertex as usize] == 1 {
                    hinges.push(vertex);
                }
            }
        }
    }
    Ok((order.len() == edges.len()).then_some(order))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Removes edges with a vertex of their own until nothing changes.
    fn core<const R: usize>(mut edges: Vec<[u32; R]>) -> usize {
        loop {
            let alone = |vertex: &u32| {
                edges
                    .iter()
                    .flatten()
                    .filter(|&other| other == vertex)
                    .count()
                    == 1
            };
            let Some(place) = edges.iter().position(|edge| edge.iter().any(alone)) else {
                return edges.len();
            };
            edges.remove(place);
        }
    }

    fn compare<const R: usize>(seeds: &[u64], vertices: u32) -> Result<(), TestCaseError> {
        let edges: Vec<[u32; R]> = seeds
            .iter()
            .map(|&seed| Drawn(seed, 1).edge(vertices))
            .collect();
        let order = peel(&edges, vertices).unwrap();
        prop_assert_eq!(order.is_some(), core(edges.clone()) == 0);
        let order = order.unwrap_or_default();
        for (place, &(edge, hinge)) in order.iter().enumerate() {
            prop_assert!(edges[edge as usize].contains(&hinge));
            let later = order[place + 1..].iter();
            let is_left = later
                .map(|&(other, _)| edges[other as usize])
                .any(|other| other.contains(&hinge));
            prop_assert!(!is_left);
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn peeling_leaves_the_core(seeds in prop::collection::vec(any::<u64>(), 0..14), vertices in 3..30u32) {
            compare::<2>(&seeds, vertices)?;
            compare::<3>(&seeds, vertices)?;
        }
    }

    #[test]
    fn three_vertices_have_a_sharp_threshold() {
        const STEP: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835;
        let peels = |vertices: u32| {
            let edges: Vec<[u32; 3]> = (0..30_000u64)
                .map(|i| Drawn::from(u128::from(i).wrapping_mul(STEP)).edge(vertices))
                .collect();
            peel(&edges, vertices).unwrap().is_some()
        };
        assert!(!peels(35_500) && peels(37_500));
    }
}
