//! Scores by networkx and igraph, with the factors that they apply.

use super::*;
use webrank_scores::parameters::Variant;
use webrank_scores::parameters::{Dangling, Distribution};
use webrank_testing::fixtures::{GRAPHS, successors, values};

#[test]
fn scores_of_networkx_and_igraph_are_certified() {
    for name in GRAPHS {
        let graph = Graph::from_rows(successors(name));
        let (plain, spectral) = (values(name, "values"), values(name, "spectral"));
        let default = Parameters::default();
        let good = |measure: &str, scores: &[f64], parameters: &Parameters, error: f64| {
            let finding = check(measure, &graph, scores, parameters);
            assert!(
                finding.error.at_most < error,
                "{name} {measure} {finding:?}"
            );
            finding
        };
        good("pagerank", &plain["pagerank_networkx"], &default, 1e-12);
        good("pagerank", &plain["pagerank_igraph"], &default, 1e-12);
        let weights = (0..graph.num_nodes()).map(|node| 1.0 + (node % 3) as f64);
        let personal = Parameters {
            preference: Distribution::from_weights(weights.collect()).unwrap(),
            ..Parameters::default()
        };
        good("pagerank", &plain["personalized"], &personal, 1e-12);
        let weak = Parameters {
            dangling: Dangling::Uniform,
            ..personal
        };
        good("pagerank", &plain["weak"], &weak, 1e-12);
        good("harmonic", &plain["harmonic"], &default, 1e-13);
        good("harmonic", &plain["harmonic_igraph"], &default, 1e-13);
        let faust = Parameters {
            variant: Variant::WassermanFaust,
            ..Parameters::default()
        };
        good("closeness", &plain["closeness_wf"], &faust, 1e-13);
        good("indegree", &plain["indegree"], &default, 1e-15);
        let n = graph.num_nodes() as f64;
        let centrality: Vec<f64> = plain["outdegree"].iter().map(|d| d / (n - 1.0)).collect();
        let finding = good("outdegree", &centrality, &default, 1e-14);
        assert_eq!(finding.scale, 1.0 / (n - 1.0));
        let katz = Parameters {
            alpha: Some(0.05),
            ..Parameters::default()
        };
        good("katz", &spectral["katz"], &katz, 1e-13);
        // As networkx scales it by default.
        let length = spectral["katz"].iter().map(|x| x * x).sum::<f64>().sqrt();
        let scaled: Vec<f64> = spectral["katz"].iter().map(|x| x / length).collect();
        let finding = good("katz", &scaled, &katz, 1e-13);
        assert!((finding.scale * length - 1.0).abs() < 1e-12, "{finding:?}");
        for (measure, column) in [
            ("eigenvector", "eigenvector"),
            ("eigenvector", "eigenvector_igraph"),
            ("eigenvector", "eigenvector_numpy"),
            ("hits-authority", "authority"),
            ("hits-hub", "hub"),
        ] {
            if let Some(scores) = spectral.get(column) {
                good(measure, scores, &default, 1e-7);
            }
        }
        good("seeley", &spectral["seeley"], &default, 1e-8);
    }
}

#[test]
fn scores_of_another_definition_are_seen() {
    let graph = Graph::from_rows(successors("scattered"));
    let columns = values("scattered", "values");
    for (measure, column) in [
        ("pagerank", "personalized"),
        ("closeness", "closeness"),
        ("harmonic", "closeness"),
        ("indegree", "outdegree"),
    ] {
        let finding = check(measure, &graph, &columns[column], &Parameters::default());
        assert!(finding.error.at_least > 0.02, "{measure} {finding:?}");
    }
}
