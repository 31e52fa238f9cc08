//! The attenuations for which the series converges: those below one over the spectral radius.

use crate::error::{Error, Result};
use crate::graph::Node;
use crate::graph::components::StrongComponents;
use crate::linear::dominant::Dominant;
use crate::linear::irreducible::Irreducible;
use crate::linear::matrix::Matrix;
use crate::linear::perron::{RadiusBounds, SLACK};
use crate::parallel::tasks;
use crate::progress::Progress;
use serde::Serialize;
use std::str::FromStr;

/// The default value of alpha times the spectral radius.
pub const AUTO: f64 = 0.85;

/// The residual of the dominant eigenvector; its bounds on the radius are equally accurate.
const RADIUS_TOLERANCE: f64 = 1e-10;

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
    pub radius: RadiusBounds,
    /// The number of sweeps that this took.
    pub sweeps: u32,
}

/// Finds alpha, and proves it to be below 1/rho.
///
/// # Errors
/// If alpha is not below 1/rho, or if `max_sweeps` do not suffice to prove it; if the user
/// interrupts.
pub fn attenuated(
    matrix: &Matrix,
    attenuation: Attenuation,
    max_sweeps: u32,
    progress: &dyn Progress,
) -> Result<Attenuated> {
    let row_sum = |node: usize| matrix.dot(node as Node, |_| 1.0);
    let largest = tasks::largest(matrix.num_nodes(), row_sum);
    let by_rows = RadiusBounds {
        lower: 0.0,
        upper: largest * (1.0 + SLACK),
    };
    if let Attenuation::Fixed(alpha) = attenuation
        && alpha * by_rows.upper < 1.0
    {
        return Ok(Attenuated {
            alpha,
            radius: by_rows,
            sweeps: 0,
        });
    }
    progress.begin("components", None);
    let components = StrongComponents::new(matrix.rows(), progress)?;
    let irreducible = Irreducible::new(matrix, &components);
    let (mut radius, mut sweeps) = (RadiusBounds::ZERO, 0);
    if !irreducible.parts().is_empty() {
        progress.begin("spectral radius", None);
        let found = Dominant::find(&irreducible, RADIUS_TOLERANCE, max_sweeps, progress)?;
        sweeps = found.work.div_ceil(matrix.rows().num_arcs()) as u32;
        radius = found.bounds;
    }
    let alpha = match attenuation {
        Attenuation::Fixed(alpha) if alpha * radius.upper < 1.0 => alpha,
        Attenuation::Fixed(alpha) => return Err(too_large(alpha, radius)),
        Attenuation::Auto if radius.upper > 0.0 => AUTO / radius.upper,
        Attenuation::Auto => AUTO / largest.max(1.0),
    };
    Ok(Attenuated {
        alpha,
        radius,
        sweeps,
    })
}

/// The error for an alpha that is not proved to be below 1/rho.
fn too_large(alpha: f64, radius: RadiusBounds) -> Error {
    let safe = AUTO / radius.upper;
    let remedy = if alpha * radius.lower < 1.0 {
        format!(
            "the series diverges unless it is below 1/rho; within the limit of iterations, 1/rho \
             was found to lie between {} and {}; give less, such as {safe:.6}, or auto",
            1.0 / radius.upper,
            1.0 / radius.lower
        )
    } else {
        format!(
            "the series diverges unless it is below 1/rho, which is {:.6} on this graph; give \
             less, such as {safe:.6}, or auto",
            1.0 / radius.upper
        )
    };
    Error::argument("alpha", alpha, remedy)
}
