//! The attenuations for which the series converges: those below one over the spectral radius.

use super::system::KatzRows;
use serde::Serialize;
use std::str::FromStr;
use webrank_base::error::{Error, Result};
use webrank_base::progress::Progress;
use webrank_linear::dominant::Dominant;
use webrank_linear::irreducible::Irreducible;
use webrank_linear::perron::{RadiusBounds, SLACK, dominant_vector};
use webrank_linear::scaling::{BalancedParts, is_ordinary};
use webrank_linear::wide::{ExtendedFloat, times_power};

/// The default value of alpha times the spectral radius.
pub const AUTO: f64 = 0.85;

/// The residual of the dominant eigenvector; its bounds on the radius are equally accurate.
const RADIUS_TOLERANCE: f64 = 1e-10;

/// The residual if that does not tell whether alpha is valid.
const SHARP_TOLERANCE: f64 = 1e-15;

/// How far bounds may differ for alpha to be made from them.
const ACCURATE: f64 = 1e-6;

/// The valid values of alpha, for error messages.
const REMEDY: &str = "it must be a positive number below 1/rho, or auto";

/// The attenuation alpha of each step.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Attenuation {
    /// [`AUTO`] over the spectral radius; on a graph without cycles, over the largest sum of a row.
    #[default]
    Auto,
    /// Positive and finite.
    #[serde(untagged)]
    Fixed(f64),
}

impl Attenuation {
    /// # Errors
    /// If `alpha` is not positive and finite. (Whether it is small enough depends on the graph.)
    pub fn new(alpha: f64) -> Result<Self> {
        if alpha.is_finite() && alpha > 0.0 {
            Ok(Attenuation::Fixed(alpha))
        } else {
            Err(Error::argument("alpha", alpha, REMEDY))
        }
    }
}

impl FromStr for Attenuation {
    type Err = Error;

    /// `auto`, or a number.
    fn from_str(text: &str) -> Result<Self> {
        match text {
            "auto" => Ok(Attenuation::Auto),
            number => match number.parse() {
                Ok(alpha) => Attenuation::new(alpha),
                Err(_) => Err(Error::argument("alpha", number, REMEDY)),
            },
        }
    }
}

/// An alpha that is proved to be below 1/rho.
pub struct Attenuated {
    pub alpha: f64,
    /// Bounds on rho.
    pub radius: Radius,
    /// The number of sweeps that this took.
    pub sweeps: u32,
}

/// Bounds on a spectral radius, in units of 2^exponent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Radius {
    /// The bounds.
    pub bounds: RadiusBounds,
    /// The exponent of their unit.
    pub exponent: i64,
}

impl Radius {
    /// At most the radius.
    pub fn lower(&self) -> ExtendedFloat {
        ExtendedFloat::new(self.bounds.lower).scaled(self.exponent)
    }

    /// At least the radius.
    pub fn upper(&self) -> ExtendedFloat {
        ExtendedFloat::new(self.bounds.upper).scaled(self.exponent)
    }

    /// Whether the bounds differ by at most this part of the radius.
    pub fn is_known_to(&self, part: f64) -> bool {
        self.bounds.upper <= self.bounds.lower * (1.0 + part)
    }

    /// The midpoint.
    pub fn middle(&self) -> ExtendedFloat {
        ExtendedFloat::new(self.bounds.middle()).scaled(self.exponent)
    }
}

/// Finds alpha, and proves it to be below 1/rho.
///
/// # Errors
/// If alpha is not below 1/rho, or if `max_sweeps` do not suffice to prove it; if no double is
/// near enough to `auto`; if the user interrupts.
pub fn attenuated(
    matrix: &KatzRows,
    attenuation: Attenuation,
    max_sweeps: u32,
    progress: &dyn Progress,
) -> Result<Attenuated> {
    let largest = matrix.largest_sum();
    if let Attenuation::Fixed(alpha) = attenuation
        && let Some(radius) = radius_by_rows(matrix, alpha, largest)
    {
        return Ok(Attenuated {
            alpha,
            radius,
            sweeps: 0,
        });
    }
    let mut search = RadiusSearch {
        matrix,
        attenuation,
        max_sweeps,
        radius: Radius {
            bounds: RadiusBounds::ZERO,
            exponent: 0,
        },
        sweeps: 0,
    };
    search.run(progress)?;
    let RadiusSearch { radius, sweeps, .. } = search;
    let alpha = match attenuation {
        Attenuation::Fixed(alpha) if is_below(alpha, radius.upper()) => alpha,
        Attenuation::Fixed(alpha) => return Err(too_large(alpha, radius)),
        Attenuation::Auto if radius.bounds.upper > 0.0 && radius.exponent == 0 => {
            AUTO / radius.bounds.upper
        }
        Attenuation::Auto => automatic(matrix, radius, largest)?,
    };
    Ok(Attenuated {
        alpha,
        radius,
        sweeps,
    })
}

/// The bounds that the largest sum of a row gives, if they prove alpha to be below 1/rho.
fn radius_by_rows(matrix: &KatzRows, alpha: f64, largest_sum: f64) -> Option<Radius> {
    let bounds = RadiusBounds {
        lower: 0.0,
        upper: largest_sum * (1.0 + SLACK),
    };
    let is_proved = is_ordinary(matrix.weights()) && alpha * bounds.upper < 1.0;
    is_proved.then_some(Radius {
        bounds,
        exponent: 0,
    })
}

/// The search for the spectral radius, as accurate as alpha needs it.
struct RadiusSearch<'a> {
    matrix: &'a KatzRows,
    attenuation: Attenuation,
    max_sweeps: u32,
    radius: Radius,
    sweeps: u32,
}

