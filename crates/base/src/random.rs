//! A random generator whose sequence no release of another crate changes.

/// SplitMix64 (Steele, Lea and Flood 2014): eight lines that no release of another crate changes,
/// so that a seed always gives the same sample.
pub struct SplitMix(u64);

impl SplitMix {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        SplitMix(seed)
    }

    /// 64 uniform bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
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
