//! From a response or a file to a page with its links, as URLs of the WHATWG's standard.

use super::links::Found;
use super::records::Record;
use super::{IngestCounts, Nofollow, Wants, links, response, text, wat};
use crate::near::{NONE, SimHash};
use crate::sieve::Signer;
use encoding_rs::{Encoding, UTF_8};
use std::borrow::Cow;
use std::collections::HashMap;
use url::Url;
use webrank_graph::bundle::{MAX_ANCHORS, MAX_TEXT, MAX_TITLE, cut};

/// The content of a record.
#[derive(Debug)]
pub(super) enum Item {
    /// A page of HTML with status 200.
    Page(Page),
    /// A URL that leads to another one.
    Redirect { from: String, to: String },
    /// Neither.
    Nothing,
}

/// A page.
#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) url: String,
    /// Each once.
    pub(super) links: Vec<String>,
    /// SimHash of its text; [`NONE`] if it has none, or if none is wanted.
    pub(super) fingerprint: u64,
    /// A hash of its bytes, decompressed; 0 if it is not wanted, or if they are not there.
    pub(super) digest: u128,
    /// When it was fetched, as [`date`](super::records::date) reads it; 0 if nobody says.
    pub(super) date: u64,
    /// The URL that it names as its canonical one; empty if it names none.
    pub(super) canonical: String,
    pub(super) said: Said,
}

/// The texts of a page, if they are wanted.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) title: String,
    pub(super) text: String,
    /// The texts of links, with the places of these among those of the page.
    pub(super) anchors: Vec<(u32, String)>,
}

impl Said {
    /// Cuts what is longer than the file of a bundle takes.
    fn cut(&mut self) {
        cut(&mut self.title, MAX_TITLE);
        cut(&mut self.text, MAX_TEXT);
        self.title.shrink_to_fit();
        self.text.shrink_to_fit();
        for (_, anchor) in &mut self.anchors {
            cut(anchor, MAX_ANCHORS);
        }
    }
}

/// The limits of reading.
#[derive(Debug, Clone)]
pub(super) struct Limits {
    /// Bytes of a page, decompressed.
    pub(super) page: usize,
    pub(super) nofollow: Nofollow,
    pub(super) wants: Wants,
    /// Makes digests of pages, if they are wanted.
    pub(super) signer: Option<Signer>,
    /// The scheme of the URLs of files, beside http and https.
    pub(super) scheme: Option<String>,
}

/// The longest URL in bytes: those of browsers and servers end here or before.
pub const MAX_URL: usize = 8192;

/// The links of a page take at most so many bytes; a million links of 16 bytes fit.
pub const MAX_LINKS: usize = 16 << 20;

/// True for records in which there may be a page.
pub(super) fn may_be_page(record: &Record) -> bool {
    match record.kind.as_str() {
        "response" | "resource" => true,
        // WAT.
        "metadata" => record.content_type.starts_with("application/json"),
        _ => false,
    }
}

impl Limits {
    /// A record of an archive; adds to the counts what was found.
    pub(super) fn record(&self, record: &Record, counts: &mut IngestCounts) -> Item {
        let mut item = self.undated(record, counts);
        if let Item::Page(page) = &mut item {
            page.date = page.date.max(record.date);
        }
        item
    }

    fn undated(&self, record: &Record, counts: &mut IngestCounts) -> Item {
        match record.kind.as_str() {
            "response" if is_http(record) => self.response(record, counts),
            "response" | "resource" => {
                let is_html = response::is_html(&record.content_type);
                let charset = response::charset(&record.content_type);
                counts.responses += 1;
                if !is_html {
                    counts.not_html += 1;
                    return Item::Nothing;
                }
                counts.pages_cut += u64::from(record.is_cut);
                self.html(&record.url, &record.content, charset, false, counts)
            }
            "metadata" => self.wat(record, counts),
            _ => Item::Nothing,
        }
    }

