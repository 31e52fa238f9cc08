//! Dates as numbers.

/// A date such as 2026-11-23T20:00:00.5Z as a number that increases: year to second, and five digits of
/// its fraction. Parts that are not said count as zero; 0 if it is no date.
pub(in crate::ingest) fn date(text: &str) -> u64 {
    let text = text.trim().trim_end_matches(['Z', 'z']);
    let form = b"0000-00-00T00:00:00.";
    let fits = |(place, byte): (usize, u8)| match form.get(place) {
        Some(b'0') | None => byte.is_ascii_digit(),
        Some(other) => byte == *other,
    };
    if text.len() < 4 || !text.bytes().enumerate().all(fits) {
        return 0;
    }
    let digits = text.bytes().filter(u8::is_ascii_digit);
    let digits = digits.chain(std::iter::repeat(b'0')).take(19);
    digits.fold(0, |number, digit| 10 * number + u64::from(digit - b'0'))
}
