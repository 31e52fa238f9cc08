//! Codes from the lengths of their words, and Huffman's code.
//!
//! An instantaneous code with words of lengths l has sum 2^-l <= 1 (Kraft), and for all lengths with such
//! a sum there is one: in order of lengths, each word is the binary number that follows the one before,
//! with zeros behind it. Huffman's code for positive weights has the least sum of weight times length:
//! the two smallest weights are joined until one is left, and each joining is a bit of its words.
//!
//! L. Kraft, 1949; D. Huffman, "A method for the construction of minimum-redundancy codes", 1952.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use webrank_base::error::{Error, Result};

/// No word is longer. Weights with a sum below 2^64 have no longer words: they grow like Fibonacci's numbers.
pub const LONGEST: u32 = 100;
/// Weights or lengths at most.
pub const MOST: usize = 1 << 20;

/// Kraft's sum of lengths, in units of 2^-[`LONGEST`]: exact, for up to [`MOST`] of them.
///
/// # Errors
/// If there are more lengths, or longer ones, or if one of several is 0.
pub fn kraft(lengths: &[u32]) -> Result<u128> {
    let problem = match lengths {
        [] => Some("no number: give one length at least".into()),
        [0] => None,
        many if many.len() > MOST => Some(format!("more than {MOST} numbers: give fewer")),
        many => many
            .iter()
            .find(|&length| !(1..=LONGEST).contains(length))
            .map(|length| {
                format!("a length of {length}, and words have 1 to {LONGEST} bits: correct it")
            }),
    };
    match problem {
        Some(problem) => Err(Error::argument("--lengths", "unfit", problem)),
        None => Ok(lengths
            .iter()
            .map(|length| 1u128 << (LONGEST - length))
            .sum()),
    }
}

/// A sum in units of 2^-[`LONGEST`], without rounding: a decimal, 1 - 2^-60, or a fraction.
pub fn exact(sum: u128) -> String {
    let zeros = sum.trailing_zeros().min(LONGEST);
    let (sum, power) = (sum >> zeros, LONGEST - zeros);
    let one = 1u128 << power;
    match sum {
        // Up to 15 digits are exact.
        sum if power <= 10 && sum >> 26 == 0 => (sum as f64 / one as f64).to_string(),
        sum if sum + 1 == one => format!("1 - 2^-{power}"),
        sum if sum == one + 1 => format!("1 + 2^-{power}"),
        sum => format!("{sum}/2^{power}"),
    }
}

/// The words of these lengths, in the order of the lengths: the canonical code. O(n log n).
///
/// # Errors
/// As for [`kraft`]; if the sum exceeds 1.
pub fn canonical(lengths: &[u32]) -> Result<Vec<String>> {
    let sum = kraft(lengths)?;
    if sum > 1 << LONGEST {
        let problem = format!(
            "the sum of 2^-length is {}, and an instantaneous code has at most 1 (Kraft): make \
             words longer, or leave some out",
            exact(sum)
        );
        return Err(Error::argument("--lengths", listed(lengths), problem));
    }
    let mut order: Vec<usize> = (0..lengths.len()).collect();
    order.sort_by_key(|&place| lengths[place]);
    let mut words = vec![String::new(); lengths.len()];
    // The next word, as a fraction in units of 2^-LONGEST.
    let mut next = 0u128;
    for place in order {
        let length = lengths[place];
        if length > 0 {
            let word = next >> (LONGEST - length);
            words[place] = format!("{word:0width$b}", width = length as usize);
        }
        next += 1 << (LONGEST - length);
    }
    Ok(words)
}

/// The first numbers, and how many more there are.
fn listed(numbers: &[u32]) -> String {
    const FIRST: usize = 8;
    let first: Vec<String> = numbers.iter().take(FIRST).map(u32::to_string).collect();
    let more = if numbers.len() > FIRST { ",..." } else { "" };
    first.join(",") + more
}

/// The lengths of the words of Huffman's code for these weights. A single one has the empty word.
/// O(n log n).
///
/// # Errors
/// If a weight is 0, if there are more than [`MOST`] or none, or if their sum is not below 2^64.
pub fn huffman(weights: &[u64]) -> Result<Vec<u32>> {
    check(weights)?;
    let leaves = weights.len();
    let mut heap: BinaryHeap<_> = weights
        .iter()
        .enumerate()
        .map(|(place, &w)| Reverse((w, place)))
        .collect();
    let mut parent = vec![0; 2 * leaves - 1];
    let mut next = leaves;
    // Joined nodes come after leaves of equal weight: the longest word is as short as can be.
    while let (Some(Reverse((one, a))), Some(Reverse((other, b)))) = (heap.pop(), heap.pop()) {
        (parent[a], parent[b]) = (next, next);
        heap.push(Reverse((one + other, next)));
        next += 1;
    }
    let mut depths = vec![0u32; 2 * leaves - 1];
    for place in (0..next - 1).rev() {
        depths[place] = depths[parent[place]] + 1;
    }
    depths.truncate(leaves);
    Ok(depths)
}

