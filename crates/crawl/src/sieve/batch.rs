//! URLs that a sieve holds back, one after the other in a buffer.

use webrank_base::error::Result;
use webrank_base::memory::reserve;

/// URLs in the order of their arrival.
#[derive(Debug, Default)]
pub(super) struct Batch {
    text: Vec<u8>,
    ends: Vec<usize>,
}

/// The bytes beside its text that a URL takes in a batch and while it is sorted: where it ends, its
/// place in the order, and whether it is new.
pub(super) const BESIDE_TEXT: u64 = 8 + 4 + 1;

impl Batch {
    pub(super) fn push(&mut self, url: &str) -> Result<()> {
        reserve(&mut self.text, url.len(), "URLs of a sieve")?;
        reserve(&mut self.ends, 1, "URLs of a sieve")?;
        self.text.extend_from_slice(url.as_bytes());
        self.ends.push(self.text.len());
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The bytes that the URLs take in memory.
    pub(super) fn bytes(&self) -> u64 {
        self.text.len() as u64 + self.ends.len() as u64 * BESIDE_TEXT
    }

    pub(super) fn bytes_of(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[index]]
    }

    pub(super) fn url(&self, index: usize) -> &str {
        // Only strings are pushed.
        std::str::from_utf8(self.bytes_of(index)).unwrap_or_default()
    }

    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.ends.clear();
    }
}
