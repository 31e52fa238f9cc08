//! Instantaneous codes: how long their words are, and for which distribution they are meant.
//!
//! A code whose word for x has l(x) bits is best where x has probability 2^-l(x), its intended
//! distribution. Lengths are those of `dsi-bitstream`, but for nibbles, which Java writes.

use crate::bvgraph::properties::Code;
use dsi_bitstream::codes::len_minimal_binary;
use dsi_bitstream::dispatch::{CodeLen, Codes};
use std::fmt;

/// A code of the laboratory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabCode {
    /// A code for all natural numbers.
    Instantaneous(Code),
    /// Minimal binary code for the numbers below a bound, which must be known.
    MinimalBinary(u64),
}

impl LabCode {
    /// A code of `dsi-bitstream`.
    pub const fn standard(code: Codes) -> Self {
        LabCode::Instantaneous(Code::Standard(code))
    }

    /// The codes without parameters of their own choice: unary, gamma, delta, zeta, omega, pi,
    /// variable-length bytes and nibbles.
    pub fn fixed() -> impl Iterator<Item = LabCode> {
        let first = [Codes::Unary, Codes::Gamma, Codes::Delta, Codes::Omega];
        let codes = first.into_iter().chain((1..=7).map(Codes::Zeta));
        let codes = codes.chain((1..=4).map(Codes::Pi)).chain([Codes::VByteBe]);
        codes
            .map(LabCode::standard)
            .chain([LabCode::Instantaneous(Code::Nibble)])
    }

    /// The length in bits of the word for `number`, which is below 2^63 and in the range of the
    /// code.
    pub fn length(self, number: u64) -> u64 {
        match self {
            // In 64 bits on every machine.
            LabCode::Instantaneous(Code::Standard(Codes::Unary)) => number + 1,
            LabCode::Instantaneous(Code::Standard(Codes::Golomb(modulus))) => {
                let remainder = len_minimal_binary(number % modulus, modulus);
                number / modulus + 1 + remainder as u64
            }
            LabCode::Instantaneous(Code::Standard(Codes::Rice(k))) => (number >> k) + 1 + k as u64,
            LabCode::Instantaneous(Code::Standard(code)) => code.len(number) as u64,
            // Groups of three bits without leading zeros, one at least.
            LabCode::Instantaneous(Code::Nibble) => {
                let bits = u64::from(64 - number.leading_zeros());
                4 * bits.div_ceil(3).max(1)
            }
            LabCode::MinimalBinary(bound) => len_minimal_binary(number, bound) as u64,
        }
    }

    /// The intended distribution, up to a constant factor.
    pub fn intended(self) -> String {
        let power = |exponent: f64| format!("1/x^{exponent:.3}");
        match self {
            LabCode::MinimalBinary(bound) => format!("1/{bound}"),
            LabCode::Instantaneous(Code::Nibble) => power(4.0 / 3.0),
            LabCode::Instantaneous(Code::Standard(code)) => match code {
                Codes::Unary => "1/2^x".into(),
                Codes::Gamma => "1/x^2".into(),
                Codes::Delta => "1/(x log2^2 x)".into(),
                Codes::Omega => "1/(x log2 x ...)".into(),
                Codes::Zeta(k) => power(1.0 + 1.0 / k as f64),
                Codes::Pi(k) => power(1.0 + 0.5f64.powi(k as i32)),
                Codes::VByteBe | Codes::VByteLe => power(8.0 / 7.0),
                Codes::Golomb(modulus) => format!("1/2^(x/{modulus})"),
                Codes::Rice(k) => format!("1/2^(x/{})", 1u64 << k),
                Codes::ExpGolomb(k) => format!("1/(1 + x/{})^2", 1u64 << k),
                // The crate may add codes.
                _ => String::new(),
            },
        }
    }

    /// The kind of code, without its parameter if that is chosen by the numbers.
    pub fn family(self) -> String {
        match self {
            LabCode::MinimalBinary(_) => "minimal binary".into(),
            LabCode::Instantaneous(Code::Standard(Codes::Golomb(_))) => "golomb".into(),
            LabCode::Instantaneous(Code::Standard(Codes::Rice(_))) => "rice".into(),
            other => other.to_string(),
        }
    }

    /// The modulus or bound that was chosen by the numbers.
    pub fn chosen(self) -> Option<u64> {
        match self {
            LabCode::MinimalBinary(bound) => Some(bound),
            LabCode::Instantaneous(Code::Standard(Codes::Golomb(modulus))) => Some(modulus),
            LabCode::Instantaneous(Code::Standard(Codes::Rice(k))) => Some(1 << k),
            _ => None,
        }
    }
}

impl fmt::Display for LabCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabCode::MinimalBinary(bound) => write!(f, "minimal binary({bound})"),
            LabCode::Instantaneous(Code::Standard(Codes::VByteBe | Codes::VByteLe)) => {
                write!(f, "bytes")
            }
            LabCode::Instantaneous(Code::Nibble) => write!(f, "nibbles"),
            LabCode::Instantaneous(code) => write!(f, "{code}"),
        }
    }
}
