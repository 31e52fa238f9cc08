//! Where the words of a phrase stand together.
//!
//! Every word comes with its positions in the page, in order.

/// How often the words stand one after the other, with at most `slop` words in between or moved.
///
/// Position p of word i stands for p - i: a phrase has equal numbers. With a slop, two words are matched in
/// order and each position once, nearest first. With three words or more, this is how many positions of the
/// last word end a chain whose distances sum to the slop at most. O(positions).
pub fn phrases(words: &[Vec<u32>], slop: u32) -> u32 {
    let shifted: Vec<Vec<i64>> = (0i64..)
        .zip(words)
        .map(|(place, positions)| positions.iter().map(|&it| i64::from(it) - place).collect())
        .collect();
    match (&shifted[..], slop) {
        (_, 0) => equal(&shifted),
        ([left, right], slop) => pairs(left, right, slop.into()),
        (all, slop) => chains(all, slop.into()),
    }
}

/// How many numbers all have.
fn equal(all: &[Vec<i64>]) -> u32 {
    let Some((first, others)) = all.split_first() else {
        return 0;
    };
    let mut places = vec![0; others.len()];
    let is_in_all = |number: &&i64| {
        others.iter().zip(&mut places).all(|(other, place)| {
            *place += other[*place..].iter().take_while(|it| it < number).count();
            other.get(*place) == Some(number)
        })
    };
    first.iter().filter(is_in_all).count() as u32
}

/// Pairs of numbers that are near.
fn pairs(left: &[i64], right: &[i64], slop: i64) -> u32 {
    let (mut i, mut j, mut count) = (0, 0, 0);
    while i < left.len() && j < right.len() {
        if (left[i] - right[j]).abs() <= slop {
            // The last of the left ones that are not behind is nearer.
            while i + 1 < left.len() && left[i + 1] <= right[j] {
                i += 1;
            }
            count += 1;
            i += 1;
            j += 1;
        } else if left[i] < right[j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    count
}

/// Numbers of the last list at the end of a chain of least total distance within the slop.
fn chains(all: &[Vec<i64>], slop: i64) -> u32 {
    const FAR: i64 = i64::MAX / 2;
    let mut before: Vec<(i64, i64)> = all[0].iter().map(|&number| (number, 0)).collect();
    for list in &all[1..] {
        let mut costs = vec![FAR; list.len()];
        // From the left: the best of the smaller numbers, less their place; then from the right.
        let (mut place, mut best) = (0, FAR);
        for (&number, cost) in list.iter().zip(&mut costs) {
            while place < before.len() && before[place].0 <= number {
                best = best.min(before[place].1 - before[place].0);
                place += 1;
            }
            *cost = if best == FAR { FAR } else { best + number };
        }
        let (mut place, mut best) = (before.len(), FAR);
        for (&number, cost) in list.iter().zip(&mut costs).rev() {
            while place > 0 && before[place - 1].0 >= number {
                place -= 1;
                best = best.min(before[place].1 + before[place].0);
            }
            let right = if best == FAR { FAR } else { best - number };
            *cost = (*cost).min(right);
        }
        let within = list.iter().copied().zip(costs);
        before = within.filter(|&(_, cost)| cost <= slop).collect();
    }
    before.len() as u32
}

/// How many smallest windows of at most `width` words have all words, in any order: windows in which no
/// smaller one has them. O(positions x log words).
pub fn windows(words: &[Vec<u32>], width: u32) -> u32 {
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;
    let mut heap = BinaryHeap::with_capacity(words.len());
    let mut last = 0;
    for (word, positions) in words.iter().enumerate() {
        let Some(&first) = positions.first() else {
            return 0;
        };
        last = last.max(first);
        heap.push(Reverse((first, word, 0)));
    }
    let mut count = 0;
    while let Some(Reverse((first, word, place))) = heap.pop() {
        let next = words[word].get(place + 1).copied();
        // If the next position of this word is not behind the end, a smaller window has them all.
        let is_smallest = next.is_none_or(|next| next > last);
        count += u32::from(is_smallest && last - first < width);
        let Some(next) = next else { break };
        last = last.max(next);
        heap.push(Reverse((next, word, place + 1)));
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lists(words: usize) -> impl Strategy<Value = Vec<Vec<u32>>> {
        let positions = prop::collection::btree_set(0..14u32, 0..7);
        let positions = positions.prop_map(|set| set.into_iter().collect::<Vec<_>>());
        prop::collection::vec(positions, words)
    }

    /// All choices of one position for each word.
    fn choices(words: &[Vec<u32>]) -> Vec<Vec<u32>> {
        let mut all = vec![Vec::new()];
        for positions in words {
            let longer = |choice: &Vec<u32>| {
                let choice = choice.clone();
                let with = move |&position: &u32| [&choice[..], &[position]].concat();
                positions.iter().map(with).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        all
    }

    #[test]
    fn windows_by_hand() {
        // a b . a: the windows are a b and b . a
        let words = [vec![0, 3], vec![1]];
        assert_eq!(windows(&words, 2), 1);
        assert_eq!(windows(&words, 3), 2);
        assert_eq!(windows(&words, 1), 0);
        assert_eq!(windows(&[vec![4, 7]], 1), 2);
        assert_eq!(windows(&[vec![4], vec![]], 9), 0);
    }

    proptest! {
        #[test]
        fn phrases_are_neighbours(words in lists(3), slop in 0..4u32) {
            let distance = |choice: &&Vec<u32>| {
                let moved = choice.windows(2).map(|pair| (i64::from(pair[1]) - i64::from(pair[0]) - 1).abs());
                moved.sum::<i64>() <= i64::from(slop)
            };
            let all = choices(&words);
            let mut ends: Vec<u32> = all.iter().filter(distance).map(|choice| choice[2]).collect();
            ends.sort_unstable();
            ends.dedup();
            prop_assert_eq!(phrases(&words, slop) as usize, ends.len());
        }

        #[test]
        fn two_words_are_near_if_a_pair_is(words in lists(2), slop in 1..4u32) {
            let near = |choice: &Vec<u32>| {
                let moved = i64::from(choice[0]) + 1 - i64::from(choice[1]);
                moved.abs() <= i64::from(slop)
            };
            let found = phrases(&words, slop);
            prop_assert_eq!(found > 0, choices(&words).iter().any(near));
            prop_assert!(found as usize <= words[0].len().min(words[1].len()));
        }

        #[test]
        fn windows_are_the_smallest(text in prop::collection::vec(0..5u8, 0..16), width in 1..9u32) {
            // A position has one word.
            let of = |word: u8| (0..).zip(&text).filter(|(_, it)| **it == word).map(|(place, _)| place).collect();
            let words: Vec<Vec<u32>> = (0..3).map(of).collect();
            let ends = |choice: &Vec<u32>| {
                let (first, last) = (choice.iter().min().unwrap(), choice.iter().max().unwrap());
                (*first, *last)
            };
            let mut all: Vec<(u32, u32)> = choices(&words).iter().map(ends).collect();
            all.sort_unstable();
            all.dedup();
            let is_smallest = |window: &&(u32, u32)| {
                let holds = |other: &(u32, u32)| other != *window && window.0 <= other.0 && other.1 <= window.1;
                window.1 - window.0 < width && !all.iter().any(holds)
            };
            prop_assert_eq!(windows(&words, width) as usize, all.iter().filter(is_smallest).count());
        }
    }
}
