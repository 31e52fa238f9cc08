//! Measures whose method on shards is another than on the whole graph: the same bits for any number of
//! parts, workers and threads, and the scores of the whole graph within what is proved or measured.

use super::{bits, cut};
use proptest::prelude::*;
use webrank::{
    Direction, Eigenvector, Error, Graph, Hits, Katz, Limits, Measure, Result, RowStorage, Salsa,
    Silent,
};
use webrank_cluster::Workers;
use webrank_scores::parameters::{Dangling, Distribution};
use webrank_scores::ranked::Ranked;
use webrank_scores::{Outcome, Scores};
use webrank_testing::graphs::webs;
use webrank_testing::graphs::*;
use webrank_walks::distributed::Distributed;
use webrank_walks::eigenvector::Norm;
use webrank_walks::katz::Attenuation;
use webrank_walks::pagerank::trustrank::SeedCandidates;
use webrank_walks::pagerank::{Columns, PageRank};

/// The graph and its shards, in one part and in several.
struct Cut {
    _folders: [tempfile::TempDir; 2],
    whole: Graph,
    parts: usize,
    shards: [Graph; 2],
}

impl Cut {
    fn new(graph: &Arcs, parts: usize) -> Self {
        let folders = [1, parts].map(|parts| {
            let folder = tempfile::tempdir().unwrap();
            cut(graph, parts, folder.path());
            folder
        });
        let open =
            |folder: usize, name: &str| Graph::open(folders[folder].path().join(name)).unwrap();
        Cut {
            whole: open(0, "graph.bv"),
            shards: [open(0, "graph.shards"), open(1, "graph.shards")],
            parts,
            _folders: folders,
        }
    }

    /// The result on shards, after a check that it does not depend on who computes it.
    fn ranked<M: Measure>(&self, make: impl Fn(Workers) -> M, limits: &Limits) -> Result<Ranked> {
        let [one, several] = &self.shards;
        let first = make(Workers::default()).rank(one, limits, &Silent);
        for workers in 1..=self.parts {
            let next = make(Workers::of_threads(workers)).rank(several, limits, &Silent);
            match (&first, &next) {
                (Ok(first), Ok(next)) => {
                    for ((_, column), (_, other)) in first.columns().iter().zip(next.columns()) {
                        assert_eq!(bits(column.as_slice()), bits(other.as_slice()));
                        assert_eq!(column.run, other.run);
                    }
                }
                (Err(problem), Err(other)) => assert_eq!(problem.to_string(), other.to_string()),
                _ => panic!("{workers} workers end otherwise"),
            }
        }
        first
    }
}

fn sweeps(count: u32) -> Limits {
    Limits::default().max_iterations(count).unwrap()
}

/// Residual, eigenvalue, bounds and gap of a result.
fn eigen(scores: &Scores) -> (f64, f64, Option<[f64; 2]>, f64) {
    match scores.run.outcome {
        Outcome::Eigen {
            residual,
            eigenvalue,
            eigenvalue_bounds,
            gap,
            ..
        } => (residual, eigenvalue, eigenvalue_bounds, gap),
        _ => panic!("no eigenvector"),
    }
}

/// Scores that are both accurate are the same.
fn check_eigen(found: &Scores, whole: &Scores) {
    if whole.run.outcome == Outcome::Exact {
        assert_eq!(found.as_slice(), whole.as_slice());
        return;
    }
    let ((residual, eigenvalue, bounds, _), (other, exact, _, gap)) = (eigen(found), eigen(whole));
    if let Some([lower, upper]) = bounds {
        assert!(
            lower <= exact * (1.0 + 1e-9) && exact * (1.0 - 1e-9) <= upper,
            "{bounds:?} {exact}"
        );
    }
    if residual <= 1e-12 && other <= 1e-12 && gap > 1e-2 {
        assert!(
            (eigenvalue - exact).abs() <= 1e-9 * exact,
            "{eigenvalue} {exact}"
        );
        for (x, y) in found.as_slice().iter().zip(whole.as_slice()) {
            assert!((x - y).abs() < 1e-8, "{x} {y}");
        }
    }
}

