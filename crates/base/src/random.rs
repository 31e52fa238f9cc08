//! A random generator whose sequence no release of another crate changes.

/// The step of the sequence: 2^64 divided by the golden ratio, made odd.
pub const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The finaliser of SplitMix64: a bijection whose every output bit depends on all input bits.
#[inline]
pub fn finalised(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// SplitMix64 (Steele, Lea and Flood 2014): lines that no release of another crate changes,
/// so that a seed always gives the same sample.
pub struct SplitMix(u64);

impl SplitMix {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        SplitMix(seed)
    }

    /// 64 uniform bits.
    // It never ends, so it is no iterator.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN);
        finalised(self.0)
    }

    /// Uniform below `bound`, up to a bias of at most bound / 2^64.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((self.next() as u128 * bound as u128) >> 64) as u64
    }

    /// Uniform from 0 to below 1, a multiple of 2^-53.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of <https://prng.di.unimi.it/splitmix64.c> for seed 1234567.
    #[test]
    fn numbers_are_those_of_the_reference() {
        let mut random = SplitMix::new(1_234_567);
        let numbers = [(); 3].map(|()| random.next());
        let reference = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(numbers, reference);
    }
}
