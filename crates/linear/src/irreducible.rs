//! The irreducible parts of a matrix: its strong components that have a cycle.
//!
//! The eigenvalues of a matrix are those of these parts (and zeros), so the spectral radius of the
//! whole is the largest of theirs.

use super::matrix::Matrix;
use super::prepared::PreparedMatrix;
use super::runs::{Row, RowBuffer, RunRows, SingleRows};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_graph::components::StrongComponents;
use webrank_graph::{Csr, Rows};

/// Nodes whose rows one task copies.
const NODES_PER_TASK: usize = 1 << 10;

/// The rows and columns of strong components that have a cycle, without the entries between
/// components. Nodes of a component have consecutive places.
pub struct Irreducible {
    nodes: Vec<Node>,
    parts: Vec<IrreduciblePart>,
    matrix: PreparedMatrix,
}

/// An irreducible part.
#[derive(Debug, Clone)]
pub struct IrreduciblePart {
    /// The number of its strong component.
    pub component: Node,
    /// The places of its nodes.
    pub places: Range<usize>,
    /// The number of arcs within it.
    pub num_arcs: u64,
}

/// A part with more arcs for each place of a part is swept where it is; smaller ones are copied to
/// memory.
const COPIED_ARCS: u64 = 4;

impl Irreducible {
    /// The irreducible parts of `matrix`, whose strong components are given. O(n log n + m).
    pub fn new(matrix: &Matrix, components: &StrongComponents) -> Self {
        let has_loop = |node: Node| matrix.rows().row(node).binary_search(&node).is_ok();
        let (mut places, nodes) = Places::new(components, has_loop);
        let component_of = components.component_of();
        let (place_of, is_weighted) = (&places.of, matrix.weights().is_some());
        let is_inside = |i: Node, j: Node| component_of[i as usize] == component_of[j as usize];
        let of_part = |&node: &Node| {
            let row = matrix.row(node).filter(move |&(j, _)| is_inside(node, j));
            row.map(move |(j, weight)| (place_of[j as usize], weight))
        };
        let inside = tasks::map(nodes.chunks(NODES_PER_TASK), |nodes| {
            let degrees = nodes.iter().map(|node| of_part(node).count() as u64);
            let entries = || nodes.iter().flat_map(of_part);
            let targets = entries().map(|(place, _)| place);
            let weights = entries().map(|(_, weight)| weight);
            let weights = weights.take(if is_weighted { usize::MAX } else { 0 });
            let (targets, weights) = (
                targets.collect::<Vec<Node>>(),
                weights.collect::<Vec<f64>>(),
            );
            (degrees.collect::<Vec<u64>>(), targets, weights)
        });
        let mut offsets = vec![0];
        for degree in inside.iter().flat_map(|(degrees, ..)| degrees) {
            offsets.push(offsets.last().expect("starts with 0") + degree);
        }
        let targets = inside.iter().flat_map(|(_, targets, _)| targets);
        let targets = targets.copied().collect();
        let weights = matrix.weights().map(|_| {
            let weights = inside.iter().flat_map(|(.., weights)| weights);
            weights.copied().collect()
        });
        places.count(|places| offsets[places.end] - offsets[places.start]);
        let rows = Csr::from_checked(offsets, targets);
        Irreducible {
            nodes,
            parts: places.parts,
            matrix: PreparedMatrix::new(Matrix::from_parts(rows, weights)),
        }
    }

    /// The irreducible parts of a matrix in any form; their rows have that form too.
    ///
    /// # Errors
    /// As for [`Self::of_rows`].
    pub fn of(
        matrix: &PreparedMatrix,
        components: &StrongComponents,
        progress: &dyn Progress,
    ) -> Result<Self> {
        match (matrix.weighted(), matrix.rows()) {
            (None, Some(rows)) => Self::of_rows(rows, components, progress),
            (Some(matrix), _) => Ok(Self::new(matrix, components)),
            (None, None) => unreachable!("a matrix has weights or not"),
        }
    }

    /// [`Self::of`] for rows in any form, whose entries are nodes; its own rows have that form too.
    ///
    /// # Errors
    /// If rows cannot be read, or if there is no room for those of the parts; if the user interrupts.
    pub fn of_rows(
        rows: &RunRows,
        components: &StrongComponents,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let single = rows.single_rows()?;
        let has_loop = are_loops(&single, components)?;
        let (mut places, nodes) = Places::new(components, |node| has_loop[node as usize]);
        let inside = Inside {
            rows: single,
            nodes: &nodes,
            place_of: &places.of,
            component_of: components.component_of(),
            degrees: nodes.iter().map(|_| AtomicU32::new(0)).collect(),
        };
        let packed = rows.in_same_form(&inside, progress)?;
        let degrees = inside.degrees;
        places.count(|places| {
            let degrees = degrees[places].iter();
            degrees.map(|degree| u64::from(degree.load(Relaxed))).sum()
        });
        Ok(Irreducible {
            nodes,
            parts: places.parts,
            matrix: PreparedMatrix::of_rows(packed),
        })
    }