fn l1(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| (x - y).abs()).sum()
}

/// The certified l1 error of a column.
fn bound(scores: &Scores) -> f64 {
    scores.run.outcome.error_bound().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(25))]

    #[test]
    fn salsa_has_the_bits_of_the_whole_graph(graph in webs(30), parts in 1usize..8) {
        let cut = Cut::new(&graph, parts);
        let found = cut.ranked(|team| Salsa { team }, &Limits::default()).unwrap();
        let whole = Salsa::default().run(&cut.whole).unwrap();
        for ((_, column), (_, other)) in found.columns().iter().zip(whole.columns()) {
            prop_assert_eq!(bits(column.as_slice()), bits(other.as_slice()));
            prop_assert_eq!(&column.run, &other.run);
        }
    }

    #[test]
    fn eigenvectors_are_those_of_the_whole_graph(
        graph in webs(20),
        parts in 1usize..8,
        out in any::<bool>(),
        norm in prop_oneof![Just(Norm::L1), Just(Norm::L2), Just(Norm::Max)],
    ) {
        let cut = Cut::new(&graph, parts);
        let hits = |team| Hits { team, ..Hits::default() };
        let found = cut.ranked(hits, &sweeps(400)).unwrap();
        let whole = Hits::default().rank(&cut.whole, &Limits::default(), &Silent).unwrap();
        for ((_, column), (_, other)) in found.columns().iter().zip(whole.columns()) {
            check_eigen(column, other);
        }
        let direction = if out { Direction::Out } else { Direction::In };
        let eigenvector = |team| Eigenvector { direction, norm, team, ..Default::default() };
        let found = cut.ranked(eigenvector, &sweeps(200));
        let whole = eigenvector(Workers::default()).rank(&cut.whole, &Limits::default(), &Silent);
        match (found, whole) {
            (Ok(found), Ok(whole)) => check_eigen(&found.columns()[0].1, &whole.columns()[0].1),
            // Without a cycle, the method does not converge.
            (Ok(found), Err(Error::Undefined { .. })) => {
                prop_assert!(eigen(&found.columns()[0].1).0 > 1e-12);
            }
            (Err(Error::Undefined { .. }), Err(Error::Undefined { .. })) => {}
            _ => prop_assert!(false, "otherwise than on the whole graph"),
        }
    }

    #[test]
    fn katz_is_within_its_bound(
        graph in webs(25),
        parts in 1usize..8,
        out in any::<bool>(),
        share in prop_oneof![Just(0.01), Just(0.5), Just(0.95)],
        seeds in prop::option::of((0..25usize, 0..25usize)),
    ) {
        let cut = Cut::new(&graph, parts);
        let direction = if out { Direction::Out } else { Direction::In };
        let n = graph.0;
        let beta = seeds.filter(|_| n > 0).map(|(a, b)| {
            (0..n).map(|node| f64::from(u8::from(node == a % n || node == b % n)) * 2.5).collect()
        });
        let arcs: std::collections::BTreeSet<_> = graph.1.iter().collect();
        let largest = (0..n as u32).map(|node| arcs.iter().filter(|arc| arc.1 == node).count());
        // Below one over the largest indegree.
        let alpha = share / largest.max().unwrap_or(1).max(1) as f64;
        let katz = |alpha| move |team| (alpha, team);
        let make = |(alpha, team): (Attenuation, Workers)| Katz {
            alpha,
            beta: beta.clone(),
            direction,
            team,
            ..Katz::default()
        };
        let fixed = katz(Attenuation::new(alpha).unwrap());
        let found = cut.ranked(|team| make(fixed(team)), &Limits::default()).unwrap();
        let whole = make(fixed(Workers::default())).run(&cut.whole).unwrap();
        found.check_converged().unwrap();
        let (found, whole) = (&found.columns()[0].1, &whole.columns()[0].1);
        let off = l1(found.as_slice(), whole.as_slice());
        prop_assert!(off <= bound(found) + bound(whole), "{off}");
        // Beta has another default in manifests than a vector, and nothing else differs.
        prop_assert_eq!(&found.run.parameters["beta"], &whole.run.parameters["beta"]);

        let auto = katz(Attenuation::Auto);
        let found = cut.ranked(|team| make(auto(team)), &sweeps(300));
        let whole = make(auto(Workers::default())).run(&cut.whole).unwrap();
        match found {
            Ok(found) => {
                let alpha = |ranked: &Ranked| ranked.run().parameters["alpha"].as_f64().unwrap();
                let (found, expected) = (alpha(&found), alpha(&whole));
                prop_assert!((found - expected).abs() <= 1e-5 * expected, "{found} {expected}");
            }
            // As where components with the same radius feed each other.
            Err(problem) => prop_assert!(problem.to_string().contains("give a number"), "{}", problem),
        }
    }

    #[test]
    fn columns_of_seeds_and_alphas_are_those_of_one(
        graph in webs(30),
        parts in 1usize..6,
        dangling in 0..3usize,
    ) {
        prop_assume!(graph.0 > 0);
        let cut = Cut::new(&graph, parts);
        let n = graph.0;
        let dangling = [Dangling::Preference, Dangling::Uniform, Dangling::None][dangling].clone();
        let with = |columns: Columns| PageRank { dangling: dangling.clone(), columns, ..PageRank::default() };
        let seeds = vec![n as u32 / 2, 0];
        let make = |team| PageRank { team, ..with(Columns::Seeds(seeds.clone())) };
        let found = cut.ranked(make, &Limits::default()).unwrap();
        for (&seed, (_, column)) in seeds.iter().zip(found.columns()) {
            let weights = (0..n as u32).map(|node| f64::from(u8::from(node == seed)));
            let only = Distribution::from_weights(weights.collect()).unwrap();
            let one = with(Columns::Score).preference(only).run(&cut.shards[0]).unwrap();
            prop_assert_eq!(bits(column.as_slice()), bits(one.values()));
            prop_assert_eq!(&column.run.outcome, &one.run().outcome);
            prop_assert_eq!(&column.run.parameters["seed"], seed);
        }
        let alphas = [0.9, 0.3, 0.85];
        let make = |team| PageRank { team, ..with(Columns::alphas(&alphas).unwrap()) };
        let found = cut.ranked(make, &Limits::default()).unwrap();
        let whole = make(Workers::default()).run(&cut.whole).unwrap();
        for ((name, column), (header, other)) in found.columns().iter().zip(whole.columns()) {
            prop_assert_eq!(name, header);
            prop_assert!(l1(column.as_slice(), other.as_slice()) <= bound(column) + bound(other));
            prop_assert_eq!(&column.run.parameters, &other.run.parameters);
        }
        let candidates = |team| SeedCandidates { team, ..SeedCandidates::default() };
        let found = cut.ranked(candidates, &Limits::default()).unwrap();
        let whole = candidates(Workers::default()).run(&cut.whole).unwrap();
        let (column, other) = (&found.columns()[0].1, &whole.columns()[0].1);
        prop_assert!(l1(column.as_slice(), other.as_slice()) <= bound(column) + bound(other));
    }
}

