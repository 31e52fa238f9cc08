//! The length beyond which paths do not count.

use super::decimal::Decimal;
use serde::{Serialize, Serializer};
use std::str::FromStr;
use webrank_base::error::{Error, Result};
use webrank_base::shown::quoted;

/// A positive length: paths that are longer do not count, and those that are as long do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cutoff {
    pub(crate) decimal: Decimal,
}

impl Cutoff {
    /// The shortest decimal that is read as this double.
    ///
    /// # Errors
    /// If it is not positive and finite.
    pub fn new(length: f64) -> Result<Self> {
        match length.is_finite() && length > 0.0 {
            true => Ok(Cutoff {
                decimal: Decimal::shortest(length),
            }),
            false => Err(Error::argument("cutoff", length, REMEDY)),
        }
    }

    /// The nearest double.
    pub fn value(&self) -> f64 {
        let Decimal { digits, exponent } = self.decimal;
        format!("{digits}e{exponent}")
            .parse()
            .expect("it is a number")
    }
}

const REMEDY: &str = "give a positive number";

impl FromStr for Cutoff {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = || Error::argument("cutoff", quoted(text), REMEDY);
        let decimal = Decimal::parse(text).filter(|decimal| decimal.digits > 0);
        let cutoff = decimal.map(|decimal| Cutoff { decimal });
        let cutoff = cutoff.filter(|it| it.value().is_normal());
        let cutoff = cutoff.ok_or_else(wrong)?;
        // A manifest has the double.
        match Decimal::shortest(cutoff.value()) == cutoff.decimal {
            true => Ok(cutoff),
            false => Err(Error::argument(
                "cutoff",
                quoted(text),
                "give at most 15 digits",
            )),
        }
    }
}

impl Serialize for Cutoff {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.value())
    }
}
