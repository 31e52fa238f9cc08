//! Runs that are stopped at any of their safe points go on from their checkpoint, and end with the
//! bits of a run that was never stopped.

use super::interruption::graph;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;
use webrank::{
    Columns, Damping, Dangling, Direction, Distribution, Error, Graph, Harmonic, Limits, Measure,
    Method, PageRank, Progress, Result, Silent, StorageChoice,
};
use webrank_base::checkpoint::Checkpoint;
use webrank_distances::betweenness::{Betweenness, BetweennessMethod};
use webrank_distances::geometric::sampled::{Precision, SampleSize};
use webrank_distances::geometric::{DistanceMethod, Geometric};
use webrank_distances::traversal::hyperball::{BallRows, Counters, HyperBall, Slicing};
use webrank_graph::bundle::{BundleOptions, write_bundle};
use webrank_scores::ranked::Ranked;
use webrank_testing::graphs::linked_paths;

/// Longer than any test: states are written only when a run is asked to stop.
pub const NEVER: Duration = Duration::from_secs(1 << 20);

pub struct Kept(pub Checkpoint);

impl Progress for Kept {
    fn checkpoint(&self) -> Option<&Checkpoint> {
        Some(&self.0)
    }
}

/// A run that stops at the safe point with this number.
pub fn run<M: Measure>(
    (measure, graph, limits): (&M, &Graph, &Limits),
    path: &Path,
    point: u64,
) -> Result<Ranked> {
    let checkpoint = webrank_measure::checkpoint(measure, graph, limits, path, NEVER)?;
    let kept = Kept(checkpoint.stopping_at(point));
    let threads = 1 + point as usize % 3;
    let ranked = measure.rank(graph, &limits.threads(threads)?, &kept)?;
    kept.0.remove()?;
    Ok(ranked)
}

/// All that a ranking says of its nodes.
pub fn said(ranked: &Ranked) -> String {
    let columns = ranked.columns().iter().map(|(header, scores)| {
        let bits: Vec<u64> = scores.as_slice().iter().map(|it| it.to_bits()).collect();
        (header, bits, &scores.run)
    });
    let proved = ranked.certainty().map(|certainty| certainty.certain());
    let columns: Vec<_> = columns.collect();
    format!("{columns:?} {:?} {proved:?}", ranked.ranking().order())
}

/// Stops a run at each of its safe points, each time in a run of its own, and then at one after the
/// other; returns how many there are.
pub fn check<M: Measure>(measure: &M, graph: &Graph, limits: &Limits) -> u64 {
    let work = (measure, graph, limits);
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("state");
    let whole = said(&measure.compute(graph, limits, &Silent).unwrap());
    let is_whole = |found: Ranked| assert!(said(&found) == whole, "other bits");
    let mut points = 0;
    loop {
        match run(work, &path, points + 1) {
            Err(Error::Stopped { path: file }) => assert_eq!(file, path),
            ended => break is_whole(ended.unwrap()),
        }
        points += 1;
        is_whole(run(work, &path, u64::MAX).unwrap());
        assert!(!path.exists(), "what is done needs no checkpoint");
    }
    let mut stops = 0;
    loop {
        // The first safe point may be the one at which the last run was stopped.
        match run(work, &path, 2) {
            Err(Error::Stopped { .. }) => stops += 1,
            ended => break is_whole(ended.unwrap()),
        }
        assert!(stops <= points);
    }
    assert!(stops > 0);
    points
}

/// The graph in a bundle.
fn on_disk(graph: &Graph, folder: &Path) -> Graph {
    let path = folder.join("graph.bv");
    let rows = graph.successors(&Silent).unwrap();
    write_bundle(&rows, None, &path, BundleOptions::default()).unwrap();
    Graph::open(&path).unwrap()
}

pub fn limits() -> Limits {
    Limits::default().tolerance(1e-12).unwrap()
}

fn of_form(form: StorageChoice, folder: &TempDir) -> PageRank {
    PageRank {
        temp: Some(folder.path().to_owned()),
        ..PageRank::default().form(form)
    }
}

