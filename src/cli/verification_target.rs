//! The parameters of scores: options of `rank verify`, and what a manifest records.

use super::provenance::Provenance;
use super::shared::node_args::{NodeArgs, SeedArgs, SourceArgs};
use clap::ValueEnum;
use clap::builder::PossibleValuesParser;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use webrank_base::Node;
use webrank_base::error::{Error, Result};
use webrank_graph::{Direction, Graph};
use webrank_scores::parameters::Variant;
use webrank_scores::parameters::{Dangling, Distribution};
use webrank_verify::{Parameters, Scale, VERIFIERS, Verifier};

/// The measure, and what its scores depend on.
#[derive(clap::Args)]
#[command(next_help_heading = "What the scores are [default: what the manifest says]")]
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
    #[arg(long, allow_hyphen_values = true)]
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
    /// Weights of the arcs
    #[arg(long, value_name = "FILE")]
    pub weights: Option<PathBuf>,
}

impl MeasureArgs {
    /// The parameters among these that are given, by the names that measures give them.
    pub fn given(&self) -> Vec<(&'static str, &'static str)> {
        let given = [
            ("alpha", "alpha", self.alpha.is_some()),
            ("preference", "preference", self.preference.is_some()),
            ("dangling", "dangling", self.dangling.is_some()),
            (
                "dangling",
                "dangling_vector",
                self.dangling_vector.is_some(),
            ),
            ("seeds", "seeds", self.seeds.are_given()),
            ("beta", "beta", self.beta.is_some()),
            ("direction", "direction", self.direction.is_some()),
            ("variant", "variant", self.variant.is_some()),
            ("base", "base", self.base.is_some()),
            ("endpoints", "endpoints", self.endpoints),
            ("sources", "sources", self.sources.are_given()),
            ("weights", "weights", self.weights.is_some()),
        ];
        let given = given.into_iter().filter(|(_, _, is_given)| *is_given);
        given
            .map(|(parameter, option, _)| (parameter, option))
            .collect()
    }
}

/// The distribution of personalised PageRank for one seed.
pub fn at_seed(seed: &Value, num_nodes: usize) -> Result<Distribution> {
    let mut weights = vec![0.0; num_nodes];
    let node = seed
        .as_u64()
        .and_then(|node| weights.get_mut(node as usize));
    match node {
        Some(weight) => *weight = 1.0,
        None => {
            return Err(Error::argument(
                "the seed",
                seed,
                "it is no node of the graph",
            ));
        }
    }
    Distribution::from_weights(weights)
}

/// The weights of the arcs that scores depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArcWeights {
    None,
    OfGraph,
    File(PathBuf),
}

/// Finds parameters: from options, then from the manifest.
pub struct Finder<'a> {
    pub origin: &'a Provenance,
    pub args: &'a MeasureArgs,
    pub graph: &'a Graph,
    /// The parameters in the manifest.
    pub recorded: Map<String, Value>,
}

