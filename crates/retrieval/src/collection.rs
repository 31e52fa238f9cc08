//! An index on disk, opened for queries.
//!
//! Every file is compared with its checksum before it is read, those of parts when they are needed: what is
//! damaged or cut is an error, and nothing of it is believed.

pub use super::about::{ABOUT, IndexManifest};
use super::about::{damaged, verify};
use super::documents::Documents;
use super::expression::Expression;
use super::fields::{self, Fields, TextField};
use super::lists::{self, FILES, List, ListCoding, Lists, OfTantivy, Seeking};
use super::parts::{By, Parts};
use super::refused::refused;
use std::path::{Path, PathBuf};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, Searcher, SegmentReader, Term};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::progress::Silent;

/// An open index.
pub struct Collection {
    path: PathBuf,
    about: IndexManifest,
    pub(super) fields: Fields,
    /// Its pages, if they are not in parts.
    documents: Option<Documents>,
    /// Lists in codes, if there are any beside those of tantivy.
    lists: Option<Lists>,
    parts: Option<Parts>,
}

/// Pages with the lists of their words: all, or those of a part.
pub(super) struct Stretch<'a> {
    /// The number of the first page.
    pub first: DocId,
    pub documents: &'a Documents,
    collection: &'a Collection,
    /// The part with these pages and their lists.
    part: Option<usize>,
}

impl Collection {
    /// Opens the index at `path` and compares it with its checksums. O(bytes); of parts, filters are read.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or of another version.
    pub fn open(path: &Path) -> Result<Self> {
        let about = IndexManifest::read(path)?;
        verify(path, &about.files, |_| true)?;
        let parts = about.parts.as_ref();
        let parts = parts.map(|parts| Parts::open(path, &about, parts));
        let parts = parts.transpose()?;
        let (schema, fields) = fields::schema();
        let schema = match parts.as_ref().map(Parts::by) {
            None => Some(schema),
            Some(By::Terms) => Some(fields::schema_of_pages()),
            Some(By::Documents) => None,
        };
        let documents = schema.map(|schema| Documents::open(path, about.pages, &schema));
        let has_lists = about.files.contains_key(FILES[0]);
        if DocId::try_from(about.pages).is_err() {
            return Err(damaged(path, "has too many pages"));
        }
        Ok(Collection {
            documents: documents.transpose()?,
            lists: has_lists.then(|| Lists::open(path)).transpose()?,
            path: path.to_owned(),
            about,
            fields,
            parts,
        })
    }

    /// Bytes of memory that an open index at `path` takes: lists in codes, or filters of parts and lengths.
    ///
    /// # Errors
    /// If it is no index.
    pub fn bytes_to_open(path: &Path) -> Result<u64> {
        let about = IndexManifest::read(path)?;
        if about.parts.is_none() {
            return Ok(Lists::held(&about.files));
        }
        let filters = about.files.values().map(|entry| entry.bytes);
        Ok(filters.fold(4 * about.pages, u64::saturating_add))
    }

    /// Bytes of memory that the lists of parts take which a query reads, or all of them.
    pub fn bytes_to_search(&self, expression: Option<&Expression>) -> u64 {
        let Some(parts) = &self.parts else { return 0 };
        let all = || (0..parts.len()).collect();
        let read = expression.map_or_else(all, |expression| self.parts_for(parts, expression));
        let held = read.into_iter().map(|part| parts.held(part));
        held.fold(0, u64::saturating_add)
    }

    /// Its lists in codes, if it has any and is in one piece.
    pub fn lists(&self) -> Option<&Lists> {
        self.lists.as_ref()
    }

    /// True if it has lists in codes.
    pub fn has_lists(&self) -> bool {
        self.lists.is_some() || self.parts.is_some()
    }

    /// How many parts there are, of how many lists were read, and how many bytes of parts; nothing of an index in
    /// one piece.
    pub fn parts_read(&self) -> Option<[u64; 3]> {
        let parts = self.parts.as_ref()?;
        let (read, bytes) = parts.read();
        Some([parts.len() as u64, read as u64, bytes])
    }

    /// Fails if it is in parts.
    ///
    /// # Errors
    /// If it is.
    pub fn check_whole(&self) -> Result<()> {
        let problem = "is in parts, which keep no titles and texts of links as queries; take an index in one piece";
        match self.parts {
            None => Ok(()),
            Some(_) => Err(Error::file(&self.path, problem)),
        }
    }

    /// Fails if some list in codes that was read could not be.
    pub(super) fn check_lists(&self) -> Result<()> {
        let lists = self.lists.as_ref().map_or(Ok(()), Lists::damage);
        lists.and_then(|()| self.parts.as_ref().map_or(Ok(()), Parts::damage))
    }

