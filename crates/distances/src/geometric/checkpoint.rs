//! Exact searches whose sums are kept in a checkpoint: those of the batches that are done.

use super::exact::{Exact, NodeSums, SummedBatch, Summing};
use crate::traversal::histograms::{Engine, Searched, histograms_by};
use ethnum::U256;
use webrank_base::Node;
use webrank_base::checkpoint::{Checkpoint, CheckpointReader, CheckpointWriter, Stage, map_kept};
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use xxhash_rust::xxh3::Xxh3;

/// What checkpoints name the searches.
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
                if let Some(found) = found {
                    restore(found, leaders, summing, self.graph.num_nodes(), &mut done)?;
                }
                let known = batches.iter().zip(&done);
                let known = known.filter(|(_, done)| done.is_some());
                progress.advance(known.map(|(batch, _)| batch.len() as u64).sum());
                let save = |done: &[Option<Done>]| save(&keeping, leaders, done);
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

fn save(keeping: &Stage, leaders: &[Node], done: &[Option<Done>]) -> Result<()> {
    let count = done.iter().flatten().count();
    let at = format!("batch {count} of {}", done.len());
    keeping.keep(&at, |to| {
        to.numbers(&[order(leaders)])?;
        to.list(done.len(), done.iter().map(|done| u8::from(done.is_some())))?;
        let mut batches = done.iter().flatten();
        batches.try_for_each(|(batch, arcs)| save_batch(batch, *arcs, to))
    })
}

fn save_batch(batch: &SummedBatch, arcs: u64, to: &mut CheckpointWriter) -> Result<()> {
    let (n, sums) = (batch.sums.len(), batch.sums.iter());
    to.numbers(&[arcs])?;
    to.numbers(&batch.nodes)?;
    to.list(n, sums.clone().map(|sums| sums.distances))?;
    to.list(n, sums.clone().map(|sums| sums.reached))?;
    to.list(n, sums.map(|sums| sums.eccentricity))?;
    let words = batch.grains.iter().flat_map(|grains| {
        let (high, low) = grains.into_words();
        [
            low as u64,
            (low >> 64) as u64,
            high as u64,
            (high >> 64) as u64,
        ]
    });
    to.list(4 * batch.grains.len(), words)
}

fn restore(
    mut found: CheckpointReader,
    leaders: &[Node],
    summing: &Summing,
    num_nodes: usize,
    done: &mut [Option<Done>],
) -> Result<()> {
    let (mut its_order, mut is_done) = ([0], vec![0u8; done.len()]);
    found.fill(&mut its_order)?;
    found.fill(&mut is_done)?;
    if its_order != [order(leaders)] {
        return Err(found.damaged());
    }
    for (done, _) in done
        .iter_mut()
        .zip(is_done)
        .filter(|(_, is_done)| *is_done == 1)
    {
        *done = Some(restore_batch(&mut found, summing, num_nodes)?);
    }
    found.end()
}

fn restore_batch(
    found: &mut CheckpointReader,
    summing: &Summing,
    num_nodes: usize,
) -> Result<Done> {
    let mut arcs = [0];
    found.fill(&mut arcs)?;
    let mut batch = summing.start();
    batch.nodes = found.list(num_nodes)?;
    if batch.nodes.iter().any(|&node| node as usize >= num_nodes) {
        return Err(found.damaged());
    }
    let n = batch.nodes.len();
    let (mut distances, mut reached, mut eccentricities) = (vec![0; n], vec![0; n], vec![0; n]);
    found.fill(&mut distances)?;
    found.fill(&mut reached)?;
    found.fill(&mut eccentricities)?;
    let sums = distances.into_iter().zip(reached).zip(eccentricities);
    let sums = sums.map(|((distances, reached), eccentricity)| NodeSums {
        distances,
        reached,
        eccentricity,
    });
    batch.sums = sums.collect();
    let mut words = vec![0u64; 4 * n * summing.num_terms()];
    found.fill(&mut words)?;
    let grains = words.chunks_exact(4).map(|words| {
        let [a, b, c, d] = [0, 1, 2, 3].map(|place| u128::from(words[place]));
        U256::from_words(d << 64 | c, b << 64 | a)
    });
    batch.grains = grains.collect();
    Ok((batch, arcs[0]))
}
