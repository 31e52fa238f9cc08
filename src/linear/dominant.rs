//! The irreducible parts of a matrix whose spectral radius is that of the whole.

use super::irreducible::{Irreducible, Radii};
use super::perron::{Bounds, Perron, perron};
use crate::error::Result;
use crate::progress::Progress;
use std::cmp::Reverse;

/// Spectral radii that differ by less than this, relatively, count as equal.
pub const SAME_RADIUS: f64 = 1e-12;

/// Sweeps over all components before those that may dominate are looked at one by one.
const COMMON_SWEEPS: u32 = 12;

/// Sweeps over a component that may dominate, to exclude that, before its eigenvector is sought.
const SWEEPS_TO_EXCLUDE: u32 = 200;

/// The parts that dominate.
pub struct Dominant {
    /// Their numbers, increasing.
    pub parts: Vec<usize>,
    /// One for each of them.
    pub perrons: Vec<Perron>,
    /// On the spectral radius of the whole.
    pub bounds: Bounds,
    /// On that of the largest of the other parts.
    pub others: f64,
    /// Whether certified bounds separate them from the others.
    pub proved: bool,
    /// Sweeps over the arcs.
    pub sweeps: u32,
}

impl Dominant {
    /// The spectral radius, by the first eigenvector.
    pub fn radius(&self) -> f64 {
        self.perrons[0].radius
    }

    /// The least gap, to eigenvalues of the same part or of others.
    pub fn gap(&self, radius: f64) -> f64 {
        let to_others = (1.0 - self.others / radius) / 2.0;
        let within = self.perrons.iter().map(|perron| perron.gap);
        within.fold(to_others, f64::min).max(f64::EPSILON)
    }

    /// Tells the parts that dominate from the others by certified bounds, and finds the
    /// eigenvectors of the former to residuals of `tolerance`. There must be a part.
    ///
    /// # Errors
    /// If the user interrupts.
    pub fn find(
        irreducible: &Irreducible,
        tolerance: f64,
        max_iterations: u32,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let mut radii = Radii::new(irreducible, COMMON_SWEEPS, |_| false, progress)?;
        let mut candidates: Vec<usize> = (0..irreducible.parts().len()).collect();
        let lower = radii.lower();
        candidates.retain(|&part| radii.bounds[part].upper >= lower);
        let estimate = |part: usize| radii.estimate(irreducible, part);
        // Positive numbers are ordered as their bits are.
        candidates.sort_by_cached_key(|&part| (Reverse(estimate(part).to_bits()), part));
        // Several radii are compared to all the digits there are.
        let tolerance = match candidates.len() {
            1 => tolerance,
            _ => tolerance.min(1e-13),
        };
        let mut perrons: Vec<(usize, Perron)> = Vec::new();
        for part in candidates {
            if !perrons.is_empty() {
                let below = radii.lower();
                radii.sharpen(irreducible, part, below, SWEEPS_TO_EXCLUDE, progress)?;
                if radii.bounds[part].upper < below {
                    continue;
                }
            }
            let places = irreducible.parts()[part].places.clone();
            let matrix = irreducible.part(&irreducible.parts()[part]);
            let start = &radii.vector[places];
            let perron = perron(matrix, start, tolerance, max_iterations, progress)?;
            radii.sweeps += perron.sweeps;
            radii.bounds[part] = radii.bounds[part].and(perron.bounds);
            perrons.push((part, perron));
        }
        let radius = perrons
            .iter()
            .map(|(_, perron)| perron.radius)
            .fold(0.0, f64::max);
        perrons.retain(|(_, perron)| perron.radius >= radius * (1.0 - SAME_RADIUS));
        perrons.sort_by_key(|(part, _)| *part);
        let parts: Vec<usize> = perrons.iter().map(|(part, _)| *part).collect();
        let lower = radii.lower();
        let others = (0..radii.bounds.len()).filter(|part| !parts.contains(part));
        let others = others
            .map(|part| radii.bounds[part].upper)
            .fold(0.0, f64::max);
        let upper = radii
            .bounds
            .iter()
            .map(|bounds| bounds.upper)
            .fold(0.0, f64::max);
        Ok(Dominant {
            parts,
            perrons: perrons.into_iter().map(|(_, perron)| perron).collect(),
            bounds: Bounds { lower, upper },
            others: others.min(radius),
            proved: others < lower,
            sweeps: radii.sweeps,
        })
    }
}
