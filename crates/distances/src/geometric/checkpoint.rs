//! Exact searches whose sums are kept in a checkpoint: those of the batches that are done.

use super::exact::{Exact, NodeSums, SummedBatch, Summing};
use crate::traversal::histograms::{Engine, Searched, histograms_by};
use ethnum::U256;
use std::slice;
use webrank_base::Node;
use webrank_base::checkpoint::{Checkpoint, StateVisitor, map_kept};
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use xxhash_rust::xxh3::Xxh3;

/// The name of the searches in checkpoints.
pub(super) const EXACT: &str = "exact distances";

/// The sums of a batch, and the arcs that it followed.
type Done = (SummedBatch, u64);

impl Exact<'_> {
    /// Searches from all leaders of the graph; goes on from what the checkpoint holds.
    ///
    /// A file takes up to 20 bytes a node, and 32 for each term.
    pub(super) fn search_kept(
        &self,
        summing: &Summing,
        checkpoint: &Checkpoint,
        progress: &dyn Progress,
    ) -> Result<Searched<SummedBatch>> {
        let (keeping, found) = checkpoint.begin(EXACT, progress)?;
        let leaders = self.graph.leaders();
        let searched = histograms_by(
            &self.graph,
            leaders,
            Engine::default(),
            || summing.start(),
            |batch, node, histogram| summing.add(batch, node, histogram),
            |batches, search| {
                let mut done: Vec<Option<Done>> = batches.iter().map(|_| None).collect();
                let searches = (leaders, self.graph.num_nodes());
                if let Some(mut found) = found {
                    let visitor = StateVisitor::Restore(Some(&mut found));
                    summing.visit(visitor, searches, &mut done)?;
                    found.end()?;
                }
                let known = batches.iter().zip(&done);
                let known = known.filter(|(_, done)| done.is_some());
                progress.resume(known.map(|(batch, _)| batch.len() as u64).sum());
                let save = |done: &mut [Option<Done>]| {
                    let count = done.iter().flatten().count();
                    let at = format!("batch {count} of {}", done.len());
                    keeping.keep(&at, |to| {
                        summing.visit(StateVisitor::Save(Some(to)), searches, done)
                    })
                };
                map_kept(&keeping, batches.iter().copied(), done, search, save)
            },
            progress,
        )?;
        keeping.end()?;
        Ok(searched)
    }
}

/// The order of searches, which numbers the batches.
fn order(leaders: &[Node]) -> u64 {
    let mut hash = Xxh3::new();
    let bytes = leaders.iter().map(|leader| leader.to_le_bytes());
    bytes.for_each(|bytes| hash.update(&bytes));
    hash.digest()
}

impl Summing<'_> {
    /// Visits the sums of the batches that are done.
    fn visit(
        &self,
        mut visitor: StateVisitor,
        (leaders, num_nodes): (&[Node], usize),
        done: &mut [Option<Done>],
    ) -> Result<()> {
        let mut its_order = [order(leaders)];
        let mut is_done: Vec<u8> = done.iter().map(|done| u8::from(done.is_some())).collect();
        visitor.numbers(&mut its_order)?;
        visitor.numbers(&mut is_done)?;
        visitor.check(its_order == [order(leaders)])?;
        let batches = done.iter_mut().zip(is_done);
        for (done, _) in batches.filter(|(_, is_done)| *is_done == 1) {
            let done = done.get_or_insert_with(|| (self.start(), 0));
            self.visit_batch(&mut visitor, num_nodes, done)?;
        }
        Ok(())
    }

    fn visit_batch(
        &self,
        visitor: &mut StateVisitor,
        num_nodes: usize,
        (batch, arcs): &mut Done,
    ) -> Result<()> {
        visitor.numbers(slice::from_mut(arcs))?;
        visitor.list(&mut batch.nodes, num_nodes)?;
        let is_node = |&node: &Node| (node as usize) < num_nodes;
        visitor.check(batch.nodes.iter().all(is_node))?;
        let n = batch.nodes.len();
        batch.sums.resize(n, NodeSums::default());
        visitor.column(&mut batch.sums, |sums| &mut sums.distances)?;
        visitor.column(&mut batch.sums, |sums| &mut sums.reached)?;
        visitor.column(&mut batch.sums, |sums| &mut sums.eccentricity)?;
        let words = batch.grains.iter().flat_map(|grains| {
            let (high, low) = grains.into_words();
            [
                low as u64,
                (low >> 64) as u64,
                high as u64,
                (high >> 64) as u64,
            ]
        });
        let mut words: Vec<u64> = words.collect();
        words.resize(4 * n * self.num_terms(), 0);
        visitor.numbers(&mut words)?;
        if visitor.is_restoring() {
            let grains = words.chunks_exact(4).map(|words| {
                let [a, b, c, d] = [0, 1, 2, 3].map(|place| u128::from(words[place]));
                U256::from_words(d << 64 | c, b << 64 | a)
            });
            batch.grains = grains.collect();
        }
        Ok(())
    }
}
