//! The entries of the tables, as bytes.

/// A URL on its way through the sieve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::crawler) struct Offer {
    pub(in crate::crawler) depth: u32,
    /// How many redirects led to it.
    pub(in crate::crawler) hops: u8,
    /// URLs of a host with less come first.
    pub(in crate::crawler) rank: u32,
    pub(in crate::crawler) url: String,
}

/// A URL that waits for its host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::crawler) struct Waiting {
    pub(in crate::crawler) host: u64,
    pub(in crate::crawler) number: u64,
    pub(in crate::crawler) tries: u8,
    pub(in crate::crawler) offer: Offer,
}

/// A message of an agent to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::crawler) enum Message {
    /// A URL of a host of the other.
    Url(Offer),
    /// A seed redirects to this site.
    Site(String),
}

impl Message {
    pub(in crate::crawler) fn encoded(&self) -> Vec<u8> {
        match self {
            Message::Url(offer) => [&[0], offer.encoded().as_slice()].concat(),
            Message::Site(site) => [&[1], site.as_bytes()].concat(),
        }
    }

    pub(in crate::crawler) fn decoded(bytes: &[u8]) -> Option<Self> {
        match bytes.split_first()? {
            (0, offer) => Offer::decoded(offer).map(Message::Url),
            (1, site) => Some(Message::Site(std::str::from_utf8(site).ok()?.to_owned())),
            _ => None,
        }
    }
}

impl Offer {
    pub(super) fn encoded(&self) -> Vec<u8> {
        let mut bytes = self.depth.to_le_bytes().to_vec();
        bytes.extend_from_slice(&self.rank.to_le_bytes());
        bytes.push(self.hops);
        bytes.extend_from_slice(self.url.as_bytes());
        bytes
    }

    pub(super) fn decoded(bytes: &[u8]) -> Option<Self> {
        let (depth, rest) = bytes.split_first_chunk()?;
        let (rank, rest) = rest.split_first_chunk()?;
        let (hops, url) = rest.split_first()?;
        Some(Offer {
            depth: u32::from_le_bytes(*depth),
            rank: u32::from_le_bytes(*rank),
            hops: *hops,
            url: std::str::from_utf8(url).ok()?.to_owned(),
        })
    }
}

impl Waiting {
    pub(super) fn encoded(&self) -> Vec<u8> {
        let mut bytes = self.offer.depth.to_le_bytes().to_vec();
        bytes.extend_from_slice(&[self.offer.hops, self.tries]);
        bytes.extend_from_slice(self.offer.url.as_bytes());
        bytes
    }

    pub(super) fn decoded((host, rank, number): (u64, u32, u64), value: &[u8]) -> Option<Self> {
        let (depth, rest) = value.split_first_chunk()?;
        let ([hops, tries], url) = rest.split_first_chunk()?;
        Some(Waiting {
            host,
            number,
            tries: *tries,
            offer: Offer {
                depth: u32::from_le_bytes(*depth),
                rank,
                hops: *hops,
                url: std::str::from_utf8(url).ok()?.to_owned(),
            },
        })
    }
}
