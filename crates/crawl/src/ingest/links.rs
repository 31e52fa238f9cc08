//! The links of a page of HTML: a pass over its tags, by the tokeniser of the WHATWG's standard.
//!
//! Links are `a`, `area` and `link rel=canonical` with their `href`, and `meta http-equiv=refresh`.
//! `base href`, the first one, holds for all links, those before it too. Texts of scripts, styles,
//! comments, titles and text fields have no links; a `noscript` has, as nothing runs scripts here.

use super::shown::Shown;
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};

/// The links of a page, not yet resolved.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) base: Option<String>,
    pub(super) links: Vec<Link>,
    /// A `meta` for robots forbids following all links.
    pub(super) nofollow: bool,
    /// The place of the first link with rel=canonical.
    pub(super) canonical: Option<usize>,
    /// Title and text, if they are wanted.
    pub(super) shown: Option<Shown>,
}

/// A link.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) href: String,
    /// `rel` says nofollow.
    pub(super) nofollow: bool,
    /// Its text, if texts are wanted.
    pub(super) text: String,
}

/// The tags that count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tag {
    Anchor,
    Area,
    Link,
    Base,
    Meta,
    Noscript,
    Other,
}

/// The attributes that count.
const ATTRIBUTES: [&[u8]; 5] = [b"href", b"rel", b"http-equiv", b"content", b"name"];
const HREF: usize = 0;
const REL: usize = 1;
const HTTP_EQUIV: usize = 2;
const CONTENT: usize = 3;
const NAME: usize = 4;

/// A tag being read.
struct Reading {
    found: Found,
    tag: Tag,
    values: [Option<String>; 5],
    attribute: Option<usize>,
    /// The next text is that of a noscript.
    is_in_noscript: bool,
}

/// Finds the links of a page, and if it is wanted its text. O(its length).
pub(super) fn find(page: &str, wants_text: bool) -> Found {
    let mut found = Found {
        shown: wants_text.then(Shown::default),
        ..Found::default()
    };
    find_in(page.as_bytes(), &mut found, 0);
    found.end_link();
    found
}

impl Found {
    /// Ends the link that is open.
    fn end_link(&mut self) {
        let ended = self.shown.as_mut().and_then(Shown::close_link);
        if let Some((place, text)) = ended
            && let Some(link) = self.links.get_mut(place)
        {
            link.text = text;
        }
    }
}

/// Adds the links of a page, or of a noscript in it.
fn find_in(page: &[u8], found: &mut Found, depth: u32) {
    let mut reading = Reading {
        found: std::mem::take(found),
        tag: Tag::Other,
        values: Default::default(),
        attribute: None,
        is_in_noscript: false,
    };
    let take = |event: CallbackEvent<'_>, _: Span<()>| -> Option<()> {
        match event {
            // Its text ends at the first end tag: there is none in it.
            CallbackEvent::String { value } if reading.is_in_noscript && depth == 0 => {
                find_in(value, &mut reading.found, depth + 1);
            }
            event => reading.take(event),
        }
        None
    };
    let mut emitter = CallbackEmitter::new(take);
    emitter.naively_switch_states(true);
    Tokenizer::new_with_emitter(page, emitter).for_each(drop);
    *found = reading.found;
}

impl Reading {
    fn take(&mut self, event: CallbackEvent<'_>) {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                if name == b"a" {
                    self.found.end_link();
                }
                if let Some(shown) = &mut self.found.shown {
                    shown.start(name);
                }
                self.tag = match name {
                    b"a" => Tag::Anchor,
                    b"area" => Tag::Area,
                    b"link" => Tag::Link,
                    b"base" => Tag::Base,
                    b"meta" => Tag::Meta,
                    b"noscript" => Tag::Noscript,
                    _ => Tag::Other,
                };
                self.values = Default::default();
                self.attribute = None;
            }
            CallbackEvent::AttributeName { name } if self.tag != Tag::Other => {
                let attribute = ATTRIBUTES.iter().position(|known| *known == name);
                // The first of several with one name counts.
                self.attribute = attribute.filter(|&known| self.values[known].is_none());
                if let Some(attribute) = self.attribute {
                    self.values[attribute] = Some(String::new());
                }
            }
            CallbackEvent::AttributeValue { value } => {
                if let Some(attribute) = self.attribute.take() {
                    let value = String::from_utf8_lossy(value).into_owned();
                    self.values[attribute] = Some(value);
                }
            }
            CallbackEvent::CloseStartTag { .. } => {
                self.close();
                self.is_in_noscript = self.tag == Tag::Noscript;
                self.tag = Tag::Other;
            }
            CallbackEvent::EndTag { name } => {
                self.is_in_noscript = false;
                if name == b"a" {
                    self.found.end_link();
                }
                if let Some(shown) = &mut self.found.shown {
                    shown.end(name);
                }
            }
            CallbackEvent::String { value } => {
                if let Some(shown) = &mut self.found.shown {
                    shown.add(&String::from_utf8_lossy(value));
                }
            }
            _ => {}
        }
    }

    fn has_word(&self, attribute: usize, words: &[&str]) -> bool {
        let value = self.values[attribute].as_deref().unwrap_or("");
        has_word(value, words)
    }

    fn is(&self, attribute: usize, word: &str) -> bool {
        let value = self.values[attribute].as_deref().unwrap_or("");
        value.trim().eq_ignore_ascii_case(word)
    }

    fn close(&mut self) {
        match self.tag {
            Tag::Anchor | Tag::Area => self.link(HREF),
            Tag::Link if self.has_word(REL, &["canonical"]) => {
                let place = self.found.links.len();
                self.link(HREF);
                if place < self.found.links.len() {
                    self.found.canonical.get_or_insert(place);
                }
            }
            Tag::Base if self.found.base.is_none() => self.found.base = self.values[HREF].take(),
            Tag::Meta if self.is(HTTP_EQUIV, "refresh") => {
                let content = self.values[CONTENT].take().unwrap_or_default();
                if let Some(href) = refresh(&content) {
                    self.found.links.push(Link {
                        href: href.to_owned(),
                        nofollow: false,
                        text: String::new(),
                    });
                }
            }
            Tag::Meta if self.is(NAME, "robots") => {
                self.found.nofollow |= self.has_word(CONTENT, &["nofollow", "none"]);
            }
            _ => {}
        }
    }

    fn link(&mut self, attribute: usize) {
        let nofollow = self.has_word(REL, &["nofollow"]);
        if let Some(href) = self.values[attribute].take() {
            let place = self.found.links.len();
            self.found.links.push(Link {
                href,
                nofollow,
                text: String::new(),
            });
            if let Some(shown) = &mut self.found.shown
                && self.tag == Tag::Anchor
            {
                shown.open_link(place);
            }
        }
    }
}

