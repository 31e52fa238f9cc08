//! The parameters of PageRank, whose types exclude invalid values.

use super::Damping;
use serde_json::Value;
use webrank_base::Node;
use webrank_base::checkpoint::hash;
use webrank_base::error::{Error, Result};

/// The algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Method {
    /// The power method or components, whichever seems faster after a few sweeps
    #[default]
    Auto,
    /// The power method: apply the equation repeatedly, with extrapolation
    Power,
    /// The power method as textbooks have it, without extrapolation: for comparisons
    Plain,
    /// Gauss-Seidel, as textbooks have it: use new values immediately; one thread sweeps
    GaussSeidel,
    /// Gauss-Seidel, one strong component after the other: fastest where few arcs lie on cycles,
    /// as between papers or packages
    Components,
}

impl Method {
    /// Whether rows must be in memory, and arcs may have no weights.
    pub(crate) fn needs_rows_in_memory(self) -> bool {
        matches!(
            self,
            Method::Plain | Method::GaussSeidel | Method::Components
        )
    }

    /// The method where only the power method is possible, if it may be chosen.
    pub fn without_choice(self) -> Self {
        match self {
            Method::Auto => Method::Power,
            method => method,
        }
    }

    /// The name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Power => "power",
            Method::Plain => "plain",
            Method::GaussSeidel => "gauss-seidel",
            Method::Components => "components",
        }
    }
}

/// The columns of scores.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Columns {
    /// PageRank.
    #[default]
    Score,
    /// PageRank and its derivative with respect to alpha: see [`super::derivative`].
    Derivative,
    /// PageRank for each of these values of alpha: see [`super::alphas`].
    Alphas(Vec<Damping>),
    /// Personalised PageRank for each of these nodes as the preference vector: see
    /// [`super::seeds`].
    Seeds(Vec<Node>),
}

impl Columns {
    /// One column for each of these values of alpha.
    ///
    /// # Errors
    /// If a value is not in [0, 1), or occurs twice.
    pub fn alphas(alphas: &[f64]) -> Result<Self> {
        let alphas: Vec<Damping> = alphas
            .iter()
            .map(|&alpha| Damping::new(alpha))
            .collect::<Result<_>>()?;
        match (1..alphas.len()).find(|&i| alphas[..i].contains(&alphas[i])) {
            Some(twice) => {
                let value = alphas[twice].get();
                Err(Error::argument("alphas", value, "name each alpha once"))
            }
            None => Ok(Columns::Alphas(alphas)),
        }
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        match self {
            Columns::Score => 1,
            Columns::Derivative => 2,
            Columns::Alphas(alphas) => alphas.len() as u64,
            Columns::Seeds(seeds) => seeds.len() as u64,
        }
    }

    /// The columns in checkpoints: as long for any number of seeds.
    pub(super) fn kept(&self) -> Value {
        match self {
            Columns::Score => Value::Null,
            Columns::Derivative => "derivative".into(),
            Columns::Alphas(alphas) => alphas.iter().map(|alpha| alpha.get()).collect(),
            Columns::Seeds(seeds) => {
                let seeds: Vec<f64> = seeds.iter().map(|&seed| seed.into()).collect();
                hash(&seeds)
            }
        }
    }

    /// The name of the parameter that selects these columns; none for the plain score.
    pub fn parameter(&self) -> Option<&'static str> {
        match self {
            Columns::Score => None,
            Columns::Derivative => Some("derivative"),
            Columns::Alphas(_) => Some("alphas"),
            Columns::Seeds(_) => Some("each_seed"),
        }
    }
}
