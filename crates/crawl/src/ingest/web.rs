//! Which page a URL leads to: by redirects, and as a server of files would find it.

use super::mirror::Base;
use super::page_spool::{Crawled, grow};
use crate::sieve::Signer;
use std::borrow::Cow;
use std::collections::HashMap;
use webrank_base::error::Error;
use webrank_base::memory::reserve;

/// The URLs of a crawl, and where they lead.
pub(super) struct Web {
    pub(super) crawled: Crawled,
    pub(super) redirects: Leads,
    /// Where folders of HTML are, if there are any.
    pub(super) base: Option<Base>,
}

/// Where a URL leads.
pub(super) enum End<'a> {
    /// To a page that was fetched.
    Page(Cow<'a, str>),
    /// To something that was not.
    Elsewhere(&'a str),
    /// In a circle.
    Circle,
    /// Further than browsers follow.
    TooFar,
}

impl Web {
    /// Where a URL leads in the end.
    pub(super) fn end<'a>(&'a self, url: &'a str) -> End<'a> {
        let url = match self.follow(url) {
            Ok(url) => url,
            Err(Endless::Circle) => return End::Circle,
            Err(Endless::TooFar) => return End::TooFar,
        };
        if self.crawled.has(url) {
            return End::Page(url.into());
        }
        let names = self.base.as_ref().map(|base| base.names_of(url));
        let mut names = names.unwrap_or_default().into_iter();
        match names.find(|name| self.crawled.has(name)) {
            Some(name) => End::Page(name.into()),
            None => End::Elsewhere(url),
        }
    }

    /// Where a URL leads by way of URLs that are no pages.
    fn follow<'a>(&'a self, url: &'a str) -> Result<&'a str, Endless> {
        if self.redirects.is_empty() {
            return Ok(url);
        }
        let mut url = url;
        let mut passed = [0; HOPS + 1];
        for hop in 0..=HOPS {
            let signature = self.crawled.signer.of_128_bits(url);
            if self.crawled.urls.contains(&signature) {
                return Ok(url);
            }
            if passed[..hop].contains(&signature) {
                return Err(Endless::Circle);
            }
            passed[hop] = signature;
            match self.redirects.to(signature) {
                Some(next) => url = next,
                None => return Ok(url),
            }
        }
        // A circle may close with the last redirect.
        let signature = self.crawled.signer.of_128_bits(url);
        match passed.contains(&signature) {
            true => Err(Endless::Circle),
            false => Err(Endless::TooFar),
        }
    }
}

/// Why redirects lead nowhere.
enum Endless {
    Circle,
    TooFar,
}

/// Where URLs lead, in memory: 16 bytes, a place and the text of the target each.
#[derive(Default)]
pub(super) struct Leads {
    places: HashMap<u128, u64>,
    text: Vec<u8>,
}

/// Browsers follow so many redirects.
const HOPS: usize = 20;

impl Leads {
    /// Notes where a URL leads; of several places, the first counts, and true is returned.
    pub(super) fn push(&mut self, signer: &Signer, from: &str, to: &str) -> Result<bool, Error> {
        let signature = signer.of_128_bits(from);
        if self.places.contains_key(&signature) {
            return Ok(false);
        }
        if self.places.len() == self.places.capacity() {
            grow(self.places.len(), 33, |more| {
                self.places.try_reserve(more).is_ok()
            })?;
        }
        reserve(&mut self.text, to.len() + 4, "where URLs of a crawl lead")?;
        self.places.insert(signature, self.text.len() as u64);
        self.text.extend((to.len() as u32).to_le_bytes());
        self.text.extend_from_slice(to.as_bytes());
        Ok(true)
    }

    /// Where the URL with a signature leads.
    pub(super) fn to(&self, signature: u128) -> Option<&str> {
        let place = *self.places.get(&signature)? as usize;
        let (length, text) = self.text[place..].split_first_chunk::<4>()?;
        let text = text.get(..u32::from_le_bytes(*length) as usize)?;
        std::str::from_utf8(text).ok()
    }

    fn is_empty(&self) -> bool {
        self.places.is_empty()
    }
}
