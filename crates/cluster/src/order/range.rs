//! The numbers of all workers in a range, as one worker ranks them.

use rayon::prelude::*;
use webrank_scores::ranking::score_of_bits;

/// The report of a worker on its part of a round.
#[derive(Clone, Copy, Default)]
pub(super) struct Told {
    /// How many different numbers it has got, the first and last of them, and how many in all.
    pub(super) different: u64,
    pub(super) first: u64,
    pub(super) last: u64,
    pub(super) count: u64,
    /// The largest of its own numbers that come later, and whether there are any.
    pub(super) next: u64,
    pub(super) has_next: bool,
}

impl Told {
    pub(super) fn words(self) -> [u64; 6] {
        let has_next = u64::from(self.has_next);
        [
            self.different,
            self.first,
            self.last,
            self.count,
            self.next,
            has_next,
        ]
    }

    pub(super) fn of([different, first, last, count, next, has_next]: [u64; 6]) -> Self {
        Told {
            different,
            first,
            last,
            count,
            next,
            has_next: has_next == 1,
        }
    }
}

/// The numbers before a part of a round: how many, and the last of them.
#[derive(Clone, Copy, Default)]
pub(super) struct Before {
    pub(super) count: u64,
    pub(super) last: Option<u64>,
}

impl Before {
    pub(super) fn add(&mut self, told: &Told) {
        self.count += told.count;
        if told.different > 0 {
            self.last = Some(told.last);
        }
    }
}

/// The different numbers of all workers in a range, the largest first, and how many of each.
pub(super) struct RangeOfAll {
    pub(super) keys: Vec<(u64, u64)>,
}

impl RangeOfAll {
    pub(super) fn new(lists: &[Vec<u64>]) -> Self {
        let pairs = |list: &Vec<u64>| {
            let pairs = list.chunks_exact(2).map(|pair| (pair[0], pair[1]));
            pairs.collect::<Vec<_>>()
        };
        let mut keys: Vec<_> = lists.iter().flat_map(pairs).collect();
        keys.par_sort_unstable_by(|a, b| b.cmp(a));
        keys.dedup_by(|same, kept| {
            let is_same = same.0 == kept.0;
            kept.1 += if is_same { same.1 } else { 0 };
            is_same
        });
        RangeOfAll { keys }
    }

    pub(super) fn told(&self, next: Option<u64>) -> Told {
        let key = |pair: Option<&(u64, u64)>| pair.map_or(0, |&(key, _)| key);
        Told {
            different: self.keys.len() as u64,
            first: key(self.keys.first()),
            last: key(self.keys.last()),
            count: self.keys.iter().map(|&(_, count)| count).sum(),
            next: next.unwrap_or(0),
            has_next: next.is_some(),
        }
    }

    /// For each number, twice the number of larger ones, plus 1 if it is certain that these are larger
    /// and no others. Notes the first place that is not.
    pub(super) fn replies(
        &self,
        me: usize,
        told: &[Told],
        mut before: Before,
        bound: f64,
        uncertain: &mut u64,
    ) -> Vec<u64> {
        told[..me].iter().for_each(|told| before.add(told));
        let later = told[me + 1..].iter().find(|told| told.different > 0);
        let later = later.map(|told| told.first).or_else(|| {
            let nexts = told.iter().filter(|told| told.has_next);
            nexts.map(|told| told.next).max()
        });
        // The difference carries one rounding.
        let differ = |larger: u64, smaller: u64| {
            let gap = score_of_bits(larger) - score_of_bits(smaller);
            gap * (1.0 - f64::EPSILON) > bound
        };
        let (mut above, mut count_above) = (before.last, before.count);
        let reply = |place: usize| {
            let (key, count) = self.keys[place];
            let below = self.keys.get(place + 1).map(|&(key, _)| key).or(later);
            let is_certain = count == 1
                && above.is_none_or(|above| differ(above, key))
                && below.is_none_or(|below| differ(key, below));
            let larger = count_above;
            if !is_certain {
                *uncertain = larger.min(*uncertain);
            }
            count_above += count;
            above = Some(key);
            larger << 1 | u64::from(is_certain)
        };
        (0..self.keys.len()).map(reply).collect()
    }
}
