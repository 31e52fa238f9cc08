//! Readers of instantaneous codes that refuse numbers of 63 bits or more.
//!
//! The functions of `dsi-bitstream` are for trusted files: numbers beyond 64 bits wrap, and no
//! graph holds any. So they read through [`Capped`], where a prefix that announces such a number is
//! a [`Problem`].

use super::decode::Problem;
use super::properties::Code;
use dsi_bitstream::codes::GolombRead;
use dsi_bitstream::codes::delta::DeltaReadParam;
use dsi_bitstream::codes::gamma::GammaReadParam;
use dsi_bitstream::codes::omega::OmegaReadParam;
use dsi_bitstream::codes::pi::PiReadParam;
use dsi_bitstream::codes::zeta::ZetaReadParam;
use dsi_bitstream::dispatch::Codes;
use dsi_bitstream::prelude::{BE, BitRead, BitSeek, Endianness, LE, WordError};

/// A seekable reader of the bits of a file.
pub(crate) trait Bits<E: Order>:
    BitRead<E, Error = WordError> + BitSeek<Error = WordError>
{
}
impl<E: Order, R> Bits<E> for R where R: BitRead<E, Error = WordError> + BitSeek<Error = WordError> {}

/// An order of bits, with the codes that are read in it.
pub(crate) trait Order: Endianness {
    /// gamma
    fn gamma<B: BitRead<Self>>(bits: &mut B) -> Result<u64, B::Error>;
    /// delta
    fn delta<B: BitRead<Self>>(bits: &mut B) -> Result<u64, B::Error>;
    /// omega
    fn omega<B: BitRead<Self>>(bits: &mut B) -> Result<u64, B::Error>;
    /// zeta with parameter `K`
    fn zeta<const K: usize, B: BitRead<Self>>(bits: &mut B) -> Result<u64, B::Error>;
    /// pi with parameter `K`
    fn pi<const K: usize, B: BitRead<Self>>(bits: &mut B) -> Result<u64, B::Error>;
}

macro_rules! orders {
    ($($order:ident)*) => {
        // Tables where the crate, too, finds them faster.
        $(impl Order for $order {
            #[inline(always)]
            fn gamma<B: BitRead<Self>>(bits: &mut B) -> Result<u64, B::Error> {
                GammaReadParam::<$order>::read_gamma_param::<false>(bits)
            }
            #[inline(always)]
            fn delta<B: BitRead<Self>>(bits: &mut B) -> Result<u64, B::Error> {
                DeltaReadParam::<$order>::read_delta_param::<false, true>(bits)
            }
            #[inline(always)]
            fn omega<B: BitRead<Self>>(bits: &mut B) -> Result<u64, B::Error> {
                OmegaReadParam::<$order>::read_omega_param::<true>(bits)
            }
            #[inline(always)]
            fn zeta<const K: usize, B: BitRead<Self>>(bits: &mut B) -> Result<u64, B::Error> {
                match K {
                    3 => ZetaReadParam::<$order>::read_zeta3_param::<true>(bits),
                    _ => ZetaReadParam::<$order>::read_zeta_param(bits, K),
                }
            }
            #[inline(always)]
            fn pi<const K: usize, B: BitRead<Self>>(bits: &mut B) -> Result<u64, B::Error> {
                PiReadParam::<$order>::read_pi_param(bits, K)
            }
        })*
    };
}

orders!(BE LE);

/// Bits, none of whose numbers may be long.
struct Capped<'b, R> {
    bits: &'b mut R,
    /// The longest unary prefix of a number below 2^63.
    longest_prefix: u64,
}

impl<E: Order, R: Bits<E>> BitRead<E> for Capped<'_, R> {
    type Error = Problem;
    type PeekWord = R::PeekWord;
    const PEEK_BITS: usize = R::PEEK_BITS;

    #[inline(always)]
    fn read_bits(&mut self, num_bits: usize) -> Result<u64, Problem> {
        if num_bits > 63 {
            return Err(Problem::LongCode);
        }
        Ok(self.bits.read_bits(num_bits)?)
    }

    #[inline(always)]
    fn peek_bits(&mut self, n: usize) -> Result<Self::PeekWord, Problem> {
        Ok(self.bits.peek_bits(n)?)
    }

    #[inline(always)]
    fn skip_bits(&mut self, n: usize) -> Result<(), Problem> {
        Ok(self.bits.skip_bits(n)?)
    }

    #[inline(always)]
    fn skip_bits_after_peek(&mut self, n: usize) {
        self.bits.skip_bits_after_peek(n);
    }

    #[inline(always)]
    fn read_unary(&mut self) -> Result<u64, Problem> {
        let prefix = self.bits.read_unary()?;
        if prefix > self.longest_prefix {
            return Err(Problem::LongCode);
        }
        Ok(prefix)
    }
}

/// Reads one integer.
pub(crate) type ReadCode<R> = fn(&mut R) -> Result<u64, Problem>;

