//! Components of a graph by size, and its bow-tie.
//!
//! Definitions (Broder, Kumar, Maghoul, Raghavan, Rajagopalan, Stata, Tomkins and Wiener, "Graph
//! structure in the Web", Computer Networks 33, 2000), for the strong component with most nodes, or
//! of several the one with the smallest node:
//!
//! * **core**: its nodes;
//! * **in**: other nodes that reach the core;
//! * **out**: other nodes that the core reaches;
//! * **tubes**: nodes on ways from in to out that avoid the core;
//! * **tendrils**: all other nodes of the core's weak component: reached from in, or reaching out,
//!   or hanging on such nodes;
//! * **disconnected**: all other nodes.
//!
//! One direction suffices: strong components are numbered such that arcs lead to components of the
//! same or a lower number, so a sweep in order of the numbers follows ways of any length. O(n + m).

use super::Csr;
use super::components::StrongComponents;
use crate::Size;
use serde::Serialize;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory::filled;
use webrank_base::progress::Progress;

/// Disjoint sets of nodes, the largest first; of equal ones, the one with the smallest node.
pub struct Partition {
    /// The set of each node.
    pub set_of: Vec<Node>,
    /// The number of nodes in each set.
    pub sizes: Vec<Node>,
}

/// A part of the bow-tie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum BowTiePart {
    /// The largest strong component.
    Core,
    /// Nodes that reach it.
    In,
    /// Nodes that it reaches.
    Out,
    /// On ways from in to out.
    Tube,
    /// The rest of the core's weak component.
    Tendril,
    /// Other weak components.
    Disconnected,
}

/// The components of a graph, and its bow-tie.
pub struct Components {
    /// Strong components: the largest sets of nodes that all reach each other.
    pub strong: Partition,
    /// Weak components: the largest sets of nodes that all reach each other if arcs may be followed
    /// backwards.
    pub weak: Partition,
    /// The part of the bow-tie that each node is in.
    pub part_of: Vec<BowTiePart>,
}

impl BowTiePart {
    /// All parts.
    pub const ALL: [BowTiePart; 6] = [
        BowTiePart::Core,
        BowTiePart::In,
        BowTiePart::Out,
        BowTiePart::Tube,
        BowTiePart::Tendril,
        BowTiePart::Disconnected,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            BowTiePart::Core => "core",
            BowTiePart::In => "in",
            BowTiePart::Out => "out",
            BowTiePart::Tube => "tube",
            BowTiePart::Tendril => "tendril",
            BowTiePart::Disconnected => "disconnected",
        }
    }
}

impl Partition {
    /// Orders the sets with these numbers by size.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(mut set_of: Vec<Node>, num_sets: usize) -> Result<Self> {
        let mut sizes: Vec<Node> = filled(0, num_sets, "components")?;
        let mut first: Vec<Node> = filled(Node::MAX, num_sets, "components")?;
        for (node, &set) in set_of.iter().enumerate() {
            let set = set as usize;
            sizes[set] += 1;
            first[set] = first[set].min(node as Node);
        }
        let mut order: Vec<Node> = (0..num_sets as Node).collect();
        let size_and_first = |&set: &Node| (u32::MAX - sizes[set as usize], first[set as usize]);
        order.sort_unstable_by_key(size_and_first);
        let ordered = order.iter().map(|&set| sizes[set as usize]).collect();
        let mut place: Vec<Node> = first;
        for (new, &old) in order.iter().enumerate() {
            place[old as usize] = new as Node;
        }
        for set in &mut set_of {
            *set = place[*set as usize];
        }
        Ok(Partition {
            set_of,
            sizes: ordered,
        })
    }

    /// How many sets there are of each size, the largest first.
    pub fn distribution(&self) -> Vec<(Node, usize)> {
        let groups = self.sizes.chunk_by(|a, b| a == b);
        groups.map(|group| (group[0], group.len())).collect()
    }
}

impl Components {
    /// Finds the components of a graph by its rows of successors. O(n + m), one thread.
    ///
    /// # Errors
    /// If the user interrupts, or there is not enough memory.
    pub fn of(successors: &Csr, progress: &dyn Progress) -> Result<Self> {
        let strong = StrongComponents::new(successors, progress)?;
        progress.check()?;
        let weak = weak_components(successors)?;
        progress.check()?;
        let part_of = bow_tie(successors, &strong, &weak)?;
        let num_strong = strong.num_components();
        Ok(Components {
            strong: Partition::new(strong.component_of().to_vec(), num_strong)?,
            weak,
            part_of,
        })
    }

    /// How many nodes each part of the bow-tie has.
    pub fn parts(&self) -> [(BowTiePart, usize); 6] {
        let mut counts = [0; 6];
        for &part in &self.part_of {
            counts[part as usize] += 1;
        }
        BowTiePart::ALL.map(|part| (part, counts[part as usize]))
    }

