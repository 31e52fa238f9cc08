//! PFOR-DELTA: patched frames of reference.
//!
//! Numbers, as a rule differences, are cut into blocks. In a block, each has a slot of b bits, with the
//! least b for which the exceptions, numbers that do not fit, are at most a given share. Exceptions stand
//! behind the slots, in as many bits as the largest of them needs.
//!
//! * Linked (Zukowski and others): the slot of an exception holds the distance to the next one, less 1. If
//!   that does not fit into b bits, numbers between become exceptions, too. A block is decoded by two loops
//!   without a test in either: read all slots, then go along the list and patch.
//! * Escaped: the slot of an exception holds 2^b - 1, which no other number may have: numbers below that
//!   fit.
//!
//! A block begins with b, the bits of an exception, and the number of exceptions; if they are linked and
//! there are any, the place of the first. M. Zukowski, S. Heman, N. Nes and P. Boncz, "Super-scalar
//! RAM-CPU cache compression", 2006.

use crate::bits::{Bits, Reader, width};

/// How exceptions are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exceptions {
    /// Each holds the distance to the next.
    Linked,
    /// Each holds a number that no other has.
    Escaped,
}

/// Parameters of the code.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pfor {
    /// Numbers in a block; at most 2^16.
    pub block: usize,
    /// The largest share of exceptions in a block, not counting those that links need.
    pub share: f64,
    /// How exceptions are found.
    pub exceptions: Exceptions,
}

impl Pfor {
    /// Blocks of 128 numbers, a tenth of which may be exceptions.
    pub const fn usual(exceptions: Exceptions) -> Self {
        Pfor {
            block: 128,
            share: 0.1,
            exceptions,
        }
    }

    fn block_bits(self) -> u32 {
        width(self.block as u64)
    }

    /// The largest number that fits into slots of so many bits, plus 1.
    fn end(self, slot: u32) -> u128 {
        match self.exceptions {
            Exceptions::Linked => 1 << slot,
            Exceptions::Escaped => (1 << slot) - 1,
        }
    }

    /// The bits of the slots of a block.
    fn slot(self, block: &[u64]) -> u32 {
        let allowed = (self.share * block.len() as f64) as usize;
        let fits = |slot: u32| {
            let exceptions = block
                .iter()
                .filter(|&&number| u128::from(number) >= self.end(slot));
            exceptions.count() <= allowed
        };
        (0..64).find(|&slot| fits(slot)).unwrap_or(64)
    }

    /// The places of the exceptions of a block.
    fn places(self, block: &[u64], slot: u32) -> Vec<usize> {
        let reach = 1usize.checked_shl(slot).unwrap_or(usize::MAX);
        let mut places: Vec<usize> = Vec::new();
        for (place, &number) in block.iter().enumerate() {
            if u128::from(number) < self.end(slot) {
                continue;
            }
            while let Some(&last) = places.last()
                && self.exceptions == Exceptions::Linked
                && place - last > reach
            {
                places.push(last + reach);
            }
            places.push(place);
        }
        places
    }

    /// Appends the code of all numbers.
    pub fn encode(self, numbers: &[u64], bits: &mut Bits) {
        for block in numbers.chunks(self.block) {
            let slot = self.slot(block);
            let places = self.places(block, slot);
            let largest = places.iter().map(|&place| block[place]).max().unwrap_or(0);
            bits.push(slot.into(), 7);
            bits.push(width(largest).into(), 7);
            bits.push(places.len() as u64, self.block_bits());
            if let Some(&first) = places.first()
                && self.exceptions == Exceptions::Linked
            {
                bits.push(first as u64, self.block_bits());
            }
            let mut slots = block.to_vec();
            for (index, &place) in places.iter().enumerate() {
                let next = places.get(index + 1);
                slots[place] = match self.exceptions {
                    Exceptions::Linked => next.map_or(0, |next| (next - place - 1) as u64),
                    Exceptions::Escaped => u64::MAX,
                };
            }
            slots.iter().for_each(|&number| bits.push(number, slot));
            places
                .iter()
                .for_each(|&place| bits.push(block[place], width(largest)));
        }
    }

