//! The irreducible parts of a matrix whose spectral radius is that of the whole.

use super::irreducible::Irreducible;
use super::perron::{FindVector, Perron, RadiusBounds, perron};
use super::radii::Radii;
use std::cmp::Reverse;
use webrank_base::error::{Error, Result};
use webrank_base::progress::Progress;

/// Spectral radii that differ by less than this, relatively, count as equal.
pub const SAME_RADIUS: f64 = 1e-12;

/// Sweeps over all components before those that may dominate are examined one by one.
const COMMON_SWEEPS: u32 = 12;

/// Sweeps over a component that may dominate, to exclude that, before its eigenvector is sought.
const SWEEPS_TO_EXCLUDE: u32 = 200;

/// The parts that dominate.
pub struct Dominant {
    /// Their numbers, increasing.
    pub parts: Vec<usize>,
    /// One for each of them.
    pub perrons: Vec<Perron>,
    /// Bounds on the spectral radius of the whole.
    pub bounds: RadiusBounds,
    /// An upper bound on the spectral radii of the other parts.
    pub others: f64,
    /// Whether certified bounds separate them from the others.
    pub proved: bool,
    /// Sweeps over each part of the matrix.
    pub sweeps: Vec<u32>,
    /// The number of arcs in all multiplications.
    pub work: u64,
}

impl Dominant {
    /// The spectral radius, by the first eigenvector.
    pub fn radius(&self) -> f64 {
        self.perrons[0].radius
    }

    /// The largest of the rates: see [`Perron::rate`].
    pub fn rate(&self) -> Option<f64> {
        let rates = self.perrons.iter().filter_map(|perron| perron.rate);
        rates.reduce(f64::max)
    }

    /// The least gap, to eigenvalues of the same part or of others.
    pub fn gap(&self, radius: f64) -> f64 {
        let to_others = (1.0 - self.others / radius) / 2.0;
        let within = self.perrons.iter().map(|perron| perron.gap);
        within.fold(to_others, f64::min).max(f64::EPSILON)
    }

    /// Separates the parts that dominate from the others by certified bounds, and finds their
    /// eigenvectors to residuals of `tolerance` by `find`. There must be a part. No part is swept
    /// more than `max_sweeps` times, apart from sweeps for its bounds; where that does not suffice,
    /// the bounds are wider.
    ///
    /// # Errors
    /// If weights are so small or so large that sums of their products underflow or overflow; if rows
    /// are in a file that cannot be read; if the user interrupts.
    pub fn find(
        irreducible: &mut Irreducible,
        tolerance: f64,
        max_sweeps: u32,
        find: FindVector,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let mut radii = Radii::new(irreducible, COMMON_SWEEPS.min(max_sweeps), progress)?;
        let mut candidates: Vec<usize> = (0..irreducible.parts().len()).collect();
        let mut lower = radii.lower();
        candidates.retain(|&part| radii.bounds[part].upper >= lower);
        let estimates = radii.estimates(irreducible, &candidates)?;
        let mut estimated: Vec<(u64, usize)> =
            // The bits of positive numbers have the same order as the numbers.
            estimates.iter().map(|x| x.to_bits()).zip(candidates).collect();
        estimated.sort_by_key(|&(estimate, part)| (Reverse(estimate), part));
        // Several radii are compared to full precision.
        let tolerance = match estimated.len() {
            1 => tolerance,
            _ => tolerance.min(1e-13),
        };
        let mut perrons: Vec<(usize, Perron)> = Vec::new();
        for (_, part) in estimated {
            if !perrons.is_empty() {
                let limit = SWEEPS_TO_EXCLUDE.min(max_sweeps.saturating_sub(radii.sweeps[part]));
                radii.sharpen(irreducible, part, lower, limit, progress)?;
                let is_below = radii.bounds[part].upper < lower;
                lower = lower.max(radii.bounds[part].lower);
                if is_below {
                    continue;
                }
            }
            let places = irreducible.parts()[part].places.clone();
            let matrix = irreducible.prepared(part)?;
            let start = &radii.vector[places];
            let left = max_sweeps.saturating_sub(radii.sweeps[part]);
            let perron = perron(matrix, start, tolerance, left, find, progress)?;
            radii.sweeps[part] += perron.sweeps;
            radii.bounds[part] = radii.bounds[part].and(perron.bounds);
            lower = lower.max(radii.bounds[part].lower);
            perrons.push((part, perron));
        }
        Dominant::among(irreducible, perrons, radii)
    }

    /// The dominant parts among `perrons`, those whose radii have been found.
    fn among(
        irreducible: &Irreducible,
        mut perrons: Vec<(usize, Perron)>,
        radii: Radii,
    ) -> Result<Self> {
        let radius = perrons
            .iter()
            .map(|(_, perron)| perron.radius)
            .fold(0.0, f64::max);
        perrons.retain(|(_, perron)| perron.radius >= radius * (1.0 - SAME_RADIUS));
        if perrons.is_empty() || radius == 0.0 {
            let weights = irreducible.weights().unwrap_or(&[1.0]);
            let least = weights.iter().copied().fold(f64::INFINITY, f64::min);
            let largest = weights.iter().copied().fold(0.0, f64::max);
            return Err(Error::argument(
                "weights",
                format!("from {least:e} to {largest:e}"),
                "their products underflow or overflow: multiply all weights by one number, so that \
                 most are about 1",
            ));
        }
        perrons.sort_by_key(|(part, _)| *part);
        let parts: Vec<usize> = perrons.iter().map(|(part, _)| *part).collect();
        let mut is_dominant = vec![false; radii.bounds.len()];
        parts.iter().for_each(|&part| is_dominant[part] = true);
        let upper_bounds = || radii.bounds.iter().map(|bounds| bounds.upper);
        let others = upper_bounds().zip(&is_dominant);
        let others = others.filter(|(_, is_dominant)| !**is_dominant);
        let others = others.map(|(upper, _)| upper).fold(0.0, f64::max);
        let (lower, upper) = (radii.lower(), upper_bounds().fold(0.0, f64::max));
        Ok(Dominant {
            parts,
            perrons: perrons.into_iter().map(|(_, perron)| perron).collect(),
            bounds: RadiusBounds { lower, upper },
            others: others.min(radius),
            proved: others < lower,
            work: radii.work(irreducible),
            sweeps: radii.sweeps,
        })
    }
}
