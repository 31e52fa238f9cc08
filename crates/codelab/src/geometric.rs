//! How codes fare on geometric sources, P(n) = p (1 - p)^n, whose mean is (1 - p) / p.
//!
//! A code is universal if the expected length of its words is at most a constant times the entropy, for
//! all sources whose probabilities do not increase and whose entropy is 1 at least (Elias 1975). With
//! words of c log2 n + o(log n) bits, the ratio tends to c on geometric sources as their mean grows:
//! 2 for gamma, 1 for delta and omega. Unary code, and Golomb code of a modulus that does not follow the
//! source, have a ratio without bound.
//!
//! Golomb code is best where the modulus b is the least with (1 - p)^b + (1 - p)^(b + 1) <= 1: then b =
//! ceil(-log(2 - p) / log(1 - p)) (Gallager and Van Voorhis 1975).

use crate::words::{WordCode, runs};
use dsi_bitstream::dispatch::Codes;
use std::f64::consts::LN_2;
use webrank_graph::bvgraph::properties::Code;
use webrank_graph::codes::LabCode;

/// A geometric source.
#[derive(Debug, Clone, Copy)]
pub struct GeometricSource {
    mean: f64,
}

impl GeometricSource {
    /// The source with this mean, which is at least 0.
    pub fn with_mean(mean: f64) -> Self {
        GeometricSource { mean }
    }

    /// The probability p of 0.
    pub fn p(self) -> f64 {
        1.0 / (1.0 + self.mean)
    }

    /// The natural logarithm of 1 - p.
    fn log_rest(self) -> f64 {
        (-self.p()).ln_1p()
    }

    /// The probability of the numbers below `number`.
    fn head(self, number: u64) -> f64 {
        match number {
            0 => 0.0,
            number => -(number as f64 * self.log_rest()).exp_m1(),
        }
    }

    /// The probability of the numbers from `from` to below `end`.
    fn part(self, from: u64, end: u64) -> f64 {
        (1.0 - self.head(from)) * self.head(end - from)
    }

    /// The entropy in bits a number.
    pub fn entropy(self) -> f64 {
        match self.mean {
            0.0 => 0.0,
            mean => -self.p().log2() - mean * self.log_rest() / LN_2,
        }
    }

    /// The best modulus of a Golomb code.
    pub fn modulus(self) -> u64 {
        // 1 - p = 0 leaves nothing to divide.
        if self.mean == 0.0 {
            return 1;
        }
        let modulus = -(1.0 - self.p()).ln_1p() / self.log_rest();
        (modulus.ceil() as u64).max(1)
    }

    /// The expected length of the words of a code whose words do not get shorter.
    pub fn expected(self, code: &WordCode) -> f64 {
        match code {
            WordCode::Lab(LabCode::Instantaneous(Code::Standard(Codes::Unary))) => self.mean + 1.0,
            WordCode::Lab(LabCode::Instantaneous(Code::Standard(Codes::Golomb(b)))) => {
                self.golomb(*b)
            }
            code => {
                // The rest has a probability below 2^-100.
                let last = (70.0 * (self.mean + 1.0)).min(2f64.powi(62)) as u64;
                let runs = runs(|number| code.length(number), 0, last);
                let term =
                    |(from, to, length): (u64, u64, u64)| length as f64 * self.part(from, to + 1);
                runs.into_iter().map(term).sum()
            }
        }
    }

    /// Golomb code: the quotient is geometric with 1 - (1 - p)^b, and independent of the remainder.
    fn golomb(self, modulus: u64) -> f64 {
        let all = self.head(modulus);
        let width = 64 - (modulus - 1).leading_zeros();
        let short = ((1u128 << width) - u128::from(modulus)) as u64;
        let minimal = f64::from(width) - self.head(short) / all;
        1.0 / all + minimal
    }
}

/// Codes, each with the limit of the ratio of its expected length to the entropy; none without bound.
pub fn sources() -> Vec<(WordCode, Option<f64>)> {
    let standard = WordCode::standard;
    vec![
        (standard(Codes::Unary), None),
        (standard(Codes::Golomb(10)), None),
        (standard(Codes::Gamma), Some(2.0)),
        (standard(Codes::Delta), Some(1.0)),
        (standard(Codes::Omega), Some(1.0)),
        (standard(Codes::Zeta(2)), Some(1.5)),
        (standard(Codes::Zeta(3)), Some(4.0 / 3.0)),
        (standard(Codes::Pi(2)), Some(1.25)),
        (
            WordCode::Lab(LabCode::Instantaneous(Code::Nibble)),
            Some(4.0 / 3.0),
        ),
        (standard(Codes::VByteBe), Some(8.0 / 7.0)),
    ]
}

/// The means of a table.
pub const MEANS: [f64; 7] = [1.0, 10.0, 100.0, 1e4, 1e6, 1e9, 1e12];

#[cfg(test)]
mod tests {
    use super::*;

    /// By the sum over all numbers.
    fn summed(source: GeometricSource, of: impl Fn(u64, f64) -> f64) -> f64 {
        let p = source.p();
        let terms = (0..20_000u64).map(|n| of(n, p * (1.0 - p).powi(n as i32)));
        terms.sum()
    }

    #[test]
    fn expectations_are_sums() {
        for mean in [0.3, 1.0, 7.5, 120.0] {
            let source = GeometricSource::with_mean(mean);
            let entropy = summed(source, |_, p| if p > 0.0 { -p * p.log2() } else { 0.0 });
            assert!((source.entropy() - entropy).abs() < 1e-9);
            let golomb = [1, 3, 8, 100].map(|b| WordCode::standard(Codes::Golomb(b)));
            let codes = sources().into_iter().map(|(code, _)| code).chain(golomb);
            for code in codes {
                let sum = summed(source, |n, p| p * code.length(n).unwrap() as f64);
                let found = source.expected(&code);
                assert!((found - sum).abs() < 1e-9, "{code}, {mean}: {found}, {sum}");
                assert!(found >= source.entropy() - 1e-9);
            }
        }
    }

    #[test]
    fn the_modulus_is_the_best_one() {
        for mean in [0.0, 0.1, 0.5, 1.0, 3.0, 9.0, 99.0, 1234.5] {
            let source = GeometricSource::with_mean(mean);
            let cost = |b: u64| source.golomb(b);
            let best = source.modulus();
            let least = (1..3000).map(cost).fold(f64::INFINITY, f64::min);
            assert!(cost(best) <= least + 1e-9, "{mean}: {best}");
        }
        assert_eq!(GeometricSource::with_mean(99.0).modulus(), 69);
    }

    #[test]
    fn ratios_tend_to_their_limits() {
        for (code, limit) in sources() {
            let ratio = |mean: f64| {
                let source = GeometricSource::with_mean(mean);
                source.expected(&code) / source.entropy()
            };
            match limit {
                None => assert!(ratio(1e12) > 1e8, "{code}"),
                Some(limit) => {
                    let far = [1e6, 1e9, 1e12, 1e17].map(|mean| (ratio(mean) - limit).abs());
                    assert!(far[3] < 0.25, "{code}: {far:?}");
                    assert!(far[3] < far[0] + 0.05, "{code}: {far:?}");
                }
            }
        }
    }
}
