//! Numbers in lanes, one lane per search. Compiled into the kernels of each vector width.

/// One bit per lane.
pub(crate) type LaneSet = u64;

/// A number in each lane.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(crate) struct LaneValues<const L: usize>(pub [f64; L]);

impl<const L: usize> LaneValues<L> {
    pub const ZERO: Self = LaneValues([0.0; L]);

    /// The lanes of `mask`, 0 in others.
    #[inline(always)]
    pub fn only(self, mask: LaneSet) -> Self {
        LaneValues(std::array::from_fn(|l| match mask >> l & 1 {
            1 => self.0[l],
            _ => 0.0,
        }))
    }

    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        LaneValues(std::array::from_fn(|l| self.0[l] + other.0[l]))
    }

    #[inline(always)]
    pub fn times(self, other: Self) -> Self {
        LaneValues(std::array::from_fn(|l| self.0[l] * other.0[l]))
    }

    #[inline(always)]
    pub fn scaled(self, factor: f64) -> Self {
        LaneValues(self.0.map(|x| x * factor))
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
