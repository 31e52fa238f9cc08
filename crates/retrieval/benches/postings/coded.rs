//! Lists of gaps in instantaneous codes, one after the other, and a skip for every 128 postings.

use super::{BLOCK, Outcome, Postings};
use dsi_bitstream::prelude::{
    BE, BitSeek, BitWrite, BufBitReader, BufBitWriter, Codes, DeltaRead, DeltaWrite, GammaRead,
    GammaWrite, GolombRead, GolombWrite, MemWordReader, MemWordWriterVec, RiceRead, RiceWrite,
    VByteBeRead, VByteBeWrite, ZetaRead, ZetaWrite, len_delta,
};
use std::convert::Infallible;
use webrank_graph::codes::{LabCode, NumberDistribution, best_golomb};

type Writer = BufBitWriter<BE, MemWordWriterVec<u32, Vec<u32>>>;
type Reader<'w> = BufBitReader<BE, MemWordReader<u32, &'w [u32], true>>;

/// The codes that are tried.
pub const CODES: [Code; 9] = [
    Code::Gamma,
    Code::Delta,
    Code::Zeta(2),
    Code::Zeta(3),
    Code::Zeta(4),
    Code::Zeta(5),
    Code::Golomb,
    Code::Rice,
    Code::Bytes,
];

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Code {
    Gamma,
    Delta,
    Zeta(usize),
    /// With the best modulus of each list.
    Golomb,
    /// With the best power of two of each list.
    Rice,
    /// Bytes of seven bits each.
    Bytes,
}

impl Code {
    /// The parameter that is best for some gaps, if there is one to choose.
    fn parameter(self, gaps: &[u32]) -> Outcome<u64> {
        let numbers = || NumberDistribution::of(gaps.iter().map(|&gap| u64::from(gap)));
        Ok(match self {
            Code::Golomb => best_golomb(&numbers()?).0,
            Code::Rice => {
                let numbers = numbers()?;
                let bits = |k: &u64| {
                    let code = LabCode::standard(Codes::Rice(*k as usize));
                    numbers.bits(|number| code.length(number))
                };
                (0..32).min_by_key(bits).unwrap_or(0)
            }
            _ => 0,
        })
    }

    /// The bits of a parameter in front of a list.
    fn parameter_bits(self, parameter: u64) -> u64 {
        match self {
            Code::Golomb | Code::Rice => len_delta(parameter) as u64,
            _ => 0,
        }
    }

    fn write(self, out: &mut Writer, gap: u64, parameter: u64) -> Result<usize, Infallible> {
        match self {
            Code::Gamma => out.write_gamma(gap),
            Code::Delta => out.write_delta(gap),
            Code::Zeta(3) => out.write_zeta3(gap),
            Code::Zeta(k) => out.write_zeta(gap, k),
            Code::Golomb => out.write_golomb(gap, parameter),
            Code::Rice => out.write_rice(gap, parameter as usize),
            Code::Bytes => out.write_vbyte_be(gap),
        }
    }
}

/// A place in a list, at the start of a block.
struct Skip {
    /// One more than the last document before it.
    past: u32,
    /// Bits from the start of the list.
    bits: u32,
}

struct List {
    start: u64,
    count: usize,
    parameter: u64,
    /// For every block but the first.
    skips: Vec<Skip>,
}

pub struct Coded {
    code: Code,
    words: Vec<u32>,
    lists: Vec<List>,
    bits: u64,
}

impl Coded {
    pub fn new(code: Code, all: &[Vec<u32>]) -> Outcome<Self> {
        let mut out: Writer = BufBitWriter::new(MemWordWriterVec::new(Vec::new()));
        let (mut bits, mut of_parameters) = (0, 0);
        let mut lists = Vec::new();
        for gaps in all {
            let parameter = code.parameter(gaps)?;
            of_parameters += code.parameter_bits(parameter);
            let (start, mut past, mut skips) = (bits, 0, Vec::new());
            for (place, &gap) in gaps.iter().enumerate() {
                if place > 0 && place % BLOCK == 0 {
                    let bits = u32::try_from(bits - start)?;
                    skips.push(Skip { past, bits });
                }
                bits += code.write(&mut out, gap.into(), parameter)? as u64;
                past += gap + 1;
            }
            lists.push(List {
                start,
                count: gaps.len(),
                parameter,
                skips,
            });
        }
        out.flush()?;
        Ok(Coded {
            code,
            words: out.into_inner()?.into_inner(),
            lists,
            bits: bits + of_parameters,
        })
    }

