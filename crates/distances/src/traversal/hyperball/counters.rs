//! HyperLogLog counters: registers, the hash that fills them, and what they estimate.

use card_est_array::impls::hyper_log_log::beta_horner;
use std::hash::{BuildHasher, DefaultHasher, Hasher};
use webrank_base::error::{Error, Result};

/// The number of registers of a counter, and the hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counters {
    log2m: u32,
    /// The seed of the hash.
    pub seed: u64,
}

impl Default for Counters {
    /// 256 registers, a relative standard error of 6.5%.
    fn default() -> Self {
        Counters { log2m: 8, seed: 0 }
    }
}

/// The fewest registers of a counter, or of a slice of one, as a base-2 logarithm.
pub(super) const LEAST: u32 = 4;

impl Counters {
    /// Counters of 2^`log2m` registers.
    ///
    /// # Errors
    /// If `log2m` is not from 4 to 16.
    pub fn new(log2m: u32, seed: u64) -> Result<Self> {
        if (LEAST..=16).contains(&log2m) {
            Ok(Counters { log2m, seed })
        } else {
            let remedy = "give a number from 4 to 16";
            Err(Error::argument("log2m", log2m, remedy))
        }
    }

    /// The base-2 logarithm of the number of registers.
    pub fn log2m(self) -> u32 {
        self.log2m
    }

    /// The relative standard error of one counter.
    pub fn relative_standard_error(self) -> f64 {
        // Flajolet, Fusy, Gandouet and Meunier, figure 3; the constant tends to 1.04.
        let constant = match self.log2m {
            4 => 1.106,
            5 => 1.070,
            6 => 1.054,
            7 => 1.046,
            _ => 1.04,
        };
        constant / (self.registers() as f64).sqrt()
    }

    /// The number of registers.
    pub(super) fn registers(self) -> usize {
        1 << self.log2m
    }

    /// The register that a node sets, and its value.
    pub(super) fn of_node(self, node: usize) -> (usize, u8) {
        let hash = Seeded(self.seed).hash_one(node);
        let register = hash as usize & (self.registers() - 1);
        let zeros = hash.rotate_right(self.log2m).trailing_zeros();
        (register, zeros as u8 + 1)
    }

    /// The number of nodes that a counter estimates: HyperLogLog with the correction of LogLog-beta
    /// (Qin, Kim and Tung 2016) for small numbers.
    pub(super) fn estimate(self, tally: Tally) -> f64 {
        let m = self.registers() as f64;
        let alpha = match self.log2m {
            4 => 0.673,
            5 => 0.697,
            6 => 0.709,
            _ => 0.7213 / (1.0 + 1.079 / m),
        };
        let sum = tally.sum as f64 / ONE as f64;
        if tally.zeros == 0 {
            return alpha * m * m / sum;
        }
        let zeros = f64::from(tally.zeros);
        let beta = beta_horner(zeros, self.log2m as usize);
        alpha * m * m * (m - zeros) / (m * (sum + beta))
    }
}

/// The numbers of a counter for an estimate. Tallies of parts of a counter add up to that of the
/// whole, exactly: they are integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tally {
    /// The sum of 2^-r over the registers r, in units of 2^-46.
    pub(super) sum: u64,
    /// The number of registers that are 0.
    pub(super) zeros: u32,
}

/// 1 in the units of sums: 2^16 registers stay below 2^64, and no register of a graph of 2^32 nodes
/// is expected to exceed 46 (one that does counts nothing, 2^-46 at most).
const ONE: u64 = 1 << 46;

impl Tally {
    /// By how much the tally of registers falls when they grow. Most of them do not.
    pub(super) fn fall(before: &[u8], after: &[u8]) -> Self {
        let parts = before.chunks(1 << LEAST).zip(after.chunks(1 << LEAST));
        let changed = parts.filter(|(before, after)| before != after);
        changed.fold(Tally::default(), |fall, (before, after)| {
            fall.plus(Tally::of(before).minus(Tally::of(after)))
        })
    }

    /// The tally of registers.
    fn of(registers: &[u8]) -> Self {
        let sum = registers.iter().map(|&register| part(register)).sum();
        let zeros = registers.iter().filter(|&&register| register == 0);
        Tally {
            sum,
            zeros: zeros.count() as u32,
        }
    }

