//! Where the lengths of arcs come from.

use super::decimal::Decimal;
use super::whole::{Numbers, Unit, Whole, gcd};
use num_bigint::BigUint;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::progress::{Progress, Silent};
use webrank_graph::{Csr, Graph};
use xxhash_rust::xxh3::Xxh3;

/// The lengths of the arcs.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum LengthSource {
    /// Every arc is one step.
    #[default]
    Hops,
    /// The weights of the graph.
    Weights,
    /// 1 divided by the weights of the graph.
    Inverse,
    /// A file: lines `source,target,length`, or numbers by source and target (`.f32` or `.f64`,
    /// little-endian).
    File(PathBuf),
    /// A number for each arc, by source and target.
    Values(Arc<[f64]>),
}

/// The rows of a graph with the lengths of their arcs, as whole numbers of a unit.
pub(crate) struct Lengths {
    pub successors: Arc<Csr>,
    pub whole: Whole,
    pub unit: Unit,
    /// 10, or 2 if lengths are binary fractions.
    pub base: u32,
    pub note: Option<String>,
    /// The order of sources that are searched from together, and the longest length: see
    /// [`Lengths::in_lanes`].
    pub lanes: Option<(Vec<Node>, u32)>,
}

pub(crate) const ZERO: &str = "have the length 0: shortest paths could go in circles, so that their number is not \
                    defined; give positive lengths, or join the ends of these arcs";

impl LengthSource {
    /// The word of the command line, or `file`.
    pub fn name(&self) -> &'static str {
        match self {
            LengthSource::Hops => "hops",
            LengthSource::Weights => "weights",
            LengthSource::Inverse => "inverse",
            LengthSource::File(_) => "file",
            LengthSource::Values(_) => "vector",
        }
    }

    /// A checksum of the lengths, and of what their unit is.
    ///
    /// # Errors
    /// As for [`Self::read`].
    pub(crate) fn hash(&self, graph: &Graph) -> Result<Value> {
        let Lengths { whole, unit, .. } = self.read(graph, &Silent)?;
        let Unit {
            numerator,
            denominator,
        } = unit;
        let mut hash = Xxh3::new();
        let mut add = |number: &BigUint| {
            let digits = number.iter_u64_digits();
            hash.update(&(digits.len() as u64).to_le_bytes());
            digits.for_each(|digit| hash.update(&digit.to_le_bytes()));
        };
        add(&numerator);
        add(&denominator);
        match whole {
            Whole::Narrow(lengths) => lengths.iter().for_each(|&it| add(&it.into())),
            Whole::Middle(lengths) => lengths.iter().for_each(|&it| add(&it.into())),
            Whole::Wide(lengths) => lengths.iter().for_each(|&it| add(&it.into())),
            Whole::Long(lengths) => lengths.iter().for_each(add),
        }
        Ok(format!("{:032x}", hash.digest128()).into())
    }

    /// Reads the graph, and the length of each arc.
    ///
    /// # Errors
    /// If the graph or the file cannot be read; if the graph has no weights, but they are asked for; if there
    /// is not one length for each arc, or one is not positive and finite (the message names the arc); if
    /// lengths are too far apart.
    pub(crate) fn read(&self, graph: &Graph, progress: &dyn Progress) -> Result<Lengths> {
        let weights = || {
            let remedy = "the graph has no weights; name a file of lengths, or leave out --lengths to \
                          count hops";
            let found = graph.weighted_successors(progress)?;
            found.ok_or_else(|| Error::argument("lengths", self.name(), remedy))
        };
        let mut note = None;
        let (successors, numbers) = match self {
            LengthSource::Weights => {
                let (rows, weights) = weights()?;
                (Arc::new(rows), Numbers::of_doubles(&weights, false))
            }
            LengthSource::Inverse => {
                let (rows, weights) = weights()?;
                return inverses(Arc::new(rows), &weights);
            }
            LengthSource::Hops => {
                let rows = graph.successors(progress)?;
                let one = Decimal {
                    digits: 1,
                    exponent: 0,
                };
                let ones = std::iter::repeat_n(one, rows.num_arcs() as usize);
                (rows, Numbers::of_decimals(ones))
            }
            LengthSource::Values(values) => {
                let rows = graph.successors(progress)?;
                if values.len() as u64 != rows.num_arcs() {
                    let remedy = format!("the graph has {} arcs", rows.num_arcs());
                    return Err(Error::argument("number of lengths", values.len(), remedy));
                }
                check(values, graph, &rows, |problem| {
                    Error::argument("lengths", problem, "they must be positive and finite")
                })?;
                (rows, Numbers::of_doubles(values, false))
            }
            LengthSource::File(path) => {
                let rows = graph.successors(progress)?;
                let (numbers, said) = super::file::read(path, graph, &rows)?;
                note = said;
                (rows, numbers)
            }
        };
        let base = numbers.base;
        let Some((whole, unit)) = numbers.whole(successors.num_nodes()) else {
            let remedy =
                "some are more than 10^2400 times as long as others: leave out or round these";
            return Err(Error::argument("lengths", self.name(), remedy));
        };
        Ok(Lengths {
            successors,
            whole,
            unit,
            base,
            note,
            lanes: None,
        })
    }
}

