//! `rank betweenness --method approx`: its options and its search.

use webrank::internals::centrality::betweenness::BetweennessOptions;
use webrank::internals::centrality::betweenness::sampled::{
    AdaptiveOptions, BoundedBetweenness, adaptive,
};
use webrank::internals::centrality::geometric::sampled::Precision;
use webrank::internals::error::{Error, Result};
use webrank::internals::graph::{Csr, Predecessors, Successors};
use webrank::internals::progress::Progress;

/// The precision of the approximation.
#[derive(clap::Args)]
pub struct ApproxArgs {
    /// Approx: every score, divided by (n - 1)(n - 2), is within this...
    #[arg(long, default_value_t = 0.01, allow_hyphen_values = true)]
    epsilon: f64,
    /// ...with probability 1 minus this
    #[arg(long, default_value_t = 0.1, allow_hyphen_values = true)]
    delta: f64,
}

impl ApproxArgs {
    /// Checks the parameters, before any work.
    pub fn check(
        &self,
        options: BetweennessOptions,
        top: Option<usize>,
        seed: u64,
    ) -> Result<AdaptiveOptions> {
        if options.endpoints {
            return Err(Error::argument(
                "--method",
                "approx",
                "with --endpoints use --method exact or sources",
            ));
        }
        Ok(AdaptiveOptions {
            precision: Precision::new(self.epsilon, self.delta)?,
            top,
            normalize: options.normalize,
            seed,
        })
    }
}

/// Samples, and says what the end of the sampling proves.
pub fn run(
    forward: Successors<Csr>,
    backward: Predecessors<Csr>,
    options: AdaptiveOptions,
    progress: &dyn Progress,
) -> Result<(BoundedBetweenness, Vec<String>)> {
    let found = adaptive(forward, backward, &options, progress)?;
    let wanted = options.top.map(|top| top.min(forward.0.num_nodes()));
    let mut notes = Vec::new();
    let is_ordered = wanted.is_none_or(|wanted| found.proved >= wanted);
    if found.epsilon > options.precision.epsilon() && (wanted.is_none() || !is_ordered) {
        notes.push(format!(
            "NOT CONVERGED: after {} paths, the most that are allowed, scores are within {:.1e}",
            found.samples, found.epsilon
        ));
    } else if let Some(wanted) = wanted
        && !is_ordered
    {
        notes.push(format!(
            "only the first {} of {wanted} positions are proved: scores are closer than --epsilon; \
             a smaller one separates more",
            found.proved
        ));
    }
    Ok((found, notes))
}
