//! Parameters of measures that manifests hold and verifiers read, whose types exclude invalid values.

use serde::{Deserialize, Serialize, Serializer};
use webrank_base::Node;
use webrank_base::error::{Error, Result};

/// The probability alpha of following an arc, in [0, 1).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Damping(f64);

impl Damping {
    /// # Errors
    /// If `alpha` is not in [0, 1).
    pub fn new(alpha: f64) -> Result<Self> {
        if (0.0..1.0).contains(&alpha) {
            Ok(Damping(alpha))
        } else {
            Err(Error::argument(
                "alpha",
                alpha,
                "it must be at least 0 and below 1, such as 0.85",
            ))
        }
    }

    /// The value.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl Default for Damping {
    fn default() -> Self {
        Damping(0.85)
    }
}

/// Where the walk continues from a dangling node.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Dangling {
    /// As if it restarted (strongly preferential)
    #[default]
    Preference,
    /// To any node with equal probability (weakly preferential)
    Uniform,
    /// Nowhere: the mass that reaches dangling nodes is lost (pseudorank)
    None,
    /// To a node drawn from this distribution.
    #[cfg_attr(feature = "clap", value(skip))]
    #[serde(skip)]
    Vector(Distribution),
}

impl Dangling {
    /// The name used in manifests.
    pub fn name(&self) -> &'static str {
        match self {
            Dangling::Preference => "preference",
            Dangling::Uniform => "uniform",
            Dangling::None => "none",
            Dangling::Vector(_) => "vector",
        }
    }

    /// The probabilities of a given distribution, unless all are the same.
    pub fn weights(&self) -> Option<&[f64]> {
        match self {
            Dangling::Vector(given) => given.weights(),
            _ => None,
        }
    }
}

impl Serialize for Dangling {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A distribution over the nodes: nonnegative numbers that add up to one.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Distribution {
    /// Equal probabilities for all nodes.
    #[default]
    Uniform,
    /// One probability per node.
    Dense(Box<[f64]>),
}

impl Serialize for Distribution {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Distribution::Uniform => "uniform",
            Distribution::Dense(_) => "vector",
        })
    }
}

/// So many nodes are few.
const FEW: usize = 5;

impl Distribution {
    /// Normalises weights, one per node.
    ///
    /// # Errors
    /// If a weight is NaN, infinite or negative (the message names the node), or if all are 0.
    pub fn from_weights(mut weights: Vec<f64>) -> Result<Self> {
        if let Some(node) = weights.iter().position(|w| !w.is_finite() || *w < 0.0) {
            return Err(Error::argument(
                "the weight",
                format!("{} at node {node}", weights[node]),
                "weights must be finite and not negative",
            ));
        }
        let largest = weights.iter().copied().fold(0.0, f64::max);
        if largest == 0.0 {
            return Err(Error::argument(
                "every weight",
                0,
                "at least one node must have a positive weight",
            ));
        }
        // Weights are scaled first, so that the sum cannot overflow.
        let total = webrank_base::parallel::sums::compensated(weights.iter().map(|w| w / largest));
        // A positive weight stays positive.
        let part = |w: f64| match w {
            0.0 => 0.0,
            w => (w / largest / total).max(f64::from_bits(1)),
        };
        weights.iter_mut().for_each(|w| *w = part(*w));
        Ok(Distribution::Dense(weights.into_boxed_slice()))
    }

    /// The probabilities, unless all are the same.
    pub fn weights(&self) -> Option<&[f64]> {
        match self {
            Distribution::Uniform => None,
            Distribution::Dense(weights) => Some(weights),
        }
    }

    /// The nodes with a positive probability, if they are few and all have the same.
    pub fn few(&self) -> Option<Vec<usize>> {
        let weights = self.weights()?;
        let positive = (0..weights.len()).filter(|&node| weights[node] > 0.0);
        let nodes: Vec<usize> = positive.take(FEW + 1).collect();
        let is_alike = nodes.iter().all(|&node| weights[node] == weights[nodes[0]]);
        (nodes.len() <= FEW && is_alike).then_some(nodes)
    }

    /// The probability of `node` in a graph of `n` nodes.
    #[inline]
    pub fn weight(&self, node: usize, n: usize) -> f64 {
        match self {
            Distribution::Uniform => 1.0 / n as f64,
            Distribution::Dense(weights) => weights[node],
        }
    }

    /// # Errors
    /// If the distribution is dense and its length is not `n`.
    pub fn check_len(&self, what: &'static str, n: usize) -> Result<()> {
        match self {
            Distribution::Dense(weights) if weights.len() != n => Err(Error::argument(
                what,
                format!("a vector of length {}", weights.len()),
                format!("the graph has {n} nodes"),
            )),
            _ => Ok(()),
        }
    }

    /// True if both nodes have the same probability.
    pub fn same(&self, a: Node, b: Node) -> bool {
        match self {
            Distribution::Uniform => true,
            Distribution::Dense(weights) => weights[a as usize] == weights[b as usize],
        }
    }
}

/// A definition of closeness; the formulas stand with the measure, in `webrank_distances`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// 1/S.
    #[default]
    Bavelas,
    /// (r + 1)^2 / S.
    Lin,
    /// (r + 1)^2 - S.
    Nieminen,
    /// r^2 / ((n-1) S).
    WassermanFaust,
}
