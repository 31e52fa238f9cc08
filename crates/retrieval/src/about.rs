//! The description of an index, beside its files.

use super::lists::{FILES, PART_FILES};
use super::parts::{By, Cut, FILTER};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use webrank_base::error::{Error, Result};
use webrank_base::output::DirectoryKind;
use webrank_graph::bundle::FileEntry;

/// The file that says it.
pub const ABOUT: &str = "rank-index.json";

/// The lengths of the fields of pages, where tantivy has none.
pub(super) const LENGTHS: &str = "lengths";

/// The names of tantivy's own lists of files.
const OF_TANTIVY: [&str; 4] = [
    "meta.json",
    ".managed.json",
    ".tantivy-writer.lock",
    ".tantivy-meta.lock",
];

/// The directory of an index.
pub(super) const KIND: DirectoryKind = DirectoryKind {
    name: "index",
    marks: &[ABOUT],
    owns: |name| match name.split_once('/') {
        Some((folder, file)) => is_part(folder) && (file.is_empty() || is_own(file)),
        // A link to a part elsewhere is a file.
        None => name == ABOUT || is_own(name) || is_part(name.trim_end_matches(FILTER)),
    },
};

/// True for the name of a part.
fn is_part(name: &str) -> bool {
    let number = name.strip_prefix("part-");
    number.is_some_and(|it| it.len() == 5 && it.bytes().all(|byte| byte.is_ascii_digit()))
}

/// True for a file of pages or lists.
fn is_own(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let is_segment = stem.len() == 32 && stem.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_segment || name == LENGTHS || OF_TANTIVY.contains(&name) || is_of_lists(name)
}

/// True for a file of lists.
pub(super) fn is_of_lists(name: &str) -> bool {
    FILES.contains(&name) || PART_FILES.contains(&name)
}

/// Files by their names, in a folder.
pub(super) type Files = BTreeMap<String, FileEntry>;

/// The content of `rank-index.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IndexManifest {
    /// Version of the layout.
    format: u32,
    /// Nodes of the graph.
    pub nodes: u64,
    /// Pages in the index.
    pub pages: u64,
    /// Words of each field: title, body, anchors, URL.
    pub words: [u64; 4],
    /// Every other file that is in no part.
    pub(super) files: Files,
    /// The parts, if it is in parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) parts: Option<AboutParts>,
}

/// The description of parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AboutParts {
    /// The unit of the cut.
    pub by: By,
    /// Bits of a signature of filters.
    pub signature: u32,
    pub parts: Vec<AboutPart>,
}

/// The description of a part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AboutPart {
    /// Pages, if pages are cut.
    pub pages: u32,
    pub files: Files,
}

/// The version of the layout that this program writes and reads.
const FORMAT: u32 = 1;

/// No such description is longer.
const LONGEST_ABOUT: u64 = 4 << 20;

impl IndexManifest {
    /// Describes the files in a directory.
    pub(super) fn of_files(
        directory: &Path,
        nodes: u64,
        pages: u64,
        words: [u64; 4],
        cut: Option<&Cut>,
    ) -> Result<Self> {
        let parts = cut.map(|cut| cut.about(directory)).transpose()?;
        Ok(IndexManifest {
            format: FORMAT,
            nodes,
            pages,
            words,
            files: files_of(directory)?,
            parts,
        })
    }

    /// The bytes of all files.
    pub fn bytes(&self) -> u64 {
        let parts = self.parts.iter().flat_map(|parts| &parts.parts);
        let all = parts.map(|part| &part.files).chain([&self.files]);
        all.flat_map(|files| files.values())
            .map(|entry| entry.bytes)
            .sum()
    }

    pub(super) fn read(index: &Path) -> Result<Self> {
        let path = index.join(ABOUT);
        let length = match path.metadata() {
            Ok(found) => found.len(),
            Err(_) if index.exists() => {
                let problem = "is no index; 'rank index' makes one";
                return Err(Error::file(index, problem));
            }
            Err(source) => return Err(Error::io(index, "cannot open", source)),
        };
        if length > LONGEST_ABOUT {
            return Err(damaged(&path, "is too long"));
        }
        let text = std::fs::read(&path).map_err(|e| Error::io(&path, "cannot read", e))?;
        let about: IndexManifest = serde_json::from_slice(&text)
            .map_err(|problem| damaged(&path, &format!("cannot be read: {problem}")))?;
        if about.format != FORMAT {
            let problem = format!(
                "the index has format {}, and this version reads {FORMAT}; make it again",
                about.format
            );
            return Err(Error::file(&path, problem));
        }
        Ok(about)
    }
}

/// The files in a directory; locks, which nobody holds, are removed.
pub(super) fn files_of(directory: &Path) -> Result<Files> {
    let cannot = |source| Error::io(directory, "cannot read", source);
    let mut files = BTreeMap::new();
    for file in directory.read_dir().map_err(cannot)? {
        let file = file.map_err(cannot)?;
        let name = file.file_name().to_string_lossy().into_owned();
        if name.ends_with(".lock") {
            std::fs::remove_file(file.path()).map_err(cannot)?;
        } else if file.file_type().is_ok_and(|kind| !kind.is_dir()) {
            files.insert(name, FileEntry::of(&file.path())?);
        }
    }
    Ok(files)
}

/// Compares files in a folder, those of these names, with their checksums; says how many bytes. O(bytes).
pub(super) fn verify(folder: &Path, files: &Files, which: impl Fn(&str) -> bool) -> Result<u64> {
    let mut bytes = 0;
    for (name, entry) in files.iter().filter(|(name, _)| which(name)) {
        let path: PathBuf = folder.join(name);
        if !(KIND.owns)(name) || name.contains('/') {
            return Err(damaged(
                &path,
                "is named in rank-index.json, but is no file of an index",
            ));
        }
        if FileEntry::of(&path)? != *entry {
            return Err(damaged(&path, "differs from its checksum"));
        }
        bytes += entry.bytes;
    }
    Ok(bytes)
}

pub(super) fn damaged(path: &Path, how: &str) -> Error {
    Error::file(
        path,
        format!("{how}; make the index again with 'rank index --force'"),
    )
}
