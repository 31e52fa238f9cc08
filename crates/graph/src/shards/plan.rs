//! `plan.json`: the ranges of nodes, counts, checksums.

use super::{MAX_PARTS, PLAN, damaged, folder_of};
use crate::bundle::{BundleManifest, FileEntry, hash_file, hex};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use webrank_base::error::{Error, Result};
use webrank_base::regular;
use webrank_base::shown::shown;
use xxhash_rust::xxh3::xxh3_128;

/// A range of nodes by their numbers in the whole graph.
pub type Range64 = Range<u64>;

/// The layout of a folder of shards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Version of the layout.
    pub format: u32,
    /// The program that made the shards.
    pub made_by: String,
    /// Number of nodes.
    pub nodes: u64,
    /// Number of arcs.
    pub arcs: u64,
    /// The fingerprint of the graph that was cut.
    pub fingerprint: String,
    /// Whether nodes have names.
    pub has_names: bool,
    /// Whether all names are integers.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_integer_names: bool,
    /// The parts, in the order of their nodes.
    pub parts: Vec<PartPlan>,
    /// xxh3-128 of this plan with this field empty.
    pub checksum: String,
}

/// A part: a range of nodes, and the arcs from them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartPlan {
    /// The first node.
    pub first: u64,
    /// Number of nodes.
    pub nodes: u64,
    /// Number of arcs to nodes of the part.
    pub own_arcs: u64,
    /// Number of arcs to other nodes.
    pub away_arcs: u64,
    /// How many nodes of each part have an arc from this one; 0 for the part itself.
    pub touched: Vec<u64>,
    /// Number of live nodes: those with arcs.
    pub live: u64,
    /// How many of the touched nodes of each part are live.
    pub touched_live: Vec<u64>,
    /// Every file.
    pub files: BTreeMap<String, FileEntry>,
}

/// The version of the layout.
pub const FORMAT: u32 = 2;

/// A plan of any version.
#[derive(Deserialize)]
struct Format {
    format: u32,
}

/// Which of the nodes that arcs from elsewhere lead to are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Boundary {
    /// All of them.
    All,
    /// Nodes with successors: sums for others are made only once, at the end.
    Live,
}

/// The longest plan: that of thousands of parts.
const MAX_PLAN: u64 = 1 << 30;

impl Plan {
    /// Reads the plan of the shards in a folder.
    ///
    /// # Errors
    /// If it is not there, differs in any byte from what was written, or contradicts itself.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(PLAN);
        let Some(text) = regular::read(&path, MAX_PLAN)? else {
            return Err(damaged(folder, "there is no plan.json"));
        };
        let cannot = |problem: serde_json::Error| {
            let problem = shown(&problem.to_string());
            damaged(&path, format!("not a plan of shards ({problem})"))
        };
        // Other formats have other fields.
        let Format { format } = serde_json::from_slice(&text).map_err(cannot)?;
        if format != FORMAT {
            let remedy = match format > FORMAT {
                true => "use a newer webrank",
                false => "make the shards again with rank shard",
            };
            let problem = format!(
                "the shards have format {format}, but this version reads format {FORMAT}; {remedy}"
            );
            return Err(Error::file(&path, problem));
        }
        let plan: Plan = serde_json::from_slice(&text).map_err(cannot)?;
        if plan.to_text().as_bytes() != text {
            return Err(damaged(&path, "the plan does not match its own checksum"));
        }
        match plan.contradiction() {
            Some(problem) => Err(damaged(&path, problem)),
            None => Ok(plan),
        }
    }

    /// The plan of parts without names that were packed one by one; `hash` is the sum of the hashes of
    /// their arcs.
    ///
    /// # Errors
    /// If the parts contradict each other.
    pub fn of_parts(parts: Vec<PartPlan>, hash: u64) -> Result<Self> {
        let nodes = parts.iter().map(|part| part.nodes).sum();
        let plan = Plan {
            format: FORMAT,
            made_by: concat!("webrank ", env!("CARGO_PKG_VERSION")).into(),
            nodes,
            arcs: parts.iter().map(PartPlan::num_arcs).sum(),
            fingerprint: hex(u128::from(nodes) << 64 | u128::from(hash)),
            has_names: false,
            has_integer_names: false,
            parts,
            checksum: String::new(),
        };
        match plan.contradiction() {
            Some(problem) => Err(damaged(PLAN.as_ref(), problem)),
            None => Ok(plan),
        }
    }

    /// The text of the plan, with its own checksum filled in.
    pub fn to_text(&self) -> String {
        let mut plan = self.clone();
        plan.checksum.clear();
        plan.checksum = hex(xxh3_128(plan.json().as_bytes()));
        plan.json()
    }

    fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("strings and numbers serialise");
        text.push('\n');
        text
    }

    /// The first thing in this plan that is impossible.
    fn contradiction(&self) -> Option<String> {
        let parts = &self.parts;
        if parts.is_empty() || parts.len() > MAX_PARTS {
            return Some(format!("{} parts, not 1 to {MAX_PARTS}", parts.len()));
        }
        let mut next = parts[0].first;
        let (mut nodes, mut arcs) = (0u64, 0u64);
        for (index, part) in parts.iter().enumerate() {
            let is_next = part.first == next && part.nodes <= u64::from(u32::MAX);
            let is_touched = |(other, &count): (usize, &u64)| {
                count <= parts[other].nodes && (other != index || count == 0)
            };
            let is_live = |(other, &count): (usize, &u64)| {
                count <= part.touched[other].min(parts[other].live)
            };
            let is_possible = part.touched.len() == parts.len()
                && part.touched_live.len() == parts.len()
                && part.live <= part.nodes
                && part.touched.iter().enumerate().all(is_touched)
                && part.touched_live.iter().enumerate().all(is_live)
                && part.num_touched() <= part.away_arcs.min(u64::from(u32::MAX));
            let end = part.first.checked_add(part.nodes);
            match end.filter(|_| is_next && is_possible) {
                Some(end) => next = end,
                None => return Some(format!("part {index} contradicts the others")),
            }
            nodes = nodes.saturating_add(part.nodes);
            arcs = arcs
                .saturating_add(part.own_arcs)
                .saturating_add(part.away_arcs);
        }
        let is_whole = (nodes, arcs) == (self.nodes, self.arcs);
        (!is_whole).then(|| "the parts do not add up to the graph".into())
    }

    /// The numbers of the nodes.
    pub fn range(&self) -> Range64 {
        let first = self.parts[0].first;
        first..first + self.nodes
    }

    /// The number of nodes that have an arc from another part, counted once for each such part.
    pub fn num_touched(&self) -> u64 {
        self.parts.iter().map(PartPlan::num_touched).sum()
    }

    /// The bytes that all workers together send in a sweep of PageRank, if each has one part.
    pub fn bytes_of_sweep(&self) -> u64 {
        let live = self.parts.iter().flat_map(|part| &part.touched_live);
        live.fold(0, |bytes: u64, &count| bytes.saturating_add(8 * count))
    }
}

