//! Batches of searches, in parallel, on a graph reduced as far as exactness allows.
//!
//! * Sources with equal successor lists share a search, and a node with a single successor uses its
//!   successor's search ([`Reduced`]);
//! * classes of nodes that no search distinguishes are traversed as one ([`Folded`]);
//! * searches are ordered by a breadth-first search AGAINST the arcs, so that the lanes of a batch
//!   reach mostly the same nodes at the same levels.
//!
//! Scores are sums over batches, added pairwise along a tree that the number of batches determines:
//! no bit depends on threads.

use super::batch::BatchWorkspace;
use super::checkpoint::sum_kept;
use super::folded::Folded;
use super::pendant_paths::ChainFamily;
use super::source_weights::SourceWeights;
use crate::betweenness::pairwise::{added, pairwise_sum};
use crate::betweenness::path_count::Wide;
use crate::betweenness::single_source::{DependencySearch, PathGraph};
use crate::probe;
use crate::reduction::{Member, Reduced, Reductions};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::parallel::simd::Simd;
use webrank_base::parallel::tasks;
use webrank_base::parallel::workspaces::Pool;
use webrank_base::progress::Progress;
use webrank_graph::{Csr, Predecessors, Successors};

/// A graph ready for searches, and the sources to search from.
pub struct BatchedBrandes<'g> {
    graph: Reduced<'g>,
    folded: Folded,
    leaders: Vec<Node>,
    /// Whether each node is a source; `None` if all are.
    is_source: Option<Box<[bool]>>,
    simd: Simd,
}

/// The maximal number of partial sums, each over consecutive batches.
const PARTS: usize = 256;

/// The dependencies of all sources together.
pub struct Dependencies {
    /// The sum for each node.
    pub sums: Vec<f64>,
    /// The roundings behind each: see [`ties`](crate::betweenness::ties).
    pub roundings: u64,
}

/// The sums over some batches.
pub(super) struct PartialSums {
    /// The dependencies on the nodes of each group.
    pub(super) groups: Vec<f64>,
    /// The roundings behind each dependency that is added.
    pub(super) of_dependencies: u64,
    /// The number of dependencies and partial sums that were added one after another.
    pub(super) additions: u64,
    /// The credits of chain nodes; no node is in two parts.
    pub(super) credits: Vec<(Node, f64)>,
}

impl<'g> BatchedBrandes<'g> {
    /// Reduces a graph; `predecessors` is the transpose of `successors`. With `sources`, an
    /// increasing list, only paths from those nodes count.
    pub fn new(
        successors: Successors<'g, Csr>,
        predecessors: Predecessors<'g, Csr>,
        sources: Option<&[Node]>,
        steps: Reductions,
        simd: Simd,
    ) -> Self {
        // Closed twins are at distance 1 from each other, and no class of the traversed side.
        let steps = Reductions {
            twins: false,
            ..steps
        };
        let graph = Reduced::new(successors.0, predecessors.0, steps);
        let folded = Folded::new(&graph, steps.collapse);
        let is_source = sources.map(|sources| {
            let mut is_source = vec![false; graph.num_nodes()];
            for &source in sources {
                is_source[source as usize] = true;
            }
            is_source.into_boxed_slice()
        });
        let mut leaders = match sources {
            Some(sources) => graph.leaders_of(sources.iter().copied()),
            None => graph.leaders().to_vec(),
        };
        // Leaders that reach nothing come last: their batches search nothing.
        leaders.sort_by_key(|&leader| graph.starts(leader).next().is_none());
        BatchedBrandes {
            graph,
            folded,
            leaders,
            is_source,
            simd,
        }
    }

    /// The number of searches.
    pub fn searches(&self) -> u64 {
        self.leaders.len() as u64
    }

    /// The bytes that a run with `threads` threads takes, without the graph.
    pub fn memory<const L: usize>(&self, threads: usize) -> u64 {
        let (classes, groups) = (self.folded.num_classes(), self.folded.num_groups());
        // The values, two masks, entries for three levels, and the recorded hits.
        let workspace =
            classes as u64 * (8 * L as u64 + 16 + 48) + 16 * self.most_recorded() as u64;
        let parts = 8 * groups as u64 * (2 + PARTS.ilog2() as u64);
        self.graph.memory() + self.folded.memory() + threads as u64 * (workspace + parts)
    }

    fn workspace<const L: usize>(&self) -> BatchWorkspace<L> {
        BatchWorkspace::new(&self.folded, self.most_recorded())
    }

    /// The maximal number of hits to record. On web graphs, one arc in twenty is recorded.
    fn most_recorded(&self) -> usize {
        self.folded.num_arcs() as usize / 2
    }

