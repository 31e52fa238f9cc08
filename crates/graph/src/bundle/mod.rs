//! Bundles: a graph, its transpose, its names and a manifest with checksums, in one directory.
//!
//! A bundle `name.bv/` holds `graph.*` and optionally `transpose.*` in WebGraph's own formats, so
//! WebGraph's tools can open them, and optionally `names.txt.zst` (one name per line, in node
//! order) with `names.index`, which finds names without reading all, `weights.f32` or `weights.f64`
//! (a number for each arc, by source and target), `fingerprints.u64` (a number for each node),
//! `pages.jsonl.zst` (titles and texts of nodes), and `merged.tsv` (names of pages that became one with
//! another, and the names of the nodes).
//!
//! `manifest.json` lists every file with its length and xxh3-128 checksum, and a hash of the arcs.
//!
//! Files are listed by plain names: a manifest cannot lead out of its bundle. A file may be a
//! symbolic link to a regular file elsewhere, whose content must match: links are how large files
//! are shared. Pipes and devices are refused. A file that a command would use but that the manifest
//! does not list is an error; other files are left alone.

mod fill;
mod fingerprints;
mod merged;
mod names;
mod pages;
mod write;

use super::ArcHash;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Component, Path};
use webrank_base::error::{Error, Result};
use webrank_base::output::DirectoryKind;
use webrank_base::parallel::tasks;
use webrank_base::regular;
use webrank_base::shown::{quoted, shown};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

pub use fill::{Content, RowVisitor, Target, TemporaryBundle, Written, WrittenRows};
pub use fingerprints::write_fingerprints;
pub use names::{NameIndex, write_names};
pub use names::{NameSorter, NamesWriter, Repeats};
pub(crate) use pages::renumber;
pub use pages::{MAX_ANCHORS, MAX_LINE, MAX_TEXT, MAX_TITLE, Page, Pages};
pub use pages::{PagesWriter, cut};
pub use write::PendingBundle;
pub use write::{BundleOptions, Nodes, check_output, save, write_bundle, write_graph, write_nodes};

/// The basename of the graph in a bundle.
pub const GRAPH: &str = "graph";
/// The basename of the transpose in a bundle.
pub(crate) const TRANSPOSE: &str = "transpose";
/// The file of names in a bundle.
pub(crate) const NAMES: &str = "names.txt.zst";
/// The index of names in a bundle; bundles of earlier versions have none.
pub(crate) const NAMES_INDEX: &str = "names.index";
/// The files of weights in a bundle: it has one of them, or none.
pub(crate) const WEIGHTS: [&str; 2] = ["weights.f32", "weights.f64"];
/// The file of fingerprints in a bundle: for each node, 64 bits of its text, little-endian; 0 for nodes
/// without text.
pub const FINGERPRINTS: &str = "fingerprints.u64";
/// The file of titles and texts of nodes in a bundle.
pub const PAGES: &str = "pages.jsonl.zst";
/// The file of the names of pages that became one with another, in a bundle: such a name, a tab, and the
/// name of the node.
pub const MERGED: &str = "merged.tsv";
/// The manifest of a bundle.
pub const MANIFEST: &str = "manifest.json";

/// The files that a bundle may replace, and that are removed with it.
pub(super) const KIND: DirectoryKind = DirectoryKind {
    name: "bundle",
    marks: &["graph.properties"],
    owns: |name| {
        let (stem, extension) = name.split_once('.').unwrap_or((name, ""));
        let is_part = ["graph", "properties", "offsets", "ef"].contains(&extension);
        [NAMES, NAMES_INDEX, FINGERPRINTS, PAGES, MERGED, MANIFEST].contains(&name)
            || WEIGHTS.contains(&name)
            || [GRAPH, TRANSPOSE].contains(&stem) && is_part
    },
};

/// The content of `manifest.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BundleManifest {
    /// Version of the bundle's layout.
    pub format: u32,
    /// The program that made the bundle.
    pub made_by: String,
    /// Number of nodes.
    pub nodes: u64,
    /// Number of arcs.
    pub arcs: u64,
    /// The hash of the arcs, the same for both directions; bundles of earlier versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub arc_hash: Option<ArcHash>,
    /// The origin of the graph; only `rank ingest` and `rank wikipedia` say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_from: Option<MadeFrom>,
    /// Every other file in the bundle.
    pub files: BTreeMap<String, FileEntry>,
    /// xxh3-128 of this manifest with this field empty.
    pub checksum: String,
}

/// The sources of a graph, and what was found in them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MadeFrom {
    /// Files as they were named, compressed as they were; of a folder, all its pages together.
    pub sources: BTreeMap<String, FileEntry>,
    /// Numbers of what was found, by their names.
    pub counts: BTreeMap<String, u64>,
    /// The make of the fingerprints, if there are any; bundles of earlier versions do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprints: Option<FingerprintRecord>,
}

/// The make of the fingerprints of a bundle: those of different signals cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FingerprintRecord {
    /// The parts of a text that have hashes, such as `words=3`.
    pub signals: String,
    /// The bits of a fingerprint, the lowest ones of a word.
    pub bits: u32,
    /// How much a part counts that occurs several times: `count`, `once` or `log`.
    pub weights: String,
}

/// A file, by its length and its checksum.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FileEntry {
    /// Length in bytes.
    pub bytes: u64,
    /// xxh3-128 of the contents, in hexadecimal.
    pub xxh3_128: String,
}

impl FileEntry {
    /// A file of this length and with this xxh3-128.
    pub fn new((bytes, checksum): (u64, u128)) -> Self {
        FileEntry {
            bytes,
            xxh3_128: hex(checksum),
        }
    }

    /// The file at `path`.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of(path: &Path) -> Result<Self> {
        hash_file(path).map(FileEntry::new)
    }
}

