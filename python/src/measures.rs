//! The measures that keyword arguments configure.

use crate::distances::{distances, searched, weighted_harmonic};
use crate::errors::exception;
use crate::graph::{Graph, warn};
use crate::options::Options;
use crate::pagerank::{Trust, pagerank, trustrank};
use crate::scores::{ArcScores, Scores};
use crate::work::run;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::num::NonZeroUsize;
use std::sync::Arc;
use webrank::{
    Betweenness, CurrentFlow, Eigenvector, Error, Hits, Indegree, Katz, KendallWei, LeaderRank,
    Limits, MEASURES, Measure, Outdegree, Progress, Salsa, Seeley, Walks,
};
use webrank_base::progress::Traced;
use webrank_distances::betweenness::arcs::ArcBetweenness;
use webrank_distances::geometric::sampled::Precision;
use webrank_lengths::{LengthArcBetweenness, LengthBetweenness, LengthSource};
use webrank_scores::intervals::Confidence;
use webrank_scores::ranked::Ranked;
use webrank_tables::trace::TraceFile;
use webrank_walks::katz::Attenuation;

/// The arguments that name the nodes that betweenness searches from.
const SOURCES: [&str; 2] = ["sources", "sources_file"];

/// The computation of a configured measure.
pub type Compute =
    Box<dyn FnOnce(&webrank::Graph, &Limits, &dyn Progress) -> webrank::Result<Ranked> + Send>;

/// Ranks by a measure.
pub fn by<M: Measure + Send + 'static>(measure: M) -> PyResult<Compute> {
    Ok(Box::new(move |graph, limits, progress| {
        measure.rank(graph, limits, progress)
    }))
}

/// Measures for which the weights of arcs count.
const WEIGHTED: [&str; 10] = [
    "pagerank",
    "eigenvector",
    "katz",
    "seeley",
    "kendall-wei",
    "leaderrank",
    "hits",
    "salsa",
    "walks",
    "current-flow",
];

/// The descriptions of all measures.
#[pyfunction]
pub fn measures(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let described = MEASURES.iter().map(|about| {
        let fields = PyDict::new(py);
        fields.set_item("name", about.name)?;
        fields.set_item("definition", about.definition)?;
        fields.set_item("direction", about.direction)?;
        fields.set_item("cost", about.cost)?;
        fields.set_item("guarantee", about.guarantee)?;
        Ok(fields)
    });
    described.collect()
}

