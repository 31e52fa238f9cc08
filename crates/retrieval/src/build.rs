//! Makes an index of the text of a bundle's pages.
//!
//! One thread indexes, in the order of nodes, and flushes a segment whenever its memory is full; in the
//! end all segments become one. So every score is the same whatever the memory and the threads.

use super::about::{ABOUT, IndexManifest, KIND};
use super::documents::Documents;
use super::fields::{self, Fields, TOKENIZER, TextField, words};
use super::lists::{self, ListCoding, Sizes};
use super::parts::{self, Cut, Shape};
use super::refused::refused;
use std::path::Path;
use tantivy::indexer::NoMergePolicy;
use tantivy::{Index, IndexWriter, TantivyDocument};
use webrank_base::error::{Error, Result};
use webrank_base::output::{PendingDirectory, TemporaryFolder};
use webrank_base::progress::Progress;
use webrank_graph::StoredGraph;
use webrank_graph::arcs::temporary_files_of;
use webrank_graph::bundle::{MAX_LINE, Page};
use webrank_tables::text::names::Names;

/// A longer title or text of a link is no query for a known item, in bytes of its words.
const LONGEST_ITEM: usize = 200;

/// The least that the indexer takes for its tables.
pub(crate) const LEAST: u64 = 16 << 20;

/// More does not make indexing faster.
const MOST: u64 = 1 << 30;

/// How an index is made.
#[derive(Debug, Clone, Copy)]
pub struct IndexOptions {
    /// The memory for the tables of a segment in bytes.
    pub segment: u64,
    /// Replace an index that is there.
    pub replace: bool,
    /// Flush a segment after so many pages, as if the memory were full.
    pub flush: Option<u64>,
    /// Make lists in codes, too, or parts of them alone.
    pub coding: Option<ListCoding>,
}

impl IndexOptions {
    /// Options for a process that may have so much memory.
    pub fn within(allowed: u64) -> Self {
        IndexOptions {
            segment: (allowed / 2).clamp(LEAST, MOST),
            replace: false,
            flush: None,
            coding: None,
        }
    }

    /// The bytes that indexing holds at most, with so many nodes whose names take so much memory: tables,
    /// a page as line and as parts, and what merging knows of each page.
    pub fn needs(&self, nodes: u64, names: u64) -> u64 {
        let page = 3 * MAX_LINE as u64;
        webrank_base::memory::of_process()
            .saturating_add(self.segment)
            .saturating_add(page)
            .saturating_add(names)
            .saturating_add(nodes.saturating_mul(48))
    }
}

/// The index of a bundle.
#[derive(Debug, Clone)]
pub struct Built {
    /// Pages in the index.
    pub pages: u64,
    /// Nodes of the graph.
    pub nodes: u64,
    /// Words of each field.
    pub words: [u64; 4],
    /// Bytes of all files.
    pub bytes: u64,
    /// The bits of lists in codes, if they were made.
    pub lists: Option<Sizes>,
    /// Its parts, if it was cut.
    pub shape: Option<Shape>,
}

/// The names of a bundle that has the text of its pages.
///
/// # Errors
/// If there are none, or no text.
pub fn names(bundle: &Path) -> Result<Names> {
    let source = StoredGraph::open(bundle)?;
    if source.pages_path().is_none() {
        return Err(no_text(bundle));
    }
    source.names()?.ok_or_else(|| {
        let problem = "has no names, but hits are named by URL; ingest the crawl again";
        Error::file(bundle, problem)
    })
}

/// The error of a bundle without the text of its pages.
fn no_text(bundle: &Path) -> Error {
    let problem = "has no text of pages, which 'rank ingest --text' keeps";
    Error::file(bundle, problem)
}

/// Indexes the pages of a bundle whose names these are. O(words); the index is whole or absent. Parts are cut from an
/// index in one piece, which is a temporary folder beside the output.
///
/// # Errors
/// If the text cannot be read, if the output exists, or cannot be written.
pub fn build(
    bundle: &Path,
    names: &Names,
    output: &Path,
    options: IndexOptions,
    progress: &dyn Progress,
) -> Result<Built> {
    let pending = PendingDirectory::create(output, KIND, options.replace)?;
    let cutting = options.coding.and_then(|coding| coding.parts);
    let cutting = cutting.map(|cutting| cutting.checked()).transpose()?;
    let workshop = cutting.map(|_| TemporaryFolder::create(&temporary_files_of(output)));
    let workshop = workshop.transpose()?;
    let folder = pending.path().to_owned();
    let whole = workshop.as_ref().map_or(&*folder, TemporaryFolder::path);
    let moved = |problem: Error| problem.moved(&folder, output).moved(whole, output);
    let pages = fill(bundle, names, whole, options, progress).map_err(moved)?;
    let (schema, fields) = fields::schema();
    let documents = Documents::open(whole, pages, &schema).map_err(moved)?;
    let words = words_of(&documents, &fields);
    let words = words.map_err(|problem| refused(output, "read", problem))?;
    let cut = cutting.map(|cutting| Cut::new(cutting, &documents));
    let cut = cut.transpose()?;
    let (mut lists, mut shape) = (None, None);
    if let Some(coding) = options.coding {
        progress.begin("lists", None);
        match &cut {
            Some(cut) => {
                let parts = parts::write(&folder, &documents, &fields, cut, coding, progress);
                let (sizes, written) = parts.map_err(moved)?;
                (lists, shape) = (Some(sizes), Some(written));
            }
            None => {
                let folders = [folder.clone()];
                let segment = documents.segment();
                let sizes = lists::write(&folders, segment, &fields, coding, None, progress);
                lists = Some(sizes.map_err(moved)?);
            }
        }
    }
    drop(documents);
    let nodes = names.len() as u64;
    let about =
        IndexManifest::of_files(&folder, nodes, pages, words, cut.as_ref()).map_err(moved)?;
    let bytes = about.bytes();
    let text = serde_json::to_vec_pretty(&about)
        .map_err(|problem| Error::file(output, problem.to_string()))?;
    std::fs::write(folder.join(ABOUT), text)
        .map_err(|source| Error::io(output, "cannot write", source))?;
    pending.finish()?;
    Ok(Built {
        pages,
        nodes,
        words,
        bytes,
        lists,
        shape,
    })
}

