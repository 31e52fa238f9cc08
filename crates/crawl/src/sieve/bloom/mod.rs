//! The sieve of a blocked Bloom filter, in layers.
//!
//! A URL belongs to one block of 512 bits, a line of the cache, by the first half of its 128-bit
//! signature. The second half gives k independent places in the block. A URL all of whose bits are set
//! is taken for seen: a false positive, which is lost.
//!
//! In a block with i URLs, X of 512 bits are set by k i throws. With q1 = (1 - 1/512)^(k i) and
//! q2 = (1 - 2/512)^(k i), X / 512 has the mean u = 1 - q1 and the variance
//! v = q1 / 512 + (1 - 1/512) q2 - q1^2, and another URL is a false positive with probability
//! E[(X / 512)^k], which is u^k + k (k - 1) / 2 u^(k - 2) v up to higher moments. With j URLs to a block
//! on average, i has Poisson's distribution, so that
//!
//! f(j) = sum over i of e^-j j^i / i! (u^k + k (k - 1) / 2 u^(k - 2) v).
//!
//! The load j counts the URLs that were offered to a layer, not those that it took: a URL that was lost
//! has set no bit, because all its bits were set, so the bits are those of all URLs offered. For each
//! one taken at the rate f, 1 / (1 - f) were offered on average.
//!
//! Without a goal, a layer is full with 20 bits a URL (k = 10, f = 2.0e-4; a filter without blocks would
//! reach 6.7e-5); then a layer four times as large is added, so that no number need be known before, and
//! a URL is looked for in all layers. When the memory is used up, the last layer goes on filling; the
//! account says how many URLs were lost on average. With a goal, a number of URLs and a rate, there is
//! one layer, with the least bits and the k that reach the rate.
//!
//! F. Putze, P. Sanders, J. Singler, Cache-, Hash- and Space-Efficient Bloom Filters, 2009; P. Almeida et
//! al., Scalable Bloom Filters, 2007.

#[cfg(test)]
mod tests;

use super::signature::Signer;
use super::{Sieve, SieveStats, UrlSink};
use webrank_base::error::{Error, Result};
use webrank_base::memory::filled;

/// k without a goal.
const BITS_OF_URL: u32 = 10;

/// k is at most this: two words have so many places of 9 bits.
const MOST_BITS_OF_URL: u32 = 14;

/// Bits in a block.
const BLOCK: u32 = 512;

/// A layer is full with so many bits a URL.
const BITS_PER_URL: f64 = 20.0;

/// The blocks of the first layer: 128 KiB.
const FIRST: u64 = 1 << 11;

/// The most bits a URL that a goal may ask for.
const MOST_BITS_PER_URL: f64 = 256.0;

/// A wanted number of URLs, and the rate of false positives with so many.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BloomGoal {
    /// How many different URLs there will be.
    pub urls: u64,
    /// The probability that another URL is then lost.
    pub loss: f64,
}

impl BloomGoal {
    /// The least bits a URL that reach the rate, and k. O(1).
    ///
    /// # Errors
    /// If the rate is not between 0 and 1, or if it takes more than 256 bits a URL.
    pub fn design(&self) -> Result<(f64, u32)> {
        let refuse = |remedy: &str| Err(Error::argument("loss", self.loss, remedy));
        if !(self.loss > 0.0 && self.loss < 1.0) {
            return refuse("a probability between 0 and 1, as in 1e-4");
        }
        let best = |bits: f64| {
            let rates =
                (1..=MOST_BITS_OF_URL).map(|k| (false_positives(f64::from(BLOCK) / bits, k), k));
            rates.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((1.0, 1))
        };
        if best(MOST_BITS_PER_URL).0 > self.loss {
            return refuse("more than 256 bits a URL: take an exact sieve");
        }
        let (mut low, mut high) = (1.0, MOST_BITS_PER_URL);
        while high - low > 0.01 {
            let middle = (low + high) / 2.0;
            match best(middle).0 > self.loss {
                true => low = middle,
                false => high = middle,
            }
        }
        Ok((high, best(high).1))
    }

    /// The bytes of the filter.
    ///
    /// # Errors
    /// As [`design`](Self::design).
    pub fn bytes(&self) -> Result<u64> {
        let (bits, _) = self.design()?;
        let blocks = (bits * self.urls.max(1) as f64 / f64::from(BLOCK)).ceil();
        Ok(blocks as u64 * u64::from(BLOCK / 8))
    }
}

pub(super) struct Bloom {
    signer: Signer,
    layers: Vec<Layer>,
    /// Blocks that may still be added.
    room: u64,
    bits_of_url: u32,
    taken: u64,
    given: u64,
    lost: f64,
    /// The probability of a false positive now, and the number given when it is computed again.
    rate: f64,
    again: u64,
}

pub(super) struct Layer {
    blocks: Vec<[u64; 8]>,
    bits_of_url: u32,
    /// How many URLs were offered: those taken, and on average those that were lost here.
    offered: f64,
    /// The probability of a false positive in this layer.
    rate: f64,
}

impl Layer {
    pub(super) fn of(blocks: u64, bits_of_url: u32) -> Result<Self> {
        Ok(Layer {
            blocks: filled([0; 8], blocks as usize, "a Bloom filter")?,
            bits_of_url,
            offered: 0.0,
            rate: 0.0,
        })
    }

