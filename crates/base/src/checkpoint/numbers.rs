//! Numbers in checkpoints: little-endian, whatever the machine.

/// A number that a checkpoint can hold.
pub trait Number: Copy + Default {
    /// The mark of lists of these numbers.
    const TAG: u8;
    /// The bytes of each.
    const BYTES: usize;

    /// Appends its bytes.
    fn put(self, to: &mut Vec<u8>);

    /// The number of these bytes, [`Self::BYTES`] of them.
    fn of(bytes: &[u8]) -> Self;
}

macro_rules! numbers {
    ($($tag:literal => $number:ident),*) => {
        $(impl Number for $number {
            const TAG: u8 = $tag;
            const BYTES: usize = size_of::<$number>();

            fn put(self, to: &mut Vec<u8>) {
                to.extend_from_slice(&self.to_le_bytes());
            }

            fn of(bytes: &[u8]) -> Self {
                $number::from_le_bytes(bytes.try_into().expect("as many bytes as it has"))
            }
        })*
    };
}

numbers!(1 => u8, 2 => u32, 3 => u64, 4 => f32, 5 => f64);
