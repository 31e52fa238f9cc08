//! The eigenvector of a matrix, as it is or in units in which its weights are of ordinary size.

use super::beyond_dominant::Extension;
use super::scaling::Units;
use super::{EigenvectorMethod, Norm};
use webrank_base::error::Result;
use webrank_base::parallel::tasks;
use webrank_base::progress::Progress;
use webrank_graph::components::StrongComponents;
use webrank_linear::dominant::Dominant;
use webrank_linear::irreducible::Irreducible;
use webrank_linear::matrix::Matrix;
use webrank_linear::perron::{clear_unresolved, residual_of};
use webrank_linear::prepared::PreparedMatrix;
use webrank_linear::scaling::is_ordinary;
use webrank_linear::wide::ExtendedFloat;

/// The most sweeps after which scores in units of their own are final.
const SWEEPS_IN_UNITS: usize = 64;

/// Weights are even if rounding leaves less than this of a residual.
const UNEVEN: f64 = 1e-13;

/// Estimates of the radius may be outside its bounds by rounding, relatively.
const ROUNDING: f64 = 1e-14;

/// The parameters of a solution, for any matrix with these components.
pub struct SolutionParameters<'a> {
    pub components: &'a StrongComponents,
    pub norm: Norm,
    pub method: EigenvectorMethod,
    pub tolerance: f64,
    pub max_sweeps: u32,
}

/// A solution.
pub struct Solved {
    pub irreducible: Irreducible,
    pub units: Option<Units>,
    pub found: Dominant,
    /// The number of nodes whose true score is positive.
    pub positive: usize,
    /// Whether the limit of sweeps sufficed to find what dominant parts keep.
    pub is_complete: bool,
    pub settled: FinalScores,
    /// The number of arcs multiplied by.
    pub work: u64,
}

impl SolutionParameters<'_> {
    /// Solves the problem in the units of the matrix, or in others if these give a better solution.
    pub fn solve_well(
        &self,
        prepared: &mut PreparedMatrix,
        irreducible: Irreducible,
        progress: &dyn Progress,
    ) -> Result<Solved> {
        if let Some(matrix) = prepared.weighted()
            && !is_ordinary(matrix.weights())
        {
            return self.solve_in_units(matrix, &irreducible, progress);
        }
        let solved = self.solve_with(prepared, irreducible, None, progress)?;
        let residual = solved.settled.residual;
        let Some(matrix) = prepared.weighted() else {
            return Ok(solved);
        };
        if residual.is_nan() || residual <= self.tolerance {
            return Ok(solved);
        }
        let is_rounding =
            || rounding_of_residual(prepared, solved.found.radius()) > 0.1 * self.tolerance;
        let is_uneven = || outside_bounds(&solved.found) > ROUNDING;
        if !is_uneven() && !is_rounding() {
            return Ok(solved);
        }
        let again = self.solve_in_units(matrix, &solved.irreducible, progress)?;
        if again.settled.residual < residual {
            return Ok(Solved {
                work: solved.work + again.work,
                ..again
            });
        }
        Ok(solved)
    }

    /// Solves it in units in which weights are of ordinary size.
    fn solve_in_units(
        &self,
        matrix: &Matrix,
        irreducible: &Irreducible,
        progress: &dyn Progress,
    ) -> Result<Solved> {
        let (units, matrix) = Units::new(
            matrix,
            self.components,
            irreducible,
            self.max_sweeps,
            progress,
        )?;
        let irreducible = Irreducible::new(&matrix, self.components);
        let mut prepared = PreparedMatrix::new(matrix);
        self.solve_with(&mut prepared, irreducible, Some(units), progress)
    }

    fn solve_with(
        &self,
        matrix: &mut PreparedMatrix,
        mut irreducible: Irreducible,
        units: Option<Units>,
        progress: &dyn Progress,
    ) -> Result<Solved> {
        let found = Dominant::find(
            &mut irreducible,
            self.tolerance,
            self.max_sweeps,
            self.method.finder(),
            progress,
        )?;
        let extended = Extension {
            matrix,
            components: self.components,
            irreducible: &irreducible,
            found: &found,
            tolerance: self.tolerance,
            max_sweeps: self.max_sweeps,
        }
        .extend(progress)?;
        let settled = FinalScores::new(matrix, extended.values, &found, self.norm, units.as_ref())?;
        Ok(Solved {
            positive: extended.positive.iter().filter(|&&is| is).count(),
            is_complete: extended.converged,
            work: found.work + extended.work,
            settled,
            found,
            units,
            irreducible,
        })
    }
}

