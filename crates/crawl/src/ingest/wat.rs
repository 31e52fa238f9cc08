//! Records of WAT files: what Common Crawl keeps of a response, as JSON.

use super::links::{Found, Link, has_word, refresh};
use super::records::date;
use super::shown::Shown;
use serde::Deserialize;
use std::collections::BTreeMap;

/// A response, as far as a WAT record describes it.
#[derive(Debug, Default)]
pub(super) struct Described {
    pub(super) url: String,
    pub(super) status: u16,
    pub(super) content_type: Option<String>,
    pub(super) location: Option<String>,
    pub(super) robots: String,
    /// WARC-Date, as [`date`] reads it.
    pub(super) date: u64,
    pub(super) found: Found,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "PascalCase")]
struct Record {
    envelope: Envelope,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Envelope {
    #[serde(rename = "WARC-Header-Metadata")]
    head: BTreeMap<String, Text>,
    #[serde(rename = "Payload-Metadata")]
    payload: Payload,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Payload {
    #[serde(rename = "HTTP-Response-Metadata")]
    response: Option<Response>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Response {
    #[serde(rename = "Response-Message")]
    message: BTreeMap<String, Text>,
    #[serde(rename = "Headers")]
    fields: BTreeMap<String, Text>,
    #[serde(rename = "HTML-Metadata")]
    html: Option<Html>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "PascalCase")]
struct Html {
    head: Head,
    links: Vec<BTreeMap<String, Text>>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "PascalCase")]
struct Head {
    base: Option<Text>,
    title: Option<Text>,
    link: Vec<BTreeMap<String, Text>>,
    metas: Vec<BTreeMap<String, Text>>,
}

/// A text, or anything else.
#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    Text(String),
    Other(serde::de::IgnoredAny),
}

fn get<'a>(map: &'a BTreeMap<String, Text>, name: &str) -> Option<&'a str> {
    let found = map.get(name);
    let found = found.or_else(|| {
        let mut all = map.iter();
        all.find_map(|(key, text)| key.eq_ignore_ascii_case(name).then_some(text))
    });
    match found {
        Some(Text::Text(text)) => Some(text),
        Some(Text::Other(_)) | None => None,
    }
}

/// The response of a record: none if it is not of one; an error if it cannot be read.
pub(super) fn read(content: &[u8]) -> Result<Option<Described>, serde_json::Error> {
    let Envelope { head, payload } = serde_json::from_slice::<Record>(content)?.envelope;
    let Some(response) = payload.response else {
        return Ok(None);
    };
    if get(&head, "WARC-Type") != Some("response") {
        return Ok(None);
    }
    let field = |name| get(&response.fields, name).map(str::to_owned);
    let mut described = Described {
        url: get(&head, "WARC-Target-URI").unwrap_or_default().to_owned(),
        status: get(&response.message, "Status")
            .and_then(|status| status.trim().parse().ok())
            .unwrap_or(0),
        content_type: field("Content-Type").map(|text| text.to_ascii_lowercase()),
        location: field("Location"),
        robots: field("X-Robots-Tag").unwrap_or_default(),
        date: get(&head, "WARC-Date").map_or(0, date),
        found: Found::default(),
    };
    if let Some(html) = response.html {
        // A description of HTML shows that it was HTML.
        described
            .content_type
            .get_or_insert_with(|| "text/html".to_owned());
        described.found = found(html);
    }
    Ok(Some(described))
}

fn found(html: Html) -> Found {
    let mut found = Found::default();
    if let Some(Text::Text(base)) = html.head.base {
        found.base = Some(base);
    }
    if let Some(Text::Text(title)) = &html.head.title {
        let mut shown = Shown::default();
        shown.start(b"title");
        shown.add(title);
        found.shown = Some(shown);
    }
    let link = |href: &str, rel: &str, text: &str| Link {
        href: href.to_owned(),
        nofollow: has_word(rel, &["nofollow"]),
        text: plain(text),
    };
    for of_head in &html.head.link {
        let rel = get(of_head, "rel").unwrap_or_default();
        if has_word(rel, &["canonical"])
            && let Some(href) = get(of_head, "url")
        {
            found.canonical.get_or_insert(found.links.len());
            found.links.push(link(href, rel, ""));
        }
    }
    for meta in &html.head.metas {
        let content = get(meta, "content").unwrap_or_default();
        let is = |name, word| get(meta, name).is_some_and(|it: &str| it.eq_ignore_ascii_case(word));
        if is("http-equiv", "refresh") {
            let href = refresh(content);
            found.links.extend(href.map(|href| link(href, "", "")));
        }
        if is("name", "robots") {
            found.nofollow |= has_word(content, &["nofollow", "none"]);
        }
    }
    for of_body in &html.links {
        let path = get(of_body, "path").unwrap_or_default();
        if ["A@/href", "AREA@/href"].contains(&path) {
            let rel = get(of_body, "rel").unwrap_or_default();
            let text = get(of_body, "text").unwrap_or_default();
            let href = get(of_body, "url");
            found.links.extend(href.map(|href| link(href, rel, text)));
        }
    }
    found
}

/// A text with single blanks.
fn plain(text: &str) -> String {
    let mut shown = Shown::default();
    shown.add(text);
    shown.text
}