/// The entropy of weights in bits a symbol: no code has shorter words on average.
pub fn entropy(weights: &[u64]) -> f64 {
    let sum: f64 = weights.iter().map(|&weight| weight as f64).sum();
    let share = |&weight: &u64| weight as f64 / sum;
    weights
        .iter()
        .map(share)
        .map(|p| -p * p.log2())
        .sum::<f64>()
        + 0.0
}

fn check(weights: &[u64]) -> Result<()> {
    let sum = weights
        .iter()
        .try_fold(0u64, |sum, &weight| sum.checked_add(weight));
    let problem = match weights {
        [] => "no number: give one weight at least".into(),
        many if many.len() > MOST => format!("more than {MOST} numbers: give fewer"),
        many if many.contains(&0) => {
            let place = many.iter().take_while(|&&weight| weight > 0).count();
            format!(
                "symbol {place}, counted from 0, has a weight of 0: what never occurs has no word, \
                 leave it out"
            )
        }
        _ if sum.is_none() => "a sum of 2^64 or more: divide the weights".into(),
        _ => return Ok(()),
    };
    Err(Error::argument("--weights", "unfit", problem))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn words_of_given_lengths() {
        assert_eq!(canonical(&[1, 2, 3, 3]).unwrap(), ["0", "10", "110", "111"]);
        assert_eq!(canonical(&[3, 1, 2]).unwrap(), ["110", "0", "10"]);
        assert_eq!(canonical(&[0]).unwrap(), [""]);
        assert_eq!(canonical(&[100]).unwrap()[0].len(), 100);
        let all: Vec<u32> = (1..=60).collect();
        for (lengths, sum) in [
            (&[1, 2, 3, 3][..], "1"),
            (&[2, 3], "0.375"),
            (&all[..], "1 - 2^-60"),
            (&[1, 2, 3, 3, 100], "1 + 2^-100"),
            (&[1, 20], "524289/2^20"),
            (&[0], "1"),
        ] {
            assert_eq!(exact(kraft(lengths).unwrap()), sum);
        }
        let longer = canonical(&[1, 2, 3, 3, 100]).unwrap_err().to_string();
        assert!(longer.contains("is 1 + 2^-100, and"), "{longer}");
        for lengths in [&[1, 1, 2][..], &[], &[0, 1], &[101], &[1, 2, 2, 100]] {
            assert!(canonical(lengths).is_err(), "{lengths:?}");
        }
        let said = canonical(&[1, 1, 2]).unwrap_err().to_string();
        assert!(
            said.contains("--lengths is 1,1,2: the sum of 2^-length is 1.25"),
            "{said}"
        );
    }

    #[test]
    fn weights_are_checked() {
        assert_eq!(huffman(&[7]).unwrap(), [0]);
        assert_eq!(huffman(&[10, 1, 1]).unwrap(), [1, 2, 2]);
        assert_eq!(huffman(&[1, 1, 2, 3, 5, 8]).unwrap(), [5, 5, 4, 3, 2, 1]);
        for weights in [&[][..], &[1, 0], &[u64::MAX, 1]] {
            assert!(huffman(weights).is_err());
        }
    }

    /// The least cost over all codes: of all ways to join, which Huffman's algorithm tries one of.
    fn least(weights: &[u64]) -> u64 {
        let mut best = if weights.len() < 2 { 0 } else { u64::MAX };
        for i in 0..weights.len() {
            for j in 0..i {
                let mut rest = weights.to_vec();
                let joined = rest.remove(i) + rest.remove(j);
                rest.push(joined);
                best = best.min(joined + least(&rest));
            }
        }
        best
    }

    proptest! {
        #[test]
        fn no_code_is_shorter(weights in prop::collection::vec(1..30u64, 1..7)) {
            let lengths = huffman(&weights).unwrap();
            let cost: u64 = weights.iter().zip(&lengths).map(|(w, &l)| w * u64::from(l)).sum();
            prop_assert_eq!(cost, least(&weights));
            let words = canonical(&lengths).unwrap();
            for (a, word) in words.iter().enumerate() {
                prop_assert_eq!(word.len(), lengths[a] as usize);
                for (b, other) in words.iter().enumerate() {
                    prop_assert!(a == b || !other.starts_with(word.as_str()));
                }
            }
        }

        #[test]
        fn a_code_exists_exactly_if_krafts_sum_allows_it(lengths in prop::collection::vec(1..7u32, 1..12)) {
            let sum: f64 = lengths.iter().map(|&length| 0.5f64.powi(length as i32)).sum();
            let words = canonical(&lengths);
            prop_assert_eq!(words.is_ok(), sum <= 1.0);
            for word in words.iter().flatten() {
                prop_assert_eq!(words.iter().flatten().filter(|other| other.starts_with(word.as_str())).count(), 1);
            }
        }
    }
}
