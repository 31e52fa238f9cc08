//! Notes on Katz's index.

use super::KatzScores;
use webrank_base::units::counted_as;
use webrank_linear::wide::ExtendedFloat;
use webrank_scores::report::TOTAL;

/// How well the spectral radius is known that is told as one number.
const KNOWN: f64 = 1e-3;

impl KatzScores {
    /// Notes on alpha relative to the spectral radius, and on the sum of scores.
    pub(super) fn notes(&self) -> Vec<String> {
        let radius = self.radius;
        let about_radius = match (radius.bounds.lower, radius.bounds.upper) {
            (_, 0.0) => "the graph has no cycle, so any alpha is valid".into(),
            (0.0, _) => format!(
                "the spectral radius is at most {}, so alpha is below 1/rho",
                shown(radius.upper())
            ),
            _ if !radius.is_known_to(KNOWN) => format!(
                "the spectral radius is between {} and {}, and alpha is between {:.3} and {:.3} of its \
                 upper limit",
                shown(radius.lower()),
                shown(radius.upper()),
                (ExtendedFloat::new(self.alpha) * radius.lower()).get(),
                (ExtendedFloat::new(self.alpha) * radius.upper()).get()
            ),
            _ => format!(
                "the spectral radius is about {}, and alpha is {:.3} of its upper limit",
                shown(radius.middle()),
                (ExtendedFloat::new(self.alpha) * radius.middle()).get()
            ),
        };
        let lost = format!(
            "{} a positive score below the least normal double: it is rounded, or set to 0",
            counted_as(self.num_lost, "node has", "nodes have")
        );
        let total = format!("{TOTAL}{}", self.total);
        let mut notes = vec![about_radius, total];
        notes.extend((self.num_lost > 0).then_some(lost));
        notes
    }
}

/// All digits of a number of ordinary size.
fn shown(value: ExtendedFloat) -> String {
    match value.get() {
        double if (1e-4..1e15).contains(&double) => double.to_string(),
        _ => value.to_string(),
    }
}
