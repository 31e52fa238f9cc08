//! Random permutation: each key has a random order of all agents that there may ever be, and belongs
//! to the first one that is there.
//!
//! Each of the agents that are there is as likely to be first as any other. A new agent is before all
//! others for some keys, and the order of the others stays. The largest number of agents is fixed from
//! the start; orders are drawn as far as needed, slots / agents steps on average.

use super::{Agents, Placement, hash};
use webrank_base::error::{Error, Result};

/// See the [module](super).
#[derive(Debug, Clone)]
pub struct RandomPermutation {
    /// The agent at each slot, if it is there.
    slots: Vec<Option<u32>>,
}

/// The slots by default.
const SLOTS: u32 = 1 << 10;

impl RandomPermutation {
    /// With room for agents with numbers below `agents_at_most`, each of at most so large a weight: a
    /// slot for each unit of weight.
    ///
    /// # Errors
    /// If an agent has a larger number or weight; if these are more than 2^24 slots.
    pub fn with_weights(agents: &Agents, agents_at_most: u32, max_weight: u32) -> Result<Self> {
        let count = u64::from(agents_at_most) * u64::from(max_weight);
        if count > MAX_SLOTS {
            let remedy = format!("there may be {MAX_SLOTS} slots");
            return Err(Error::argument("slots of agents", count, remedy));
        }
        let mut slots = vec![None; count as usize];
        for agent in agents.iter() {
            if agent.number >= agents_at_most {
                let remedy = format!("numbers must be below {agents_at_most}, the room for agents");
                return Err(Error::argument("agent", agent.number, remedy));
            }
            if agent.weight > max_weight {
                let remedy = format!("there is room for a weight of {max_weight}");
                return Err(Error::argument("weight of an agent", agent.weight, remedy));
            }
            let first = agent.number as usize * max_weight as usize;
            slots[first..first + agent.weight as usize].fill(Some(agent.number));
        }
        Ok(RandomPermutation { slots })
    }
}

/// More slots than this are refused.
const MAX_SLOTS: u64 = 1 << 24;

impl Placement for RandomPermutation {
    /// With room for 1024 agents, of the largest weight that there is now: a heavier one needs
    /// [`with_weights`](Self::with_weights) from the start.
    fn new(agents: &Agents) -> Result<Self> {
        let heaviest = agents.iter().map(|agent| agent.weight).max();
        RandomPermutation::with_weights(agents, SLOTS, heaviest.unwrap_or(1))
    }

    fn agent_of(&self, key: u64) -> u32 {
        // The shuffle of Fisher and Yates, as far as needed.
        let mut order: Vec<u32> = (0..self.slots.len() as u32).collect();
        for drawn in 0..order.len() {
            let left = (order.len() - drawn) as u64;
            // The upper half of a product is uniform but for 2^-40.
            let draw = u128::from(hash(key, drawn as u64)) * u128::from(left);
            order.swap(drawn, drawn + (draw >> 64) as usize);
            if let Some(agent) = self.slots[order[drawn] as usize] {
                return agent;
            }
        }
        // There is an agent, so it was found.
        0
    }
}
