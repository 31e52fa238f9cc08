//! Writes the lists of an index in codes.

use super::code::{ListCode, Writer, sure};
use super::coded::Head;
use super::directory::{About, FILES, PART_FILES, Sizes};
use super::{END, terms};
use crate::fields::Fields;
use crate::parts::{Cut, Cutting};
use crate::refused::refused;
use dsi_bitstream::prelude::{
    BE, BitRead, BitWrite, BufBitReader, BufBitWriter, DeltaWrite, MemWordReader, MemWordWriterVec,
    WordAdapter,
};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use tantivy::fieldnorm::FieldNormReader;
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, InvertedIndexReader, SegmentReader, TERMINATED};
use webrank_base::error::{Error, Result};
use webrank_base::progress::Progress;

/// A file of bits.
type BitFile = BufBitWriter<BE, WordAdapter<u32, BufWriter<File>>>;

/// Words of zeros behind all bits, which readers by tables look at.
const PADDING: u32 = 2;

/// How lists are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListCoding {
    /// The code of documents, counts and positions.
    pub code: ListCode,
    /// Postings in a block; 0 for lists without skips.
    pub skip: u32,
    /// A list takes so many bytes at most while it is written, and so do the words of a part.
    pub memory: u64,
    /// Cut the index into parts, which have these lists alone.
    pub parts: Option<Cutting>,
}

/// The sums over a list that was read once.
#[derive(Default)]
struct Sums {
    postings: u64,
    positions: u64,
    documents: u64,
    gaps: u64,
    most: u32,
    shortest: u8,
}

/// A list in memory.
struct Encoded {
    head: Writer,
    skips: Writer,
    body: Writer,
    bits: [u64; 3],
}

fn memory() -> Writer {
    BufBitWriter::new(MemWordWriterVec::new(Vec::new()))
}

/// The files of an index, or of a part.
struct Files {
    folder: PathBuf,
    bits: BitFile,
    starts: BitFile,
    words: Option<BufWriter<File>>,
    about: About,
}

impl Files {
    fn create(folder: &Path, coding: ListCoding, part: bool) -> Result<Self> {
        let create = |name: &str| -> Result<BufWriter<File>> {
            let path = folder.join(name);
            let file = File::create(&path);
            let file = file.map_err(|source| Error::io(&path, "cannot write", source))?;
            Ok(BufWriter::new(file))
        };
        let bits = |name: &str| Ok(BufBitWriter::new(WordAdapter::new(create(name)?)));
        Ok(Files {
            bits: bits(FILES[0])?,
            starts: bits(FILES[1])?,
            words: part.then(|| create(PART_FILES[0])).transpose()?,
            folder: folder.to_owned(),
            about: About {
                code: coding.code,
                skip: coding.skip,
                part,
                lists: [0; 4],
                sizes: Sizes::default(),
            },
        })
    }

    /// Adds the list of a word of a field.
    fn add(&mut self, field: usize, word: &[u8], list: Encoded, sums: &Sums) -> Result<(), String> {
        let cannot = |it: std::io::Error| it.to_string();
        let sizes = &mut self.about.sizes;
        let length = append(&mut self.bits, list, sums, sizes)?;
        sizes.heads_bits += self.starts.write_delta(length).map_err(cannot)? as u64;
        self.about.lists[field] += 1;
        let words = self.words.as_mut();
        words.map_or(Ok(()), |words| {
            terms::append(words, field, word).map_err(cannot)
        })
    }

    fn finish(mut self) -> Result<Sizes> {
        let mut finish = || {
            for file in [&mut self.bits, &mut self.starts] {
                for _ in 0..PADDING {
                    file.write_bits(0, 32)?;
                }
                BitWrite::flush(file)?;
            }
            self.words.as_mut().map_or(Ok(()), Write::flush)?;
            let text = serde_json::to_vec_pretty(&self.about)?;
            std::fs::write(self.folder.join(FILES[2]), text)
        };
        finish().map_err(|source| Error::io(&self.folder, "cannot write the lists of", source))?;
        Ok(self.about.sizes)
    }
}

