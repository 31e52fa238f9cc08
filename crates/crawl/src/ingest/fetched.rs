//! Responses that a crawler has just fetched, read as those of an archive.

use super::Nofollow;
use super::page::{Item, Limits};
use super::records::Record;
use super::{Counts, Wants, response};

/// Where a response leads.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Led {
    /// It is a page with these links, each once.
    Page(Vec<String>),
    /// To another URL.
    Redirect(String),
    /// Nowhere.
    Nowhere,
}

/// Reads responses.
pub(crate) struct Reader(Limits);

impl Reader {
    pub(crate) fn new(page: usize, nofollow: Nofollow) -> Self {
        Reader(Limits {
            page,
            nofollow,
            scheme: None,
            wants: Wants::default(),
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
        let led = match self.0.record(&record, &mut Counts::default()) {
            Item::Page(page) => Led::Page(page.links),
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