/// With thousands of nodes in several tasks, threads do not matter either.
#[test]
fn threads_do_not_matter() {
    let n = 20_000u32;
    let arcs = (0..n).flat_map(|node| {
        let row = (0..node % 5).map(move |k| (node, (node + k * k * 37 + 1) % n));
        row.chain((node % 7 == 0).then_some((node, node * 3 % n)))
    });
    let cut = Cut::new(&Arcs(n as usize, arcs.collect()), 4);
    fn check<M: Measure>(cut: &Cut, make: impl Fn(Workers) -> M) {
        let run = |workers, threads| {
            let limits = sweeps(12).threads(threads).unwrap();
            let ranked = make(Workers::of_threads(workers)).rank(&cut.shards[1], &limits, &Silent);
            let ranked = ranked.unwrap();
            let columns = ranked.columns().iter();
            let bits = columns.map(|(_, column)| bits(column.as_slice()));
            bits.collect::<Vec<_>>()
        };
        let one = run(1, 1);
        assert!(run(4, 3) == one && run(2, 4) == one && run(1, 3) == one);
    }
    check(&cut, |team| Hits {
        team,
        ..Hits::default()
    });
    check(&cut, |team| Salsa { team });
    check(&cut, |team| Eigenvector {
        team,
        ..Eigenvector::default()
    });
    check(&cut, |team| Katz {
        alpha: Attenuation::new(0.1).unwrap(),
        direction: Direction::Out,
        team,
        ..Katz::default()
    });
}

