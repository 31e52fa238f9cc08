//! The numbers of a comparison with names and descriptions: rows of a CSV, lines of a summary or of
//! a web page.

use super::comparisons::Comparison;

/// A number of a comparison.
#[derive(Debug, Clone, PartialEq)]
pub struct Scalar {
    /// Its name in tables.
    pub name: String,
    /// Its description.
    pub meaning: String,
    /// The number; none if it is undefined.
    pub value: Option<f64>,
    /// Whether it counts nodes.
    is_count: bool,
}

impl Scalar {
    /// The number with as many digits as a reader needs; none if it is undefined.
    pub fn text(&self) -> Option<String> {
        let text = |value: f64| {
            if self.is_count {
                value.to_string()
            } else {
                short(value)
            }
        };
        self.value.map(text)
    }
}

/// A coefficient with as many digits as a reader needs.
pub fn short(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-4 {
        format!("{value:.3e}")
    } else {
        format!("{value:.6}")
    }
}

fn scalar(name: &str, meaning: &str, value: Option<f64>) -> Scalar {
    Scalar {
        name: name.to_owned(),
        meaning: meaning.to_owned(),
        value,
        is_count: false,
    }
}

impl Comparison {
    /// Every number of the comparison except counts of pairs and movers, in a fixed order.
    pub fn scalars(&self) -> Vec<Scalar> {
        let mut scalars = self.coefficients();
        for top in &self.top {
            let k = top.k;
            scalars.push(Scalar {
                name: format!("overlap_{k}"),
                meaning: format!("the first {k} in common"),
                value: Some(top.overlap),
                is_count: true,
            });
            let meaning = format!("Jaccard coefficient of the first {k}");
            scalars.push(scalar(&format!("jaccard_{k}"), &meaning, Some(top.jaccard)));
        }
        scalars.extend(self.certain());
        scalars
    }

    fn coefficients(&self) -> Vec<Scalar> {
        let (ap, rbo, distances) = (&self.ap, &self.rbo, &self.distances);
        let named: [(&str, &str, Option<f64>); 13] = [
            ("tau_b", "Kendall's tau-b", self.tau_b),
            ("weighted_tau", "Vigna's weighted tau", self.weighted_tau),
            ("rho", "Spearman's rho", self.rho),
            (
                "pearson_log",
                "Pearson on logarithms of scores",
                self.pearson_log.correlation,
            ),
            ("gamma", "Goodman and Kruskal's gamma", self.gamma),
            (
                "ap_x_is_truth",
                "AP correlation, the first is the truth",
                ap.x_is_truth,
            ),
            (
                "ap_y_is_truth",
                "AP correlation, the second is the truth",
                ap.y_is_truth,
            ),
            ("ap_symmetric", "AP correlation, symmetric", ap.symmetric),
            (
                "rbo_w",
                "Rank-biased overlap, ties as one rank",
                rbo.map(|rbo| rbo.w),
            ),
            (
                "rbo_a",
                "Rank-biased overlap, expectation over ties",
                rbo.map(|rbo| rbo.a),
            ),
            (
                "rbo_b",
                "Rank-biased overlap, corrected for ties",
                rbo.map(|rbo| rbo.b),
            ),
            (
                "l1",
                "l1 distance of normalised scores",
                distances.map(|distances| distances.l1),
            ),
            (
                "l_infinity",
                "l-infinity distance of normalised scores",
                distances.map(|distances| distances.l_infinity),
            ),
        ];
        named
            .map(|(name, meaning, value)| scalar(name, meaning, value))
            .into()
    }

    /// The certified coefficients within the error bounds; nothing if both columns are exact.
    fn certain(&self) -> Vec<Scalar> {
        let Some(certified) = &self.certified else {
            return Vec::new();
        };
        let share = certified.undecided as f64 / certified.pairs as f64;
        vec![
            scalar(
                "certified_tau_b",
                "tau-b, with pairs that error bounds leave undecided as ties",
                certified.tau_b,
            ),
            scalar(
                "certified_gamma",
                "gamma of pairs that error bounds decide",
                certified.gamma,
            ),
            scalar(
                "undecided_share",
                "share of pairs that error bounds leave undecided",
                (certified.pairs > 0).then_some(share),
            ),
        ]
    }
}
