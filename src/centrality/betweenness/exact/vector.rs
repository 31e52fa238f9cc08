//! Numbers in lanes, one lane for each search. Compiled into the kernels of each vector width.

/// A bit for each lane.
pub(crate) type Mask = u64;

/// A number in each lane.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Lanes<const L: usize>(pub [f64; L]);

impl<const L: usize> Lanes<L> {
    pub const ZERO: Self = Lanes([0.0; L]);

    /// The lanes of `mask`, 0 in others.
    #[inline(always)]
    pub fn only(self, mask: Mask) -> Self {
        Lanes(std::array::from_fn(|l| match mask >> l & 1 {
            1 => self.0[l],
            _ => 0.0,
        }))
    }

    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        Lanes(std::array::from_fn(|l| self.0[l] + other.0[l]))
    }

    #[inline(always)]
    pub fn times(self, other: Self) -> Self {
        Lanes(std::array::from_fn(|l| self.0[l] * other.0[l]))
    }

    #[inline(always)]
    pub fn scaled(self, factor: f64) -> Self {
        Lanes(self.0.map(|x| x * factor))
    }

    /// Added in one order, by halves.
    #[inline(always)]
    pub fn sum(mut self) -> f64 {
        let mut width = L;
        while width > 1 {
            width /= 2;
            for l in 0..width {
                self.0[l] += self.0[l + width];
            }
        }
        self.0[0]
    }
}
