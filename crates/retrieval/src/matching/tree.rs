//! Cursors on the pages that a query finds.

use super::leaf::Leaf;
use crate::lists::{END, Seeking, Sorted, conjunction};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The scores of the fields of a page.
pub type Parts = [f64; 4];

/// Pages that a query, or a part of it, finds; at the first page from the start.
pub trait Docs: Sorted {
    /// Adds the scores of the page it is at.
    fn add(&mut self, parts: &mut Parts);

    /// No page adds more.
    fn bound(&self) -> f64;
}

impl Docs for Box<dyn Docs + '_> {
    fn add(&mut self, parts: &mut Parts) {
        (**self).add(parts);
    }

    fn bound(&self) -> f64 {
        (**self).bound()
    }
}

/// A cursor of any kind.
pub type Tree<'a> = Box<dyn Docs + 'a>;

impl Docs for Leaf<'_> {
    fn add(&mut self, parts: &mut Parts) {
        let count = self.count();
        parts[self.field] += self.weight.score(self.document(), count);
    }

    fn bound(&self) -> f64 {
        self.most()
    }
}

/// Every page, with score 0.
pub struct All {
    pub pages: u32,
    pub at: u32,
}

impl Sorted for All {
    fn document(&self) -> u32 {
        if self.at < self.pages { self.at } else { END }
    }

    fn seek(&mut self, target: u32) -> u32 {
        self.at = self.at.max(target);
        self.document()
    }

    fn cost(&self) -> u64 {
        self.pages.into()
    }
}

impl Docs for All {
    fn add(&mut self, _: &mut Parts) {}

    fn bound(&self) -> f64 {
        0.0
    }
}

/// Pages that one cursor at least finds, by a heap of them.
pub struct Any<'a> {
    /// In the order in which scores are summed.
    pub all: Vec<Tree<'a>>,
    heap: BinaryHeap<Reverse<(u32, usize)>>,
    /// Cursors that are at the page, in order.
    here: Vec<usize>,
    document: u32,
}

impl<'a> Any<'a> {
    pub fn new(all: Vec<Tree<'a>>) -> Self {
        let heap = all.iter().enumerate();
        let heap = heap.map(|(place, one)| Reverse((one.document(), place)));
        let mut any = Any {
            heap: heap.collect(),
            all,
            here: Vec::new(),
            document: 0,
        };
        any.settle();
        any
    }

    /// Takes those at the first page from the heap.
    fn settle(&mut self) {
        self.document = self
            .heap
            .peek()
            .map_or(END, |Reverse((document, _))| *document);
        while let Some(Reverse((document, place))) = self.heap.peek().copied() {
            if document != self.document {
                break;
            }
            self.heap.pop();
            self.here.push(place);
        }
        // A heap has no order of equal pages that sums could rely on.
        self.here.sort_unstable();
    }
}

impl Sorted for Any<'_> {
    fn document(&self) -> u32 {
        self.document
    }

    fn seek(&mut self, target: u32) -> u32 {
        if self.document >= target {
            return self.document;
        }
        for place in self.here.drain(..) {
            let found = self.all[place].seek(target);
            self.heap.push(Reverse((found, place)));
        }
        while let Some(Reverse((document, place))) = self.heap.peek().copied() {
            if document >= target {
                break;
            }
            self.heap.pop();
            let found = self.all[place].seek(target);
            self.heap.push(Reverse((found, place)));
        }
        self.settle();
        self.document
    }

    fn cost(&self) -> u64 {
        self.all
            .iter()
            .map(Sorted::cost)
            .fold(0, u64::saturating_add)
    }
}

impl Docs for Any<'_> {
    fn add(&mut self, parts: &mut Parts) {
        if self.document < END {
            for &place in &self.here {
                self.all[place].add(parts);
            }
        }
    }

    fn bound(&self) -> f64 {
        self.all.iter().map(Docs::bound).sum()
    }
}

/// Pages that some cursors must find and others must not; those that may find it add scores.
pub struct Clauses<'a> {
    /// The shortest first. Not empty.
    must: Vec<Tree<'a>>,
    /// The order of `must` in sums of scores, which lengths of lists in a part must not change.
    order: Vec<usize>,
    may: Vec<Tree<'a>>,
    not: Vec<Tree<'a>>,
    seeking: Seeking,
    document: u32,
}

impl<'a> Clauses<'a> {
    pub fn new(
        must: Vec<Tree<'a>>,
        may: Vec<Tree<'a>>,
        not: Vec<Tree<'a>>,
        seeking: Seeking,
    ) -> Self {
        let mut must: Vec<(usize, Tree)> = must.into_iter().enumerate().collect();
        must.sort_by_key(|(_, one)| one.cost());
        let mut order = vec![0; must.len()];
        for (place, (given, _)) in must.iter().enumerate() {
            order[*given] = place;
        }
        let mut clauses = Clauses {
            must: must.into_iter().map(|(_, one)| one).collect(),
            order,
            may,
            not,
            seeking,
            document: 0,
        };
        clauses.find(0);
        clauses
    }

    fn find(&mut self, target: u32) {
        self.document = conjunction(&mut self.must, target, self.seeking);
        while self.document < END {
            let document = self.document;
            if !self
                .not
                .iter_mut()
                .any(|one| one.seek(document) == document)
            {
                break;
            }
            self.document = conjunction(&mut self.must, document + 1, self.seeking);
        }
    }
}

impl Sorted for Clauses<'_> {
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
        self.must.first().map_or(0, Sorted::cost)
    }
}

impl Docs for Clauses<'_> {
    fn add(&mut self, parts: &mut Parts) {
        let document = self.document;
        for &place in &self.order {
            self.must[place].add(parts);
        }
        for one in &mut self.may {
            if one.seek(document) == document {
                one.add(parts);
            }
        }
    }

    fn bound(&self) -> f64 {
        self.must.iter().chain(&self.may).map(Docs::bound).sum()
    }
}
