//! Numbers in one to four bytes each, without a branch for each number.
//!
//! The lengths of four numbers take one byte, and these bytes stand apart from the others, so that a
//! decoder knows where numbers are long before it reads them (stream-vbyte: Lemire, Kurz and Rupp,
//! "Stream VByte: faster byte-oriented integer compression", Information Processing Letters 130,
//! 2018).

/// Numbers that share a byte of lengths.
pub(super) const GROUP: usize = 4;

/// Bytes after the last number, so that a group can be read as one.
pub(super) const PADDING: usize = 4 * GROUP;

/// For each byte of lengths, where the second, third and fourth number and the next group start.
const ENDS: [[u8; GROUP]; 256] = {
    let mut ends = [[0; GROUP]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut at, mut number) = (0, 0);
        while number < GROUP {
            at += (byte >> (2 * number) & 3) as u8 + 1;
            ends[byte][number] = at;
            number += 1;
        }
        byte += 1;
    }
    ends
};

/// The bytes of a group whose numbers have these lengths.
#[inline]
pub(super) fn bytes_of_group(lengths: u8) -> usize {
    ENDS[lengths as usize][GROUP - 1] as usize
}

/// The bits of a number of each length.
const MASKS: [u32; 4] = [0xFF, 0xFFFF, 0xFF_FFFF, 0xFFFF_FFFF];

/// Appends the bytes of `numbers`, of which there must be a multiple of [`GROUP`].
pub(super) fn encode(numbers: &[u32], bytes: &mut Vec<u8>) {
    let lengths = bytes.len();
    let (groups, _) = numbers.as_chunks::<GROUP>();
    bytes.resize(lengths + groups.len(), 0);
    for (index, group) in groups.iter().enumerate() {
        for (place, number) in group.iter().enumerate() {
            let length = (4 - number.leading_zeros() as usize / 8).max(1);
            bytes[lengths + index] |= (length as u8 - 1) << (2 * place);
            bytes.extend_from_slice(&number.to_le_bytes()[..length]);
        }
    }
    bytes.extend([0; PADDING]);
}

/// Decodes as many numbers as `numbers` has places, a multiple of [`GROUP`]; none if there are fewer.
pub(super) fn decode(bytes: &[u8], numbers: &mut [u32]) -> Option<()> {
    let (groups, _) = numbers.as_chunks_mut::<GROUP>();
    let (lengths, data) = bytes.split_at_checked(groups.len())?;
    let mut rest = data;
    for (group, &lengths) in groups.iter_mut().zip(lengths) {
        let here: &[u8; PADDING] = rest.first_chunk()?;
        let ends = &ENDS[lengths as usize];
        let word = |start: u8, length: u8| {
            let start = start as usize % (PADDING - 3);
            let word = [
                here[start],
                here[start + 1],
                here[start + 2],
                here[start + 3],
            ];
            u32::from_le_bytes(word) & MASKS[length as usize % 4]
        };
        *group = [
            word(0, lengths),
            word(ends[0], lengths >> 2),
            word(ends[1], lengths >> 4),
            word(ends[2], lengths >> 6),
        ];
        rest = &rest[ends[3] as usize..];
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_are_what_was_encoded(
            groups in prop::collection::vec(any::<[(u32, u8); GROUP]>(), 0..50),
            cut in 1usize..40,
        ) {
            let shifted = |(number, shift): (u32, u8)| number >> (shift % 32);
            let numbers: Vec<u32> = groups.into_iter().flatten().map(shifted).collect();
            let mut bytes = vec![7];
            encode(&numbers, &mut bytes);
            let mut decoded = vec![0; numbers.len()];
            prop_assert_eq!(decode(&bytes[1..], &mut decoded), Some(()));
            prop_assert_eq!(&decoded, &numbers);
            // Fewer bytes never end in a panic.
            let _ = decode(&bytes[..bytes.len().saturating_sub(cut)], &mut decoded);
            prop_assert_eq!(decode(&[], &mut [0; GROUP]), None);
        }
    }
}
