//! The parameters of scores: options of `rank verify`, and what a manifest records.

use super::provenance::Provenance;
use super::shared::node_args::{NodeArgs, SeedArgs, SourceArgs, node_values};
use clap::builder::PossibleValuesParser;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_graph::{Direction, Graph};
use webrank_scores::parameters::{Damping, Dangling, Distribution, Variant};
use webrank_verify::{ArcLengths, Parameters, VERIFIERS, Verifier};

/// The measure, and what its scores depend on.
#[derive(clap::Args)]
#[command(next_help_heading = "Parameters [default: from the manifest]")]
pub struct MeasureArgs {
    /// The graph
    #[arg(long, value_name = "GRAPH")]
    pub graph: Option<PathBuf>,
    /// Names of its nodes, one per line in node order
    #[arg(long, value_name = "FILE")]
    pub names: Option<PathBuf>,
    /// The measure
    #[arg(long, value_name = "NAME")]
    #[arg(value_parser = PossibleValuesParser::new(VERIFIERS.iter().map(|it| it.measure)))]
    pub measure: Option<String>,
    /// The alpha of pagerank and trustrank (0.85 if nothing is known), or of katz
    #[arg(long, allow_hyphen_values = true, alias = "damping")]
    alpha: Option<f64>,
    /// Pagerank: the preference vector
    #[arg(long, value_name = "FILE")]
    preference: Option<PathBuf>,
    /// Pagerank: where walks continue from dangling nodes
    #[arg(long, value_enum)]
    dangling: Option<Dangling>,
    /// Pagerank: where walks continue from dangling nodes, as a vector
    #[arg(long, value_name = "FILE", conflicts_with = "dangling")]
    dangling_vector: Option<PathBuf>,
    #[command(flatten)]
    seeds: SeedArgs,
    /// Katz: the beta of each node
    #[arg(long, value_name = "FILE")]
    beta: Option<PathBuf>,
    /// Which arcs or distances count [default: out for kendall-wei, otherwise in]
    #[arg(long, value_enum)]
    direction: Option<Direction>,
    /// Closeness: the definition
    #[arg(long, value_enum)]
    variant: Option<Variant>,
    /// Decay: the factor per step
    #[arg(long, allow_hyphen_values = true)]
    base: Option<f64>,
    /// Betweenness: paths count for their end nodes too
    #[arg(long)]
    endpoints: bool,
    #[command(flatten)]
    sources: SourceArgs,
    /// Distances and betweenness: the lengths of the arcs
    #[arg(long, value_name = "weights|inverse|FILE")]
    pub lengths: Option<PathBuf>,
    /// Distances and betweenness: only paths up to this length count
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true)]
    cutoff: Option<f64>,
    /// Weights of the arcs
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
}

impl MeasureArgs {
    /// The options that are given, with their values as manifests write them: of vectors that there is
    /// one, of nodes how many options name them.
    pub fn given(&self) -> Vec<(&'static str, Value)> {
        let vector = |file: &Option<PathBuf>| file.as_ref().map(|_| json!(VECTOR));
        let nodes = |are_given: bool| are_given.then(|| json!(1));
        let given = [
            ("alpha", self.alpha.map(Value::from)),
            ("preference", vector(&self.preference)),
            ("dangling", self.dangling.as_ref().map(|it| json!(it))),
            ("dangling_vector", vector(&self.dangling_vector)),
            ("seeds", nodes(self.seeds.are_given())),
            ("beta", vector(&self.beta)),
            ("direction", self.direction.map(|it| json!(it))),
            ("variant", self.variant.map(|it| json!(it))),
            ("base", self.base.map(Value::from)),
            ("endpoints", self.endpoints.then_some(Value::Bool(true))),
            ("sources", nodes(self.sources.are_given())),
            (
                "lengths",
                self.lengths
                    .as_deref()
                    .map(|it| json!(lengths_of(it).name())),
            ),
            ("cutoff", self.cutoff.map(Value::from)),
            ("weights", vector(&self.weights)),
        ];
        let given = given.into_iter();
        given
            .filter_map(|(name, value)| Some((name, value?)))
            .collect()
    }
}

