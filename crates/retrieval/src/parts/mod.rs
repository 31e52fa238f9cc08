//! An index in parts, which may be on several disks or machines.
//!
//! By documents, each part has a range of pages with the lists of their words; by terms, each has some words with
//! their whole lists, and the pages are beside the parts. A list in a part of pages says in how many pages of
//! other parts the word is, and the index how long fields are on average: so scores have the bits of an
//! index in one piece.
//!
//! A folder `web.index/` has `rank-index.json`, a filter of each part (`part-00000.filter`) and a folder for each part,
//! `part-00000` and so on. By terms, the part of a word is a hash of it: the upper half of hash times parts. A part is read
//! when its filter has a word that is looked for: by documents, if the words it has are enough for the
//! query. Filters are self-signed dictionaries (`webrank_base::dictionaries`): r + 1.23 bits for each word, and 2^-r of
//! strangers are let in, which costs a read and changes no hit.

mod write;

pub use write::Shape;
pub(crate) use write::write;

use crate::about::{AboutPart, AboutParts, IndexManifest, damaged, files_of, is_of_lists, verify};
use crate::documents::Documents;
use crate::fields::{TextField, schema_of_pages};
use crate::lists::{Lists, key};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};
use tantivy::DocId;
use webrank_base::dictionaries::{Dictionary, SelfSigned};
use webrank_base::error::{Error, Result};
use webrank_graph::shards::folder_of;
use xxhash_rust::xxh3::xxh3_64;

/// The suffix of the files of filters.
pub(crate) const FILTER: &str = ".filter";

/// The most parts.
pub const MAX_PARTS: usize = 256;

/// Bits of a signature of filters, unless it is told.
pub const SIGNATURE: u32 = 8;

/// What is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// A part has a range of pages, with about as many words as others
    #[default]
    Documents,
    /// A part has words by a hash, with all their pages
    Terms,
}

/// How an index is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cutting {
    /// Parts, at least one.
    pub parts: usize,
    /// The unit of the cut.
    pub by: By,
    /// Bits of a signature of filters, from 1 to 64.
    pub signature: u32,
}

impl Cutting {
    /// Checks the parameters.
    ///
    /// # Errors
    /// If there are no parts or too many, or signatures are too long.
    pub fn checked(self) -> Result<Self> {
        if !(1..=MAX_PARTS).contains(&self.parts) {
            let remedy = format!("it must be from 1 to {MAX_PARTS}");
            return Err(Error::argument("parts", self.parts, remedy));
        }
        if !(1..=64).contains(&self.signature) {
            let remedy = "signatures have 1 to 64 bits";
            return Err(Error::argument("signature", self.signature, remedy));
        }
        Ok(self)
    }
}

/// Which lists and pages each part has.
pub(crate) struct Cut {
    cutting: Cutting,
    /// The first page of each part, and the number of pages.
    bounds: Vec<DocId>,
}

impl Cut {
    /// The parts that may have a word.
    pub fn parts_of(&self, word: &[u8]) -> Range<usize> {
        match self.cutting.by {
            By::Documents => 0..self.cutting.parts,
            By::Terms => {
                let part = part_of(word, self.cutting.parts);
                part..part + 1
            }
        }
    }

    /// The pages of a part.
    pub fn pages(&self, part: usize) -> Range<DocId> {
        match self.cutting.by {
            By::Documents => self.bounds[part]..self.bounds[part + 1],
            By::Terms => 0..self.bounds[self.cutting.parts],
        }
    }

    /// Describes the parts in a folder.
    pub fn about(&self, folder: &Path) -> Result<AboutParts> {
        let part = |part: usize| {
            Ok(AboutPart {
                pages: match self.cutting.by {
                    By::Documents => self.pages(part).len() as u32,
                    By::Terms => 0,
                },
                files: files_of(&folder.join(folder_of(part)))?,
            })
        };
        Ok(AboutParts {
            by: self.cutting.by,
            signature: self.cutting.signature,
            parts: (0..self.cutting.parts).map(part).collect::<Result<_>>()?,
        })
    }
}

/// The part of a word.
fn part_of(word: &[u8], parts: usize) -> usize {
    ((u128::from(xxh3_64(word)) * parts as u128) >> 64) as usize
}

/// Parts, which are read when they are needed.
pub(crate) struct Parts {
    path: PathBuf,
    about: AboutParts,
    /// The first page of each part, and the number of pages; all pages before, by terms.
    bounds: Vec<DocId>,
    filters: Vec<SelfSigned>,
    opened: Vec<(OnceLock<Documents>, OnceLock<Lists>)>,
    opening: Mutex<()>,
    bytes: AtomicU64,
}

