//! A radix heap: a queue whose keys never fall below the last one that was taken.
//!
//! Bucket b holds the keys whose highest bit that differs from the last key is bit b; bucket 0 those that
//! equal it. When bucket 0 is empty, the least key of the first bucket that is not becomes the last key, and
//! the keys of that bucket move to lower ones: each at most once for each of its bits. Ahuja, Mehlhorn, Orlin
//! and Tarjan 1990.

use super::distance::Distance;
use webrank_base::Node;

pub(crate) struct RadixHeap<D> {
    buckets: Vec<Vec<(D, Node)>>,
    last: D,
    /// No bucket before this one has an entry.
    first: usize,
    moved: Vec<(D, Node)>,
}

impl<D: Distance> RadixHeap<D> {
    pub fn new() -> Self {
        RadixHeap {
            buckets: Vec::new(),
            last: D::zero(),
            first: 0,
            moved: Vec::new(),
        }
    }

    /// Starts again from 0, with the room that there is.
    pub fn clear(&mut self) {
        self.buckets.iter_mut().for_each(Vec::clear);
        self.last = D::zero();
        self.first = 0;
    }

    #[inline(always)]
    pub fn push(&mut self, key: D, node: Node) {
        let bucket = key.differing(&self.last);
        if bucket >= self.buckets.len() {
            self.buckets.resize_with(bucket + 1, Vec::new);
        }
        self.first = self.first.min(bucket);
        self.buckets[bucket].push((key, node));
    }

    /// Takes an entry with the least key, of those that count; the others are dropped.
    #[inline(always)]
    pub fn pop(&mut self, counts: impl Fn(&D, Node) -> bool) -> Option<(D, Node)> {
        loop {
            while let Some((key, node)) = self.buckets.first_mut().and_then(Vec::pop) {
                if counts(&key, node) {
                    return Some((key, node));
                }
            }
            self.refill(&counts)?;
        }
    }

    /// Moves the least keys to bucket 0; none if there is no entry left that counts.
    fn refill(&mut self, counts: &impl Fn(&D, Node) -> bool) -> Option<()> {
        loop {
            let is_full = |bucket: &Vec<(D, Node)>| !bucket.is_empty();
            let rest = self.buckets.get(self.first..)?;
            self.first += rest.iter().position(is_full)?;
            std::mem::swap(&mut self.moved, &mut self.buckets[self.first]);
            self.moved.retain(|(key, node)| counts(key, *node));
            let Some(least) = self.moved.iter().map(|entry| &entry.0).min() else {
                continue;
            };
            self.last = least.clone();
            let mut moved = std::mem::take(&mut self.moved);
            for (key, node) in moved.drain(..) {
                self.push(key, node);
            }
            self.moved = moved;
            return Some(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cmp::Reverse;
    use std::collections::BinaryHeap;

    proptest! {
        #[test]
        fn keys_come_in_order(
            steps in prop::collection::vec((0u64..1 << 50, 0u32..50, 0usize..4), 1..200),
        ) {
            let mut heap = RadixHeap::new();
            let mut expected = BinaryHeap::new();
            let mut last = 0;
            for (more, shift, taken) in steps {
                let key = last + (more >> shift);
                heap.push(key, 7);
                expected.push(Reverse(key));
                for _ in 0..taken {
                    let found = heap.pop(|_, _| true).map(|entry| entry.0);
                    prop_assert_eq!(found, expected.pop().map(|key| key.0));
                    last = found.unwrap_or(last);
                }
            }
            while let Some(Reverse(key)) = expected.pop() {
                prop_assert_eq!(heap.pop(|_, _| true), Some((key, 7)));
            }
            prop_assert_eq!(heap.pop(|_, _| true), None);
        }
    }

    #[test]
    fn what_does_not_count_is_dropped() {
        let mut heap = RadixHeap::new();
        for key in 0..100u64 {
            heap.push(key, key as Node);
        }
        let mut found = Vec::new();
        while let Some((key, _)) = heap.pop(|key, _| key % 7 == 3) {
            found.push(key);
        }
        assert_eq!(
            found,
            [3, 10, 17, 24, 31, 38, 45, 52, 59, 66, 73, 80, 87, 94]
        );
        heap.clear();
        assert_eq!(heap.pop(|_, _| true), None);
    }
}
