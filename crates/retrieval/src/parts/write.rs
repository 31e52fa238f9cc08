//! Cuts an index into parts.

use super::{By, Cut, Cutting, FILTER};
use crate::about::LENGTHS;
use crate::build::{LEAST, merge};
use crate::documents::Documents;
use crate::fields::{Fields, TextField, schema_of_pages};
use crate::lists::{self, ListCoding, Sizes};
use crate::refused::refused;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use tantivy::indexer::NoMergePolicy;
use tantivy::schema::Field;
use tantivy::{DocId, Index, IndexWriter, TantivyDocument};
use webrank_base::error::{Error, Result};
use webrank_base::progress::Progress;
use webrank_graph::shards::folder_of;
use webrank_graph::shards::plan::create_folder;

/// The sizes of parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// How they were cut.
    pub cutting: Cutting,
    /// The pages of each part, by documents.
    pub pages: Vec<u64>,
    /// The words of each part, counted in each field.
    pub terms: Vec<u64>,
    /// Bits of all filters.
    pub filter_bits: u64,
}

impl Cut {
    /// Cuts pages into ranges of about equal numbers of words and pages, or words by a hash.
    pub fn new(cutting: Cutting, documents: &Documents) -> Result<Self> {
        let lengths = TextField::ALL.map(|field| documents.lengths(field));
        let lengths = lengths.into_iter().collect::<Result<Vec<_>>>()?;
        let weight = |page: DocId| {
            let words = lengths.iter().map(|lengths| lengths.fieldnorm(page));
            words.fold(1, |sum, words| sum + u64::from(words))
        };
        let pages = documents.len();
        let total: u64 = (0..pages).map(weight).sum();
        let (mut bounds, mut before) = (vec![0], 0u128);
        for page in 0..pages {
            // A page belongs to the range in which its middle lies.
            let middle = 2 * before + u128::from(weight(page));
            while bounds.len() < cutting.parts
                && middle * cutting.parts as u128 >= 2 * u128::from(total) * bounds.len() as u128
            {
                bounds.push(page);
            }
            before += u128::from(weight(page));
        }
        bounds.resize(cutting.parts + 1, pages);
        Ok(Cut { cutting, bounds })
    }
}

/// Writes the parts of an index in one piece to a folder, with lists in a code. O(words).
///
/// # Errors
/// If the index cannot be read, a file not written, or if memory is short.
pub(crate) fn write(
    folder: &Path,
    documents: &Documents,
    fields: &Fields,
    cut: &Cut,
    coding: ListCoding,
    progress: &dyn Progress,
) -> Result<(Sizes, Shape)> {
    let parts = 0..cut.cutting.parts;
    let folders = parts.clone().map(|part| create_folder(folder, part));
    let folders: Vec<PathBuf> = folders.collect::<Result<_>>()?;
    let segment = documents.segment();
    let sizes = lists::write(&folders, segment, fields, coding, Some(cut), progress)?;
    progress.begin("parts", Some(cut.cutting.parts as u64));
    let (mut terms, mut filter_bits) = (Vec::new(), 0);
    for part in parts.clone() {
        progress.check()?;
        let filter = folder.join(folder_of(part) + FILTER);
        let signature = cut.cutting.signature;
        let [count, bits] = lists::seal(&folders[part], &filter, signature, coding.memory)?;
        terms.push(count);
        filter_bits += bits;
        if cut.cutting.by == By::Documents {
            write_pages(&folders[part], documents, cut.pages(part), coding, progress)?;
        }
        progress.advance(1);
    }
    if cut.cutting.by == By::Terms {
        write_pages(folder, documents, 0..documents.len(), coding, progress)?;
    }
    progress.end();
    let pages = parts.map(|part| cut.pages(part).len() as u64);
    let shape = Shape {
        cutting: cut.cutting,
        pages: pages.collect(),
        terms,
        filter_bits,
    };
    Ok((sizes, shape))
}

/// Writes nodes, names, titles and lengths of some pages.
fn write_pages(
    folder: &Path,
    documents: &Documents,
    pages: Range<DocId>,
    coding: ListCoding,
    progress: &dyn Progress,
) -> Result<()> {
    write_lengths(&folder.join(LENGTHS), documents, pages.clone())?;
    let cannot = |problem| refused(folder, "write", problem);
    let schema = schema_of_pages();
    let field = |name| schema.get_field(name).map_err(cannot);
    let [node, name, title] = ["node", "name", TextField::Title.name()].map(field);
    let (node, name, title): (Field, Field, Field) = (node?, name?, title?);
    let index = Index::create_in_dir(folder, schema).map_err(cannot)?;
    let memory = usize::try_from(coding.memory.max(LEAST)).unwrap_or(usize::MAX);
    let mut writer: IndexWriter = index.writer_with_num_threads(1, memory).map_err(cannot)?;
    writer.set_merge_policy(Box::new(NoMergePolicy));
    for page in pages {
        progress.check()?;
        let (its_name, its_title) = documents.named(page)?;
        let mut document = TantivyDocument::new();
        document.add_u64(node, u64::from(documents.node(page)));
        document.add_text(name, its_name);
        document.add_text(title, its_title);
        writer.add_document(document).map_err(cannot)?;
    }
    writer.commit().map_err(cannot)?;
    merge(&index, &mut writer).map_err(cannot)?;
    writer.wait_merging_threads().map_err(cannot)
}

fn write_lengths(path: &Path, documents: &Documents, pages: Range<DocId>) -> Result<()> {
    let cannot = |source| Error::io(path, "cannot write", source);
    let mut out = BufWriter::new(File::create(path).map_err(cannot)?);
    for field in TextField::ALL {
        let lengths = documents.lengths(field)?;
        for page in pages.clone() {
            out.write_all(&[lengths.fieldnorm_id(page)])
                .map_err(cannot)?;
        }
    }
    out.flush().map_err(cannot)
}
