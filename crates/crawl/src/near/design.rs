//! How many tables, and which bits each of them has in front.
//!
//! The f bits are cut into r blocks. Two fingerprints that differ in at most k bits differ in at most
//! k blocks, so they agree in some r - k of them: one table for each choice of r - k blocks, with
//! these in front, finds all of them among the neighbours that agree in front. If the neighbours would
//! be too many, the other f k / r bits are cut again. Manku, Jain and Das Sarma, "Detecting
//! near-duplicates for web crawling", WWW 2007, section 3.
//!
//! * [`num_tables`]: the least number of tables, if they are all held at once, as for single queries;
//! * [`Plan`]: the blocks that take the least time, if a table is made, scanned and dropped.

use super::MAX_DISTANCE;

/// The number of tables X(f, k, d) for 2^d random fingerprints of f bits, such that a query for
/// fingerprints at a distance of at most k looks at 2^tau of them in each table:
///
/// X = 1 if d <= tau, otherwise the least over r > k of C(r, k) X(f k / r, k, d - (r - k) f / r).
///
/// tau is the same in all steps. Numbers of bits are fractions, as in the formula; a block has at least
/// one bit. Infinite if no number of tables is enough.
pub fn num_tables(f: f64, k: u32, d: f64, tau: f64) -> f64 {
    best_cuts(f, k, d, tau, f64::INFINITY).0
}

/// The numbers of blocks r, from the first cut to the last, that give [`num_tables`]; of equal ones,
/// those with the least r first.
pub fn cuts(f: f64, k: u32, d: f64, tau: f64) -> Vec<u32> {
    let mut cuts = best_cuts(f, k, d, tau, f64::INFINITY).1;
    cuts.reverse();
    cuts
}

/// The number of tables if it is less than `limit`, and the cuts, the last first.
fn best_cuts(f: f64, k: u32, d: f64, tau: f64, limit: f64) -> (f64, Vec<u32>) {
    if d <= tau {
        return (1.0, Vec::new());
    }
    let mut best = (f64::INFINITY, Vec::new());
    for r in k + 1..=f as u32 {
        let here = choices(r, k);
        // More blocks make more tables, whatever follows.
        let limit = limit.min(best.0);
        if here >= limit {
            break;
        }
        let front = f64::from(r - k) * f / f64::from(r);
        let (rest, mut cuts) = best_cuts(f - front, k, d - front, tau, limit / here);
        if here * rest < limit {
            cuts.push(r);
            best = (here * rest, cuts);
        }
    }
    best
}

/// C(n, k), the number of ways to choose k of n.
fn choices(n: u32, k: u32) -> f64 {
    // Each product is a binomial coefficient times an integer: the quotients are exact as long as they
    // are below 2^53, which more tables than fit anywhere are not.
    (0..k.min(n - k.min(n))).fold(1.0, |product, i| {
        product * f64::from(n - i) / f64::from(i + 1)
    })
}

/// The front of each table, as a set of bits, if the bits in `free` are cut into `blocks` blocks: all
/// choices of `blocks` - `k` of them, in a fixed order.
///
/// # Panics
/// If there are not more blocks than `k`, or fewer bits than blocks.
pub(super) fn fronts(free: u64, blocks: u32, k: u32) -> Vec<u64> {
    let bits = free.count_ones();
    assert!(
        k < blocks && blocks <= bits,
        "a block has a bit, and one is in front"
    );
    // The first blocks have a bit more, if they are not all equally long.
    let mut rest = free;
    let blocks = (0..blocks).map(|block| {
        let length = bits / blocks + u32::from(block < bits % blocks);
        let mut mask = 0;
        for _ in 0..length {
            mask |= 1 << (63 - rest.leading_zeros());
            rest &= !mask;
        }
        mask
    });
    let blocks: Vec<u64> = blocks.collect();
    let mut fronts = Vec::new();
    choose(&blocks, blocks.len() - k as usize, 0, &mut fronts);
    fronts
}