#[test]
fn pagerank_goes_on_from_every_sweep() {
    let folder = TempDir::new().unwrap();
    let graph = on_disk(&graph(800), folder.path());
    let (disk, external) = (StorageChoice::Disk, StorageChoice::External);
    for form in [StorageChoice::Runs, disk, StorageChoice::Streamed, external] {
        let points = check(&of_form(form, &folder), &graph, &limits());
        assert!(points > 20, "{form:?}: {points}");
    }
}

#[test]
fn pagerank_with_other_parameters_goes_on_from_every_sweep() {
    let n = 600;
    let graph = graph(n);
    let weights = |factor: u32| {
        let weights = (0..n).map(|node| f64::from(node * factor % 7)).collect();
        Distribution::from_weights(weights).unwrap()
    };
    for alpha in [0.5, 0.99, 0.99999] {
        // Single precision does not suffice for the last.
        let limits = limits().tolerance(1e-8).unwrap();
        let limits = limits.max_iterations(150).unwrap();
        let measure = PageRank {
            preference: weights(3),
            dangling: Dangling::Vector(weights(5)),
            ..PageRank::default().alpha(alpha).unwrap()
        };
        check(&measure, &graph, &limits);
    }
    let paths = linked_paths(30);
    let paths = Graph::from_arcs(paths.0, paths.1).unwrap();
    let measure = PageRank::default().dangling(Dangling::None);
    check(&measure.start(vec![1.0; 60]).unwrap(), &paths, &limits());
}

#[test]
fn pagerank_with_weights_goes_on_from_every_sweep() {
    let graph = graph(600);
    let weights = (0..graph.num_arcs()).map(|arc| 1.0 + (arc % 9) as f64);
    let graph = graph.with_arc_weights(weights.collect()).unwrap();
    let points = check(&PageRank::default(), &graph, &limits());
    assert!(points > 20, "{points}");
    // Extrapolation close to alpha 1 uses another norm.
    let close = PageRank::default().alpha(0.995).unwrap();
    check(&close, &graph, &limits().tolerance(1e-6).unwrap());
}

#[test]
fn pagerank_of_several_columns_goes_on_from_every_sweep() {
    let graph = graph(300);
    let limits = limits().tolerance(1e-6).unwrap();
    let alphas = [0.8, 0.3].map(|alpha| Damping::new(alpha).unwrap());
    // One more than are solved for at a time.
    let seeds = || Columns::Seeds((0..17).map(|seed| seed * 7).collect());
    for (columns, dangling) in [
        (Columns::Derivative, Dangling::Preference),
        (Columns::Alphas(alphas.to_vec()), Dangling::None),
        (seeds(), Dangling::Preference),
        (seeds(), Dangling::Uniform),
    ] {
        let measure = PageRank::default().columns(columns).dangling(dangling);
        assert!(check(&measure, &graph, &limits) > 20);
    }
}

/// Columns that did not converge are computed again; what converged stays.
#[test]
fn a_run_that_did_not_converge_goes_on_with_more_iterations() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("state");
    let graph = graph(300);
    let few = limits().max_iterations(40).unwrap();
    let of = |alphas: [f64; 2]| Columns::alphas(&alphas).unwrap();
    let mut stages_left = Vec::new();
    for columns in [
        Columns::Score,
        of([0.1, 0.95]),
        of([0.95, 0.1]),
        Columns::Derivative,
        Columns::Seeds((0..17).collect()),
    ] {
        let measure = PageRank::default().alpha(0.95).unwrap();
        let measure = measure.method(Method::Power).columns(columns);
        let whole = said(&measure.compute(&graph, &limits(), &Silent).unwrap());
        // Before its last sweep, a run saves its state without being asked.
        let kept = webrank_measure::checkpoint(&measure, &graph, &few, &path, NEVER).unwrap();
        let ended = measure.rank(&graph, &few, &Kept(kept)).unwrap();
        assert!(ended.converged().is_err());
        let kept = webrank_measure::checkpoint(&measure, &graph, &limits(), &path, NEVER).unwrap();
        stages_left.push(kept.is_found());
        drop(kept);
        let found = run((&measure, &graph, &limits()), &path, u64::MAX).unwrap();
        assert!(said(&found) == whole, "other bits");
    }
    assert!(stages_left[0] && stages_left.contains(&false));
}