    /// Writes lists in a code to a folder, and searches by these from now on; without a code, by those of the
    /// index.
    ///
    /// # Errors
    /// If they cannot be written or read, or if it is in parts.
    pub fn recode(&mut self, folder: &Path, coding: Option<ListCoding>) -> Result<()> {
        self.check_whole()?;
        self.lists = match coding {
            None => None,
            Some(coding) => {
                let segment = self.documents.as_ref().and_then(Documents::segment);
                let folders = [folder.to_owned()];
                lists::write(&folders, segment, &self.fields, coding, None, &Silent)?;
                Some(Lists::open(folder)?)
            }
        };
        Ok(())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its description.
    pub fn about(&self) -> &IndexManifest {
        &self.about
    }

    /// Number of pages.
    pub fn len(&self) -> usize {
        self.about.pages as usize
    }

    /// True if there are no pages.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Tantivy's searcher and segment, if it is in one piece and has pages.
    pub(super) fn of_tantivy(&self) -> Option<(&Searcher, &SegmentReader)> {
        let documents = self.documents.as_ref().filter(|_| self.parts.is_none())?;
        Some((&documents.searcher, documents.segment()?))
    }

    /// The parts whose filters have what an expression needs.
    fn parts_for(&self, parts: &Parts, expression: &Expression) -> Vec<usize> {
        let all = 0..parts.len();
        match parts.by() {
            By::Documents => all
                .filter(|&part| {
                    let has = |field, word: &str| parts.may_have(part, field, word);
                    !parts.pages(part).is_empty() && expression.may_match(&has)
                })
                .collect(),
            By::Terms => {
                let has = |field, word: &str| parts.one_may_have(field, word);
                if !expression.may_match(&has) {
                    return Vec::new();
                }
                let mut found = vec![false; parts.len()];
                expression.for_each_word(&mut |field, word| {
                    found[parts.part_of_word(word)] |= has(field, word);
                });
                all.filter(|&part| found[part]).collect()
            }
        }
    }

    /// Pages among which are all that an expression finds.
    pub(super) fn stretches(&self, expression: &Expression) -> Result<Vec<Stretch<'_>>> {
        let parts = match &self.parts {
            Some(parts) if parts.by() == By::Documents => self.parts_for(parts, expression),
            Some(parts)
                if !expression.may_match(&|field, word| parts.one_may_have(field, word)) =>
            {
                Vec::new()
            }
            _ if self.is_empty() => Vec::new(),
            _ => return Ok(vec![self.stretch(None)?]),
        };
        parts
            .into_iter()
            .map(|part| self.stretch(Some(part)))
            .collect()
    }

    /// The pages around a page.
    pub(super) fn stretch_of(&self, page: DocId) -> Result<Stretch<'_>> {
        let parts = self
            .parts
            .as_ref()
            .filter(|parts| parts.by() == By::Documents);
        self.stretch(parts.map(|parts| parts.part_of_page(page)))
    }

    fn stretch(&self, part: Option<usize>) -> Result<Stretch<'_>> {
        let (first, documents) = match (&self.documents, &self.parts, part) {
            (None, Some(parts), Some(part)) => (parts.pages(part).start, parts.documents(part)?),
            (Some(documents), ..) => (0, documents),
            _ => return Err(self.refused("read", "it has no pages")),
        };
        Ok(Stretch {
            first,
            documents,
            collection: self,
            part,
        })
    }

    /// All pages, in one piece or in several.
    fn all(&self) -> Result<Vec<Stretch<'_>>> {
        match (&self.documents, &self.parts) {
            (None, Some(parts)) => (0..parts.len())
                .map(|part| self.stretch(Some(part)))
                .collect(),
            _ => Ok(vec![self.stretch(None)?]),
        }
    }

    /// The node of a page.
    pub fn node(&self, page: DocId) -> Node {
        let stretch = self.stretch_of(page);
        stretch.map_or(0, |it| it.documents.node(page - it.first))
    }

    /// The name and the title of a page.
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn named(&self, page: DocId) -> Result<(String, String)> {
        let stretch = self.stretch_of(page)?;
        stretch.documents.named(page - stretch.first)
    }

    /// The pages with this name. O(log n).
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn pages_named(&self, name: &str) -> Result<Vec<DocId>> {
        let mut pages = Vec::new();
        for stretch in self.all()? {
            let found = stretch.documents.pages_named(name)?;
            pages.extend(found.into_iter().map(|page| stretch.first + page));
        }
        Ok(pages)
    }

    /// The page of this node. O(log n).
    ///
    /// # Errors
    /// If the index cannot be read.
    pub fn page_of(&self, node: Node) -> Result<Option<DocId>> {
        for stretch in self.all()? {
            if let Some(page) = stretch.documents.pages_at(node)?.first() {
                return Ok(Some(stretch.first + page));
            }
        }
        Ok(None)
    }

    pub(super) fn refused(&self, action: &str, problem: impl std::fmt::Display) -> Error {
        refused(&self.path, action, problem)
    }
}

impl<'a> Stretch<'a> {
    /// The words of a field in a page of the whole index, on average.
    pub fn average(&self, field: TextField) -> f64 {
        let about = self.collection.about();
        about.words[field as usize] as f64 / about.pages as f64
    }

    /// The list of a word in a field: in codes if the index has such lists.
    pub fn list(
        &self,
        field: TextField,
        word: &str,
        with_positions: bool,
        seeking: Seeking,
    ) -> Result<Option<Box<dyn List + 'a>>> {
        let collection = self.collection;
        if let Some(parts) = &collection.parts {
            let part = self.part.unwrap_or_else(|| parts.part_of_word(word));
            if !parts.may_have(part, field, word) {
                return Ok(None);
            }
            return Ok(parts.lists(part)?.of_word(field as usize, word, seeking));
        }
        let Some((_, segment)) = collection.of_tantivy() else {
            return Ok(None);
        };
        let term = Term::from_field_text(collection.fields.text[field as usize], word);
        let read = || {
            let inverted = segment.inverted_index(term.field())?;
            if let Some(lists) = &collection.lists {
                let place = inverted.terms().term_ord(term.serialized_value_bytes())?;
                return Ok(place.and_then(|it| lists.list(field as usize, it, seeking)));
            }
            let option = match with_positions {
                true => IndexRecordOption::WithFreqsAndPositions,
                false => IndexRecordOption::WithFreqs,
            };
            let postings = inverted.read_postings(&term, option)?;
            tantivy::Result::Ok(postings.map(OfTantivy::boxed))
        };
        read().map_err(|problem| collection.refused("search", problem))
    }
}
