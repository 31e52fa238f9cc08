//! Lengths of arcs as whole numbers of a unit, read by other code than that of the scores.
//!
//! A decimal is as long as it is written; a double is the shortest decimal that is read as it, or, if one of
//! them has more than 18 digits behind the point, all are the binary fractions that they are. Inverses are
//! fractions over the least common multiple of the weights, where sums of them fit into 128 bits, otherwise
//! the nearest doubles.

use num_bigint::BigUint;
use num_traits::{One, ToPrimitive};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_base::memory::filled;
use webrank_base::progress::Progress;
use webrank_graph::arc_weights::{for_arcs, raw_numbers};
use webrank_graph::{Csr, Graph};
use webrank_linear::exact_sum::{nearest, parts};
use webrank_tables::text::keys::NodeKeys;
use webrank_tables::text::records::Records;

/// Where the lengths of arcs come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArcLengths {
    /// Each arc is one step.
    Hops,
    /// The weights of the graph.
    Weights,
    /// 1 divided by the weights of the graph.
    Inverse,
    /// Lines `source,target,length`, or raw numbers by source and target.
    File(PathBuf),
}

/// The meaning of the whole number 1: a positive fraction.
pub struct LengthUnit {
    pub numerator: BigUint,
    pub denominator: BigUint,
    /// The nearest double.
    pub value: f64,
}

/// A length for each arc, by source and target, in units; sums along paths fit.
pub struct WholeLengths {
    pub whole: Vec<u128>,
    pub unit: LengthUnit,
    /// Paths that are longer do not count.
    pub cutoff: u128,
}

/// `digits * base^exponent`.
type Number = (u64, i32);

/// The most digits behind the point of a decimal.
const MOST_BEHIND: i32 = 18;

/// Powers of ten beyond this are no lengths.
const MOST_EXPONENT: i64 = 2000;

/// A positive decimal.
fn decimal(text: &str) -> Option<Number> {
    let (plain, power) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, part) = plain.split_once('.').unwrap_or((plain, ""));
    let all = format!("{whole}{part}");
    let digits = all.trim_end_matches('0');
    let zeros = all.len() - digits.len();
    let exponent = i64::from(power.parse::<i32>().ok()?) + zeros as i64 - part.len() as i64;
    let digits = digits.parse().ok()?;
    (exponent.abs() <= MOST_EXPONENT).then_some((digits, exponent as i32))
}

/// Positive doubles, and the base that they are in.
fn of_doubles(doubles: &[f64], are_singles: bool) -> (Vec<Number>, u32) {
    let text = |&double: &f64| match are_singles {
        true => format!("{:e}", double as f32),
        false => format!("{double:e}"),
    };
    let decimals: Option<Vec<Number>> = doubles.iter().map(|it| decimal(&text(it))).collect();
    match decimals {
        Some(decimals) if decimals.iter().all(|it| it.1 >= -MOST_BEHIND) => (decimals, 10),
        _ => (doubles.iter().map(|&double| parts(double)).collect(), 2),
    }
}

impl LengthUnit {
    fn new(numerator: BigUint, denominator: BigUint) -> Self {
        LengthUnit {
            value: nearest(&numerator, &denominator, 0),
            numerator,
            denominator,
        }
    }

    /// The unit of steps.
    pub fn one() -> Self {
        Self::new(BigUint::one(), BigUint::one())
    }

