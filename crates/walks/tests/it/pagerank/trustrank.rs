//! TrustRank, and the candidates for its seeds, against dense solves.

use crate::pagerank::runs::*;
use proptest::prelude::*;
use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_scores::parameters::Damping;
use webrank_testing::graphs::*;
use webrank_testing::oracle;
use webrank_walks::pagerank::Method;
use webrank_walks::pagerank::trustrank::{seed_candidates, trust_in, trustrank};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn trust_starts_at_the_seeds_alone(
        graph in graphs(),
        picks in prop::collection::vec(any::<bool>(), 12),
        alpha in 0.0..0.99f64,
    ) {
        let n = graph.0;
        let mut seeds: Vec<Node> = (0..n as Node).filter(|&node| picks[node as usize]).collect();
        if seeds.is_empty() {
            seeds.push(0);
        }
        let share = 1.0 / seeds.len() as f64;
        let mut v = vec![0.0; n];
        seeds.iter().for_each(|&seed| v[seed as usize] = share);
        let params = trust_in(&seeds, Damping::new(alpha).unwrap(), n).unwrap();
        let found = trustrank(&graph.walk(), &params, &within(1e-9), &Silent).unwrap();
        let truth = oracle::pagerank::pagerank(&graph.dense(), alpha, &v, &v);
        check(&found, &truth, 1e-9)?;
        // As in the paper, the loss at dangling nodes scales all scores by the same factor.
        let lossy = oracle::pagerank::pagerank(&graph.dense(), alpha, &v, &vec![0.0; n]);
        let scaled = &lossy / lossy.sum();
        prop_assert!(l1(&found.values, &scaled) <= outcome(&found).2 + 1e-14);
    }

    #[test]
    fn candidates_are_the_best_of_the_transpose(graph in graphs(), alpha in 0.0..0.99f64) {
        let n = graph.0;
        let reversed = Arcs(n, graph.1.iter().map(|&(i, j)| (j, i)).collect());
        let params = params(alpha, Method::Power);
        let found = seed_candidates(&reversed.walk(), &params, &within(1e-9), &Silent).unwrap();
        let uniform = vec![1.0 / n as f64; n];
        let transposed = graph.dense().t().to_owned();
        let truth = oracle::pagerank::pagerank(&transposed, alpha, &uniform, &uniform);
        check(&found, &truth, 1e-9)?;
    }
}
