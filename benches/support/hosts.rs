//! Names like those of hosts, from right to left and in order, the same everywhere.

use crate::webgen::Random;

/// The top-level domains in order, with how many of 100 domains each has.
const TOP: [(&str, u64); 12] = [
    ("au.com", 3),
    ("br.com", 4),
    ("com", 45),
    ("de", 10),
    ("fr", 4),
    ("it", 4),
    ("jp.co", 4),
    ("net", 7),
    ("nl", 4),
    ("org", 9),
    ("ru", 4),
    ("uk.co", 2),
];

/// Hosts of a domain beside itself, in order, and one in how many domains has each.
const PARTS: [(&str, u64); 7] = [
    ("api", 16),
    ("blog", 8),
    ("forum", 16),
    ("m", 8),
    ("mail", 8),
    ("shop", 8),
    ("www", 2),
];

const SYLLABLES: [&str; 16] = [
    "ba", "co", "del", "en", "fi", "gra", "ho", "in", "ka", "lo", "mar", "no", "pe", "ri", "sta",
    "tu",
];

/// Syllables in the name of a domain.
const LENGTH: u32 = 8;

/// About `count` names: a domain has two on average.
pub fn hosts(count: u64) -> impl Iterator<Item = String> {
    TOP.into_iter()
        .enumerate()
        .flat_map(move |(seed, (top, share))| {
            let domains = (count / 2 * share / 100).max(1);
            let labels = (SYLLABLES.len() as u64).pow(LENGTH);
            let (mut random, mut label) = (Random::new(seed as u64), 0);
            (0..domains).flat_map(move |_| {
                // Labels reach nine tenths of their range, so that none occurs again.
                label += 1 + random.below((9 * labels / (5 * domains)).saturating_sub(1).max(1));
                domain(top, label, &mut random)
            })
        })
}

/// The hosts of the domain with this number.
fn domain(top: &str, label: u64, random: &mut Random) -> Vec<String> {
    let place = |place| (label >> (4 * (LENGTH - 1 - place)) & 15) as usize;
    let name: String = (0..LENGTH).map(|i| SYLLABLES[place(i)]).collect();
    let domain = format!("{top}.{name}");
    let parts = PARTS.iter().filter(|(_, one_in)| random.once_in(*one_in));
    let parts: Vec<String> = parts.map(|(part, _)| format!("{domain}.{part}")).collect();
    [vec![domain], parts].concat()
}
