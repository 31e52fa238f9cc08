//! HyperBall by lines: 64 registers of each class of nodes at a time, which fill a cache line.
//!
//! A [class](CounterClasses) has one counter, C(t). A node has that counter and itself, so its tally is
//! that of the class and a [gap](Tally::gap) for the register that it sets, as long as the class has a
//! smaller one there. Tallies are integers: every node has those that its own counter would have.
//!
//! In a step the lines of one place are joined for all classes, before those of the next place: they
//! fit into a cache better than whole counters. Joined lines go to a list, and into the lines once
//! all have been read.

use super::classes::CounterClasses;
use super::counters::{Counters, Tally};
use super::line_kernels::{Correction, From, Joining, LINE, LOG2_LINE, Line, Own, Storing};
use super::slice::{Advance, Changes, NODES_PER_BLOCK, beside};
use rayon::prelude::*;
use std::ops::Range;
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::memory;
use webrank_base::parallel::blocks::split_mut;
use webrank_base::parallel::simd::Simd;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_cluster::{DistributedVisitor, Exchange, State};

/// Classes and arcs of a block that is joined by one task.
const BLOCK_WEIGHT: u64 = 1 << 14;

/// Lines that a checkpoint takes up at a time.
const LINES_AT_ONCE: usize = 1 << 16;

/// The bytes of 2^`log2_width` registers of so many nodes, with all that a step takes: no two nodes
/// need have equal rows.
pub(super) fn memory(log2_width: u32, num_nodes: usize, num_arcs: u64) -> u64 {
    // Registers, and classes that have changed, for each line; lines and classes that are joined; tallies;
    // own registers and corrections of them; changes of nodes; classes, members, and rows between
    // classes in both directions; marks.
    let registers = (1 << log2_width) + 4 * (1 << (log2_width - LOG2_LINE));
    let node = registers + (64 + 4) + 16 + (12 + 8) + 20 + (4 + 8 + 16) + 8;
    num_nodes as u64 * node + 8 * num_arcs
}

/// The lines of all classes at one place of their counters.
struct Place {
    lines: Vec<Line>,
    /// The classes that changed in the last step, in increasing order.
    modified: Vec<Node>,
    /// Registers that nodes set here, in the order of classes.
    own: Vec<Own>,
}

/// Some registers of every class, advanced step by step.
pub(super) struct Lines<'c> {
    classes: &'c CounterClasses<'c>,
    places: Vec<Place>,
    /// For each node, its register, counted from the first of these, and the value.
    elements: Vec<(u32, u8)>,
    has_begun: bool,
    stands_still: bool,
    room: Room,
}

/// The buffers of a step, for one place at a time.
struct Room {
    /// New lines, and their classes.
    joined: Vec<Line>,
    names: Vec<Node>,
    /// A bit for each class whose line here changed in the last step.
    is_modified: Vec<u64>,
    /// By how much the tally of each class falls in this step, at all places.
    falls: Vec<Tally>,
    /// Classes with changes at some place in this step, and a bit for each.
    changed: Vec<Node>,
    is_changed: Vec<u64>,
    corrections: Vec<Correction>,
}

