//! Cutting a graph into shards.

mod bounds;
mod pack;
mod predecessors;
mod sparse;
mod spill;

use bounds::bounds;
pub use pack::PartPacker;
use predecessors::{Predecessors, in_memory};
pub use sparse::cut_sparse;
use spill::Spill;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use sux::bits::BitVec;
use webgraph::prelude::CompFlags;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::filled;
use webrank_base::output::{PendingDirectory, TemporaryFolder};
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_graph::Size;
use webrank_graph::arcs::temporary_files_of;
use webrank_graph::bundle::NamesWriter;
use webrank_graph::bvgraph::compress::{Scan, Scanned, arcs_of_part, compress_lists, parts};
use webrank_graph::longest::LongestRows;
use webrank_graph::shards::plan::{FORMAT, create_folder};
use webrank_graph::shards::touched::TouchedWriter;
use webrank_graph::shards::{AWAY, KIND, MAX_PARTS, NAMES, OWN, PLAN, PartPlan, Plan, TOUCHED};
use webrank_graph::{Direction, Graph};
use webrank_tables::text::names::Names;

/// The weight of a node beside its arcs, when ranges of equal weight are made.
const NODE_WEIGHT: u64 = 2;

/// The bytes of all buffers of temporary files, and of one.
const BUFFERS: usize = 32 << 20;
const BUFFER: Range<usize> = 1 << 12..1 << 20;

/// The lists that a row may copy from, and itself.
const WINDOW: usize = 8;

/// Blocks of rows for each thread that are routed before their rows are written.
const AT_ONCE: usize = 4;

/// A graph to be cut.
pub struct Cutter<'g> {
    graph: &'g Graph,
    predecessors: Predecessors,
    directory: PendingDirectory,
    /// The first node of each part, and the number of nodes.
    bounds: Vec<usize>,
    /// Which nodes have successors.
    live: BitVec,
    longest: LongestRows,
    /// The most arcs of blocks that are routed at once.
    routed: u64,
}

/// The shards that were written.
pub struct WrittenShards {
    /// The plan of the shards.
    pub plan: Plan,
    /// The bits of the rows of all parts.
    pub bits: u64,
}

impl<'g> Cutter<'g> {
    /// Fails if no shards could be written to `output`.
    ///
    /// # Errors
    /// If `output` exists; if there are no parts or too many.
    pub fn check(num_parts: usize, output: &Path) -> Result<()> {
        Self::begin(num_parts, output).map(drop)
    }

    fn begin(num_parts: usize, output: &Path) -> Result<PendingDirectory> {
        if num_parts == 0 || num_parts > MAX_PARTS {
            let remedy = format!("it must be from 1 to {MAX_PARTS}");
            return Err(Error::argument("parts", num_parts, remedy));
        }
        if output.exists() {
            let problem = "already exists; remove it, or name another folder";
            return Err(Error::file(output, problem));
        }
        PendingDirectory::create(output, KIND, false)
    }

    /// Cuts the nodes into ranges with about equal numbers of arcs and nodes; reads all rows once. The
    /// ranges depend on the graph alone.
    ///
    /// # Errors
    /// If `output` exists; if there are no parts or too many; if a file is damaged.
    pub fn new(
        graph: &'g Graph,
        num_parts: usize,
        output: &Path,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let directory = Self::begin(num_parts, output)?;
        let predecessors = Predecessors::of(graph, &temporary_files_of(output), progress)?;
        let n = graph.num_nodes();
        let outdegrees: Vec<u32> = filled(0, n, "the outdegrees")?;
        let outdegrees: Vec<AtomicU32> = outdegrees.into_iter().map(AtomicU32::new).collect();
        progress.begin("count arcs", Some(n as u64));
        let found = tasks::try_map(predecessors.blocks(), |block| {
            progress.check()?;
            let (mut arcs, nodes) = (0, block.len() as u64);
            let mut longest = LongestRows::none(WINDOW);
            predecessors.rows().for_rows(block, &mut |_, row| {
                arcs += row.len() as u64;
                longest.push(row.len());
                for &source in row {
                    outdegrees[source as usize].fetch_add(1, Relaxed);
                }
            })?;
            progress.advance(nodes);
            Ok::<_, Error>((arcs, longest))
        })?;
        progress.end();
        if let Predecessors::Disk(rows) | Predecessors::Sorted { rows, .. } = &predecessors {
            rows.check_count(found.iter().map(|(arcs, _)| arcs).sum())?;
        }
        let waves = found.chunks(AT_ONCE * rayon::current_num_threads());
        let routed = waves.map(|wave| wave.iter().map(|(arcs, _)| arcs).sum::<u64>());
        let weight = |node: &AtomicU32| u64::from(node.load(Relaxed)) + NODE_WEIGHT;
        let is_live = |node: &AtomicU32| node.load(Relaxed) > 0;
        Ok(Cutter {
            live: outdegrees.iter().map(is_live).collect(),
            bounds: bounds(outdegrees.iter().map(weight), num_parts),
            longest: (found.iter()).fold(LongestRows::none(WINDOW), |all, (_, longest)| {
                all.with(longest)
            }),
            routed: routed.max().unwrap_or(0),
            graph,
            predecessors,
            directory,
        })
    }

