//! A part that is opened: its rows, and the nodes of other parts that they are for.

use super::{AWAY, OWN, PartPlan, Range64, Shards, TOUCHED, damaged, touched};
use crate::bvgraph::bits::Words;
use crate::files::BvFiles;
use crate::{Compressed, Rows};
use std::path::Path;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::parallel::tasks;

/// Bits (plus nodes) that a task decodes at a time.
const BLOCK_BITS: u64 = 1 << 19;

/// A part of a graph.
pub struct Part {
    /// The numbers of its nodes.
    pub range: Range64,
    /// The rows of its nodes.
    pub own: Compressed,
    /// The rows of other nodes: one for each of [`Self::touched`], and empty ones.
    pub away: Compressed,
    /// The other nodes.
    pub touched: Vec<u64>,
}

impl Part {
    /// Opens a part, whose rows stay in their files; reads all its files once but the names.
    ///
    /// # Errors
    /// If a file is not the one in the plan, or contradicts it.
    pub fn open(shards: &Shards, part: usize) -> Result<Self> {
        let (folder, plan) = (shards.folder(part), &shards.plan().parts[part]);
        for path in plan.files.keys().map(|name| folder.join(name)) {
            match path.metadata() {
                Ok(found) if found.is_file() => {}
                // A pipe would keep its reader waiting.
                Ok(_) => return Err(damaged(&path, "not a regular file")),
                Err(_) => return Err(damaged(&path, "the file is missing")),
            }
        }
        let touched_path = folder.join(TOUCHED);
        plan.verify_file(&touched_path)?;
        let all = shards.plan().range();
        let touched = touched::read(&touched_path, plan.num_touched(), all.start, all.end)?;
        let opened = Part {
            range: plan.range(),
            own: open(&folder.join(OWN), plan)?,
            away: open(&folder.join(AWAY), plan)?,
            touched,
        };
        let own = (opened.own.num_nodes() as u64, opened.own.num_arcs());
        if own != (plan.nodes, plan.own_arcs) {
            return Err(damaged(
                opened.own.path(),
                "not as many nodes or arcs as planned",
            ));
        }
        let rows = plan.nodes.max(plan.num_touched());
        let away = (opened.away.num_nodes() as u64, opened.away.num_arcs());
        if away != (rows, plan.away_arcs) {
            return Err(damaged(
                opened.away.path(),
                "not as many nodes or arcs as planned",
            ));
        }
        for (other, &count) in shards.plan().parts.iter().zip(&plan.touched) {
            if opened.touched_in(other.range()).len() as u64 != count {
                return Err(damaged(&touched_path, "not the nodes that are planned"));
            }
        }
        Ok(opened)
    }

    /// The other nodes in a range.
    pub fn touched_in(&self, range: Range64) -> &[u64] {
        let start = self.touched.partition_point(|&node| node < range.start);
        let end = self.touched.partition_point(|&node| node < range.end);
        &self.touched[start..end]
    }

    /// The number of nodes.
    pub fn num_nodes(&self) -> usize {
        self.own.num_nodes()
    }

    /// Reads all rows.
    ///
    /// # Errors
    /// As for [`Self::for_rows`].
    pub(super) fn check(&self) -> Result<()> {
        self.for_rows(|_, _| ())
    }

    /// Decodes all rows. Tells `visit` of each row that is not empty which node it belongs to, by its
    /// number in the whole graph, and its sources, counted from the first node of the part. Parallel, in
    /// any order.
    ///
    /// # Errors
    /// If a list is damaged, or a row of another node is empty or has a source that is not in the part.
    pub(crate) fn for_rows(&self, visit: impl Fn(u64, &[Node]) + Sync) -> Result<()> {
        for (rows, is_away) in [(&self.own, false), (&self.away, true)] {
            let arcs = tasks::try_map(rows.blocks(BLOCK_BITS), |block| {
                let mut arcs = 0;
                rows.try_rows(block, &mut |node, row| {
                    if is_away {
                        self.check_away(node, row)?;
                    }
                    arcs += row.len() as u64;
                    if !row.is_empty() {
                        visit(self.target(is_away, node), row);
                    }
                    Ok(())
                })?;
                Ok::<u64, Error>(arcs)
            })?;
            rows.check_count(arcs.into_iter().sum())?;
        }
        Ok(())
    }

    /// The node of a row that is not empty.
    fn target(&self, is_away: bool, row: Node) -> u64 {
        match is_away {
            true => self.touched[row as usize],
            false => self.range.start + u64::from(row),
        }
    }

    /// Refuses a row of another node that is impossible.
    fn check_away(&self, node: Node, row: &[Node]) -> Result<()> {
        let is_touched = (node as usize) < self.touched.len();
        let is_inside = row
            .last()
            .is_none_or(|&last| (last as usize) < self.num_nodes());
        match is_touched != row.is_empty() && is_inside {
            true => Ok(()),
            false => Err(damaged(self.away.path(), format!("row {node} cannot be"))),
        }
    }
}

/// Opens rows, which stay in their file.
fn open(basename: &Path, plan: &PartPlan) -> Result<Compressed> {
    load(basename, plan).map_err(|problem| match problem {
        // Advice for a whole graph does not help a part.
        Error::File { path, problem } => {
            let problem = problem.split("; ").next().unwrap_or_default();
            damaged(&path, problem)
        }
        other => other,
    })
}

fn load(basename: &Path, plan: &PartPlan) -> Result<Compressed> {
    let manifest = plan.manifest();
    let Some(files) = BvFiles::find(basename)? else {
        return Err(damaged(basename, "there is no .properties file"));
    };
    plan.verify_file(&files.file(".properties"))?;
    files.load(Words::open, Some(&manifest))
}
