//! What is guaranteed of every single score of a table, by the account beside it.

use super::manifest::Account;
use serde::Serialize;

/// How far a score may be from the truth.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Guarantee {
    /// Exact, up to the rounding of floating-point arithmetic.
    Exact,
    /// Every score is within `half_width` of the truth.
    Within {
        /// The largest error.
        half_width: f64,
        /// The probability that this holds for all scores at once; none if it is certain.
        probability: Option<f64>,
    },
    /// Every truth is between the columns `lower` and `upper`.
    Between {
        /// The probability that this holds for all scores at once.
        probability: Option<f64>,
    },
    /// Nothing is guaranteed.
    None {
        /// Why.
        why: String,
    },
}

impl Guarantee {
    /// The guarantee of a column; `has_ends` if the table has the columns `lower` and `upper`.
    ///
    /// Iterative methods bound the l1 error, which no single error exceeds. Samples bound errors of
    /// normalised scores: those of betweenness are divided by (n-1)(n-2), others by n - 1.
    pub fn of(account: Option<&Account>, column: &str, has_ends: bool) -> Self {
        let none = |why: &str| Guarantee::None { why: why.into() };
        let Some(account) = account else {
            return none("no account (FILE.json) is beside it");
        };
        let outcome = account.outcome(column);
        let number = |name: &str| outcome[name].as_f64();
        let probability = number("delta").map(|delta| 1.0 - delta);
        match outcome["kind"].as_str() {
            Some("exact") => Guarantee::Exact,
            Some("sampled_paths") if has_ends => Guarantee::Between { probability },
            Some("iterated") => match number("error_bound") {
                Some(half_width) => Guarantee::Within {
                    half_width,
                    probability: None,
                },
                None => none("its account gives no error bound"),
            },
            Some("sampled" | "sampled_paths") => {
                match number("epsilon").zip(unit(account, column)) {
                    Some((epsilon, unit)) => Guarantee::Within {
                        half_width: epsilon * unit,
                        probability,
                    },
                    None => none("its account gives no error bound"),
                }
            }
            Some("estimated") => match number("relative_standard_error") {
                Some(error) => none(&format!(
                    "HyperBall estimates it with a relative standard error of {:.2}%, which bounds \
                     nothing",
                    100.0 * error
                )),
                None => none("it is an estimate"),
            },
            Some("eigen") => {
                none("an eigenvector has a residual, which does not bound single scores")
            }
            _ => none("its account gives no error bound"),
        }
    }

    /// As a clause: `exact up to rounding`.
    pub fn text(&self) -> String {
        let with = |probability: &Option<f64>| match probability {
            Some(probability) => format!(" with probability {probability}"),
            None => String::new(),
        };
        match self {
            Guarantee::Exact => "exact up to rounding".into(),
            Guarantee::Within {
                half_width,
                probability,
            } => format!("all scores within {half_width:.2e}{}", with(probability)),
            Guarantee::Between { probability } => {
                format!(
                    "all scores between 'lower' and 'upper'{}",
                    with(probability)
                )
            }
            Guarantee::None { why } => format!("NO guarantee, taken as it is: {why}"),
        }
    }
}

/// What one unit of a normalised score is in the column.
fn unit(account: &Account, column: &str) -> Option<f64> {
    if account.parameters(column).get("normalize") == Some(&true.into()) {
        return Some(1.0);
    }
    let n = account.nodes()? as f64;
    match account.measure(column)? {
        "betweenness" => Some((n - 1.0) * (n - 2.0)),
        _ => Some(n - 1.0),
    }
}
