//! Smaller graphs and fewer searches, with the same distances.
//!
//! * [`loops`]: self-loops, removed;
//! * [`lists`]: classes of nodes with equal lists, and closed twins;
//! * [`chains`]: nodes that see the graph through a single neighbour;
//! * [`quotient`]: nodes that are always reached together, collapsed;
//! * [`order`]: sources in an order that makes their searches overlap.
//!
//! [`Reduced`] combines them for searches from many sources, and corrects the results so that they
//! are exact. A search stands for all members of a class of equal rows and for the chains below
//! them: it starts with the class's common row at level 1 and has no node at level 0. The search
//! may reach a node that it stands for, although the node's distance from itself is 0, and its
//! distance from a node further down its chain is less than the search finds. These are its
//! *returns*: a [`Member`] at depth k takes the histogram of the search shifted by k, plus one node
//! at each level from 1 to k (the chain above it), minus the return of each chain member, including
//! its own.

pub mod chains;
pub mod lists;
pub mod loops;
pub mod order;
pub mod quotient;

use chains::Chains;
use lists::Classes;
use quotient::Quotient;
use std::borrow::Cow;
use webrank_base::Node;
use webrank_graph::Csr;

/// Which reductions to make. Every choice gives the same distances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reductions {
    /// Nodes with equal rows share one search.
    pub equal_rows: bool,
    /// Nodes with one neighbour take their neighbour's histogram.
    pub chains: bool,
    /// Nodes that are reached together are collapsed.
    pub collapse: bool,
    /// Closed twins join the classes of both sides.
    pub twins: bool,
    /// Sources are in breadth-first order against the traversal, not in order of their ids.
    pub order: bool,
}

impl Reductions {
    /// Every reduction: the fastest on web graphs.
    pub const ALL: Reductions = Reductions {
        equal_rows: true,
        chains: true,
        collapse: true,
        twins: true,
        order: true,
    };

    /// No reduction.
    pub const NONE: Reductions = Reductions {
        equal_rows: false,
        chains: false,
        collapse: false,
        twins: false,
        order: false,
    };
}

/// A node that a search stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member {
    /// The node.
    pub node: Node,
    /// How many chain steps separate it from the search's class.
    pub depth: u32,
    /// The level at which the search came back to it, 0 for never; filled in by the search.
    pub returned: u32,
}

/// A graph prepared for searches from many of its nodes.
#[derive(Debug)]
pub struct Reduced<'g> {
    /// The rows to traverse, without self-loops.
    rows: Cow<'g, Csr>,
    chains: Chains,
    /// Row `leader`: the roots that the search of `leader` stands for.
    classes: Csr,
    /// One node for each search, in search order.
    leaders: Vec<Node>,
    quotient: Quotient,
    /// For each node, whether another node has an arc to it, in the direction of the traversal.
    is_entered: Box<[bool]>,
}

impl<'g> Reduced<'g> {
    /// Reduces a graph for searches along `rows`; `reverse` is its transpose.
    ///
    /// O(m log d + n log n), parallel. Takes about 4 bytes an arc (less what the reductions
    /// save) and 40 bytes a node, and as much again while it works.
    pub fn new(rows: &'g Csr, reverse: &'g Csr, steps: Reductions) -> Self {
        let n = rows.num_nodes();
        let (rows, (reverse, collapsed)) = rayon::join(
            || loops::strip(rows),
            || {
                let reverse = loops::strip(reverse);
                let collapsed = reached_together(&reverse, steps);
                (reverse, collapsed)
            },
        );
        let (quotient, (chains, classes, leaders)) = rayon::join(
            || Quotient::new(&rows, &collapsed),
            || {
                let chains = if steps.chains {
                    Chains::find(&rows)
                } else {
                    Chains::none(n)
                };
                let mut classes = if steps.equal_rows {
                    Classes::equal_rows(&rows, |x| chains.is_root(x))
                } else {
                    Classes::singletons(n)
                };
                if steps.twins {
                    classes.join_twins(&rows, |x| chains.is_root(x));
                }
                let searched = |&x: &Node| chains.is_root(x) && classes.leader[x as usize] == x;
                let leaders: Vec<Node> = if steps.order {
                    order::breadth_first(&reverse)
                        .into_iter()
                        .filter(searched)
                        .collect()
                } else {
                    (0..n as Node).filter(searched).collect()
                };
                (chains, classes.members(), leaders)
            },
        );
        let nodes = 0..n as Node;
        Reduced {
            is_entered: nodes.map(|x| reverse.degree(x) > 0).collect(),
            rows,
            chains,
            classes,
            leaders,
            quotient,
        }
    }