/// True if one of the words stands in a list that blanks or commas separate.
pub(super) fn has_word(list: &str, words: &[&str]) -> bool {
    let mut listed = list.split([' ', '\t', '\n', '\r', '\x0c', ',']);
    listed.any(|word| words.iter().any(|wanted| word.eq_ignore_ascii_case(wanted)))
}

/// The URL in `5; url='page.html'`, as browsers read it.
pub(super) fn refresh(content: &str) -> Option<&str> {
    let is_time = |c: char| c.is_ascii_digit() || c == '.';
    let rest = content.trim_ascii_start();
    if !rest.starts_with(is_time) {
        return None;
    }
    let rest = rest.trim_start_matches(is_time);
    let rest = match rest.trim_ascii_start().strip_prefix([';', ',']) {
        Some(rest) => rest,
        None if rest.starts_with(char::is_whitespace) => rest,
        None => return None,
    };
    let rest = rest.trim_ascii_start();
    let after_name = rest
        .get(..3)
        .filter(|name| name.eq_ignore_ascii_case("url"));
    let after_name = after_name.and_then(|_| rest[3..].trim_ascii_start().strip_prefix('='));
    let url = after_name.map_or(rest, str::trim_ascii_start);
    let url = match url.strip_prefix(['"', '\'']) {
        Some(quoted) => quoted.split(['"', '\'']).next().unwrap_or(quoted),
        None => url,
    };
    (!url.is_empty()).then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hrefs(page: &str) -> Vec<String> {
        find(page, false)
            .links
            .into_iter()
            .map(|link| link.href)
            .collect()
    }

    #[test]
    fn every_element_is_found() {
        for (page, links) in [
            ("<a href=x>", &["x"][..]),
            (
                "<A HREF = 'x y' class=z>t</A><area href=\"b\">",
                &["x y", "b"],
            ),
            ("<a name=x><a href><a href=''>", &["", ""]),
            ("<a href=1 href=2>", &["1"]),
            ("<a href='?a=1&amp;b=&#50;'>", &["?a=1&b=2"]),
            (
                "<link rel=stylesheet href=s><link rel='x Canonical' href=c>",
                &["c"],
            ),
            ("<meta http-equiv=Refresh content='0;URL=next'>", &["next"]),
            ("<!-- <a href=x> --><a href=y>", &["y"]),
            (
                "<script>'<a href=x>'</script><style><a href=z></style><a href=y>",
                &["y"],
            ),
            (
                "<title><a href=x></title><textarea><a href=z></textarea>",
                &[],
            ),
            (
                "<noscript><p><a href=x></p></noscript><a href=y>",
                &["x", "y"],
            ),
            ("<a href=x", &[]),
            ("<a\nhref=x/><b href=z></a href=w>", &["x/"]),
            ("<svg:a href=x><abbr href=y>", &[]),
        ] {
            assert_eq!(hrefs(page), links, "{page}");
        }
    }

    #[test]
    fn the_first_base_counts_and_nofollow_is_seen() {
        let found = find(
            "<a href=x rel='me NoFollow'><base href=/b/><base href=/c/><a href=y>",
            false,
        );
        assert_eq!(found.base.as_deref(), Some("/b/"));
        let nofollow: Vec<bool> = found.links.iter().map(|link| link.nofollow).collect();
        assert_eq!(nofollow, [true, false]);
        assert!(!found.nofollow);
        assert!(find("<meta name=ROBOTS content='noindex,NOFOLLOW'>", false).nofollow);
    }

    #[test]
    fn refreshes_are_read_as_browsers_read_them() {
        for (content, url) in [
            ("5; url=x", Some("x")),
            (" 0.5 , URL = 'x y' z", Some("x y")),
            ("5 x", Some("x")),
            ("5;x", Some("x")),
            ("5", None),
            ("5;", None),
            ("5x", None),
            ("url=x", None),
            ("0;url=\"x", Some("x")),
        ] {
            assert_eq!(refresh(content), url, "{content}");
        }
    }
}
