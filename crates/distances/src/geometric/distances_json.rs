//! The distribution of distances for other programs.

use super::distances::Distances;
use serde_json::{Value, json};

impl Distances {
    /// All figures as JSON.
    pub fn to_json(&self) -> Value {
        json!({
            "nodes": self.num_nodes,
            "outcome": self.outcome,
            "reachable_pairs": self.reachable_pairs(),
            "reachable_share": self.reachable_share(),
            "average_distance": self.average_distance(),
            "effective_diameter_90": self.effective_diameter(0.9),
            // Infinite without arcs; JSON cannot express that.
            "harmonic_diameter": Some(self.harmonic_diameter()).filter(|d| d.is_finite()),
            "spid": self.spid(),
            "diameter": self.diameter,
            "pairs_at_distance": self.pairs,
            "notes": self.notes,
        })
    }
}
