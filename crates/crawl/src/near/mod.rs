//! Pages that are nearly the same.
//!
//! A page has a fingerprint of 64 bits ([`SimHash`]); pages whose fingerprints differ in few bits are
//! nearly the same. All pairs within a distance are found by tables of permuted fingerprints, without
//! comparing all with all, and none is missed.
//!
//! * `words`: the words of a text, without numbers and dates;
//! * `simhash`: fingerprints of texts; `signals`: what they are made of;
//! * `design`: how many tables, and which bits each of them has in front;
//! * `permutation`: the bits of fingerprints in another order;
//! * `pairs`: all pairs of different fingerprints within a distance;
//! * `compare`: a group of fingerprints, each with each;
//! * `duplicates`: nodes with equal or near fingerprints, as pairs;
//! * `clusters`: the same as clusters;
//! * `list`: fingerprints in a file of text;
//! * `merge`: a graph with one node for each cluster;
//! * `table`: a sorted table, compressed, in which single fingerprints are looked up;
//! * `index`: all tables at once.
//!
//! Source: Manku, Jain and Das Sarma, "Detecting near-duplicates for web crawling", WWW 2007.

mod clusters;
mod compare;
mod design;
mod duplicates;
mod index;
mod list;
mod merge;
mod pairs;
mod permutation;
mod signals;
mod simhash;
mod table;
mod words;

pub use clusters::Clusters;
pub use design::{cuts, num_tables};
pub use duplicates::{NearDuplicates, NearPair};
pub use index::{Index, TAU};
pub use list::{FingerprintList, parse};
pub use merge::{Merged, Within};
pub use signals::{Signals, TermWeights, TextUnit};
pub use simhash::{KEY, NONE, SimHash, distance};

/// The largest distance at which pairs are searched for. Random fingerprints differ in 32 bits; at a
/// distance of 16, one of 26,000 random pairs is near.
pub const MAX_DISTANCE: u32 = 16;

/// The chance that two random fingerprints of so many bits differ in at most `distance` of them: the sum of
/// the binomials of k from 0 to distance, divided by 2^bits.
pub(crate) fn chance(bits: u32, distance: u32) -> f64 {
    let mut binomial = 1.0;
    let mut sum = 0.0;
    for k in 0..=distance.min(bits) {
        sum += binomial;
        binomial *= f64::from(bits - k) / f64::from(k + 1);
    }
    sum / f64::from(bits).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_the_shares_of_all_pairs() {
        for bits in 1..=10 {
            for most in 0..=bits + 1 {
                let near = (0u64..1 << bits).filter(|&it| distance(it, 0) <= most);
                let expected = near.count() as f64 / f64::from(1 << bits);
                assert!(
                    (chance(bits, most) - expected).abs() < 1e-12,
                    "{bits} {most}"
                );
            }
        }
    }
}
