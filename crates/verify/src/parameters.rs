//! The parameters that scores depend on.

use super::lengths::ArcLengths;
use serde::{Deserialize, Serialize, Serializer};
use webrank_base::Node;
use webrank_graph::Direction;
use webrank_scores::parameters::{Dangling, Distribution, Variant};

/// The parameters of all measures; each measure uses its own. They are read from manifests, except
/// vectors and lists of nodes, which manifests only mention.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default)]
pub struct Parameters {
    /// alpha of PageRank (0.85 by default) and of Katz, which has no default.
    pub alpha: Option<f64>,
    /// PageRank: the preference vector.
    #[serde(skip_deserializing)]
    pub preference: Distribution,
    /// PageRank: where walks continue from dangling nodes.
    pub dangling: Dangling,
    /// TrustRank: the seeds.
    #[serde(skip_deserializing, serialize_with = "as_count")]
    pub seeds: Vec<Node>,
    /// Katz: beta, 1 by default.
    #[serde(skip_deserializing, serialize_with = "as_kind")]
    pub beta: Option<Vec<f64>>,
    /// The direction; by default that of the measure.
    pub direction: Option<Direction>,
    /// Closeness: the definition.
    pub variant: Variant,
    /// Decay: the factor per step.
    pub base: f64,
    /// Betweenness: whether end nodes count.
    pub endpoints: bool,
    /// Betweenness: the nodes from which paths count, scaled to all; none if all do.
    #[serde(skip_deserializing, serialize_with = "as_count")]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Node>,
    /// Distances and betweenness: the lengths of arcs; none if each is one step.
    #[serde(skip_deserializing, serialize_with = "as_name")]
    pub lengths: Option<ArcLengths>,
    /// Distances and betweenness: paths that are longer do not count.
    pub cutoff: Option<f64>,
    /// How scores are scaled; manifests say it as `normalize`.
    #[serde(rename = "normalize", skip_serializing)]
    pub scale: Scale,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters {
            alpha: None,
            preference: Distribution::Uniform,
            dangling: Dangling::default(),
            seeds: Vec::new(),
            beta: None,
            direction: None,
            variant: Variant::default(),
            base: 0.5,
            endpoints: false,
            sources: Vec::new(),
            lengths: None,
            cutoff: None,
            scale: Scale::Unknown,
        }
    }
}

fn as_count<S: Serializer>(nodes: &[Node], to: S) -> Result<S::Ok, S::Error> {
    to.serialize_u64(nodes.len() as u64)
}

fn as_kind<S: Serializer>(beta: &Option<Vec<f64>>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(if beta.is_some() { "vector" } else { "1" })
}

fn as_name<S: Serializer>(lengths: &Option<ArcLengths>, to: S) -> Result<S::Ok, S::Error> {
    lengths.as_ref().map(ArcLengths::name).serialize(to)
}

/// How scores are scaled. Vectors that are defined up to a factor may have any scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(from = "bool")]
pub enum Scale {
    /// By any factor: one that fits is found, and reported if it is not 1.
    Unknown,
    /// As the measure defines them.
    Plain,
    /// Divided by the largest possible value, as `normalize` of a measure says.
    Normalized,
}

impl From<bool> for Scale {
    fn from(is_normalized: bool) -> Self {
        match is_normalized {
            true => Scale::Normalized,
            false => Scale::Plain,
        }
    }
}