    /// The bytes that [`Self::write`] holds at most.
    pub fn needs(&self) -> u64 {
        // For each list of the window: what is read and what would be written, in doubling lists.
        let window = 5 * 8 * self.longest.sum(WINDOW);
        let of_thread = window + 4 * self.longest.sum(1) + (1 << 20);
        // Each thread has two parts that are compressed and not yet written.
        let (nodes, arcs) = (self.graph.num_nodes() as u64, self.graph.num_arcs());
        let threads = rayon::current_num_threads() as u64;
        let parts = parts(nodes as usize, arcs).len() as u64;
        let compressed = 8 * arcs_of_part(nodes, arcs) * parts.min(2 * threads);
        let of_nodes = match self.predecessors {
            Predecessors::Memory(_) => in_memory(self.graph),
            // Outdegrees, then nothing but offsets.
            _ => Size::of(self.graph).bytes_without_rows(6),
        };
        // A word for each arc, and two for what a node has of a part, in lists that double.
        let num_parts = self.bounds.len() - 1;
        let pieces = self.routed.min(nodes * num_parts as u64);
        let words = 6 * (self.routed + 2 * pieces);
        let buffers = (num_parts * self.buffer()) as u64;
        of_nodes + words + buffers + compressed + threads.min(parts) * of_thread
    }

    /// The bytes of the buffer of a part.
    fn buffer(&self) -> usize {
        let num_parts = self.bounds.len() - 1;
        (BUFFERS / num_parts).clamp(BUFFER.start, BUFFER.end)
    }

    /// Writes the shards. Temporary files are beside `output`: at most 4 bytes for each arc between
    /// parts, and 8 for each node that such arcs lead to, in each part.
    ///
    /// # Errors
    /// If a file cannot be read or written. Then nothing is left behind.
    pub fn write(self, output: &Path, progress: &dyn Progress) -> Result<WrittenShards> {
        let folder = self.directory.path().to_owned();
        let shape = self
            .fill(&folder, output, progress)
            .map_err(|problem| problem.moved(&folder, output))?;
        self.directory.finish()?;
        Ok(shape)
    }

    fn fill(&self, folder: &Path, output: &Path, progress: &dyn Progress) -> Result<WrittenShards> {
        let temporary = TemporaryFolder::create(&temporary_files_of(output))?;
        let spills = self.spill(&temporary, progress)?;
        let (mut plans, mut bits) = (Vec::new(), 0);
        for (part, spill) in spills.iter().enumerate() {
            let folder = create_folder(folder, part)?;
            let (plan, written) = self.write_part(part, spill, &folder, progress)?;
            plans.push(plan);
            bits += written;
        }
        let plan = Plan {
            format: FORMAT,
            made_by: concat!("webrank ", env!("CARGO_PKG_VERSION")).into(),
            nodes: self.graph.num_nodes() as u64,
            arcs: self.graph.num_arcs(),
            fingerprint: self.graph.fingerprint()?,
            has_names: self.graph.names().is_some(),
            has_integer_names: self.graph.names().is_some_and(Names::are_integers),
            parts: plans,
            checksum: String::new(),
        };
        let path = folder.join(PLAN);
        std::fs::write(&path, plan.to_text())
            .map_err(|source| Error::io(path, "cannot write", source))?;
        Ok(WrittenShards { plan, bits })
    }

    fn range(&self, part: usize) -> Range<usize> {
        self.bounds[part]..self.bounds[part + 1]
    }

    /// The rows of nodes that sources in other parts have arcs to, by the part of the sources.
    fn spill(&self, folder: &TemporaryFolder, progress: &dyn Progress) -> Result<Vec<Spill>> {
        let num_parts = self.bounds.len() - 1;
        let spill = |_| Ok(Spill::new(folder.new_file()?, self.buffer()));
        let mut spills: Vec<Spill> = (0..num_parts).map(spill).collect::<Result<_>>()?;
        progress.begin("cut", Some(self.graph.num_nodes() as u64));
        for wave in self
            .predecessors
            .blocks()
            .chunks(AT_ONCE * rayon::current_num_threads())
        {
            progress.check()?;
            let routed = tasks::try_map(wave, |block| {
                let mut away: BTreeMap<usize, Vec<Node>> = BTreeMap::new();
                self.predecessors
                    .rows()
                    .for_rows(block.clone(), &mut |node, row| {
                        self.route(node, row, &mut away);
                    })?;
                Ok::<_, Error>(away)
            })?;
            for (part, words) in routed.into_iter().flatten() {
                spills[part].append(&words)?;
            }
            progress.advance(wave.iter().map(|block| block.len() as u64).sum());
        }
        progress.end();
        spills.iter_mut().try_for_each(Spill::end)?;
        Ok(spills)
    }

