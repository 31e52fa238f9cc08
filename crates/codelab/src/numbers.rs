//! A list of numbers, and what every code makes of it.

use crate::geometric::GeometricSource;
use crate::laboratory::{Cost, costs};
use crate::prefix::{MOST, huffman};
use crate::yardsticks::{Yardsticks, encode};
use dsi_bitstream::dispatch::Codes;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use webrank_base::error::{Error, Result};
use webrank_base::memory;
use webrank_base::shown::quoted;
use webrank_graph::codes::LabCode;
use webrank_graph::codes::histogram::NumberDistribution;

/// Numbers are below.
const END: u64 = 1 << 62;

/// Reads whole numbers between spaces, commas, semicolons or ends of lines, where `#` begins a comment;
/// a byte-order mark is skipped.
///
/// # Errors
/// If the file cannot be read; if there is anything else, or a number from 2^62 on; if memory is short.
pub fn read(path: &Path, mut input: impl Read) -> Result<Vec<u64>> {
    let mut first = Vec::new();
    let begun = input.by_ref().take(3).read_to_end(&mut first);
    begun.map_err(|source| Error::io(path, "cannot read", source))?;
    if first == "\u{feff}".as_bytes() {
        first.clear();
    }
    let mut input = BufReader::with_capacity(1 << 16, first.chain(input));
    let mut numbers = Vec::new();
    let (mut line, mut number, mut is_comment) = (1, None, false);
    loop {
        let bytes = input.fill_buf();
        let bytes = bytes.map_err(|source| Error::io(path, "cannot read", source))?;
        let length = bytes.len();
        for &byte in bytes {
            match byte {
                b'\n' => is_comment = false,
                _ if is_comment => continue,
                b'0'..=b'9' => {
                    let digit = u64::from(byte - b'0');
                    let longer = number
                        .unwrap_or(0u64)
                        .checked_mul(10)
                        .map(|tens| tens.checked_add(digit));
                    let longer = longer.flatten().filter(|&number| number < END);
                    let longer = longer.ok_or_else(|| {
                        Error::line(
                            path,
                            line,
                            "a number of 2^62 or more: codes here take numbers below",
                        )
                    })?;
                    number = Some(longer);
                    continue;
                }
                b'#' => is_comment = true,
                b' ' | b'\t' | b'\r' | b',' | b';' => {}
                other => {
                    let shown = quoted(&String::from_utf8_lossy(&[other]));
                    let problem = format!(
                        "{shown} in a list of numbers: write whole numbers from 0 on between spaces, \
                         commas or ends of lines; of a list of arcs, 'rank import {} -o graph.bv' \
                         makes a graph",
                        path.display()
                    );
                    return Err(Error::line(path, line, problem));
                }
            }
            if let Some(number) = number.take() {
                memory::reserve(&mut numbers, 1, WHAT)?;
                numbers.push(number);
            }
            line += u64::from(byte == b'\n');
        }
        if length == 0 {
            break;
        }
        input.consume(length);
    }
    numbers.extend(number);
    match numbers.is_empty() {
        true => Err(Error::file(
            path,
            "there is no number in it: list one at least",
        )),
        false => Ok(numbers),
    }
}

const WHAT: &str = "a list of numbers";

/// A list, and the bits of codes on it.
pub struct CodedList {
    /// The numbers, counted.
    pub numbers: NumberDistribution,
    /// All codes.
    pub costs: Vec<Cost>,
    /// The modulus of Golomb code for the geometric source with the same mean, and its cost.
    pub golomb_by_mean: Cost,
    /// Huffman's code, without its table; none if there are too many different numbers.
    pub huffman_bits: Option<u128>,
    /// Other kinds of compression.
    pub yardsticks: Yardsticks,
}

impl CodedList {
    /// Tries all codes. O(n) for each.
    ///
    /// # Errors
    /// If memory is short.
    pub fn of(list: &[u64]) -> Result<Self> {
        let numbers = NumberDistribution::of(list.iter().copied())?;
        let source = GeometricSource::with_mean(numbers.mean());
        let code = LabCode::standard(Codes::Golomb(source.modulus()));
        let huffman_bits = match numbers.counts().len() <= MOST {
            true => {
                let weights: Vec<u64> = numbers.counts().iter().map(|&(_, count)| count).collect();
                let lengths = huffman(&weights)?;
                let words = weights.iter().zip(lengths);
                Some(
                    words
                        .map(|(&count, length)| u128::from(count) * u128::from(length))
                        .sum(),
                )
            }
            false => None,
        };
        Ok(CodedList {
            costs: costs(&numbers),
            golomb_by_mean: Cost {
                code,
                bits: numbers.bits(|number| code.length(number)),
            },
            huffman_bits,
            yardsticks: encode(list, &numbers),
            numbers,
        })
    }

    /// The instantaneous code with the fewest bits that needs no table of the numbers; the first of equals.
    pub fn best(&self) -> Option<Cost> {
        self.costs.iter().copied().min_by_key(|cost| cost.bits)
    }

    /// p of the geometric source with the same mean.
    pub fn p(&self) -> f64 {
        GeometricSource::with_mean(self.numbers.mean()).p()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(text: &[u8]) -> Result<Vec<u64>> {
        read("list.txt".as_ref(), text)
    }

    #[test]
    fn numbers_of_any_layout_are_read() {
        assert_eq!(
            numbers(b"1 2,3;4\n# 5 and more\n0006 7#8\r\n9").unwrap(),
            [1, 2, 3, 4, 6, 7, 9]
        );
        assert_eq!(numbers(b"4611686018427387903").unwrap(), [END - 1]);
        assert_eq!(numbers(b"\xef\xbb\xbf1 2").unwrap(), [1, 2]);
        let long = [b'0'; 200_000];
        assert_eq!(numbers(&long).unwrap(), [0]);
        for (text, problem) in [
            (&b""[..], "list.txt: there is no number"),
            (b"1\n2\nx", "list.txt, line 3: 'x' in a list"),
            (b"-4", "list.txt, line 1: '-' in a list"),
            (b"1.5", "'.'"),
            (b"1\n4611686018427387904", "line 2: a number of 2^62"),
            (b"99999999999999999999999999", "a number of 2^62"),
            (b"\x1b[31m1", "line 1"),
        ] {
            let said = numbers(text).unwrap_err().to_string();
            assert!(
                said.contains(problem) && !said.contains('\n') && !said.contains('\x1b'),
                "{said}"
            );
        }
    }

    #[test]
    fn costs_of_a_list_by_hand() {
        let found = CodedList::of(&[0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0]).unwrap();
        let bits = |name: &str| {
            let cost = found
                .costs
                .iter()
                .find(|cost| cost.code.to_string() == name);
            cost.unwrap().bits
        };
        assert_eq!((bits("unary"), bits("gamma"), bits("bytes")), (15, 16, 96));
        assert_eq!(found.huffman_bits, Some(14));
        assert_eq!(found.golomb_by_mean.bits, 15);
        assert_eq!(found.p(), 0.8);
        let best = found.best().unwrap();
        assert_eq!((best.code, best.bits), (LabCode::MinimalBinary(3), 14));
        assert!(found.numbers.entropy() * 12.0 < 14.0);
        let largest = CodedList::of(&[END - 1, 0]).unwrap();
        assert_eq!(largest.numbers.max(), END - 1);
        assert!(largest.best().is_some_and(|best| best.bits < 160));
        let equal = CodedList::of(&[7; 3]).unwrap();
        assert_eq!(equal.huffman_bits, Some(0));
        assert_eq!(equal.numbers.entropy(), 0.0);
    }
}
