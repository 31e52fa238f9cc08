//! Classes of nodes that share a counter.
//!
//! Let C(t) be the nodes that are reached along a row within t steps, of which the first leads into
//! the row. All nodes with equal rows have the same C(t), and each of them has reached C(t) and itself.
//! Closed twins, whose rows are equal once each node is added to its own, are in their C(t) from t = 1.

use crate::reduction::lists::Classes;
use crate::reduction::{loops, quotient};
use std::borrow::Cow;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory;
use webrank_graph::Csr;

/// Nodes by equal rows, and the arcs between classes.
pub(super) struct CounterClasses<'g> {
    /// The rows of nodes, without self-loops.
    rows: Cow<'g, Csr>,
    /// The class of each node.
    pub(super) class_of: Box<[Node]>,
    /// Where the members of each class start.
    starts: Vec<u32>,
    members: Vec<Node>,
    /// For each class, the others that its row leads into and that can change.
    pub(super) between: Csr,
    /// The transpose of these rows.
    pub(super) reverse: Csr,
}

impl<'g> CounterClasses<'g> {
    /// Groups nodes by their rows. O(n log n + m log d).
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(super) fn new(rows: &'g Csr) -> Result<Self> {
        let rows = loops::strip(rows);
        let mut classes = Classes::equal_rows(&rows, |_| true);
        classes.join_twins(&rows, |_| true);
        let n = rows.num_nodes();
        let is_leader = |&x: &Node| classes.leader[x as usize] == x;
        let leaders: Vec<Node> = (0..n as Node).filter(is_leader).collect();
        let (offsets, members) = classes.members().into_parts();
        drop(classes);
        let starts = leaders
            .iter()
            .map(|&leader| offsets[leader as usize] as u32);
        let starts: Vec<u32> = starts.chain([n as u32]).collect();
        drop(offsets);
        let mut class_of = memory::filled(0, n, "classes")?.into_boxed_slice();
        for class in 0..leaders.len() {
            for &node in &members[starts[class] as usize..starts[class + 1] as usize] {
                class_of[node as usize] = class as Node;
            }
        }
        let between = quotient::collapse(&leaders, &class_of, |leader, row| {
            // Counters of nodes with empty rows stay empty.
            let changing = rows.row(leader).iter().filter(|&&y| rows.degree(y) > 0);
            row.extend(changing.map(|&y| class_of[y as usize]));
        });
        let reverse = between.transpose()?;
        Ok(CounterClasses {
            rows,
            class_of,
            starts,
            members,
            between,
            reverse,
        })
    }

    /// The number of classes.
    pub(super) fn count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The nodes of a class, in increasing order.
    #[inline(always)]
    pub(super) fn members(&self, class: Node) -> &[Node] {
        let class = class as usize;
        &self.members[self.starts[class] as usize..self.starts[class + 1] as usize]
    }

    /// The nodes of all classes, one class after the other.
    pub(super) fn all_members(&self) -> &[Node] {
        &self.members
    }

    /// The nodes that those of a class reach in one step: their row, and of twins themselves.
    #[inline(always)]
    pub(super) fn at_first(&self, class: Node) -> (&[Node], &[Node]) {
        let members = self.members(class);
        let row = self.rows.row(members[0]);
        match *members {
            [_, second, ..] if row.binary_search(&second).is_ok() => (row, &members[..1]),
            _ => (row, &[]),
        }
    }
}
