//! Which of several machines a key belongs to: a URL, a host, or a block of nodes.
//!
//! A machine is an [`Agent`]. Agents come and go, and nobody may have to ask the others, so an agent is
//! a function of the key and of the set of agents alone. A good one is *balanced*: every agent gets
//! its share of the keys; and *contravariant*: with more agents, no agent gets a key that it did not
//! have before, except the new ones. So if an agent is added to P equal ones, a share 1 / (P + 1) of
//! the keys moves, all to it; if it is lost, only its keys move.
//!
//! | placement | time of a key | share of a key's agent | memory |
//! |---|---|---|---|
//! | [`RandomPermutation`] | O(slots) | exact but for chance | 4 bytes a slot |
//! | [`MinHashing`] | O(agents) | exact but for chance | 16 bytes an agent |
//! | [`ConsistentHashing`] | O(log(agents x replicas)) | relative error 1 / sqrt(replicas) | 16 bytes a replica |
//!
//! An agent of weight w stands for w agents of weight 1. All numbers are integers, and the hash is
//! xxh3-64: placements are the same on all machines, and do not depend on the order in which agents
//! came.
//!
//! Source: Boldi, Codenotti, Santini and Vigna, "UbiCrawler: a scalable fully distributed web crawler",
//! Software: Practice and Experience 34 (2004), section 4.

mod agents;
mod consistent_hashing;
mod min_hashing;
mod random_permutation;

pub use agents::{Agent, Agents, MAX_WEIGHT};
pub use consistent_hashing::{ConsistentHashing, REPLICAS};
pub use min_hashing::MinHashing;
pub use random_permutation::RandomPermutation;

use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The seed of all hashes; another one makes other placements.
const KEY: u64 = 0x7765_6272_616e_6b32;

/// A function from keys to agents. Balanced and contravariant: see the [module](self).
pub trait Placement: Sized {
    /// The placement of keys on these agents.
    ///
    /// # Errors
    /// If the placement has no room for them.
    fn new(agents: &Agents) -> webrank_base::error::Result<Self>;

    /// The number of the agent that a key belongs to.
    fn agent_of(&self, key: u64) -> u32;
}

/// The key of a text, such as the host of a URL.
pub fn key(text: &str) -> u64 {
    xxh3_64_with_seed(text.as_bytes(), KEY)
}

/// A hash of two numbers.
fn hash(one: u64, other: u64) -> u64 {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&one.to_le_bytes());
    bytes[8..].copy_from_slice(&other.to_le_bytes());
    xxh3_64_with_seed(&bytes, KEY)
}

#[cfg(test)]
mod tests;