    /// The rows to traverse, without self-loops, before anything is collapsed.
    pub fn rows(&self) -> &Csr {
        &self.rows
    }

    /// The number of nodes of the original graph.
    pub fn num_nodes(&self) -> usize {
        self.rows.num_nodes()
    }

    /// One node for each search, in the order of searching; each node is a member of exactly one of
    /// them.
    pub fn leaders(&self) -> &[Node] {
        &self.leaders
    }

    /// The searches that stand for `nodes`, in the order of searching.
    pub fn leaders_of(&self, nodes: impl IntoIterator<Item = Node>) -> Vec<Node> {
        let mut class_of = vec![0; self.num_nodes()];
        for &leader in &self.leaders {
            for &root in self.classes.row(leader) {
                class_of[root as usize] = leader;
            }
        }
        let mut needed = vec![false; self.num_nodes()];
        for mut node in nodes {
            while !self.chains.is_root(node) {
                node = self.chains.parent[node as usize];
            }
            needed[class_of[node as usize] as usize] = true;
        }
        let leaders = self.leaders.iter().copied();
        leaders.filter(|&x| needed[x as usize]).collect()
    }

    /// The nodes at level 1 of the search of `leader`, as nodes of the quotient; with repeats.
    pub fn starts(&self, leader: Node) -> impl Iterator<Item = Node> {
        let row = self.rows.row(leader).iter();
        row.map(|&x| self.quotient.node_of[x as usize])
    }

    /// False only if no search can come back to `node`; true does not mean that one does.
    pub fn may_return(&self, node: Node) -> bool {
        self.is_entered[node as usize]
    }

    /// The graph to traverse.
    pub fn quotient(&self) -> &Quotient {
        &self.quotient
    }

    /// The bytes taken besides the graph that was reduced.
    pub fn memory(&self) -> u64 {
        let own_rows = match &self.rows {
            Cow::Owned(rows) => rows.memory(),
            Cow::Borrowed(_) => 0,
        };
        let nodes = 5 * self.num_nodes() as u64 + 4 * self.leaders.len() as u64;
        own_rows
            + nodes
            + self.chains.children.memory()
            + self.classes.memory()
            + self.quotient.memory()
    }

    /// Adds the nodes that the search of `leader` stands for. Every chain node comes after the node
    /// it hangs from, with no node of another chain between.
    pub fn members(&self, leader: Node, members: &mut Vec<Member>) {
        let mut waiting: Vec<(Node, u32)> = Vec::new();
        for &root in self.classes.row(leader) {
            waiting.push((root, 0));
            while let Some((node, depth)) = waiting.pop() {
                members.push(Member {
                    node,
                    depth,
                    returned: 0,
                });
                let children = self.chains.children.row(node).iter();
                waiting.extend(children.rev().map(|&child| (child, depth + 1)));
            }
        }
    }

    /// Whether the search of `leader` stands for closed twins: then every root's return is the
    /// leader's, whose distances they share.
    pub fn is_twins(&self, leader: Node) -> bool {
        match *self.classes.row(leader) {
            [_, second, ..] => self.rows.row(leader).binary_search(&second).is_ok(),
            _ => false,
        }
    }
}

fn reached_together(reverse: &Csr, steps: Reductions) -> Classes {
    let mut classes = if steps.collapse {
        Classes::equal_rows(reverse, |_| true)
    } else {
        Classes::singletons(reverse.num_nodes())
    };
    if steps.twins {
        classes.join_twins(reverse, |_| true);
    }
    classes
}