/// The function that reads `code`.
///
/// # Panics
/// Never for codes that [`crate::bvgraph::properties::Properties::parse`] lets through.
pub(crate) fn read_code<E: Order, R: Bits<E>>(code: Code) -> ReadCode<R> {
    let Code::Standard(code) = code else {
        return nibble;
    };
    match code {
        Codes::Unary => |bits| Ok(bits.read_unary()?),
        Codes::Gamma => |bits| E::gamma(&mut capped(bits, 62)),
        // The length of the number is itself in gamma: below 64.
        Codes::Delta => |bits| E::delta(&mut capped(bits, 5)),
        Codes::Omega => |bits| E::omega(&mut capped(bits, 62)),
        Codes::Zeta(1) => zeta::<1, E, R>,
        Codes::Zeta(2) => zeta::<2, E, R>,
        Codes::Zeta(3) => zeta::<3, E, R>,
        Codes::Zeta(4) => zeta::<4, E, R>,
        Codes::Zeta(5) => zeta::<5, E, R>,
        Codes::Zeta(6) => zeta::<6, E, R>,
        Codes::Zeta(7) => zeta::<7, E, R>,
        Codes::Pi(1) => pi::<1, E, R>,
        Codes::Pi(2) => pi::<2, E, R>,
        Codes::Pi(3) => pi::<3, E, R>,
        Codes::Pi(4) => pi::<4, E, R>,
        Codes::Golomb(1) => golomb::<1, E, R>,
        Codes::Golomb(2) => golomb::<2, E, R>,
        Codes::Golomb(3) => golomb::<3, E, R>,
        Codes::Golomb(4) => golomb::<4, E, R>,
        Codes::Golomb(5) => golomb::<5, E, R>,
        Codes::Golomb(6) => golomb::<6, E, R>,
        Codes::Golomb(7) => golomb::<7, E, R>,
        Codes::Golomb(8) => golomb::<8, E, R>,
        Codes::Golomb(9) => golomb::<9, E, R>,
        Codes::Golomb(10) => golomb::<10, E, R>,
        other => unreachable!("properties do not let {other} through"),
    }
}

#[inline(always)]
fn capped<R>(bits: &mut R, longest_prefix: u64) -> Capped<'_, R> {
    Capped {
        bits,
        longest_prefix,
    }
}

fn zeta<const K: usize, E: Order, R: Bits<E>>(bits: &mut R) -> Result<u64, Problem> {
    E::zeta::<K, _>(&mut capped(bits, 63 / K as u64 - 1))
}

fn pi<const K: usize, E: Order, R: Bits<E>>(bits: &mut R) -> Result<u64, Problem> {
    E::pi::<K, _>(&mut capped(bits, (63 >> K) - 1))
}

fn golomb<const B: u64, E: Order, R: Bits<E>>(bits: &mut R) -> Result<u64, Problem> {
    // A prefix in unary is as long as the number, so it cannot overflow.
    capped(bits, u64::MAX / 16).read_golomb(B)
}

/// Java writes no leading groups of zeros.
fn nibble<E: Order, R: Bits<E>>(bits: &mut R) -> Result<u64, Problem> {
    let mut value = 0u64;
    loop {
        let nibble = bits.read_bits(4)?;
        if value >> 60 != 0 || (value == 0 && nibble == 0) {
            return Err(Problem::LongCode);
        }
        value = value << 3 | nibble & 0b111;
        if nibble & 0b1000 != 0 {
            return Ok(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dsi_bitstream::prelude::{BufBitReader, MemWordReader};

    fn all_codes() -> Vec<Code> {
        let mut codes = vec![Codes::Unary, Codes::Gamma, Codes::Delta, Codes::Omega];
        codes.extend((1..=7).map(Codes::Zeta));
        codes.extend((1..=4).map(Codes::Pi));
        codes.extend((1..=10).map(Codes::Golomb));
        let codes = codes.into_iter().map(Code::Standard);
        codes.chain([Code::Nibble]).collect()
    }

    fn read<E: Order>(code: Code, words: &[u32]) -> Result<u64, Problem>
    where
        for<'w> BufBitReader<E, MemWordReader<u32, &'w [u32]>>: Bits<E>,
    {
        let mut bits = BufBitReader::<E, _>::new(MemWordReader::new(words));
        read_code::<E, _>(code)(&mut bits)
    }

    #[test]
    fn bits_of_any_kind_are_a_number_or_a_problem() {
        let patterns = [0, u32::MAX, 0x8000_0000, 1, 0x5555_5555, 0xAAAA_AAAA];
        for code in all_codes() {
            for zeros in 0..8 {
                for first in patterns {
                    for then in patterns {
                        let mut words = vec![first];
                        words.resize(1 + zeros, 0);
                        words.extend([then; 8]);
                        for read in [read::<BE>(code, &words), read::<LE>(code, &words)] {
                            let number = read.unwrap_or(0);
                            assert!(number < 1 << 63, "{code}: {number}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn numbers_beyond_64_bits_are_refused() {
        // 64 zero bytes and a one: a prefix of 512.
        let words: Vec<u32> = [[0; 16], [u32::MAX; 16]].concat();
        for code in all_codes() {
            let refused = matches!(read::<BE>(code, &words), Err(Problem::LongCode));
            // Unary prefixes may be long; omega codes zero as one zero bit.
            let may_be_long = matches!(
                code,
                Code::Standard(Codes::Unary | Codes::Golomb(_) | Codes::Omega)
            );
            assert_eq!(refused, !may_be_long, "{code}");
        }
    }
}
