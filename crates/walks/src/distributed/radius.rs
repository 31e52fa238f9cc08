//! The adjacency matrix by itself: its powers, and certified bounds on its spectral radius.
//!
//! See [`webrank_linear::perron`] for the vectors that give bounds. Here their entries are whole numbers,
//! so ratios are those of exact products.

use super::power::{Largest, Multiplier};
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use webrank_cluster::fixed_point::FixedPointVector;
use webrank_cluster::products::Products;
use webrank_graph::Direction;
use webrank_linear::perron::{DELTAS, RadiusBounds, SLACK};

/// The shift of the power method: other eigenvalues as large as lambda, but those next to it in angle,
/// shrink by 0.6 to 0.9 in a multiplication.
pub(super) const SHIFT: f64 = 0.25;

/// The spectral radius of a graph with a cycle is at least 1. On one without, the method ends at nodes
/// that lead nowhere, with an eigenvalue that is nearly 0.
pub(super) const LEAST_RADIUS: f64 = 0.999;

/// Steps of the power method from equal numbers after which those shrink that are negligible.
const STEPS: u32 = 20;

/// The sweeps that [`bounds`] takes.
pub(super) const SWEEPS: u32 = STEPS + 2 * DELTAS.len() as u32 + 1;

/// A, or its transpose for [`Direction::Out`].
pub(super) struct Adjacency {
    direction: Direction,
    unused: f64,
}

impl Adjacency {
    pub(super) fn new(direction: Direction) -> Self {
        Adjacency {
            direction,
            unused: 0.0,
        }
    }
}

impl Multiplier for Adjacency {
    fn sweeps(&self) -> u32 {
        1
    }

    fn apply(
        &mut self,
        products: &mut Products,
        x: &FixedPointVector,
        _change: f64,
        image: &mut FixedPointVector,
    ) -> Result<Largest> {
        let sum = products.multiply(self.direction, x, image)?;
        Ok(Largest { sum, entry: sum })
    }

    fn memory(&mut self) -> &mut f64 {
        &mut self.unused
    }
}

/// The largest number of predecessors, or of successors.
///
/// # Errors
/// As for [`Products::degrees`].
pub(super) fn largest_degree(products: &mut Products, direction: Direction) -> Result<f64> {
    let degrees = products.degrees(direction)?;
    products.largest(|node| degrees[node] as f64)
}

/// Certified bounds on the spectral radius, from an approximate eigenvector that sums to one over the
/// `num_nodes` of the graph; it is at most the largest degree. [`SWEEPS`].
///
/// # Errors
/// As for [`Products::multiply`]; if the user interrupts.
pub(super) fn bounds(
    products: &mut Products,
    direction: Direction,
    x: &FixedPointVector,
    num_nodes: u64,
    progress: &dyn Progress,
) -> Result<RadiusBounds> {
    let mut image = FixedPointVector::zeros(products.num_nodes())?;
    let mut w = FixedPointVector::zeros(products.num_nodes())?;
    w.set(1.0, |_, _| 1.0 / num_nodes as f64);
    let mut of_w = 1.0;
    for _ in 0..STEPS {
        of_w = products.multiply(direction, &w, &mut image)?;
        progress.check()?;
        let total = products.total(&image)?;
        // About as large as sums are.
        w.set(1.0, |node, old| {
            (image.at(node) / total + SHIFT * old) / (1.0 + SHIFT)
        });
    }
    let mut found = RadiusBounds {
        lower: 0.0,
        upper: largest_degree(products, direction)?,
    };
    let of_x = products.multiply(direction, x, &mut image)?;
    found = found.and(ratios(products, x, &image)?);
    let mut near = FixedPointVector::zeros(products.num_nodes())?;
    for delta in DELTAS {
        for sign in [1.0, -1.0] {
            // Sums over rows of w after its last step are at most 1.
            let largest = (1.001 * of_x + delta * of_w.max(1.0)).min(1.0 + delta);
            near.set(1.01 * largest, |node, _| {
                (x.at(node) + sign * delta * w.at(node)).max(0.0)
            });
            products.multiply(direction, &near, &mut image)?;
            found = found.and(ratios(products, &near, &image)?);
            progress.check()?;
        }
    }
    Ok(found)
}

/// The bounds that a vector and its exact image give; the upper one only if it is positive.
fn ratios(
    products: &mut Products,
    x: &FixedPointVector,
    image: &FixedPointVector,
) -> Result<RadiusBounds> {
    let (x, image) = (&x.units, &image.units);
    let smallest = products.largest(|i| match (x[i], image[i]) {
        (0, _) => 0.0,
        (_, 0) => f64::INFINITY,
        (x, image) => x as f64 / image as f64,
    })?;
    let upper = products.largest(|i| match x[i] {
        0 => f64::INFINITY,
        x => image[i] as f64 / x as f64,
    })?;
    let lower = if smallest > 0.0 { 1.0 / smallest } else { 0.0 };
    Ok(RadiusBounds {
        lower: lower * (1.0 - SLACK),
        upper: upper * (1.0 + SLACK),
    })
}