/// Adds the unions of `front` and any `count` of the `blocks`.
fn choose(blocks: &[u64], count: usize, front: u64, fronts: &mut Vec<u64>) {
    if count == 0 {
        fronts.push(front);
    } else if let Some((&first, rest)) = blocks.split_first()
        && blocks.len() >= count
    {
        choose(rest, count - 1, front | first, fronts);
        choose(rest, count, front, fronts);
    }
}

/// The time of a comparison, which is the unit; and of mapping and sorting a fingerprint, as measured.
const OF_SORTING: f64 = 60.0;

/// For each number of free bits and of fingerprints, whether to compare all, or into how many blocks
/// to cut.
///
/// The recursion is that of [`num_tables`], but what is least is the time: a fingerprint of a group of
/// 2^d is compared with 2^d / 2 others, or it is sorted once for each of C(r, k) tables, and what is
/// left of its groups there is done likewise.
pub(super) struct Plan {
    /// The comparisons that all of it costs, for each fingerprint of that many.
    costs: Vec<[f64; LOGARITHMS]>,
    /// By free bits and the logarithm of the number of fingerprints, rounded up; 0 for comparing all.
    blocks: Vec<[u8; LOGARITHMS]>,
}

/// There are fewer than 2^32 nodes.
const LOGARITHMS: usize = 33;

/// A cut into more blocks is never best.
const MAX_BLOCKS: u32 = 3 * MAX_DISTANCE;

impl Plan {
    pub(super) fn new(k: u32) -> Self {
        let mut blocks = vec![[0; LOGARITHMS]; 65];
        let mut costs = vec![[0.0; LOGARITHMS]; 65];
        for bits in 0..=64 {
            for d in 0..LOGARITHMS {
                // So many differ in so few bits.
                let pairs = (d as f64).min(bits as f64).exp2() / 2.0;
                let (mut cost, mut cut) = (pairs, 0);
                for r in k + 1..=(bits as u32).min(MAX_BLOCKS) {
                    let front = bits - fronts_rest(bits as u32, r, k) as usize;
                    let left = d.saturating_sub(front);
                    let with = choices(r, k) * (OF_SORTING + costs[bits - front][left]);
                    if with < cost {
                        (cost, cut) = (with, r as u8);
                    }
                }
                (costs[bits][d], blocks[bits][d]) = (cost, cut);
            }
        }
        Plan { costs, blocks }
    }

    /// The number of blocks for a group; none if all of it are to be compared.
    pub(super) fn blocks(&self, free: u64, count: usize) -> Option<u32> {
        match self.blocks[free.count_ones() as usize][logarithm(count)] {
            0 => None,
            blocks => Some(blocks.into()),
        }
    }

    /// About how many comparisons so many random fingerprints cost.
    pub(super) fn comparisons(&self, count: usize) -> f64 {
        self.costs[64][logarithm(count)] * count as f64
    }
}

/// The logarithm of a number of fingerprints, rounded up.
fn logarithm(count: usize) -> usize {
    let d = usize::BITS - count.saturating_sub(1).leading_zeros();
    (d as usize).min(LOGARITHMS - 1)
}

