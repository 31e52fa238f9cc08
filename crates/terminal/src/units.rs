//! Sizes in units for people.

use bytesize::ByteSize;
use std::fmt::Display;

/// A number of bytes, in powers of 1000: `1.2 GB`.
pub fn size(bytes: u64) -> impl Display {
    ByteSize(bytes).display().si()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_decimal() {
        assert_eq!(size(1_234_567_890).to_string(), "1.2 GB");
        assert_eq!(size(999).to_string(), "999 B");
    }
}
