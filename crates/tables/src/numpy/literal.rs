//! The header of an array: a dictionary in Python's syntax.

/// Brackets within brackets: a list of fields, of a field with a shape, of such fields.
const MAX_DEPTH: usize = 8;

/// A value of a header.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Literal {
    Text(String),
    Integer(u64),
    Flag(bool),
    /// A list or a tuple.
    List(Vec<Literal>),
    Dictionary(Vec<(Literal, Literal)>),
}

/// The value of a text; none if it is no such value, or holds too many brackets within brackets.
pub(super) fn parse(text: &str) -> Option<Literal> {
    let mut parser = Parser { rest: text };
    let value = parser.value(0)?;
    parser.skip();
    parser.rest.is_empty().then_some(value)
}

struct Parser<'t> {
    rest: &'t str,
}

impl Parser<'_> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Takes this token; false if another is next.
    fn take(&mut self, token: &str) -> bool {
        self.skip();
        let rest = self.rest.strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn value(&mut self, depth: usize) -> Option<Literal> {
        self.skip();
        match self.rest.chars().next()? {
            _ if depth > MAX_DEPTH => None,
            '[' => self.list("[", "]", depth).map(Literal::List),
            '(' => self.list("(", ")", depth).map(Literal::List),
            '{' => self.dictionary(depth),
            quote @ ('\'' | '"') => self.text(quote).map(Literal::Text),
            '0'..='9' => self.integer(),
            _ if self.take("True") => Some(Literal::Flag(true)),
            _ if self.take("False") => Some(Literal::Flag(false)),
            _ => None,
        }
    }

    fn list(&mut self, open: &str, close: &str, depth: usize) -> Option<Vec<Literal>> {
        self.take(open);
        let mut values = Vec::new();
        while !self.take(close) {
            values.push(self.value(depth + 1)?);
            if !self.take(",") {
                return self.take(close).then_some(values);
            }
        }
        Some(values)
    }

    fn dictionary(&mut self, depth: usize) -> Option<Literal> {
        self.take("{");
        let mut entries = Vec::new();
        while !self.take("}") {
            let key = self.value(depth + 1)?;
            if !self.take(":") {
                return None;
            }
            entries.push((key, self.value(depth + 1)?));
            if !self.take(",") {
                return self.take("}").then_some(Literal::Dictionary(entries));
            }
        }
        Some(Literal::Dictionary(entries))
    }

    fn integer(&mut self) -> Option<Literal> {
        let end = self.rest.find(|c: char| !c.is_ascii_digit());
        let (digits, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        // Python 2 wrote a letter behind long integers.
        self.rest = rest.strip_prefix('L').unwrap_or(rest);
        digits.parse().ok().map(Literal::Integer)
    }

    fn text(&mut self, quote: char) -> Option<String> {
        let mut text = String::new();
        let mut chars = self.rest[1..].chars();
        loop {
            match chars.next()? {
                c if c == quote => break,
                '\\' => text.push(match chars.next()? {
                    c @ ('\\' | '\'' | '"') => c,
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    'x' => character(&mut chars, 2)?,
                    'u' => character(&mut chars, 4)?,
                    'U' => character(&mut chars, 8)?,
                    _ => return None,
                }),
                c => text.push(c),
            }
        }
        self.rest = chars.as_str();
        Some(text)
    }
}

/// The character whose number has so many hexadecimal digits.
fn character(chars: &mut std::str::Chars, digits: usize) -> Option<char> {
    let digits: String = chars.take(digits).collect();
    char::from_u32(u32::from_str_radix(&digits, 16).ok()?)
}

/// A text in Python's syntax.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("'");
    for c in text.chars() {
        match c {
            '\\' | '\'' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            c => quoted.push(c),
        }
    }
    quoted + "'"
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn values_of_python_are_read() {
        let text = |text: &str| Literal::Text(text.into());
        let found = parse(" {'a': (3L, ), \"b'\" : [('\\x41\\u00e9\\\\', '<f8'), False],} \n");
        let list = Literal::List(vec![text("Aé\\"), text("<f8")]);
        let expected = Literal::Dictionary(vec![
            (text("a"), Literal::List(vec![Literal::Integer(3)])),
            (text("b'"), Literal::List(vec![list, Literal::Flag(false)])),
        ]);
        assert_eq!(found, Some(expected));
        for none in [
            "", "{", "(1", "[1 2]", "{1}", "'a", "'\\q'", "'\\xg0'", "-1", "1 2", "None",
        ] {
            assert_eq!(parse(none), None, "{none}");
        }
        assert_eq!(
            parse(&u64::MAX.to_string()),
            Some(Literal::Integer(u64::MAX))
        );
        assert_eq!(parse("18446744073709551616"), None);
    }

    #[test]
    fn brackets_within_brackets_are_refused() {
        let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(parse(&nested(MAX_DEPTH + 1)).is_some());
        assert!(parse(&nested(MAX_DEPTH + 2)).is_none());
        assert!(parse(&nested(1 << 20)).is_none());
    }

    proptest! {
        #[test]
        fn quoted_texts_are_read_back(text in "[^\\x00-\\x08]*") {
            prop_assert_eq!(parse(&quoted(&text)), Some(Literal::Text(text)));
        }

        #[test]
        fn any_text_is_a_value_or_none(text in "[\\[\\](){},:'\"\\\\xuU0-9TrueFals L]*") {
            parse(&text);
        }
    }
}
