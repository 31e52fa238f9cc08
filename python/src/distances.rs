//! Measures of distances, which keyword arguments configure.

use crate::measures::{Compute, by};
use crate::options::Options;
use pyo3::prelude::*;
use webrank::{Closeness, Decay, Eccentricity, Error, Harmonic, Integration, Lin, Reachable};
use webrank_distances::geometric::Geometric;
use webrank_distances::geometric::decay::Base;
use webrank_distances::geometric::sampled::{self, IntervalKind, Precision, SampleSize};
use webrank_distances::geometric::weighted_harmonic::WeightedHarmonic;
use webrank_distances::traversal::hyperball::Counters;
use webrank_lengths::LengthRanking;
use webrank_scores::intervals::Confidence;

/// The measures of distances with a name; none if it is none of these.
pub fn distances(measure: &str, options: &Options) -> PyResult<Option<Geometric>> {
    Ok(Some(match measure {
        "harmonic" => Geometric::of(Harmonic {
            normalize: options.get("normalize")?,
        }),
        "closeness" => Geometric::of(Closeness {
            variant: options.choice("variant")?,
        }),
        "lin" => Geometric::of(Lin),
        "reachable" => Geometric::of(Reachable),
        "eccentricity" => Geometric::of(Eccentricity),
        "decay" => Geometric::of(Decay {
            base: options.checked(Base::new(options.get("base")?))?,
        }),
        "integration" => Geometric::of(Integration),
        "geometric" => {
            let measures: Vec<String> = options.get("measures")?;
            options.checked(Geometric::named(&measures))?
        }
        _ => return Ok(None),
    }))
}

pub fn weighted_harmonic(options: &Options, graph: &webrank::Graph) -> PyResult<Compute> {
    for (other, is_given) in [
        ("method", options.get::<String>("method")? != "auto"),
        ("lengths", options.is_given("lengths")?),
        ("cutoff", options.is_given("cutoff")?),
    ] {
        if is_given {
            let one = "weights";
            return options.checked(Err(Error::Combination { one, other }));
        }
    }
    by(WeightedHarmonic {
        weights: options.node_values("weights", graph)?.unwrap_or_default(),
        normalize: options.get("normalize")?,
        direction: options.choice("direction")?,
    })
}

/// Ranks by measures of distances.
pub fn searched(measures: Geometric, options: &Options) -> PyResult<Compute> {
    let measures = by_engine(measures, options)?;
    if let Some((lengths, cutoff)) = options.lengths()? {
        return by(LengthRanking::of(measures, lengths).cutoff(cutoff));
    }
    by(match options.optional("top")? {
        Some(count) => measures.top(count),
        None => measures,
    })
}

/// Measures with the arguments of the engines that can compute them.
pub fn by_engine(measures: Geometric, options: &Options) -> PyResult<Geometric> {
    let measures = measures
        .direction(options.choice("direction")?)
        .method(options.choice("method")?);
    let measures = match counters(options)? {
        Some(counters) => measures.counters(counters),
        None => measures,
    };
    let measures = match options.has("sources")? {
        true => of_size(measures, options)?,
        false => measures,
    };
    let measures = match options.optional("confidence")? {
        Some(confidence) => measures.confidence(options.checked(Confidence::new(confidence))?),
        None => measures,
    };
    Ok(match options.path("temp")? {
        Some(folder) => measures.temp(folder),
        None => measures,
    })
}

/// HyperBall's counters, if there are arguments for them.
pub fn counters(options: &Options) -> PyResult<Option<Counters>> {
    let Some(log2m) = options.optional("log2m")? else {
        return Ok(None);
    };
    options
        .checked(Counters::new(log2m, options.get("seed")?))
        .map(Some)
}

/// Measures that can be sampled, with the size of the sample.
fn of_size(measures: Geometric, options: &Options) -> PyResult<Geometric> {
    let delta = options.optional("delta")?.unwrap_or(sampled::DELTA);
    let sizes = [
        ("sources", options.optional("sources")?),
        ("relative", options.optional("relative")?),
        ("epsilon", options.optional("epsilon")?),
    ];
    let given: Vec<(&str, f64)> = sizes
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)))
        .collect();
    let size = match given[..] {
        [] => SampleSize::sources(sampled::SOURCES, delta),
        // The optional number of sources is whole.
        [("sources", _)] => SampleSize::sources(options.get("sources")?, delta),
        [("relative", error)] => SampleSize::relative(error, delta),
        [(_, epsilon)] => Precision::new(epsilon, delta).map(SampleSize::from),
        [(one, _), (other, _), ..] => Err(Error::Combination { one, other }),
    };
    let intervals: Option<IntervalKind> = options.optional_choice("intervals")?;
    let measures = measures.size(options.checked(size)?);
    Ok(measures.intervals(intervals.unwrap_or_default()))
}
