//! Strong components: the largest sets of nodes that all reach each other.
//!
//! Tarjan's algorithm in the form of Pearce ("A space-efficient algorithm for finding strongly
//! connected components", Information Processing Letters 116, 2016), with an explicit stack.

use crate::Csr;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::progress::Progress;

/// Nodes visited between two checks for interruption.
const NODES_PER_CHECK: usize = 1 << 20;

/// The strong component of every node.
#[derive(Debug, Clone)]
pub struct StrongComponents {
    component_of: Vec<Node>,
    num_components: usize,
}

impl StrongComponents {
    /// Finds the components of a graph given by its rows in either direction. O(n + m), one
    /// thread; 4 bytes a node, and up to 20 more while it works.
    ///
    /// Components are numbered such that rows lead to components of the same or a lower number:
    /// with rows of predecessors, whatever flows along arcs flows from lower to higher numbers.
    ///
    /// # Errors
    /// If the user interrupts.
    pub fn new(rows: &Csr, progress: &dyn Progress) -> Result<Self> {
        Self::searched(rows, rows.num_nodes(), progress)
    }

    /// The components of rows that are asked for one by one.
    ///
    /// # Errors
    /// If the user interrupts, or if rows cannot be read.
    pub fn searched(rows: impl SearchedRows, n: usize, progress: &dyn Progress) -> Result<Self> {
        let mut search = ComponentSearch {
            rows,
            index: vec![0; n],
            next_index: 1,
            next_component: n.saturating_sub(1) as Node,
            path: Vec::new(),
            waiting: Vec::new(),
        };
        for start in 0..n as Node {
            if (start as usize).is_multiple_of(NODES_PER_CHECK) {
                progress.check()?;
            }
            if search.index[start as usize] == 0 {
                search.explore(start)?;
            }
        }
        let mut component_of = search.index;
        let highest = n.saturating_sub(1) as Node;
        for component in &mut component_of {
            *component = highest - *component;
        }
        let num_components = component_of.iter().max().map_or(0, |&c| c as usize + 1);
        Ok(StrongComponents {
            component_of,
            num_components,
        })
    }

    /// The number of components.
    pub fn num_components(&self) -> usize {
        self.num_components
    }

    /// The component of every node.
    pub fn component_of(&self) -> &[Node] {
        &self.component_of
    }

    /// The number of nodes of each component.
    pub fn sizes(&self) -> Vec<u32> {
        let mut sizes = vec![0; self.num_components];
        for &component in &self.component_of {
            sizes[component as usize] += 1;
        }
        sizes
    }

    /// The nodes of each component, as the rows of a table: those of component c are
    /// `nodes[starts[c]..starts[c + 1]]`, in increasing order.
    pub fn members(&self) -> (Vec<usize>, Vec<Node>) {
        let mut starts = vec![0usize; self.num_components + 1];
        for &component in &self.component_of {
            starts[component as usize + 1] += 1;
        }
        for component in 0..self.num_components {
            starts[component + 1] += starts[component];
        }
        let mut next = starts.clone();
        let mut nodes = vec![0; self.component_of.len()];
        for (node, &component) in self.component_of.iter().enumerate() {
            nodes[next[component as usize]] = node as Node;
            next[component as usize] += 1;
        }
        (starts, nodes)
    }

    /// Whether each component is terminal: no arc leaves it. `rows` are those of predecessors.
    pub fn terminal(&self, rows: &Csr) -> Vec<bool> {
        let of = &self.component_of;
        let mut is_terminal = vec![true; self.num_components];
        for node in 0..rows.num_nodes() as Node {
            for &from in rows.row(node) {
                if of[from as usize] != of[node as usize] {
                    is_terminal[of[from as usize] as usize] = false;
                }
            }
        }
        is_terminal
    }
}

/// The rows of the nodes on the path of a depth-first search.
pub trait SearchedRows {
    /// An entry of the row of the last node of the path.
    ///
    /// # Errors
    /// If it cannot be read.
    fn entry(&mut self, last: Node, place: usize) -> Result<Option<Node>>;

