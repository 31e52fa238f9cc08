//! Writes the lists of an index in codes.

use super::code::{Code, Writer, sure};
use super::coded::Head;
use super::directory::{About, FILES, Sizes};
use crate::fields::Fields;
use crate::refused::refused;
use dsi_bitstream::prelude::{
    BE, BitRead, BitWrite, BufBitReader, BufBitWriter, DeltaWrite, MemWordReader, MemWordWriterVec,
    WordAdapter,
};
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
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
pub struct Coding {
    /// The code of documents, counts and positions.
    pub code: Code,
    /// Postings in a block; 0 for lists without skips.
    pub skip: u32,
    /// A list takes so many bytes at most while it is written.
    pub memory: u64,
}

/// What is known of a list after it was read once.
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

/// Writes the lists of the only segment of an index in a folder: O(words). Memory for one list.
///
/// # Errors
/// If the index cannot be read, or a file not written.
pub(crate) fn write(
    folder: &Path,
    segment: Option<&SegmentReader>,
    fields: &Fields,
    coding: Coding,
    progress: &dyn Progress,
) -> Result<Sizes> {
    let [bits_path, starts_path, about_path] = FILES.map(|name| folder.join(name));
    let create = |path: &Path| -> Result<BitFile> {
        let file = File::create(path).map_err(|source| Error::io(path, "cannot write", source))?;
        Ok(BufBitWriter::new(WordAdapter::new(BufWriter::new(file))))
    };
    let (mut bits, mut starts) = (create(&bits_path)?, create(&starts_path)?);
    let cannot = |problem: &dyn std::fmt::Display| refused(folder, "write the lists of", problem);
    let (mut sizes, mut lists) = (Sizes::default(), [0; 4]);
    for (field, lists) in fields.text.into_iter().zip(&mut lists) {
        let Some(segment) = segment else { continue };
        let inverted = segment.inverted_index(field).map_err(|it| cannot(&it))?;
        let lengths = segment
            .get_fieldnorms_reader(field)
            .map_err(|it| cannot(&it))?;
        let mut terms = inverted.terms().stream().map_err(|it| cannot(&it))?;
        while terms.advance() {
            progress.check()?;
            let postings = || read(&inverted, &terms).map_err(|it| cannot(&it));
            let sums = sums(postings()?, &lengths);
            // As numbers, and as bits.
            let held = 8 * (2 * sums.postings + sums.positions);
            if held > coding.memory {
                return Err(Error::memory("index --codes", held));
            }
            let encoded = encode(postings()?, &sums, coding).map_err(|it| cannot(&it))?;
            let length = append(&mut bits, encoded, &sums, &mut sizes).map_err(|it| cannot(&it))?;
            let head = starts.write_delta(length).map_err(|it| cannot(&it))?;
            sizes.heads_bits += head as u64;
            *lists += 1;
        }
    }
    for file in [&mut bits, &mut starts] {
        for _ in 0..PADDING {
            file.write_bits(0, 32).map_err(|it| cannot(&it))?;
        }
        file.flush().map_err(|it| cannot(&it))?;
    }
    let about = About {
        code: coding.code,
        skip: coding.skip,
        lists,
        sizes,
    };
    let text = serde_json::to_vec_pretty(&about).map_err(|it| cannot(&it))?;
    std::fs::write(&about_path, text)
        .map_err(|source| Error::io(&about_path, "cannot write", source))?;
    Ok(sizes)
}

fn read(
    inverted: &InvertedIndexReader,
    terms: &tantivy::termdict::TermStreamer<'_>,
) -> std::io::Result<SegmentPostings> {
    let option = IndexRecordOption::WithFreqsAndPositions;
    inverted.read_postings_from_terminfo(terms.value(), option)
}

fn sums(mut list: SegmentPostings, lengths: &FieldNormReader) -> Sums {
    let (mut sums, mut positions, mut past) = (Sums::default(), Vec::new(), 0);
    sums.shortest = u8::MAX;
    while list.doc() != TERMINATED {
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

/// The head, the skips and the blocks of a list.
fn encode(mut list: SegmentPostings, sums: &Sums, coding: Coding) -> Result<Encoded, String> {
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
        moduli,
    };
    head.write(code, &mut encoded.head)?;
    let quantum = if coding.skip == 0 {
        u64::MAX
    } else {
        coding.skip.into()
    };
    let (mut left, mut past, mut positions) = (sums.postings, 0, Vec::new());
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
    fn write(&self, code: Code, out: &mut Writer) -> Result<(), String> {
        let numbers = [
            self.postings - 1,
            self.positions - self.postings,
            self.most.into(),
        ];
        for number in numbers {
            sure(out.write_delta(number));
        }
        sure(out.write_bits(self.shortest.into(), 8));
        if code == Code::Golomb {
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
    let of_last = sure(part.flush()) as u64;
    let words = sure(part.into_inner()).into_inner();
    let whole = words.len() as u64 - u64::from(of_last > 0);
    Ok((words, 32 * whole + of_last))
}
