//! A word, a phrase or a window of words, in a field.

use super::places::{phrases, windows};
use super::scoring::Weight;
use crate::lists::{END, List, Seeking, Sorted, conjunction};

/// How words stand together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Together {
    /// In order, with a slop.
    Phrase(u32),
    /// In any order, within so many words.
    Window(u32),
}

/// A cursor on the pages that have the words.
pub struct Leaf<'a> {
    /// By their length; the place of each in the phrase.
    lists: Vec<Box<dyn List + 'a>>,
    places: Vec<usize>,
    together: Together,
    seeking: Seeking,
    pub(super) field: usize,
    pub(super) weight: Weight,
    document: u32,
    /// How often the phrase is in the page; 0 if it has not been counted.
    count: u32,
    positions: Vec<Vec<u32>>,
}

impl<'a> Leaf<'a> {
    /// Words in this order; one at least.
    pub(super) fn new(
        words: Vec<Box<dyn List + 'a>>,
        together: Together,
        seeking: Seeking,
        field: usize,
        weight: Weight,
    ) -> Self {
        let count = words.len();
        let mut lists: Vec<_> = words.into_iter().enumerate().collect();
        lists.sort_by_key(|(_, list)| list.cost());
        let (places, lists) = lists.into_iter().unzip();
        let mut leaf = Leaf {
            lists,
            places,
            together,
            seeking,
            field,
            weight,
            document: 0,
            count: 0,
            positions: vec![Vec::new(); count],
        };
        leaf.find(0);
        leaf
    }

    fn find(&mut self, target: u32) {
        self.count = 0;
        if let [list] = &mut self.lists[..] {
            self.document = list.seek(target);
            return;
        }
        self.document = conjunction(&mut self.lists, target, self.seeking);
        while self.document < END {
            self.count = self.counted();
            if self.count > 0 {
                return;
            }
            self.document = conjunction(&mut self.lists, self.document + 1, self.seeking);
        }
    }

    /// How often the words stand together in the page.
    fn counted(&mut self) -> u32 {
        for (list, &place) in self.lists.iter_mut().zip(&self.places) {
            list.positions(&mut self.positions[place]);
        }
        match self.together {
            Together::Phrase(slop) => phrases(&self.positions, slop),
            Together::Window(width) => windows(&self.positions, width),
        }
    }

    /// How often the words are in the page.
    pub(super) fn count(&mut self) -> u32 {
        if self.count == 0 {
            self.count = self.lists[0].count();
        }
        self.count
    }

    /// The largest score.
    pub(super) fn most(&self) -> f64 {
        let mut all = self.lists.iter().map(|list| list.most());
        // A phrase is as often there as each of its words, at most; windows and chains may share one.
        let of_one = all.next().flatten();
        let is_longer = match self.together {
            Together::Phrase(slop) => slop > 0 && self.lists.len() > 2,
            Together::Window(_) => self.lists.len() > 1,
        };
        let most = match is_longer {
            true => None,
            false => all.fold(of_one, |most, one| {
                let ((count, shortest), (other, length)) = (most?, one?);
                Some((count.min(other), shortest.max(length)))
            }),
        };
        self.weight.bound(most)
    }
}

impl Sorted for Leaf<'_> {
    fn document(&self) -> u32 {
        self.document
    }

    fn seek(&mut self, target: u32) -> u32 {
        if self.document < target {
            self.find(target);
        }
        self.document
    }

    fn cost(&self) -> u64 {
        self.lists.first().map_or(0, |list| list.cost())
    }
}
