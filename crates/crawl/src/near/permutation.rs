//! The bits of fingerprints in another order: some in front, in their order, then the others.

/// A permutation of 64 bits, as runs of bits that stay together.
#[derive(Debug, Clone)]
pub(super) struct Permutation {
    /// The bits of each run before, and how far they are turned to the left.
    runs: Vec<(u64, u32)>,
    /// The bits of each run after, and how far back.
    back: Vec<(u64, u32)>,
}

impl Permutation {
    /// Puts the bits of `front` in front.
    pub(super) fn with_front(front: u64) -> Self {
        let mut runs: Vec<(u64, u32)> = Vec::new();
        let mut place = 64;
        for set in [front, !front] {
            for bit in (0..64).rev().filter(|bit| set >> bit & 1 == 1) {
                place -= 1;
                let turned = (place + 64 - bit) % 64;
                match runs.last_mut() {
                    Some((mask, last)) if *last == turned => *mask |= 1 << bit,
                    _ => runs.push((1 << bit, turned)),
                }
            }
        }
        let back = runs.iter().map(|&(mask, turned)| {
            let back = (64 - turned) % 64;
            (mask.rotate_left(turned), back)
        });
        Permutation {
            back: back.collect(),
            runs,
        }
    }

    /// A fingerprint in the new order.
    #[inline]
    pub(super) fn apply(&self, word: u64) -> u64 {
        turned(&self.runs, word)
    }

    /// The fingerprint that has this new order.
    #[inline]
    pub(super) fn undo(&self, word: u64) -> u64 {
        turned(&self.back, word)
    }
}

#[inline]
fn turned(runs: &[(u64, u32)], word: u64) -> u64 {
    let turned = runs.iter().map(|&(mask, by)| (word & mask).rotate_left(by));
    turned.fold(0, |bits, run| bits | run)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bits_move_as_defined(word: u64, front: u64) {
            let order = Permutation::with_front(front);
            let bits = (0..64).rev();
            let bits = bits.clone().filter(|bit| front >> bit & 1 == 1)
                .chain(bits.filter(|bit| front >> bit & 1 == 0));
            let expected = bits.fold(0, |moved, bit| moved << 1 | word >> bit & 1);
            prop_assert_eq!(order.apply(word), expected);
            prop_assert_eq!(order.undo(expected), word);
        }
    }

    #[test]
    fn runs_stay_together() {
        assert_eq!(Permutation::with_front(u64::MAX << 48).runs.len(), 1);
        assert_eq!(Permutation::with_front(0xffff).runs.len(), 1);
        assert_eq!(Permutation::with_front(0xffff << 16).runs.len(), 3);
    }
}