    fn response(&self, record: &Record, counts: &mut IngestCounts) -> Item {
        counts.responses += 1;
        let Some(response) = response::read(&record.content, self.page) else {
            counts.unreadable += 1;
            return Item::Nothing;
        };
        if (300..400).contains(&response.status)
            && let Some(location) = &response.location
        {
            return self.redirect(&record.url, location, counts);
        }
        if response.status != 200 {
            counts.not_ok += 1;
            return Item::Nothing;
        }
        let content_type = response.content_type.as_deref();
        let is_html = match (content_type, record.payload_type.as_str()) {
            (Some(content_type), _) => response::is_html(content_type),
            (None, "") => looks_like_html(&response.body),
            (None, identified) => response::is_html(identified),
        };
        if !is_html {
            counts.not_html += 1;
            return Item::Nothing;
        }
        counts.pages_cut += u64::from(response.is_cut || record.is_cut);
        counts.bodies_broken += u64::from(response.is_broken && !record.is_cut);
        let charset = content_type.and_then(response::charset);
        let nofollow = links::has_word(&response.robots, &["nofollow", "none"]);
        self.html(&record.url, &response.body, charset, nofollow, counts)
    }

    fn wat(&self, record: &Record, counts: &mut IngestCounts) -> Item {
        let described = match wat::read(&record.content) {
            Ok(Some(described)) => described,
            Ok(None) => {
                counts.no_response += 1;
                return Item::Nothing;
            }
            Err(_) => {
                counts.unreadable += 1;
                return Item::Nothing;
            }
        };
        counts.responses += 1;
        if (300..400).contains(&described.status)
            && let Some(location) = &described.location
        {
            return self.redirect(&described.url, location, counts);
        }
        if described.status != 200 {
            counts.not_ok += 1;
            return Item::Nothing;
        }
        if !described
            .content_type
            .as_deref()
            .is_some_and(response::is_html)
        {
            counts.not_html += 1;
            return Item::Nothing;
        }
        let mut found = described.found;
        found.nofollow |= links::has_word(&described.robots, &["nofollow", "none"]);
        let mut item = self.page(&described.url, found, UTF_8, counts);
        if let Item::Page(page) = &mut item {
            page.date = described.date;
        }
        item
    }

    fn redirect(&self, from: &str, location: &str, counts: &mut IngestCounts) -> Item {
        let urls = self.url(from).and_then(|from| {
            let to = self.resolve(&from, location, UTF_8).ok()?;
            Some((from, to))
        });
        match urls {
            Some((from, to)) => {
                counts.redirects += 1;
                Item::Redirect {
                    from: named(from),
                    to,
                }
            }
            None => {
                counts.unusable_urls += 1;
                Item::Nothing
            }
        }
    }

    /// A page, by the bytes of its HTML.
    pub(super) fn html(
        &self,
        url: &str,
        body: &[u8],
        charset: Option<&str>,
        nofollow: bool,
        counts: &mut IngestCounts,
    ) -> Item {
        let (text, encoding) = text::decode(body, charset);
        let mut found = links::find(&text, self.wants.text || self.wants.fingerprints);
        found.nofollow |= nofollow;
        let mut item = self.page(url, found, encoding, counts);
        if let (Item::Page(page), Some(signer)) = (&mut item, &self.signer) {
            page.digest = signer.of_bytes(body);
        }
        item
    }

