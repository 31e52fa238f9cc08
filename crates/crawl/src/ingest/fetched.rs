//! Responses that a crawler has just fetched, read as those of an archive.

use super::Nofollow;
use super::page::{Item, Limits};
use super::records::Record;
use super::{IngestCounts, Wants, response};
use crate::sieve::Signer;

/// Where a response leads.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Led {
    /// It is a page with these links, each once; a hash of its bytes and its fingerprint, if they are wanted.
    Page {
        links: Vec<String>,
        digest: u128,
        fingerprint: u64,
    },
    /// To another URL.
    Redirect(String),
    /// Nowhere.
    Nowhere,
}

/// Reads responses.
pub(crate) struct Reader(Limits);

impl Reader {
    /// With a signer, pages have digests; `fingerprints` says whether they have these.
    pub(crate) fn new(
        page: usize,
        nofollow: Nofollow,
        signer: Option<Signer>,
        fingerprints: bool,
    ) -> Self {
        Reader(Limits {
            page,
            nofollow,
            scheme: None,
            wants: Wants {
                fingerprints,
                ..Wants::default()
            },
            signer,
        })
    }

    /// Reads a response of HTTP, head and body, which comes back.
    pub(crate) fn read(&self, url: &str, content: Vec<u8>) -> (Led, Vec<u8>) {
        let record = Record {
            kind: "response".to_owned(),
            url: url.to_owned(),
            content,
            ..Record::default()
        };
        let led = match self.0.record(&record, &mut IngestCounts::default()) {
            Item::Page(page) => Led::Page {
                links: page.links,
                digest: page.digest,
                fingerprint: page.fingerprint,
            },
            Item::Redirect { to, .. } => Led::Redirect(to),
            Item::Nothing => Led::Nowhere,
        };
        (led, record.content)
    }
}

/// True for the media types of HTML.
pub(crate) fn is_html(content_type: &str) -> bool {
    response::is_html(&content_type.to_ascii_lowercase())
}
