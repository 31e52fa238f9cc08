//! Code words written out, bit by bit as their definitions say: for tables, lectures, and as a check of
//! fast coders.
//!
//! Numbers n begin at 0, and x = n + 1. Unary code writes n as n zeros and a one. Minimal binary code
//! writes a number below b with s = ceil(log2 b) bits, but the first 2^s - b numbers with s - 1. With
//! l = floor(log2 x):
//!
//! * gamma: l in unary, and the l lower bits of x; delta: l in gamma code, and these bits; omega: the
//!   bits of x, before them those of l, of floor(log2 l), ... down to 1, and a zero;
//! * zeta with k: h = floor(l / k) in unary, and x - 2^(hk) in minimal binary below 2^(hk + k) - 2^(hk); in
//!   files, and here, no block goes beyond 2^64, so that words of numbers near 2^62 may be shorter;
//! * pi with k: l in the Golomb code of modulus 2^k, and the l lower bits of x;
//! * golomb with modulus b: floor(n / b) in unary, and n mod b in minimal binary below b; rice with k:
//!   b = 2^k;
//! * nibbles and bytes-last: groups of three and seven bits, each behind a bit that is one in the last;
//! * bytes: groups of seven bits, each behind a bit that is one where more follow. Words of k bytes begin
//!   at the number at which those of k - 1 end, so that no word is lost. bytes-grouped: all first bits
//!   come first, so that the first byte tells the length;
//! * pfor with b bits: n in b bits, if it is below 2^b - 1; otherwise b ones, and n in 32 bits.
//!
//! P. Elias, "Universal codeword sets", 1975; S. Golomb, 1966; P. Boldi and S. Vigna, "Codes for the
//! World-Wide Web", 2005.

use dsi_bitstream::dispatch::Codes;
use std::fmt;
use std::str::FromStr;
use webrank_base::shown::quoted;
use webrank_graph::bvgraph::properties::Code;
use webrank_graph::codes::LabCode;

/// Longer words are not written out.
pub const LONGEST: u64 = 1024;

/// A code whose words can be written out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WordCode {
    /// A code of the laboratory.
    Lab(LabCode),
    /// Bytes whose first bit is one in the last byte.
    BytesLast,
    /// Bytes whose first bits come first.
    BytesGrouped,
    /// So many bits, or an escape and 32 bits.
    Pfor(u32),
    /// Words of the first numbers, such as those of Huffman's code.
    Given(Vec<String>),
}

/// The exceptions of [`WordCode::Pfor`] have so many bits.
const EXCEPTION: u32 = 32;

impl WordCode {
    /// The codes of a table of numbers below `end`, but for Huffman's.
    pub fn taught(end: u64) -> Vec<WordCode> {
        let codes = [
            Codes::Unary,
            Codes::Gamma,
            Codes::Delta,
            Codes::Omega,
            Codes::Golomb(3),
            Codes::Zeta(2),
            Codes::Zeta(3),
            Codes::Pi(2),
        ];
        let minimal = WordCode::Lab(LabCode::MinimalBinary(end.max(1)));
        let nibbles = WordCode::Lab(LabCode::Instantaneous(Code::Nibble));
        let bytes = WordCode::standard(Codes::VByteBe);
        let last = [WordCode::BytesLast, bytes, WordCode::BytesGrouped];
        let codes = codes.into_iter().map(WordCode::standard);
        codes
            .chain([nibbles])
            .chain(last)
            .chain([minimal, WordCode::Pfor(3)])
            .collect()
    }

    /// A code of `dsi-bitstream`.
    pub const fn standard(code: Codes) -> Self {
        WordCode::Lab(LabCode::standard(code))
    }

    /// The length in bits of the word for `number`, which is below 2^63; none if it has no word.
    pub fn length(&self, number: u64) -> Option<u64> {
        match self {
            WordCode::Lab(LabCode::MinimalBinary(bound)) if number >= *bound => None,
            WordCode::Lab(code) => Some(code.length(number)),
            WordCode::BytesLast => {
                let bits = u64::from(64 - number.leading_zeros());
                Some(8 * bits.div_ceil(7).max(1))
            }
            WordCode::BytesGrouped => WordCode::standard(Codes::VByteBe).length(number),
            WordCode::Pfor(width) => match number {
                n if n < (1 << width) - 1 => Some(u64::from(*width)),
                n if n >> EXCEPTION == 0 => Some(u64::from(width + EXCEPTION)),
                _ => None,
            },
            WordCode::Given(words) => Some(words.get(usize::try_from(number).ok()?)?.len() as u64),
        }
    }

