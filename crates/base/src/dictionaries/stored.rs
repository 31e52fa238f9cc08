//! Functions and self-signed dictionaries as bytes.
//!
//! A function has its seed and the number of keys (64 bits each), the number of vertices, the bits of a value,
//! and 1 if only hinges have cells (32 bits each); then words of 64 bits: if it is so, a bit for each vertex, set for
//! hinges; and the cells. Numbers are little-endian. Nothing is believed: what is cut or contradicts itself
//! is no function.

use super::function::Marks;
use super::{Function, SelfSigned};
use crate::bits::Bits;
use std::io::{self, Write};

impl Function {
    /// Writes it. O(n).
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        for number in [self.seed, self.keys] {
            out.write_all(&number.to_le_bytes())?;
        }
        let of_hinges = u32::from(self.marks.is_some());
        for number in [self.vertices, self.width, of_hinges] {
            out.write_all(&number.to_le_bytes())?;
        }
        let marks = self.marks.iter().flat_map(|marks| &marks.words);
        for word in marks.chain(self.cells.words()) {
            out.write_all(&word.to_le_bytes())?;
        }
        Ok(())
    }

    /// Takes a function from the start of these bytes; none if they are not those of one. O(n).
    pub fn read(bytes: &mut &[u8]) -> Option<Self> {
        let seed = u64::from_le_bytes(take(bytes)?);
        let keys = u64::from_le_bytes(take(bytes)?);
        let vertices = u32::from_le_bytes(take(bytes)?);
        let width = u32::from_le_bytes(take(bytes)?);
        let of_hinges = u32::from_le_bytes(take(bytes)?);
        // An edge has three different vertices, and no two edges one hinge.
        if vertices < 3 || width > 64 || keys > vertices.into() || of_hinges > 1 {
            return None;
        }
        let marks = match of_hinges {
            0 => None,
            _ => Some(Marks::of(words(bytes, u64::from(vertices).div_ceil(64))?)),
        };
        let count = marks.as_ref().map_or(vertices.into(), Marks::all);
        let length = count.checked_mul(width.into())?;
        let cells = Bits::from_words(words(bytes, length.div_ceil(64))?, length)?;
        Some(Function {
            seed,
            keys,
            vertices,
            width,
            marks,
            cells,
        })
    }
}

impl SelfSigned {
    /// Writes it, as its function. O(n).
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        self.signatures.write(out)
    }

    /// Takes a dictionary from the start of these bytes; none if they are not those of one. O(n).
    pub fn read(bytes: &mut &[u8]) -> Option<Self> {
        let signatures = Function::read(bytes)?;
        let width = signatures.width;
        (width > 0).then_some(SelfSigned { signatures, width })
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

fn words(bytes: &mut &[u8], count: u64) -> Option<Vec<u64>> {
    let length = usize::try_from(count.checked_mul(8)?).ok()?;
    let (first, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    let (words, _) = first.as_chunks();
    Some(words.iter().map(|word| u64::from_le_bytes(*word)).collect())
}

#[cfg(test)]
mod tests {
    use super::super::{CellLayout, Dictionary};
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(keys in prop::collection::btree_set("[a-d]{0,6}", 0..60), r in 1..65u32) {
            let keys: Vec<String> = keys.into_iter().collect();
            for cells in [CellLayout::All, CellLayout::Hinges] {
                let function = Function::new(&keys, 6, cells, |place, _| place as u64).unwrap();
                let signed = SelfSigned::new(&keys, r, cells).unwrap();
                let mut bytes = Vec::new();
                function.write(&mut bytes).unwrap();
                signed.write(&mut bytes).unwrap();
                let mut rest = &bytes[..];
                let (other, also) = (Function::read(&mut rest).unwrap(), SelfSigned::read(&mut rest).unwrap());
                prop_assert!(rest.is_empty());
                prop_assert_eq!((other.bits(), also.bits()), (function.bits(), signed.bits()));
                for (place, key) in keys.iter().enumerate() {
                    prop_assert_eq!(other.get(key.as_bytes()), place as u64);
                    prop_assert!(also.contains(key.as_bytes()));
                }
                prop_assert_eq!(other.get(b"a stranger"), function.get(b"a stranger"));
                prop_assert_eq!(also.contains(b"a stranger"), signed.contains(b"a stranger"));
            }
        }

        /// Whatever is read, looking up ends, and without a panic.
        #[test]
        fn damaged_bytes_are_refused_or_a_function(
            bytes in prop::collection::vec(any::<u8>(), 0..90), at in 0..200usize, bit in 0..8u32,
        ) {
            let keys = ["a", "b", "c", "d", "e"];
            let mut written = Vec::new();
            SelfSigned::new(&keys, 9, CellLayout::Hinges).unwrap().write(&mut written).unwrap();
            let place = at % written.len();
            written[place] ^= 1 << bit;
            for bytes in [&bytes, &written] {
                if let Some(found) = SelfSigned::read(&mut &bytes[..]) {
                    found.contains(b"a");
                }
            }
            prop_assert!(SelfSigned::read(&mut &written[..place]).is_none());
        }
    }
}
