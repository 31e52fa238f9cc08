//! A group of fingerprints, each compared with each.

use pulp::NullaryFnOnce;
use webrank_base::parallel::simd::Simd;

/// Fingerprints that are compared without a branch.
const BLOCK: usize = 64;

/// Pairs that are enough for a time.
const ENOUGH: usize = 1 << 12;

/// Calls `found` for every two of `words` of which the first is one of the first `rows`, and whose
/// distance is at most `k`.
///
/// # Errors
/// The errors of `found`; then no more are compared.
pub(super) fn compare<E>(
    rows: usize,
    words: &[u64],
    k: u32,
    simd: Simd,
    found: &mut dyn FnMut(u64, u64) -> Result<(), E>,
) -> Result<(), E> {
    let (mut row, mut near) = (0, Vec::new());
    while row < rows {
        row = simd.run(Comparison {
            rows: row..rows,
            words,
            k,
            near: &mut near,
        });
        near.drain(..).try_for_each(|(a, b)| found(a, b))?;
    }
    Ok(())
}

/// Compares some rows with all that follow each, until there are enough pairs; returns the next row.
struct Comparison<'a> {
    rows: std::ops::Range<usize>,
    words: &'a [u64],
    k: u32,
    near: &'a mut Vec<(u64, u64)>,
}

impl NullaryFnOnce for Comparison<'_> {
    type Output = usize;

    #[inline(always)]
    fn call(self) -> usize {
        for row in self.rows.clone() {
            let word = self.words[row];
            for block in self.words[row + 1..].chunks(BLOCK) {
                // No branch, so that several are compared at a time.
                let mut least = u32::MAX;
                for &other in block {
                    least = least.min((word ^ other).count_ones());
                }
                if least > self.k {
                    continue;
                }
                for &other in block {
                    if (word ^ other).count_ones() <= self.k {
                        self.near.push((word, other));
                    }
                }
            }
            if self.near.len() >= ENOUGH {
                return row + 1;
            }
        }
        self.rows.end
    }
}