impl BundleManifest {
    /// The manifest of all files in `directory`, which hold a graph of so many nodes and arcs.
    pub(crate) fn listing(
        directory: &Path,
        (nodes, arcs): (u64, u64),
        arc_hash: ArcHash,
    ) -> Result<Self> {
        let cannot = |source| Error::io(directory, "cannot read", source);
        let mut files = BTreeMap::new();
        for file in directory.read_dir().map_err(cannot)? {
            let file = file.map_err(cannot)?;
            let name = file.file_name().to_string_lossy().into_owned();
            files.insert(name, FileEntry::of(&file.path())?);
        }
        Ok(BundleManifest {
            format: 1,
            made_by: concat!("webrank ", env!("CARGO_PKG_VERSION")).into(),
            nodes,
            arcs,
            arc_hash: Some(arc_hash),
            made_from: None,
            files,
            checksum: String::new(),
        })
    }

    /// The text of the manifest, with its own checksum filled in.
    pub(crate) fn to_text(&self) -> String {
        let mut manifest = self.clone();
        manifest.checksum.clear();
        manifest.checksum = hex(xxh3_128(manifest.json().as_bytes()));
        manifest.json()
    }

    fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("strings and numbers serialise");
        text.push('\n');
        text
    }

    /// Reads the manifest of the bundle in `directory`, if it has one.
    ///
    /// # Errors
    /// If it differs in any byte from what was written.
    pub(crate) fn read(directory: &Path) -> Result<Option<Self>> {
        let path = directory.join(MANIFEST);
        let Some(text) = regular::read(&path, MAX_MANIFEST)? else {
            return Ok(None);
        };
        let manifest: BundleManifest = serde_json::from_slice(&text).map_err(|problem| {
            let problem = shown(&problem.to_string());
            Error::file(&path, format!("not a manifest ({problem}); {REMEDY}"))
        })?;
        if manifest.format != 1 {
            return Err(Error::file(
                &path,
                format!(
                    "the bundle has format {}, but this version reads format 1; use a newer webrank",
                    manifest.format
                ),
            ));
        }
        if manifest.to_text().as_bytes() != text {
            return Err(Error::file(
                &path,
                format!("the manifest does not match its own checksum; {REMEDY}"),
            ));
        }
        let is_plain = |name: &String| {
            let mut components = Path::new(name).components();
            let first = components.next();
            matches!(first, Some(Component::Normal(part)) if part == name.as_str())
                && !name.contains(['/', '\\', '\0'])
        };
        if let Some(name) = manifest.files.keys().find(|name| !is_plain(name)) {
            let name = quoted(name);
            let problem = format!("{name} is not the name of a file in the bundle; {REMEDY}");
            return Err(Error::file(&path, problem));
        }
        Ok(Some(manifest))
    }

    /// Refuses a file that this manifest does not list.
    ///
    /// # Errors
    /// If it does not.
    pub(crate) fn check_listed(&self, path: &Path) -> Result<()> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match path.exists() && !self.files.contains_key(name.as_ref()) {
            true => Err(unlisted(path)),
            false => Ok(()),
        }
    }

    /// Compares every file in `directory` with its entry.
    ///
    /// # Errors
    /// If a file is missing or differs in any bit.
    pub(crate) fn verify(&self, directory: &Path) -> Result<()> {
        tasks::try_map(self.files.keys(), |name| {
            let path = directory.join(name);
            let (bytes, checksum) = hash_file(&path)?;
            self.compare(&path, name, bytes, checksum)
        })
        .map(drop)
    }

    fn compare(&self, path: &Path, name: &str, bytes: u64, checksum: u128) -> Result<()> {
        let entry = &self.files[name];
        if entry.bytes != bytes {
            return Err(Error::file(
                path,
                format!(
                    "the file has {bytes} bytes, but the manifest says {}; {REMEDY}",
                    entry.bytes
                ),
            ));
        }
        if entry.xxh3_128 != hex(checksum) {
            return Err(Error::file(
                path,
                format!("the file does not match its checksum in the manifest; {REMEDY}"),
            ));
        }
        Ok(())
    }

    /// Compares the checksum of a file that was read with its entry.
    ///
    /// # Errors
    /// If the file has changed since it was verified, or has no entry.
    pub(crate) fn check(&self, path: &Path, checksum: u128) -> Result<()> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match self.files.get(name.as_ref()) {
            Some(entry) if entry.xxh3_128 == hex(checksum) => Ok(()),
            Some(_) => Err(Error::file(
                path,
                format!("the file does not match its checksum in the manifest; {REMEDY}"),
            )),
            None => Err(unlisted(path)),
        }
    }
}

fn unlisted(path: &Path) -> Error {
    Error::file(
        path,
        "the file is not in the bundle's manifest; remove it, or make the bundle again",
    )
}

/// The longest manifest: those of bundles have a few thousand bytes.
const MAX_MANIFEST: u64 = 16 << 20;

const REMEDY: &str = "the bundle is damaged: make it again or copy it again";

/// A checksum as text.
pub(crate) fn hex(checksum: u128) -> String {
    format!("{checksum:032x}")
}

/// The length and the xxh3-128 of a file.
pub fn hash_file(path: &Path) -> Result<(u64, u128)> {
    let mut file = regular::open(path)?;
    let mut hasher = Xxh3::new();
    let length = file.metadata().map_or(0, |metadata| metadata.len());
    let mut buffer = vec![0; length.clamp(1, 1 << 18) as usize];
    let mut bytes = 0;
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok((bytes, hasher.digest128())),
            Ok(count) => {
                hasher.update(&buffer[..count]);
                bytes += count as u64;
            }
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(Error::io(path, "cannot read", e)),
        }
    }
}
