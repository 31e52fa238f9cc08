//! A line of words, the second of which may be in quotation marks.

/// A line of a node or of an arc.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    text: &'a str,
}

impl<'a> Line<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Line { text: text.trim() }
    }

    /// The line without the number of a relation, as in `2: 1 3 0.5`.
    pub(super) fn of_arc(self) -> Self {
        match self.text.split_once(':') {
            Some((relation, rest)) if is_number(relation.trim()) => Line::new(rest),
            _ => self,
        }
    }

    pub(super) fn words(&self) -> std::str::SplitWhitespace<'a> {
        self.text.split_whitespace()
    }

    /// The second word, without its quotation marks.
    pub(super) fn label(&self) -> Option<&'a str> {
        let (_, rest) = self.text.split_once(char::is_whitespace)?;
        let rest = rest.trim_start();
        match rest.strip_prefix('"') {
            Some(label) => Some(label.split_once('"').map_or(label, |(label, _)| label)),
            None => rest.split_whitespace().next(),
        }
    }

    /// The third word, if it is a number.
    pub(super) fn weight(&self) -> Option<f64> {
        self.words().nth(2)?.parse().ok()
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
