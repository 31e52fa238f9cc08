//! The choice of vector instructions at run time.
//!
//! One source text is compiled for each width; every width computes the same bits.

use pulp::NullaryFnOnce;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// The widest set that may be chosen.
static WIDEST: AtomicU8 = AtomicU8::new(u8::MAX);

/// A set of vector instructions, in order of width.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
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

    /// The widest set that this machine has, of those that [may be chosen](Self::allow).
    pub fn best() -> Simd {
        let widest = WIDEST.load(Relaxed);
        let mut sets = Self::available().into_iter().rev();
        sets.find(|&simd| simd as u8 <= widest)
            .unwrap_or(Simd::Plain)
    }

    /// Lets this process choose this set at most. For tests: results do not depend on it.
    pub fn allow(widest: Simd) {
        WIDEST.store(widest as u8, Relaxed);
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
    pub fn run<K: NullaryFnOnce>(self, kernel: K) -> K::Output {
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