/// Checks doubles; `wrong` makes an error of what is wrong.
pub(crate) fn check(
    values: &[f64],
    graph: &Graph,
    rows: &Csr,
    wrong: impl Fn(String) -> Error,
) -> Result<()> {
    if let Some(arc) = values.iter().position(|it| !(it.is_finite() && *it >= 0.0)) {
        let source = rows
            .offsets()
            .partition_point(|&offset| offset <= arc as u64)
            - 1;
        let [source, target] = [source as Node, rows.targets()[arc]].map(|node| graph.label(node));
        let problem = format!(
            "the arc {source} -> {target} has the length {}",
            values[arc]
        );
        return Err(wrong(problem));
    }
    match values.iter().filter(|&&value| value == 0.0).count() {
        0 => Ok(()),
        zeros => Err(wrong(format!("{zeros} of {} arcs {ZERO}", values.len()))),
    }
}

/// Lengths of 1 divided by weights: whole numbers of a unit over the least common multiple of these, if
/// paths of them fit into 128 bits, otherwise the nearest doubles.
fn inverses(successors: Arc<Csr>, weights: &[f64]) -> Result<Lengths> {
    let n = successors.num_nodes();
    let numbers = Numbers::of_doubles(weights, false);
    let multiple = numbers.small().try_fold(1u128, |multiple, weight| {
        let weight = weight?;
        (multiple / gcd(multiple, weight)).checked_mul(weight)
    });
    let exact = multiple.and_then(|multiple| {
        let in_parts = || numbers.small().map(move |weight| Some(multiple / weight?));
        let (whole, factor) = Whole::of_small(in_parts, n)?;
        let Unit {
            numerator,
            denominator,
        } = numbers.unit().times(multiple);
        Some((
            whole,
            Unit::new(denominator * BigUint::from(factor), numerator),
        ))
    });
    if let Some((whole, unit)) = exact {
        let base = 10;
        return Ok(Lengths {
            successors,
            whole,
            unit,
            base,
            note: None,
            lanes: None,
        });
    }
    let rounded: Vec<f64> = weights.iter().map(|weight| 1.0 / weight).collect();
    let infinite = "a weight is below 1e-308, and its inverse is more than a double holds";
    if rounded.iter().any(|length| !length.is_finite()) {
        return Err(Error::argument("lengths", "inverse", infinite));
    }
    let numbers = Numbers::of_doubles(&rounded, false);
    let base = numbers.base;
    let Some((whole, unit)) = numbers.whole(n) else {
        let remedy = "weights are too far apart: round them";
        return Err(Error::argument("lengths", "inverse", remedy));
    };
    let note = "lengths are the doubles nearest to the inverses of the weights: the least common multiple of \
                the weights is too large for exact fractions; paths that would tie may not";
    Ok(Lengths {
        successors,
        whole,
        unit,
        base,
        note: Some(note.to_owned()),
        lanes: None,
    })
}
