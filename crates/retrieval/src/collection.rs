//! An index on disk, opened for queries.
//!
//! Every file is compared with its checksum first: what is damaged or cut is an error, and nothing of
//! it is believed.

use super::fields::{self, Fields, TOKENIZER, TextField};
use super::lists::{self, Coding, FILES, Lists};
use super::refused::refused;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use tantivy::columnar::Column;
use tantivy::schema::{Field, IndexRecordOption, Value};
use tantivy::{DocAddress, DocId, DocSet, Index, Searcher, SegmentReader, TERMINATED};
use tantivy::{TantivyDocument, Term};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::output::Kind;
use webrank_base::progress::Silent;
use webrank_graph::bundle::Entry;

/// What is known of an index, beside its files.
pub const ABOUT: &str = "rank-index.json";

/// What tantivy calls its own lists of files.
const OF_TANTIVY: [&str; 4] = [
    "meta.json",
    ".managed.json",
    ".tantivy-writer.lock",
    ".tantivy-meta.lock",
];

/// The directory of an index.
pub(super) const KIND: Kind = Kind {
    name: "index",
    marks: &[ABOUT],
    owns: |name| {
        let is_segment = |stem: &str| {
            let stem = stem.split('.').next().unwrap_or_default();
            stem.len() == 32 && stem.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        name == ABOUT || FILES.contains(&name) || OF_TANTIVY.contains(&name) || is_segment(name)
    },
};

/// The content of `rank-index.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// Version of the layout.
    format: u32,
    /// Nodes of the graph.
    pub nodes: u64,
    /// Pages in the index.
    pub pages: u64,
    /// Words of each field: title, body, anchors, URL.
    pub words: [u64; 4],
    /// Every other file.
    files: BTreeMap<String, Entry>,
}

/// The version of the layout that this program writes and reads.
const FORMAT: u32 = 1;

/// No such description is longer.
const LONGEST_ABOUT: u64 = 1 << 20;

impl About {
    /// Describes the files in a directory; locks, which nobody holds, are removed.
    pub(super) fn of_files(
        directory: &Path,
        nodes: u64,
        pages: u64,
        words: [u64; 4],
    ) -> Result<Self> {
        let cannot = |source| Error::io(directory, "cannot read", source);
        let mut files = BTreeMap::new();
        for file in directory.read_dir().map_err(cannot)? {
            let file = file.map_err(cannot)?;
            let name = file.file_name().to_string_lossy().into_owned();
            if name.ends_with(".lock") {
                std::fs::remove_file(file.path()).map_err(cannot)?;
                continue;
            }
            files.insert(name, Entry::of(&file.path())?);
        }
        Ok(About {
            format: FORMAT,
            nodes,
            pages,
            words,
            files,
        })
    }

    /// The bytes of all files.
    pub fn bytes(&self) -> u64 {
        self.files.values().map(|entry| entry.bytes).sum()
    }

    fn read(index: &Path) -> Result<Self> {
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
        let about: About = serde_json::from_slice(&text)
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

    /// Compares all files with their checksums. O(bytes).
    fn verify(&self, index: &Path) -> Result<()> {
        for (name, entry) in &self.files {
            if !(KIND.owns)(name) {
                return Err(damaged(
                    &index.join(ABOUT),
                    "names a file that is not its own",
                ));
            }
            let path = index.join(name);
            if Entry::of(&path)? != *entry {
                return Err(damaged(&path, "differs from its checksum"));
            }
        }
        Ok(())
    }
}

fn damaged(path: &Path, how: &str) -> Error {
    Error::file(
        path,
        format!("{how}; make the index again with 'rank index --force'"),
    )
}

/// An open index.
pub struct Collection {
    path: PathBuf,
    about: About,
    pub(super) searcher: Searcher,
    pub(super) fields: Fields,
    /// The node of each page.
    nodes: Option<Column<u64>>,
    /// Lists in codes, if there are any.
    pub(super) lists: Option<Lists>,
}

impl Collection {
    /// Opens the index at `path` and compares it with its checksums. O(bytes).
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or of another version.
    pub fn open(path: &Path) -> Result<Self> {
        let about = About::read(path)?;
        about.verify(path)?;
        let cannot = |problem| refused(path, "open", problem);
        let index = Index::open_in_dir(path).map_err(cannot)?;
        let (schema, fields) = fields::schema();
        if index.schema() != schema {
            return Err(damaged(path, "has other fields"));
        }
        index.tokenizers().register(TOKENIZER, fields::analyzer());
        let reader = index.reader().map_err(cannot)?;
        let searcher = reader.searcher();
        let segments = searcher.segment_readers();
        let documents: u64 = segments.iter().map(|it| u64::from(it.max_doc())).sum();
        if segments.len() > 1 || documents != about.pages {
            return Err(damaged(path, "has other pages than it says"));
        }
        let column = |segment: &SegmentReader| segment.fast_fields().u64("node");
        let nodes = segments.first().map(column).transpose().map_err(cannot)?;
        let has_lists = about.files.contains_key(FILES[0]);
        let lists = has_lists.then(|| Lists::open(path)).transpose()?;
        Ok(Collection {
            path: path.to_owned(),
            about,
            searcher,
            fields,
            nodes,
            lists,
        })
    }

