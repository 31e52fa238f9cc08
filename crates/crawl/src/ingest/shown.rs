//! The visible text of a page: its title, its text, and the texts of its links, without markup.
//!
//! Scripts, styles and frames show nothing. Runs of blanks, of control characters and of the ends of
//! blocks are one blank; elements within a line, as `b` and `span`, end no word.

/// The title and the text of a page, and the text of the link that is open.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) title: String,
    pub(super) text: String,
    /// A blank is due before the next character.
    has_gap: bool,
    within: Within,
    /// A title was there: others, as those of drawings, do not count.
    has_title: bool,
    /// The link that is open: its place in a list, and where its text starts.
    link: Option<(usize, usize)>,
}

/// The element that text belongs to.
#[derive(Debug, Default, PartialEq, Eq)]
enum Within {
    #[default]
    Body,
    Title,
    Nothing,
}

impl Shown {
    /// A start tag, by its name in lower case.
    pub(super) fn start(&mut self, name: &[u8]) {
        self.within = match name {
            b"title" if !self.has_title => Within::Title,
            b"title" | b"script" | b"style" | b"iframe" | b"noembed" | b"noframes" => {
                Within::Nothing
            }
            _ => Within::Body,
        };
        self.has_title |= self.within == Within::Title;
        self.has_gap |= !is_within_line(name);
    }

    /// An end tag, by its name in lower case.
    pub(super) fn end(&mut self, name: &[u8]) {
        self.within = Within::Body;
        self.has_gap |= !is_within_line(name);
    }

    /// Text between tags.
    pub(super) fn add(&mut self, text: &str) {
        let out = match self.within {
            Within::Body => &mut self.text,
            Within::Title => &mut self.title,
            Within::Nothing => return,
        };
        for character in text.chars() {
            if character.is_whitespace() || character.is_control() {
                self.has_gap = true;
                continue;
            }
            if std::mem::take(&mut self.has_gap) && !out.is_empty() {
                out.push(' ');
            }
            out.push(character);
        }
    }

    /// Begins the link at this place of a list.
    pub(super) fn open_link(&mut self, place: usize) {
        self.link = Some((place, self.text.len()));
    }

    /// Ends the link that is open, if there is one: its place, and its text.
    pub(super) fn close_link(&mut self) -> Option<(usize, String)> {
        let (place, start) = self.link.take()?;
        let text = self.text[start..].trim_start();
        Some((place, text.to_owned()))
    }
}

/// True for elements that may stand within a word.
fn is_within_line(name: &[u8]) -> bool {
    let known: &[&[u8]] = &[
        b"a", b"abbr", b"acronym", b"b", b"bdi", b"bdo", b"big", b"cite", b"code", b"data", b"del",
        b"dfn", b"em", b"font", b"i", b"ins", b"kbd", b"mark", b"q", b"s", b"samp", b"small",
        b"span", b"strike", b"strong", b"sub", b"sup", b"time", b"tt", b"u", b"var", b"wbr",
    ];
    known.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::super::links::find;

    #[test]
    fn text_is_what_a_page_shows() {
        for (html, title, text) in [
            ("<title> A\n <b> </title>x", "A <b>", "x"),
            ("<title>one</title><svg><title>two</title></svg>", "one", ""),
            ("a<b>b</b>c<p>d</p>e<br>f", "", "abc d e f"),
            ("<ul><li>x<li>y</ul> z ", "", "x y z"),
            ("&amp;&nbsp;&lt;\u{7}b\u{85}c", "", "& < b c"),
            ("a<script>x<b>y</script>b<style>z</style>c", "", "a b c"),
            (
                "<!-- x -->a<noscript>b <i>c</i></noscript> d",
                "",
                "a b c d",
            ),
            ("<textarea>a <b></textarea>", "", "a <b>"),
            ("a<iframe>b</iframe>c", "", "a c"),
            ("<td>1</td><td>2</td>", "", "1 2"),
            ("a <", "", "a <"),
            ("", "", ""),
        ] {
            let shown = find(html, true).shown.unwrap();
            assert_eq!(
                (shown.title.as_str(), shown.text.as_str()),
                (title, text),
                "{html}"
            );
        }
        assert_eq!(find("a", false).shown, None);
    }

    #[test]
    fn links_have_their_texts() {
        for (html, texts) in [
            (
                "a <a href=x> b <i>c</i> </a>d<a href=y>e</a>",
                &["b c", "e"][..],
            ),
            ("<a href=x>one<a href=y>two", &["one", "two"]),
            ("<a href=x><p>one</p></a><a name=z>two</a>", &["one"]),
            ("<a href=x></a><area href=y>z", &["", ""]),
            (
                "<noscript><a href=x>in</a></noscript><a href=y>out</a>",
                &["in", "out"],
            ),
            ("<link rel=canonical href=c>x<a href=y>t", &["", "t"]),
        ] {
            let found = find(html, true);
            let found: Vec<&str> = found.links.iter().map(|link| link.text.as_str()).collect();
            assert_eq!(found, texts, "{html}");
        }
    }
}
