//! The types of elements, and their numbers.

use super::literal::Literal;
use half::f16;

/// The type of an element or a field, such as `<f8`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ElementType {
    text: String,
    pub(super) is_big_endian: bool,
    pub(super) letter: char,
    pub(super) size: u64,
}

impl ElementType {
    /// The type with this description; none if it is none.
    pub(super) fn of(description: &Literal) -> Option<Self> {
        let text = match description {
            Literal::Text(text) => text.clone(),
            Literal::List(_) => return Some(ElementType::array()),
            _ => return None,
        };
        let plain = text.strip_prefix(['<', '>', '|']).unwrap_or(&text);
        let mut chars = plain.chars();
        let letter = chars.next();
        let size = chars.as_str().parse().ok();
        Some(ElementType {
            is_big_endian: text.starts_with('>'),
            letter: letter.filter(|_| size.is_some()).unwrap_or(' '),
            size: size.unwrap_or(0),
            text,
        })
    }

    /// The type of a field that is an array, or has fields.
    pub(super) fn array() -> Self {
        ElementType {
            text: "[...]".into(),
            is_big_endian: false,
            letter: ' ',
            size: 0,
        }
    }

    /// The type in Python's syntax.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// True for integers.
    pub fn is_integer(&self) -> bool {
        matches!(self.letter, 'i' | 'u') && self.is_number()
    }

    /// True for numbers that are read, and for flags.
    pub fn is_number(&self) -> bool {
        matches!(
            (self.letter, self.size),
            ('f', 2 | 4 | 8) | ('i' | 'u', 1 | 2 | 4 | 8) | ('b', 1)
        )
    }

    /// The bytes of an element; none if it has no fixed number of them, or none that fits.
    pub(super) fn width(&self) -> Option<u64> {
        match self.letter {
            ' ' | 'O' => None,
            // Four bytes a character.
            'U' => self.size.checked_mul(4),
            _ => Some(self.size),
        }
    }

    /// The number in so many bytes as an element has.
    pub(super) fn number(&self, bytes: &[u8]) -> AnyNumber {
        let mut eight = [0; 8];
        let eight_of = &mut eight[..bytes.len()];
        eight_of.copy_from_slice(bytes);
        if self.is_big_endian {
            eight_of.reverse();
        }
        let bits = u64::from_le_bytes(eight);
        match (self.letter, self.size) {
            ('b', _) => AnyNumber::Flag(bits != 0),
            ('u', _) => AnyNumber::Integer(bits.into()),
            ('f', 2) => AnyNumber::Double(f16::from_bits(bits as u16).into()),
            ('f', 4) => AnyNumber::Double(f32::from_bits(bits as u32).into()),
            ('f', _) => AnyNumber::Double(f64::from_bits(bits)),
            _ => {
                let unused = 64 - 8 * bytes.len() as u32;
                AnyNumber::Integer((((bits << unused) as i64) >> unused).into())
            }
        }
    }
}

/// A number of any type.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AnyNumber {
    /// An integer.
    Integer(i128),
    /// A floating-point number.
    Double(f64),
    /// Yes or no.
    Flag(bool),
}

impl AnyNumber {
    /// As a double; 1 for yes.
    pub fn double(self) -> f64 {
        match self {
            AnyNumber::Integer(integer) => integer as f64,
            AnyNumber::Double(double) => double,
            AnyNumber::Flag(flag) => f64::from(u8::from(flag)),
        }
    }
}