/// Ranks the nodes by a measure of the command; `command` is what manifests say was called.
#[pyfunction]
pub fn rank_nodes(
    graph: &Bound<'_, Graph>,
    measure: &str,
    options: &Bound<'_, PyDict>,
    command: Vec<String>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Scores> {
    let (py, options) = (graph.py(), Options::new(options));
    let graph = graph
        .get()
        .counted(py, WEIGHTED.contains(&measure), &options)?;
    let limits = options.limits()?;
    let compute = configured(measure, &options, &graph)?;
    let allows = options.optional("allow_unconverged")?.unwrap_or(false);
    let trace = options.path("trace")?;
    let trace = trace.as_deref().map(TraceFile::create).transpose();
    let trace = options.checked(trace)?;
    let ranked = run(py, progress, |progress| {
        let traced = Traced::new(progress);
        let ranked = compute(&graph, &limits, &traced);
        trace.map_or(Ok(()), |trace| trace.write(&traced.sweeps()))?;
        ranked
    })?;
    let unconverged = ranked.check_converged().err().filter(|_| !allows);
    let scores = Scores::new(ranked, graph, command);
    match unconverged {
        None => Ok(scores),
        Some(problem) => {
            let problem = exception(py, &problem);
            problem.value(py).setattr("scores", scores)?;
            Err(problem)
        }
    }
}

/// Ranks the arcs by betweenness.
#[pyfunction]
pub fn rank_arcs(
    graph: &Bound<'_, Graph>,
    options: &Bound<'_, PyDict>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<ArcScores> {
    let (py, options) = (graph.py(), Options::new(options));
    let graph = graph.get().counted(py, false, &options)?;
    let limits = options.limits()?;
    let measure = ArcBetweenness {
        normalize: options.get("normalize")?,
    };
    let long = options
        .lengths()?
        .map(|(lengths, cutoff)| LengthArcBetweenness {
            of: measure,
            lengths,
            cutoff,
        });
    let ranked = run(py, progress, |progress| {
        limits.on_threads(|| match &long {
            Some(long) => long.compute(&graph, &limits, progress),
            None => measure.compute(&graph, &limits, progress),
        })
    })?;
    Ok(ArcScores::new(ranked, graph))
}

impl Graph {
    /// The graph with the weights that count, as such or as lengths.
    fn counted(
        &self,
        py: Python<'_>,
        counts: bool,
        options: &Options,
    ) -> PyResult<Arc<webrank::Graph>> {
        match options.lengths()? {
            None | Some((LengthSource::Hops, _)) => self.weighed(py, counts, options),
            Some(_) if options.optional("unweighted")?.unwrap_or(false) => {
                options.checked(Err(Error::Combination {
                    one: "lengths",
                    other: "unweighted",
                }))
            }
            Some(_) => Ok(self.graph.clone()),
        }
    }

    /// The graph with the weights that count.
    fn weighed(
        &self,
        py: Python<'_>,
        counts: bool,
        options: &Options,
    ) -> PyResult<Arc<webrank::Graph>> {
        let unweighted = options.optional("unweighted")?.unwrap_or(false);
        if !counts {
            if self.graph.has_weights() && !unweighted {
                let note = match options.has("lengths")? {
                    true => {
                        "distances count hops; lengths='weights' takes the weights of arcs as lengths, \
                         lengths='inverse' 1/weight (unweighted=True says that hops are meant)"
                    }
                    false => {
                        "the weights of arcs do not count for this measure (unweighted=True says that \
                         this is meant)"
                    }
                };
                warn(py, note)?;
            }
            return Ok(self.without_weights());
        }
        match options.arc_weights("weights")? {
            Some(_) if unweighted => options.checked(Err(Error::Combination {
                one: "weights",
                other: "unweighted",
            })),
            Some(weights) => options.checked(weights.of(&self.graph)).map(Arc::new),
            None if unweighted => Ok(self.without_weights()),
            None => Ok(self.graph.clone()),
        }
    }
}

/// The measure with this name.
fn configured(measure: &str, options: &Options, graph: &webrank::Graph) -> PyResult<Compute> {
    match measure {
        "pagerank" => by(pagerank(options, graph)?),
        "trustrank" => match trustrank(options, graph)? {
            Trust::Rank(trustrank) => by(trustrank),
            Trust::Candidates(candidates) => by(candidates),
        },
        "eigenvector" => by(eigenvector(options)?),
        "katz" => by(katz(options, graph)?),
        "seeley" => by(Seeley {
            direction: options.choice("direction")?,
            form: options.choice("form")?,
            temp: options.path("temp")?,
        }),
        "kendall-wei" => by(KendallWei {
            direction: options.choice("direction")?,
            form: options.choice("form")?,
            temp: options.path("temp")?,
        }),
        "leaderrank" => by(LeaderRank {
            direction: options.choice("direction")?,
            form: options.choice("form")?,
            temp: options.path("temp")?,
        }),
        "hits" => by(hits(options)?),
        "salsa" => by(Salsa::default()),
        "walks" => {
            let mut walks = options.checked(Walks::new(options.get("length")?))?;
            walks.direction = options.choice("direction")?;
            by(walks)
        }
        "current-flow" => by(CurrentFlow {
            normalize: options.get("normalize")?,
        }),
        "indegree" => by(Indegree {}),
        "outdegree" => by(Outdegree {}),
        "harmonic" if options.is_given("weights")? => weighted_harmonic(options, graph),
        "betweenness" => {
            let of = betweenness(options, graph)?;
            match options.lengths()? {
                Some((lengths, cutoff)) => by(LengthBetweenness {
                    of,
                    lengths,
                    cutoff,
                }),
                None => by(of),
            }
        }
        other => match distances(other, options)? {
            Some(measures) => searched(measures, options),
            None => options.refuse(&format!("there is no measure {other}")),
        },
    }
}

pub fn eigenvector(options: &Options) -> PyResult<Eigenvector> {
    Ok(Eigenvector {
        direction: options.choice("direction")?,
        norm: options.choice("norm")?,
        method: options.choice("method")?,
        form: options.choice("form")?,
        temp: options.path("temp")?,
        team: Default::default(),
    })
}

pub fn katz(options: &Options, graph: &webrank::Graph) -> PyResult<Katz> {
    Ok(Katz {
        alpha: options.checked(options.get::<String>("alpha")?.parse::<Attenuation>())?,
        beta: options.node_values("beta", graph)?,
        direction: options.choice("direction")?,
        method: options.choice("method")?,
        form: options.choice("form")?,
        temp: options.path("temp")?,
        team: Default::default(),
    })
}

pub fn hits(options: &Options) -> PyResult<Hits> {
    Ok(Hits {
        form: options.choice("form")?,
        temp: options.path("temp")?,
        team: Default::default(),
    })
}

/// Which of two arguments are given.
pub fn are_given(names: [&str; 2], options: &Options) -> PyResult<[bool; 2]> {
    let [one, other] = names;
    Ok([options.is_given(one)?, options.is_given(other)?])
}

fn betweenness(options: &Options, graph: &webrank::Graph) -> PyResult<Betweenness> {
    let samples: usize = options.get("samples")?;
    let none = || Error::argument("samples", 0, "give at least 1");
    let precision = Precision::new(options.get("epsilon")?, options.get("delta")?);
    let seed: u64 = options.get("seed")?;
    let given = are_given(SOURCES, options)?;
    let default = Betweenness::default();
    for (other, is_given) in [
        ("sources_file", given == [true, true]),
        ("samples", samples != default.samples.get()),
        ("seed", seed != default.seed),
    ] {
        if given != [false, false] && is_given {
            let one = "sources";
            return options.checked(Err(Error::Combination { one, other }));
        }
    }
    let sources = match given {
        [false, false] => None,
        _ => Some(options.nodes_or_file(SOURCES, graph)?),
    };
    Ok(Betweenness {
        normalize: options.get("normalize")?,
        endpoints: options.get("endpoints")?,
        method: options.choice("method")?,
        samples: options.checked(NonZeroUsize::new(samples).ok_or_else(none))?,
        sources,
        precision: options.checked(precision)?,
        top: options.optional("top")?,
        seed,
        confidence: options.checked(Confidence::new(options.get("confidence")?))?,
    })
}
