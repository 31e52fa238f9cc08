//! Options that limit an iteration.

use clap::Args;
use std::path::PathBuf;
use webrank_base::error::Result;
use webrank_base::limits::Limits;

/// Limits of an iteration, apart from its tolerance.
#[derive(Args)]
#[command(next_help_heading = "Stop")]
pub struct IterationArgs {
    /// Maximum number of sweeps; certification may add up to ten, which are included in the reported
    /// number
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    max_iterations: u32,
    /// Write the scores even if the tolerance was not reached
    #[arg(long)]
    pub allow_unconverged: bool,
    /// Write what is known of the error after each sweep to FILE, as a table: sweep, quantity, value
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
}

impl IterationArgs {
    /// These limits, with a tolerance.
    pub fn limits(&self, tolerance: f64) -> Result<Limits> {
        Limits::default()
            .tolerance(tolerance)?
            .max_iterations(self.max_iterations)
    }
}

/// The option `--tolerance`, whose meaning and default differ between measures.
pub trait ToleranceArgs: Args {
    /// Its value.
    fn get(&self) -> f64;
}

macro_rules! tolerances {
    ($($(#[$meaning:meta])* $name:ident = $default:literal;)*) => {$(
        #[doc = concat!("A tolerance of ", stringify!($default), " by default.")]
        #[derive(Args)]
        pub struct $name {
            $(#[$meaning])*
            #[arg(long, default_value_t = $default, allow_hyphen_values = true)]
            #[arg(help_heading = "Stop")]
            tolerance: f64,
        }

        impl ToleranceArgs for $name {
            fn get(&self) -> f64 {
                self.tolerance
            }
        }
    )*};
}

tolerances! {
    /// The residual at which to stop
    Residual = 1e-12;
    /// Certified l1 distance to the true vector
    L1Distance = 1e-9;
    /// Certified l1 distance to the true vector, relative to the sum of scores
    RelativeL1Distance = 1e-9;
}
