//! The algorithms for eigenvectors.

use webrank_linear::perron::{FindVector, by_powers, dominant_vector};

/// The algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum EigenvectorMethod {
    /// Arnoldi's method: the best combination of up to 20 powers, again and again
    #[default]
    Arnoldi,
    /// The power method: in the end, each sweep shrinks the residual by |lambda_2| / lambda_1, which the
    /// summary estimates; no limit if the component is periodic
    Power,
}

impl EigenvectorMethod {
    /// Its name in the command and in manifests.
    pub fn name(self) -> &'static str {
        match self {
            EigenvectorMethod::Arnoldi => "arnoldi",
            EigenvectorMethod::Power => "power",
        }
    }

    pub(super) fn finder(self) -> FindVector {
        match self {
            EigenvectorMethod::Arnoldi => dominant_vector,
            EigenvectorMethod::Power => by_powers,
        }
    }
}