    /// By how much the tally of the registers of a cache line falls: [`Self::fall`] in vectors.
    #[inline(always)]
    pub(super) fn fall_of_line(before: &[u8; 64], after: &[u8; 64]) -> Self {
        // Eight sums without checks of overflow, so that the compiler finds the vectors.
        let mut sums = [0u64; 8];
        let (befores, afters) = (before.as_chunks::<8>().0, after.as_chunks::<8>().0);
        for eight in 0..8 {
            let (before, after) = (&befores[eight], &afters[eight]);
            for i in 0..8 {
                // No unit is left of what is shifted by 63.
                let (before, after) = (before[i].min(63), after[i].min(63));
                let fall = (ONE >> before).wrapping_sub(ONE >> after);
                sums[i] = sums[i].wrapping_add(fall);
            }
        }
        let mut sum = 0u64;
        for part in sums {
            sum = sum.wrapping_add(part);
        }
        let mut zeros = 0u8;
        for i in 0..64 {
            zeros = zeros.wrapping_add(u8::from(before[i] == 0) ^ u8::from(after[i] == 0));
        }
        Tally {
            sum,
            zeros: u32::from(zeros),
        }
    }

    /// By how much the tally of a counter exceeds that of the same counter with a register raised from
    /// `under` to `value`, if it is smaller.
    pub(super) fn gap(under: u8, value: u8) -> Self {
        match under < value {
            true => Tally {
                sum: part(under) - part(value),
                zeros: u32::from(under == 0),
            },
            false => Tally::default(),
        }
    }

    /// That of a counter of one node.
    pub(super) fn of_node(counters: Counters, node: usize) -> Self {
        let others = counters.registers() as u64 - 1;
        Tally {
            sum: others * ONE + part(counters.of_node(node).1),
            zeros: others as u32,
        }
    }

    /// The difference to a later one: registers grow, so both numbers fall.
    pub(super) fn minus(self, later: Tally) -> Self {
        Tally {
            sum: self.sum - later.sum,
            zeros: self.zeros - later.zeros,
        }
    }

    /// The sum of two.
    pub(super) fn plus(self, other: Tally) -> Self {
        Tally {
            sum: self.sum + other.sum,
            zeros: self.zeros + other.zeros,
        }
    }
}

/// 2^-r in the units of sums, for each register r.
static PARTS: [u64; 256] = {
    let mut parts = [0; 256];
    let mut register = 0;
    while register < 64 {
        parts[register] = ONE >> register;
        register += 1;
    }
    parts
};

/// 2^-r in the units of sums.
fn part(register: u8) -> u64 {
    PARTS[register as usize]
}

/// SipHash with a seed.
#[derive(Debug, Clone)]
pub(super) struct Seeded(pub(super) u64);

impl BuildHasher for Seeded {
    type Hasher = DefaultHasher;

    fn build_hasher(&self) -> DefaultHasher {
        let mut hasher = DefaultHasher::new();
        hasher.write_u64(self.0);
        hasher
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use card_est_array::impls::HyperLogLog8Builder;
    use card_est_array::traits::EstimationLogic;

    /// `card-est-array` fills the same registers and estimates the same numbers.
    #[test]
    fn counters_are_those_of_the_crate() {
        for (log2m, seed) in [(4, 0), (6, 1), (8, 2), (10, 3)] {
            let counters = Counters::new(log2m, seed).unwrap();
            let logic = HyperLogLog8Builder::new()
                .log2_num_regs(log2m)
                .build_hasher(Seeded(seed))
                .build::<usize>();
            let (mut ours, mut theirs) = (vec![0; counters.registers()], vec![0; 1 << log2m]);
            for node in 0..20_000 {
                let (register, value) = counters.of_node(node);
                ours[register] = ours[register].max(value);
                logic.add(&mut theirs, node);
                if node % 97 == 0 || node < 50 {
                    assert_eq!(ours, theirs);
                    let (estimate, other) =
                        (counters.estimate(Tally::of(&ours)), logic.estimate(&theirs));
                    assert!(
                        (estimate - other).abs() <= 1e-14 * other,
                        "{estimate} {other}"
                    );
                }
            }
            assert_eq!(
                Tally::of_node(counters, 7),
                Tally::of(&{
                    let mut single = vec![0; counters.registers()];
                    let (register, value) = counters.of_node(7);
                    single[register] = value;
                    single
                })
            );
        }
    }

    #[test]
    fn registers_beyond_the_unit_count_nothing() {
        assert_eq!((part(0), part(1), part(46)), (ONE, ONE / 2, 1));
        assert_eq!((part(47), part(65)), (0, 0));
    }
}