impl Parts {
    /// Reads the filters of an index, which were compared with their checksums.
    pub fn open(path: &Path, about: &IndexManifest, parts: &AboutParts) -> Result<Self> {
        let mut bounds = vec![0 as DocId];
        for part in &parts.parts {
            let past = bounds[bounds.len() - 1].checked_add(part.pages);
            bounds.push(past.ok_or_else(|| damaged(path, "has too many pages"))?);
        }
        let pages = bounds[parts.parts.len()];
        if parts.by == By::Documents && u64::from(pages) != about.pages {
            return Err(damaged(path, "has other pages than its parts"));
        }
        let filter = |part: usize| {
            let path = path.join(folder_of(part) + FILTER);
            let bytes =
                std::fs::read(&path).map_err(|source| Error::io(&path, "cannot read", source))?;
            SelfSigned::read(&mut &bytes[..]).ok_or_else(|| damaged(&path, "is no filter"))
        };
        Ok(Parts {
            path: path.to_owned(),
            bounds,
            filters: (0..parts.parts.len()).map(filter).collect::<Result<_>>()?,
            opened: parts.parts.iter().map(|_| Default::default()).collect(),
            about: parts.clone(),
            opening: Mutex::new(()),
            bytes: AtomicU64::new(0),
        })
    }

    /// The unit of the cut.
    pub fn by(&self) -> By {
        self.about.by
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.filters.len()
    }

    /// The pages of a part, by documents.
    pub fn pages(&self, part: usize) -> Range<DocId> {
        self.bounds[part]..self.bounds[part + 1]
    }

    /// The part of a page, by documents.
    pub fn part_of_page(&self, page: DocId) -> usize {
        let part = self.bounds.partition_point(|&first| first <= page);
        part.saturating_sub(1).min(self.len() - 1)
    }

    /// The only part that may have a word, by terms.
    pub fn part_of_word(&self, word: &str) -> usize {
        part_of(word.as_bytes(), self.len())
    }

    /// True if a part has a word in a field; also of 2^-r of the others.
    pub fn may_have(&self, part: usize, field: TextField, word: &str) -> bool {
        self.filters[part].contains(&key(field as usize, word.as_bytes()))
    }

    /// True if a word is in a field of some page, by terms; also of 2^-r of the others.
    pub fn one_may_have(&self, field: TextField, word: &str) -> bool {
        self.may_have(self.part_of_word(word), field, word)
    }

    /// The pages of a part, by documents.
    pub fn documents(&self, part: usize) -> Result<&Documents> {
        let of_part = &self.about.parts[part];
        self.once(part, &self.opened[part].0, false, |folder| {
            Documents::open(folder, of_part.pages.into(), &schema_of_pages())
        })
    }

    /// The lists of a part.
    pub fn lists(&self, part: usize) -> Result<&Lists> {
        self.once(part, &self.opened[part].1, true, Lists::open)
    }

    /// Opens files of a part that nobody has opened, after they were compared with their checksums.
    fn once<'a, T>(
        &self,
        part: usize,
        cell: &'a OnceLock<T>,
        of_lists: bool,
        open: impl FnOnce(&Path) -> Result<T>,
    ) -> Result<&'a T> {
        if let Some(opened) = cell.get() {
            return Ok(opened);
        }
        let _one_at_a_time = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(opened) = cell.get() {
            return Ok(opened);
        }
        let folder = self.path.join(folder_of(part));
        let files = &self.about.parts[part].files;
        let bytes = verify(&folder, files, |name| is_of_lists(name) == of_lists)?;
        let opened = open(&folder)?;
        self.bytes.fetch_add(bytes, Relaxed);
        Ok(cell.get_or_init(|| opened))
    }

    /// Bytes of memory that the lists of a part take.
    pub fn held(&self, part: usize) -> u64 {
        Lists::held(&self.about.parts[part].files)
    }

    /// The number of parts whose lists were read, and of bytes of all parts.
    pub fn read(&self) -> (usize, u64) {
        let lists = self
            .opened
            .iter()
            .filter(|(_, lists)| lists.get().is_some());
        (lists.count(), self.bytes.load(Relaxed))
    }

    /// Fails if some list that was read could not be.
    pub fn damage(&self) -> Result<()> {
        let mut lists = self.opened.iter().filter_map(|(_, lists)| lists.get());
        lists.try_for_each(Lists::damage)
    }
}
