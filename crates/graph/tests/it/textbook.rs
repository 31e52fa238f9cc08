//! Code words of the textbooks, Kraft's sums, and lengths against encoding for real.

use dsi_bitstream::dispatch::{Codes, DynamicCodeWrite, MinimalBinary};
use dsi_bitstream::prelude::*;
use webrank_graph::codes::{LabCode, NumberDistribution, best_golomb};

type Bits = BufBitWriter<BE, MemWordWriterVec<u64, Vec<u64>>>;

/// The bits of some numbers, written by `write`, which returns how many it wrote.
fn written(write: impl FnOnce(&mut Bits) -> usize) -> String {
    let mut bits = Bits::new(MemWordWriterVec::new(Vec::new()));
    let length = write(&mut bits);
    let words = bits.into_inner().unwrap().into_inner();
    let digits: String = words
        .iter()
        .map(|word| format!("{:064b}", word.to_be()))
        .collect();
    digits[..length].to_owned()
}

fn word(code: &impl DynamicCodeWrite, number: u64) -> String {
    written(|bits| code.write(bits, number).unwrap())
}

fn check(code: Codes, words: &[&str]) {
    for (number, expected) in (0..).zip(words) {
        assert_eq!(word(&code, number), *expected, "{code}, {number}");
        let length = LabCode::standard(code).length(number);
        assert_eq!(length, expected.len() as u64, "{code}, {number}");
    }
}

#[test]
fn gamma_delta_and_unary_words() {
    check(Codes::Unary, &["1", "01", "001", "0001", "00001"]);
    let gamma = [
        "1",
        "010",
        "011",
        "00100",
        "00101",
        "00110",
        "00111",
        "0001000",
        "0001001",
        "0001010",
        "0001011",
        "0001100",
        "0001101",
        "0001110",
        "0001111",
        "000010000",
    ];
    check(Codes::Gamma, &gamma);
    let delta = [
        "1",
        "0100",
        "0101",
        "01100",
        "01101",
        "01110",
        "01111",
        "00100000",
        "00100001",
        "00100010",
        "00100011",
        "00100100",
        "00100101",
        "00100110",
        "00100111",
        "001010000",
    ];
    check(Codes::Delta, &delta);
}

#[test]
fn golomb_words_with_modulus_3_and_rice_words() {
    let golomb = [
        "10", "110", "111", "010", "0110", "0111", "0010", "00110", "00111", "00010", "000110",
        "000111", "000010", "0000110", "0000111", "0000010",
    ];
    check(Codes::Golomb(3), &golomb);
    check(Codes::Rice(1), &["10", "11", "010", "011", "0010", "0011"]);
}

/// Groups of three bits: a group that is not the last starts with 0, the last one with 1.
fn nibbles(number: u64) -> String {
    let octal = format!("{number:o}");
    let last = octal.len() - 1;
    let groups = octal.chars().enumerate().map(|(place, digit)| {
        let stop = if place == last { '1' } else { '0' };
        format!("{stop}{:03b}", digit.to_digit(8).unwrap())
    });
    groups.collect()
}

#[test]
fn nibbles_of_0_to_15() {
    let words = [
        "1000", "1001", "1010", "1011", "1100", "1101", "1110", "1111", "00011000", "00011001",
        "00011010", "00011011", "00011100", "00011101", "00011110", "00011111",
    ];
    let code = LabCode::Instantaneous(webrank_graph::bvgraph::properties::Code::Nibble);
    for (number, expected) in (0..).zip(words) {
        assert_eq!(nibbles(number), expected);
        assert_eq!(code.length(number), expected.len() as u64);
    }
    for number in (0..40).flat_map(|shift| [1 << shift, (1 << shift) - 1, 3 << shift]) {
        assert_eq!(
            code.length(number),
            nibbles(number).len() as u64,
            "{number}"
        );
    }
}

#[test]
fn minimal_binary_words_for_1_to_7() {
    let tables: [&[&str]; 7] = [
        &[""],
        &["0", "1"],
        &["0", "10", "11"],
        &["00", "01", "10", "11"],
        &["00", "01", "10", "110", "111"],
        &["00", "01", "100", "101", "110", "111"],
        &["00", "010", "011", "100", "101", "110", "111"],
    ];
    for (bound, words) in (1..).zip(tables) {
        for (number, expected) in (0..).zip(words) {
            assert_eq!(word(&MinimalBinary(bound), number), *expected, "{bound}");
            let length = LabCode::MinimalBinary(bound).length(number);
            assert_eq!(length, expected.len() as u64);
        }
    }
}

