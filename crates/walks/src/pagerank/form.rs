//! The forms in which PageRank can sweep a graph, and the memory that each takes.

use super::Dangling;
use super::Distribution;
use super::PageRank;
use super::compute::TOLERANCE;
use super::methods::auto::ARCS_OF_NODE;
use super::methods::many_seeds_kernels::WIDTH;
use super::methods::power::is_single;
use super::parameters::{Columns, Method};
use std::ops::Range;
use webrank_base::limits::Limits;
use webrank_graph::Graph;
use webrank_graph::Size;
use webrank_measure::Described;
use webrank_measure::cost_model;
use webrank_measure::cost_model::{
    EXTRAPOLATED, Passes, SHARDS, TimeEstimate, Times, most_sweeps, sweeps,
};
use webrank_measure::form::{
    Storage, StorageChoice, StorageOptions, buffers, packing, transposing,
};

/// Parts of a file that is streamed.
pub(super) const PARTS: u64 = 4 << 20;

/// The bytes per node of a distribution over all nodes, and of a part of it.
pub(super) const OF_VECTOR: u64 = 24;

impl PageRank {
    /// The forms that may be taken, and the bytes held in each.
    pub(super) fn forms<'a>(&'a self, graph: &'a Graph) -> StorageOptions<'a> {
        let needs = |form| (form, self.needs_in(form, graph));
        StorageOptions {
            measure: Self::ABOUT.name,
            graph,
            choice: self.form,
            temp: self.temp.as_deref(),
            needs: self.takes(graph).into_iter().map(needs).collect(),
            transposing: transposing(graph),
        }
    }

    /// The forms that may be taken, the fastest first. A sweep over rows in memory is faster than a
    /// streamed one on every graph that we have measured, by a factor of ten and more, and one over
    /// compact rows by a factor of five (`docs/src/measurements/pagerank-storage.md`). Vectors in files
    /// are for graphs of which not even these fit: then the disk decides how fast sweeps are.
    fn takes(&self, graph: &Graph) -> Vec<Storage> {
        match self.form {
            StorageChoice::Auto if graph.shards().is_some() => vec![Storage::Shards],
            StorageChoice::Runs => vec![Storage::Runs],
            StorageChoice::Compact => vec![Storage::Compact],
            StorageChoice::Disk => vec![Storage::Disk],
            StorageChoice::Streamed => vec![Storage::Streamed],
            StorageChoice::External => vec![Storage::External],
            StorageChoice::Auto => {
                let mut forms = vec![Storage::Runs];
                let is_power = !self.method.needs_rows_in_memory();
                if graph.source().is_none() || graph.has_weights() || !is_power {
                    return forms;
                }
                if !matches!(self.columns, Columns::Seeds(_)) {
                    forms.push(Storage::Disk);
                }
                if self.columns.parameter().is_none() && self.certify_top.is_none() {
                    forms.push(Storage::Streamed);
                    if self.vectors() == 0 {
                        forms.push(Storage::External);
                    }
                }
                forms
            }
        }
    }

    /// The bytes held in a form. The size of compact rows shows only when they are made.
    fn needs_in(&self, form: Storage, graph: &Graph) -> u64 {
        let size = Size::of(graph);
        match form {
            Storage::Runs => self.needs_in_memory(size),
            Storage::Compact | Storage::Disk => self.needs_packed(size, transposing(graph)),
            Storage::Streamed => self.needs_streamed(size),
            Storage::External => self.needs_external(graph),
            Storage::Shards => self.needs_of_shards(graph, size),
        }
    }

    /// The bytes held with rows in memory: while they are decoded, or while they are swept. Rows, scores and
    /// what ranks them take 38 a node, and vectors the others, in single precision unless alpha is near 1.
    /// Graphs with equal rows, or with nodes without successors, take less.
    pub fn needs_in_memory(&self, size: Size) -> u64 {
        self.needs_beside(size, self.columns_and_vectors())
    }

    /// [`Self::needs_in_memory`] with a preference vector that is not made yet.
    pub(super) fn needs_with_preference(&self, size: Size) -> u64 {
        self.needs_beside(size, self.columns_and_vectors() + OF_VECTOR)
    }

    /// [`Self::needs_in_memory`] with so many bytes per node of columns, proofs and distributions.
    fn needs_beside(&self, size: Size, more: u64) -> u64 {
        let swept = |of_node, of_arc| size.once_flat(of_node + more, of_arc);
        let power = match is_single(self.damping.get()) && more == 0 {
            true => 118,
            false => 150,
        };
        let needed = match self.method {
            _ if size.weights => size.bytes(145 + more, 30),
            Method::Components => size.bytes(145 + more, 13),
            // Components are taken only of graphs with few arcs.
            Method::Auto if size.arcs <= ARCS_OF_NODE * size.nodes => {
                swept(power, 4).max(swept(75, 12))
            }
            Method::Auto | Method::Power => swept(power, 4),
            Method::Plain => swept(150, 4),
            Method::GaussSeidel => swept(105, 4),
        };
        needed.max(size.while_decoding())
    }

