//! Which attenuations make the series converge: those below one over the spectral radius.

use super::Katz;
use crate::error::{Error, Result};
use crate::graph::Node;
use crate::graph::components::StrongComponents;
use crate::linear::dominant::Dominant;
use crate::linear::irreducible::Irreducible;
use crate::linear::matrix::Matrix;
use crate::linear::perron::{Bounds, SLACK};
use crate::progress::Progress;
use rayon::prelude::*;

/// What alpha times the spectral radius is, unless told.
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

/// alpha, which is surely below 1/rho, and what is known of rho.
pub fn attenuation(
    matrix: &Matrix,
    params: &Katz,
    progress: &dyn Progress,
) -> Result<(f64, Bounds)> {
    let nodes = (0..matrix.num_nodes() as Node).into_par_iter();
    let largest = nodes
        .map(|node| matrix.dot(node, |_| 1.0))
        .reduce(|| 0.0, f64::max);
    let by_rows = Bounds {
        lower: 0.0,
        upper: largest * (1.0 + SLACK),
    };
    if let Attenuation::Fixed(alpha) = params.alpha
        && alpha * by_rows.upper < 1.0
    {
        return Ok((alpha, by_rows));
    }
    progress.begin("components", None);
    let components = StrongComponents::new(matrix.rows(), progress)?;
    let irreducible = Irreducible::new(matrix, &components);
    let radius = match irreducible.parts().is_empty() {
        true => Bounds {
            lower: 0.0,
            upper: 0.0,
        },
        false => {
            progress.begin("spectral radius", None);
            let limit = params.max_iterations;
            Dominant::find(&irreducible, RADIUS_TOLERANCE, limit, progress)?.bounds
        }
    };
    match params.alpha {
        Attenuation::Fixed(alpha) if alpha * radius.upper < 1.0 => Ok((alpha, radius)),
        Attenuation::Fixed(alpha) => Err(Error::argument(
            "--alpha",
            alpha,
            format!(
                "the series diverges unless it is below 1/rho, which is {:.6} on this graph; give \
                 less, such as {:.6}, or auto",
                1.0 / radius.upper,
                AUTO / radius.upper
            ),
        )),
        Attenuation::Auto if radius.upper > 0.0 => Ok((AUTO / radius.upper, radius)),
        Attenuation::Auto => Ok((AUTO / largest.max(1.0), radius)),
    }
}