impl RadiusSearch<'_> {
    fn run(&mut self, progress: &dyn Progress) -> Result<()> {
        progress.begin("components", None);
        let mut irreducible = self.matrix.irreducible(progress)?;
        if irreducible.parts().is_empty() {
            return Ok(());
        }
        let is_ordinary = is_ordinary(self.matrix.weights());
        if !is_ordinary {
            let balanced = BalancedParts::new(&irreducible, progress)?;
            (irreducible, self.radius.exponent) = (balanced.irreducible, balanced.shift);
        }
        progress.begin("spectral radius", None);
        self.radius.bounds = RadiusBounds::NONE;
        self.sharpen(&mut irreducible, RADIUS_TOLERANCE, 0, progress)?;
        if self.is_open() {
            self.sharpen(&mut irreducible, SHARP_TOLERANCE, 0, progress)?;
        }
        if self.is_open() && is_ordinary && self.matrix.weights().is_some() {
            // Small entries of an eigenvector are as accurate as others only if there are none.
            let mut balanced = BalancedParts::new(&irreducible, progress)?;
            let (parts, shift) = (&mut balanced.irreducible, balanced.shift);
            self.sharpen(parts, SHARP_TOLERANCE, shift, progress)?;
        }
        Ok(())
    }

    /// Whether the bounds leave open if alpha is below 1/rho, or what it is relative to that, and there
    /// are sweeps left to tell.
    fn is_open(&self) -> bool {
        let is_open = match self.attenuation {
            Attenuation::Fixed(alpha) => is_open(alpha, self.radius),
            // Without weights, one pass is accurate.
            Attenuation::Auto => {
                self.matrix.weights().is_some() && !self.radius.is_known_to(ACCURATE)
            }
        };
        is_open && self.sweeps + 80 < self.max_sweeps
    }

    /// Finds the radius of these parts, whose unit is 2^shift that of the bounds, to a tolerance.
    fn sharpen(
        &mut self,
        parts: &mut Irreducible,
        tolerance: f64,
        shift: i64,
        progress: &dyn Progress,
    ) -> Result<()> {
        // Bounds take some sweeps besides, and so does a certificate of scores.
        let left = self.max_sweeps.saturating_sub(self.sweeps + 12).max(1);
        let found = Dominant::find(parts, tolerance, left, dominant_vector, progress)?;
        self.sweeps += found.work.div_ceil(self.matrix.num_arcs()) as u32;
        // Exact: neither these bounds nor the exponent are far from those of 1.
        let in_units = |bound: f64| times_power(bound, shift);
        self.radius.bounds = self.radius.bounds.and(RadiusBounds {
            lower: in_units(found.bounds.lower),
            upper: in_units(found.bounds.upper),
        });
        Ok(())
    }
}

/// Whether the bounds leave open if alpha is below 1/rho.
fn is_open(alpha: f64, radius: Radius) -> bool {
    !is_below(alpha, radius.upper()) && is_below(alpha, radius.lower())
}

/// Whether alpha times a radius is below 1.
fn is_below(alpha: f64, radius: ExtendedFloat) -> bool {
    // Bounds allow for this rounding.
    ExtendedFloat::new(alpha) * radius < ExtendedFloat::ONE
}

/// [`AUTO`] over the spectral radius, or over the largest sum of a row.
fn automatic(matrix: &KatzRows, radius: Radius, largest_sum: f64) -> Result<f64> {
    let scale = match radius.bounds.upper > 0.0 {
        true => radius.upper(),
        // Sums of rows that overflow are at most this.
        false => match largest_sum.is_finite() {
            true => ExtendedFloat::new(largest_sum.max(1.0)),
            false => ExtendedFloat::new(matrix.num_nodes() as f64).scaled(1024),
        },
    };
    let alpha = ExtendedFloat::new(AUTO) / scale;
    if alpha.get().is_finite() {
        // Rounding to a double below all normal ones does not reach 1/rho.
        return Ok(alpha.clamped());
    }
    let value = "auto";
    let remedy = format!(
        "{AUTO}/rho is about {alpha}, more than a double holds: multiply all weights by one number, \
         so that most are about 1"
    );
    Err(Error::argument("alpha", value, remedy))
}

/// The error for an alpha that is not proved to be below 1/rho.
fn too_large(alpha: f64, radius: Radius) -> Error {
    let limit = |radius: ExtendedFloat| match radius.is_zero() {
        true => "infinity".to_owned(),
        false => exact(ExtendedFloat::ONE / radius),
    };
    let safe = ExtendedFloat::new(AUTO) / radius.upper();
    let remedy = if is_below(alpha, radius.lower()) {
        format!(
            "the series diverges unless it is below 1/rho, which was found to lie between {} and \
             {}; give less, such as {safe}, or auto",
            limit(radius.upper()),
            limit(radius.lower())
        )
    } else {
        format!(
            "the series diverges unless it is below 1/rho, which is {} on this graph; give less, \
             such as {safe}, or auto",
            limit(radius.upper())
        )
    };
    Error::argument("alpha", exact(ExtendedFloat::new(alpha)), remedy)
}

/// As many digits as a double has, and an exponent unless the number is of ordinary size.
fn exact(value: ExtendedFloat) -> String {
    match value.get() {
        double if (1e-4..1e15).contains(&double) => double.to_string(),
        double if double.is_finite() && double >= f64::MIN_POSITIVE => format!("{double:e}"),
        _ => value.to_string(),
    }
}
