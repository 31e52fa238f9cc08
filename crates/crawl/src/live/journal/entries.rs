//! What the tables hold, as bytes.

/// A URL on its way through the sieve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::live) struct Offer {
    pub(in crate::live) depth: u32,
    /// How many redirects led to it.
    pub(in crate::live) hops: u8,
    pub(in crate::live) url: String,
}

/// A URL that waits for its host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::live) struct Waiting {
    pub(in crate::live) host: u64,
    pub(in crate::live) number: u64,
    pub(in crate::live) tries: u8,
    pub(in crate::live) offer: Offer,
}

impl Offer {
    pub(super) fn encoded(&self) -> Vec<u8> {
        let mut bytes = self.depth.to_le_bytes().to_vec();
        bytes.push(self.hops);
        bytes.extend_from_slice(self.url.as_bytes());
        bytes
    }

    pub(super) fn decoded(bytes: &[u8]) -> Option<Self> {
        let (depth, rest) = bytes.split_first_chunk()?;
        let (hops, url) = rest.split_first()?;
        Some(Offer {
            depth: u32::from_le_bytes(*depth),
            hops: *hops,
            url: std::str::from_utf8(url).ok()?.to_owned(),
        })
    }
}

impl Waiting {
    pub(super) fn decoded((host, depth, number): (u64, u32, u64), value: &[u8]) -> Option<Self> {
        let ([hops, tries], url) = value.split_first_chunk()?;
        Some(Waiting {
            host,
            number,
            tries: *tries,
            offer: Offer {
                depth,
                hops: *hops,
                url: std::str::from_utf8(url).ok()?.to_owned(),
            },
        })
    }
}
