//! Near-duplicates: pairs by tables and by brute force, single queries, numbers of tables.
//!
//!     cargo bench --bench near                      # a million fingerprints
//!     cargo bench --bench near -- 10000000
//!     cargo bench --bench near -- 1000000 whole     # brute force over all rows: minutes
//!
//! Fingerprints are random, and one in ten has a neighbour at a distance of 1 to 6. Brute force compares
//! some rows with all fingerprints, unless it is to compare all; its pairs must be those by tables.

use rayon::prelude::*;
use std::time::Instant;
use webrank_base::memory::peak_memory;
use webrank_base::progress::Silent;
use webrank_crawl::near::{Index, NearDuplicates, TAU, distance, num_tables};
use xxhash_rust::xxh3::xxh3_64;

const DISTANCE: u32 = 3;
/// How often brute force compares two fingerprints, unless it is to compare all.
const COMPARISONS: usize = 10_000_000_000;
const QUERIES: usize = 100_000;

fn main() -> Result<(), webrank_base::error::Error> {
    let given = std::env::args().skip(1);
    let given: Vec<String> = given.filter(|one| !one.starts_with("--")).collect();
    let count = given.first().and_then(|count| count.parse().ok());
    let count: usize = count.unwrap_or(1_000_000);
    let rows = match given.iter().any(|one| one == "whole") {
        true => count,
        false => (COMPARISONS / count.max(1)).min(count),
    };
    let fingerprints = planted(count);
    pairs(&fingerprints, rows)?;
    queries(&fingerprints)?;
    tables();
    Ok(())
}

/// Random fingerprints, of which one in ten is near the one before it.
fn planted(count: usize) -> Vec<u64> {
    let random = |i: usize| xxh3_64(&i.to_le_bytes());
    let one = |i: usize| {
        if i % 10 != 1 {
            return random(i);
        }
        let mut draws = (1..).map(|draw| random(count + 10 * i + draw));
        let flips = 1 + draws.next().unwrap_or(0) % 6;
        let bits = draws.take(flips as usize).map(|draw| 1 << (draw % 64));
        bits.fold(random(i - 1), |word: u64, bit: u64| word ^ bit)
    };
    (0..count).map(one).collect()
}

fn pairs(fingerprints: &[u64], rows: usize) -> Result<(), webrank_base::error::Error> {
    let count = fingerprints.len();
    println!(
        "{count} fingerprints, distance {DISTANCE}, {} threads",
        rayon::current_num_threads()
    );
    let start = Instant::now();
    let duplicates = NearDuplicates::of(fingerprints, false)?;
    let sorted = start.elapsed().as_secs_f64();
    let found = duplicates.pairs(DISTANCE, &Silent)?;
    let by_tables = start.elapsed().as_secs_f64();
    println!(
        "by tables: {by_tables:.2} s, of which {sorted:.2} to sort; {} pairs",
        found.len()
    );
    let bytes = peak_memory().unwrap_or(0) as f64 / count as f64;
    println!("memory: {bytes:.0} bytes a fingerprint, the process and the pairs included");
    let start = Instant::now();
    let clusters = duplicates.clusters(DISTANCE, &Silent)?;
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "clusters: {seconds:.2} s more; {} of {} nodes",
        clusters.len(),
        clusters.num_nodes()
    );
    let start = Instant::now();
    let brute = (0..rows).into_par_iter().map(|i| {
        let others = fingerprints[i + 1..].iter();
        let near = others.filter(|&&other| distance(fingerprints[i], other) <= DISTANCE);
        near.count()
    });
    let expected: usize = brute.sum();
    let seconds = start.elapsed().as_secs_f64();
    let share: f64 = (0..rows).map(|i| (count - 1 - i) as f64).sum();
    let whole = count as f64 * (count - 1) as f64 / 2.0;
    println!(
        "brute force: {seconds:.2} s for {rows} rows, {:.0} s for all",
        seconds * whole / share
    );
    // All pairs that are found are near, so as many are the same.
    let near = found.iter().all(|pair| {
        let [a, b] = [pair.first, pair.second].map(|node| fingerprints[node as usize]);
        pair.first < pair.second && distance(a, b) == pair.distance && pair.distance <= DISTANCE
    });
    let different = found.windows(2).all(|pair| pair[0] < pair[1]);
    let of_rows = found
        .iter()
        .filter(|pair| (pair.first as usize) < rows)
        .count();
    assert!(
        near && different && of_rows == expected,
        "{of_rows} pairs, not {expected}"
    );
    println!("recall {of_rows}/{expected}, precision {of_rows}/{of_rows}\n");
    Ok(())
}

fn queries(fingerprints: &[u64]) -> Result<(), webrank_base::error::Error> {
    let count = fingerprints.len() as f64;
    println!("| tau | tables | bytes a fingerprint | of 8 bytes a table | build s | us a query |");
    println!("|---:|---:|---:|---:|---:|---:|");
    for tau in [4.0, TAU] {
        let start = Instant::now();
        let index = Index::new(fingerprints, DISTANCE, tau, &Silent)?;
        let build = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let step = (fingerprints.len() / QUERIES).max(1);
        let queries = fingerprints.iter().step_by(step);
        let asked = queries.len();
        let found: usize = queries.map(|&query| index.near(query).len()).sum();
        let us = start.elapsed().as_secs_f64() * 1e6 / asked as f64;
        assert!(found >= asked, "each finds itself");
        let bytes = index.memory() as f64 / count;
        let tables = index.num_tables();
        let share = 100.0 * bytes / (8 * tables) as f64;
        println!("| {tau} | {tables} | {bytes:.1} | {share:.0}% | {build:.2} | {us:.1} |");
    }
    println!();
    Ok(())
}

fn tables() {
    println!("X(64, k, d) for tau = {TAU}\n");
    let ds = 20..=34;
    let head: String = ds.clone().map(|d| format!(" {d} |")).collect();
    println!("| k \\ d |{head}\n|---:|{}", "---:|".repeat(15));
    for k in 1..=5 {
        let row = ds.clone().map(|d| num_tables(64.0, k, f64::from(d), TAU));
        let row: String = row.map(|tables| format!(" {tables} |")).collect();
        println!("| {k} |{row}");
    }
}