    /// The dependency of all sources on each node, summed.
    pub fn run<const L: usize>(&self, progress: &dyn Progress) -> Result<Dependencies> {
        let workspaces = Pool::new(|| self.workspace::<L>());
        let batches: Vec<&[Node]> = self.leaders.chunks(L).collect();
        let leaf = batches.len().div_ceil(PARTS).max(1);
        let start = || PartialSums::new(&self.folded);
        let search = |batch: &[Node], part: &mut PartialSums| {
            workspaces.with(|workspace| self.search(workspace, batch, part, progress))?;
            progress.advance(batch.len() as u64);
            Ok(())
        };
        let search_all = |batches: &[&[Node]]| {
            let mut part = start();
            batches
                .iter()
                .try_for_each(|batch| search(batch, &mut part))?;
            Ok(part)
        };
        let total = match progress.checkpoint() {
            Some(kept) => sum_kept(kept, &batches, leaf, &search, &start, progress)?,
            None => pairwise_sum(&batches, leaf, &search_all, &PartialSums::plus)?,
        };
        let groups = self.folded.group_of().iter();
        let mut sums: Vec<f64> = groups.map(|&group| total.groups[group as usize]).collect();
        for (node, credit) in total.credits {
            sums[node as usize] += credit;
        }
        // Each node has one credit, which is an integer.
        let roundings = total.of_dependencies + total.additions + 1;
        Ok(Dependencies { sums, roundings })
    }

    /// An estimate of the seconds that a run takes with the current number of threads.
    pub fn seconds<const L: usize>(&self, progress: &dyn Progress) -> Result<f64> {
        let workspaces = Pool::new(|| self.workspace::<L>());
        let batches: Vec<&[Node]> = self.leaders.chunks(L).collect();
        probe::seconds(batches.len(), progress, |parts| {
            tasks::try_map(parts.iter(), |&part| {
                let mut sums = PartialSums::new(&self.folded);
                let search =
                    |workspace: &mut _| self.search(workspace, batches[part], &mut sums, progress);
                workspaces.with(search)
            })?;
            Ok(())
        })
    }

    /// Searches from at most L leaders.
    fn search<const L: usize>(
        &self,
        workspace: &mut BatchWorkspace<L>,
        leaders: &[Node],
        part: &mut PartialSums,
        progress: &dyn Progress,
    ) -> Result<()> {
        progress.check()?;
        let class_of = &self.graph.quotient().node_of;
        let families: Vec<ChainFamily> =
            leaders.iter().map(|&leader| self.family(leader)).collect();
        let mut weights = [0.0; L];
        let mut corrections = Vec::new();
        for (lane, (&leader, family)) in leaders.iter().zip(&families).enumerate() {
            for class in self.graph.starts(leader) {
                workspace.start(class, lane);
            }
            weights[lane] = family.weight();
            for (node, sources) in family.sources() {
                if self.graph.may_return(node) {
                    corrections.push((class_of[node as usize], lane as u32, sources));
                }
            }
        }
        if workspace.forward(&self.folded, self.simd) {
            let starts = SourceWeights::new(weights, corrections);
            workspace.backward(&self.folded, &starts, &mut part.groups, self.simd);
            // A class adds once for each level at which it stands in some lane.
            part.add(workspace.roundings(&self.folded), workspace.levels().min(L));
            for (lane, family) in families.iter().enumerate() {
                family.credits(
                    workspace.reached(lane),
                    |node| workspace.has_reached(class_of[node as usize], lane),
                    |node, credit| part.credits.push((node, credit)),
                );
            }
            workspace.clear();
            return Ok(());
        }
        workspace.clear();
        self.search_widely(&families, part, progress)
    }

    /// This search one source at a time, with numbers of paths of any size.
    #[cold]
    fn search_widely(
        &self,
        families: &[ChainFamily],
        part: &mut PartialSums,
        progress: &dyn Progress,
    ) -> Result<()> {
        let rows = self.graph.rows();
        let mut search = DependencySearch::new(rows.paths::<Wide>(), rows.num_nodes());
        let (group_of, first_node) = (self.folded.group_of(), self.folded.first_node());
        let members = families.iter().flat_map(|family| family.sources());
        for (source, _) in members.filter(|&(node, _)| self.is_source(node)) {
            progress.check()?;
            search.dependencies(source, no_arc, |v, dependency| {
                let group = group_of[v as usize] as usize;
                if first_node[group] == v {
                    part.groups[group] += dependency;
                }
            });
            part.add(search.roundings(), 1);
        }
        Ok(())
    }

    fn family(&self, leader: Node) -> ChainFamily {
        let mut members: Vec<Member> = Vec::new();
        self.graph.members(leader, &mut members);
        ChainFamily::new(members, |node| self.is_source(node))
    }

    fn is_source(&self, node: Node) -> bool {
        let is_source = self.is_source.as_ref();
        is_source.is_none_or(|is_source| is_source[node as usize])
    }
}

/// The callback of searches that need nodes only.
pub(crate) fn no_arc(_index: usize, _share: f64) {}

impl PartialSums {
    fn new(graph: &Folded) -> Self {
        PartialSums {
            groups: vec![0.0; graph.num_groups()],
            of_dependencies: 0,
            additions: 0,
            credits: Vec::new(),
        }
    }

    /// Records that dependencies with `roundings` were added, at most `additions` per group.
    fn add(&mut self, roundings: u64, additions: usize) {
        self.of_dependencies = self.of_dependencies.max(roundings);
        self.additions += additions as u64;
    }

    pub(super) fn plus(mut self, other: PartialSums) -> PartialSums {
        self.of_dependencies = self.of_dependencies.max(other.of_dependencies);
        self.additions = self.additions.max(other.additions) + 1;
        self.groups = added(self.groups, other.groups);
        self.credits.extend(other.credits);
        self
    }
}
