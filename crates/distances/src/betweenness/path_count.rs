//! Numbers of shortest paths, which can exceed any bound: a ladder of k squares has 2^k of them.

/// A number of paths, as a search from one source counts them.
pub trait PathCount: Copy + Send {
    /// One path.
    const ONE: Self;

    /// The sum.
    fn plus(self, other: Self) -> Self;

    /// Whether a larger count might overflow: the search has to be repeated with a wider type.
    fn is_too_large(self) -> bool {
        false
    }

    /// Whether no sum behind the number was rounded.
    fn is_exact(self) -> bool {
        true
    }
}

/// A positive number of paths, to the precision of an `f64`.
pub trait PathRatio: PathCount {
    /// The quotient, rounded; 0 below the smallest `f64`.
    fn over(self, other: Self) -> f64;
}

/// All integers up to this one are exact in `f64`.
pub(super) const LARGEST_EXACT: f64 = (1u64 << 53) as f64;

/// The limit of counts in plain `f64`. It is far enough below 2^1024 for one more level of a
/// search, and inverses of counts are normal numbers.
pub(super) const LARGEST: f64 = f64::from_bits((1023 + 900) << 52);

impl PathCount for f64 {
    const ONE: f64 = 1.0;

    #[inline(always)]
    fn plus(self, other: f64) -> f64 {
        self + other
    }

    #[inline(always)]
    fn is_too_large(self) -> bool {
        self > LARGEST
    }

    #[inline(always)]
    fn is_exact(self) -> bool {
        self <= LARGEST_EXACT
    }
}

impl PathRatio for f64 {
    #[inline(always)]
    fn over(self, other: f64) -> f64 {
        self / other
    }
}

/// `digits` times 2^(512 `wheel`), with `digits` at least 1 and below 2^512. This covers counts up
/// to 2^(2^40), more than any graph of 2^32 nodes has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wide {
    digits: f64,
    wheel: i32,
}

const TURN: f64 = f64::from_bits((1023 + 512) << 52);

impl Wide {
    /// The product, rounded.
    pub fn times(self, other: Wide) -> Wide {
        let digits = self.digits * other.digits;
        let turn = digits >= TURN;
        Wide {
            digits: if turn { digits / TURN } else { digits },
            wheel: self.wheel + other.wheel + turn as i32,
        }
    }
}

impl PathCount for Wide {
    const ONE: Wide = Wide {
        digits: 1.0,
        wheel: 0,
    };

    fn plus(self, other: Wide) -> Wide {
        let (large, small) = if self.wheel >= other.wheel {
            (self, other)
        } else {
            (other, self)
        };
        let digits = match large.wheel - small.wheel {
            0 => large.digits + small.digits,
            1 => large.digits + small.digits / TURN,
            // Below 2^-512 of the larger number, so lost in its rounding.
            _ => large.digits,
        };
        let turn = digits >= TURN;
        Wide {
            digits: if turn { digits / TURN } else { digits },
            wheel: large.wheel + turn as i32,
        }
    }

    fn is_exact(self) -> bool {
        self.wheel == 0 && self.digits <= LARGEST_EXACT
    }
}

impl PathRatio for Wide {
    fn over(self, other: Wide) -> f64 {
        let quotient = self.digits / other.digits;
        match self.wheel - other.wheel {
            0 => quotient,
            turns => {
                let turn = if turns > 0 { TURN } else { 1.0 / TURN };
                (0..turns.unsigned_abs().min(4)).fold(quotient, |quotient, _| quotient * turn)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From 2^53 + 1 on, a sum of ones is rounded.
    fn exact_powers<C: PathCount>() -> usize {
        let powers = std::iter::successors(Some(C::ONE), |&power| Some(power.plus(power)));
        powers.take(1200).filter(|power| power.is_exact()).count()
    }

    #[test]
    fn sums_up_to_two_to_the_53_are_exact() {
        assert_eq!([exact_powers::<f64>(), exact_powers::<Wide>()], [54; 2]);
    }

    #[test]
    fn wide_counts_keep_their_ratios() {
        let mut power = Wide::ONE;
        let mut powers = vec![power];
        for _ in 0..5000 {
            power = power.plus(power);
            powers.push(power);
        }
        assert_eq!(powers[5000].over(powers[4990]), 1024.0);
        assert_eq!(powers[4990].over(powers[5000]), 1.0 / 1024.0);
        assert_eq!(powers[600].over(powers[0]), 2f64.powi(600));
        assert_eq!(powers[0].over(powers[1000]), 2f64.powi(-1000));
        assert_eq!(powers[0].over(powers[5000]), 0.0);
        let three = powers[2000].plus(powers[2001]);
        assert_eq!(three.over(powers[2000]), 3.0);
        assert_eq!(powers[2001].plus(powers[2000]), three);
        let straddling = powers[511].plus(powers[512]);
        assert_eq!(straddling.over(powers[511]), 3.0);
        assert_eq!(powers[511].times(powers[600]), powers[1111]);
        assert_eq!(powers[10].times(powers[20]), powers[30]);
    }
}
