//! The irreducible parts of a matrix: its strong components that have a cycle.
//!
//! The eigenvalues of a matrix are those of these parts (and zeros), so the spectral radius of the
//! whole is the largest of theirs.

use super::matrix::Matrix;
use super::perron::{RadiusBounds, SLACK, TINY};
use crate::error::Result;
use crate::graph::components::StrongComponents;
use crate::graph::{Csr, Node};
use crate::parallel::sums::{self, sum_of_tasks};
use crate::parallel::tasks;
use crate::progress::Progress;
use std::ops::Range;

/// The rows and columns of strong components that have a cycle, without the entries between
/// components. Nodes of a component have consecutive places.
pub struct Irreducible {
    nodes: Vec<Node>,
    parts: Vec<IrreduciblePart>,
    matrix: Matrix,
}

/// Nodes whose rows one task copies.
const NODES_PER_TASK: usize = 1 << 10;

/// An irreducible part.
#[derive(Debug, Clone)]
pub struct IrreduciblePart {
    /// The number of its strong component.
    pub component: Node,
    /// The places of its nodes.
    pub places: Range<usize>,
}

impl Irreducible {
    /// The irreducible parts of `matrix`, whose strong components are given. O(n + m).
    pub fn new(matrix: &Matrix, components: &StrongComponents) -> Self {
        let (starts, members) = components.members();
        let rows = matrix.rows();
        let mut place_of = vec![0; members.len()];
        let (mut nodes, mut parts) = (Vec::new(), Vec::new());
        for component in 0..components.num_components() {
            let members = &members[starts[component]..starts[component + 1]];
            let has_cycle =
                members.len() > 1 || rows.row(members[0]).binary_search(&members[0]).is_ok();
            if has_cycle {
                parts.push(IrreduciblePart {
                    component: component as Node,
                    places: nodes.len()..nodes.len() + members.len(),
                });
                for &node in members {
                    place_of[node as usize] = nodes.len() as Node;
                    nodes.push(node);
                }
            }
        }
        let component_of = components.component_of();
        let inside = tasks::map(nodes.chunks(NODES_PER_TASK), |nodes| {
            Inside::new(matrix, nodes, component_of, &place_of)
        });
        let degrees = inside.iter().flat_map(|inside| &inside.degrees);
        let mut offsets = vec![0];
        for degree in degrees {
            offsets.push(offsets.last().expect("starts with 0") + degree);
        }
        let targets = inside.iter().flat_map(|inside| &inside.targets);
        let targets = targets.copied().collect();
        let weights = matrix.weights().map(|_| {
            let weights = inside.iter().flat_map(|inside| &inside.weights);
            weights.copied().collect()
        });
        Irreducible {
            nodes,
            parts,
            matrix: Matrix::from_parts(Csr::from_checked(offsets, targets), weights),
        }
    }

    /// The same parts with other entries.
    pub(crate) fn with_matrix(&self, matrix: Matrix) -> Self {
        Irreducible {
            nodes: self.nodes.clone(),
            parts: self.parts.clone(),
            matrix,
        }
    }

    /// The node at each place.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The parts, in the order of their components.
    pub fn parts(&self) -> &[IrreduciblePart] {
        &self.parts
    }

    /// All parts, as one matrix over the places.
    pub fn matrix(&self) -> &Matrix {
        &self.matrix
    }

    /// The number of arcs within a part.
    pub fn num_arcs(&self, part: &IrreduciblePart) -> u64 {
        let offsets = self.matrix.rows().offsets();
        offsets[part.places.end] - offsets[part.places.start]
    }

    /// A part, as a separate matrix.
    pub fn part(&self, part: &IrreduciblePart) -> Matrix {
        self.matrix.diagonal_block(part.places.clone())
    }
}

/// The entries of some rows that are in the component of their row.
struct Inside {
    degrees: Vec<u64>,
    targets: Vec<Node>,
    /// Empty if all weights are 1.
    weights: Vec<f64>,
}

impl Inside {
    fn new(matrix: &Matrix, nodes: &[Node], component_of: &[Node], place_of: &[Node]) -> Self {
        let mut inside = Inside {
            degrees: Vec::with_capacity(nodes.len()),
            targets: Vec::new(),
            weights: Vec::new(),
        };
        let is_weighted = matrix.weights().is_some();
        for &node in nodes {
            let before = inside.targets.len();
            for (j, weight) in matrix.row(node) {
                if component_of[j as usize] == component_of[node as usize] {
                    inside.targets.push(place_of[j as usize]);
                    if is_weighted {
                        inside.weights.push(weight);
                    }
                }
            }
            inside.degrees.push((inside.targets.len() - before) as u64);
        }
        inside
    }
}

/// Bounds on the spectral radii of all parts, by power iteration on all of them at once.
pub struct Radii {
    /// One for each part.
    pub bounds: Vec<RadiusBounds>,
    /// The iterates of all parts, by places; positive.
    pub vector: Vec<f64>,
    /// Sweeps over each part.
    pub sweeps: Vec<u32>,
}

