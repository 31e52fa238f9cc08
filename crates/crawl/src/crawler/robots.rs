//! robots.txt, by RFC 9309: fetched once for each scheme, host and port, and kept for a day.
//!
//! A file that is there is read, at most its first 500 KiB; one that is not (4xx, or more than five
//! redirects) allows everything; one that cannot be reached (5xx, 429, no answer in three tries), is cut
//! off or cannot be decompressed forbids everything in this run: the URLs are set aside, and the next run
//! asks again.

use super::client::{Ending, Fetched, Head, Trouble};
use crate::ingest::encoded;
use robotxt::{BYTE_LIMIT, Robots};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use url::Url;

/// The most bytes that are read.
pub(super) const MAX_ROBOTS: u64 = BYTE_LIMIT as u64 + 1;

/// More redirects are not followed.
pub(super) const MAX_HOPS: u8 = 5;

/// How long a robots.txt is kept, in seconds.
const KEPT: u64 = 24 * 3600;

/// The rules of an origin.
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

/// The answer to a request for robots.txt.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The content; empty if there is none, which allows everything.
    Found(Vec<u8>),
    /// It is elsewhere.
    Moved(String),
    /// Nothing, and why: another try may bring more.
    Unreachable(&'static str),
}

/// True if the body of a response is worth reading.
pub(super) fn wants(head: &Head) -> bool {
    (200..300).contains(&head.status)
}

/// Reads an answer to a request for `url`.
pub(super) fn answer(url: &str, fetched: Result<Fetched, Trouble>) -> Answer {
    let mut fetched = match fetched {
        Ok(fetched) => fetched,
        Err(trouble) => return Answer::Unreachable(trouble.name()),
    };
    match fetched.head.status {
        // It is a part, though nobody asked for one.
        206 => Answer::Unreachable(CUT_OFF),
        200..300 => content(&mut fetched).map_or_else(Answer::Unreachable, Answer::Found),
        300..400 => {
            let to = fetched.head.field("location");
            let own = Url::parse(url).ok();
            let to = to.and_then(|to| own?.join(encoded(to).trim()).ok());
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

/// Why there is no answer, where only a part of one has come: what it lacks may forbid what it seems to
/// allow.
const CUT_OFF: &str = "answers that are cut off";

/// The content of a response, decompressed; what is beyond the limit is left out.
fn content(fetched: &mut Fetched) -> Result<Vec<u8>, &'static str> {
    use std::io::Read;
    if matches!(fetched.ending, Ending::Time | Ending::Disconnect) {
        return Err(CUT_OFF);
    }
    let body = std::mem::take(&mut fetched.body);
    let coding = fetched.head.field("content-encoding").unwrap_or(b"");
    let coding = coding.trim_ascii().to_ascii_lowercase();
    match coding.as_slice() {
        b"gzip" | b"x-gzip" => {}
        b"" | b"identity" => return Ok(body),
        _ => return Err("answers in an encoding that was not asked for"),
    }
    // Some servers name an encoding and send plain text.
    if !body.starts_with(&[0x1f, 0x8b]) {
        return Ok(body);
    }
    let mut whole = Vec::new();
    let mut reader = flate2::read::MultiGzDecoder::new(body.as_slice()).take(MAX_ROBOTS);
    match reader.read_to_end(&mut whole) {
        Err(_) if fetched.ending != Ending::Length => Err(CUT_OFF),
        _ => Ok(whole),
    }
}

#[cfg(test)]
mod tests {
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
            is_kept: false,
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
    fn what_is_cut_off_allows_nothing() {
        use std::io::Write;
        let of = |ending, coding: Option<&str>, body: &[u8]| {
            let mut fetched = fetched(200, None, "").unwrap();
            let coding = coding.map(|it| ("content-encoding".to_owned(), it.as_bytes().to_vec()));
            fetched.head.fields.extend(coding);
            (fetched.ending, fetched.body) = (ending, body.to_vec());
            answer("http://a.test/robots.txt", Ok(fetched))
        };
        let cut_off = Answer::Unreachable(CUT_OFF);
        let text = b"User-agent: *\nDisallow: /private\n".repeat(100);
        for ending in [Ending::Time, Ending::Disconnect] {
            assert_eq!(of(ending, None, &text), cut_off);
        }
        let whole = Answer::Found(text.clone());
        // RFC 9309 limits how much is read.
        for ending in [Ending::Whole, Ending::Length] {
            assert_eq!(of(ending, None, &text), whole);
        }
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        packed.write_all(&text).unwrap();
        let packed = packed.finish().unwrap();
        assert_eq!(of(Ending::Whole, Some(" GZIP"), &packed), whole);
        let half = &packed[..packed.len() / 2];
        assert_eq!(of(Ending::Whole, Some("gzip"), half), cut_off);
        assert!(matches!(
            of(Ending::Length, Some("gzip"), half),
            Answer::Found(_)
        ));
        assert_eq!(of(Ending::Whole, Some("gzip"), &text), whole);
        assert!(matches!(
            of(Ending::Whole, Some("br"), &text),
            Answer::Unreachable(_)
        ));
        assert_eq!(
            answer("http://a.test/robots.txt", fetched(206, None, "x")),
            cut_off
        );
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