    /// The bytes held with compact rows, without the rows: while they are packed, or while they are swept,
    /// with old iterates in memory. The buffers of threads that pack are for windows that are full: windows
    /// of random graphs hold a sixth.
    fn needs_packed(&self, size: Size, transposing: u64) -> u64 {
        let more = self.columns_and_vectors();
        let packing = packing(size, 48 + more).saturating_add(transposing);
        packing.max(size.once_flat(90 + more, 0).saturating_add(buffers()))
    }

    /// The bytes held without rows in memory.
    pub fn needs_streamed(&self, size: Size) -> u64 {
        // The scores, what is pushed or the result, their last change; offsets; the ranking.
        size.bytes_without_rows(40 + self.vectors()) + PARTS
    }

    /// About how long each of the forms takes.
    pub(super) fn seconds_in(&self, graph: &Graph, limits: &Limits) -> Times {
        let passes = Passes::over(graph);
        let seconds = |form| self.seconds_of_form(form, graph, limits, passes);
        let forms = self.takes(graph).into_iter();
        forms.map(seconds).collect()
    }

    fn seconds_of_form(
        &self,
        form: Storage,
        graph: &Graph,
        limits: &Limits,
        passes: Passes,
    ) -> Option<TimeEstimate> {
        let columns = match &self.columns {
            Columns::Score => 1,
            Columns::Derivative => 2,
            Columns::Alphas(alphas) => alphas.len(),
            Columns::Seeds(seeds) => seeds.len(),
        };
        let rows = || passes.reading(true) + passes.of(cost_model::PREPARE);
        let (reading, sweep) = match form {
            Storage::Runs if graph.has_weights() => (passes.reading(true), cost_model::WEIGHTED),
            Storage::Runs => match (&self.columns, self.method) {
                (Columns::Seeds(_), _) => (rows(), cost_model::LANES),
                (_, Method::Auto | Method::Power | Method::Plain) => (rows(), cost_model::RUNS),
                (_, Method::GaussSeidel | Method::Components) => (rows(), cost_model::IN_ORDER),
            },
            Storage::Compact | Storage::Disk => (rows(), cost_model::COMPACT),
            Storage::Streamed => (passes.reading(false), cost_model::STREAMED),
            // The disk decides.
            Storage::External => return None,
            Storage::Shards => {
                let [least, most] = SHARDS.map(|cost| passes.of_arcs(cost));
                let count = self.expected_sweeps(limits);
                return Some(TimeEstimate::between(count.start * least, count.end * most));
            }
        };
        let besides = reading + passes.writing(columns);
        let count = self.expected_sweeps(limits);
        Some(TimeEstimate::of_sweeps(besides, passes.of(sweep), count))
    }

    /// About how many sweeps all columns take together.
    fn expected_sweeps(&self, limits: &Limits) -> Range<f64> {
        let tolerance = limits.tolerance_or(TOLERANCE).get();
        let alpha = self.damping.get();
        let restart = 1.0 - alpha;
        let most = f64::from(limits.iterations());
        let one = |alpha: f64, tolerance: f64| -> Range<f64> {
            let plain = most_sweeps(alpha, tolerance);
            let sweeps = match self.method {
                Method::Plain => plain,
                Method::GaussSeidel => 0.5 * plain,
                // One where there are no cycles.
                Method::Components => return 3.0..0.5 * plain,
                Method::Auto | Method::Power => sweeps(alpha, tolerance),
            };
            // Positions that are close take a smaller error.
            let until_proved = if self.certify_top.is_some() { 2.0 } else { 1.0 };
            sweeps.min(most)..(until_proved * sweeps).min(most)
        };
        let times = |count: f64, range: Range<f64>| count * range.start..count * range.end;
        match &self.columns {
            Columns::Score => one(alpha, tolerance),
            Columns::Derivative => times(4.0, one(alpha, 0.49 * tolerance * restart)),
            Columns::Alphas(alphas) => {
                let each = alphas.iter().map(|alpha| one(alpha.get(), tolerance));
                each.fold(0.0..0.0, |sum, of| sum.start + of.start..sum.end + of.end)
            }
            Columns::Seeds(seeds) => {
                let together = seeds.len().div_ceil(WIDTH) as f64;
                let sweeps = EXTRAPOLATED * most_sweeps(alpha, 0.4 * tolerance);
                times(together, sweeps..sweeps)
            }
        }
    }

    /// The bytes a node of columns, proofs and distributions.
    fn columns_and_vectors(&self) -> u64 {
        let columns = match &self.columns {
            Columns::Score => 0,
            Columns::Derivative => 40,
            Columns::Alphas(alphas) => 20 + 12 * alphas.len() as u64,
            Columns::Seeds(seeds) => {
                let at_once = seeds.len().min(WIDTH * rayon::current_num_threads());
                (10 * seeds.len() + 26 * at_once) as u64
            }
        };
        let proof = if self.certify_top.is_some() { 50 } else { 0 };
        columns + proof + self.vectors()
    }

    /// The bytes a node of the distributions given.
    pub(super) fn vectors(&self) -> u64 {
        let is_vector =
            |distribution: &Distribution| !matches!(distribution, Distribution::Uniform);
        let dangling = matches!(&self.dangling, Dangling::Vector(given) if is_vector(given));
        let start = if self.start.is_some() { 16 } else { 0 };
        OF_VECTOR * (u64::from(is_vector(&self.preference)) + u64::from(dangling)) + start
    }
}