    /// These parts with other entries.
    pub(crate) fn with_matrix(&self, matrix: Matrix) -> Self {
        Irreducible {
            nodes: self.nodes.clone(),
            parts: self.parts.clone(),
            matrix: PreparedMatrix::new(matrix),
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
    pub fn matrix(&self) -> &PreparedMatrix {
        &self.matrix
    }

    /// Both, to multiply by the matrix.
    pub(crate) fn parts_and_matrix(&mut self) -> (&[IrreduciblePart], &mut PreparedMatrix) {
        (&self.parts, &mut self.matrix)
    }

    /// The matrix of all parts, if its entries have weights.
    pub fn weighted(&self) -> Option<&Matrix> {
        self.matrix.weighted()
    }

    /// The weights of all parts, unless all are 1.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weighted().and_then(Matrix::weights)
    }

    /// A part, as a separate matrix.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read.
    pub fn prepared(&self, part: usize) -> Result<PreparedMatrix> {
        match self.matrix.rows() {
            Some(rows) if self.is_swept_in_place(part) => Ok(PreparedMatrix::of_part(
                rows,
                self.parts[part].places.clone(),
            )),
            _ => Ok(PreparedMatrix::new(self.part(&self.parts[part])?)),
        }
    }

    /// Whether a part is not copied to memory.
    pub fn is_swept_in_place(&self, part: usize) -> bool {
        let is_large = self.parts[part].num_arcs > COPIED_ARCS * self.nodes.len() as u64;
        is_large && self.matrix.rows().is_some()
    }

    /// A part, as a separate matrix in memory.
    ///
    /// # Errors
    /// As for [`Self::prepared`].
    pub fn part(&self, part: &IrreduciblePart) -> Result<Matrix> {
        if let Some(matrix) = self.weighted() {
            return Ok(matrix.diagonal_block(part.places.clone()));
        }
        let first = part.places.start;
        let (mut offsets, mut targets) = (vec![0], Vec::with_capacity(part.num_arcs as usize));
        for place in part.places.clone() {
            let start = targets.len();
            let entry = |j: Node, _: f64| targets.push(j - first as Node);
            self.matrix.for_entries(place as Node, entry)?;
            targets[start..].sort_unstable();
            offsets.push(targets.len() as u64);
        }
        Ok(Matrix::new(Csr::from_checked(offsets, targets)))
    }

    /// The transpose of a part, as a separate matrix.
    ///
    /// # Errors
    /// As for [`Self::prepared`]; if its rows are not in memory and would not fit there.
    pub fn transposed(&self, part: usize) -> Result<PreparedMatrix> {
        let arcs = self.parts[part].num_arcs;
        let is_compact = self.matrix.rows().is_some_and(|rows| rows.flat().is_none());
        if is_compact && self.is_swept_in_place(part) {
            let remedy = format!(
                "several strong components have the largest spectral radius, and one of {arcs} arcs \
                 is needed in both directions: allow more memory, and take the form runs"
            );
            return Err(Error::argument("form", "compact or disk", remedy));
        }
        Ok(PreparedMatrix::new(
            self.part(&self.parts[part])?.transposed()?,
        ))
    }
}

/// Whether each node that is a component by itself has an arc to itself; false for others.
fn are_loops(rows: &SingleRows, components: &StrongComponents) -> Result<Vec<bool>> {
    let (sizes, component_of) = (components.sizes(), components.component_of());
    let is_alone = |node: usize| sizes[component_of[node] as usize] == 1;
    let mut buffer = RowBuffer::default();
    let is_loop = |node: usize| {
        let is_loop = |row: Row| row.contains(node as Node);
        Ok(is_alone(node) && rows.with_row_of(node, &mut buffer, is_loop)?)
    };
    (0..rows.num_nodes()).map(is_loop).collect()
}

/// The places of nodes in parts.
struct Places {
    parts: Vec<IrreduciblePart>,
    /// The place of each node of a part.
    of: Vec<Node>,
}

impl Places {
    /// The places, and the node at each.
    fn new(components: &StrongComponents, has_loop: impl Fn(Node) -> bool) -> (Self, Vec<Node>) {
        let (starts, members) = components.members();
        let mut of = vec![0; members.len()];
        let (mut nodes, mut parts) = (Vec::new(), Vec::new());
        for component in 0..components.num_components() {
            let members = &members[starts[component]..starts[component + 1]];
            if members.len() > 1 || has_loop(members[0]) {
                parts.push(IrreduciblePart {
                    component: component as Node,
                    places: nodes.len()..nodes.len() + members.len(),
                    num_arcs: 0,
                });
                for &node in members {
                    of[node as usize] = nodes.len() as Node;
                    nodes.push(node);
                }
            }
        }
        (Places { parts, of }, nodes)
    }

    /// Notes the number of arcs of every part.
    fn count(&mut self, num_arcs: impl Fn(Range<usize>) -> u64) {
        for part in &mut self.parts {
            part.num_arcs = num_arcs(part.places.clone());
        }
    }
}

/// The rows of parts, from those of all nodes.
struct Inside<'a> {
    rows: SingleRows<'a>,
    /// The node at each place.
    nodes: &'a [Node],
    place_of: &'a [Node],
    component_of: &'a [Node],
    /// The length of each row that was visited.
    degrees: Vec<AtomicU32>,
}

impl Rows for Inside<'_> {
    fn num_nodes(&self) -> usize {
        self.nodes.len()
    }

    fn num_arcs(&self) -> u64 {
        self.rows.num_arcs()
    }

    fn try_rows(
        &self,
        range: Range<usize>,
        visit: &mut dyn FnMut(Node, &[Node]) -> Result<()>,
    ) -> Result<()> {
        let (mut inside, mut buffer) = (Vec::new(), RowBuffer::default());
        for place in range {
            let node = self.nodes[place] as usize;
            self.rows.with_row_of(node, &mut buffer, |row| {
                let nodes = row.nodes().map(|j| j as usize);
                let own = nodes.filter(|&j| self.component_of[j] == self.component_of[node]);
                inside.clear();
                inside.extend(own.map(|j| self.place_of[j]));
            })?;
            inside.sort_unstable();
            self.degrees[place].store(inside.len() as u32, Relaxed);
            visit(place as Node, &inside)?;
        }
        Ok(())
    }
}
