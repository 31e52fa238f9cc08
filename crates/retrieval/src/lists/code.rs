//! The codes of lists.

use dsi_bitstream::prelude::{
    BE, BitRead, BitWrite, BufBitReader, BufBitWriter, DeltaRead, DeltaWrite, GammaRead,
    GammaWrite, GolombRead, GolombWrite, MemWordReader, MemWordWriterVec, WordError, ZetaRead,
    ZetaWrite,
};
use fastpfor::{AnyLenCodec, FastPFor128};
use serde::{Deserialize, Serialize};
use std::convert::Infallible;

/// Writes bits to memory.
pub(super) type Writer = BufBitWriter<BE, MemWordWriterVec<u32, Vec<u32>>>;

/// Reads bits of memory.
pub(super) type Reader<'a> = BufBitReader<BE, MemWordReader<u32, &'a [u32]>>;

/// Writing to memory cannot fail.
pub(super) fn sure<T>(done: Result<T, Infallible>) -> T {
    let Ok(value) = done;
    value
}

/// The codec of frames, and its buffer.
#[derive(Default)]
pub(super) struct Frames {
    codec: FastPFor128,
    words: Vec<u32>,
}

/// An instantaneous code, or frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum ListCode {
    /// Elias's gamma: about 2 log2 x bits
    Gamma,
    /// Elias's delta: about log2 x + 2 log2 log2 x bits
    Delta,
    /// Zeta of Boldi and Vigna with parameter 3, for numbers that are power laws
    Zeta3,
    /// Golomb, with the modulus that fits the mean of each list
    Golomb,
    /// Patched frames of reference: each block has a width, larger numbers are exceptions
    Pfor,
}

impl ListCode {
    /// The modulus that Golomb's code takes for numbers with this mean: ln 2 (1 + mean), rounded up.
    pub(super) fn modulus(self, sum: u64, count: u64) -> u64 {
        match self {
            ListCode::Golomb => {
                let mean = sum as f64 / count.max(1) as f64;
                (std::f64::consts::LN_2 * (1.0 + mean)).ceil().max(1.0) as u64
            }
            _ => 0,
        }
    }

    /// Writes the numbers of a section. O(numbers).
    pub(super) fn write(
        self,
        out: &mut Writer,
        numbers: &[u32],
        modulus: u64,
    ) -> Result<u64, String> {
        let mut bits = 0;
        let each = numbers.iter().map(|&number| u64::from(number));
        match self {
            ListCode::Gamma => {
                for number in each {
                    bits += sure(out.write_gamma(number));
                }
            }
            ListCode::Delta => {
                for number in each {
                    bits += sure(out.write_delta(number));
                }
            }
            ListCode::Zeta3 => {
                for number in each {
                    bits += sure(out.write_zeta3(number));
                }
            }
            ListCode::Golomb => {
                for number in each {
                    bits += sure(out.write_golomb(number, modulus));
                }
            }
            ListCode::Pfor => {
                let mut words = Vec::new();
                let mut codec = FastPFor128::default();
                let packed = codec.encode(numbers, &mut words);
                packed.map_err(|problem| problem.to_string())?;
                bits += sure(out.write_delta(words.len() as u64));
                for word in words {
                    bits += sure(out.write_bits(word.into(), 32));
                }
            }
        }
        Ok(bits as u64)
    }

    /// Reads so many numbers of a section.
    pub(super) fn read(
        self,
        bits: &mut Reader,
        count: usize,
        modulus: u64,
        frames: &mut Frames,
        numbers: &mut Vec<u32>,
    ) -> Result<(), WordError> {
        numbers.clear();
        // One loop is compiled for each code.
        macro_rules! all {
            ($read:expr) => {
                for _ in 0..count {
                    numbers.push($read? as u32);
                }
            };
        }
        match self {
            ListCode::Gamma => all!(bits.read_gamma()),
            ListCode::Delta => all!(bits.read_delta()),
            ListCode::Zeta3 => all!(bits.read_zeta3()),
            ListCode::Golomb => all!(bits.read_golomb(modulus)),
            ListCode::Pfor => {
                frames.words.clear();
                for _ in 0..bits.read_delta()? {
                    frames.words.push(bits.read_bits(32)? as u32);
                }
                let wanted = u32::try_from(count).ok();
                let unpacked = frames.codec.decode(&frames.words, numbers, wanted);
                if unpacked.is_err() || numbers.len() != count {
                    return Err(WordError::UnexpectedEof { word_pos: 0 });
                }
            }
        }
        Ok(())
    }
}