/// Indexes the pages in a folder, as one segment; says how many.
fn fill(
    bundle: &Path,
    names: &Names,
    folder: &Path,
    options: IndexOptions,
    progress: &dyn Progress,
) -> Result<u64> {
    let pages = StoredGraph::open(bundle)?.pages()?;
    let pages = pages.ok_or_else(|| no_text(bundle))?;
    let cannot = |problem| refused(folder, "write", problem);
    let (schema, fields) = fields::schema();
    let index = Index::create_in_dir(folder, schema).map_err(cannot)?;
    index.tokenizers().register(TOKENIZER, fields::analyzer());
    let segment = usize::try_from(options.segment).unwrap_or(usize::MAX);
    let mut writer: IndexWriter = index.writer_with_num_threads(1, segment).map_err(cannot)?;
    writer.set_merge_policy(Box::new(NoMergePolicy));
    progress.begin("index", Some(names.len() as u64));
    let (mut count, mut done) = (0u64, 0u64);
    for page in pages {
        let page = page?;
        progress.check()?;
        let past = u64::from(page.node) + 1;
        progress.advance(past - done);
        done = past;
        let document = document(&fields, names.get(page.node), &page);
        writer.add_document(document).map_err(cannot)?;
        count += 1;
        if options
            .flush
            .is_some_and(|flush| count.is_multiple_of(flush))
        {
            writer.commit().map_err(cannot)?;
        }
    }
    writer.commit().map_err(cannot)?;
    progress.begin("merge", None);
    merge(&index, &mut writer).map_err(cannot)?;
    writer.wait_merging_threads().map_err(cannot)?;
    Ok(count)
}

/// The indexed fields of a page.
fn document(fields: &Fields, name: &str, page: &Page) -> TantivyDocument {
    let mut document = TantivyDocument::new();
    document.add_u64(fields.node, u64::from(page.node));
    document.add_text(fields.name, name);
    let of = |field: TextField| fields.text[field as usize];
    document.add_text(of(TextField::Title), &page.title);
    document.add_text(of(TextField::Body), &page.text);
    document.add_text(of(TextField::Url), name);
    for anchor in &page.anchors {
        document.add_text(of(TextField::Anchors), anchor);
    }
    document.extend_items(fields.title_item, [&page.title]);
    document.extend_items(fields.anchor_item, &page.anchors);
    document
}

/// Adds texts as queries.
trait Items {
    fn extend_items<'a>(
        &mut self,
        field: tantivy::schema::Field,
        texts: impl IntoIterator<Item = &'a String>,
    );
}

impl Items for TantivyDocument {
    fn extend_items<'a>(
        &mut self,
        field: tantivy::schema::Field,
        texts: impl IntoIterator<Item = &'a String>,
    ) {
        let short = texts
            .into_iter()
            .filter(|text| text.len() <= 2 * LONGEST_ITEM);
        let mut items: Vec<String> = short.map(|text| words(text).join(" ")).collect();
        items.sort_unstable();
        items.dedup();
        items.retain(|item| !item.is_empty() && item.len() <= LONGEST_ITEM);
        items.iter().for_each(|item| self.add_text(field, item));
    }
}

/// Makes one segment of all, with pages in the order of nodes.
pub(crate) fn merge(index: &Index, writer: &mut IndexWriter) -> tantivy::Result<()> {
    let searcher = index.reader()?.searcher();
    let mut segments = Vec::new();
    for reader in searcher.segment_readers() {
        let first = reader.fast_fields().u64("node")?.min_value();
        segments.push((first, reader.segment_id()));
    }
    segments.sort_unstable();
    drop(searcher);
    if segments.len() > 1 {
        let all: Vec<_> = segments.into_iter().map(|(_, id)| id).collect();
        writer.merge(&all).wait()?;
        writer.garbage_collect_files().wait()?;
    }
    Ok(())
}

/// The words of each field.
fn words_of(documents: &Documents, fields: &Fields) -> tantivy::Result<[u64; 4]> {
    let mut words = [0; 4];
    for (count, &field) in words.iter_mut().zip(&fields.text) {
        if let Some(segment) = documents.segment() {
            *count = segment.inverted_index(field)?.total_num_tokens();
        }
    }
    Ok(words)
}
