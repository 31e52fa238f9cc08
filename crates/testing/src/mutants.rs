//! Small changes to bytes: the same for the same seed.

/// Numbers that look random (SplitMix64).
pub struct Random(pub u64);

impl Random {
    // It never ends, so it is no iterator.
    #[allow(clippy::should_implement_trait)]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }
}

/// Bytes that break parsers.
const TOKENS: [&[u8]; 18] = [
    b"\n",
    b"\r\n",
    b"\"",
    b",",
    b"\t",
    b"=",
    b"|",
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"-1",
    b"4294967295",
    b"18446744073709551616",
    b"1e999",
    b"nan",
    b"#",
    b"\x1b[2J",
    b"\x28\xb5\x2f\xfd",
];

/// A mutant of `bytes`: one to three bits flipped, bytes set, tokens inserted, parts removed,
/// repeated, moved or zeroed, or a tail cut off.
pub fn mutant(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + random.below(3) {
        let place = random.below(bytes.len() + 1);
        let length = random
            .below(bytes.len() - place + 1)
            .min(1 + random.below(40));
        let part = place..place + length;
        match random.below(9) {
            0 | 1 if length > 0 => bytes[place] ^= 1 << random.below(8),
            2 if length > 0 => bytes[place] = random.next() as u8,
            3 => drop(bytes.splice(place..place, TOKENS[random.below(TOKENS.len())].to_vec())),
            4 => drop(bytes.drain(part)),
            5 => {
                let copy = bytes[part].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
            6 => bytes.truncate(place),
            7 => bytes[part].fill(if random.below(2) == 0 { 0 } else { 0xFF }),
            _ => drop(bytes.splice(place..place, vec![0; length])),
        }
    }
    bytes
}