    /// The bytes of its blocks.
    pub(super) fn bytes(&self) -> u64 {
        self.blocks.len() as u64 * u64::from(BLOCK / 8)
    }

    fn is_full(&self) -> bool {
        self.offered * BITS_PER_URL >= self.blocks.len() as f64 * f64::from(BLOCK)
    }

    fn block(&self, signature: u128) -> usize {
        // The high half of a product of 64 bits: a place in the list, without a division.
        let half = signature as u64;
        ((u128::from(half) * self.blocks.len() as u128) >> 64) as usize
    }

    pub(super) fn has(&self, signature: u128) -> bool {
        let block = &self.blocks[self.block(signature)];
        places(signature, self.bits_of_url).all(|bit| block[bit / 64] >> (bit % 64) & 1 == 1)
    }

    pub(super) fn add(&mut self, signature: u128) {
        let block = self.block(signature);
        let block = &mut self.blocks[block];
        places(signature, self.bits_of_url).for_each(|bit| block[bit / 64] |= 1 << (bit % 64));
        self.offered += 1.0 / (1.0 - self.rate).max(f64::MIN_POSITIVE);
    }

    fn update_rate(&mut self) {
        let load = self.offered / self.blocks.len() as f64;
        self.rate = false_positives(load, self.bits_of_url);
    }
}

/// The bits of a URL in its block: 7 places of 9 bits from the second half of the signature, and 7 from
/// its image under a bijection that mixes all bits (the finaliser of SplitMix64).
fn places(signature: u128, count: u32) -> impl Iterator<Item = usize> {
    let first = (signature >> 64) as u64;
    let mut second = (first ^ first >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    second = (second ^ second >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    second ^= second >> 31;
    (0..count).map(move |i| {
        let word = if i < 7 { first } else { second };
        (word >> (9 * (i % 7)) & u64::from(BLOCK - 1)) as usize
    })
}

/// The probability f(j) of a false positive with `load` = j URLs to a block on average, of which each has
/// `bits_of_url` = k bits. O(j).
pub fn false_positives(load: f64, bits_of_url: u32) -> f64 {
    let last = (load + 12.0 * load.sqrt() + 20.0) as u64;
    let (k, block) = (f64::from(bits_of_url), f64::from(BLOCK));
    let mut log_probability = -load;
    let mut sum = 0.0;
    for urls in 1..=last {
        log_probability += (load / urls as f64).ln();
        let throws = k * urls as f64;
        let q1 = (1.0 - 1.0 / block).powf(throws);
        let q2 = (1.0 - 2.0 / block).powf(throws);
        let u = 1.0 - q1;
        let v = q1 / block + (1.0 - 1.0 / block) * q2 - q1 * q1;
        let passes = u.powf(k) * (1.0 + k * (k - 1.0) / 2.0 * v / (u * u));
        sum += log_probability.exp() * passes.min(1.0);
    }
    sum.clamp(0.0, 1.0)
}

impl Bloom {
    /// A filter in layers, or one of the size that a goal needs, in so many bytes at most.
    pub(super) fn new(memory: u64, goal: Option<BloomGoal>, out: &mut dyn UrlSink) -> Result<Self> {
        out.cut(0)?;
        let mut bloom = Bloom {
            signer: Signer::with_keys([0; 2]),
            layers: Vec::new(),
            room: memory / u64::from(BLOCK / 8),
            bits_of_url: BITS_OF_URL,
            taken: 0,
            given: 0,
            lost: 0.0,
            rate: 0.0,
            again: 0,
        };
        let Some(goal) = goal else {
            bloom.grow(FIRST)?;
            return Ok(bloom);
        };
        bloom.bits_of_url = goal.design()?.1;
        bloom.room = goal.bytes()? / u64::from(BLOCK / 8);
        bloom.grow(bloom.room)?;
        Ok(bloom)
    }

    /// Adds a layer of so many blocks, or of those for which there is room.
    fn grow(&mut self, blocks: u64) -> Result<()> {
        let blocks = blocks.min(self.room);
        self.room -= blocks;
        self.layers.push(Layer::of(blocks, self.bits_of_url)?);
        Ok(())
    }

    fn update_rate(&mut self) {
        if let Some(last) = self.layers.last_mut() {
            last.update_rate();
        }
        let passes = self.layers.iter().map(|layer| 1.0 - layer.rate);
        self.rate = 1.0 - passes.product::<f64>();
        self.again = self.given + self.given / 512 + 1;
    }
}

impl Sieve for Bloom {
    fn take(&mut self, url: &str, out: &mut dyn UrlSink) -> Result<()> {
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
            self.update_rate();
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

    fn flush(&mut self, out: &mut dyn UrlSink) -> Result<()> {
        out.mark().map(drop)
    }

    fn taken(&self) -> u64 {
        0
    }

    fn account(&self) -> SieveStats {
        SieveStats {
            taken: self.taken,
            given: self.given,
            memory: self.layers.iter().map(Layer::bytes).sum(),
            lost: self.lost,
            ..SieveStats::default()
        }
    }
}