/// The lengths that `--lengths` names.
fn lengths_of(given: &Path) -> ArcLengths {
    match given.to_str() {
        Some("weights") => ArcLengths::Weights,
        Some("inverse") => ArcLengths::Inverse,
        _ => ArcLengths::File(given.to_owned()),
    }
}

/// The parameter that an option of `rank verify` is about.
pub fn parameter_of(option: &str) -> &str {
    option.strip_suffix("_vector").unwrap_or(option)
}

/// How manifests mention a vector.
const VECTOR: &str = "vector";

/// The distribution of personalised PageRank for one seed, unless it is no node of the graph.
fn at_seed(seed: &Value, num_nodes: usize) -> Option<Result<Distribution>> {
    let node = usize::try_from(seed.as_u64()?).ok()?;
    let mut weights = vec![0.0; num_nodes];
    *weights.get_mut(node)? = 1.0;
    Some(Distribution::from_weights(weights))
}

/// The weights of the arcs that scores depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArcWeights {
    None,
    OfGraph,
    File(PathBuf),
}

/// Finds the parameters of a measure.
pub struct Finder<'a> {
    pub origin: &'a Provenance,
    pub args: &'a MeasureArgs,
    pub graph: &'a Graph,
    pub verifier: &'static Verifier,
    /// The parameters in the manifest, replaced by those of options.
    pub said: Map<String, Value>,
    /// Whether there is a manifest of the run.
    pub is_recorded: bool,
}

