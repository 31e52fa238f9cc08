//! The spectral radii of the irreducible parts of a matrix.

use super::irreducible::Irreducible;
use super::perron::{RadiusBounds, SLACK, TINY};
use std::ops::Range;
use webrank_base::error::Result;
use webrank_base::parallel::{sums, tasks};
use webrank_base::progress::Progress;

/// Bounds on the spectral radii of all parts, by power iteration on all of them at once.
pub struct Radii {
    /// One for each part.
    pub bounds: Vec<RadiusBounds>,
    /// The iterates of all parts, by places; positive.
    pub vector: Vec<f64>,
    /// Sweeps over each part.
    pub sweeps: Vec<u32>,
}

impl Radii {
    /// Sweeps `max_sweeps` times from equal entries. Parts that are known not to have the largest
    /// radius are skipped.
    ///
    /// # Errors
    /// If the user interrupts.
    pub fn new(
        irreducible: &mut Irreducible,
        max_sweeps: u32,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let (parts, matrix) = irreducible.parts_and_matrix();
        let mut radii = Radii {
            bounds: vec![RadiusBounds::NONE; parts.len()],
            vector: vec![1.0; matrix.num_nodes()],
            sweeps: vec![0; parts.len()],
        };
        let mut image = vec![0.0; matrix.num_nodes()];
        for _ in 0..max_sweeps {
            progress.check()?;
            let lower = radii.lower();
            let active: Vec<usize> = (0..parts.len())
                .filter(|&part| radii.bounds[part].upper >= lower)
                .collect();
            let places = active.iter().map(|&part| parts[part].places.clone());
            matrix.multiply_some(&joined(places), &radii.vector, &mut image)?;
            for part in active {
                let places = parts[part].places.clone();
                let vector = &mut radii.vector[places.clone()];
                step(&mut radii.bounds[part], vector, &image[places]);
                radii.sweeps[part] += 1;
            }
        }
        Ok(radii)
    }

    /// The number of arcs in all multiplications.
    pub fn work(&self, irreducible: &Irreducible) -> u64 {
        let parts = irreducible.parts().iter().zip(&self.sweeps);
        let work = parts.map(|(part, &sweeps)| part.num_arcs * u64::from(sweeps));
        work.sum()
    }

    /// The radii of these parts, in their order, as estimated from the last sweep.
    ///
    /// # Errors
    /// If rows are in a file that cannot be read.
    pub fn estimates(&self, irreducible: &mut Irreducible, parts: &[usize]) -> Result<Vec<f64>> {
        let (all, matrix) = irreducible.parts_and_matrix();
        let places = parts.iter().map(|&part| all[part].places.clone());
        let places: Vec<Range<usize>> = places.collect();
        let mut image = vec![0.0; self.vector.len()];
        let ranges = joined(places.iter().cloned());
        matrix.multiply_some(&ranges, &self.vector, &mut image)?;
        let radius = |places: Range<usize>| {
            let [image, vector] = [&image, &self.vector].map(|x| sums::total(&x[places.clone()]));
            image / vector
        };
        Ok(places.into_iter().map(radius).collect())
    }

    /// The largest lower bound: the spectral radius of the whole is at least that.
    pub fn lower(&self) -> f64 {
        let lower = self.bounds.iter().map(|bounds| bounds.lower);
        lower.fold(0.0, f64::max)
    }

    /// Continues with one part until its radius is known to be less than `below`, or seems to be
    /// greater, for at most `max_sweeps` sweeps.
    ///
    /// # Errors
    /// If the user interrupts.
    pub fn sharpen(
        &mut self,
        irreducible: &Irreducible,
        part: usize,
        below: f64,
        max_sweeps: u32,
        progress: &dyn Progress,
    ) -> Result<()> {
        let is_sharp = |bounds: &RadiusBounds| bounds.width() < 4.0 * SLACK;
        if self.bounds[part].upper < below || is_sharp(&self.bounds[part]) {
            return Ok(());
        }
        let mut matrix = irreducible.prepared(part)?;
        let mut vector = self.vector[irreducible.parts()[part].places.clone()].to_vec();
        let mut image = vec![0.0; vector.len()];
        let bounds = &mut self.bounds[part];
        for _ in 0..max_sweeps {
            progress.check()?;
            matrix.multiply(&vector, &mut image)?;
            self.sweeps[part] += 1;
            let total = |x: &[f64]| sums::compensated(x.iter().copied());
            let seems_above = total(&image) > below * total(&vector);
            step(bounds, &mut vector, &image);
            // Ratios of subnormal numbers mean nothing.
            let is_tiny = vector.iter().any(|&x| x < TINY);
            if bounds.upper < below || seems_above || is_tiny || is_sharp(bounds) {
                break;
            }
        }
        Ok(())
    }
}

/// A step of the power method, which also sharpens the bounds.
fn step(bounds: &mut RadiusBounds, vector: &mut [f64], image: &[f64]) {
    *bounds = bounds.and(RadiusBounds::of(vector, image));
    // All entries of the image may be as good as 0, in the units of the largest part.
    if bounds.upper < TINY {
        return;
    }
    // Periodic parts converge only with a shift; a small one costs others little.
    let shift = bounds.upper / 8.0;
    let scale = 1.0 / (bounds.upper + shift);
    tasks::update_with(vector, image, |x, y| *x = scale * (y + shift * *x));
}

/// Increasing ranges, with adjacent ones joined.
fn joined(ranges: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => joined.push(range),
        }
    }
    joined
}