/// The most bits that are not in front of a table: those of the `k` longest of `r` blocks.
fn fronts_rest(bits: u32, r: u32, k: u32) -> u32 {
    k * (bits / r) + k.min(bits % r)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Section 3.1 of the paper: for 2^34 fingerprints of 64 bits and distances up to 3, 20 tables of
    /// which a query looks at 2^(34 - 32) fingerprints, 16 tables (4 blocks, and 4 of the rest) at
    /// 2^(34 - 28), 10 tables at 2^(34 - 25.6), and 4 at 2^(34 - 16).
    #[test]
    fn the_designs_of_the_paper_come_out() {
        for (tau, tables, by) in [
            (2.0, 20.0, &[6][..]),
            (5.0, 20.0, &[6]),
            (6.0, 16.0, &[4, 4]),
            (8.0, 16.0, &[4, 4]),
            (9.0, 10.0, &[5]),
            (17.0, 10.0, &[5]),
            (18.0, 4.0, &[4]),
            (34.0, 1.0, &[]),
        ] {
            assert_eq!(num_tables(64.0, 3, 34.0, tau), tables, "tau {tau}");
            assert_eq!(cuts(64.0, 3, 34.0, tau), by, "tau {tau}");
        }
    }

    /// X by the recursion alone, over all r.
    fn by_definition(f: f64, k: u32, d: f64, tau: f64, depth: u32) -> f64 {
        if d <= tau {
            return 1.0;
        }
        if depth == 0 {
            return f64::INFINITY;
        }
        let cut = |r: u32| {
            let front = f64::from(r - k) * f / f64::from(r);
            let rest = by_definition(f - front, k, d - front, tau, depth - 1);
            let choices = (0..k).fold(1.0, |c, i| c * f64::from(r - i) / f64::from(i + 1));
            choices * rest
        };
        (k + 1..=f as u32).map(cut).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn numbers_of_tables_are_as_defined() {
        for k in 1..=5 {
            for d in 20..=34 {
                for tau in [3.0, 8.0, 10.0, 16.0] {
                    let d = f64::from(d);
                    let expected = by_definition(64.0, k, d, tau, 3);
                    let found = num_tables(64.0, k, d, tau);
                    // Three cuts are enough for the formula but for a few.
                    assert!(found <= expected, "k {k} d {d} tau {tau}");
                    let cuts = cuts(64.0, k, d, tau);
                    if cuts.len() <= 3 {
                        assert_eq!(found, expected, "k {k} d {d} tau {tau}");
                    }
                }
            }
        }
    }

    /// The table for f = 64, k = 1..5, d = 20..34 with tau = 10, by exact fractions in another language.
    #[test]
    fn the_table_of_numbers() {
        let row = |k: u32| (20..=34).map(move |d| num_tables(64.0, k, f64::from(d), 10.0) as u64);
        for (k, expected) in (1..).zip(TABLE) {
            assert_eq!(row(k).collect::<Vec<_>>(), expected, "k {k}");
        }
    }

    const TABLE: [[u64; 15]; 5] = [
        [2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2],
        [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 6, 6, 6],
        [4, 4, 4, 4, 4, 4, 4, 10, 10, 10, 10, 10, 10, 10, 10],
        [5, 5, 5, 15, 15, 15, 15, 15, 15, 15, 15, 15, 25, 25, 35],
        [6, 21, 21, 21, 21, 21, 21, 21, 21, 36, 56, 56, 56, 56, 56],
    ];

    #[test]
    fn every_set_of_few_bits_misses_a_front() {
        for (free, blocks, k) in [
            (u64::MAX, 4, 3),
            (u64::MAX, 6, 3),
            (u64::MAX, 1, 0),
            (0x00ff_1234_5678_9abc, 5, 2),
            (0b111, 3, 2),
        ] {
            let fronts = fronts(free, blocks, k);
            assert_eq!(fronts.len() as f64, choices(blocks, k));
            let most = fronts
                .iter()
                .map(|front| (free & !front).count_ones())
                .max();
            assert_eq!(most, Some(fronts_rest(free.count_ones(), blocks, k)));
            assert!(fronts.iter().all(|front| front & !free == 0 && *front != 0));
            // Any k bits, here all runs and combs of them, lie outside of some front.
            for start in 0..64 {
                for step in 1..20 {
                    let set = (0..k).fold(0u64, |set, i| set | 1 << ((start + step * i) % 64));
                    assert!(fronts.iter().any(|front| front & set == 0), "{set:x}");
                }
            }
        }
    }

    #[test]
    fn plans_cut_where_that_saves_time() {
        let plan = Plan::new(3);
        assert_eq!(plan.blocks(u64::MAX, 100), None);
        assert_eq!(plan.blocks(u64::MAX, 1_000_000), Some(4));
        for k in 0..=MAX_DISTANCE {
            let plan = Plan::new(k);
            for count in [0, 1, 2, 1 << 20, usize::MAX] {
                for bits in 0..=64u32 {
                    let free = u64::MAX.checked_shr(64 - bits).unwrap_or(0);
                    let blocks = plan.blocks(free, count);
                    assert!(blocks.is_none_or(|r| r > k && r <= bits), "{k} {bits}");
                }
            }
        }
    }
}
