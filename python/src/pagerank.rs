//! PageRank and TrustRank, which keyword arguments configure.

use crate::measures::are_given;
use crate::options::Options;
use pyo3::prelude::*;
use webrank::{Columns, Damping, Dangling, Distribution, Error, PageRank, TrustRank};
use webrank_walks::pagerank::trustrank::SeedCandidates;

/// The arguments that name seeds.
const SEEDS: [&str; 2] = ["seeds", "seeds_file"];
/// The arguments that name seeds with a column each.
const EACH: [&str; 2] = ["each_seed", "each_seed_file"];

pub fn pagerank(options: &Options, graph: &webrank::Graph) -> PyResult<PageRank> {
    let excluded = |one, other| -> PyResult<PageRank> {
        options.checked(Err(Error::Combination { one, other }))
    };
    let damping: f64 = options.get("alpha")?;
    let given = are_given(EACH, options)?;
    let derivative: bool = options.get("derivative")?;
    let alphas: Option<Vec<f64>> = options.optional("alphas")?;
    let has_seeds = given != [false, false];
    let dangling: Option<Dangling> = options.optional_choice("dangling")?;
    let vector = distribution("dangling_vector", options, graph)?;
    let preference = distribution("preference", options, graph)?;
    if given == [true, true] {
        return excluded("each_seed", "each_seed_file");
    }
    if has_seeds && preference.is_some() {
        return excluded("preference", "each_seed");
    }
    if alphas.is_some() && damping != Damping::default().get() {
        return excluded("alpha", "alphas");
    }
    for (is_given, name) in [(has_seeds, "each_seed"), (derivative, "derivative")] {
        if is_given && alphas.is_some() {
            return excluded("alphas", name);
        }
    }
    if has_seeds && derivative {
        return excluded("derivative", "each_seed");
    }
    if vector.is_some()
        && dangling
            .as_ref()
            .is_some_and(|it| *it != Dangling::Preference)
    {
        return excluded("dangling", "dangling_vector");
    }
    let pagerank = PageRank {
        damping: options.checked(Damping::new(damping))?,
        preference: preference.unwrap_or_default(),
        dangling: match vector {
            Some(vector) => Dangling::Vector(vector),
            None => dangling.unwrap_or_default(),
        },
        method: options.choice("method")?,
        certify_top: options.optional("certify_top")?,
        columns: match alphas {
            _ if has_seeds => Columns::Seeds(options.nodes_or_file(EACH, graph)?),
            Some(alphas) => options.checked(Columns::alphas(&alphas))?,
            None if derivative => Columns::Derivative,
            None => Columns::Score,
        },
        form: options.choice("form")?,
        temp: options.path("temp")?,
        // Team are for the command.
        ..PageRank::default()
    };
    match options.start(graph)? {
        Some(scores) if scores.iter().any(|&score| score != 0.0) => {
            options.checked(pagerank.start(scores))
        }
        _ => Ok(pagerank),
    }
}

/// A distribution over the nodes.
fn distribution(
    name: &'static str,
    options: &Options,
    graph: &webrank::Graph,
) -> PyResult<Option<Distribution>> {
    let Some(weights) = options.node_values(name, graph)? else {
        return Ok(None);
    };
    let made = Distribution::from_weights(weights).map_err(|problem| match problem {
        Error::Argument { remedy, .. } => Error::Argument {
            name,
            value: "0 everywhere".to_owned(),
            remedy,
        },
        other => other,
    });
    options.checked(made).map(Some)
}

/// TrustRank, or the ranking of candidates for its seeds.
pub enum Trust {
    Rank(TrustRank),
    Candidates(SeedCandidates),
}

pub fn trustrank(options: &Options, graph: &webrank::Graph) -> PyResult<Trust> {
    let damping = options.checked(Damping::new(options.get("alpha")?))?;
    let certify_top = options.optional("certify_top")?;
    let given = ["seeds", "seeds_file", "select"].map(|name| options.is_given(name));
    let given = given.into_iter().collect::<PyResult<Vec<bool>>>()?;
    match given[..] {
        [false, false, true] => Ok(Trust::Candidates(SeedCandidates {
            damping,
            certify_top,
            team: Default::default(),
        })),
        [true, false, false] | [false, true, false] => Ok(Trust::Rank(TrustRank {
            seeds: options.nodes_or_file(SEEDS, graph)?,
            damping,
            certify_top,
            team: Default::default(),
        })),
        _ => options.refuse("give one of seeds, seeds_file and select"),
    }
}
