//! Balance and contravariance.

use super::*;
use proptest::prelude::*;
use webrank_base::error::Result;

const KEYS: u64 = 10_000;

fn agents(numbers: &[u32]) -> Agents {
    let agents = numbers.iter().map(|&number| Agent { number, weight: 1 });
    Agents::new(agents).unwrap()
}

/// How many keys each agent has.
fn counts(placement: &impl Placement, agents: &Agents) -> Vec<(Agent, u64)> {
    let mut counts = std::collections::HashMap::new();
    for key in 0..KEYS {
        *counts.entry(placement.agent_of(key)).or_insert(0) += 1;
    }
    let all = agents.iter();
    all.map(|agent| (agent, counts.remove(&agent.number).unwrap_or(0)))
        .collect()
}

/// Each agent has its share of the keys, within six standard errors: those of the draw of the keys,
/// and of shares that vary by so much.
fn is_balanced<P: Placement>(agents: &Agents, variance_of_share: impl Fn(f64) -> f64) {
    let counts = counts(&P::new(agents).unwrap(), agents);
    assert_eq!(counts.iter().map(|&(_, count)| count).sum::<u64>(), KEYS);
    let total = agents.total() as f64;
    for (agent, count) in counts {
        let share = f64::from(agent.weight) / total;
        let variance = share * (1.0 - share) / KEYS as f64 + variance_of_share(share);
        let error = count as f64 / KEYS as f64 - share;
        assert!(error.abs() <= 6.0 * variance.sqrt(), "{agent:?}: {count}");
    }
}

/// No key moves between old agents, and the new one takes its share.
fn is_contravariant<P: Placement>(
    few: &Agents,
    new: Agent,
    variance_of_share: impl Fn(f64) -> f64,
) {
    let many = few.with(new).unwrap();
    let (before, after) = (P::new(few).unwrap(), P::new(&many).unwrap());
    let mut moved = 0;
    for key in 0..KEYS {
        let (from, to) = (before.agent_of(key), after.agent_of(key));
        if from != to {
            assert_eq!(to, new.number, "key {key} moved from {from}");
            moved += 1;
        }
    }
    let share = f64::from(new.weight) / many.total() as f64;
    let variance = share * (1.0 - share) / KEYS as f64 + variance_of_share(share);
    let error = f64::from(moved) / KEYS as f64 - share;
    assert!(error.abs() <= 6.0 * variance.sqrt(), "{moved} moved");
    // And back: when it is lost, only its keys move.
    assert_eq!(&many.without(new.number).unwrap(), few);
}

fn none(_: f64) -> f64 {
    0.0
}

/// The variance of a share of arcs between random points.
fn of_arcs(total: u64) -> impl Fn(f64) -> f64 {
    move |share| share * (1.0 - share) / (total * REPLICAS) as f64
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn keys_are_balanced_and_stay(
        weights in prop::collection::btree_map(0u32..1000, 1u32..=4, 1..12),
        new in 1000u32..1024,
    ) {
        let agents = weights.iter().map(|(&number, &weight)| Agent { number, weight });
        let agents = Agents::new(agents).unwrap();
        is_balanced::<MinHashing>(&agents, none);
        is_balanced::<RandomPermutation>(&agents, none);
        is_balanced::<ConsistentHashing>(&agents, of_arcs(agents.total()));
        let heaviest = weights.values().copied().max().unwrap();
        let new = Agent { number: new, weight: heaviest };
        let total = agents.total() + u64::from(heaviest);
        is_contravariant::<MinHashing>(&agents, new, none);
        is_contravariant::<RandomPermutation>(&agents, new, none);
        is_contravariant::<ConsistentHashing>(&agents, new, of_arcs(total));
    }
}

#[test]
fn a_hundred_agents_are_balanced() {
    let agents = Agents::equal(100).unwrap();
    is_balanced::<MinHashing>(&agents, none);
    is_balanced::<RandomPermutation>(&agents, none);
    is_balanced::<ConsistentHashing>(&agents, of_arcs(100));
}

#[test]
fn the_order_of_agents_does_not_matter() {
    let [one, other] = [agents(&[3, 1, 7]), agents(&[7, 3, 1])];
    fn same<P: Placement>(one: &Agents, other: &Agents) {
        let (one, other) = (P::new(one).unwrap(), P::new(other).unwrap());
        assert!((0..1000).all(|key| one.agent_of(key) == other.agent_of(key)));
    }
    same::<MinHashing>(&one, &other);
    same::<RandomPermutation>(&one, &other);
    same::<ConsistentHashing>(&one, &other);
}

#[test]
fn one_agent_has_all_keys() {
    let one = agents(&[5]);
    fn all<P: Placement>(one: &Agents) {
        let placement = P::new(one).unwrap();
        assert!(
            [0, 1, u64::MAX]
                .iter()
                .all(|&key| placement.agent_of(key) == 5)
        );
    }
    all::<MinHashing>(&one);
    all::<RandomPermutation>(&one);
    all::<ConsistentHashing>(&one);
}

/// A change of the hash would move all keys of a running system. By another implementation, in Python.
#[test]
fn placements_never_change() {
    let agents = Agents::equal(10).unwrap();
    fn first<P: Placement>(agents: &Agents) -> Vec<u32> {
        let placement = P::new(agents).unwrap();
        let hosts = [
            "example.org",
            "www.example.org",
            "unimi.it",
            "",
            "debian.org",
        ];
        hosts
            .iter()
            .map(|host| placement.agent_of(key(host)))
            .collect()
    }
    assert_eq!(first::<MinHashing>(&agents), [9, 1, 1, 2, 7]);
    assert_eq!(first::<RandomPermutation>(&agents), [4, 7, 6, 9, 1]);
    assert_eq!(first::<ConsistentHashing>(&agents), [4, 9, 3, 3, 9]);
}

#[test]
fn agents_that_cannot_be_placed_are_refused() {
    let problem = |result: Result<Agents>| result.unwrap_err().to_string();
    let agent = |number, weight| Agent { number, weight };
    for (agents, words) in [
        (vec![], "name at least one"),
        (vec![agent(1, 1), agent(1, 2)], "a number of its own"),
        (vec![agent(1, 0)], "at least 1"),
        (vec![agent(1, MAX_WEIGHT + 1)], "at most 1024"),
    ] {
        let problem = problem(Agents::new(agents));
        assert!(problem.contains(words), "{problem}");
    }
    assert!(problem(agents(&[1]).without(1)).contains("at least one"));
    let many = (0..2000).map(|number| agent(number, MAX_WEIGHT));
    assert!(problem(Agents::new(many)).contains("at most 1048576"));
    assert!(RandomPermutation::new(&agents(&[1024])).is_err());
    assert!(RandomPermutation::with_weights(&agents(&[0]), 1 << 20, 1 << 10).is_err());
    assert!(ConsistentHashing::with_replicas(&agents(&[0]), 1 << 40).is_err());
}
