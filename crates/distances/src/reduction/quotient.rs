//! Collapses the traversed side: nodes that are always reached together become one weighted node.
//!
//! Nodes with equal lists in the direction against the traversal (equal successor lists, when the
//! traversal follows predecessors) are reached at the same level from every source but themselves,
//! and so are closed twins. One node stands for each class; it leads wherever a member leads.
//!
//! Classes must never be formed again on the result: it keeps distances from outside a class to
//! its members, not those between members.

use super::lists::Classes;
use webrank_base::Node;
use webrank_base::parallel::tasks;
use webrank_graph::Csr;

/// A graph whose nodes are classes of the nodes of another graph.
#[derive(Debug, Clone)]
pub struct Quotient {
    /// The quotient node of each node.
    pub node_of: Box<[Node]>,
    /// The number of nodes in each quotient node.
    pub sizes: Box<[u32]>,
    /// The rows to traverse.
    pub rows: Csr,
}

impl Quotient {
    /// Collapses each class of `rows`, where classes are equal rows or closed twins of the
    /// reversed graph. O(m log d), parallel.
    pub fn new(rows: &Csr, classes: &Classes) -> Self {
        let members = classes.members();
        let leaders: Vec<Node> = (0..rows.num_nodes() as Node)
            .filter(|&x| classes.leader[x as usize] == x)
            .collect();
        let mut node_of = vec![0; rows.num_nodes()];
        for (class, &leader) in leaders.iter().enumerate() {
            for &member in members.row(leader) {
                node_of[member as usize] = class as Node;
            }
        }
        let collapsed = collapse(&leaders, &node_of, |leader, row| {
            for &member in members.row(leader) {
                row.extend(rows.row(member).iter().map(|&y| node_of[y as usize]));
            }
        });
        Quotient {
            sizes: leaders.iter().map(|&x| members.degree(x) as u32).collect(),
            rows: collapsed,
            node_of: node_of.into_boxed_slice(),
        }
    }

    /// The number of quotient nodes.
    pub fn num_nodes(&self) -> usize {
        self.sizes.len()
    }

    /// The memory taken, in bytes.
    pub fn memory(&self) -> u64 {
        let nodes = 4 * (self.node_of.len() + self.sizes.len()) as u64;
        nodes + self.rows.memory()
    }
}

/// Leaders whose rows are joined by one task.
const LEADERS_PER_TASK: usize = 1 << 12;

/// The rows of classes with these leaders, without what leads back to the class itself; `add_row` adds
/// the classes that a leader leads to, in any order, with repeats.
pub(crate) fn collapse(
    leaders: &[Node],
    node_of: &[Node],
    add_row: impl Fn(Node, &mut Vec<Node>) + Sync,
) -> Csr {
    let parts = tasks::map(leaders.chunks(LEADERS_PER_TASK), |leaders| {
        let (mut degrees, mut targets, mut row) = (Vec::<u32>::new(), vec![], vec![]);
        for &leader in leaders {
            let class = node_of[leader as usize];
            row.clear();
            add_row(leader, &mut row);
            row.sort_unstable();
            row.dedup();
            // Twins point at each other.
            row.retain(|&y| y != class);
            degrees.push(row.len() as u32);
            targets.extend_from_slice(&row);
        }
        (degrees, targets)
    });
    let mut offsets = Vec::with_capacity(leaders.len() + 1);
    let mut targets = Vec::with_capacity(parts.iter().map(|(_, part)| part.len()).sum());
    let mut total = 0u64;
    offsets.push(0);
    for (degrees, part) in parts {
        for degree in degrees {
            total += degree as u64;
            offsets.push(total);
        }
        targets.extend(part);
    }
    Csr::from_checked(offsets, targets)
}