#[test]
fn what_was_swept_in_memory_goes_on_on_disk() {
    let folder = TempDir::new().unwrap();
    let graph = on_disk(&graph(3_000), folder.path());
    let path = folder.path().join("state");
    let forms = [
        StorageChoice::Runs,
        StorageChoice::Compact,
        StorageChoice::Disk,
    ];
    let [runs, compact, disk] = forms.map(|form| of_form(form, &folder));
    let whole = said(&runs.compute(&graph, &limits(), &Silent).unwrap());
    let of = |measure, point| run((measure, &graph, &limits()), &path, point);
    for (measure, point) in [(&runs, 10), (&disk, 9), (&compact, 8)] {
        assert!(matches!(of(measure, point), Err(Error::Stopped { .. })));
    }
    assert!(said(&of(&disk, u64::MAX).unwrap()) == whole);
    // Old iterates in files go on in memory, and the other way.
    let least = limits().memory(disk.needs(&graph));
    let of_least = |point| run((&disk, &graph, &least), &path, point);
    for point in [9, 10] {
        assert!(matches!(of_least(point), Err(Error::Stopped { .. })));
        assert!(matches!(of(&runs, point), Err(Error::Stopped { .. })));
    }
    assert!(said(&of_least(u64::MAX).unwrap()) == whole);
    // Streamed sweeps are others.
    of(&runs, 5).err().unwrap();
    let [streamed, external] =
        [StorageChoice::Streamed, StorageChoice::External].map(|form| of_form(form, &folder));
    let problem = of(&streamed, u64::MAX).err().unwrap().to_string();
    assert!(
        problem.contains("holds the state of sweeps over rows"),
        "{problem}"
    );
    std::fs::remove_file(&path).unwrap();
    of(&streamed, 5).err().unwrap();
    of(&external, 9).err().unwrap();
    let whole = streamed.compute(&graph, &limits(), &Silent).unwrap();
    assert!(of(&streamed, u64::MAX).unwrap().values() == whole.values());
}

#[test]
fn exact_distances_go_on_from_every_batch() {
    let graph = graph(3_000);
    let exact = |measures: Geometric| measures.method(DistanceMethod::Exact);
    let all = [
        "harmonic",
        "closeness",
        "lin",
        "reachable",
        "eccentricity",
        "decay",
    ];
    let all = exact(Geometric::named(&all).unwrap()).direction(Direction::Out);
    for measure in [exact(Geometric::of(Harmonic::default())), all] {
        assert!(check(&measure, &graph, &Limits::default()) > 3);
    }
    // The best alone are found in another way, without a checkpoint.
    let best = exact(Geometric::of(Harmonic::default())).top(10);
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("state");
    let limits = Limits::default();
    run((&best, &graph, &limits), &path, 3).err().unwrap();
    let found = run((&best, &graph, &limits), &path, u64::MAX).unwrap();
    let whole = best.compute(&graph, &limits, &Silent).unwrap();
    let first = |ranked: &Ranked| {
        let nodes = ranked.ranking().order()[..10].iter();
        let row = |&node: &u32| (node, ranked.values()[node as usize].to_bits());
        nodes.map(row).collect::<Vec<_>>()
    };
    assert_eq!(first(&found), first(&whole));
}

#[test]
fn sampled_distances_go_on_from_every_point() {
    let measures = Geometric::named(&["harmonic", "reachable", "lin"]).unwrap();
    // Fewer than exact searches, and so few that all nodes of this graph are of small reach.
    for sources in [1600, 20] {
        let size = SampleSize::sources(sources, 0.1).unwrap();
        let measures = measures.clone().method(DistanceMethod::Sample).size(size);
        assert!(check(&measures, &graph(4_200), &Limits::default()) > 1);
    }
}

/// A choice that was made once is not made again, whatever the limits are by then.
#[test]
fn what_goes_on_does_not_choose_again() {
    let graph = graph(1_200);
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("state");
    let limits = [Limits::default(), Limits::default().time(Duration::ZERO)];
    let distances = Geometric::of(Harmonic::default());
    let betweenness = Betweenness {
        method: BetweennessMethod::Auto,
        precision: Precision::new(0.003, 0.1).unwrap(),
        ..Betweenness::default()
    };
    fn both<M: Measure>(measure: &M, graph: &Graph, limits: [Limits; 2], path: &Path) {
        let [first, second] = limits;
        let whole = said(&measure.compute(graph, &first, &Silent).unwrap());
        assert!(whole != said(&measure.compute(graph, &second, &Silent).unwrap()));
        let stopped = run((measure, graph, &first), path, 2);
        assert!(matches!(stopped, Err(Error::Stopped { .. })));
        let found = run((measure, graph, &second), path, u64::MAX).unwrap();
        assert!(said(&found) == whole);
    }
    for limits in [limits, [limits[1], limits[0]]] {
        both(&distances, &graph, limits, &path);
        both(&betweenness, &graph, limits, &path);
    }
}