    /// Decodes so many numbers; none if the bits are no code of this kind.
    pub fn decode(self, bits: &mut Reader<'_>, count: usize) -> Option<Vec<u64>> {
        let mut numbers = Vec::new();
        while numbers.len() < count {
            let length = self.block.min(count - numbers.len());
            let slot = bits.take(7)? as u32;
            let of_exception = bits.take(7)? as u32;
            let exceptions = bits.take(self.block_bits())? as usize;
            if exceptions > length {
                return None;
            }
            let is_linked = self.exceptions == Exceptions::Linked;
            let first = match is_linked && exceptions > 0 {
                true => bits.take(self.block_bits())? as usize,
                false => 0,
            };
            let start = numbers.len();
            for _ in 0..length {
                numbers.push(bits.take(slot)?);
            }
            let block = &mut numbers[start..];
            let mut place = first;
            for _ in 0..exceptions {
                if !is_linked {
                    let escape = self.end(slot) as u64;
                    place += block
                        .get(place..)?
                        .iter()
                        .position(|&number| number == escape)?;
                }
                let number = block.get_mut(place)?;
                let step = if is_linked { *number } else { 0 };
                *number = bits.take(of_exception)?;
                place = place
                    .checked_add(usize::try_from(step).ok()?)?
                    .checked_add(1)?;
            }
        }
        Some(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn both(block: usize, share: f64) -> [Pfor; 2] {
        [Exceptions::Linked, Exceptions::Escaped].map(|exceptions| Pfor {
            block,
            share,
            exceptions,
        })
    }

    proptest! {
        #[test]
        fn what_is_encoded_is_decoded(
            numbers in prop::collection::vec((0..8u32, any::<u64>()), 0..400),
            block in 1..200usize,
            share in 0.0..1.0,
        ) {
            // Most are small, some are of any size.
            let numbers: Vec<u64> = numbers.iter().map(|&(kind, n)| if kind == 0 { n } else { n >> 60 }).collect();
            for code in both(block, share) {
                let mut bits = Bits::default();
                code.encode(&numbers, &mut bits);
                prop_assert_eq!(code.decode(&mut bits.reader(), numbers.len()), Some(numbers.clone()));
            }
        }

        #[test]
        fn damaged_bits_end_without_a_panic(words in prop::collection::vec(any::<u64>(), 0..60), count in 0..300usize) {
            let mut bits = Bits::default();
            words.iter().for_each(|&word| bits.push(word, 64));
            for code in both(128, 0.1) {
                let found = code.decode(&mut bits.reader(), count);
                prop_assert!(found.is_none_or(|numbers| numbers.len() == count));
            }
        }
    }

    fn size(code: Pfor, numbers: &[u64]) -> u64 {
        let mut bits = Bits::default();
        code.encode(numbers, &mut bits);
        bits.len()
    }

    #[test]
    fn sizes_of_blocks_by_hand() {
        // 125 numbers of three bits and 3 large ones of 20, among them the first and the last.
        let mut numbers = vec![5; 128];
        for place in [0, 7, 127] {
            numbers[place] = 1 << 19;
        }
        let [linked, escaped] = both(128, 0.1);
        // From place 7 to 127, steps of at most 8 need 14 exceptions more.
        assert_eq!(size(linked, &numbers), 7 + 7 + 8 + 8 + 128 * 3 + 17 * 20);
        assert_eq!(size(escaped, &numbers), 7 + 7 + 8 + 128 * 3 + 3 * 20);
        // 7 is the escape: eight of them fit into three bits only if they are linked.
        assert_eq!(size(linked, &[7; 128]), 7 + 7 + 8 + 128 * 3);
        assert_eq!(size(escaped, &[7; 128]), 7 + 7 + 8 + 128 * 4);
        assert_eq!(size(linked, &[0; 128]), 22);
        assert_eq!(size(escaped, &[]), 0);
    }

    #[test]
    fn the_share_decides_the_width() {
        let numbers: Vec<u64> = (0..100)
            .map(|i| if i % 10 == 0 { 1000 } else { 3 })
            .collect();
        let [_, none] = both(100, 0.0);
        let [_, tenth] = both(100, 0.1);
        assert_eq!((none.slot(&numbers), tenth.slot(&numbers)), (10, 3));
        assert_eq!(tenth.places(&numbers, 3).len(), 10);
    }
}
