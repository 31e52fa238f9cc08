//! Which URL of a host is asked for first.
//!
//! | priority | first |
//! |---|---|
//! | `breadth` | fewer links from a seed |
//! | `short` | fewer bytes of the URL |
//! | `offsite` | met on a page of another host, then fewer links from a seed |
//! | `words=A,B` | more of these words in the URL, then fewer links from a seed |
//!
//! Among equals, the one that was met first. A URL keeps the rank of its first sight. Hosts are asked when
//! their time has come, whatever their URLs.

use super::journal::Offer;
use super::scope;
use std::str::FromStr;
use url::Url;

/// Which URL of a host is asked for first: the one with the least rank.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Priority {
    /// By depth.
    #[default]
    Breadth,
    /// By length.
    Short,
    /// Links from other hosts first.
    Offsite,
    /// URLs with these words first, in lower case.
    Words(Vec<String>),
}

/// More words than this are refused: each URL is searched for all.
const MOST_WORDS: usize = 1000;

/// Ranks within a class are below.
const CLASS: u32 = 1 << 20;

impl Priority {
    /// The rank of a URL with a depth that was met on a page; seeds were met on none.
    pub(super) fn rank(&self, url: &str, depth: u32, from: Option<&Offer>) -> u32 {
        let depth = depth.min(CLASS - 1);
        match self {
            Priority::Breadth => depth,
            Priority::Short => url.len().min(CLASS as usize) as u32,
            Priority::Offsite => {
                let host = |url: &str| Url::parse(url).ok().and_then(|url| scope::host(&url));
                let is_own = from.is_some_and(|from| host(&from.url) == host(url));
                u32::from(is_own) * CLASS + depth
            }
            Priority::Words(words) => {
                let url = url.to_lowercase();
                let missing = words.iter().filter(|word| !url.contains(word.as_str()));
                missing.count() as u32 * CLASS + depth
            }
        }
    }
}

impl std::fmt::Display for Priority {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Priority::Breadth => out.write_str("breadth"),
            Priority::Short => out.write_str("short"),
            Priority::Offsite => out.write_str("offsite"),
            Priority::Words(words) => write!(out, "words={}", words.join(",")),
        }
    }
}

impl FromStr for Priority {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('=') {
            None if text == "breadth" => Ok(Priority::Breadth),
            None if text == "short" => Ok(Priority::Short),
            None if text == "offsite" => Ok(Priority::Offsite),
            Some(("words", words)) => {
                let words = words.split(',').map(|word| word.trim().to_lowercase());
                let words: Vec<String> = words.collect();
                match words.iter().any(String::is_empty) || words.len() > MOST_WORDS {
                    true => Err("write words=A,B with 1 to 1000 words"),
                    false => Ok(Priority::Words(words)),
                }
            }
            _ => Err("it is one of breadth, short, offsite, words=A,B"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priorities_are_read_and_written() {
        for text in ["breadth", "short", "offsite", "words=a,b c"] {
            assert_eq!(text.parse::<Priority>().unwrap().to_string(), text);
        }
        for text in ["", "words", "words=", "words=a,,b", "deep", "short=1"] {
            assert!(text.parse::<Priority>().is_err(), "{text}");
        }
    }

    #[test]
    fn ranks_are_those_of_the_definition() {
        let from = Offer {
            depth: 3,
            hops: 0,
            rank: 0,
            url: "http://a.test/x".into(),
        };
        let rank = |text: &str, url: &str, depth| {
            let priority: Priority = text.parse().unwrap();
            priority.rank(url, depth, Some(&from))
        };
        assert!(rank("breadth", "http://a.test/long", 1) < rank("breadth", "http://a.test/", 2));
        assert!(rank("short", "http://a.test/", 9) < rank("short", "http://a.test/long", 1));
        assert!(rank("offsite", "http://b.test/", 9) < rank("offsite", "http://A.test/", 1));
        assert!(rank("offsite", "http://a.test/", 1) < rank("offsite", "http://a.test/", 2));
        let words = "words=bee,ANT";
        assert!(rank(words, "http://a.test/Bee/ants", 9) < rank(words, "http://a.test/bees", 1));
        assert!(rank(words, "http://a.test/bees", 9) < rank(words, "http://a.test/", 1));
        assert!(rank("breadth", "http://a.test/", u32::MAX) < CLASS);
    }
}
