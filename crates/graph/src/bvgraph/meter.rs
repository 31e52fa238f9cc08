//! How many bits and arcs each component of the lists takes, as Java counts them in `.properties`.

use super::properties::{Code, ComponentCodes, Stated};

/// A part of a successor list.
#[derive(Debug, Clone, Copy)]
pub enum Component {
    /// The number of successors.
    Outdegrees,
    /// The list that is copied from.
    References,
    /// Copy blocks and their number.
    Blocks,
    /// Intervals and their number.
    Intervals,
    /// Successors that are neither copied nor in an interval.
    Residuals,
}

/// The kinds of numbers in a successor list, in the order in which they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// Number of successors.
    Outdegree,
    /// Distance to the list that is copied from; 0 if none is.
    Reference,
    /// Number of copy blocks.
    BlockCount,
    /// Length of a copy block; minus 1, but for the first.
    Block,
    /// Number of intervals.
    IntervalCount,
    /// Distance of an interval from the node or from the end of the interval before.
    IntervalStart,
    /// Length of an interval beyond the shortest.
    IntervalLength,
    /// Distance of the first residual from the node.
    FirstResidual,
    /// Gap between two residuals.
    Residual,
}

impl Field {
    /// Number of fields.
    pub const COUNT: usize = 9;

    /// All fields.
    pub const ALL: [Field; Field::COUNT] = [
        Field::Outdegree,
        Field::Reference,
        Field::BlockCount,
        Field::Block,
        Field::IntervalCount,
        Field::IntervalStart,
        Field::IntervalLength,
        Field::FirstResidual,
        Field::Residual,
    ];

    /// The name of the numbers.
    pub fn name(self) -> &'static str {
        match self {
            Field::Outdegree => "outdegrees",
            Field::Reference => "references",
            Field::BlockCount => "block counts",
            Field::Block => "blocks",
            Field::IntervalCount => "interval counts",
            Field::IntervalStart => "interval starts",
            Field::IntervalLength => "interval lengths",
            Field::FirstResidual => "first residuals",
            Field::Residual => "other residuals",
        }
    }

    /// The code of these numbers.
    pub fn code(self, codes: &ComponentCodes) -> Code {
        match self {
            Field::Outdegree => codes.outdegrees,
            Field::Reference => codes.references,
            Field::BlockCount => codes.block_counts,
            Field::Block => codes.blocks,
            Field::IntervalCount | Field::IntervalStart | Field::IntervalLength => codes.intervals,
            Field::FirstResidual | Field::Residual => codes.residuals,
        }
    }
}

/// A listener to a parser.
pub trait CodeVisitor {
    /// A number was read.
    #[inline(always)]
    fn number(&mut self, _: Field, _: u64) {}
    /// A component ends at `position`.
    fn end(&mut self, component: Component, position: impl FnOnce() -> u64);
    /// A list copies, or spans by intervals, or adds, so many arcs.
    fn arcs(&mut self, component: Component, count: u64);
    /// A list starts at `position`.
    fn start(&mut self, position: impl FnOnce() -> u64);
}

/// Nobody listens.
impl CodeVisitor for () {
    #[inline(always)]
    fn end(&mut self, _: Component, _: impl FnOnce() -> u64) {}
    #[inline(always)]
    fn arcs(&mut self, _: Component, _: u64) {}
    #[inline(always)]
    fn start(&mut self, _: impl FnOnce() -> u64) {}
}

/// Counts bits and arcs by component.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Meter {
    position: u64,
    bits: [u64; 5],
    arcs: [u64; 5],
}

impl CodeVisitor for Meter {
    fn end(&mut self, component: Component, position: impl FnOnce() -> u64) {
        let position = position();
        self.bits[component as usize] += position - self.position;
        self.position = position;
    }

    fn arcs(&mut self, component: Component, count: u64) {
        self.arcs[component as usize] += count;
    }

    fn start(&mut self, position: impl FnOnce() -> u64) {
        self.position = position();
    }
}

/// The properties that state counts: their names, and what they count.
const BITS: [(&str, Component); 5] = [
    ("bitsforoutdegrees", Component::Outdegrees),
    ("bitsforreferences", Component::References),
    ("bitsforblocks", Component::Blocks),
    ("bitsforintervals", Component::Intervals),
    ("bitsforresiduals", Component::Residuals),
];
const ARCS: [(&str, Component); 3] = [
    ("copiedarcs", Component::Blocks),
    ("intervalisedarcs", Component::Intervals),
    ("residualarcs", Component::Residuals),
];

/// The properties that [`Meter::compare`] knows.
pub(crate) fn stated_properties() -> impl Iterator<Item = &'static str> {
    BITS.iter().chain(&ARCS).map(|&(name, _)| name)
}

impl Meter {
    /// The counts of two parts of a graph.
    pub(crate) fn plus(mut self, other: Self) -> Self {
        for component in 0..self.bits.len() {
            self.bits[component] += other.bits[component];
            self.arcs[component] += other.arcs[component];
        }
        self
    }

    /// The first property that states something else: its name, what it states, and what is true.
    pub(crate) fn compare(&self, stated: &Stated) -> Result<(), (&'static str, u64, u64)> {
        let bits = BITS.map(|(name, component)| (name, self.bits[component as usize]));
        let arcs = ARCS.map(|(name, component)| (name, self.arcs[component as usize]));
        for (name, counted) in bits.into_iter().chain(arcs) {
            if let Some(&stated) = stated.get(name)
                && stated != counted
            {
                return Err((name, stated, counted));
            }
        }
        Ok(())
    }
}
