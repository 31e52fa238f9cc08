//! Every code on every field of a graph.

use super::yardsticks::{Yardsticks, measure};
use dsi_bitstream::dispatch::Codes;
use webgraph::prelude::CompFlags;
use webrank_base::error::Result;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_graph::Size;
use webrank_graph::bvgraph::meter::Field;
use webrank_graph::bvgraph::properties::Code;
use webrank_graph::codes::choose::CodeGroup;
use webrank_graph::codes::code::LabCode;
use webrank_graph::codes::count::{BLOCK_BITS, FieldCounts, bytes_of_counts, distinct_numbers};
use webrank_graph::codes::golomb::best_golomb;
use webrank_graph::codes::histogram::NumberDistribution;
use webrank_graph::{Compressed, Rows, StoredGraph};

/// A code on the numbers of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// The code.
    pub code: LabCode,
    /// The bits of all numbers.
    pub bits: u128,
}

/// A field of the lists, and what codes make of it.
pub struct Trial {
    /// The field.
    pub field: Field,
    /// Its numbers.
    pub numbers: NumberDistribution,
    /// All codes, in the same order for every field; none without numbers.
    pub costs: Vec<Cost>,
    /// The code of the file.
    pub own: Cost,
    /// The best code that a file can have. All fields of a group have the same.
    pub best: Cost,
    /// Other kinds of compression.
    pub yardsticks: Yardsticks,
}

impl Trial {
    /// The code with the fewest bits, whether a file can have it or not.
    pub fn least(&self) -> Option<Cost> {
        self.costs.iter().copied().min_by_key(|cost| cost.bits)
    }
}

/// The bits of every field of a graph in every code.
pub struct Laboratory {
    /// Number of nodes.
    pub nodes: u64,
    /// Number of arcs.
    pub arcs: u64,
    /// The bits of all lists.
    pub bits: u64,
    /// The fields, in the order of the format.
    pub trials: Vec<Trial>,
}

impl Laboratory {
    /// The bytes that [`Self::of`] holds at most.
    pub fn needs(source: &StoredGraph) -> u64 {
        let size = Size::on_disk(source, None);
        let bits = size.graph.saturating_mul(8);
        let blocks = bits.saturating_add(size.nodes) / BLOCK_BITS + 1;
        let in_file = distinct_numbers(bits);
        let blocks = BLOCK * blocks.min(2 * rayon::current_num_threads() as u64);
        let blocks = blocks.min(24 * in_file + (1 << 20));
        let min_interval = source.properties().min_interval as u64;
        let counts = bytes_of_counts(size.nodes, size.arcs, min_interval, in_file);
        // Offsets, and lists of counts in their growth, which are no longer there at most moments.
        (size.bytes_without_rows(12) - OF_RANK)
            .saturating_add(counts)
            .saturating_add(blocks)
    }

    /// Counts the numbers of a graph and tries all codes on them. O(n + m), parallel.
    ///
    /// # Errors
    /// If the file is damaged, or if there is not enough memory.
    pub fn of(graph: &Compressed, progress: &dyn Progress) -> Result<Self> {
        let counts = FieldCounts::of(graph, progress)?;
        let yardsticks = measure(graph, &counts, progress)?;
        progress.begin("codes", None);
        let best = counts.best_codes(&CompFlags::default());
        let own = &graph.properties().codes;
        let mut trials = Vec::new();
        for (field, numbers) in Field::ALL.into_iter().zip(counts.into_fields()) {
            progress.check()?;
            let cost = |code| Cost {
                code,
                bits: numbers.bits(|number| code.length(number)),
            };
            trials.push(Trial {
                field,
                costs: costs(&numbers),
                own: cost(LabCode::Instantaneous(field.code(own))),
                best: cost(LabCode::standard(CodeGroup::of(field).code(&best))),
                yardsticks: yardsticks[field as usize],
                numbers,
            });
        }
        Ok(Laboratory {
            nodes: graph.num_nodes() as u64,
            arcs: graph.num_arcs(),
            bits: graph.num_bits(),
            trials,
        })
    }

    /// The bits of all fields under their best codes.
    pub fn best_bits(&self) -> u128 {
        self.trials.iter().map(|trial| trial.best.bits).sum()
    }
}

/// The code of `rank` itself, which the program of the laboratory does not hold.
const OF_RANK: u64 = 16 << 20;

/// The bytes of a task that counts and encodes numbers.
const BLOCK: u64 = 2 << 20;

/// All codes on some numbers, each with its best parameter.
pub(crate) fn costs(numbers: &NumberDistribution) -> Vec<Cost> {
    if numbers.is_empty() {
        return Vec::new();
    }
    let (modulus, golomb) = best_golomb(numbers);
    let bits = |code: LabCode| Cost {
        code,
        bits: numbers.bits(|number| code.length(number)),
    };
    let rice = tasks::map(0..=numbers.max().max(1).ilog2() as usize, |k| {
        bits(LabCode::standard(Codes::Rice(k)))
    });
    let rice = rice.into_iter().min_by_key(|cost| cost.bits);
    let fixed: Vec<LabCode> = LabCode::fixed().collect();
    let mut costs = tasks::map(fixed, bits);
    let golomb = Cost {
        code: LabCode::standard(Codes::Golomb(modulus)),
        bits: golomb,
    };
    let minimal = bits(LabCode::MinimalBinary(numbers.max() + 1));
    costs.extend([golomb].into_iter().chain(rice).chain([minimal]));
    costs
}

/// True if a file that `webgraph` writes can have this code.
pub fn is_written(code: LabCode) -> bool {
    let LabCode::Instantaneous(Code::Standard(code)) = code else {
        return false;
    };
    CompFlags::code_to_str(code, 1).is_some()
}