    /// Adds the sources in each part to its rows of other nodes.
    fn route(&self, node: Node, row: &[Node], away: &mut BTreeMap<usize, Vec<Node>>) {
        let mut rest = row;
        while let [source, ..] = *rest {
            let part = self.part_of(source);
            let range = self.range(part);
            let length = rest.partition_point(|&source| (source as usize) < range.end);
            let (sources, others) = rest.split_at(length);
            rest = others;
            if range.contains(&(node as usize)) {
                continue;
            }
            let words = away.entry(part).or_default();
            words.extend([node, length as u32]);
            words.extend(sources.iter().map(|&source| source - range.start as Node));
        }
    }

    fn part_of(&self, node: Node) -> usize {
        self.bounds.partition_point(|&first| first <= node as usize) - 1
    }

    /// Writes the files of a part; returns what the plan says of it, and the bits of its rows.
    fn write_part(
        &self,
        part: usize,
        spill: &Spill,
        folder: &Path,
        progress: &dyn Progress,
    ) -> Result<(PartPlan, u64)> {
        let range = self.range(part);
        let first = range.start as Node;
        let own = |rows: Range<usize>, visit: &mut dyn FnMut(Node, &[Node]) -> Result<()>| {
            let rows = rows.start + range.start..rows.end + range.start;
            let mut local = Vec::new();
            self.predecessors.rows().try_rows(rows, &mut |node, row| {
                let start = row.partition_point(|&source| source < first);
                let inside = |&&source: &&Node| (source as usize) < range.end;
                local.clear();
                local.extend(
                    row[start..]
                        .iter()
                        .take_while(inside)
                        .map(|source| source - first),
                );
                visit(node - first, &local)
            })
        };
        let arcs = self.graph.num_arcs() / (self.bounds.len() as u64 - 1);
        let (own_arcs, own_bits) =
            write_rows(range.len(), arcs, &own, &folder.join(OWN), progress)?;
        let (away_arcs, away_bits) = write_away(range.len(), spill, folder, progress)?;
        let mut touched = vec![0; self.bounds.len() - 1];
        let mut touched_live = touched.clone();
        let mut list = TouchedWriter::create(&folder.join(TOUCHED), 0)?;
        spill.for_rows(0..spill.rows, &mut |node, _| {
            let part = self.part_of(node);
            touched[part] += 1;
            touched_live[part] += u64::from(self.live[node as usize]);
            list.push(u64::from(node));
            Ok(())
        })?;
        list.finish()?;
        if let Some(names) = self.graph.names() {
            let path = folder.join(NAMES);
            let mut out = NamesWriter::create(&path, &path, None)?;
            let mut nodes = range.clone();
            nodes.try_for_each(|node| out.push(names.get(node as Node)))?;
            out.finish()?;
        }
        let plan = PartPlan {
            first: range.start as u64,
            nodes: range.len() as u64,
            own_arcs,
            away_arcs,
            touched,
            live: range.filter(|&node| self.live[node]).count() as u64,
            touched_live,
            files: PartPlan::listing(folder)?,
        };
        Ok((plan, own_bits + away_bits))
    }
}

/// Compresses the rows of other nodes of a part with so many nodes.
fn write_away(
    num_nodes: usize,
    spill: &Spill,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<(u64, u64)> {
    let rows = |rows: Range<usize>, visit: &mut dyn FnMut(Node, &[Node]) -> Result<()>| {
        let mut row = rows.start as Node;
        spill.for_rows(rows, &mut |_, sources| {
            row += 1;
            visit(row - 1, sources)
        })
    };
    let num_rows = spill.rows.max(num_nodes);
    write_rows(num_rows, spill.arcs, &rows, &folder.join(AWAY), progress)
}

/// Compresses rows; returns the numbers of arcs and bits.
fn write_rows(
    num_nodes: usize,
    arcs: u64,
    scan: &Scan,
    basename: &Path,
    progress: &dyn Progress,
) -> Result<(u64, u64)> {
    let rows = Scanned {
        num_nodes,
        parts: parts(num_nodes, arcs),
        direction: Direction::In,
        scan,
    };
    let done = compress_lists(&rows, &CompFlags::default(), basename, progress)?;
    Ok((done.arcs, done.bits))
}
