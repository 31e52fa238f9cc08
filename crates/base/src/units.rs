//! Seconds, bytes and numbers of things for people.

use bytesize::ByteSize;
use std::fmt::{self, Display};

/// Seconds without decimals, in milliseconds, seconds, minutes or hours: `500 ms`, `90 s`, `5 min`, `2.0 h`.
pub fn seconds(seconds: f64) -> String {
    match seconds {
        // Whole seconds would hide these.
        s if s > 0.0 && s < 1.0 => format!("{:.0} ms", (s * 1e3).max(1.0)),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// Estimated seconds in one or two digits, from microseconds to hours: `20 µs`, `1.2 s`, `2.0 h`.
pub fn estimated_seconds(estimate: f64) -> String {
    match estimate {
        s if s < 0.000_95 => format!("{:.0} µs", (s * 1e6).max(1.0)),
        s if s < 0.095 => format!("{:.0} ms", s * 1e3),
        s if s < 9.5 => format!("{s:.1} s"),
        s => seconds(s),
    }
}

/// A number of things, named in the singular: `1 arc`, `2 arcs`, `0 queries`.
pub fn counted<N: Display + PartialEq + From<bool>>(number: N, one: &str) -> String {
    match one.strip_suffix('y') {
        Some(stem) => counted_as(number, one, &format!("{stem}ies")),
        None => counted_as(number, one, &format!("{one}s")),
    }
}

/// A number before words that depend on it: `1 node has`, `2 nodes have`.
pub fn counted_as<N: Display + PartialEq + From<bool>>(number: N, one: &str, many: &str) -> String {
    let words = if number == true.into() { one } else { many };
    format!("{number} {words}")
}

/// A number of bytes, in powers of 1000: `1.2 GB`.
pub fn size(bytes: u64) -> impl Display {
    ByteSize(bytes).display().si()
}

/// A number of bytes in megabytes: `1234.6 MB`, or `1235 MB` as `{:.0}`.
pub fn megabytes(bytes: u64) -> impl Display {
    Megabytes(bytes)
}

/// [`megabytes`] of a need: no less than it is, so that who allows so much allows enough.
pub fn megabytes_up(bytes: u64) -> impl Display {
    Megabytes(bytes.div_ceil(TENTH).saturating_mul(TENTH))
}

/// [`megabytes`] of an allowance: no more than it is.
pub fn megabytes_down(bytes: u64) -> impl Display {
    Megabytes(bytes / TENTH * TENTH)
}

/// The bytes of the last digit that is shown.
const TENTH: u64 = 100_000;

struct Megabytes(u64);

impl Display for Megabytes {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let digits = f.precision().unwrap_or(1);
        write!(f, "{:.digits$} MB", self.0 as f64 / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_decimal() {
        assert_eq!(size(1_234_567_890).to_string(), "1.2 GB");
        assert_eq!(size(999).to_string(), "999 B");
        assert_eq!(megabytes(1_234_567_890).to_string(), "1234.6 MB");
        assert_eq!(format!("{:.0}", megabytes(1_600_000)), "2 MB");
    }

    #[test]
    fn needs_are_rounded_up_and_allowances_down() {
        for (bytes, up, down) in [
            (370_540_001, "370.6 MB", "370.5 MB"),
            (370_500_000, "370.5 MB", "370.5 MB"),
            (370_599_999, "370.6 MB", "370.5 MB"),
            (0, "0.0 MB", "0.0 MB"),
        ] {
            assert_eq!(megabytes_up(bytes).to_string(), up);
            assert_eq!(megabytes_down(bytes).to_string(), down);
        }
        assert!(!megabytes_up(u64::MAX).to_string().is_empty());
    }

    #[test]
    fn one_thing_is_no_plural() {
        let shown = [0, 1, 2].map(|number| counted(number as u64, "query"));
        assert_eq!(shown, ["0 queries", "1 query", "2 queries"]);
        assert_eq!(
            counted(1usize, "arc") + &counted(3u32, "arc"),
            "1 arc3 arcs"
        );
    }

    #[test]
    fn seconds_have_the_unit_that_keeps_them_short() {
        assert_eq!(
            [0.0, 0.25, 119.4, 120.0, 7200.0].map(seconds),
            ["0 s", "250 ms", "119 s", "2 min", "2.0 h"]
        );
        let estimates = [1e-9, 0.000_02, 0.05, 1.23, 9.6, 7300.0];
        let texts = ["1 µs", "20 µs", "50 ms", "1.2 s", "10 s", "2.0 h"];
        assert_eq!(estimates.map(estimated_seconds), texts);
    }
}
