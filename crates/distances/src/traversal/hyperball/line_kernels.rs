//! The code for each width of vectors: lines are joined and stored.

use super::classes::CounterClasses;
use super::counters::Tally;
use std::ops::Range;
use webrank_base::Node;

/// The base-2 logarithm of the registers of a line.
pub(super) const LOG2_LINE: u32 = 6;

/// Registers of a line.
pub(super) const LINE: usize = 1 << LOG2_LINE;

/// Registers of a class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
pub(super) struct Line(pub(super) [u8; LINE]);

/// The register that a node sets.
pub(super) struct Own {
    pub(super) class: Node,
    pub(super) node: Node,
    pub(super) register: u8,
    pub(super) value: u8,
}

/// A register of a class has changed, where a node sets a larger value.
pub(super) struct Correction {
    pub(super) node: Node,
    pub(super) value: u8,
    pub(super) before: u8,
    pub(super) after: u8,
}

impl Line {
    /// Raises registers to those of another counter.
    #[inline(always)]
    fn raise(&mut self, other: &Line) {
        for i in 0..LINE {
            self.0[i] = self.0[i].max(other.0[i]);
        }
    }

    #[inline(always)]
    fn differs(&self, other: &Line) -> bool {
        let mut difference = 0;
        for i in 0..LINE {
            difference |= self.0[i] ^ other.0[i];
        }
        difference != 0
    }
}

impl Correction {
    /// By how much less the tally of the node falls than that of its class.
    pub(super) fn tally(&self) -> Tally {
        let before = Tally::gap(self.before, self.value);
        before.minus(Tally::gap(self.after, self.value))
    }
}

/// The lines that lines are joined from.
#[derive(Clone, Copy)]
pub(super) enum From<'a> {
    /// The nodes of rows, and the place of the lines.
    Elements(&'a [(u32, u8)], usize),
    /// All lines of rows: most have changed.
    All,
    /// Lines with a bit.
    Modified(&'a [u64]),
}

/// Joins the lines of a block of classes: the part that is compiled for each vector width. Returns how
/// many change.
pub(super) struct Joining<'a> {
    pub(super) classes: &'a CounterClasses<'a>,
    pub(super) lines: &'a [Line],
    /// The classes that are visited, if not all are.
    pub(super) visited: Option<&'a [Node]>,
    /// The classes of the block, as places in this list.
    pub(super) range: Range<usize>,
    pub(super) from: From<'a>,
    pub(super) joined: &'a mut [Line],
    pub(super) names: &'a mut [Node],
}

impl pulp::NullaryFnOnce for Joining<'_> {
    type Output = usize;

    #[inline(always)]
    fn call(self) -> usize {
        let (lines, between) = (self.lines, &self.classes.between);
        let mut count = 0;
        for place in self.range {
            let class = match self.visited {
                Some(visited) => visited[place],
                None => place as Node,
            };
            let before = &lines[class as usize];
            let mut after = *before;
            match self.from {
                From::Elements(elements, index) => {
                    let (row, twin) = self.classes.at_first(class);
                    for nodes in [row, twin] {
                        for &node in nodes {
                            let (register, value) = elements[node as usize];
                            if register as usize / LINE == index {
                                let register = &mut after.0[register as usize % LINE];
                                *register = value.max(*register);
                            }
                        }
                    }
                }
                From::All => {
                    for &other in between.row(class) {
                        after.raise(&lines[other as usize]);
                    }
                }
                From::Modified(is_modified) => {
                    for &other in between.row(class) {
                        if is_modified[other as usize / 64] >> (other % 64) & 1 != 0 {
                            after.raise(&lines[other as usize]);
                        }
                    }
                }
            }
            if after.differs(before) {
                self.joined[count] = after;
                self.names[count] = class;
                count += 1;
            }
        }
        count
    }
}

/// Stores the new lines of a block of classes, and adds up what changes.
pub(super) struct Storing<'a> {
    /// The class of the first of the lines.
    pub(super) first: usize,
    pub(super) names: &'a [Node],
    pub(super) joined: &'a [Line],
    pub(super) lines: &'a mut [Line],
    pub(super) falls: &'a mut [Tally],
    pub(super) own: &'a [Own],
}

impl pulp::NullaryFnOnce for Storing<'_> {
    type Output = Vec<Correction>;

    #[inline(always)]
    fn call(self) -> Vec<Correction> {
        let (mut own, mut corrections) = (self.own, Vec::new());
        for (&class, after) in self.names.iter().zip(self.joined) {
            let place = class as usize - self.first;
            let before = &mut self.lines[place];
            own = from_class(own, class);
            while let [next, others @ ..] = own
                && next.class == class
            {
                let register = next.register as usize % LINE;
                let (under, over) = (before.0[register], after.0[register]);
                if under < next.value && under != over {
                    corrections.push(Correction {
                        node: next.node,
                        value: next.value,
                        before: under,
                        after: over,
                    });
                }
                own = others;
            }
            let fall = Tally::fall_of_line(&before.0, &after.0);
            self.falls[place] = self.falls[place].plus(fall);
            *before = *after;
        }
        corrections
    }
}

/// The part from this class on, which is mostly near.
fn from_class(own: &[Own], class: Node) -> &[Own] {
    let mut end = 1;
    while end < own.len() && own[end].class < class {
        end *= 2;
    }
    let near = &own[..end.min(own.len())];
    &own[near.partition_point(|it| it.class < class)..]
}