    /// The word for `number`; none if it has none, or one of more than [`LONGEST`] bits.
    pub fn word(&self, number: u64) -> Option<String> {
        if self.length(number)? > LONGEST {
            return None;
        }
        let x = number + 1;
        let log = u64::from(x.ilog2());
        let rest = binary(x - (1 << log), log);
        Some(match self {
            WordCode::Lab(LabCode::MinimalBinary(bound)) => {
                minimal_binary(number, u128::from(*bound))
            }
            WordCode::Lab(LabCode::Instantaneous(Code::Nibble)) => marked_last(number, 3),
            WordCode::Lab(LabCode::Instantaneous(Code::Standard(code))) => match *code {
                Codes::Unary => unary(number),
                Codes::Gamma => unary(log) + &rest,
                Codes::Delta => WordCode::standard(Codes::Gamma).word(log)? + &rest,
                Codes::Omega => omega(x),
                Codes::Golomb(modulus) => golomb(number, modulus),
                Codes::Rice(k) => golomb(number, 1 << k),
                Codes::Zeta(k) => zeta(x, k as u64),
                Codes::Pi(k) => golomb(log, 1 << k) + &rest,
                Codes::VByteBe => bytes(number).map(|(more, low)| more + &low).collect(),
                _ => return None,
            },
            WordCode::BytesLast => marked_last(number, 7),
            WordCode::BytesGrouped => {
                let (more, low): (String, String) = bytes(number).unzip();
                more + &low
            }
            WordCode::Pfor(width) => match number < (1 << width) - 1 {
                true => binary(number, u64::from(*width)),
                false => "1".repeat(*width as usize) + &binary(number, u64::from(EXCEPTION)),
            },
            WordCode::Given(words) => words.get(number as usize)?.clone(),
        })
    }

    /// The intended distribution, up to a constant factor.
    pub fn intended(&self) -> String {
        match self {
            WordCode::Lab(code) => code.intended(),
            WordCode::BytesLast | WordCode::BytesGrouped => {
                LabCode::standard(Codes::VByteBe).intended()
            }
            WordCode::Pfor(width) => format!("1/{}", 1u64 << width),
            WordCode::Given(_) => "its weights".into(),
        }
    }

    /// The sum of 2^-l over the words of the numbers from `first` to `last`, which lie below 2^63: at
    /// most 1, if the code is instantaneous (Kraft 1949).
    pub fn kraft(&self, first: u64, last: u64) -> f64 {
        if let WordCode::Given(words) = self {
            let given = words.iter().take(last as usize + 1).skip(first as usize);
            return given.map(|word| (-(word.len() as f64)).exp2()).sum::<f64>() + 0.0;
        }
        let runs = runs(|number| self.length(number), first, last);
        let term = |(from, to, length): (u64, u64, u64)| {
            (to - from + 1) as f64 * (-(length as f64)).exp2()
        };
        // A sum of none is 0, not -0.
        runs.into_iter().map(term).sum::<f64>() + 0.0
    }
}

/// Numbers from `first` to `last` in runs of words of one length, as (first, last, length). Words may
/// not get shorter; the runs end where they are too long to matter.
pub fn runs(length: impl Fn(u64) -> Option<u64>, first: u64, last: u64) -> Vec<(u64, u64, u64)> {
    const NEGLIGIBLE: u64 = 1100;
    let mut runs = Vec::new();
    let mut from = first;
    while let Some(own) = length(from).filter(|&own| own <= NEGLIGIBLE && from <= last) {
        let (mut low, mut high) = (from, last);
        while low < high {
            let middle = low + (high - low).div_ceil(2);
            match length(middle) == Some(own) {
                true => low = middle,
                false => high = middle - 1,
            }
        }
        runs.push((from, low, own));
        from = low + 1;
    }
    runs
}

fn unary(number: u64) -> String {
    "0".repeat(number as usize) + "1"
}

fn binary(number: impl Into<u128>, width: u64) -> String {
    match width {
        0 => String::new(),
        width => format!("{:0width$b}", number.into(), width = width as usize),
    }
}

fn minimal_binary(number: u64, bound: u128) -> String {
    let width = u64::from(128 - (bound - 1).leading_zeros());
    let (number, short) = (u128::from(number), (1u128 << width) - bound);
    match number < short {
        true => binary(number, width - 1),
        false => binary(number + short, width),
    }
}

