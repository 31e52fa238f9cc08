//! Shards: a graph cut into contiguous ranges of nodes, so that several workers can each hold one, or
//! one after the other.
//!
//! A folder `web.shards/` holds `plan.json` and a folder for each part, `part-00000` and so on. A part
//! has the arcs whose *sources* are in its range, as rows of the targets: row x holds the sources y
//! with an arc y -> x, numbered from the first node of the range.
//!
//! * `own.graph`, `.properties`, `.offsets`: a BVGraph with a row for every node of the range;
//! * `away.graph` and so on: a BVGraph with a row for every node of another range that an arc leads
//!   to; empty rows follow, up to the largest source;
//! * `away.nodes`: which nodes these are, as increasing gaps in delta code;
//! * `names.txt.zst` and `names.index`: the names of the nodes of the range, if the graph has names.
//!
//! Rows of own nodes keep their numbers, so what makes BVGraphs small, links that stay near, still
//! holds. `plan.json` has 64-bit numbers: only the nodes of a range must be fewer than 2^32.

mod degrees;
mod part;
pub mod plan;
pub mod touched;

pub use part::Part;
pub use plan::Range64;
pub use plan::{Boundary, PartPlan, Plan};

use crate::Graph;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::output::DirectoryKind;
use webrank_tables::text::checksums::Checksums;
use webrank_tables::text::names::{LineEnds, Names, NamesBuilder};

/// The message of a command that needs the whole graph.
pub const NEEDS_WHOLE: &str = "the graph is cut into shards, which only pagerank, trustrank, katz, \
                               eigenvector, hits, salsa, degrees, distances by hyperball, info and \
                               check can use; name the graph that was cut";

/// The plan in a folder of shards.
pub const PLAN: &str = "plan.json";
/// The basename of the rows of own nodes.
pub const OWN: &str = "own";
/// The basename of the rows of other nodes.
pub const AWAY: &str = "away";
/// The file of the other nodes.
pub const TOUCHED: &str = "away.nodes";
/// The file of names.
pub const NAMES: &str = crate::bundle::NAMES;

/// Shards replace nothing.
pub const KIND: DirectoryKind = DirectoryKind {
    name: "folder of shards",
    marks: &[PLAN],
    owns: |_| false,
};

/// The most parts.
pub const MAX_PARTS: usize = 4096;

/// A folder of shards.
pub struct Shards {
    path: PathBuf,
    plan: Plan,
}

impl Shards {
    /// True if `path` is a folder of shards, even one that has lost its plan.
    pub fn is_at(path: &Path) -> bool {
        let rows = Path::new(&folder_of(0)).join(OWN).with_extension("graph");
        path.join(PLAN).is_file() || path.join(rows).is_file()
    }

    /// Opens a folder of shards: reads the plan, and nothing else yet.
    ///
    /// # Errors
    /// If there is no plan, or if it is damaged.
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Shards {
            plan: Plan::read(path)?,
            path: path.to_owned(),
        })
    }

    /// Where they are.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The plan of the shards.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The folder of a part.
    pub fn folder(&self, part: usize) -> PathBuf {
        self.path.join(folder_of(part))
    }

    /// The names of all nodes, if they have any.
    ///
    /// # Errors
    /// If they cannot be read, or are not those of the plan.
    pub fn names(&self) -> Result<Option<Names>> {
        if !self.plan.has_names {
            return Ok(None);
        }
        let mut all = NamesBuilder::default();
        for part in 0..self.plan.parts.len() {
            let Some(names) = self.names_of(part)? else {
                continue;
            };
            for node in 0..names.len() {
                all.push(names.get(node as Node))?;
            }
        }
        Ok(Some(all.finish()))
    }

    /// The names of the nodes of a part, if nodes have any.
    ///
    /// # Errors
    /// As for [`Self::names`].
    pub fn names_of(&self, part: usize) -> Result<Option<Names>> {
        if !self.plan.has_names {
            return Ok(None);
        }
        let path = self.folder(part).join(NAMES);
        let plan = &self.plan.parts[part];
        plan.verify_file(&path)?;
        Names::read(&path, plan.nodes as usize, LineEnds::Feed).map(Some)
    }

    /// Reads everything and compares it with the plan: every file with its checksum, every list, every
    /// number of arcs.
    ///
    /// # Errors
    /// If anything is damaged.
    pub fn check(&self) -> Result<()> {
        for part in 0..self.plan.parts.len() {
            Part::open(self, part)?.check()?;
        }
        self.names().map(drop)
    }
}

impl Graph {
    /// The graph that was cut into these shards; reads the names of the nodes. Only measures that know
    /// shards can rank its nodes.
    ///
    /// # Errors
    /// If names cannot be read, or if there are 2^32 nodes or more.
    pub fn from_shards(shards: Shards) -> Result<Self> {
        if Node::try_from(shards.plan().nodes).is_err() {
            let problem = "2^32 nodes or more do not fit one table: write it in parts, such as -o \
                           scores/, and give no names of nodes";
            return Err(Error::file(shards.path(), problem));
        }
        let names = shards.names()?;
        let graph = Self::from_unnamed_shards(shards);
        match names {
            Some(names) => graph.with_names(names),
            None => Ok(graph),
        }
    }

    /// [`Self::from_shards`] without names, which stay in their files, for tables in parts. The only graph
    /// that may have 2^32 nodes and more.
    pub fn from_unnamed_shards(shards: Shards) -> Self {
        Graph {
            source: None,
            path: Some(shards.path().to_owned()),
            num_nodes: shards.plan().nodes as usize,
            num_arcs: shards.plan().arcs,
            names: None,
            weights: None,
            read: Checksums::default(),
            shards: Some(Arc::new(shards)),
            successors: OnceLock::new(),
            predecessors: OnceLock::new(),
        }
    }

    /// The parts of the graph, if it is cut.
    pub fn shards(&self) -> Option<&Shards> {
        self.shards.as_deref()
    }
}

/// The name of the folder of a part.
pub fn folder_of(part: usize) -> String {
    format!("part-{part:05}")
}

/// The error of shards that contradict themselves.
pub fn damaged(path: &Path, problem: impl std::fmt::Display) -> Error {
    let remedy = "copy the shards again, or make them again with rank shard";
    Error::file(path, format!("{problem}; {remedy}"))
}
