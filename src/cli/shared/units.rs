//! Sizes and durations as people read them.

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
    fn times_are_rounded_to_what_an_estimate_knows() {
        for (seconds, text) in [(0.2, "0s"), (90.4, "1m 30s"), (8000.0, "2h 13m")] {
            assert_eq!(time(seconds), text);
        }
    }

    #[test]
    fn sizes_are_decimal() {
        assert_eq!(size(1_234_567_890).to_string(), "1.2 GB");
        assert_eq!(size(999).to_string(), "999 B");
    }
}
