//! Exact betweenness whose sums are kept in a checkpoint: those over consecutive batches, which are
//! added along the same tree as without one.

use super::batched::PartialSums;
use crate::betweenness::pairwise::{Parts, pairwise_sum_kept, visit_parts};
use webrank_base::Node;
use webrank_base::checkpoint::{Checkpoint, StateVisitor};
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
    let mut known = Parts::new();
    if let Some(mut found) = found {
        let count = batches.len().div_ceil(leaf);
        let visitor = StateVisitor::Restore(Some(&mut found));
        visit_parts(visitor, &mut known, count, start, visit_part)?;
        found.end()?;
    }
    let known_leaves = known.keys().map(|(first, end)| first * leaf..end * leaf);
    let known_batches = known_leaves.flat_map(|range| {
        let end = range.end.min(batches.len());
        &batches[range.start.min(end)..end]
    });
    progress.resume(known_batches.map(|batch| batch.len() as u64).sum());
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
    let save = |parts: &mut Parts<PartialSums>, count| {
        let done: usize = parts.keys().map(|(first, end)| end - first).sum();
        keeping.keep(&format!("part {done} of {count}"), |to| {
            let visitor = StateVisitor::Save(Some(to));
            visit_parts(visitor, parts, count, start, visit_part)
        })
    };
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

/// 8 bytes for each group of nodes, and 12 for each credit.
fn visit_part(part: &mut PartialSums, visitor: &mut StateVisitor) -> Result<()> {
    let mut numbers = [part.of_dependencies, part.additions];
    visitor.numbers(&mut numbers)?;
    [part.of_dependencies, part.additions] = numbers;
    visitor.numbers(&mut part.groups)?;
    let most = u32::MAX as usize;
    visitor.first_column(&mut part.credits, most, |credit| &mut credit.0)?;
    visitor.column(&mut part.credits, |credit| &mut credit.1)
}
