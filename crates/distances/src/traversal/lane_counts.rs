//! Counting in 512 lanes at once: bit-sliced counters with delayed carries.
//!
//! Plane p holds bit p of all 512 counts. A mask added at a plane waits there until a second one
//! comes. Both and the plane's sum then make one new sum and one carry for the next plane (a full
//! adder: five bit operations). An addition costs about one full adder, whatever the counts.

use super::bit_parallel::{LANES, Mask};

/// Counts are below 2^32, as node ids are.
const PLANES: usize = 33;

/// One counter for each lane.
pub(crate) struct Counter {
    sums: [Mask; PLANES],
    waiting: [Mask; PLANES],
    /// Bit p: a mask waits at plane p.
    occupied: u64,
    /// Planes from this one on are zero.
    used: usize,
}

impl Counter {
    pub fn new() -> Self {
        Counter {
            sums: [Mask::NONE; PLANES],
            waiting: [Mask::NONE; PLANES],
            occupied: 0,
            used: 0,
        }
    }

    /// Adds `weight` in the lanes of `mask`.
    #[inline(always)]
    pub fn add(&mut self, mask: Mask, mut weight: u32) {
        while weight != 0 {
            self.add_at(weight.trailing_zeros() as usize, mask);
            weight &= weight - 1;
        }
    }

    #[inline(always)]
    fn add_at(&mut self, mut plane: usize, mut mask: Mask) {
        while self.occupied >> plane & 1 == 1 {
            self.occupied ^= 1 << plane;
            let (a, b) = (self.sums[plane], self.waiting[plane]);
            let half = a ^ b;
            self.sums[plane] = half ^ mask;
            mask = (a & b) | (half & mask);
            plane += 1;
        }
        self.waiting[plane] = mask;
        self.occupied |= 1 << plane;
        self.used = self.used.max(plane + 1);
    }

    /// Writes each lane's count and starts again from zero.
    #[inline(always)]
    pub fn take(&mut self, counts: &mut [u32; LANES]) {
        counts.fill(0);
        let mut plane = 0;
        while plane < self.used {
            if self.occupied >> plane & 1 == 1 {
                self.occupied ^= 1 << plane;
                let (a, b) = (self.sums[plane], self.waiting[plane]);
                self.sums[plane] = a ^ b;
                let carry = a & b;
                if carry != Mask::NONE {
                    self.add_at(plane + 1, carry);
                }
            }
            for (word, counts) in self.sums[plane].0.iter().zip(counts.chunks_exact_mut(64)) {
                for (bit, count) in counts.iter_mut().enumerate() {
                    *count += ((word >> bit) as u32 & 1) << plane;
                }
            }
            self.sums[plane] = Mask::NONE;
            plane += 1;
        }
        self.used = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_are_sums_of_weights(
            adds in prop::collection::vec((any::<[u64; 8]>(), 0u32..70), 0..80),
        ) {
            let mut counter = Counter::new();
            let mut counts = [7; LANES];
            for part in adds.chunks(30) {
                for &(mask, weight) in part {
                    counter.add(Mask(mask), weight);
                }
                counter.take(&mut counts);
                for (lane, &count) in counts.iter().enumerate() {
                    let expected: u32 = part
                        .iter()
                        .map(|(mask, weight)| (mask[lane / 64] >> (lane % 64) & 1) as u32 * weight)
                        .sum();
                    prop_assert_eq!(count, expected);
                }
            }
        }
    }
}
