//! Bits in order, written and read in fields of up to 64: what codes of blocks are made of.

/// A sequence of bits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bits {
    words: Vec<u64>,
    length: u64,
}

impl Bits {
    /// So many bits of these words, if it is so many words that they take.
    pub fn from_words(words: Vec<u64>, length: u64) -> Option<Self> {
        (words.len() as u64 == length.div_ceil(64)).then_some(Bits { words, length })
    }

    /// The words that they take, the first bit lowest.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// How many bits there are.
    pub fn len(&self) -> u64 {
        self.length
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Appends the `width` lower bits of a number, at most 64.
    pub fn push(&mut self, number: u64, width: u32) {
        if width == 0 {
            return;
        }
        let number = number & (u64::MAX >> (64 - width));
        let place = (self.length % 64) as u32;
        if place == 0 {
            self.words.push(number);
        } else {
            if let Some(last) = self.words.last_mut() {
                *last |= number << place;
            }
            if place + width > 64 {
                self.words.push(number >> (64 - place));
            }
        }
        self.length += u64::from(width);
    }

    /// The `width` bits from bit `at` on, at most 64.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    pub fn get(&self, at: u64, width: u32) -> u64 {
        if width == 0 {
            return 0;
        }
        let (word, place) = ((at / 64) as usize, (at % 64) as u32);
        let mut number = self.words[word] >> place;
        if place + width > 64 {
            number |= self.words[word + 1] << (64 - place);
        }
        number & (u64::MAX >> (64 - width))
    }

    /// Reads from the first bit on.
    pub fn reader(&self) -> Reader<'_> {
        Reader { bits: self, at: 0 }
    }
}

/// Reads bits in order.
#[derive(Debug, Clone)]
pub struct Reader<'b> {
    bits: &'b Bits,
    at: u64,
}

impl Reader<'_> {
    /// The next `width` bits, at most 64; none if fewer are left.
    pub fn take(&mut self, width: u32) -> Option<u64> {
        if width > 64 || self.at + u64::from(width) > self.bits.length {
            return None;
        }
        let number = self.bits.get(self.at, width);
        self.at += u64::from(width);
        Some(number)
    }
}

/// The bits that a number needs: 0 for 0.
pub fn width(number: u64) -> u32 {
    64 - number.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(fields in prop::collection::vec((any::<u64>(), 0..=64u32), 0..80)) {
            let mut bits = Bits::default();
            fields.iter().for_each(|&(number, width)| bits.push(number, width));
            let mut reader = bits.reader();
            for (number, width) in fields {
                let low = if width == 0 { 0 } else { number & (u64::MAX >> (64 - width)) };
                prop_assert_eq!(reader.take(width), Some(low));
            }
            prop_assert_eq!(reader.take(1), None);
        }
    }
}
