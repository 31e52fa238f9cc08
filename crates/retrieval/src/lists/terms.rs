//! The words of the lists of a part, and which list each has.
//!
//! An order-preserving minimal perfect hash says at which place a word is: it reads three cells and keeps no
//! word. The word at that place is then compared, so that no stranger is found. `lists.words` has the words in the
//! order of the lists, with their lengths and fields in front, a byte each; `lists.places` has the function.
//!
//! The filter of a part is a self-signed dictionary of the same words: it has a stranger with probability 2^-r.

use super::directory::PART_FILES;
use crate::refused::refused;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use webrank_base::bits::width;
use webrank_base::dictionaries::{CellLayout, Dictionary, Function, SelfSigned};
use webrank_base::error::{Error, Result};

/// Bytes that a function takes for each key while it is made.
const MAKING: u64 = 80;

/// A word of a field as a key of functions.
pub(crate) fn key(field: usize, word: &[u8]) -> Vec<u8> {
    [&[field as u8], word].concat()
}

/// Appends a word to the list of words.
pub(super) fn append(out: &mut BufWriter<File>, field: usize, word: &[u8]) -> io::Result<()> {
    let length = u8::try_from(word.len()).map_err(io::Error::other)?;
    out.write_all(&[length, field as u8])?;
    out.write_all(word)
}

/// Where each key starts, behind its length; none if a word is cut.
fn starts(words: &[u8]) -> Option<Vec<u64>> {
    let (mut starts, mut at) = (Vec::new(), 0);
    while at < words.len() {
        starts.push(at as u64 + 1);
        at += 2 + usize::from(words[at]);
    }
    (at == words.len()).then_some(starts)
}

fn key_at(words: &[u8], start: u64) -> &[u8] {
    let start = start as usize;
    &words[start..][..1 + usize::from(words[start - 1])]
}

/// Words, in memory.
pub(super) struct Terms {
    places: Function,
    words: Vec<u8>,
    starts: Vec<u64>,
}

impl Terms {
    /// Bytes that files of words and places of these lengths take in memory.
    pub fn held(words: u64, places: u64) -> u64 {
        // An entry has three bytes at least, and a start eight.
        words.saturating_mul(4).saturating_add(2 * places)
    }

    /// Reads the words of so many lists.
    pub fn open(folder: &Path, lists: usize) -> Result<Self> {
        let read = |place: usize| {
            let path = folder.join(PART_FILES[place]);
            std::fs::read(&path).map_err(|source| Error::io(&path, "cannot read", source))
        };
        let wrong = |place: usize| {
            let path = folder.join(PART_FILES[place]);
            refused(&path, "read", "it is cut or wrong")
        };
        let words = read(0)?;
        let starts = starts(&words).filter(|starts| starts.len() == lists);
        Ok(Terms {
            starts: starts.ok_or_else(|| wrong(0))?,
            places: Function::read(&mut &read(1)?[..]).ok_or_else(|| wrong(1))?,
            words,
        })
    }

    /// The place of the list of a word of a field. Reads three cells, and the word there.
    pub fn place(&self, field: usize, word: &str) -> Option<u64> {
        let key = key(field, word.as_bytes());
        let place = self.places.get(&key);
        let start = self.starts.get(usize::try_from(place).ok()?)?;
        (key_at(&self.words, *start) == key).then_some(place)
    }
}

/// Makes the function of the words in a folder, and a filter of them with signatures of so many bits; says how many
/// words there are, and the bits of the filter. O(words).
///
/// # Errors
/// If it takes more than so many bytes, or files cannot be written.
pub(crate) fn seal(folder: &Path, filter: &Path, signature: u32, memory: u64) -> Result<[u64; 2]> {
    let [words_path, places_path] = PART_FILES.map(|name| folder.join(name));
    let cannot = |source| Error::io(&words_path, "cannot read", source);
    let words = std::fs::read(&words_path).map_err(cannot)?;
    let starts = starts(&words).ok_or_else(|| refused(&words_path, "read", "it is cut"))?;
    let held = words.len() as u64 + MAKING * starts.len() as u64;
    if held > memory {
        return Err(Error::memory("index --parts", held));
    }
    let keys: Vec<&[u8]> = starts.iter().map(|&start| key_at(&words, start)).collect();
    let bits = width(keys.len().saturating_sub(1) as u64);
    let places = Function::new(&keys, bits, CellLayout::Hinges, |place, _| place as u64)?;
    save(&places_path, &|out| places.write(out))?;
    let made = SelfSigned::new(&keys, signature, CellLayout::Hinges)?;
    save(filter, &|out| made.write(out))?;
    Ok([keys.len() as u64, made.bits()])
}

fn save(path: &Path, write: &dyn Fn(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let saved = || {
        let mut out = BufWriter::new(File::create(path)?);
        write(&mut out)?;
        out.flush()
    };
    saved().map_err(|source| Error::io(path, "cannot write", source))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Every word has its place, and no stranger has one, whatever the filter says.
        #[test]
        fn words_have_their_places(
            words in prop::collection::btree_set((0..4usize, "[a-cé]{0,5}"), 0..60),
            strangers in prop::collection::vec((0..4usize, "[a-cé]{0,5}"), 20),
        ) {
            let folder = tempfile::tempdir().unwrap();
            let [list, filter] = [folder.path().join(PART_FILES[0]), folder.path().join("filter")];
            let mut out = BufWriter::new(File::create(list).unwrap());
            for (field, word) in &words {
                append(&mut out, *field, word.as_bytes()).unwrap();
            }
            out.into_inner().unwrap();
            let [count, bits] = seal(folder.path(), &filter, 4, 1 << 20).unwrap();
            prop_assert_eq!(count, words.len() as u64);
            let filter = SelfSigned::read(&mut &std::fs::read(filter).unwrap()[..]).unwrap();
            prop_assert_eq!(filter.bits(), bits);
            let terms = Terms::open(folder.path(), words.len()).unwrap();
            for (place, (field, word)) in (0..).zip(&words) {
                prop_assert_eq!(terms.place(*field, word), Some(place));
                prop_assert!(filter.contains(&key(*field, word.as_bytes())));
            }
            for stranger in strangers.iter().filter(|it| !words.contains(it)) {
                prop_assert_eq!(terms.place(stranger.0, &stranger.1), None);
            }
            prop_assert!(Terms::open(folder.path(), words.len() + 1).is_err());
            prop_assert!(words.is_empty() || seal(folder.path(), &folder.path().join("f"), 4, 70).is_err());
        }
    }
}