impl<'c> Lines<'c> {
    /// These registers of all counters, which are empty.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(super) fn new(
        classes: &'c CounterClasses,
        counters: Counters,
        registers: Range<usize>,
    ) -> Result<Self> {
        let count = classes.count();
        let elements = tasks::tabulate(classes.class_of.len(), |node| {
            let (register, value) = counters.of_node(node);
            // Registers of other slices are beyond all lines.
            let register = register.wrapping_sub(registers.start);
            (register.min(u32::MAX as usize) as u32, value)
        });
        let mut own: Vec<Vec<Own>> = Vec::new();
        own.resize_with(registers.len() / LINE, Vec::new);
        for &node in classes.all_members() {
            let (register, value) = elements[node as usize];
            if let Some(own) = own.get_mut(register as usize / LINE) {
                own.push(Own {
                    class: classes.class_of[node as usize],
                    node,
                    register: (register as usize % LINE) as u8,
                    value,
                });
            }
        }
        let empty = Line([0; LINE]);
        let places = own.into_iter().map(|own| {
            Ok(Place {
                lines: memory::filled(empty, count, "counters")?,
                modified: Vec::new(),
                own,
            })
        });
        Ok(Lines {
            places: places.collect::<Result<_>>()?,
            classes,
            elements,
            has_begun: false,
            stands_still: false,
            room: Room {
                joined: memory::filled(empty, count, "joined counters")?,
                names: memory::filled(0, count, "joined counters")?,
                is_modified: vec![0; count.div_ceil(64)],
                falls: memory::filled(Tally::default(), count, "tallies")?,
                changed: Vec::new(),
                is_changed: vec![0; count.div_ceil(64)],
                corrections: Vec::new(),
            },
        })
    }

    /// Advances the lines of a place.
    fn advance(&mut self, index: usize, progress: &dyn Progress) -> Result<()> {
        let (classes, room) = (self.classes, &mut self.room);
        let place = &mut self.places[index];
        let modified = std::mem::take(&mut place.modified);
        if self.has_begun && modified.is_empty() {
            return Ok(());
        }
        for &class in &modified {
            room.is_modified[class as usize / 64] |= 1 << (class % 64);
        }
        let is_few = self.has_begun && modified.len() <= classes.count() / 4;
        let visited = is_few.then(|| beside(&modified, &classes.reverse));
        let blocks = match &visited {
            Some(visited) => blocks_of(visited.len()),
            None => classes.between.blocks(BLOCK_WEIGHT),
        };
        let joined = split_mut(&mut room.joined, &blocks);
        let parts = joined.into_iter().zip(split_mut(&mut room.names, &blocks));
        let simd = Simd::best();
        let counts = tasks::try_map(blocks.iter().zip(parts), |(range, (joined, names))| {
            progress.check()?;
            Ok(simd.run(Joining {
                classes,
                lines: &place.lines,
                visited: visited.as_deref(),
                range: range.clone(),
                from: match self.has_begun {
                    false => From::Elements(&self.elements, index),
                    true if modified.len() > classes.count() / 2 => From::All,
                    true => From::Modified(&room.is_modified),
                },
                joined,
                names,
            }))
        })?;
        for &class in &modified {
            room.is_modified[class as usize / 64] = 0;
        }
        room.store(place, &blocks, &counts, simd);
        Ok(())
    }
}

impl Room {
    /// Stores what was joined: so many lines in each block.
    fn store(&mut self, place: &mut Place, blocks: &[Range<usize>], counts: &[usize], simd: Simd) {
        let found = blocks.iter().zip(counts).filter(|&(_, &count)| count > 0);
        let found = found.map(|(block, count)| block.start..block.start + count);
        let found: Vec<_> = found.collect();
        let names = &self.names;
        let extents = found.iter().map(|found| {
            let names = &names[found.clone()];
            names[0] as usize..names[names.len() - 1] as usize + 1
        });
        let extents: Vec<_> = extents.collect();
        let lines = split_mut(&mut place.lines, &extents);
        let parts = lines.into_iter().zip(split_mut(&mut self.falls, &extents));
        let tasks = found.iter().zip(&extents).zip(parts);
        let corrections = tasks::map(tasks, |((found, extent), (lines, falls))| {
            simd.run(Storing {
                first: extent.start,
                names: &names[found.clone()],
                joined: &self.joined[found.clone()],
                lines,
                falls,
                own: &place.own,
            })
        });
        self.corrections.extend(corrections.into_iter().flatten());
        for &class in found.iter().flat_map(|found| &names[found.clone()]) {
            place.modified.push(class);
            let word = &mut self.is_changed[class as usize / 64];
            if *word >> (class % 64) & 1 == 0 {
                *word |= 1 << (class % 64);
                self.changed.push(class);
            }
        }
    }

