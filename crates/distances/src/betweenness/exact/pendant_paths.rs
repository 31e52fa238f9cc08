//! Corrections for the sources of a search that hang in chains, where some sources are ends of
//! others' paths.
//!
//! A search stands for the roots of a class and for the chain nodes below them, whose only
//! successor is the next one up ([`crate::reduction::chains`]). With s(x) the number of sources in
//! the chain tree below and including x:
//!
//! * an end t of the search that is itself one of these nodes weighs s(t) less, since the sources
//!   below t meet it before the search begins;
//! * every path from a source u below x to an end beyond x runs through x. Beyond x are the nodes
//!   that the search reaches and the chain nodes above x, except x itself and the nodes between x
//!   and u, u included. So x is credited with
//!
//!     (s(x) - own(x)) (reached + depth(x) - returns(x)) - sum of s(u) over returned u below x
//!
//!   where own(x) is 1 if x is a source, returned are the nodes that the search reaches, and
//!   returns(x) counts those from the root to x.

use crate::reduction::Member;
use webrank_base::Node;

/// The members of one lane, chain nodes after the node they hang from.
pub(crate) struct ChainFamily {
    members: Vec<Member>,
    /// The index of the member that each member hangs from; its own index for roots.
    above: Vec<usize>,
    own: Vec<f64>,
    /// s(x).
    sources: Vec<f64>,
}

impl ChainFamily {
    /// Counts the sources below each member.
    pub fn new(members: Vec<Member>, is_source: impl Fn(Node) -> bool) -> Self {
        let mut path: Vec<usize> = Vec::new();
        let mut above = Vec::with_capacity(members.len());
        for (index, member) in members.iter().enumerate() {
            path.truncate(member.depth as usize);
            above.push(path.last().copied().unwrap_or(index));
            path.push(index);
        }
        let own: Vec<f64> = members
            .iter()
            .map(|member| is_source(member.node) as u32 as f64)
            .collect();
        let mut sources = own.clone();
        for index in (0..members.len()).rev() {
            if above[index] != index {
                sources[above[index]] += sources[index];
            }
        }
        ChainFamily {
            members,
            above,
            own,
            sources,
        }
    }

    /// Each member x with s(x).
    pub fn sources(&self) -> impl Iterator<Item = (Node, f64)> {
        let nodes = self.members.iter().map(|member| member.node);
        nodes.zip(self.sources.iter().copied())
    }

    /// The number of sources of all members together.
    pub fn weight(&self) -> f64 {
        self.own.iter().sum()
    }

    /// Calls `credit(x, amount)` for every member with sources below it. `reached` is the number of
    /// nodes that the search reaches, and `has_returned` says whether x is one of them.
    pub fn credits(
        &self,
        reached: u32,
        has_returned: impl Fn(Node) -> bool,
        mut credit: impl FnMut(Node, f64),
    ) {
        let returned: Vec<f64> = self
            .members
            .iter()
            .map(|member| has_returned(member.node) as u32 as f64)
            .collect();
        let mut returns = returned.clone();
        for (index, &above) in self.above.iter().enumerate() {
            if above != index {
                returns[index] += returns[above];
            }
        }
        // The sum of s(u) over returned u below each member.
        let mut inner = vec![0.0; self.members.len()];
        for (index, &above) in self.above.iter().enumerate().rev() {
            if above != index {
                inner[above] += inner[index] + returned[index] * self.sources[index];
            }
        }
        for (index, member) in self.members.iter().enumerate() {
            let below = self.sources[index] - self.own[index];
            if below > 0.0 {
                let beyond = reached as f64 + member.depth as f64 - returns[index];
                credit(member.node, below * beyond - inner[index]);
            }
        }
    }
}
