//! Indegree and outdegree: the number of arcs into, or out of, a node, self-loops included.
//!
//! These are the baselines that other measures are compared with. O(n), from the offsets of the
//! rows; if the graph is cut into shards, O(n + m), one part after the other.

use serde::Serialize;
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::phases::Phases;
use webrank_base::progress::Progress;
use webrank_graph::Size;
use webrank_graph::{Csr, Direction, Graph, Predecessors, Successors};
use webrank_measure::cost_model::{CostModel, Times, once};
use webrank_measure::{About, Described, Measure, StoragePlan};
use webrank_scores::ranked::Ranked;
use webrank_scores::{Outcome, Run, Scores};

/// The number of predecessors; no parameters.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Indegree {}

/// The number of successors; no parameters.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Outdegree {}

impl Described for Indegree {
    const ABOUT: About = About {
        name: "indegree",
        definition: "the number of arcs into x",
        direction: "in: being pointed at",
        cost: "O(n + m)",
        guarantee: "exact",
    };
}

impl Measure for Indegree {
    fn forms_of(&self, graph: &Graph) -> Vec<StoragePlan> {
        vec![StoragePlan::in_memory(needs(graph))]
    }

    fn seconds_of(&self, graph: &Graph, _: &Limits, _: &dyn Progress) -> Result<Times> {
        Ok(once(graph, COUNTED, 1))
    }

    fn compute(&self, graph: &Graph, _limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        let mut phases = Phases::start();
        let scores = match graph.shards() {
            Some(shards) => counted(shards.degrees(Direction::In, progress)?, Self::ABOUT.name),
            None => indegree(Predecessors(&*graph.predecessors(progress)?)),
        };
        phases.done("count");
        Ranked::single(graph, scores, phases)
    }
}

impl Described for Outdegree {
    const ABOUT: About = About {
        name: "outdegree",
        definition: "the number of arcs out of x",
        direction: "out: pointing",
        ..Indegree::ABOUT
    };
}

impl Measure for Outdegree {
    fn forms_of(&self, graph: &Graph) -> Vec<StoragePlan> {
        vec![StoragePlan::in_memory(needs(graph))]
    }

    fn seconds_of(&self, graph: &Graph, _: &Limits, _: &dyn Progress) -> Result<Times> {
        Ok(once(graph, COUNTED, 1))
    }

    fn compute(&self, graph: &Graph, _limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
        let mut phases = Phases::start();
        let scores = match graph.shards() {
            Some(shards) => counted(shards.degrees(Direction::Out, progress)?, Self::ABOUT.name),
            None => outdegree(Successors(&*graph.successors(progress)?)),
        };
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

/// The bytes a node of counts, scores, their ranking, and what finds the lists of a part.
const OF_NODE: u64 = 44;

/// The cost of counting besides reading.
const COUNTED: CostModel = CostModel {
    node: 4.0,
    arc: 0.0,
    bit: 0.0,
};

/// The bytes that counting holds at most: while rows are decoded, or with rows (8 bytes a node), scores (8)
/// and what ranks them (20). Rows that are transposed are counted by each of 8 threads. A graph without
/// rows as long as it has nodes takes 24 bytes a node less.
fn needs(graph: &Graph) -> u64 {
    let size = Size::of(graph);
    let is_transposed = graph.source().is_some_and(|source| !source.has_transpose());
    match graph.shards() {
        Some(shards) => size.bytes_without_rows(OF_NODE) + shards.lists_of_part(),
        None if is_transposed => size.bytes(46, 5).max(size.once_decoded(38, 4)),
        None => size.while_decoding().max(size.once_decoded(38, 4)),
    }
}

fn degrees(rows: &Csr, measure: &'static str) -> Scores {
    let nodes = 0..rows.num_nodes() as u32;
    counted(nodes.map(|x| rows.degree(x) as u32), measure)
}

fn counted(degrees: impl IntoIterator<Item = u32>, measure: &'static str) -> Scores {
    Scores {
        intervals: None,
        values: degrees.into_iter().map(f64::from).collect(),
        run: Run {
            measure,
            method: "exact",
            parameters: Default::default(),
            outcome: Outcome::Exact,
        },
    }
}
