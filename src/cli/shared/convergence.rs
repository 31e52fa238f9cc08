//! How long iterations may take, and what happens when they end too early.

use clap::Args;
use webrank::error::{Error, Result};
use webrank::scores::{Outcome, Status};

/// Limits of an iteration.
#[derive(Args)]
pub struct ConvergenceArgs {
    /// Give up after about this many sweeps over the arcs
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    max_iterations: u32,
    /// Write the scores even if the tolerance was not reached
    #[arg(long)]
    allow_unconverged: bool,
}

impl ConvergenceArgs {
    /// One sweep at least.
    pub fn max_iterations(&self) -> u32 {
        self.max_iterations.max(1)
    }

    /// Not converging is an error, unless the user takes the scores all the same.
    pub fn check(&self, outcome: &Outcome, tolerance: f64) -> Result<()> {
        self.check_order(outcome, tolerance, None)
    }

    /// The same where positions are to be proved: how many, and how many are.
    pub fn check_order(
        &self,
        outcome: &Outcome,
        tolerance: f64,
        positions: Option<(usize, usize)>,
    ) -> Result<()> {
        if self.allow_unconverged {
            return Ok(());
        }
        let (iterations, quantity, reached) = match *outcome {
            Outcome::Iterated {
                status: Status::NotConverged,
                iterations,
                error_bound: bound,
            } => {
                return Err(match positions {
                    Some((wanted, proved)) if bound <= tolerance => Error::NotProved {
                        iterations,
                        bound,
                        wanted,
                        proved,
                    },
                    _ => Error::NotConverged {
                        iterations,
                        bound,
                        tolerance,
                    },
                });
            }
            Outcome::Eigen {
                status: Status::NotConverged,
                iterations,
                residual,
                ..
            } => (iterations, "residual", residual),
            Outcome::Relative {
                status: Status::NotConverged,
                iterations,
                relative_error_bound,
                ..
            } => {
                let quantity = "certified l1 error, relative to the sum of scores,";
                (iterations, quantity, relative_error_bound)
            }
            Outcome::Stationary {
                status: Status::NotConverged,
                iterations,
                error_bound,
                ..
            } => {
                let bound = error_bound.unwrap_or(f64::INFINITY);
                (iterations, "certified l1 error", bound)
            }
            _ => return Ok(()),
        };
        Err(Error::NotReached {
            quantity,
            iterations,
            reached,
            tolerance,
        })
    }
}