impl PartPlan {
    /// The numbers of its nodes.
    pub fn range(&self) -> Range64 {
        self.first..self.first + self.nodes
    }

    /// The number of arcs from its nodes.
    pub fn num_arcs(&self) -> u64 {
        self.own_arcs.saturating_add(self.away_arcs)
    }

    /// How many nodes of each part have an arc from this one.
    pub fn touched(&self, which: Boundary) -> &[u64] {
        match which {
            Boundary::All => &self.touched,
            Boundary::Live => &self.touched_live,
        }
    }

    /// The number of nodes of other parts that have an arc from this one.
    pub fn num_touched(&self) -> u64 {
        self.touched
            .iter()
            .fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// The files as a manifest lists them.
    pub fn manifest(&self) -> BundleManifest {
        BundleManifest {
            format: 1,
            made_by: String::new(),
            nodes: self.nodes,
            arcs: self.num_arcs(),
            arc_hash: None,
            made_from: None,
            files: self.files.clone(),
            checksum: String::new(),
        }
    }

    /// Compares a file with its entry.
    ///
    /// # Errors
    /// If it cannot be read, differs, or has no entry.
    pub fn verify_file(&self, path: &Path) -> Result<()> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let found = FileEntry::new(hash_file(path)?);
        match self.files.get(name.as_ref()) {
            Some(entry) if *entry == found => Ok(()),
            Some(_) => Err(damaged(path, "the file is not the one in plan.json")),
            None => Err(damaged(path, "plan.json does not list the file")),
        }
    }

    /// The entries of all files in the folder of a part.
    pub fn listing(folder: &Path) -> Result<BTreeMap<String, FileEntry>> {
        let cannot = |source| Error::io(folder, "cannot read", source);
        let mut files = BTreeMap::new();
        for file in folder.read_dir().map_err(cannot)? {
            let file = file.map_err(cannot)?;
            let name = file.file_name().to_string_lossy().into_owned();
            files.insert(name, FileEntry::of(&file.path())?);
        }
        Ok(files)
    }
}

/// Makes the folder of a part.
pub fn create_folder(parent: &Path, part: usize) -> Result<std::path::PathBuf> {
    let folder = parent.join(folder_of(part));
    std::fs::create_dir(&folder).map_err(|source| Error::io(&folder, "cannot create", source))?;
    Ok(folder)
}
