//! The counts of the counting merge sort without a sort, for few classes.
//!
//! Entries come in some order, each with a class. A stable sort by class puts an entry behind all
//! entries of smaller classes and the earlier ones of its own class, so counting gives its place.
//! The number of later entries with a smaller class is a prefix sum of counts, kept in a Fenwick
//! tree (1994) while the entries are read from the last to the first. Blocks of entries start from
//! the counts of the blocks after them. O(n log C) for C classes, whose tree stays in the cache.

use webrank_base::parallel::tasks;

/// Where an entry goes, and how many entries overtake it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moved {
    /// Its place after a stable sort by class.
    pub place: u32,
    /// Number of later entries with a strictly smaller class.
    pub overtaken: u32,
}

/// Up to this many classes are few: the tree takes 4 bytes each.
pub(crate) const FEW: usize = 1 << 16;
/// Maximum number of blocks, so that their counts take little memory.
const BLOCKS: usize = 64;
/// Minimum number of entries of a block, since its tree takes time to build.
const BLOCK_ENTRIES: usize = 1 << 15;

/// Where a stable sort by class would put every entry, without sorting.
pub(crate) fn moves(classes: &[u32], num_classes: usize) -> Vec<Moved> {
    let block = BLOCK_ENTRIES.max(classes.len().div_ceil(BLOCKS));
    let count = |entries: &[u32]| {
        let mut counts = vec![0u32; num_classes];
        entries
            .iter()
            .for_each(|&class| counts[class as usize] += 1);
        counts
    };
    let counts = tasks::map(classes.chunks(block), count);
    let mut places = vec![0u32; num_classes];
    let mut all = 0;
    for (class, place) in places.iter_mut().enumerate() {
        *place = all;
        all += counts.iter().map(|counts| counts[class]).sum::<u32>();
    }
    // For each block, the first place of each class, and the entries of it in later blocks.
    let mut starts = Vec::with_capacity(counts.len());
    for counts in &counts {
        starts.push(places.clone());
        places
            .iter_mut()
            .zip(counts)
            .for_each(|(place, count)| *place += count);
    }
    let mut later = vec![0u32; num_classes];
    let mut laters = Vec::with_capacity(counts.len());
    for counts in counts.iter().rev() {
        laters.push(later.clone());
        later
            .iter_mut()
            .zip(counts)
            .for_each(|(later, count)| *later += count);
    }
    laters.reverse();
    let mut moves = vec![
        Moved {
            place: 0,
            overtaken: 0
        };
        classes.len()
    ];
    let parts = moves
        .chunks_mut(block)
        .zip(classes.chunks(block))
        .zip(starts.into_iter().zip(laters));
    tasks::for_each(parts, |((moves, classes), (mut places, later))| {
        let mut tree = Fenwick::new(later);
        for (moved, &class) in moves.iter_mut().zip(classes).rev() {
            moved.overtaken = tree.before(class as usize);
            tree.add(class as usize);
        }
        for (moved, &class) in moves.iter_mut().zip(classes) {
            moved.place = places[class as usize];
            places[class as usize] += 1;
        }
    });
    moves
}

/// Counts whose prefix sums are known: entry i holds the sum of the counts from
/// i - lowbit(i + 1) + 1 to i.
struct Fenwick(Vec<u32>);

impl Fenwick {
    fn new(mut counts: Vec<u32>) -> Self {
        for i in 0..counts.len() {
            let parent = i | (i + 1);
            if parent < counts.len() {
                counts[parent] += counts[i];
            }
        }
        Fenwick(counts)
    }

    fn add(&mut self, mut i: usize) {
        while let Some(count) = self.0.get_mut(i) {
            *count += 1;
            i |= i + 1;
        }
    }

    /// The sum of the counts before `end`.
    fn before(&self, mut end: usize) -> u32 {
        let mut sum = 0;
        while end > 0 {
            sum += self.0[end - 1];
            end &= end - 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(classes: &[u32], num_classes: usize) -> Result<(), TestCaseError> {
        let moves = moves(classes, num_classes);
        let mut order: Vec<usize> = (0..classes.len()).collect();
        order.sort_by_key(|&i| classes[i]);
        for (place, &i) in order.iter().enumerate() {
            prop_assert_eq!(moves[i].place as usize, place);
        }
        for i in (0..classes.len()).step_by(1 + classes.len() / 50) {
            let later = classes[i + 1..].iter();
            let overtaken = later.filter(|&&class| class < classes[i]).count();
            prop_assert_eq!(moves[i].overtaken as usize, overtaken);
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn one_block(classes in prop::collection::vec(0u32..20, 0..200)) {
            check(&classes, 20)?;
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4))]
        #[test]
        fn several_blocks(seed in any::<u32>(), num_classes in 1u32..2000) {
            let mut state = seed;
            let mut random = || {
                state = state.wrapping_mul(1664525).wrapping_add(1013904223);
                (state >> 8) % num_classes
            };
            let classes: Vec<u32> = (0..3 * BLOCK_ENTRIES + 5).map(|_| random()).collect();
            check(&classes, num_classes as usize)?;
        }
    }
}
