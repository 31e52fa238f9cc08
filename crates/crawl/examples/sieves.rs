//! Sieves beside each other: `cargo run --release --example sieves [URLS] [MEMORY_IN_MIB] [SIEVE]`, all or
//! one.
//!
//! A stream of URLs, of which 42% were seen before, as links of a crawl repeat each other. Prints, for
//! each sieve, URLs a second by one thread, bytes read and written for each URL, and memory. All but the
//! Bloom filter must give the same URLs.

use std::time::Instant;
use webrank_base::error::Result;
use webrank_crawl::sieve;
use webrank_crawl::sieve::{SieveKind, UrlSink};
use xxhash_rust::xxh3::Xxh3;

/// Takes URLs as a checksum.
#[derive(Default)]
struct Sum {
    hasher: Xxh3,
    given: u64,
}

impl UrlSink for Sum {
    fn give(&mut self, arrival: u64, url: &str) -> Result<()> {
        self.hasher.update(&arrival.to_le_bytes());
        self.hasher.update(url.as_bytes());
        self.given += 1;
        Ok(())
    }

    fn mark(&mut self) -> Result<u64> {
        Ok(self.given)
    }

    fn cut(&mut self, _mark: u64) -> Result<()> {
        Ok(())
    }
}

/// The number of the URL at a place of the stream: 4 of 10 are the place itself, which is new; the others
/// are drawn from the numbers below, early ones more often, and a number that was not drawn before is new,
/// too. 58% of all are new, as the sum of what comes out shows.
fn number(place: u64) -> u64 {
    let mut mixed = place.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed ^= mixed >> 27;
    if mixed % 10 < 4 {
        return place;
    }
    let fraction = (mixed >> 11) as f64 / (1u64 << 53) as f64;
    (place as f64 * fraction * fraction) as u64
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let mut argument = |default: u64| {
        let given = arguments.next().and_then(|text| text.parse().ok());
        given.unwrap_or(default)
    };
    let (urls, memory) = (argument(2_000_000), argument(16) << 20);
    let only = std::env::args().nth(3);
    println!("{urls} URLs, {} MiB", memory >> 20);
    println!("| sieve | URLs/s | read, bytes/URL | written, bytes/URL | memory, MB | lost |");
    println!("|---|---:|---:|---:|---:|---:|");
    let mut expected = None;
    for kind in [
        SieveKind::Memory,
        SieveKind::Offline,
        SieveKind::Mercator,
        SieveKind::Store,
        SieveKind::Lsm,
        SieveKind::Bloom,
    ] {
        let name = format!("{kind:?}").to_lowercase();
        if only.as_ref().is_some_and(|only| *only != name) {
            continue;
        }
        let folder = tempfile::tempdir().expect("a folder for temporary files");
        let mut out = Sum::default();
        let mut sieve = sieve::open((kind, None), folder.path(), memory, &mut out)?;
        let start = Instant::now();
        let mut url = String::new();
        for place in 0..urls {
            use std::fmt::Write;
            let number = number(place);
            url.clear();
            let host = number % 9973;
            let written = write!(
                url,
                "https://www.host{host}.example.org/pages/{number}.html"
            );
            written.expect("a string takes all");
            sieve.take(&url, &mut out)?;
        }
        sieve.flush(&mut out)?;
        let seconds = start.elapsed().as_secs_f64();
        let account = sieve.account();
        let sum = out.hasher.digest128();
        if expected.is_none() {
            println!("{} of {urls} URLs are new", out.given);
        }
        let expected = *expected.get_or_insert(sum);
        assert!(
            kind == SieveKind::Bloom || sum == expected,
            "{kind:?} gives other URLs"
        );
        println!(
            "| {kind:?} | {:.0} | {:.0} | {:.0} | {:.1} | {:.3e} |",
            urls as f64 / seconds,
            account.bytes_read as f64 / urls as f64,
            account.bytes_written as f64 / urls as f64,
            account.memory as f64 / 1e6,
            account.lost
        );
    }
    Ok(())
}
