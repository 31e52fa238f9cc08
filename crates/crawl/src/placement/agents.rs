//! Sets of agents.

use std::collections::BTreeMap;
use webrank_base::error::{Error, Result};

/// The largest weight: work and memory grow with weights.
pub const MAX_WEIGHT: u32 = 1 << 10;

/// The largest number of agents, with their weights: placements hold something for each.
const MAX_TOTAL: u64 = 1 << 20;

/// A machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Agent {
    /// Its number, which it keeps while others come and go.
    pub number: u32,
    /// Its share of the keys is in proportion to this.
    pub weight: u32,
}

/// A set of agents with different numbers; there is at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agents(BTreeMap<u32, u32>);

impl Agents {
    /// # Errors
    /// If there is none; if two have the same number; if a weight is 0 or larger than [`MAX_WEIGHT`];
    /// if all weights are more than 2^20.
    pub fn new(agents: impl IntoIterator<Item = Agent>) -> Result<Self> {
        let (mut set, mut total) = (BTreeMap::new(), 0);
        for Agent { number, weight } in agents {
            if !(1..=MAX_WEIGHT).contains(&weight) {
                let remedy = format!("it must be at least 1 and at most {MAX_WEIGHT}");
                return Err(Error::argument("weight of an agent", weight, remedy));
            }
            if set.insert(number, weight).is_some() {
                let remedy = "each agent has a number of its own";
                return Err(Error::argument("agent", number, remedy));
            }
            total += u64::from(weight);
            if total > MAX_TOTAL {
                let remedy = format!("the weights of all agents must be at most {MAX_TOTAL}");
                return Err(Error::argument("weights of agents", total, remedy));
            }
        }
        if set.is_empty() {
            return Err(Error::argument("agents", "none", "name at least one"));
        }
        Ok(Agents(set))
    }

    /// The agents 0, 1, ... `count` - 1, with weight 1.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub fn equal(count: u32) -> Result<Self> {
        Agents::new((0..count).map(|number| Agent { number, weight: 1 }))
    }

    /// These agents and another one.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub fn with(&self, agent: Agent) -> Result<Self> {
        Agents::new(self.iter().chain([agent]))
    }

    /// These agents without the one with this number, if it is there.
    ///
    /// # Errors
    /// If it was the only one.
    pub fn without(&self, number: u32) -> Result<Self> {
        Agents::new(self.iter().filter(|agent| agent.number != number))
    }

    /// All agents, by number.
    pub fn iter(&self) -> impl Iterator<Item = Agent> {
        let agents = self.0.iter();
        agents.map(|(&number, &weight)| Agent { number, weight })
    }

    /// Every agent as often as it weighs, with a number that tells these apart.
    pub(super) fn units(&self) -> impl Iterator<Item = (u32, u64)> {
        self.iter().flat_map(|agent| {
            let units = 0..u64::from(agent.weight);
            units.map(move |unit| (agent.number, u64::from(agent.number) << 32 | unit))
        })
    }

    /// The sum of the weights.
    pub fn total(&self) -> u64 {
        self.iter().map(|agent| u64::from(agent.weight)).sum()
    }
}