    /// Bytes of memory that the lists in codes of the index at `path` take.
    ///
    /// # Errors
    /// If it is no index.
    pub fn bytes_of_lists(path: &Path) -> Result<u64> {
        let about = About::read(path)?;
        let bytes = |name: &str| about.files.get(name).map_or(0, |entry| entry.bytes);
        Ok(Lists::held([bytes(FILES[0]), bytes(FILES[1])]))
    }

    /// Its lists in codes, if it has any.
    pub fn lists(&self) -> Option<&Lists> {
        self.lists.as_ref()
    }

    /// Writes lists in a code to a folder, and searches by these from now on; without a code, by those of the
    /// index.
    ///
    /// # Errors
    /// If they cannot be written or read.
    pub fn recode(&mut self, folder: &Path, coding: Option<Coding>) -> Result<()> {
        self.lists = match coding {
            None => None,
            Some(coding) => {
                lists::write(folder, self.segment(), &self.fields, coding, &Silent)?;
                Some(Lists::open(folder)?)
            }
        };
        Ok(())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is known of it.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// Number of pages.
    pub fn len(&self) -> usize {
        self.searcher.num_docs() as usize
    }

    /// True if there are no pages.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The only segment, if there are pages.
    pub(super) fn segment(&self) -> Option<&SegmentReader> {
        self.searcher.segment_readers().first()
    }

    /// The node of a page.
    pub fn node(&self, page: DocId) -> Node {
        let node = self.nodes.as_ref().and_then(|nodes| nodes.first(page));
        node.unwrap_or(0) as Node
    }

    /// The name and the title of a page.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn named(&self, page: DocId) -> Result<(String, String)> {
        let document: TantivyDocument = self
            .searcher
            .doc(DocAddress::new(0, page))
            .map_err(|problem| self.refused("read", problem))?;
        let text = |field: Field| {
            let value = document.get_first(field);
            let text = value.and_then(|value| value.as_str().map(str::to_owned));
            text.unwrap_or_default()
        };
        let title = self.fields.text[TextField::Title as usize];
        Ok((text(self.fields.name), text(title)))
    }

    /// The pages with this name. O(log n).
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn pages_named(&self, name: &str) -> Result<Vec<DocId>> {
        self.pages_of(&Term::from_field_text(self.fields.name, name))
    }

    /// The page of this node. O(log n).
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn page_of(&self, node: Node) -> Result<Option<DocId>> {
        let term = Term::from_field_u64(self.fields.node, u64::from(node));
        Ok(self.pages_of(&term)?.first().copied())
    }

    /// The pages that have a term.
    fn pages_of(&self, term: &Term) -> Result<Vec<DocId>> {
        let Some(segment) = self.segment() else {
            return Ok(Vec::new());
        };
        let read = || {
            let inverted = segment.inverted_index(term.field())?;
            let postings = inverted.read_postings(term, IndexRecordOption::Basic)?;
            let mut pages = Vec::new();
            if let Some(mut postings) = postings {
                pages.reserve(postings.doc_freq() as usize);
                while postings.doc() != TERMINATED {
                    pages.push(postings.doc());
                    postings.advance();
                }
            }
            tantivy::Result::Ok(pages)
        };
        read().map_err(|problem| self.refused("read", problem))
    }

    pub(super) fn refused(&self, action: &str, problem: impl std::fmt::Display) -> Error {
        refused(&self.path, action, problem)
    }
}
