//! The crawler's reading of a response, whatever its bytes, without a network: for tests.

use super::client::{Ending, Fetched, Head};
use super::names::Target;
use super::robots::{self, Answer, Rules};
use super::workers::{Came, visit};
use crate::ingest::{Led, MAX_URL, Nofollow, Reader};
use crate::sieve::Signer;
use std::net::Ipv4Addr;
use std::time::{Duration, SystemTime};
use url::Url;

/// A response, read as a page and as a robots.txt.
#[derive(Debug)]
pub struct FuzzTrial {
    /// True if it is a page.
    pub is_page: bool,
    /// Where it leads: the links of the page, or the target of the redirect.
    pub leads_to: Vec<String>,
    /// Its record in the archive, a gzip member; empty if it is not worth one.
    pub record: Vec<u8>,
    /// How long its server is left alone.
    pub retry_after: Option<Duration>,
    /// Whether it allows its own URL, and the delay that it asks for, if it is a robots.txt.
    pub rules: Option<(bool, Option<Duration>)>,
}

/// The most fields of a head.
const FIELDS: usize = 64;

/// Reads a response to a request for `url` by a crawler of this name; a page has at most so many bytes.
/// `None` if the URL cannot be asked for, or if the head is none of HTTP.
pub fn trial(url: &str, name: &str, response: &[u8], max_page: usize) -> Option<FuzzTrial> {
    let mut url = Url::parse(url).ok()?;
    url.set_fragment(None);
    if super::scope::host(&url).is_none() || url.as_str().len() > MAX_URL {
        return None;
    }
    let fetched = fetched(response, max_page)?;
    let answer = robots::answer(url.as_str(), Ok(fetched.clone()));
    let rules = match answer {
        Answer::Found(content) => Some(Rules::read(&content, name, 0)),
        Answer::Moved(_) => None,
        Answer::Unreachable(_) => Some(Rules::unreachable()),
    };
    let came = Came {
        host: 0,
        target: fetched.target,
        fetched,
        page: 0,
        url,
    };
    let reader = Reader::new(max_page, Nofollow::Drop, None, false);
    let visit = visit(&reader, &Signer::random(), &came);
    Some(FuzzTrial {
        is_page: matches!(visit.led, Led::Page { .. }),
        leads_to: match visit.led {
            Led::Page { links, .. } => links,
            Led::Redirect(to) => vec![to],
            Led::Nowhere => Vec::new(),
        },
        record: visit.record,
        retry_after: visit.retry_after,
        rules: rules.map(|rules| (rules.allows(&came.url), rules.delay())),
    })
}

/// The parts of a response, as they come from a connection.
fn fetched(response: &[u8], max_page: usize) -> Option<Fetched> {
    let mut fields = [httparse::EMPTY_HEADER; FIELDS];
    let mut head = httparse::Response::new(&mut fields);
    let httparse::Status::Complete(end) = head.parse(response).ok()? else {
        return None;
    };
    let fields = head.headers.iter();
    let fields = fields.map(|field| (field.name.to_ascii_lowercase(), field.value.to_vec()));
    let body = &response[end..];
    let (body, ending) = match body.get(..max_page) {
        Some(start) if start.len() < body.len() => (start, Ending::Length),
        _ => (body, Ending::Whole),
    };
    Some(Fetched {
        head: Head {
            status: head.code?,
            version: "HTTP/1.1",
            reason: "",
            fields: fields.collect(),
        },
        body: body.to_vec(),
        ending,
        at: SystemTime::UNIX_EPOCH,
        target: Target {
            address: Ipv4Addr::LOCALHOST.into(),
            port: None,
        },
        is_kept: false,
    })
}