/// Writes the lists of the only segment of an index in a folder, or of each part in its own: O(words). Memory for
/// one list.
///
/// # Errors
/// If the index cannot be read, or a file not written.
pub(crate) fn write(
    folders: &[PathBuf],
    segment: Option<&SegmentReader>,
    fields: &Fields,
    coding: ListCoding,
    cut: Option<&Cut>,
    progress: &dyn Progress,
) -> Result<Sizes> {
    let create = |folder: &PathBuf| Files::create(folder, coding, cut.is_some());
    let mut files = folders.iter().map(create).collect::<Result<Vec<_>>>()?;
    let cannot =
        |problem: &dyn std::fmt::Display| refused(&folders[0], "write the lists of", problem);
    for (place, field) in fields.text.into_iter().enumerate() {
        let Some(segment) = segment else { continue };
        let inverted = segment.inverted_index(field).map_err(|it| cannot(&it))?;
        let lengths = segment
            .get_fieldnorms_reader(field)
            .map_err(|it| cannot(&it))?;
        let mut terms = inverted.terms().stream().map_err(|it| cannot(&it))?;
        while terms.advance() {
            progress.check()?;
            let postings = || read(&inverted, &terms).map_err(|it| cannot(&it));
            let mut list = postings()?;
            let parts = cut
                .map_or(0..1, |cut| cut.parts_of(terms.key()))
                .map(|part| {
                    let pages = cut.map_or(0..END, |cut| cut.pages(part));
                    let sums = sums(&mut list, pages.clone(), &lengths);
                    (part, pages.start, sums)
                });
            let parts: Vec<_> = parts.filter(|(_, _, sums)| sums.postings > 0).collect();
            let all: u64 = parts.iter().map(|(_, _, sums)| sums.postings).sum();
            let mut list = postings()?;
            for (part, first, sums) in parts {
                // As numbers, and as bits.
                let held = 8 * (2 * sums.postings + sums.positions);
                if held > coding.memory {
                    return Err(Error::memory("index --codes", held));
                }
                let elsewhere = cut.is_some().then_some(all - sums.postings);
                let encoded = encode(&mut list, first, &sums, elsewhere, coding);
                let files = &mut files[part];
                let added = encoded.and_then(|list| files.add(place, terms.key(), list, &sums));
                added.map_err(|it| cannot(&it))?;
            }
        }
    }
    let mut sizes = Sizes::default();
    for files in files {
        sizes.add(&files.finish()?);
    }
    Ok(sizes)
}

fn read(
    inverted: &InvertedIndexReader,
    terms: &tantivy::termdict::TermStreamer<'_>,
) -> std::io::Result<SegmentPostings> {
    let option = IndexRecordOption::WithFreqsAndPositions;
    inverted.read_postings_from_terminfo(terms.value(), option)
}

/// The sums over some pages of a list, which is at the first of them.
fn sums(list: &mut SegmentPostings, pages: Range<u32>, lengths: &FieldNormReader) -> Sums {
    let (mut sums, mut positions, mut past) = (Sums::default(), Vec::new(), pages.start);
    sums.shortest = u8::MAX;
    while list.doc() < pages.end.min(TERMINATED) {
        list.positions(&mut positions);
        sums.postings += 1;
        sums.positions += positions.len() as u64;
        sums.documents += u64::from(list.doc() - past);
        past = list.doc() + 1;
        // Gaps leave out one for each position but the first.
        let last = positions.last().copied().unwrap_or(0);
        sums.gaps += u64::from(last) + 1 - positions.len() as u64;
        sums.most = sums.most.max(positions.len() as u32);
        sums.shortest = sums.shortest.min(lengths.fieldnorm_id(list.doc()));
        list.advance();
    }
    sums
}

