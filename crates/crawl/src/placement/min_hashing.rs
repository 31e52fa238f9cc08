//! Min hashing: a key belongs to the agent whose hash with it is the least.
//!
//! The hashes of a key are in random order, and each agent is as likely to be first as any other. A
//! new agent is first for some keys, and the order of the others stays. (Also known as rendezvous
//! hashing or highest random weight: Thaler and Ravishankar 1998.)

use super::{Agents, Placement, hash};
use webrank_base::error::Result;

/// See the [module](super).
#[derive(Debug, Clone)]
pub struct MinHashing(Vec<(u32, u64)>);

impl Placement for MinHashing {
    fn new(agents: &Agents) -> Result<Self> {
        Ok(MinHashing(agents.units().collect()))
    }

    fn agent_of(&self, key: u64) -> u32 {
        // Equal hashes go to the agent with the least number.
        let hashes = self.0.iter().map(|&(agent, unit)| (hash(unit, key), agent));
        hashes.min().map_or(0, |(_, agent)| agent)
    }
}
