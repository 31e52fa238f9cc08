//! What `rank pagerank` computes besides one column of scores.

use super::shared::seeds::SeedArgs;
use clap::Args;
use std::path::PathBuf;
use webrank::centrality::pagerank::alphas::pagerank_of_alphas;
use webrank::centrality::pagerank::derivative::pagerank_with_derivative;
use webrank::centrality::pagerank::seeds::{Seeds, pagerank_of_seeds};
use webrank::centrality::pagerank::walk::RandomWalk;
use webrank::centrality::pagerank::{Damping, PageRank, needs_memory, pagerank};
use webrank::error::{Error, Result};
use webrank::graph::{Names, Node};
use webrank::linear::StopRule;
use webrank::progress::Progress;
use webrank::scores::Scores;

/// More columns.
#[derive(Args)]
pub struct ColumnArgs {
    /// Several probabilities of following an arc, separated by commas: a column score_ALPHA for
    /// each, in place of 'score' and 'rank'; --sort score and --top go by the first
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "ALPHAS",
        allow_hyphen_values = true
    )]
    #[arg(conflicts_with_all = ["alpha", "seed_args", "certify_top"])]
    alphas: Vec<f64>,
    /// Add a column 'derivative', by alpha: positive for nodes that gain when walks start again
    /// less often; within the tolerance too
    #[arg(long, conflicts_with_all = ["alphas", "seed_args", "certify_top"])]
    derivative: bool,
    /// Personalised PageRank: a column score_SEED for each of these nodes, whose walks start at it
    /// alone, 8 columns a sweep; in place of 'score' and 'rank'
    #[command(flatten)]
    seeds: SeedArgs,
    /// Weights of the arcs: FILE with one number an arc, by source and target (.f32 or .f64,
    /// little-endian), or source,target,weight lines [default: 1]
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["alphas", "derivative", "seed_args", "certify_top", "method"])]
    pub weights: Option<PathBuf>,
}

/// What is asked for, known to be valid.
pub enum Columns {
    Score,
    Derivative,
    Alphas(Vec<Damping>),
    Seeds(Vec<Node>),
}

impl ColumnArgs {
    /// The alphas, checked before any work.
    pub fn alphas(&self) -> Result<Vec<Damping>> {
        let alphas: Vec<Damping> = self
            .alphas
            .iter()
            .map(|&a| Damping::new(a))
            .collect::<Result<_>>()?;
        match (1..alphas.len()).find(|&i| alphas[..i].contains(&alphas[i])) {
            Some(twice) => {
                let value = alphas[twice].get();
                Err(Error::argument("--alphas", value, "name each alpha once"))
            }
            None => Ok(alphas),
        }
    }

    /// More than one plain column needs the graph in memory.
    pub fn refuse_streaming(&self, weighted: bool) -> Result<()> {
        let option = match self {
            _ if weighted => "--weights",
            ColumnArgs {
                derivative: true, ..
            } => "--derivative",
            ColumnArgs { alphas, .. } if !alphas.is_empty() => "--alphas",
            ColumnArgs { seeds, .. } if seeds.are_given() => "--seeds",
            _ => return Ok(()),
        };
        Err(needs_memory(option, "given"))
    }

    /// What is asked for.
    pub fn columns(&self, num_nodes: usize, names: Option<&Names>) -> Result<Columns> {
        Ok(if self.seeds.are_given() {
            Columns::Seeds(self.seeds.find(num_nodes, names)?)
        } else if !self.alphas.is_empty() {
            Columns::Alphas(self.alphas()?)
        } else if self.derivative {
            Columns::Derivative
        } else {
            Columns::Score
        })
    }
}

impl Columns {
    /// The headers of the columns.
    pub fn headers(&self, names: Option<&Names>) -> Vec<String> {
        match self {
            Columns::Score => vec!["score".into()],
            Columns::Derivative => vec!["score".into(), "derivative".into()],
            Columns::Alphas(alphas) => {
                let header = |alpha: &Damping| format!("score_{}", alpha.get());
                alphas.iter().map(header).collect()
            }
            Columns::Seeds(seeds) => {
                let header = |&seed: &Node| match names {
                    Some(names) => format!("score_{}", names.get(seed)),
                    None => format!("score_{seed}"),
                };
                seeds.iter().map(header).collect()
            }
        }
    }

    /// Computes the columns.
    pub fn compute(
        &self,
        walk: &RandomWalk,
        params: &PageRank,
        stop: &StopRule,
        progress: &dyn Progress,
    ) -> Result<Vec<Scores>> {
        match self {
            Columns::Score => Ok(vec![pagerank(walk, params, stop, progress)?]),
            Columns::Derivative => {
                let found = pagerank_with_derivative(walk, params, stop, progress)?;
                Ok(vec![found.scores, found.derivative])
            }
            Columns::Alphas(alphas) => pagerank_of_alphas(walk, params, alphas, stop, progress),
            Columns::Seeds(seeds) => {
                let params = Seeds {
                    damping: params.damping,
                    dangling: params.dangling.clone(),
                };
                pagerank_of_seeds(walk, seeds, &params, stop, progress)
            }
        }
    }
}