    /// The changes of nodes, from those of their classes at all places.
    fn changes(&mut self, classes: &CounterClasses) -> Vec<Changes> {
        let (changed, mut corrections) = (
            std::mem::take(&mut self.changed),
            std::mem::take(&mut self.corrections),
        );
        corrections.par_sort_unstable_by_key(|correction| correction.node);
        let is_few = changed.len() < classes.count() / 8;
        let few: Option<Vec<Node>> = is_few.then(|| {
            let members = changed.iter().flat_map(|&class| classes.members(class));
            let mut nodes: Vec<Node> = members.copied().collect();
            nodes.par_sort_unstable();
            nodes
        });
        let count = few.as_ref().map_or(classes.class_of.len(), Vec::len);
        let node_at = |place: usize| few.as_ref().map_or(place as Node, |nodes| nodes[place]);
        let changes = tasks::map(blocks_of(count), |block| {
            let first = node_at(block.start);
            let mut rest = &corrections[corrections.partition_point(|it| it.node < first)..];
            let mut changes = Changes::default();
            for node in block.map(node_at) {
                let mut fall = self.falls[classes.class_of[node as usize] as usize];
                if let [correction, others @ ..] = rest
                    && correction.node == node
                {
                    fall = fall.minus(correction.tally());
                    rest = others;
                }
                if fall != Tally::default() {
                    changes.nodes.push(node);
                    changes.falls.push(fall);
                }
            }
            changes
        });
        for class in changed {
            self.falls[class as usize] = Tally::default();
            self.is_changed[class as usize / 64] = 0;
        }
        let some = changes
            .into_iter()
            .filter(|changes| !changes.nodes.is_empty());
        some.collect()
    }
}

impl Advance for Lines<'_> {
    fn step(
        &mut self,
        _exchange: &mut Exchange,
        progress: &dyn Progress,
    ) -> Result<Option<Vec<Changes>>> {
        if self.stands_still {
            return Ok(None);
        }
        for index in 0..self.places.len() {
            self.advance(index, progress)?;
        }
        self.has_begun = true;
        self.elements = Vec::new();
        let changes = self.room.changes(self.classes);
        // A class may still reach its own nodes, which each of them has reached before.
        self.stands_still = changes.is_empty();
        Ok((!self.stands_still).then_some(changes))
    }
}

/// The state between two steps.
impl State for Lines<'_> {
    fn visit(&mut self, visitor: &mut DistributedVisitor) -> Result<()> {
        let mut has_begun = [u8::from(self.has_begun)];
        visitor.same(&mut has_begun)?;
        self.has_begun = has_begun != [0];
        for place in &mut self.places {
            for lines in place.lines.chunks_mut(LINES_AT_ONCE) {
                let mut registers: Vec<u8> = lines.iter().flat_map(|line| line.0).collect();
                visitor.of_nodes(&mut registers)?;
                for (line, registers) in lines.iter_mut().zip(registers.as_chunks().0) {
                    line.0 = *registers;
                }
            }
            let mut is_modified = memory::filled(0u8, place.lines.len(), "a checkpoint")?;
            let modified = place.modified.iter();
            modified.for_each(|&class| is_modified[class as usize] = 1);
            visitor.of_nodes(&mut is_modified)?;
            if visitor.is_restoring() {
                let modified = |class: usize| (is_modified[class] != 0).then_some(class as Node);
                place.modified = tasks::select(is_modified.len(), modified);
            }
        }
        Ok(())
    }
}

/// Blocks of so many places.
fn blocks_of(count: usize) -> Vec<Range<usize>> {
    let starts = (0..count).step_by(NODES_PER_BLOCK);
    let blocks = starts.map(|start| start..count.min(start + NODES_PER_BLOCK));
    blocks.collect()
}
