//! The order of numbers that workers have together: how many of all numbers are larger than one.
//!
//! A sample sort. A worker sorts its numbers, counts how often it has each, and gives samples of them,
//! from which all choose the same splitters: about equally many different numbers lie between two of
//! them. In rounds, each worker gets the numbers between two splitters from all others, with their
//! counts, sorts them, and sends back how many of all numbers are larger: so it never holds more than
//! a round of them. Counts do not depend on the splitters, so the result has the same bits for any
//! number of workers.

mod range;

use self::range::{Before, RangeOfAll, Told};
use super::Exchange;
use rayon::prelude::*;
use std::ops::Range;
use webrank_base::error::Result;
use webrank_base::memory::reserve;
use webrank_scores::ranking::{Ranking, increasing_bits};

/// About how many different numbers a worker gets in a round.
const AT_ONCE: usize = 1 << 16;

/// How many samples there are between two splitters.
const SAMPLES: usize = 16;

/// The bytes of a round: numbers with their counts and replies, sent, received and sorted, of up to
/// twice as many as planned.
pub(crate) const ROUND: u64 = 2 * 80 * AT_ONCE as u64;

/// The place of each number of a worker among those of all workers.
pub(crate) struct Places {
    ranking: Ranking,
    /// For each class, twice the number of larger numbers, plus 1 if its place is certain.
    of_classes: Vec<u64>,
    /// How many of the first places are certain.
    pub(crate) certain_places: u64,
}

impl Places {
    /// Orders numbers. The place of one that differs by more than `bound` from all others is certain.
    /// Memory besides [`ROUND`]: 20 bytes a number, and while they are sorted, as much.
    ///
    /// # Errors
    /// If a number is NaN, if memory is short, or if another worker fails.
    pub(crate) fn new(exchange: &mut Exchange, numbers: &[f64], bound: f64) -> Result<Self> {
        let ranking = Ranking::new(numbers)?;
        let count = |class: usize| ranking.positions(class as u32).len() as u64;
        let own = Counted::new(&ranking, numbers, &count);
        let (of_classes, certain_places) = own.ordered(exchange, bound)?;
        Ok(Places {
            ranking,
            of_classes,
            certain_places,
        })
    }

    fn of(&self, node: usize) -> u64 {
        self.of_classes[self.ranking.classes()[node] as usize]
    }

    /// 1 plus the number of larger numbers.
    pub(crate) fn rank(&self, node: usize) -> u64 {
        1 + (self.of(node) >> 1)
    }

    /// Whether the place of a number is certain.
    pub(crate) fn is_certain(&self, node: usize) -> bool {
        self.of(node) & 1 == 1
    }
}

/// For each of the numbers `asked`, how many of the `numbers` of all workers are larger. Memory besides
/// [`ROUND`]: 72 bytes a number.
///
/// # Errors
/// As for [`Places::new`].
pub(crate) fn count_above(
    exchange: &mut Exchange,
    numbers: &[f64],
    asked: &[f64],
) -> Result<Vec<u64>> {
    let both = [asked, numbers].concat();
    let ranking = Ranking::new(&both)?;
    // The numbers that are asked for come first in a class, and do not count.
    let count = |class: usize| {
        let positions = ranking.positions(class as u32);
        let nodes = &ranking.order()[positions.start as usize..positions.end as usize];
        (nodes.len() - nodes.partition_point(|&node| (node as usize) < asked.len())) as u64
    };
    let own = Counted::new(&ranking, &both, &count);
    let (of_classes, _) = own.ordered(exchange, 0.0)?;
    let above = |node: usize| of_classes[ranking.classes()[node] as usize] >> 1;
    Ok((0..asked.len()).map(above).collect())
}

/// The different numbers of a worker, the largest first, and how often it has each.
struct Counted<'a> {
    ranking: &'a Ranking,
    numbers: &'a [f64],
    count: &'a dyn Fn(usize) -> u64,
}

impl<'a> Counted<'a> {
    fn new(ranking: &'a Ranking, numbers: &'a [f64], count: &'a dyn Fn(usize) -> u64) -> Self {
        Counted {
            ranking,
            numbers,
            count,
        }
    }

    fn len(&self) -> usize {
        self.ranking.num_classes()
    }

    /// A number as an integer of the same order.
    fn key(&self, class: usize) -> u64 {
        let node = self.ranking.order()[self.ranking.positions(class as u32).start as usize];
        increasing_bits(self.numbers[node as usize])
    }

    /// The first class whose key is below this one.
    fn first_below(&self, key: u64) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.key(middle) >= key {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        low
    }