/// A chain of authorities and hubs that goes back and forth through all parts.
#[test]
fn components_reach_through_all_parts() {
    let n = 60u32;
    let chain = (0..n / 2 - 1).flat_map(|k| {
        // Hub 7 k, modulo n / 2, and the authorities before and after it.
        let (hub, place) = (7 * k % (n / 2), |k: u32| n / 2 + 11 * k % (n / 2));
        [(hub, place(k)), (hub, place(k + 1))]
    });
    let cut = Cut::new(&Arcs(n as usize, chain.collect()), 7);
    let found = cut
        .ranked(|team| Salsa { team }, &Limits::default())
        .unwrap();
    let whole = Salsa::default().run(&cut.whole).unwrap();
    assert_eq!(bits(found.values()), bits(whole.values()));
}

#[test]
fn graphs_without_nodes_or_arcs_have_scores() {
    for (n, arcs) in [
        (0, vec![]),
        (1, vec![]),
        (3, vec![]),
        (1, vec![(0, 0)]),
        (2, vec![(0, 1)]),
    ] {
        let cut = Cut::new(&Arcs(n, arcs), 3);
        let limits = Limits::default();
        let hits = cut
            .ranked(
                |team| Hits {
                    team,
                    ..Hits::default()
                },
                &limits,
            )
            .unwrap();
        let whole = Hits::default().run(&cut.whole).unwrap();
        for ((_, column), (_, other)) in hits.columns().iter().zip(whole.columns()) {
            check_eigen(column, other);
        }
        cut.ranked(|team| Salsa { team }, &limits).unwrap();
        let alpha = Attenuation::new(0.3).unwrap();
        let katz = |team| Katz {
            alpha,
            team,
            ..Katz::default()
        };
        let found = cut.ranked(katz, &limits).unwrap();
        let whole = katz(Workers::default()).run(&cut.whole).unwrap();
        assert!(l1(found.values(), whole.values()) < 1e-9);
        let eigenvector = |team| Eigenvector {
            team,
            ..Eigenvector::default()
        };
        if let Err(problem) = cut.ranked(eigenvector, &sweeps(50)) {
            assert!(matches!(problem, Error::Undefined { .. }), "{problem}");
        }
    }
}

#[test]
fn what_needs_the_whole_graph_is_refused() {
    let cut = Cut::new(&Arcs(3, vec![(0, 1), (1, 2), (2, 0)]), 2);
    fn refused<M: Distributed>(measure: M, graph: &Graph) -> (&'static str, String) {
        match measure.run(graph) {
            Err(Error::Argument { name, remedy, .. }) => (name, remedy),
            other => panic!("{:?}", other.map(drop)),
        }
    }
    let graph = &cut.shards[1];
    let form = Hits {
        form: RowStorage::Compact,
        ..Hits::default()
    };
    let method = Katz {
        method: webrank_walks::katz::KatzMethod::GaussSeidel,
        ..Katz::default()
    };
    for (name, remedy) in [refused(form, graph), refused(method, graph)] {
        assert!(["form", "method"].contains(&name));
        assert!(remedy.contains("name the graph that was cut"), "{remedy}");
    }
    // A series that diverges.
    let alpha = Attenuation::new(3.0).unwrap();
    let (name, remedy) = refused(
        Katz {
            alpha,
            ..Katz::default()
        },
        graph,
    );
    assert!(
        name == "alpha" && remedy.contains("below 1/rho"),
        "{remedy}"
    );
    // Workers without parts, and without shards.
    let three = || Workers::of_threads(3);
    assert_eq!(refused(Salsa { team: three() }, graph).0, "workers");
    let (name, remedy) = refused(Salsa { team: three() }, &cut.whole);
    assert!(
        name == "workers" && remedy.contains("rank shard"),
        "{remedy}"
    );
}
