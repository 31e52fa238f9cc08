//! Exact betweenness whose sums are kept in a checkpoint: those over consecutive batches, which are
//! added along the same tree as without one.

use super::batched::PartialSums;
use crate::betweenness::pairwise::{Parts, pairwise_sum_kept};
use webrank_base::Node;
use webrank_base::checkpoint::{Checkpoint, CheckpointReader, CheckpointWriter, Stage};
use webrank_base::error::{Error, Result};
use webrank_base::progress::Progress;

/// The sum over all `batches`: that of each `leaf` of them comes from `part`, which is given a batch
/// at a time.
pub(super) fn sum_kept(
    checkpoint: &Checkpoint,
    batches: &[&[Node]],
    leaf: usize,
    search: &(impl Fn(&[Node], &mut PartialSums) -> Result<()> + Sync),
    start: &(impl Fn() -> PartialSums + Sync),
    progress: &dyn Progress,
) -> Result<PartialSums> {
    let (keeping, found) = checkpoint.begin("exact betweenness", progress)?;
    let known = match found {
        Some(found) => restore(found, batches.len().div_ceil(leaf), start)?,
        None => Parts::new(),
    };
    let known_leaves = known.keys().map(|(first, end)| first * leaf..end * leaf);
    let known_batches = known_leaves.flat_map(|range| {
        let end = range.end.min(batches.len());
        &batches[range.start.min(end)..end]
    });
    progress.advance(known_batches.map(|batch| batch.len() as u64).sum());
    let part = |batches: &[&[Node]]| {
        let mut part = start();
        for batch in batches {
            if keeping.is_asked_to_stop() {
                return Err(Error::Interrupted);
            }
            search(batch, &mut part)?;
        }
        Ok(part)
    };
    let save = |parts: &Parts<PartialSums>, count| save(&keeping, parts, count);
    let total = pairwise_sum_kept(
        batches,
        leaf,
        &part,
        &PartialSums::plus,
        known,
        &keeping,
        &save,
    )?;
    keeping.end()?;
    Ok(total)
}

fn save(keeping: &Stage, parts: &Parts<PartialSums>, count: usize) -> Result<()> {
    let done: usize = parts.keys().map(|(first, end)| end - first).sum();
    keeping.keep(&format!("part {done} of {count}"), |to| {
        to.list(parts.len(), parts.keys().map(|&(first, _)| first as u32))?;
        to.list(parts.len(), parts.keys().map(|&(_, end)| end as u32))?;
        parts.values().try_for_each(|part| save_part(part, to))
    })
}

/// 8 bytes for each group of nodes, and 12 for each credit.
fn save_part(part: &PartialSums, to: &mut CheckpointWriter) -> Result<()> {
    to.numbers(&[part.of_dependencies, part.additions])?;
    to.numbers(&part.groups)?;
    let (count, credits) = (part.credits.len(), part.credits.iter());
    to.list(count, credits.clone().map(|&(node, _)| node))?;
    to.list(count, credits.map(|&(_, credit)| credit))
}

fn restore(
    mut found: CheckpointReader,
    count: usize,
    start: &impl Fn() -> PartialSums,
) -> Result<Parts<PartialSums>> {
    let firsts: Vec<u32> = found.list(count)?;
    let mut ends = vec![0u32; firsts.len()];
    found.fill(&mut ends)?;
    let mut parts = Parts::new();
    for (first, end) in firsts.into_iter().zip(ends) {
        let mut part = start();
        let mut numbers = [0; 2];
        found.fill(&mut numbers)?;
        [part.of_dependencies, part.additions] = numbers;
        found.fill(&mut part.groups)?;
        let nodes: Vec<Node> = found.list(u32::MAX as usize)?;
        let mut credits = vec![0.0; nodes.len()];
        found.fill(&mut credits)?;
        part.credits = nodes.into_iter().zip(credits).collect();
        if first >= end || end as usize > count {
            return Err(found.damaged());
        }
        parts.insert((first as usize, end as usize), part);
    }
    found.end()?;
    Ok(parts)
}