    /// The keys between which the numbers of all workers are divided, decreasing: one less than there
    /// are workers times rounds.
    fn splitters(&self, exchange: &mut Exchange) -> Result<Vec<u64>> {
        let lengths = exchange.gather([self.len() as u64])?;
        let longest = lengths
            .into_iter()
            .map(|[length]| length)
            .max()
            .unwrap_or(0);
        let longest = longest as usize;
        let rounds = longest.div_ceil(AT_ONCE).max(1);
        let ranges = rounds * exchange.workers();
        // As many of each number of a worker as of every other.
        let samples = (SAMPLES as u128 * rounds as u128 * self.len() as u128)
            .div_ceil(longest.max(1) as u128) as usize;
        let sample = |k: usize| self.key((2 * k + 1) * self.len() / (2 * samples));
        let own: Vec<u64> = (0..samples).map(sample).collect();
        let mut all = exchange.gather_lists(&own)?.concat();
        all.par_sort_unstable_by(|a, b| b.cmp(a));
        let splitter = |range: usize| all.get(range * all.len() / ranges).copied();
        Ok((1..ranges)
            .map(|range| splitter(range).unwrap_or(0))
            .collect())
    }

    /// For each class, twice the number of larger numbers of all workers, plus 1 if it differs by more
    /// than `bound` from all others; and how many of the first places that holds for.
    fn ordered(&self, exchange: &mut Exchange, bound: f64) -> Result<(Vec<u64>, u64)> {
        let workers = exchange.workers();
        let splitters = self.splitters(exchange)?;
        let mut words = Vec::new();
        reserve(&mut words, self.len(), "the ranks")?;
        let (mut before, mut uncertain) = (Before::default(), u64::MAX);
        for round in 0..(splitters.len() + 1) / workers {
            let start = words.len();
            let mut ends = vec![start];
            for range in round * workers..(round + 1) * workers {
                let end = splitters.get(range).map(|&key| self.first_below(key));
                ends.push(end.unwrap_or(self.len()).max(start));
            }
            let parts: Vec<_> = ends.windows(2).map(|ends| ends[0]..ends[1]).collect();
            let lists = self.sent_round(exchange, &parts)?;
            let range = RangeOfAll::new(&lists);
            let next = (ends[workers] < self.len()).then(|| self.key(ends[workers]));
            let told = exchange.gather(range.told(next).words())?;
            let told: Vec<Told> = told.into_iter().map(Told::of).collect();
            let replies = range.replies(exchange.index(), &told, before, bound, &mut uncertain);
            told.iter().for_each(|told| before.add(told));
            words.extend(replied(exchange, &lists, &range.keys, &replies, &parts)?);
        }
        let first = exchange.gather([uncertain])?;
        let first = first.into_iter().map(|[first]| first).min();
        Ok((words, first.unwrap_or(before.count).min(before.count)))
    }

    /// Sends the classes of each worker's range to it, as words: key, count; returns what all send to
    /// this one.
    fn sent_round(&self, exchange: &mut Exchange, parts: &[Range<usize>]) -> Result<Vec<Vec<u64>>> {
        let me = exchange.index();
        let mut lists = vec![Vec::new(); parts.len()];
        for (to, classes) in parts.iter().enumerate() {
            let pairs = classes
                .clone()
                .flat_map(|class| [self.key(class), (self.count)(class)]);
            match to == me {
                true => lists[me] = pairs.collect(),
                false => exchange.send(to, pairs.collect())?,
            }
        }
        each_other(exchange, |from, words| {
            let is_pairs = words.len().is_multiple_of(2);
            lists[from] = words;
            is_pairs
        })?;
        Ok(lists)
    }
}

/// Sends replies to lists of keys and counts; returns those to the classes of this worker, whose parts
/// were sent.
fn replied(
    exchange: &mut Exchange,
    lists: &[Vec<u64>],
    keys: &[(u64, u64)],
    replies: &[u64],
    parts: &[Range<usize>],
) -> Result<Vec<u64>> {
    let me = exchange.index();
    let mut answers = vec![Vec::new(); parts.len()];
    for (to, list) in lists.iter().enumerate() {
        let mut place = 0;
        let answer = list.chunks_exact(2).map(|pair| {
            // Both decrease.
            while keys[place].0 > pair[0] {
                place += 1;
            }
            replies[place]
        });
        match to == me {
            true => answers[me] = answer.collect(),
            false => {
                let answer = answer.collect();
                exchange.send(to, answer)?;
            }
        }
    }
    each_other(exchange, |from, words| {
        let is_whole = words.len() == parts[from].len();
        answers[from] = words;
        is_whole
    })?;
    // Nobody sends the next round before all have these.
    exchange.gather([])?;
    Ok(answers.concat())
}

/// Takes one message from each other worker; `take` is false for one that is not planned.
fn each_other(
    exchange: &mut Exchange,
    mut take: impl FnMut(usize, Vec<u64>) -> bool,
) -> Result<()> {
    let mut has_come = vec![false; exchange.workers()];
    for _ in 1..has_come.len() {
        let (from, words) = exchange.receive()?;
        if std::mem::replace(&mut has_come[from], true) || !take(from, words) {
            return Err(exchange.not_planned(from));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