    /// The last node leaves the path.
    fn leave(&mut self) {}
}

impl SearchedRows for &Csr {
    fn entry(&mut self, last: Node, place: usize) -> Result<Option<Node>> {
        Ok(self.row(last).get(place).copied())
    }
}

/// A depth-first search.
struct ComponentSearch<R> {
    rows: R,
    /// 0 for nodes not seen; for open nodes, the lowest index that they are known to reach; for
    /// finished ones, n - 1 minus their component, which no open node's index exceeds.
    index: Vec<Node>,
    next_index: Node,
    next_component: Node,
    /// The current path: each node, how much of its row is done, and whether it is the first of its
    /// component as far as is known.
    path: Vec<(Node, u32, bool)>,
    /// Finished nodes whose component is still open.
    waiting: Vec<Node>,
}

impl<R: SearchedRows> ComponentSearch<R> {
    fn explore(&mut self, start: Node) -> Result<()> {
        self.open(start);
        while let Some((node, done, is_first)) = self.path.last_mut() {
            let Some(next) = self.rows.entry(*node, *done as usize)? else {
                let (node, is_first) = (*node, *is_first);
                self.path.pop();
                self.rows.leave();
                self.close(node, is_first);
                continue;
            };
            let reached = self.index[next as usize];
            if reached == 0 {
                // This entry is read again once `next` is closed.
                self.open(next);
                continue;
            }
            *done += 1;
            if reached < self.index[*node as usize] {
                self.index[*node as usize] = reached;
                *is_first = false;
            }
        }
        Ok(())
    }

    fn open(&mut self, node: Node) {
        self.index[node as usize] = self.next_index;
        self.next_index += 1;
        self.path.push((node, 0, true));
    }

    fn close(&mut self, node: Node, is_first: bool) {
        if !is_first {
            self.waiting.push(node);
            return;
        }
        let index = self.index[node as usize];
        self.next_index -= 1;
        while let Some(&member) = self.waiting.last()
            && self.index[member as usize] >= index
        {
            self.waiting.pop();
            self.index[member as usize] = self.next_component;
            self.next_index -= 1;
        }
        self.index[node as usize] = self.next_component;
        self.next_component = self.next_component.wrapping_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use webrank_base::progress::Silent;

    /// Which nodes reach which, by Warshall's algorithm.
    fn reaches(rows: &Csr) -> Vec<Vec<bool>> {
        let n = rows.num_nodes();
        let mut reaches = vec![vec![false; n]; n];
        for (i, reaches) in reaches.iter_mut().enumerate() {
            reaches[i] = true;
            for &j in rows.row(i as Node) {
                reaches[j as usize] = true;
            }
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

    proptest! {
        #[test]
        fn members_reach_each_other_and_rows_lead_downwards(
            (n, arcs) in (1usize..=14).prop_flat_map(|n| {
                let arc = (0..n as Node, 0..n as Node);
                (Just(n), prop::collection::vec(arc, 0..3 * n))
            }),
        ) {
            let rows = Csr::from_arcs(n, arcs).unwrap();
            let components = StrongComponents::new(&rows, &Silent).unwrap();
            let reaches = reaches(&rows);
            let of = components.component_of();
            for i in 0..n {
                for j in 0..n {
                    prop_assert_eq!(of[i] == of[j], reaches[i][j] && reaches[j][i]);
                    prop_assert!(!reaches[i][j] || of[j] <= of[i]);
                }
            }
            let (starts, nodes) = components.members();
            for c in 0..components.num_components() {
                let members = &nodes[starts[c]..starts[c + 1]];
                prop_assert!(!members.is_empty() && members.is_sorted());
                prop_assert!(members.iter().all(|&node| of[node as usize] as usize == c));
            }
        }
    }

    #[test]
    fn no_nodes() {
        let rows = Csr::from_arcs(0, []).unwrap();
        let components = StrongComponents::new(&rows, &Silent).unwrap();
        assert_eq!(components.num_components(), 0);
    }
}
