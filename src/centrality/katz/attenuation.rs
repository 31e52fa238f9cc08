//! Which attenuations make the series converge: those below one over the spectral radius.

use super::Katz;
use crate::error::{Error, Result};
use crate::graph::Node;
use crate::graph::components::StrongComponents;
use crate::linear::dominant::Dominant;
use crate::linear::irreducible::Irreducible;
use crate::linear::matrix::Matrix;
use crate::linear::perron::{RadiusBounds, SLACK};
use crate::progress::Progress;
use rayon::prelude::*;

/// What alpha times the spectral radius is by default.
pub const AUTO: f64 = 0.85;

/// To which residual the dominant eigenvector is found: its bounds on the radius are as good.
const RADIUS_TOLERANCE: f64 = 1e-10;

/// The attenuation alpha of each step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Attenuation {
    /// [`AUTO`] over the spectral radius; on a graph without cycles, over the largest sum of a row.
    #[default]
    Auto,
    /// Positive and finite.
    Fixed(f64),
}

impl Attenuation {
    /// # Errors
    /// If `alpha` is not positive and finite. (Whether it is small enough, the graph decides.)
    pub fn new(alpha: f64) -> Result<Self> {
        if alpha.is_finite() && alpha > 0.0 {
            Ok(Attenuation::Fixed(alpha))
        } else {
            Err(Error::argument(
                "--alpha",
                alpha,
                "it must be a positive number below 1/rho, or auto",
            ))
        }
    }
}

/// alpha, which is surely below 1/rho, what is known of rho, and the sweeps that this took.
pub fn attenuation(
    matrix: &Matrix,
    params: &Katz,
    progress: &dyn Progress,
) -> Result<(f64, RadiusBounds, u32)> {
    let nodes = (0..matrix.num_nodes() as Node).into_par_iter();
    let largest = nodes
        .map(|node| matrix.dot(node, |_| 1.0))
        .reduce(|| 0.0, f64::max);
    let by_rows = RadiusBounds {
        lower: 0.0,
        upper: largest * (1.0 + SLACK),
    };
    if let Attenuation::Fixed(alpha) = params.alpha
        && alpha * by_rows.upper < 1.0
    {
        return Ok((alpha, by_rows, 0));
    }
    progress.begin("components", None);
    let components = StrongComponents::new(matrix.rows(), progress)?;
    let irreducible = Irreducible::new(matrix, &components);
    let (mut radius, mut sweeps) = (RadiusBounds::ZERO, 0);
    if !irreducible.parts().is_empty() {
        progress.begin("spectral radius", None);
        let limit = params.max_iterations;
        let found = Dominant::find(&irreducible, RADIUS_TOLERANCE, limit, progress)?;
        sweeps = found.work.div_ceil(matrix.rows().num_arcs()) as u32;
        radius = found.bounds;
    }
    let alpha = match params.alpha {
        Attenuation::Fixed(alpha) if alpha * radius.upper < 1.0 => alpha,
        Attenuation::Fixed(alpha) => return Err(too_large(alpha, radius)),
        Attenuation::Auto if radius.upper > 0.0 => AUTO / radius.upper,
        Attenuation::Auto => AUTO / largest.max(1.0),
    };
    Ok((alpha, radius, sweeps))
}

/// The error that alpha is not surely below 1/rho.
fn too_large(alpha: f64, radius: RadiusBounds) -> Error {
    let safe = AUTO / radius.upper;
    let remedy = if alpha * radius.lower < 1.0 {
        format!(
            "the series diverges unless it is below 1/rho, which is between {} and {}, as far as \
             the limit of iterations let it be found; give less, such as {safe:.6}, or auto",
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
    Error::argument("--alpha", alpha, remedy)
}
