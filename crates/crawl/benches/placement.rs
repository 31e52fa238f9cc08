//! Placement of keys on agents: balance, keys that move, and time.
//!
//!     cargo bench --bench placement
//!
//! For 3 to 1,000 agents of weight 1, and a million keys: how far the share of the fullest and of the
//! emptiest agent are from 1 / P; the share of keys that moves when an agent is added, times P + 1; the
//! time of a key. Not one key moves between agents that were there before.

use std::time::Instant;
use webrank_crawl::placement::{
    Agent, Agents, ConsistentHashing, MinHashing, Placement, RandomPermutation,
};

const KEYS: u64 = 1_000_000;

fn main() -> Result<(), webrank_base::error::Error> {
    println!("| placement | agents | emptiest | fullest | moved x (P + 1) | ns a key |");
    println!("|---|---:|---:|---:|---:|---:|");
    for count in [3, 10, 30, 100, 300, 1000] {
        measure::<RandomPermutation>("random permutation of 1,024", count)?;
        measure::<MinHashing>("min hashing", count)?;
        measure::<ConsistentHashing>("consistent hashing, 200 points", count)?;
    }
    Ok(())
}

fn measure<P: Placement>(name: &str, count: u32) -> Result<(), webrank_base::error::Error> {
    let agents = Agents::equal(count)?;
    let placement = P::new(&agents)?;
    let start = Instant::now();
    let places: Vec<u32> = (0..KEYS).map(|key| placement.agent_of(key)).collect();
    let ns = start.elapsed().as_secs_f64() * 1e9 / KEYS as f64;
    let mut counts = vec![0u64; count as usize];
    places.iter().for_each(|&agent| counts[agent as usize] += 1);
    let share = |keys: u64| keys as f64 / KEYS as f64;
    let relative = |keys: u64| 100.0 * (share(keys) * f64::from(count) - 1.0);
    let more = agents.with(Agent {
        number: count,
        weight: 1,
    })?;
    let more = P::new(&more)?;
    let mut moved = 0;
    for (key, &before) in (0..KEYS).zip(&places) {
        let after = more.agent_of(key);
        if after != before {
            assert_eq!(after, count, "a key moved between old agents");
            moved += 1;
        }
    }
    let moved = share(moved) * f64::from(count + 1);
    let emptiest = counts.iter().copied().min().unwrap_or(0);
    let fullest = counts.iter().copied().max().unwrap_or(0);
    println!(
        "| {name} | {count} | {:+.1}% | {:+.1}% | {moved:.3} | {ns:.0} |",
        relative(emptiest),
        relative(fullest)
    );
    Ok(())
}