#[test]
fn hyperball_goes_on_from_every_step() {
    let counters = Counters::new(6, 7).unwrap();
    let measures = Geometric::named(&["harmonic", "lin", "decay"]).unwrap();
    let measures = measures
        .method(DistanceMethod::Hyperball)
        .counters(counters);
    assert!(check(&measures, &graph(700), &Limits::default()) > 4);
}

#[test]
fn hyperball_by_slices_goes_on_from_every_slice() {
    check_slices(6, 4, false);
    check_slices(8, 6, true);
}

/// Four slices of 2^`log2_width` registers.
fn check_slices(log2m: u32, log2_width: u32, is_by_lines: bool) {
    let graph = graph(300);
    let (rows, folder) = (graph.successors(&Silent).unwrap(), TempDir::new().unwrap());
    let reverse = graph.predecessors(&Silent).unwrap();
    let counters = Counters::new(log2m, 7).unwrap();
    let measure = Geometric::of(Harmonic::default()).method(DistanceMethod::Hyperball);
    let measure = measure.counters(counters);
    let path = folder.path().join("state");
    let temp = folder.path().join("temp");
    std::fs::create_dir(&temp).unwrap();
    let run = |log2_width, point| {
        let limits = Limits::default();
        let checkpoint = webrank_measure::checkpoint(&measure, &graph, &limits, &path, NEVER)?;
        let kept = Kept(checkpoint.stopping_at(point));
        let slicing = Slicing::of(counters, log2_width, temp.clone()).unwrap();
        let hyperball = HyperBall {
            rows: BallRows::Lists {
                rows: &rows,
                reverse: is_by_lines.then_some(&reverse),
            },
            counters,
            slicing: match is_by_lines {
                true => slicing.by_lines(),
                false => slicing,
            },
            functions: &[],
            progress: &kept,
        };
        let balls = hyperball.run()?;
        kept.0.remove()?;
        Ok(balls)
    };
    let whole = run(log2m, u64::MAX).unwrap();
    for point in 1.. {
        match run(log2_width, point) {
            Err(Error::Stopped { .. }) => {}
            ended => {
                assert_eq!(ended.unwrap(), whole);
                assert!(point > 12, "four slices of some steps: {point}");
                break;
            }
        }
        assert_eq!(temp.read_dir().unwrap().count(), 0);
        if point % 5 == 0 {
            let problem = run(log2_width + 1, u64::MAX).err().unwrap().to_string();
            let slices = format!("by slices of {} registers", 1 << log2_width);
            assert!(problem.contains(&slices), "{problem}");
        }
        assert_eq!(run(log2_width, u64::MAX).unwrap(), whole);
    }
}

#[test]
fn betweenness_goes_on_from_every_part() {
    let graph = graph(700);
    for endpoints in [false, true] {
        let exact = Betweenness {
            endpoints,
            ..Betweenness::default()
        };
        assert!(check(&exact, &graph, &Limits::default()) > 5);
        for sources in [None, Some((0..700).step_by(2).collect())] {
            let sampled = Betweenness {
                method: BetweennessMethod::Sources,
                samples: NonZeroUsize::new(300).unwrap(),
                sources,
                ..exact.clone()
            };
            assert!(check(&sampled, &graph, &Limits::default()) > 2);
        }
    }
}

#[test]
fn sampled_paths_go_on_from_every_wave() {
    let measure = Betweenness {
        method: BetweennessMethod::Approx,
        precision: Precision::new(0.01, 0.1).unwrap(),
        ..Betweenness::default()
    };
    let graph = graph(400);
    for top in [None, Some(5)] {
        let measure = Betweenness {
            top,
            ..measure.clone()
        };
        check(&measure, &graph, &Limits::default());
    }
}