impl Finder<'_> {
    pub fn is_set(&self, name: &str) -> bool {
        self.said.get(name).is_some_and(|value| !value.is_null())
    }

    fn is_vector(&self, name: &str) -> bool {
        self.said.get(name).is_some_and(|value| value == VECTOR)
    }

    /// The entries of a vector: in the file of an option, or of that option in the command of the run.
    fn values(&self, option: &'static str, given: &Option<PathBuf>) -> Result<Vec<f64>> {
        let path = given.clone().or_else(|| self.origin.file(option));
        let path = path.ok_or_else(|| {
            let remedy = "the manifest says that there is one, but not which: name the file";
            Error::argument(option, "not known", remedy)
        })?;
        node_values(option, &path, self.graph)
    }

    /// The weights of the arcs: an option, those of the run, or those of the graph if nothing is
    /// recorded.
    pub fn weights(&self) -> Result<ArcWeights> {
        if let Some(path) = &self.args.weights {
            return Ok(ArcWeights::File(path.clone()));
        }
        if let Some(ArcLengths::Weights | ArcLengths::Inverse) = self.lengths()? {
            return Ok(ArcWeights::OfGraph);
        }
        let counts = match self.is_recorded {
            true => self.is_set("weights"),
            false => self.graph.has_weights() && self.verifier.parameters.contains(&"weights"),
        };
        match (counts, self.origin.file("weights")) {
            (false, _) => Ok(ArcWeights::None),
            (true, Some(path)) => Ok(ArcWeights::File(path)),
            (true, None) if self.graph.has_weights() => Ok(ArcWeights::OfGraph),
            (true, None) => {
                let remedy = "the manifest says that there are some, but not which: name the file";
                Err(Error::argument("weights", "not known", remedy))
            }
        }
    }

    /// The lengths of arcs: an option, or those of the run.
    fn lengths(&self) -> Result<Option<ArcLengths>> {
        if let Some(given) = &self.args.lengths {
            return Ok(Some(lengths_of(given)));
        }
        Ok(match self.said.get("lengths").and_then(Value::as_str) {
            None => None,
            Some("hops") => Some(ArcLengths::Hops),
            Some("weights") => Some(ArcLengths::Weights),
            Some("inverse") => Some(ArcLengths::Inverse),
            Some(_) => {
                let remedy = "the manifest says that there are some, but not which: name the file";
                let file = self.origin.file("lengths");
                let file = file.ok_or_else(|| Error::argument("lengths", "not known", remedy))?;
                Some(ArcLengths::File(file))
            }
        })
    }

    /// The nodes that options name; or those in the command of the run, if the manifest says how many
    /// there are.
    fn nodes<A: NodeArgs>(&self, given: &A) -> Result<Vec<Node>> {
        if given.are_given() {
            return given.find(self.graph);
        }
        if !self.is_set(A::LIST) {
            return Ok(Vec::new());
        }
        let found = self.origin.command.as_ref().and_then(A::of);
        let found = found.ok_or_else(|| {
            let remedy = "the manifest says how many there are, but not which: name them";
            Error::argument(A::LIST, "not known", remedy)
        })?;
        found.find_below(&self.origin.folder, self.graph)
    }

    /// The parameters of the measure: its defaults where nothing says them.
    pub fn parameters(&self) -> Result<Parameters> {
        let (args, mut plain) = (self.args, self.said.clone());
        let names = self.verifier.parameters;
        plain.retain(|name, value| {
            let is_known = names.contains(&name.as_str()) || name == "normalize";
            is_known && *value != VECTOR && !value.is_null()
        });
        // Kendall-Wei says "out: source beat target".
        if let Some(Value::String(direction)) = plain.get_mut("direction") {
            direction.truncate(direction.find(':').unwrap_or(direction.len()));
        }
        if self.is_recorded {
            plain.entry("normalize").or_insert(false.into());
        }
        let mut found: Parameters = serde_json::from_value(plain.clone().into())
            .map_err(|problem| self.origin.wrong_parameters(&plain, &problem))?;
        // JSON has no infinity, which a check refuses.
        found.alpha = args.alpha.or(found.alpha);
        found.lengths = self.lengths()?;
        found.cutoff = args.cutoff.or(found.cutoff);
        found.base = args.base.unwrap_or(found.base);
        if self.is_vector("preference") {
            let weights = self.values("preference", &args.preference)?;
            found.preference = Distribution::from_weights(weights)?;
        }
        if self.is_vector("dangling") {
            let weights = self.values("dangling_vector", &args.dangling_vector)?;
            found.dangling = Dangling::Vector(Distribution::from_weights(weights)?);
        }
        if self.is_vector("beta") {
            found.beta = Some(self.values("beta", &args.beta)?);
        }
        if let Some(seed) = self.seed() {
            found.preference = at_seed(seed, self.graph.num_nodes()).unwrap_or_else(|| {
                let remedy = "the graph has no such node; give --preference";
                Err(self.origin.says("seed", seed, remedy))
            })?;
        }
        found.seeds = self.nodes(&args.seeds)?;
        found.sources = self.nodes(&args.sources)?;
        let direction = match self.verifier.measure {
            "kendall-wei" => Direction::Out,
            _ => Direction::In,
        };
        found.direction.get_or_insert(direction);
        if self.verifier.measure != "katz" {
            found.alpha.get_or_insert(Damping::default().get());
        }
        Ok(found)
    }

    /// The seed of personalised PageRank.
    fn seed(&self) -> Option<&Value> {
        let seed = self.said.get("seed");
        seed.filter(|_| self.verifier.measure == "pagerank")
    }

    /// The parameters of the measure, for people.
    pub fn shown(&self, found: &Parameters, weights: &ArcWeights) -> Map<String, Value> {
        let found = json!(found);
        let value = |name: &str| match name {
            "weights" if *weights != ArcWeights::None => json!(VECTOR),
            "preference" if let Some(seed) = self.seed() => json!(format!("node {seed}")),
            name => found[name].clone(),
        };
        let named = self.verifier.parameters.iter();
        let named = named.map(|name| ((*name).to_owned(), value(name)));
        named.filter(|(_, value)| !value.is_null()).collect()
    }
}
