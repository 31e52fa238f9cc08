//! The algorithms that solve PageRank's equation.
//!
//! * [`mod@reference`]: the plain method, to be read first;
//! * `auto`: the choice of one of these;
//! * [`power`]: the power method on rows in memory, with extrapolation ([`reduced_rank`]);
//! * [`gauss_seidel`]: sweeps that use new values immediately;
//! * [`by_component`]: Gauss-Seidel by strong components, in topological order;
//! * [`fixed_point_power`]: the power method on integers, with the same bits wherever inflows come from:
//!   * [`streamed`]: from a graph that stays compressed;
//!   * [`sharded`]: from a graph that is cut into shards;
//!   * [`external`]: from rows and vectors in files, of which a block is in memory at a time;
//! * [`weighted_power`]: the power method with arc weights;
//! * [`many_seeds`]: many walks at a time, each from a single node, with an extrapolation that takes less
//!   memory ([`power_extrapolation`]).

pub(super) mod auto;
pub mod by_component;
pub mod external;
pub(super) mod fixed_point;
mod fixed_point_kernels;
pub(super) mod fixed_point_power;
pub mod gauss_seidel;
pub mod many_seeds;
pub(super) mod many_seeds_kernels;
pub(super) mod nondangling;
pub mod power;
pub mod power_extrapolation;
mod pulling;
pub mod reduced_rank;
pub mod reference;
pub mod sharded;
mod shares;
pub mod streamed;
pub mod weighted_power;

use super::PageRank;
use super::certificate::{Iteration, PageRankMap};
use super::parameters::Method;
use by_component::ByComponent;
use gauss_seidel::GaussSeidel;
use std::borrow::Cow;
use webrank_base::error::Result;
use webrank_base::progress::Progress;
use webrank_linear::StopRule;

/// The iteration of the method that is asked for, from these scores or from those of the parameters.
pub(super) fn iteration<'a>(
    map: &'a PageRankMap<'a>,
    params: &PageRank,
    start: Option<&[f64]>,
    stop: &StopRule,
    progress: &'a dyn Progress,
) -> Result<Box<dyn Iteration + 'a>> {
    let is_free = start.is_none() && params.start.is_none() && progress.checkpoint().is_none();
    if params.method == Method::Auto && is_free {
        return Ok(auto::auto(map, stop, progress));
    }
    let first = || Cow::Owned(params.first_scores(map.walk.num_nodes()));
    let start = start.map_or_else(first, Cow::Borrowed);
    Ok(match params.method {
        Method::Auto | Method::Power => power::power(map, &start),
        Method::Plain => Box::new(power::Power::<f64>::new(map, &start).plain()),
        Method::GaussSeidel => Box::new(GaussSeidel::new(map, &start)?),
        Method::Components => {
            // One sweep is for the certificate.
            let max_sweeps = stop.max_iterations.saturating_sub(1).max(1);
            let tolerance = stop.tolerance.get();
            Box::new(ByComponent::new(map, tolerance, max_sweeps, progress)?)
        }
    })
}