impl Finder<'_> {
    fn text(&self, name: &str) -> Option<&str> {
        self.recorded.get(name)?.as_str()
    }

    fn is_true(&self, name: &str) -> bool {
        self.recorded.get(name) == Some(&Value::Bool(true))
    }

    pub fn is_set(&self, name: &str) -> bool {
        self.recorded
            .get(name)
            .is_some_and(|value| !value.is_null())
    }

    /// The file of a vector: an option, or the one in the command of the run, if the manifest says
    /// that there is one.
    pub fn vector(&self, name: &'static str, given: &Option<PathBuf>) -> Result<Option<PathBuf>> {
        let of_run = match name {
            "dangling_vector" => self.text("dangling") == Some("vector"),
            _ => self.text(name) == Some("vector"),
        };
        if given.is_some() || !of_run {
            return Ok(given.clone());
        }
        let found = self.origin.file(name).ok_or_else(|| {
            let remedy = "the manifest says that there is one, but not which: name the file";
            Error::argument(name, "not known", remedy)
        });
        found.map(Some)
    }

    /// The weights of the arcs: an option, those of the run, or those of the graph if nothing is
    /// recorded.
    pub fn weights(&self, verifier: &Verifier, is_recorded: bool) -> Result<ArcWeights> {
        if let Some(path) = &self.args.weights {
            return Ok(ArcWeights::File(path.clone()));
        }
        let counts = match is_recorded {
            true => self.is_set("weights"),
            false => self.graph.has_weights() && verifier.parameters.contains(&"weights"),
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

    fn values(&self, name: &'static str, given: &Option<PathBuf>) -> Result<Option<Vec<f64>>> {
        let path = self.vector(name, given)?;
        path.map(|path| self.graph.node_values(&path)).transpose()
    }

    fn distribution(
        &self,
        name: &'static str,
        given: &Option<PathBuf>,
    ) -> Result<Option<Distribution>> {
        let values = self.values(name, given)?;
        values.map(Distribution::from_weights).transpose()
    }

    fn seeds(&self) -> Result<Vec<Node>> {
        if self.args.seeds.are_given() {
            return self.args.seeds.find(self.graph);
        }
        // Only trustrank records a number of seeds.
        self.of_run::<SeedArgs>()
    }

    fn sources(&self) -> Result<Vec<Node>> {
        if self.args.sources.are_given() {
            return self.args.sources.find(self.graph);
        }
        self.of_run::<SourceArgs>()
    }

    /// The nodes in the command of the run, if the manifest says how many there are.
    fn of_run<A: NodeArgs>(&self) -> Result<Vec<Node>> {
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

    pub fn parameters(&self, is_recorded: bool) -> Result<Parameters> {
        let args = self.args;
        let number = |name: &str| self.recorded.get(name).and_then(Value::as_f64);
        let dangling = match self.distribution("dangling_vector", &args.dangling_vector) {
            _ if args.dangling.is_some() => args.dangling.clone(),
            found => found?.map(Dangling::Vector),
        };
        let recorded = self.text("dangling");
        let recorded = recorded.and_then(|name| Dangling::from_str(name, false).ok());
        // Kendall-Wei says "out: source beat target".
        let direction = self
            .text("direction")
            .map(|text| match text.starts_with("out") {
                true => Direction::Out,
                false => Direction::In,
            });
        let variant = self.text("variant");
        let variant = variant.and_then(|name| Variant::from_str(name, false).ok());
        let default = Parameters::default();
        Ok(Parameters {
            alpha: args.alpha.or(number("alpha")),
            preference: self
                .distribution("preference", &args.preference)?
                .unwrap_or_default(),
            dangling: dangling.or(recorded).unwrap_or_default(),
            seeds: self.seeds()?,
            beta: self.values("beta", &args.beta)?,
            direction: args.direction.or(direction),
            variant: args.variant.or(variant).unwrap_or_default(),
            base: args.base.or(number("base")).unwrap_or(default.base),
            endpoints: args.endpoints || self.is_true("endpoints"),
            sources: self.sources()?,
            scale: match (is_recorded, self.is_true("normalize")) {
                (false, _) => Scale::Unknown,
                (true, true) => Scale::Normalized,
                (true, false) => Scale::Plain,
            },
        })
    }

    /// The parameters of the measure, for people.
    pub fn shown(
        &self,
        verifier: &Verifier,
        found: &Parameters,
        weights: &ArcWeights,
    ) -> Map<String, Value> {
        let value = |name: &str| match name {
            "alpha" => json!(found.alpha.unwrap_or(0.85)),
            "preference" => match self.recorded.get("seed") {
                Some(seed) => json!(format!("node {seed}")),
                None => json!(found.preference),
            },
            "dangling" => json!(found.dangling),
            "seeds" => json!(found.seeds.len()),
            "beta" => json!(if found.beta.is_some() { "vector" } else { "1" }),
            "direction" => match (found.direction, verifier.measure) {
                (Some(direction), _) => json!(direction.name()),
                (None, "kendall-wei") => json!("out"),
                (None, _) => json!("in"),
            },
            "variant" => json!(found.variant),
            "base" => json!(found.base),
            "endpoints" => json!(found.endpoints),
            "sources" if !found.sources.is_empty() => json!(found.sources.len()),
            "weights" if *weights != ArcWeights::None => json!("vector"),
            _ => Value::Null,
        };
        let named = verifier.parameters.iter();
        let named = named.map(|name| ((*name).to_owned(), value(name)));
        named.filter(|(_, value)| !value.is_null()).collect()
    }
}
