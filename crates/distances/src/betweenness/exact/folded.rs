//! The graph that searches traverse, with nodes merged that no search distinguishes.
//!
//! Nodes with equal predecessor lists form a *class*. Every search reaches all members of a class
//! at the same level and by equally many paths (no search has a node at level 0: see
//! `super::batch`). But members may lead to different nodes, so their dependencies differ. Members
//! that also have equal successor lists form a *group*: their dependencies are equal. The row of a
//! group holds each class once, since a node that leads to one member of a class leads to all.

use crate::reduction::Reduced;
use crate::reduction::lists::Classes;
use rayon::prelude::*;
use webrank_base::Node;
use webrank_base::parallel::tasks;
use webrank_graph::Csr;

/// Classes, their groups, and the classes that each group leads to.
#[derive(Debug)]
pub struct Folded {
    /// The groups of class c are `first_group[c]..first_group[c + 1]`.
    first_group: Box<[u32]>,
    /// The number of nodes in each group.
    sizes: Box<[u32]>,
    /// The group of each node.
    group_of: Box<[u32]>,
    /// The smallest node of each group.
    first_node: Box<[Node]>,
    /// Row g: the classes that the nodes of group g lead to.
    rows: Csr,
}

/// The number of groups whose rows one task makes.
const GROUPS_PER_TASK: usize = 1 << 12;

impl Folded {
    /// Folds the rows of a reduced graph; without `merge`, every node is a group. O(m log d + n log
    /// n), parallel.
    pub fn new(graph: &Reduced, merge: bool) -> Self {
        let rows = graph.rows();
        let n = rows.num_nodes();
        let class_of = &graph.quotient().node_of;
        let alike = if merge {
            Classes::equal_rows(rows, |_| true)
        } else {
            Classes::singletons(n)
        };
        let key = |x: usize| (class_of[x], alike.leader[x], x as Node);
        let mut nodes = tasks::tabulate(n, key);
        nodes.par_sort_unstable();
        let mut group_of = vec![0; n];
        let (mut sizes, mut first_node) = (Vec::new(), Vec::new());
        let mut first_group = vec![0; graph.quotient().num_nodes() + 1];
        for group in nodes.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            for &(_, _, x) in group {
                group_of[x as usize] = sizes.len() as u32;
            }
            sizes.push(group.len() as u32);
            first_node.push(group[0].2);
            first_group[group[0].0 as usize + 1] = sizes.len() as u32;
        }
        Folded {
            rows: fold(rows, class_of, &first_node),
            first_group: first_group.into(),
            sizes: sizes.into(),
            group_of: group_of.into(),
            first_node: first_node.into(),
        }
    }

    /// The number of classes.
    pub fn num_classes(&self) -> usize {
        self.first_group.len() - 1
    }

    /// The number of groups.
    pub fn num_groups(&self) -> usize {
        self.sizes.len()
    }

    /// The group of each node.
    pub fn group_of(&self) -> &[u32] {
        &self.group_of
    }

    /// The smallest node of each group.
    pub fn first_node(&self) -> &[Node] {
        &self.first_node
    }

    /// The number of arcs from groups to classes.
    pub fn num_arcs(&self) -> u64 {
        self.rows.num_arcs()
    }

    /// The number of nodes in each group.
    #[inline(always)]
    pub fn sizes(&self) -> &[u32] {
        &self.sizes
    }

    /// The groups of a class.
    #[inline(always)]
    pub fn groups(&self, class: Node) -> std::ops::Range<usize> {
        let class = class as usize;
        self.first_group[class] as usize..self.first_group[class + 1] as usize
    }

    /// The classes that the nodes of a group lead to.
    #[inline(always)]
    pub fn row(&self, group: usize) -> &[Node] {
        self.rows.row(group as Node)
    }

    /// The largest number of classes that a group leads to.
    pub fn largest_row(&self) -> usize {
        let ends = self.rows.offsets().windows(2);
        ends.map(|ends| (ends[1] - ends[0]) as usize)
            .max()
            .unwrap_or(0)
    }

    /// The number of bytes taken.
    pub fn memory(&self) -> u64 {
        let numbers = self.first_group.len() + 2 * self.sizes.len() + self.group_of.len();
        4 * numbers as u64 + self.rows.memory()
    }
}

/// The row of the first node of each group, as classes.
fn fold(rows: &Csr, class_of: &[Node], first_node: &[Node]) -> Csr {
    let parts = tasks::map(first_node.chunks(GROUPS_PER_TASK), |nodes| {
        let (mut degrees, mut targets, mut row) = (vec![], vec![], vec![]);
        for &x in nodes {
            row.clear();
            row.extend(rows.row(x).iter().map(|&y| class_of[y as usize]));
            row.sort_unstable();
            row.dedup();
            degrees.push(row.len() as u64);
            targets.extend_from_slice(&row);
        }
        (degrees, targets)
    });
    let mut offsets = Vec::with_capacity(first_node.len() + 1);
    let mut targets = Vec::with_capacity(parts.iter().map(|(_, part)| part.len()).sum());
    offsets.push(0);
    for (degrees, part) in parts {
        for degree in degrees {
            offsets.push(offsets[offsets.len() - 1] + degree);
        }
        targets.extend(part);
    }
    // Rows lead from groups to classes, and there are no more classes than groups.
    Csr::from_checked(offsets, targets)
}
