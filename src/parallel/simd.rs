//! The choice of vector instructions at run time.
//!
//! One source text is compiled for each width; every width computes the same bits.

use pulp::NullaryFnOnce;

/// A set of vector instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Simd {
    /// The instructions that every machine of this architecture has.
    Plain,
    /// 256-bit vectors.
    Avx2,
    /// 512-bit vectors.
    Avx512,
}

impl Simd {
    /// The sets that this machine has, widest last.
    pub fn available() -> Vec<Simd> {
        [Simd::Plain, Simd::Avx2, Simd::Avx512]
            .into_iter()
            .filter(|simd| simd.is_available())
            .collect()
    }

    /// The widest set that this machine has.
    pub fn best() -> Simd {
        *Self::available().last().expect("plain is always available")
    }

    #[cfg(target_arch = "x86_64")]
    fn is_available(self) -> bool {
        match self {
            Simd::Plain => true,
            Simd::Avx2 => pulp::x86::V3::is_available(),
            Simd::Avx512 => pulp::x86::V4::is_available(),
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn is_available(self) -> bool {
        self == Simd::Plain
    }

    /// Runs `kernel`, compiled for these instructions when the machine has them; its `call` must
    /// be `#[inline(always)]`, and so must all that it calls in its loops.
    #[inline]
    pub(crate) fn run<K: NullaryFnOnce>(self, kernel: K) -> K::Output {
        #[cfg(target_arch = "x86_64")]
        match self {
            Simd::Plain => {}
            Simd::Avx2 => {
                if let Some(token) = pulp::x86::V3::try_new() {
                    return token.vectorize(kernel);
                }
            }
            Simd::Avx512 => {
                if let Some(token) = pulp::x86::V4::try_new() {
                    return token.vectorize(kernel);
                }
            }
        }
        kernel.call()
    }
}
