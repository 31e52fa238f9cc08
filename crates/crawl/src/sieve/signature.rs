//! Signatures: 64 or 128 bits for a URL, by SipHash-1-3.

use siphasher::sip128::SipHasher13;
use std::hash::{BuildHasher, RandomState};

/// Makes signatures.
#[derive(Debug, Clone)]
pub(crate) struct Signer {
    hasher: SipHasher13,
    keys: [u64; 2],
}

impl Signer {
    pub(crate) fn with_keys(keys: [u64; 2]) -> Self {
        Signer {
            hasher: SipHasher13::new_with_keys(keys[0], keys[1]),
            keys,
        }
    }

    /// Keys that nobody knows before.
    pub(crate) fn random() -> Self {
        Self::with_keys([0, 1].map(|half: u64| RandomState::new().hash_one(half)))
    }

    pub(crate) fn keys(&self) -> [u64; 2] {
        self.keys
    }

    pub(crate) fn of_64_bits(&self, url: &str) -> u64 {
        self.hasher.hash(url.as_bytes()).h1
    }

    pub(crate) fn of_128_bits(&self, url: &str) -> u128 {
        self.of_bytes(url.as_bytes())
    }

    pub(crate) fn of_bytes(&self, bytes: &[u8]) -> u128 {
        self.hasher.hash(bytes).as_u128()
    }
}
