//! Names that are integers, as programs write them.

/// The integer that a name is, if it is one as programs write them: without leading zeros, a plus sign
/// or blanks, and in 64 bits.
pub fn integer(name: &[u8]) -> Option<i64> {
    let digits = name.strip_prefix(b"-").unwrap_or(name);
    let is_plain = match digits {
        [b'0'] => digits.len() == name.len(),
        [b'1'..=b'9', rest @ ..] => rest.len() < 19 && rest.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    let text = std::str::from_utf8(name).ok().filter(|_| is_plain)?;
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::names::Names;

    #[test]
    fn integers_are_as_programs_write_them() {
        for (name, expected) in [
            ("0", Some(0)),
            ("-7", Some(-7)),
            ("9223372036854775807", Some(i64::MAX)),
            ("-9223372036854775808", Some(i64::MIN)),
            ("9223372036854775808", None),
            ("12345678901234567890123", None),
            ("07", None),
            ("-0", None),
            ("+7", None),
            ("7 ", None),
            ("1e3", None),
            ("\u{0663}", None),
            ("-", None),
            ("", None),
        ] {
            assert_eq!(integer(name.as_bytes()), expected, "{name:?}");
        }
    }

    #[test]
    fn integers_are_found_in_their_order_and_in_any_other() {
        for text in ["-10\n-9\n2\n10\n", "10\n2\n-9\n-10\n", "-10\n-9\n10\n2\n"] {
            let names = Names::from_text(text);
            assert!(names.are_integers());
            for node in 0..4 {
                assert_eq!(names.find(names.get(node)), Some(node), "{text}");
            }
            for other in ["02", "3", "+2", "x", ""] {
                assert_eq!(names.find(other), None, "{text}");
            }
        }
        assert!(!Names::from_text("1\n02\n").are_integers());
    }
}
