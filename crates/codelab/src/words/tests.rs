use super::*;
use dsi_bitstream::prelude::{BE, BufBitWriter, MemWordWriterVec};

fn words(code: &str, numbers: impl IntoIterator<Item = u64>) -> Vec<String> {
    let code: WordCode = code.parse().unwrap();
    let words = numbers.into_iter().map(|number| code.word(number).unwrap());
    words.collect()
}

/// The bits that `dsi-bitstream` writes.
fn written(code: Codes, number: u64) -> String {
    let bytes = MemWordWriterVec::new(Vec::<u8>::new());
    let mut bits = BufBitWriter::<BE, _>::new(bytes);
    let length = code.write(&mut bits, number).unwrap();
    let bytes = bits.into_inner().unwrap().into_inner();
    let all: String = bytes.iter().map(|byte| format!("{byte:08b}")).collect();
    all[..length].to_owned()
}

#[test]
fn words_of_textbooks() {
    assert_eq!(words("unary", 0..4), ["1", "01", "001", "0001"]);
    assert_eq!(words("gamma", 0..4), ["1", "010", "011", "00100"]);
    assert_eq!(
        words("delta", [0, 1, 2, 15]),
        ["1", "0100", "0101", "001010000"]
    );
    assert_eq!(
        words("golomb3", 0..6),
        ["10", "110", "111", "010", "0110", "0111"]
    );
    assert_eq!(words("golomb4", [0, 3, 4]), ["100", "111", "0100"]);
    assert_eq!(
        words("zeta3", [0, 1, 2, 7]),
        ["100", "1010", "1011", "0100000"]
    );
    assert_eq!(words("omega", [0, 1, 10]), ["0", "100", "1110110"]);
    assert_eq!(words("nibbles", [0, 7, 8]), ["1000", "1111", "00011000"]);
    assert_eq!(words("minimal5", 0..5), ["00", "01", "10", "110", "111"]);
    assert_eq!(words("minimal1", [0]), [""]);
    assert_eq!(
        words("bytes-last", [1, 128]),
        ["10000001", "0000000110000000"]
    );
    assert_eq!(words("bytes", [127, 128]), ["01111111", "1000000000000000"]);
    assert_eq!(
        words("bytes-grouped", [127, 129]),
        ["01111111", "1000000000000001"]
    );
    assert_eq!(words("pfor2", 0..3), ["00", "01", "10"]);
    assert_eq!(words("pfor2", [3])[0], format!("11{:032b}", 3));
}

#[test]
fn words_are_those_of_fast_coders() {
    let numbers = (0..600).chain((0..62).flat_map(|k| [(1 << k) - 1, 1 << k, (1 << k) + 1]));
    let numbers: Vec<u64> = numbers.chain([(1 << 63) - 1]).collect();
    let small = [
        Codes::Unary,
        Codes::Golomb(1),
        Codes::Golomb(7),
        Codes::Rice(2),
    ];
    let large = [
        Codes::Gamma,
        Codes::Delta,
        Codes::Omega,
        Codes::VByteBe,
        Codes::Pi(1),
    ];
    let zetas = (1..=7).map(Codes::Zeta).chain((2..=4).map(Codes::Pi));
    for code in small.into_iter().chain(large).chain(zetas) {
        let lab = WordCode::standard(code);
        for &number in &numbers {
            if let Some(word) = lab.word(number) {
                assert_eq!(word, written(code, number), "{lab} of {number}");
            }
        }
    }
}

#[test]
fn lengths_are_those_of_words_and_words_are_no_prefixes() {
    let all = WordCode::taught(40).into_iter().chain([WordCode::Pfor(5)]);
    for code in all {
        let mut words = Vec::new();
        for number in (0..40).chain([1 << 20, (1 << 32) - 1]) {
            let word = code.word(number);
            if let Some(word) = &word {
                assert_eq!(code.length(number), Some(word.len() as u64), "{code}");
            }
            words.extend(word);
        }
        assert!(words.len() >= 40);
        for (place, word) in words.iter().enumerate() {
            let others = words
                .iter()
                .enumerate()
                .filter(|&(other, _)| other != place);
            let is_prefix = others
                .into_iter()
                .any(|(_, other)| other.starts_with(word.as_str()));
            assert!(!is_prefix, "{code}: {word}");
        }
    }
}

#[test]
fn kraft_sums_in_closed_form() {
    let last = (1 << 62) - 1;
    for (code, last, sum) in [
        ("unary", last, 1.0),
        ("gamma", last, 1.0),
        // The octaves with l up to 2, of 2^l words of 2 l + 1 bits.
        ("gamma", 6, 0.875),
        // The octave l has 2^-|gamma(l)|: without those from l = 62 on, all but 2^-6 + 2^-11.
        ("delta", last, 1.0 - 0.5f64.powi(6) - 0.5f64.powi(11)),
        ("golomb5", last, 1.0),
        ("zeta3", last, 1.0 - 0.5f64.powi(21)),
        ("minimal11", last, 1.0),
        ("pfor3", last, 1.0 - 7.0 * 0.5f64.powi(35)),
        ("bytes", 127 + (1 << 14), 0.75),
        ("bytes-grouped", 127 + (1 << 14), 0.75),
        // Groups without zeros in front: words are lost.
        ("bytes-last", (1 << 14) - 1, 0.5 + 127.0 / 128.0 * 0.25),
        ("nibbles", 63, 0.5 + 7.0 / 8.0 * 0.25),
    ] {
        let found = code.parse::<WordCode>().unwrap().kraft(0, last);
        assert!((found - sum).abs() < 1e-6, "{code}: {found}");
        assert!(found <= 1.0 + 1e-12);
    }
    let given = WordCode::Given(["0", "111", "10"].map(String::from).to_vec());
    assert_eq!([given.kraft(0, 5), given.kraft(1, 2)], [0.875, 0.375]);
}

#[test]
fn names_are_read_and_written() {
    for code in WordCode::taught(16) {
        assert_eq!(code.to_string().parse::<WordCode>(), Ok(code));
    }
    for text in [
        "", "morse", "golomb", "golomb0", "zeta0", "gamma2", "minimal0", "pfor33", "zeta99",
    ] {
        assert!(text.parse::<WordCode>().is_err(), "{text}");
    }
    assert_eq!(WordCode::standard(Codes::Unary).word(5000), None);
    assert_eq!("rice63".parse::<WordCode>().unwrap().length(5), Some(64));
}
