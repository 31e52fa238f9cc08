//! Distance measures in exact rationals, straight from their definitions.

use num_bigint::BigInt;
use webrank_distances::geometric::DistanceMeasure;
use webrank_distances::geometric::closeness::Closeness;
use webrank_distances::geometric::decay::{Base, Decay};
use webrank_distances::geometric::eccentricity::Eccentricity;
use webrank_distances::geometric::harmonic::Harmonic;
use webrank_distances::geometric::integration::Integration;
use webrank_distances::geometric::lin::Lin;
use webrank_distances::geometric::reachable::Reachable;
use webrank_scores::parameters::Variant;

pub type Rational = num_rational::Ratio<BigInt>;

/// The score from the numbers of nodes at each distance, the number of nodes, the diameter.
type Definition = Box<dyn Fn(&[u32], usize, u32) -> Rational>;

/// A measure and its definition: the score from the distances of the other nodes that are reached,
/// the number of nodes and the diameter.
pub struct Defined {
    pub measure: Box<dyn DistanceMeasure>,
    definition: Definition,
}

impl Defined {
    pub fn score(&self, distances: &[u32], num_nodes: usize, diameter: u32) -> Rational {
        (self.definition)(distances, num_nodes, diameter)
    }
}

fn defined(
    measure: impl DistanceMeasure + 'static,
    definition: impl Fn(&[u32], usize, u32) -> Rational + 'static,
) -> Defined {
    Defined {
        measure: Box::new(measure),
        definition: Box::new(definition),
    }
}

pub fn integer(value: i64) -> Rational {
    Rational::from_integer(value.into())
}

fn total(distances: &[u32], term: impl Fn(u32) -> Rational) -> Rational {
    distances
        .iter()
        .map(|&d| term(d))
        .fold(integer(0), |sum, term| sum + term)
}

fn sum(distances: &[u32]) -> Rational {
    total(distances, |d| integer(d as i64))
}

fn others(num_nodes: usize) -> Rational {
    integer((num_nodes as i64 - 1).max(1))
}

/// The rational that a double is.
pub fn exactly(value: f64) -> Rational {
    let bits = value.abs().to_bits();
    let (exponent, fraction) = ((bits >> 52) as i32, bits & ((1 << 52) - 1));
    let (mantissa, exponent) = match exponent {
        0 => (fraction, -1074),
        _ => (fraction | 1 << 52, exponent - 1075),
    };
    let sign = if value < 0.0 { -1 } else { 1 };
    let power = Rational::from_integer(BigInt::from(2).pow(exponent.unsigned_abs()));
    let mantissa = Rational::from_integer(BigInt::from(mantissa) * sign);
    if exponent < 0 {
        mantissa / power
    } else {
        mantissa * power
    }
}

pub fn closeness(variant: Variant) -> Defined {
    defined(Closeness { variant }, move |distances, n, _| {
        let (r, sum) = (integer(distances.len() as i64), sum(distances));
        let count = &r + integer(1);
        match variant {
            Variant::Lin if distances.is_empty() => integer(1),
            Variant::Lin => &count * &count / sum,
            Variant::Nieminen => &count * &count - sum,
            _ if distances.is_empty() => integer(0),
            Variant::Bavelas => integer(1) / sum,
            Variant::WassermanFaust => &r / others(n) * &r / sum,
        }
    })
}

pub fn harmonic(normalize: bool) -> Defined {
    defined(Harmonic { normalize }, move |distances, n, _| {
        let sum = total(distances, |d| Rational::new(1.into(), d.into()));
        if normalize { sum / others(n) } else { sum }
    })
}

pub fn decay(base: f64) -> Defined {
    let measure = Decay {
        base: Base::new(base).unwrap(),
    };
    defined(measure, move |distances, _, _| {
        let base = exactly(base);
        let mut power = integer(1);
        let mut sum = integer(0);
        for distance in 1..=distances.iter().copied().max().unwrap_or(0) {
            power *= &base;
            let count = distances.iter().filter(|&&d| d == distance).count();
            sum += &power * integer(count as i64);
        }
        sum
    })
}

pub fn all() -> Vec<Defined> {
    vec![
        closeness(Variant::Bavelas),
        closeness(Variant::Lin),
        closeness(Variant::Nieminen),
        closeness(Variant::WassermanFaust),
        harmonic(false),
        harmonic(true),
        defined(Lin, |distances, _, _| {
            let count = integer(distances.len() as i64 + 1);
            if distances.is_empty() {
                integer(1)
            } else {
                &count * &count / sum(distances)
            }
        }),
        defined(Reachable, |distances, _, _| integer(distances.len() as i64)),
        defined(Eccentricity, |distances, _, _| {
            integer(distances.iter().copied().max().unwrap_or(0) as i64)
        }),
        decay(0.5),
        decay(0.25),
        decay(0.75),
        decay(0.3),
        decay(0.999),
        decay(0.01),
        defined(Integration, |distances, n, diameter| {
            let reversed = |d| integer(diameter as i64 + 1 - d as i64);
            total(distances, reversed) / others(n)
        }),
    ]
}