fn golomb(number: u64, modulus: u64) -> String {
    unary(number / modulus) + &minimal_binary(number % modulus, modulus.into())
}

fn omega(x: u64) -> String {
    let (mut word, mut number) = ("0".to_owned(), x);
    while number > 1 {
        word.insert_str(0, &format!("{number:b}"));
        number = u64::from(number.ilog2());
    }
    word
}

fn zeta(x: u64, k: u64) -> String {
    let h = u64::from(x.ilog2()) / k;
    let left = 1u128 << (h * k);
    // The last interval ends where numbers of 64 bits end.
    let end = (left << k).min(1 << 64);
    unary(h) + &minimal_binary(x - left as u64, end - left)
}

/// Groups of bits, each behind a bit that is one in the last.
fn marked_last(number: u64, width: u64) -> String {
    let bits = u64::from(64 - number.leading_zeros());
    let groups = bits.div_ceil(width).max(1);
    let group = |place: u64| {
        let low = (number >> (place * width)) & ((1 << width) - 1);
        format!("{}{}", u8::from(place == 0), binary(low, width))
    };
    (0..groups).rev().map(group).collect()
}

/// The first bit and the others of each byte.
fn bytes(mut number: u64) -> impl Iterator<Item = (String, String)> {
    let mut groups = vec![number & 127];
    while number > 127 {
        number = (number >> 7) - 1;
        groups.push(number & 127);
    }
    let last = groups.len() - 1;
    let groups = groups.into_iter().rev().enumerate();
    groups.map(move |(place, low)| (u8::from(place < last).to_string(), binary(low, 7)))
}

impl FromStr for WordCode {
    type Err = String;

    /// A code as its name says it, also without parentheses: `gamma`, `golomb5`, `minimal10`.
    fn from_str(text: &str) -> Result<Self, String> {
        let plain = text.replace(['(', ')', ' '], "");
        let digits = plain.find(|c: char| c.is_ascii_digit());
        let (name, parameter) = plain.split_at(digits.unwrap_or(plain.len()));
        let parameter = parameter.parse::<u64>().ok();
        let small = |end: u64| {
            parameter
                .filter(|k| (1..=end).contains(k))
                .map(|k| k as usize)
        };
        let code = match (name, digits) {
            ("unary", None) => Some(Codes::Unary),
            ("gamma", None) => Some(Codes::Gamma),
            ("delta", None) => Some(Codes::Delta),
            ("omega", None) => Some(Codes::Omega),
            ("bytes", None) => Some(Codes::VByteBe),
            ("golomb", Some(_)) => parameter.filter(|&b| b > 0).map(Codes::Golomb),
            ("rice", Some(_)) => parameter
                .filter(|&k| k < 64)
                .map(|k| Codes::Rice(k as usize)),
            ("zeta", Some(_)) => small(32).map(Codes::Zeta),
            ("pi", Some(_)) => small(32).map(Codes::Pi),
            _ => None,
        };
        let other = || match (name, digits) {
            ("nibbles", None) => Some(WordCode::Lab(LabCode::Instantaneous(Code::Nibble))),
            ("bytes-last", None) => Some(WordCode::BytesLast),
            ("bytes-grouped", None) => Some(WordCode::BytesGrouped),
            ("minimal" | "minimalbinary", Some(_)) => {
                let bound = parameter.filter(|&bound| bound > 0)?;
                Some(WordCode::Lab(LabCode::MinimalBinary(bound)))
            }
            ("pfor", Some(_)) => small(32).map(|width| WordCode::Pfor(width as u32)),
            _ => None,
        };
        code.map(WordCode::standard).or_else(other).ok_or_else(|| {
            format!(
                "{} is none of unary, gamma, delta, omega, golomb1, golomb2, ..., rice0 to rice63, zeta1 \
                 to zeta32, pi1 to pi32, nibbles, bytes, bytes-last, bytes-grouped, minimal1, minimal2, \
                 ... and pfor1 to pfor32",
                quoted(text)
            )
        })
    }
}

impl fmt::Display for WordCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WordCode::Lab(code) => write!(f, "{code}"),
            WordCode::BytesLast => write!(f, "bytes-last"),
            WordCode::BytesGrouped => write!(f, "bytes-grouped"),
            WordCode::Pfor(width) => write!(f, "pfor({width})"),
            WordCode::Given(_) => write!(f, "huffman"),
        }
    }
}

#[cfg(test)]
mod tests;
