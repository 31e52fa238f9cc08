//! The sieve of a blocked Bloom filter, with double hashing, in layers.
//!
//! A URL belongs to one block of 512 bits, a line of the cache, by the first half of its 128-bit
//! signature. The second half gives a and an odd b; the URL has the bits a + x b mod 512 of its block,
//! x < k = 10. A URL all of whose bits are set is taken for seen: a false positive, which is lost.
//!
//! In a block with i URLs, a bit is set with probability u = 1 - (1 - k / 512)^i. The bits of another
//! URL are set by several with probability u^k; or one of the i covers all of them but m, as its bits
//! are the same with a shift by m steps: of the 2^17 pairs, 2 for m = 0 (b or -b) and 4 for each other
//! m. With j URLs to a block on average, i has Poisson's distribution, so that
//!
//! f(j) = sum over i of e^-j j^i / i! (1 - (1 - s)^i (1 - u^k)), s = 2^-16 (1 + 2 (u + ... + u^(k - 1))).
//!
//! A layer is full with 20 bits a URL (j = 25.6, f = 1.1e-3); then a layer four times as large is
//! added, so that no number need be known before, and a URL is looked for in all layers. When the memory
//! is used up, the last layer goes on filling; the account says how many URLs were lost on average.
//!
//! F. Putze, P. Sanders, J. Singler, Cache-, Hash- and Space-Efficient Bloom Filters, 2009; A. Kirsch,
//! M. Mitzenmacher, Less Hashing, Same Performance, 2008; P. Almeida et al., Scalable Bloom Filters,
//! 2007.

use super::signature::Signer;
use super::{Sieve, SieveStats, Sink};
use webrank_base::error::Result;
use webrank_base::memory::filled;

/// k.
const BITS_OF_URL: u32 = 10;

/// Bits in a block.
const BLOCK: u32 = 512;

/// A layer is full with so many bits a URL.
const BITS_PER_URL: u64 = 20;

/// The blocks of the first layer: 128 KiB.
const FIRST: u64 = 1 << 11;

pub(super) struct Bloom {
    signer: Signer,
    layers: Vec<Layer>,
    /// Blocks that may still be added.
    room: u64,
    taken: u64,
    given: u64,
    lost: f64,
    /// The probability of a false positive now, and the number given when it is computed again.
    rate: f64,
    again: u64,
}

struct Layer {
    blocks: Vec<[u64; 8]>,
    urls: u64,
}

impl Layer {
    fn of(blocks: u64) -> Result<Self> {
        Ok(Layer {
            blocks: filled([0; 8], blocks as usize, "a Bloom filter")?,
            urls: 0,
        })
    }

    fn is_full(&self) -> bool {
        self.urls * BITS_PER_URL >= self.blocks.len() as u64 * u64::from(BLOCK)
    }

    fn block(&self, signature: u128) -> usize {
        // The high half of a product of 64 bits: a place in the list, without a division.
        let half = signature as u64;
        ((u128::from(half) * self.blocks.len() as u128) >> 64) as usize
    }

    fn has(&self, signature: u128) -> bool {
        let block = &self.blocks[self.block(signature)];
        bits(signature).all(|bit| block[bit / 64] >> (bit % 64) & 1 == 1)
    }

    fn add(&mut self, signature: u128) {
        let block = self.block(signature);
        let block = &mut self.blocks[block];
        bits(signature).for_each(|bit| block[bit / 64] |= 1 << (bit % 64));
        self.urls += 1;
    }

    fn rate(&self) -> f64 {
        false_positives(self.urls as f64 / self.blocks.len() as f64)
    }
}

/// The bits of a URL in its block.
fn bits(signature: u128) -> impl Iterator<Item = usize> {
    let half = (signature >> 64) as u32;
    let (a, b) = (half, half >> 9 | 1);
    (0..BITS_OF_URL).map(move |i| (a.wrapping_add(i.wrapping_mul(b)) % BLOCK) as usize)
}

/// The probability f(j) of a false positive with `load` = j URLs to a block on average. O(j).
pub fn false_positives(load: f64) -> f64 {
    let last = (load + 12.0 * load.sqrt() + 20.0) as u64;
    let mut log_probability = -load;
    let mut sum = 0.0;
    for urls in 0..=last {
        if urls > 0 {
            log_probability += (load / urls as f64).ln();
        }
        let k = BITS_OF_URL as i32;
        let u = 1.0 - (1.0 - f64::from(BITS_OF_URL) / f64::from(BLOCK)).powf(urls as f64);
        let by_shifts: f64 = (1..k).map(|m| u.powi(m)).sum();
        let s = 0.5f64.powi(16) * (1.0 + 2.0 * by_shifts);
        let passes = (1.0 - s).powf(urls as f64) * (1.0 - u.powi(k));
        sum += log_probability.exp() * (1.0 - passes);
    }
    sum.clamp(0.0, 1.0)
}

impl Bloom {
    pub(super) fn new(memory: u64, out: &mut dyn Sink) -> Result<Self> {
        out.cut(0)?;
        let mut bloom = Bloom {
            signer: Signer::with_keys([0; 2]),
            layers: Vec::new(),
            room: memory / u64::from(BLOCK / 8),
            taken: 0,
            given: 0,
            lost: 0.0,
            rate: 0.0,
            again: 0,
        };
        bloom.grow(FIRST)?;
        Ok(bloom)
    }

    /// Adds a layer of so many blocks, or of those for which there is room.
    fn grow(&mut self, blocks: u64) -> Result<()> {
        let blocks = blocks.min(self.room);
        self.room -= blocks;
        self.layers.push(Layer::of(blocks)?);
        Ok(())
    }

    fn update_rate(&mut self) {
        let passes = self.layers.iter().map(|layer| 1.0 - layer.rate());
        self.rate = 1.0 - passes.product::<f64>();
        self.again = self.given + self.given / 128 + 1;
    }
}

impl Sieve for Bloom {
    fn take(&mut self, url: &str, out: &mut dyn Sink) -> Result<()> {
        let arrival = self.taken;
        self.taken += 1;
        let signature = self.signer.of_128_bits(url);
        // Most URLs are in the last layer, the largest.
        if self.layers.iter().rev().any(|layer| layer.has(signature)) {
            return Ok(());
        }
        let last = self
            .layers
            .last()
            .map(|layer| (layer.is_full(), layer.blocks.len()));
        if let Some((true, blocks)) = last
            && self.room > 0
        {
            self.grow(4 * blocks as u64)?;
        }
        if let Some(last) = self.layers.last_mut() {
            last.add(signature);
        }
        self.given += 1;
        // For each that is given, f / (1 - f) are lost on average.
        self.lost += self.rate / (1.0 - self.rate).max(f64::MIN_POSITIVE);
        if self.given >= self.again {
            self.update_rate();
        }
        out.give(arrival, url)
    }

    fn flush(&mut self, out: &mut dyn Sink) -> Result<()> {
        out.mark().map(drop)
    }

    fn taken(&self) -> u64 {
        0
    }

    fn account(&self) -> SieveStats {
        let blocks: u64 = self
            .layers
            .iter()
            .map(|layer| layer.blocks.len() as u64)
            .sum();
        SieveStats {
            taken: self.taken,
            given: self.given,
            memory: blocks * u64::from(BLOCK / 8),
            lost: self.lost,
            ..SieveStats::default()
        }
    }
}