    fn at(&self, bit: u64) -> Reader<'_> {
        let mut reader = BufBitReader::new(MemWordReader::new_inf(&self.words[..]));
        reader.set_bit_pos(bit).expect("the bits are in memory");
        reader
    }

    fn read_by<'w>(
        &'w self,
        list: &List,
        out: &mut Vec<u32>,
        next: impl Fn(&mut Reader<'w>) -> u64,
    ) {
        let mut reader = self.at(list.start);
        let mut past = 0;
        for _ in 0..list.count {
            let document = past + next(&mut reader) as u32;
            out.push(document);
            past = document + 1;
        }
    }

    fn keep_by<'w>(
        &'w self,
        list: &List,
        documents: &mut Vec<u32>,
        by_skips: bool,
        next: impl Fn(&mut Reader<'w>) -> u64,
    ) {
        let mut reader = self.at(list.start);
        let (mut past, mut read, mut block) = (0, 0, 0);
        documents.retain(|&wanted| {
            if by_skips {
                let ahead = list.skips[block..].partition_point(|skip| skip.past <= wanted);
                block += ahead;
                if ahead > 0 && block * BLOCK > read {
                    let skip = &list.skips[block - 1];
                    let bit = list.start + u64::from(skip.bits);
                    reader.set_bit_pos(bit).expect("the bits are in memory");
                    (past, read) = (skip.past, block * BLOCK);
                }
            }
            while past <= wanted && read < list.count {
                past += next(&mut reader) as u32 + 1;
                read += 1;
            }
            past == wanted + 1
        });
    }
}

/// Does something with the function that reads a number in the code: one loop is compiled for each.
macro_rules! by_code {
    ($own:ident, $parameter:expr, $method:ident($($argument:expr),*)) => {{
        let parameter = $parameter;
        match $own.code {
            Code::Gamma => $own.$method($($argument,)* |it| held(it.read_gamma())),
            Code::Delta => $own.$method($($argument,)* |it| held(it.read_delta())),
            Code::Zeta(3) => $own.$method($($argument,)* |it| held(it.read_zeta3())),
            Code::Zeta(k) => $own.$method($($argument,)* |it| held(it.read_zeta(k))),
            Code::Golomb => $own.$method($($argument,)* |it| held(it.read_golomb(parameter))),
            Code::Rice => $own.$method($($argument,)* |it| held(it.read_rice(parameter as usize))),
            Code::Bytes => $own.$method($($argument,)* |it| held(it.read_vbyte_be())),
        }
    }};
}

/// A number that was read from memory.
fn held<E: std::fmt::Debug>(read: Result<u64, E>) -> u64 {
    read.expect("the bits are in memory")
}

impl Postings for Coded {
    fn name(&self) -> String {
        match self.code {
            Code::Zeta(k) => format!("zeta({k})"),
            Code::Golomb => "golomb, a modulus for each list".into(),
            Code::Rice => "rice, a power for each list".into(),
            other => format!("{other:?}").to_lowercase(),
        }
    }

    fn bits(&self) -> (u64, u64) {
        let skips = self.lists.iter().map(|list| list.skips.len() as u64);
        (self.bits, 8 * size_of::<Skip>() as u64 * skips.sum::<u64>())
    }

    fn read(&self, list: usize, out: &mut Vec<u32>) {
        let list = &self.lists[list];
        by_code!(self, list.parameter, read_by(list, out))
    }

    fn keep(&self, list: usize, documents: &mut Vec<u32>, by_skips: bool) {
        let list = &self.lists[list];
        by_code!(self, list.parameter, keep_by(list, documents, by_skips))
    }
}
