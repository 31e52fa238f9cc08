//! Each distance measure as a measure of its own.

use super::Geometric;
use serde_json::{Map, Value};
use webrank_base::error::Result;
use webrank_base::limits::Limits;
use webrank_base::progress::Progress;
use webrank_graph::Graph;
use webrank_measure::cost_model::Times;
use webrank_measure::{Measure, StoragePlan};
use webrank_scores::ranked::Ranked;

/// Each of these measures is a [`Measure`] of its own: one column of a [`Geometric`].
macro_rules! one_column {
    ($($measure:ty),* $(,)?) => {
        $(
            impl Measure for $measure {
                fn forms_of(&self, graph: &Graph) -> Vec<StoragePlan> {
                    Geometric::of(self.clone()).forms_of(graph)
                }

                fn seconds_of(
                    &self,
                    graph: &Graph,
                    limits: &Limits,
                    progress: &dyn Progress,
                ) -> Result<Times> {
                    Geometric::of(self.clone()).seconds_in(graph, limits, progress)
                }

                fn kept_parameters(&self, graph: &Graph, limits: &Limits) -> Result<Map<String, Value>> {
                    Geometric::of(self.clone()).kept_parameters(graph, limits)
                }

                fn compute(&self, graph: &Graph, limits: &Limits, progress: &dyn Progress) -> Result<Ranked> {
                    Geometric::of(self.clone()).compute(graph, limits, progress)
                }
            }
        )*
    };
}

one_column!(
    super::harmonic::Harmonic,
    super::closeness::Closeness,
    super::lin::Lin,
    super::reachable::Reachable,
    super::eccentricity::Eccentricity,
    super::decay::Decay,
    super::integration::Integration,
);