    fn page(
        &self,
        url: &str,
        mut found: Found,
        encoding: &'static Encoding,
        counts: &mut IngestCounts,
    ) -> Item {
        let Some(own) = self.url(url) else {
            counts.unusable_urls += 1;
            return Item::Nothing;
        };
        let base = found.base.as_deref().filter(|base| base.len() <= MAX_URL);
        let base = base.and_then(|base| own.join(base.trim()).ok());
        let base = base.as_ref().unwrap_or(&own);
        let (mut known, mut seen) = (HashMap::new(), HashMap::new());
        let mut page = Page::default();
        let links = &mut page.links;
        let mut bytes = 0;
        for (number, link) in found.links.iter().enumerate() {
            counts.links += 1;
            if link.nofollow || found.nofollow {
                counts.nofollow += 1;
                if self.nofollow == Nofollow::Drop {
                    continue;
                }
            }
            // Fragments lead nowhere else, and many links of a page are the same without them.
            let href = link.href.split('#').next().unwrap_or("");
            let resolved = known.entry(href).or_insert_with(|| {
                let target = self.resolve(base, href, encoding)?;
                if bytes > MAX_LINKS {
                    return Err(Unusable::Beyond);
                }
                let place = *seen.entry(target).or_insert_with_key(|target| {
                    bytes += target.len() + 8;
                    links.push(target.clone());
                    links.len() as u32 - 1
                });
                Ok(place)
            });
            match resolved {
                Ok(place) => {
                    if found.canonical == Some(number) {
                        page.canonical.clone_from(&links[*place as usize]);
                    }
                    if self.wants.text && !link.text.is_empty() {
                        page.said.anchors.push((*place, link.text.clone()));
                    }
                }
                Err(Unusable::Elsewhere) => counts.links_elsewhere += 1,
                Err(Unusable::Long) => counts.links_long += 1,
                Err(Unusable::Wrong) => counts.links_wrong += 1,
                Err(Unusable::Beyond) => counts.links_beyond += 1,
            }
        }
        page.url = named(own);
        if let Some(shown) = found.shown.take() {
            page.fingerprint = match self.wants.fingerprints {
                true => SimHash::of(self.wants.signals)
                    .text(&shown.text)
                    .fingerprint(),
                false => NONE,
            };
            if self.wants.text {
                (page.said.title, page.said.text) = (shown.title, shown.text);
                page.said.cut();
            }
        }
        Item::Page(page)
    }

    /// The URL of a page.
    fn url(&self, url: &str) -> Option<Url> {
        let url = Some(url).filter(|url| url.len() <= MAX_URL)?;
        let url = Url::parse(url).ok().filter(|url| self.is_web(url))?;
        Some(url).filter(|url| url.as_str().len() <= MAX_URL)
    }

    fn is_web(&self, url: &Url) -> bool {
        matches!(url.scheme(), "http" | "https") || self.scheme.as_deref() == Some(url.scheme())
    }

    /// The URL that a link leads to, without its fragment.
    fn resolve(
        &self,
        base: &Url,
        href: &str,
        encoding: &'static Encoding,
    ) -> Result<String, Unusable> {
        let href = href.trim_matches(|c: char| c <= ' ');
        // Most links that lead elsewhere show it at once.
        if let Some((scheme, _)) = href.split_once(':')
            && ["javascript", "mailto", "data", "tel"]
                .iter()
                .any(|known| scheme.eq_ignore_ascii_case(known))
        {
            return Err(Unusable::Elsewhere);
        }
        if href.len() > MAX_URL {
            return Err(Unusable::Long);
        }
        let encode = encoder(encoding);
        let options = Url::options().base_url(Some(base));
        let resolved = match href.is_ascii() || encoding.output_encoding() == UTF_8 {
            true => options.parse(href),
            false => options.encoding_override(Some(&encode)).parse(href),
        };
        let url = resolved.map_err(|_| Unusable::Wrong)?;
        if !self.is_web(&url) {
            return Err(Unusable::Elsewhere);
        }
        let url = named(url);
        match url.len() <= MAX_URL {
            true => Ok(url),
            false => Err(Unusable::Long),
        }
    }
}

/// Queries are in the encoding of their page.
fn encoder(encoding: &'static Encoding) -> impl Fn(&str) -> Cow<'_, [u8]> {
    move |query| encoding.encode(query).0
}

/// Why a link is left out.
enum Unusable {
    /// It leads to something that is no page of the web.
    Elsewhere,
    Long,
    Wrong,
    /// The page has too many.
    Beyond,
}

/// A URL as the name of a node.
fn named(mut url: Url) -> String {
    url.set_fragment(None);
    url.into()
}

fn is_http(record: &Record) -> bool {
    let media = record.content_type.split(';').next().unwrap_or("");
    // Without a type, a response of HTTP is meant.
    media.is_empty() || media.trim() == "application/http"
}

/// True for bodies without a type that start as pages do.
fn looks_like_html(body: &[u8]) -> bool {
    let start = body.trim_ascii_start();
    [&b"<!doctype html"[..], b"<html", b"<head"]
        .iter()
        .any(|tag| {
            start
                .get(..tag.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(tag))
        })
}