impl Radii {
    /// Sweeps `max_sweeps` times from equal entries. Parts that are known not to have the largest
    /// radius are skipped.
    ///
    /// # Errors
    /// If the user interrupts.
    pub fn new(
        irreducible: &Irreducible,
        max_sweeps: u32,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let Irreducible { parts, matrix, .. } = irreducible;
        let mut radii = Radii {
            bounds: vec![RadiusBounds::NONE; parts.len()],
            vector: vec![1.0; matrix.num_nodes()],
            sweeps: vec![0; parts.len()],
        };
        let mut image = vec![0.0; matrix.num_nodes()];
        for _ in 0..max_sweeps {
            progress.check()?;
            let lower = radii.lower();
            let active: Vec<usize> = (0..parts.len())
                .filter(|&part| radii.bounds[part].upper >= lower)
                .collect();
            let places = active.iter().map(|&part| parts[part].places.clone());
            let stretches = joined(places).into_iter();
            let blocks: Vec<_> = stretches.flat_map(|rows| matrix.blocks_of(rows)).collect();
            matrix.multiply(&blocks, &radii.vector, &mut image);
            for part in active {
                let places = parts[part].places.clone();
                let vector = &mut radii.vector[places.clone()];
                step(&mut radii.bounds[part], vector, &image[places]);
                radii.sweeps[part] += 1;
            }
        }
        Ok(radii)
    }

    /// The number of arcs in all multiplications.
    pub fn work(&self, irreducible: &Irreducible) -> u64 {
        let parts = irreducible.parts.iter().zip(&self.sweeps);
        let work = parts.map(|(part, &sweeps)| irreducible.num_arcs(part) * u64::from(sweeps));
        work.sum()
    }

    /// The radius of a part as estimated from the last sweep.
    pub fn estimate(&self, irreducible: &Irreducible, part: usize) -> f64 {
        let places = irreducible.parts[part].places.clone();
        let matrix = irreducible.matrix();
        let value = |j: Node| self.vector[j as usize];
        let image = sum_of_tasks(places.len(), |range| {
            let nodes = range.map(|place| (places.start + place) as Node);
            sums::compensated(nodes.map(|node| matrix.dot(node, value)))
        });
        let vector = &self.vector[places];
        image / sums::total(vector)
    }

    /// The largest lower bound: the spectral radius of the whole is at least that.
    pub fn lower(&self) -> f64 {
        let lower = self.bounds.iter().map(|bounds| bounds.lower);
        lower.fold(0.0, f64::max)
    }

    /// Continues with one part until its radius is known to be less than `below`, or seems to be
    /// greater, for at most `max_sweeps` sweeps.
    ///
    /// # Errors
    /// If the user interrupts.
    pub fn sharpen(
        &mut self,
        irreducible: &Irreducible,
        part: usize,
        below: f64,
        max_sweeps: u32,
        progress: &dyn Progress,
    ) -> Result<()> {
        let is_sharp = |bounds: &RadiusBounds| bounds.width() < 4.0 * SLACK;
        if self.bounds[part].upper < below || is_sharp(&self.bounds[part]) {
            return Ok(());
        }
        let matrix = irreducible.part(&irreducible.parts[part]);
        let blocks = matrix.blocks();
        let mut vector = self.vector[irreducible.parts[part].places.clone()].to_vec();
        let mut image = vec![0.0; vector.len()];
        let bounds = &mut self.bounds[part];
        for _ in 0..max_sweeps {
            progress.check()?;
            matrix.multiply(&blocks, &vector, &mut image);
            self.sweeps[part] += 1;
            let total = |x: &[f64]| sums::compensated(x.iter().copied());
            let seems_above = total(&image) > below * total(&vector);
            step(bounds, &mut vector, &image);
            // Ratios of subnormal numbers mean nothing.
            let is_tiny = vector.iter().any(|&x| x < TINY);
            if bounds.upper < below || seems_above || is_tiny || is_sharp(bounds) {
                break;
            }
        }
        Ok(())
    }
}

/// A step of the power method, which also sharpens the bounds.
fn step(bounds: &mut RadiusBounds, vector: &mut [f64], image: &[f64]) {
    *bounds = bounds.and(RadiusBounds::of(vector, image));
    // All entries of the image may be as good as 0, in the units of the largest part.
    if bounds.upper < TINY {
        return;
    }
    // Periodic parts converge only with a shift; a small one costs others little.
    let shift = bounds.upper / 8.0;
    let scale = 1.0 / (bounds.upper + shift);
    tasks::update_with(vector, image, |x, y| *x = scale * (y + shift * *x));
}

/// Increasing ranges, with adjacent ones joined.
fn joined(ranges: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => joined.push(range),
        }
    }
    joined
}