    /// Peak memory of reading a graph and finding its components: its rows, and 34 bytes per node.
    /// Strong components take 20, ways through them 32, if each is a node, and their order by size 33; a
    /// graph with a large component takes about 15.
    pub fn needs(size: Size) -> u64 {
        size.while_decoding().max(size.once_decoded(8 + 34, 4))
    }
}

/// Weak components, by a forest of sets whose roots are their smallest nodes.
///
/// # Errors
/// If there is not enough memory.
pub fn weak_components(successors: &Csr) -> Result<Partition> {
    let n = successors.num_nodes();
    let mut parent: Vec<Node> = filled(0, n, "components")?;
    (0..n).for_each(|node| parent[node] = node as Node);
    for source in 0..n as Node {
        for &target in successors.row(source) {
            let (a, b) = (root(&mut parent, source), root(&mut parent, target));
            parent[a.max(b) as usize] = a.min(b);
        }
    }
    // A parent is smaller than its children, so its set is known before theirs.
    let mut num_sets = 0;
    for node in 0..n {
        let above = parent[node] as usize;
        parent[node] = if above == node {
            num_sets += 1;
            num_sets - 1
        } else {
            parent[above]
        };
    }
    Partition::new(parent, num_sets as usize)
}

/// The root of a node; paths are halved on the way.
fn root(parent: &mut [Node], mut node: Node) -> Node {
    while parent[node as usize] != node {
        let above = parent[parent[node as usize] as usize];
        parent[node as usize] = above;
        node = above;
    }
    node
}

fn bow_tie(
    successors: &Csr,
    strong: &StrongComponents,
    weak: &Partition,
) -> Result<Vec<BowTiePart>> {
    let n = successors.num_nodes();
    let of = strong.component_of();
    let Some(core) = largest(strong)? else {
        return Ok(Vec::new());
    };
    let sweep = Sweep {
        successors,
        of,
        members: strong.members(),
        num_components: strong.num_components(),
    };
    // By component: does it reach the core, and does the core reach it?
    let to_core = sweep.reaching(|component| component == core)?;
    let from_core = sweep.reached(|component| component == core, |_| true)?;
    let is_in = |component: usize| to_core[component] && component != core;
    let is_out = |component: usize| from_core[component] && component != core;
    let from_in = sweep.reached(is_in, |component| !from_core[component])?;
    let to_out = sweep.reaching(is_out)?;
    let core_node = of.iter().position(|&component| component as usize == core);
    let core_weak = core_node.map(|node| weak.set_of[node]);
    let mut part_of = filled(BowTiePart::Disconnected, n, "components")?;
    for (node, part) in part_of.iter_mut().enumerate() {
        let component = of[node] as usize;
        *part = match () {
            () if component == core => BowTiePart::Core,
            () if to_core[component] => BowTiePart::In,
            () if from_core[component] => BowTiePart::Out,
            () if from_in[component] && to_out[component] => BowTiePart::Tube,
            () if Some(weak.set_of[node]) == core_weak => BowTiePart::Tendril,
            () => BowTiePart::Disconnected,
        };
    }
    Ok(part_of)
}

/// The component with most nodes, or of several the one with the smallest node.
fn largest(strong: &StrongComponents) -> Result<Option<usize>> {
    let mut sizes: Vec<Node> = filled(0, strong.num_components(), "components")?;
    let of = strong.component_of();
    of.iter()
        .for_each(|&component| sizes[component as usize] += 1);
    let most = sizes.iter().max();
    let first = of
        .iter()
        .find(|&&component| Some(&sizes[component as usize]) == most);
    Ok(first.map(|&component| component as usize))
}

/// Sweeps over strong components along all arcs, or against them.
struct Sweep<'a> {
    successors: &'a Csr,
    of: &'a [Node],
    members: (Vec<usize>, Vec<Node>),
    num_components: usize,
}

impl Sweep<'_> {
    /// The components that arcs of this one lead to, itself included.
    fn next(&self, component: usize) -> impl Iterator<Item = usize> {
        let (starts, nodes) = &self.members;
        let members = nodes[starts[component]..starts[component + 1]].iter();
        let targets = members.flat_map(|&node| self.successors.row(node));
        targets.map(|&target| self.of[target as usize] as usize)
    }

    /// The components that some of `ends` are reached from, and those.
    fn reaching(&self, is_end: impl Fn(usize) -> bool) -> Result<Vec<bool>> {
        let mut reaching = filled(false, self.num_components, "components")?;
        for component in 0..self.num_components {
            let reaches = is_end(component) || self.next(component).any(|next| reaching[next]);
            reaching[component] = reaches;
        }
        Ok(reaching)
    }

    /// The components that some of `starts` reach through components that are `open`, and those.
    fn reached(
        &self,
        is_start: impl Fn(usize) -> bool,
        is_open: impl Fn(usize) -> bool,
    ) -> Result<Vec<bool>> {
        let mut reached = filled(false, self.num_components, "components")?;
        for component in (0..self.num_components).rev() {
            reached[component] |= is_start(component);
            if reached[component] {
                for next in self.next(component) {
                    reached[next] |= is_open(next);
                }
            }
        }
        Ok(reached)
    }
}
