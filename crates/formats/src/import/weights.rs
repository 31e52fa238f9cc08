//! Weights that make no arc, or another one.

use super::notes::{Note, Notes};
use serde::Serialize;

/// What becomes of arcs whose weight is negative.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Negative {
    /// They are errors
    #[default]
    Error,
    /// They are left out
    Drop,
    /// They count without their sign
    Absolute,
}

/// Weights that make no arc, or another one.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Weights {
    pub(super) negative: Negative,
    /// Arcs that had one: they were left out, or lost their sign.
    negatives: u64,
    /// Arcs of weight 0, which were left out.
    zeros: u64,
}

impl Weights {
    pub(super) fn new(negative: Negative) -> Self {
        Weights {
            negative,
            ..Weights::default()
        }
    }

    /// The weight of an arc, if there is one; `is_weighted` says whether weights are kept.
    #[inline]
    pub(super) fn take(&mut self, weight: f64, is_weighted: bool) -> Result<Option<f64>, String> {
        if !is_weighted || weight > 0.0 && weight < f64::INFINITY {
            return Ok(Some(weight));
        }
        self.take_other(weight)
    }

    #[cold]
    fn take_other(&mut self, weight: f64) -> Result<Option<f64>, String> {
        if !weight.is_finite() {
            return Err(format!(
                "the weight {weight} is not finite; --unweighted does not use weights"
            ));
        }
        if weight == 0.0 {
            self.zeros += 1;
            return Ok(None);
        }
        match self.negative {
            Negative::Error => Err(format!(
                "the weight {weight} is negative; --negative drop leaves such arcs out, --negative \
                 absolute takes {}, and --unweighted does not use weights",
                -weight
            )),
            Negative::Drop => {
                self.negatives += 1;
                Ok(None)
            }
            Negative::Absolute => {
                self.negatives += 1;
                Ok(Some(-weight))
            }
        }
    }

    /// Notes what was left out.
    pub(super) fn tell(&self, notes: &mut Notes) {
        if self.zeros > 0 {
            let text = "arcs of weight 0 left out";
            notes.add(Note::left_out("zero weights", self.zeros, text));
        }
        if self.negatives > 0 {
            let text = match self.negative {
                Negative::Absolute => "negative weights taken without their sign",
                _ => "arcs of negative weight left out",
            };
            notes.add(Note::left_out("negative weights", self.negatives, text));
        }
    }
}
