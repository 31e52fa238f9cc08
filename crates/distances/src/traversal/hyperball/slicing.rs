//! How many registers of each counter are held at a time, and the memory that this takes.

use super::counters::{self, Counters};
use super::line_kernels::LOG2_LINE;
use super::lines;
use super::totals::Totals;
use std::path::PathBuf;
use webrank_base::error::{Error, Result};

/// How many registers of each counter are held at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slicing {
    /// The base-2 logarithm of that number.
    log2_width: u32,
    /// The folder of what slices have changed.
    pub(super) folder: PathBuf,
    /// Whether they are those of classes, by lines.
    is_by_lines: bool,
}

impl Slicing {
    /// All registers at a time, which needs no files.
    pub fn whole(counters: Counters) -> Self {
        Slicing {
            log2_width: counters.log2m(),
            folder: PathBuf::new(),
            is_by_lines: false,
        }
    }

    /// 2^`log2_width` registers at a time, at most all; changes are kept in a file in `folder`.
    ///
    /// # Errors
    /// If they are fewer than 16.
    pub fn of(counters: Counters, log2_width: u32, folder: PathBuf) -> Result<Self> {
        if log2_width < counters::LEAST {
            let remedy = "a slice has 16 registers at least";
            return Err(Error::argument("log2_width", log2_width, remedy));
        }
        Ok(Slicing {
            log2_width: log2_width.min(counters.log2m()),
            folder,
            is_by_lines: false,
        })
    }

    /// The fewest slices that fit into so many bytes; at least 16 registers at a time, whether they
    /// fit or not.
    pub fn within(counters: Counters, num_nodes: usize, bytes: u64, folder: PathBuf) -> Self {
        let widths = (counters::LEAST..=counters.log2m()).rev();
        let slicings = widths.map(|log2_width| Slicing {
            log2_width,
            folder: folder.clone(),
            is_by_lines: false,
        });
        let mut fitting = slicings.filter(|slicing| slicing.memory(counters, num_nodes) <= bytes);
        let narrowest = Slicing {
            log2_width: counters::LEAST,
            folder: folder.clone(),
            is_by_lines: false,
        };
        fitting.next().unwrap_or(narrowest)
    }

    /// As [`Self::within`], for the rows of both directions in memory: [by lines](Self::by_lines) if that
    /// fits.
    pub fn by_lines_within(
        counters: Counters,
        (num_nodes, num_arcs): (usize, u64),
        bytes: u64,
        folder: PathBuf,
    ) -> Self {
        let mut widths = (LOG2_LINE..=counters.log2m()).rev();
        let fits = |&width: &u32| counters.memory_by_lines(width, num_nodes, num_arcs) <= bytes;
        match widths.find(fits) {
            Some(log2_width) => Slicing {
                log2_width,
                folder,
                is_by_lines: true,
            },
            None => Slicing::within(counters, num_nodes, bytes, folder),
        }
    }

    /// This width by lines: nodes with equal rows share a counter, of which 64 registers are joined at
    /// a time. Scores keep their bits. Needs the rows of both directions in memory, and 64 registers.
    pub fn by_lines(self) -> Self {
        Slicing {
            is_by_lines: self.log2_width >= LOG2_LINE,
            ..self
        }
    }

    /// Whether registers are those of classes, by lines.
    pub(super) fn is_by_lines(&self) -> bool {
        self.is_by_lines
    }

    /// The base-2 logarithm of the registers that are held at a time.
    pub(crate) fn log2_width(&self) -> u32 {
        self.log2_width
    }

    /// The number of slices.
    pub fn count(&self, counters: Counters) -> usize {
        counters.registers() >> self.log2_width
    }

    /// The bytes that a run on a graph of `num_nodes` takes besides the graph.
    pub fn memory(&self, counters: Counters, num_nodes: usize) -> u64 {
        // Registers, as many new ones at a step with many changes, tallies of these, their places, nodes
        // that have changed, nodes to visit, and marks.
        let slice = 2 * (1 << self.log2_width) + 20 + 8 + 2 * 4 + 2;
        let totals = Totals::bytes_of_node(2);
        let of_node = match self.count(counters) {
            1 => slice + totals,
            // Totals come after the slices.
            _ => slice.max(totals),
        };
        num_nodes as u64 * of_node + (4 << 20)
    }
}

impl Counters {
    /// The bytes that a run on a graph of `num_nodes` takes besides the graph, if all registers are
    /// held.
    pub fn memory(self, num_nodes: usize) -> u64 {
        self.memory_of(self.log2m(), num_nodes)
    }

    /// The bytes that a run takes with 2^`log2_width` registers at a time, at most all.
    pub(crate) fn memory_of(self, log2_width: u32, num_nodes: usize) -> u64 {
        let slicing = Slicing {
            log2_width: log2_width.min(self.log2m()),
            folder: PathBuf::new(),
            is_by_lines: false,
        };
        slicing.memory(self, num_nodes)
    }

    /// The bytes that a run by lines takes with 2^`log2_width` registers at a time, besides the graph.
    fn memory_by_lines(self, log2_width: u32, num_nodes: usize, num_arcs: u64) -> u64 {
        let totals = num_nodes as u64 * Totals::bytes_of_node(2);
        lines::memory(log2_width, num_nodes, num_arcs) + totals + (4 << 20)
    }

    /// The bytes that a run takes besides a graph whose rows of both directions are in memory, if all
    /// registers are held.
    pub fn memory_in(self, num_nodes: usize, num_arcs: u64) -> u64 {
        match self.is_by_lines() {
            true => self.memory_by_lines(self.log2m(), num_nodes, num_arcs),
            false => self.memory(num_nodes),
        }
    }

    /// Whether a counter has a line of registers.
    pub(crate) fn is_by_lines(self) -> bool {
        self.log2m() >= LOG2_LINE
    }

    /// The bytes that a run takes at least, with the narrowest slices.
    pub fn least_memory(self, num_nodes: usize) -> u64 {
        self.memory_of(counters::LEAST, num_nodes)
    }
}