/// The head, the skips and the blocks of the pages of a list that were summed, from `first` on. In a part,
/// `elsewhere` pages of other parts have the word.
fn encode(
    list: &mut SegmentPostings,
    first: u32,
    sums: &Sums,
    elsewhere: Option<u64>,
    coding: ListCoding,
) -> Result<Encoded, String> {
    let code = coding.code;
    let moduli = [
        code.modulus(sums.documents, sums.postings),
        code.modulus(sums.positions - sums.postings, sums.postings),
        code.modulus(sums.gaps, sums.positions),
    ];
    let mut encoded = Encoded {
        head: memory(),
        skips: memory(),
        body: memory(),
        bits: [0; 3],
    };
    let head = Head {
        postings: sums.postings,
        positions: sums.positions,
        most: sums.most,
        shortest: sums.shortest,
        elsewhere: elsewhere.unwrap_or(0),
        moduli,
    };
    head.write(code, elsewhere.is_some(), &mut encoded.head)?;
    let quantum = if coding.skip == 0 {
        u64::MAX
    } else {
        coding.skip.into()
    };
    let (mut left, mut past, mut positions) = (sums.postings, first, Vec::new());
    let mut sections = [Vec::new(), Vec::new(), Vec::new()];
    while left > 0 {
        let before = past;
        sections.iter_mut().for_each(Vec::clear);
        for _ in 0..left.min(quantum) {
            list.positions(&mut positions);
            sections[0].push(list.doc() - past);
            sections[1].push(positions.len() as u32 - 1);
            let mut next = 0;
            for &position in &positions {
                let gap = u32::checked_sub(position, next);
                sections[2].push(gap.ok_or("positions are not in order")?);
                next = position + 1;
            }
            past = list.doc() + 1;
            list.advance();
        }
        left -= left.min(quantum);
        let mut bits = 0;
        for (place, numbers) in sections.iter().enumerate() {
            let written = code.write(&mut encoded.body, numbers, moduli[place])?;
            encoded.bits[place] += written;
            bits += written;
        }
        if left > 0 {
            for number in [u64::from(past - before - 1), bits] {
                sure(encoded.skips.write_delta(number));
            }
        }
    }
    Ok(encoded)
}

impl Head {
    fn write(&self, code: ListCode, is_part: bool, out: &mut Writer) -> Result<(), String> {
        let numbers = [
            self.postings - 1,
            self.positions - self.postings,
            self.most.into(),
        ];
        for number in numbers {
            sure(out.write_delta(number));
        }
        sure(out.write_bits(self.shortest.into(), 8));
        if is_part {
            sure(out.write_delta(self.elsewhere));
        }
        if code == ListCode::Golomb {
            for modulus in self.moduli {
                sure(out.write_delta(modulus - 1));
            }
        }
        Ok(())
    }
}

/// Appends a list to a file, and says how many bits it has.
fn append(
    file: &mut BitFile,
    list: Encoded,
    sums: &Sums,
    sizes: &mut Sizes,
) -> Result<u64, String> {
    let mut lengths = [0; 3];
    for (part, length) in [list.head, list.skips, list.body]
        .into_iter()
        .zip(&mut lengths)
    {
        let (words, bits) = finish(part)?;
        let mut reader =
            BufBitReader::<BE, _>::new(MemWordReader::<u32, _, true>::new_inf(&words[..]));
        let copied = reader.copy_to(file, bits);
        copied.map_err(|problem| problem.to_string())?;
        *length = bits;
    }
    sizes.postings += sums.postings;
    sizes.positions += sums.positions;
    sizes.heads_bits += lengths[0];
    sizes.skips_bits += lengths[1];
    sizes.documents_bits += list.bits[0];
    sizes.counts_bits += list.bits[1];
    sizes.positions_bits += list.bits[2];
    Ok(lengths.iter().sum())
}

/// The words of a part, and how many bits of them are used.
fn finish(mut part: Writer) -> Result<(Vec<u32>, u64), String> {
    let of_last = sure(BitWrite::flush(&mut part)) as u64;
    let words = sure(part.into_inner()).into_inner();
    let whole = words.len() as u64 - u64::from(of_last > 0);
    Ok((words, 32 * whole + of_last))
}
