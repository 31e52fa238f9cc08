//! The files of lists.

use super::code::{ListCode, Reader};
use super::coded::Coded;
use super::terms::Terms;
use super::{List, OfTantivy, Seeking};
use crate::about::Files;
use crate::refused::refused;
use dsi_bitstream::prelude::{BufBitReader, DeltaRead, MemWordReader, WordError};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use webrank_base::error::{Error, Result};

/// The bits, how long each list is, and what the lists are.
pub(crate) const FILES: [&str; 3] = ["lists.bits", "lists.starts", "lists.json"];

/// The words of the lists of a part, and the place of each.
pub(crate) const PART_FILES: [&str; 2] = ["lists.words", "lists.places"];

/// The bits of lists.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sizes {
    /// Postings.
    pub postings: u64,
    /// Positions.
    pub positions: u64,
    /// Bits of documents.
    pub documents_bits: u64,
    /// Bits of counts.
    pub counts_bits: u64,
    /// Bits of positions.
    pub positions_bits: u64,
    /// Bits of skips.
    pub skips_bits: u64,
    /// Bits of heads, and of the lengths of lists.
    pub heads_bits: u64,
}

impl Sizes {
    /// Adds those of other lists.
    pub(super) fn add(&mut self, other: &Sizes) {
        self.postings += other.postings;
        self.positions += other.positions;
        self.documents_bits += other.documents_bits;
        self.counts_bits += other.counts_bits;
        self.positions_bits += other.positions_bits;
        self.skips_bits += other.skips_bits;
        self.heads_bits += other.heads_bits;
    }
}

/// The content of `lists.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct About {
    pub code: ListCode,
    /// Postings in a block; 0 if no list has skips.
    pub skip: u32,
    /// True if they are of a part of an index.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub part: bool,
    /// Lists of each field.
    pub lists: [u64; 4],
    pub sizes: Sizes,
}

/// All lists, in memory.
pub struct Lists {
    path: PathBuf,
    pub(super) code: ListCode,
    skip: u32,
    sizes: Sizes,
    pub(super) words: Vec<u32>,
    /// Where each list starts, field after field.
    starts: Vec<u64>,
    /// The first list of each field.
    fields: [u64; 4],
    /// The words of a part.
    terms: Option<Terms>,
    is_damaged: AtomicBool,
}

impl Lists {
    /// Bytes that the lists among some files take in memory.
    pub(crate) fn held(files: &Files) -> u64 {
        let bytes = |name: &str| files.get(name).map_or(0, |entry| entry.bytes);
        let terms = Terms::held(bytes(PART_FILES[0]), bytes(PART_FILES[1]));
        // A length of a list has at least one bit, and a start 64.
        let starts = bytes(FILES[1]).saturating_mul(64 + 1);
        bytes(FILES[0]).saturating_add(starts).saturating_add(terms)
    }

    /// Reads the lists of an index, whose checksums were compared. O(bytes).
    ///
    /// # Errors
    /// If they cannot be read, or are not what they say.
    pub(crate) fn open(index: &Path) -> Result<Self> {
        let at = |place: usize| index.join(FILES[place]);
        let read = |place: usize| {
            let path = at(place);
            std::fs::read(&path).map_err(|source| Error::io(&path, "cannot read", source))
        };
        let about = serde_json::from_slice(&read(2)?);
        let about: About = about.map_err(|problem| refused(&at(2), "read", problem))?;
        let [words, of_starts] = [words(&read(0)?), words(&read(1)?)];
        let starts = starts(&of_starts, &about);
        let starts = starts.map_err(|_| refused(&at(1), "read", "a length is missing"))?;
        if starts
            .last()
            .is_some_and(|&end| end > 32 * words.len() as u64)
        {
            return Err(refused(&at(0), "read", "it is too short"));
        }
        let mut fields = [0; 4];
        for field in 1..4 {
            fields[field] = fields[field - 1] + about.lists[field - 1];
        }
        let terms = about.part.then(|| Terms::open(index, starts.len() - 1));
        Ok(Lists {
            terms: terms.transpose()?,
            path: index.to_owned(),
            code: about.code,
            skip: about.skip,
            sizes: about.sizes,
            words,
            starts,
            fields,
            is_damaged: AtomicBool::new(false),
        })
    }

    /// The code of the lists.
    pub fn code(&self) -> ListCode {
        self.code
    }

    /// Postings in a block; 0 if no list has skips.
    pub fn skip(&self) -> u32 {
        self.skip
    }

    /// Their bits.
    pub fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// True if they are of a part of an index.
    pub(super) fn is_part(&self) -> bool {
        self.terms.is_some()
    }

    /// Postings in a block of a list of so many.
    pub(super) fn quantum(&self, postings: u64) -> u64 {
        match self.skip {
            0 => postings.max(1),
            skip => skip.into(),
        }
    }

    /// The list of a term of a field.
    pub(crate) fn list(
        &self,
        field: usize,
        term: u64,
        seeking: Seeking,
    ) -> Option<Box<dyn List + '_>> {
        self.list_at(self.fields[field].saturating_add(term), seeking)
    }

    /// The list of a word of a field, in a part.
    pub(crate) fn of_word(
        &self,
        field: usize,
        word: &str,
        seeking: Seeking,
    ) -> Option<Box<dyn List + '_>> {
        let place = self.terms.as_ref()?.place(field, word)?;
        self.list_at(place, seeking)
    }

    fn list_at(&self, place: u64, seeking: Seeking) -> Option<Box<dyn List + '_>> {
        let start = self.starts.get(usize::try_from(place).ok()?)?;
        Coded::open(self, *start, seeking).map(|list| Box::new(list) as _)
    }

    /// The value that was read; notes if it could not be.
    pub(super) fn noted<T>(&self, read: Result<T, WordError>) -> Option<T> {
        if read.is_err() {
            self.is_damaged.store(true, Ordering::Relaxed);
        }
        read.ok()
    }

    /// Fails if some list could not be read.
    pub(crate) fn damage(&self) -> Result<()> {
        match self.is_damaged.load(Ordering::Relaxed) {
            true => Err(refused(
                &self.path.join(FILES[0]),
                "read",
                "a list is cut or wrong",
            )),
            false => Ok(()),
        }
    }
}

/// Words of bits, as they are in memory.
fn words(bytes: &[u8]) -> Vec<u32> {
    let words = bytes.chunks_exact(4);
    words
        .map(|word| u32::from_ne_bytes([word[0], word[1], word[2], word[3]]))
        .collect()
}

/// Where lists start: the sums of their lengths, and the end.
fn starts(words: &[u32], about: &About) -> Result<Vec<u64>, WordError> {
    let mut reader: Reader = BufBitReader::new(MemWordReader::new(words));
    let count = about
        .lists
        .iter()
        .fold(0u64, |sum, &it| sum.saturating_add(it));
    let (mut starts, mut start) = (vec![0], 0u64);
    for _ in 0..count {
        start = start.saturating_add(reader.read_delta()?);
        starts.push(start);
    }
    Ok(starts)
}

impl OfTantivy {
    /// The postings as a list of any kind.
    pub(crate) fn boxed<'a>(postings: tantivy::postings::SegmentPostings) -> Box<dyn List + 'a> {
        Box::new(OfTantivy(postings))
    }
}