/// The eigenvalue of a solution, in doubles.
pub struct Eigenvalue {
    pub value: f64,
    pub bounds: Option<[f64; 2]>,
    /// The numbers that doubles cannot hold, in words.
    pub beyond_doubles: Option<String>,
}

impl Solved {
    /// The eigenvalue in the units of the matrix.
    pub fn eigenvalue(&self) -> Eigenvalue {
        let shift = self.units.as_ref().map_or(0, |units| units.shift);
        let radius = ExtendedFloat::new(self.found.radius()).scaled(shift);
        let is_beyond = !(f64::MIN_POSITIVE..=f64::MAX).contains(&radius.get());
        let bounds = [self.found.bounds.lower, self.found.bounds.upper];
        let (value, bounds) = match shift {
            0 => (self.found.radius(), bounds),
            _ => {
                // Below all normal doubles, rounding is no longer relative.
                let [lower, upper] =
                    bounds.map(|bound| ExtendedFloat::new(bound).scaled(shift).get());
                (
                    radius.clamped(),
                    [lower.next_down().max(0.0), upper.next_up()],
                )
            }
        };
        Eigenvalue {
            // Rounding may put the estimate outside what is certified.
            value: value.max(bounds[0]).min(bounds[1]),
            bounds: bounds[1].is_finite().then_some(bounds),
            beyond_doubles: is_beyond.then(|| {
                format!("the eigenvalue is about {radius}, which is outside the range of doubles")
            }),
        }
    }
}

/// About the residual that rounding leaves: it grows with weights that are large for this spectral
/// radius.
fn rounding_of_residual(matrix: &PreparedMatrix, radius: f64) -> f64 {
    let largest = |weights: &[f64]| tasks::largest(weights.len(), |arc| weights[arc]);
    let weights = matrix.weighted().and_then(Matrix::weights);
    weights.map_or(0.0, largest) * f64::EPSILON / radius
}

/// How far the estimate of the radius is outside its certified bounds, relatively. A vector of small
/// residual may be far from the eigenvector, and its eigenvalue is then not the radius.
fn outside_bounds(found: &Dominant) -> f64 {
    let (radius, bounds) = (found.radius(), found.bounds);
    (radius - radius.max(bounds.lower).min(bounds.upper)).abs() / radius
}

/// Final scores.
pub struct FinalScores {
    pub x: Vec<f64>,
    pub residual: f64,
    pub gap: f64,
    pub resolution: f64,
}

impl FinalScores {
    /// Applies the equation to x, so that nodes with equal rows get equal scores. Then sets entries
    /// that the residual cannot resolve to 0, and scales.
    fn new(
        matrix: &mut PreparedMatrix,
        mut x: Vec<f64>,
        found: &Dominant,
        norm_of_scores: Norm,
        units: Option<&Units>,
    ) -> Result<Self> {
        let mut image = vec![0.0; x.len()];
        let radius = found.radius();
        // In units of their own, small entries may stand for large ones: each sweep makes those
        // accurate that are one step further from the dominant component.
        let sweeps = units.map_or(2, |_| x.len().clamp(2, SWEEPS_IN_UNITS));
        for _ in 0..sweeps {
            matrix.multiply(&x, &mut image)?;
            std::mem::swap(&mut x, &mut image);
            tasks::update(&mut x, |_, x| *x /= radius);
        }
        // Now x is the image of `image`, whose residual is about that of x.
        let product = tasks::tabulate(x.len(), |i| x[i] * radius);
        let mut residual = match units {
            None => residual_of(&image, &product, radius),
            Some(units) => units.residual(&image, &product, radius),
        };
        // Weights that are large for this radius may multiply errors in small entries.
        if units.is_none() && rounding_of_residual(matrix, radius) > UNEVEN {
            matrix.multiply(&x, &mut image)?;
            residual = residual.max(residual_of(&x, &image, radius));
        }
        // The eigenvalue that is given is within its bounds.
        let outside = outside_bounds(found);
        if outside > ROUNDING {
            residual += outside;
        }
        let gap = found.gap(radius);
        let resolution = (residual / (2.0 * gap)).max(f64::EPSILON);
        clear_unresolved(&mut x, resolution);
        if let Some(units) = units {
            x = units.common(&x);
        }
        let length = norm_of_scores.of(&x);
        tasks::update(&mut x, |_, x| *x /= length);
        Ok(FinalScores {
            x,
            residual,
            gap,
            resolution,
        })
    }
}
