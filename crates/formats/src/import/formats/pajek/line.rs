//! A line of words, the second of which may be in quotation marks.

use std::borrow::Cow;

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

    /// The second word, without its quotation marks. igraph writes those in it as `\"`.
    pub(super) fn label(&self) -> Option<Cow<'a, str>> {
        let (_, rest) = self.text.split_once(char::is_whitespace)?;
        let rest = rest.trim_start();
        let Some(label) = rest.strip_prefix('"') else {
            return rest.split_whitespace().next().map(Cow::Borrowed);
        };
        let closes = |&(at, _): &(usize, &str)| !label[..at].ends_with('\\');
        let end = label.match_indices('"').find(closes);
        // A backslash before the only mark is the last letter.
        let end = end.map(|(at, _)| at).or_else(|| label.find('"'));
        let label = &label[..end.unwrap_or(label.len())];
        Some(match label.contains("\\\"") {
            true => label.replace("\\\"", "\"").into(),
            false => label.into(),
        })
    }

    /// The third word, if it is a number.
    pub(super) fn weight(&self) -> Option<f64> {
        self.words().nth(2)?.parse().ok()
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
