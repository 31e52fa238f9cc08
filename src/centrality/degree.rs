//! Indegree and outdegree: the number of arcs into, or out of, a node, self-loops included.
//!
//! These are the baselines that other measures are compared with. O(n), from the offsets of the
//! rows.

use super::{About, Measure};
use crate::error::Result;
use crate::graph::{Csr, Graph, Predecessors, Successors};
use crate::limits::Limits;
use crate::memory::Size;
use crate::progress::Progress;
use crate::scores::phases::Phases;
use crate::scores::ranked::Ranked;
use crate::scores::{Outcome, Run, Scores};
use serde::Serialize;

/// The number of predecessors; no parameters.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Indegree {}

/// The number of successors; no parameters.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Outdegree {}

impl Measure for Indegree {
    const ABOUT: About = About {
        name: "indegree",
        definition: "the number of arcs into x",
        direction: "in: being pointed at",
        cost: "O(n + m)",
        guarantee: "exact",
    };

    fn needs(&self, graph: &Graph) -> u64 {
        Size::of(graph).bytes(38, 5)
    }

    fn compute(&self, graph: &Graph, _limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        let mut phases = Phases::start();
        let rows = graph.predecessors(progress)?;
        let scores = indegree(Predecessors(&rows));
        phases.done("count");
        Ranked::single(graph, scores, phases)
    }
}

impl Measure for Outdegree {
    const ABOUT: About = About {
        name: "outdegree",
        definition: "the number of arcs out of x",
        direction: "out: pointing",
        ..Indegree::ABOUT
    };

    fn needs(&self, graph: &Graph) -> u64 {
        Size::of(graph).bytes(38, 5)
    }

    fn compute(&self, graph: &Graph, _limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        let mut phases = Phases::start();
        let rows = graph.successors(progress)?;
        let scores = outdegree(Successors(&rows));
        phases.done("count");
        Ranked::single(graph, scores, phases)
    }
}

/// The number of predecessors of every node.
pub fn indegree(graph: Predecessors<Csr>) -> Scores {
    degrees(graph.0, Indegree::ABOUT.name)
}

/// The number of successors of every node.
pub fn outdegree(graph: Successors<Csr>) -> Scores {
    degrees(graph.0, Outdegree::ABOUT.name)
}

fn degrees(rows: &Csr, measure: &'static str) -> Scores {
    let nodes = 0..rows.num_nodes() as u32;
    Scores {
        intervals: None,
        values: nodes.map(|x| rows.degree(x) as f64).collect(),
        run: Run {
            measure,
            method: "exact",
            parameters: Default::default(),
            outcome: Outcome::Exact,
        },
    }
}