/// The sum of 2^-length over the numbers below `end`.
fn kraft(code: LabCode, end: u64) -> f64 {
    (0..end).map(|x| 0.5f64.powi(code.length(x) as i32)).sum()
}

/// All words of a length together have a closed sum, so the rest of the sum is known.
#[test]
fn kraft_sums_are_those_of_complete_codes() {
    let close = |code: LabCode, end: u64, rest: f64| {
        let sum = kraft(code, end);
        assert!(
            (sum + rest - 1.0).abs() < 1e-12,
            "{code} below {end}: {sum}"
        );
    };
    let standard = LabCode::standard;
    close(standard(Codes::Unary), 40, 0.5f64.powi(40));
    close(standard(Codes::Gamma), (1 << 12) - 1, 0.5f64.powi(12));
    // The length of the number, below 15, is in gamma.
    close(standard(Codes::Delta), (1 << 15) - 1, 0.5f64.powi(4));
    for k in 1..=7 {
        let groups = 14 / k;
        let end = (1 << (groups * k)) - 1;
        close(standard(Codes::Zeta(k)), end, 0.5f64.powi(groups as i32));
    }
    for k in 0..=3 {
        let end = (1 << 16) - 1;
        close(standard(Codes::Pi(k)), end, 0.5f64.powi(16 >> k));
    }
    for modulus in 1..=33 {
        let code = standard(Codes::Golomb(modulus));
        close(code, 30 * modulus, 0.5f64.powi(30));
        close(LabCode::MinimalBinary(modulus), modulus, 0.0);
    }
    for k in 0..6 {
        close(standard(Codes::Rice(k)), 30 << k, 0.5f64.powi(30));
    }
    close(standard(Codes::VByteBe), 128 + (1 << 14), 0.25);
    // No word starts with an empty group, which costs a sixteenth.
    let nibble = LabCode::fixed().find(|code| code.to_string() == "nibbles");
    close(
        nibble.unwrap(),
        1 << 15,
        1.0 / 16.0 + 7.0 / 8.0 * 0.5f64.powi(5),
    );
    let omega = kraft(standard(Codes::Omega), 1 << 16);
    assert!(omega > 0.9 && omega < 1.0, "{omega}");
}

/// Numbers of all sizes, more small ones than large ones.
fn numbers() -> Vec<u64> {
    let mixed = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (1..4000u64)
        .map(|i| (mixed(i) >> 50) >> (mixed(i + 5000) >> 60).min(14))
        .collect()
}

#[test]
fn counted_bits_are_those_of_encoding() {
    let numbers = numbers();
    let counted = NumberDistribution::of(numbers.iter().copied()).unwrap();
    let bits = |code: LabCode| counted.bits(|number| code.length(number));
    let (best, least) = best_golomb(&counted);
    let codes = (0..=20).map(Codes::Rice).chain((1..40).map(Codes::Golomb));
    let codes = codes.chain([Codes::Golomb(best), Codes::Golomb(100_003)]);
    let codes = codes.map(LabCode::standard).chain(LabCode::fixed());
    for code in codes {
        use webrank_graph::bvgraph::properties::Code;
        let encoded = match code {
            LabCode::Instantaneous(Code::Standard(code)) => written(|bits| {
                let lengths = numbers
                    .iter()
                    .map(|&number| code.write(bits, number).unwrap());
                lengths.sum()
            })
            .len(),
            _ => numbers.iter().map(|&number| nibbles(number).len()).sum(),
        };
        assert_eq!(bits(code), encoded as u128, "{code}");
    }
    assert_eq!(bits(LabCode::standard(Codes::Golomb(best))), least);
    let bound = counted.max() + 1;
    let encoded = written(|bits| {
        let lengths = numbers.iter();
        lengths
            .map(|&number| bits.write_minimal_binary(number, bound).unwrap())
            .sum()
    });
    assert_eq!(bits(LabCode::MinimalBinary(bound)), encoded.len() as u128);
}
