//! robots.txt, by RFC 9309: fetched once for each scheme, host and port, and kept for a day.
//!
//! What was found is read; what is not there (4xx, or more than five redirects) allows everything; what
//! cannot be reached (5xx, 429, no answer in three tries) forbids everything in this run: the URLs are set
//! aside, and the next run asks again.

use super::client::{Fetched, Trouble};
use robotxt::{BYTE_LIMIT, Robots};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use url::Url;

/// The most bytes that are read.
pub(super) const MAX_ROBOTS: u64 = BYTE_LIMIT as u64 + 1;

/// More redirects are not followed.
pub(super) const MAX_HOPS: u8 = 5;

/// How long a robots.txt is kept, in seconds.
const KEPT: u64 = 24 * 3600;

/// What may be fetched from an origin.
#[derive(Debug)]
pub(super) struct Rules {
    /// None if everything is forbidden because nothing is known.
    robots: Option<Robots>,
    /// In seconds since 1970.
    pub(super) until: u64,
    /// About how many bytes it takes.
    pub(super) bytes: u64,
}

impl Rules {
    /// Reads the content of a robots.txt.
    pub(super) fn read(content: &[u8], token: &str, until: u64) -> Self {
        let robots = Robots::parse(content, token);
        let bytes = 4 * content.len() as u64 + 256;
        Rules {
            robots: Some(robots),
            until,
            bytes,
        }
    }

    /// Everything is forbidden.
    pub(super) fn unreachable() -> Self {
        Rules {
            robots: None,
            until: now() + KEPT,
            bytes: 256,
        }
    }

    /// True if nothing is known of the file.
    pub(super) fn is_unreachable(&self) -> bool {
        self.robots.is_none()
    }

    pub(super) fn allows(&self, url: &Url) -> bool {
        let robots = self.robots.as_ref();
        robots.is_some_and(|robots| robots.is_url_allowed(url))
    }

    /// How long the host wants us to wait between two requests.
    pub(super) fn delay(&self) -> Option<Duration> {
        self.robots.as_ref()?.crawl_delay()
    }
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_secs())
}

/// When what is found now is too old.
pub(super) fn kept_until() -> u64 {
    now() + KEPT
}

/// What a request for robots.txt has brought.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The content; empty if there is none, which allows everything.
    Found(Vec<u8>),
    /// It is elsewhere.
    Moved(String),
    /// Nothing, and why: another try may bring more.
    Unreachable(&'static str),
}

/// Reads an answer to a request for `url`.
pub(super) fn answer(url: &str, fetched: Result<Fetched, Trouble>) -> Answer {
    let mut fetched = match fetched {
        Ok(fetched) => fetched,
        Err(trouble) => return Answer::Unreachable(trouble.name()),
    };
    match fetched.head.status {
        200..300 => {
            let body = match fetched.head.field("content-encoding") {
                None => std::mem::take(&mut fetched.body),
                Some(coding) => decoded(&fetched.body, coding),
            };
            Answer::Found(body)
        }
        300..400 => {
            let to = fetched.head.field("location");
            let to = to.and_then(|to| std::str::from_utf8(to).ok());
            let own = Url::parse(url).ok();
            let to = to.and_then(|to| own?.join(to.trim()).ok());
            match to.filter(|to| super::scope::host(to).is_some()) {
                Some(mut to) => {
                    to.set_fragment(None);
                    Answer::Moved(to.into())
                }
                None => Answer::Found(Vec::new()),
            }
        }
        400..500 if fetched.head.status != 429 => Answer::Found(Vec::new()),
        _ => Answer::Unreachable("errors of the server"),
    }
}

/// The start of a compressed file, as far as it can be read.
fn decoded(body: &[u8], coding: &[u8]) -> Vec<u8> {
    use std::io::Read;
    if !coding.eq_ignore_ascii_case(b"gzip") && !coding.eq_ignore_ascii_case(b"x-gzip") {
        return body.to_vec();
    }
    let mut whole = Vec::new();
    let mut reader = flate2::read::MultiGzDecoder::new(body).take(MAX_ROBOTS);
    // What comes before an error counts.
    let _ = reader.read_to_end(&mut whole);
    whole
}

#[cfg(test)]
mod tests {
    use super::super::client::{Ending, Head};
    use super::super::names::Target;
    use super::*;

    fn fetched(status: u16, location: Option<&str>, body: &str) -> Result<Fetched, Trouble> {
        let fields = location.map(|to| ("location".to_owned(), to.as_bytes().to_vec()));
        Ok(Fetched {
            head: Head {
                status,
                version: "HTTP/1.1",
                reason: "",
                fields: fields.into_iter().collect(),
            },
            body: body.as_bytes().to_vec(),
            ending: Ending::Whole,
            at: SystemTime::now(),
            target: Target {
                address: [127, 0, 0, 1].into(),
                port: None,
            },
        })
    }

    #[test]
    fn answers_are_read_as_the_standard_says() {
        let of = |fetched| answer("http://a.test/robots.txt", fetched);
        let everything = || Answer::Found(Vec::new());
        assert_eq!(of(fetched(200, None, "x")), Answer::Found(b"x".to_vec()));
        assert_eq!(of(fetched(404, None, "x")), everything());
        assert_eq!(of(fetched(403, None, "x")), everything());
        let unreachable = Answer::Unreachable("errors of the server");
        assert_eq!(of(fetched(429, None, "x")), unreachable);
        assert_eq!(of(fetched(503, None, "x")), unreachable);
        assert_eq!(of(Err(Trouble::Slow)), Answer::Unreachable("timeouts"));
        let moved = of(fetched(301, Some("//b.test/r#x"), ""));
        assert_eq!(moved, Answer::Moved("http://b.test/r".into()));
        assert_eq!(of(fetched(302, None, "")), everything());
        assert_eq!(of(fetched(302, Some("mailto:x@y"), "")), everything());
    }

    #[test]
    fn rules_are_those_of_the_crawler() {
        let text = "User-agent: *\nDisallow: /\n\nUser-agent: Bot\nAllow: /a\nDisallow: /a/b*c$\n\
                    Crawl-delay: 2.5\nDisallow: /x?\n";
        let rules = Rules::read(text.as_bytes(), "bot", 0);
        let allows =
            |path: &str| rules.allows(&Url::parse("http://a.test/").unwrap().join(path).unwrap());
        assert!(allows("/a/") && allows("/z") && allows("/a/bxcd") && allows("/x"));
        assert!(!allows("/a/bxc") && !allows("/x?y"));
        assert_eq!(rules.delay(), Some(Duration::from_millis(2500)));
        assert!(
            !Rules::read(text.as_bytes(), "other", 0)
                .allows(&Url::parse("http://a.test/").unwrap())
        );
        assert!(!Rules::unreachable().allows(&Url::parse("http://a.test/").unwrap()));
    }

    #[test]
    fn no_robots_txt_takes_long_or_panics() {
        let nonsense: Vec<u8> = (0..=255).cycle().take(600 * 1024).collect();
        let stars = format!("User-agent: *\nDisallow: /{}$", "*a".repeat(200_000));
        let many = format!("User-agent: *\n{}", "Disallow: /*a*b\n".repeat(30_000));
        for content in [nonsense, stars.into_bytes(), many.into_bytes()] {
            let rules = Rules::read(&content, "bot", 0);
            let url = format!("http://a.test/{}", "a".repeat(8000));
            rules.allows(&Url::parse(&url).unwrap());
        }
    }
}
