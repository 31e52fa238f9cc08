//! Dangling nodes that no walk gets to.
//!
//! Methods take what is not on live nodes for what is on dangling ones. If walks get to none of these, that
//! is rounding, and would go on to nodes that they enter from dangling nodes alone. Then walks are taken to
//! end at dangling nodes, which changes no true score, and leaves 0 for nodes that are not reached.

use super::{Dangling, Distribution, PageRank};
use crate::late_nodes::WalkSteps;
use std::borrow::Cow;
use webrank_base::Node;
use webrank_base::error::Result;

impl PageRank {
    /// This measure, with walks that end at dangling nodes if no walk gets to any. O(m) at most, and
    /// only if walks start at some nodes and go on elsewhere.
    ///
    /// # Errors
    /// If rows cannot be read.
    pub(super) fn of_reached(&self, walk: &impl WalkSteps, n: usize) -> Result<Cow<'_, PageRank>> {
        let goes_on = match &self.dangling {
            Dangling::None | Dangling::Preference => false,
            _ => matches!(self.preference, Distribution::Dense(_)),
        };
        if !goes_on || reaches_dangling(walk, n, &self.preference)? {
            return Ok(Cow::Borrowed(self));
        }
        Ok(Cow::Owned(PageRank {
            dangling: Dangling::None,
            ..self.clone()
        }))
    }
}

/// Whether a walk from where these ones start may get to a dangling node: searched for backwards.
fn reaches_dangling(walk: &impl WalkSteps, n: usize, preference: &Distribution) -> Result<bool> {
    let starts = |node: Node| preference.weight(node as usize, n) > 0.0;
    let nodes = 0..n as Node;
    let mut waiting: Vec<Node> = nodes.filter(|&node| walk.is_dangling(node)).collect();
    if waiting.iter().any(|&node| starts(node)) {
        return Ok(true);
    }
    let mut is_met = vec![false; n];
    while let Some(node) = waiting.pop() {
        let mut is_start = false;
        walk.steps_into(node, &mut |from, _| {
            if !std::mem::replace(&mut is_met[from as usize], true) {
                is_start |= starts(from);
                waiting.push(from);
            }
        })?;
        if is_start {
            return Ok(true);
        }
    }
    Ok(false)
}
