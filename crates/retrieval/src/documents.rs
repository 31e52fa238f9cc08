//! The pages of an index, or of a part of it: their nodes, names and titles, and the lengths of their fields.
//!
//! An index in one piece has them in the index of tantivy. Parts have an index of tantivy without texts, and
//! the lengths in a file of their own: a byte for each page, field after field.

use super::about::{LENGTHS, damaged};
use super::fields::{self, TextField};
use super::refused::refused;
use std::path::{Path, PathBuf};
use tantivy::columnar::Column;
use tantivy::directory::FileSlice;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::schema::{Field, IndexRecordOption, Schema, Value};
use tantivy::{DocAddress, DocId, DocSet, Index, Searcher, SegmentReader, TERMINATED};
use tantivy::{TantivyDocument, Term};
use webrank_base::Node;
use webrank_base::error::{Error, Result};

/// Pages, open for reading.
pub(crate) struct Documents {
    path: PathBuf,
    pub(super) searcher: Searcher,
    node: Field,
    name: Field,
    title: Field,
    /// The node of each page.
    nodes: Option<Column<u64>>,
    /// The lengths of fields that were read from a file.
    lengths: Option<[FieldNormReader; 4]>,
}

impl Documents {
    /// Opens the pages in a folder, which are so many, and were compared with their checksums.
    pub(super) fn open(path: &Path, pages: u64, schema: &Schema) -> Result<Self> {
        let cannot = |problem| refused(path, "open", problem);
        let index = Index::open_in_dir(path).map_err(cannot)?;
        if index.schema() != *schema {
            return Err(damaged(path, "has other fields"));
        }
        index
            .tokenizers()
            .register(fields::TOKENIZER, fields::analyzer());
        let searcher = index.reader().map_err(cannot)?.searcher();
        let segments = searcher.segment_readers();
        let documents: u64 = segments.iter().map(|it| u64::from(it.max_doc())).sum();
        if segments.len() > 1 || documents != pages {
            return Err(damaged(path, "has other pages than it says"));
        }
        let column = |segment: &SegmentReader| segment.fast_fields().u64("node");
        let nodes = segments.first().map(column).transpose().map_err(cannot)?;
        let field = |name| schema.get_field(name).map_err(cannot);
        let has_texts = schema.get_field(TextField::Body.name()).is_ok();
        Ok(Documents {
            node: field("node")?,
            name: field("name")?,
            title: field(TextField::Title.name())?,
            lengths: (!has_texts).then(|| lengths(path, pages)).transpose()?,
            nodes,
            searcher,
            path: path.to_owned(),
        })
    }

    /// The only segment, if there are pages.
    pub(super) fn segment(&self) -> Option<&SegmentReader> {
        self.searcher.segment_readers().first()
    }

    /// Number of pages.
    pub(super) fn len(&self) -> u32 {
        self.segment().map_or(0, SegmentReader::max_doc)
    }

    /// The node of a page.
    pub(super) fn node(&self, page: DocId) -> Node {
        let node = self.nodes.as_ref().and_then(|nodes| nodes.first(page));
        node.unwrap_or(0) as Node
    }

    /// The lengths of a field.
    pub(super) fn lengths(&self, field: TextField) -> Result<FieldNormReader> {
        match (&self.lengths, self.segment()) {
            (Some(all), _) => Ok(all[field as usize].clone()),
            (None, None) => Ok(FieldNormReader::constant(0, 0)),
            (None, Some(segment)) => {
                let field = self.searcher.schema().get_field(field.name());
                let lengths = field.and_then(|field| segment.get_fieldnorms_reader(field));
                lengths.map_err(|problem| refused(&self.path, "read", problem))
            }
        }
    }

    /// The name and the title of a page.
    pub(super) fn named(&self, page: DocId) -> Result<(String, String)> {
        let document: TantivyDocument = self
            .searcher
            .doc(DocAddress::new(0, page))
            .map_err(|problem| refused(&self.path, "read", problem))?;
        let text = |field: Field| {
            let value = document.get_first(field);
            let text = value.and_then(|value| value.as_str().map(str::to_owned));
            text.unwrap_or_default()
        };
        Ok((text(self.name), text(self.title)))
    }

    /// The pages with this name. O(log n).
    pub(super) fn pages_named(&self, name: &str) -> Result<Vec<DocId>> {
        self.pages_of(&Term::from_field_text(self.name, name))
    }

    /// The pages of this node: one, or none. O(log n).
    pub(super) fn pages_at(&self, node: Node) -> Result<Vec<DocId>> {
        self.pages_of(&Term::from_field_u64(self.node, u64::from(node)))
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
        read().map_err(|problem| refused(&self.path, "read", problem))
    }
}

/// The lengths in the file of a folder with so many pages.
fn lengths(folder: &Path, pages: u64) -> Result<[FieldNormReader; 4]> {
    let path = folder.join(LENGTHS);
    let bytes = std::fs::read(&path).map_err(|source| Error::io(&path, "cannot read", source))?;
    if bytes.len() as u64 != 4 * pages {
        return Err(damaged(&path, "has lengths of other pages"));
    }
    let field = |field: TextField| {
        let from = field as usize * pages as usize;
        let bytes = FileSlice::from(bytes[from..][..pages as usize].to_vec());
        FieldNormReader::open(bytes).map_err(|problem| refused(&path, "read", problem))
    };
    let [title, body, anchors, url] = TextField::ALL.map(field);
    Ok([title?, body?, anchors?, url?])
}
