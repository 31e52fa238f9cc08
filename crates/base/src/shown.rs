//! Fields of files as messages quote them: on one line, short, and without effect on a terminal.

/// How many characters of a field a message quotes.
const MAX_LETTERS: usize = 60;

/// The first characters of `text`, with control characters and those that change the direction of
/// writing escaped.
pub fn shown(text: &str) -> String {
    let cut = text.char_indices().nth(MAX_LETTERS);
    let mut shown = String::new();
    for letter in text[..cut.map_or(text.len(), |(place, _)| place)].chars() {
        if letter.is_control() || is_invisible(letter) {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    if cut.is_some() {
        shown.push_str("...");
    }
    shown
}

/// As [`shown`], in quotation marks.
pub fn quoted(text: &str) -> String {
    format!("'{}'", shown(text))
}

/// Marks of direction, and line and paragraph separators.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_fields_are_quoted_as_they_are() {
        assert_eq!(quoted("libc6"), "'libc6'");
        assert_eq!(quoted("straße 東"), "'straße 東'");
        assert_eq!(quoted(&"x".repeat(60)), format!("'{}'", "x".repeat(60)));
    }

    #[test]
    fn long_fields_are_cut() {
        let shown = quoted(&"é".repeat(1 << 20));
        assert_eq!(shown, format!("'{}...'", "é".repeat(60)));
    }

    #[test]
    fn fields_have_no_effect_on_a_terminal() {
        let shown = quoted("a\x1b]0;title\x07\nb\u{9b}2J\u{202e}c");
        assert_eq!(shown, r"'a\u{1b}]0;title\u{7}\nb\u{9b}2J\u{202e}c'");
    }
}
