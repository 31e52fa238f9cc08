//! Web-like graphs for benches and tests, the same everywhere.
//!
//! [`pages`] imitates a crawl: hosts of power-law sizes whose pages are consecutive and fall into
//! sections; pages of a section share a menu (runs of consecutive pages and a few others), so many
//! rows are equal and predecessors come in runs; links to other hosts copy earlier ones, so
//! indegrees follow a power law; a quarter of the nodes is dangling, a quarter links to itself.
//! [`hosts`] imitates a graph of hosts: five of six nodes are dangling, the others have power-law
//! outdegrees and copy each other's links. [`citations`] imitates papers: they cite earlier ones,
//! most of them recent, so there are no cycles.
#![allow(dead_code, reason = "each user uses the graphs that it needs")]

use webrank_base::Node;
use webrank_graph::Csr;

/// The generator splitmix64 of Steele, Lea and Flood, OOPSLA 2014.
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Below `n`, which is positive.
    pub fn below(&mut self, n: u64) -> u64 {
        ((self.bits() as u128 * n as u128) >> 64) as u64
    }

    /// True with probability 1/n.
    pub fn once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// At least `least`, above x with probability `least` / x, but at most `most`.
    pub fn power_law(&mut self, least: u64, most: u64) -> u64 {
        (least * most / (self.below(most) + 1)).clamp(least, most)
    }
}

/// A graph of `num_nodes` pages, about 11 arcs each, as successors.
pub fn pages(num_nodes: usize) -> Csr {
    let mut random = Random::new(1);
    let mut rows = RowsBuilder::new(num_nodes);
    let mut links = Vec::new();
    while !rows.is_full() {
        let first = rows.len() as Node;
        let size = random
            .power_law(8, 1 << 14)
            .min((num_nodes - rows.len()) as u64);
        host(&mut random, &mut rows, &mut links, first, size as Node);
    }
    rows.finish()
}

/// Adds the pages `first..first + size`; `links` are the targets of the links between hosts so far.
fn host(
    random: &mut Random,
    rows: &mut RowsBuilder,
    links: &mut Vec<Node>,
    first: Node,
    size: Node,
) {
    let page = |random: &mut Random| first + random.below(size as u64) as Node;
    let menu_of_host: Vec<Node> = (first..first + size.min(6)).collect();
    let mut done = 0;
    while done < size {
        let section = first + done..first + (done + random.power_law(4, 256) as Node).min(size);
        done = section.end - first;
        let mut menu = menu_of_host.clone();
        let run = section.start..section.end.min(section.start + random.below(14) as Node);
        menu.extend(run);
        menu.extend((0..random.below(3)).map(|_| page(random)));
        for node in section.clone() {
            if random.once_in(4) {
                rows.push(&mut []);
                continue;
            }
            let mut row = menu.clone();
            if random.once_in(12) {
                row.push(node);
            }
            if random.once_in(2) {
                row.extend((0..random.below(5)).map(|_| {
                    let near = node as i64 + random.below(41) as i64 - 20;
                    near.clamp(first as i64, (first + size) as i64 - 1) as Node
                }));
            }
            if random.once_in(4) {
                let target = copied(random, links, rows.num_nodes);
                row.push(target);
                links.push(target);
            }
            rows.push(&mut row);
        }
    }
}

/// A graph of `num_nodes` hosts, about 6 arcs each, as successors.
pub fn hosts(num_nodes: usize) -> Csr {
    linking_hosts(num_nodes, 6, 6)
}

/// A graph of `num_nodes` hosts, about 30 arcs each, as successors: half of them are dangling, as
/// in a selection of hosts that link much.
pub fn dense_hosts(num_nodes: usize) -> Csr {
    linking_hosts(num_nodes, 2, 12)
}

/// One of `rare` hosts has links, `least` or more.
fn linking_hosts(num_nodes: usize, rare: u64, least: u64) -> Csr {
    let mut random = Random::new(2);
    let mut rows = RowsBuilder::new(num_nodes);
    let mut links = Vec::new();
    while !rows.is_full() {
        let mut row = Vec::new();
        if random.once_in(rare) {
            for _ in 0..random.power_law(least, 4000) {
                let target = match random.below(8) {
                    0 => rows.len() as u64,
                    1 | 2 => (rows.len() as u64 + random.below(64)).saturating_sub(32),
                    _ => copied(&mut random, &links, num_nodes) as u64,
                };
                row.push(target.min(num_nodes as u64 - 1) as Node);
            }
            links.extend_from_slice(&row);
        }
        rows.push(&mut row);
    }
    rows.finish()
}

/// An acyclic graph of `num_nodes` papers, about 19 arcs each, as successors.
pub fn citations(num_nodes: usize) -> Csr {
    let mut random = Random::new(3);
    let mut rows = RowsBuilder::new(num_nodes);
    while !rows.is_full() {
        let paper = rows.len() as u64;
        let mut row = Vec::new();
        for _ in 0..20.min(paper) {
            let back = match random.below(10) {
                0..7 => random.power_law(50, 1 << 20),
                _ => 1 + random.below(paper),
            };
            row.extend(paper.checked_sub(back).map(|cited| cited as Node));
        }
        rows.push(&mut row);
    }
    rows.finish()
}

/// The target of an earlier link, or sometimes any node.
fn copied(random: &mut Random, links: &[Node], num_nodes: usize) -> Node {
    if links.is_empty() || random.once_in(5) {
        return random.below(num_nodes as u64) as Node;
    }
    links[random.below(links.len() as u64) as usize]
}

struct RowsBuilder {
    num_nodes: usize,
    offsets: Vec<u64>,
    targets: Vec<Node>,
}

impl RowsBuilder {
    fn new(num_nodes: usize) -> Self {
        RowsBuilder {
            num_nodes,
            offsets: vec![0],
            targets: Vec::new(),
        }
    }

    fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    fn is_full(&self) -> bool {
        self.len() == self.num_nodes
    }

    fn push(&mut self, row: &mut [Node]) {
        row.sort_unstable();
        let first = self.targets.len();
        for &target in row.iter() {
            if self.targets[first..].last() != Some(&target) {
                self.targets.push(target);
            }
        }
        self.offsets.push(self.targets.len() as u64);
    }

    fn finish(self) -> Csr {
        Csr::new(self.offsets, self.targets).expect("rows are sorted and within the graph")
    }
}