    /// How many units are within a number.
    fn within(&self, (digits, exponent): Number, base: u32) -> u128 {
        let power = BigUint::from(base).pow(exponent.unsigned_abs());
        let (top, bottom) = (&self.denominator * digits, &self.numerator * 1u32);
        let found = match exponent < 0 {
            true => top / (bottom * power),
            false => top * power / bottom,
        };
        found.to_u128().unwrap_or(u128::MAX)
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Whole numbers without a common divisor, which is returned besides; none if a path may be too long.
fn reduced(whole: Vec<u128>, num_nodes: usize) -> Option<(Vec<u128>, u128)> {
    let divisor = whole.iter().fold(0, |a, &b| gcd(a, b)).max(1);
    let largest = whole.iter().max().map_or(0, |it| it / divisor);
    largest.checked_mul(num_nodes as u128 + 1)?;
    Some((whole.iter().map(|it| it / divisor).collect(), divisor))
}

/// Numbers in units of the base to their least exponent, which is returned besides; none if one is too large.
fn scaled(numbers: &[Number], base: u32) -> Option<(Vec<u128>, i32)> {
    let least = numbers.iter().map(|it| it.1).min().unwrap_or(0);
    let whole = numbers.iter().map(|&(digits, exponent)| {
        let power = u128::from(base).checked_pow((exponent - least) as u32)?;
        u128::from(digits).checked_mul(power)
    });
    Some((whole.collect::<Option<_>>()?, least))
}

/// The power as a fraction.
fn power(base: u32, exponent: i32) -> (BigUint, BigUint) {
    let power = BigUint::from(base).pow(exponent.unsigned_abs());
    match exponent < 0 {
        true => (BigUint::one(), power),
        false => (power, BigUint::one()),
    }
}

/// Numbers as lengths.
fn lengths(
    (numbers, base): &(Vec<Number>, u32),
    num_nodes: usize,
) -> Option<(Vec<u128>, LengthUnit)> {
    let (whole, least) = scaled(numbers, *base)?;
    let (whole, divisor) = reduced(whole, num_nodes)?;
    let (numerator, denominator) = power(*base, least);
    Some((whole, LengthUnit::new(numerator * divisor, denominator)))
}

/// The inverses of numbers over their least common multiple.
fn inverses(
    (numbers, base): &(Vec<Number>, u32),
    num_nodes: usize,
) -> Option<(Vec<u128>, LengthUnit)> {
    let (whole, least) = scaled(numbers, *base)?;
    let mut multiple = 1u128;
    for &weight in &whole {
        multiple = (multiple / gcd(multiple, weight)).checked_mul(weight)?;
    }
    let whole = whole.iter().map(|weight| multiple / weight).collect();
    let (whole, divisor) = reduced(whole, num_nodes)?;
    let (numerator, denominator) = power(*base, least);
    Some((
        whole,
        LengthUnit::new(denominator * divisor, numerator * multiple),
    ))
}

impl ArcLengths {
    /// The word of a manifest.
    pub fn name(&self) -> &'static str {
        match self {
            ArcLengths::Hops => "hops",
            ArcLengths::Weights => "weights",
            ArcLengths::Inverse => "inverse",
            ArcLengths::File(_) => "file",
        }
    }

    /// The rows of successors, and the lengths of their arcs.
    ///
    /// # Errors
    /// If the graph or the file cannot be read; if an arc has no positive length; if paths do not fit into 128
    /// bits; if the cutoff is not positive.
    pub fn read(
        &self,
        graph: &Graph,
        cutoff: Option<f64>,
        progress: &dyn Progress,
    ) -> Result<(Arc<Csr>, WholeLengths)> {
        let n = graph.num_nodes();
        let weights = || {
            let remedy = "the graph has no weights; name a file of lengths";
            let found = graph.weighted_successors(progress)?;
            found.ok_or_else(|| Error::argument("lengths", self.name(), remedy))
        };
        let (rows, found, base) = match self {
            ArcLengths::Hops => {
                let rows = graph.successors(progress)?;
                let ones = filled(1, rows.num_arcs() as usize, "lengths")?;
                (rows, Some((ones, LengthUnit::one())), 10)
            }
            ArcLengths::Weights => {
                let (rows, weights) = weights()?;
                let numbers = of_doubles(&weights, false);
                (Arc::new(rows), lengths(&numbers, n), numbers.1)
            }
            ArcLengths::Inverse => {
                let (rows, weights) = weights()?;
                let exact = inverses(&of_doubles(&weights, false), n);
                let rounded = || {
                    let inverses: Vec<f64> = weights.iter().map(|it| 1.0 / it).collect();
                    let numbers = of_doubles(&inverses, false);
                    (lengths(&numbers, n), numbers.1)
                };
                let (found, base) = match exact {
                    Some(exact) => (Some(exact), 10),
                    None => rounded(),
                };
                (Arc::new(rows), found, base)
            }
            ArcLengths::File(path) => {
                let rows = graph.successors(progress)?;
                let numbers = read_file(path, graph, &rows)?;
                (rows, lengths(&numbers, n), numbers.1)
            }
        };
        let Some((whole, unit)) = found else {
            return Err(Error::NoMethod {
                measure: "scores by these lengths",
                method: "rank verify",
                remedy: "sums of lengths so far apart have more than 128 bits; 'rank rerun' repeats the run",
            });
        };
        let cutoff = match cutoff {
            None => u128::MAX,
            Some(cutoff) if cutoff.is_finite() && cutoff > 0.0 => {
                let number = match base {
                    2 => Some(parts(cutoff)),
                    _ => decimal(&format!("{cutoff:e}")),
                };
                number.map_or(u128::MAX, |number| unit.within(number, base))
            }
            Some(cutoff) => {
                return Err(Error::argument("cutoff", cutoff, "give a positive number"));
            }
        };
        Ok((
            rows,
            WholeLengths {
                whole,
                unit,
                cutoff,
            },
        ))
    }
}

fn read_file(path: &Path, graph: &Graph, rows: &Csr) -> Result<(Vec<Number>, u32)> {
    let checksums = graph.files_read();
    let missing = |arc: usize| {
        let problem = format!("arc {arc} of the graph has no positive length");
        Error::file(path, problem)
    };
    if let Some(values) = raw_numbers(path, rows.num_arcs(), "lengths", checksums)? {
        let is_wrong = |length: &f64| !(length.is_finite() && *length > 0.0);
        if let Some(arc) = values.iter().position(is_wrong) {
            return Err(missing(arc));
        }
        let are_singles = path.extension().is_some_and(|it| it == "f32");
        return Ok(of_doubles(&values, are_singles));
    }
    let mut found = filled((0, 0), rows.num_arcs() as usize, "lengths")?;
    let records = Records::list_noting(path, checksums)?;
    let keys = NodeKeys::new(rows.num_nodes(), graph.names());
    for_arcs(records, rows, keys, |record, arc| {
        let length = decimal(record.text(2)?.trim());
        found[arc] =
            length.ok_or_else(|| record.wrong("the length is no positive decimal".to_owned()))?;
        Ok(())
    })?;
    if found.iter().any(|it| it.0 == 0) {
        mirror(&mut found, rows);
    }
    match found.iter().position(|it| it.0 == 0) {
        Some(arc) => Err(missing(arc)),
        None => Ok((found, 10)),
    }
}

/// Gives arcs without a length that of their reverse, if all arcs have one.
fn mirror(lengths: &mut [Number], rows: &Csr) {
    let place = |source: Node, target: Node| {
        let place = rows.row(source).binary_search(&target).ok()?;
        Some(rows.offsets()[source as usize] as usize + place)
    };
    let arcs = (0..rows.num_nodes() as Node).flat_map(|v| rows.row(v).iter().map(move |&w| (v, w)));
    let reverses: Option<Vec<usize>> = arcs.map(|(v, w)| place(w, v)).collect();
    for (arc, reverse) in reverses.into_iter().flatten().enumerate() {
        if lengths[arc].0 == 0 {
            lengths[arc] = lengths[reverse];
        }
    }
}
