//! Measures that multiply by rows have the same bits in all forms of the rows, and say the form.

use proptest::prelude::*;
use std::path::{Path, PathBuf};
use webrank::{
    Described, Direction, Eigenvector, Graph, Hits, Katz, KendallWei, LeaderRank, Limits, Measure,
    Result, RowStorage, Salsa, Seeley, Silent,
};
use webrank_graph::Csr;
use webrank_graph::bundle::{BundleOptions, write_bundle};
use webrank_scores::ranked::Ranked;
use webrank_testing::graphs::*;

/// Makes a measure whose rows have a form.
type Make<'a, M> = &'a dyn Fn(RowStorage, Option<PathBuf>) -> M;

fn hits(form: RowStorage, temp: Option<PathBuf>) -> Hits {
    Hits {
        form,
        temp,
        ..Hits::default()
    }
}

fn leaderrank(form: RowStorage, temp: Option<PathBuf>) -> LeaderRank {
    let direction = Direction::Out;
    LeaderRank {
        direction,
        form,
        temp,
    }
}

fn katz(form: RowStorage, temp: Option<PathBuf>) -> Katz {
    Katz {
        form,
        temp,
        ..Katz::default()
    }
}

fn katz_out(form: RowStorage, temp: Option<PathBuf>) -> Katz {
    Katz {
        direction: Direction::Out,
        ..katz(form, temp)
    }
}

fn eigenvector(form: RowStorage, temp: Option<PathBuf>) -> Eigenvector {
    Eigenvector {
        form,
        temp,
        ..Eigenvector::default()
    }
}

fn seeley(form: RowStorage, temp: Option<PathBuf>) -> Seeley {
    Seeley {
        form,
        temp,
        ..Seeley::default()
    }
}

fn kendall_wei(form: RowStorage, temp: Option<PathBuf>) -> KendallWei {
    KendallWei {
        form,
        temp,
        ..KendallWei::default()
    }
}

/// The graph in a folder; without its transpose if it is `compact`.
fn on_disk(graph: &Arcs, folder: &Path, compact: bool) -> PathBuf {
    let path = folder.join(format!("{compact}.bv"));
    let successors = Csr::from_arcs(graph.0, graph.1.iter().copied()).unwrap();
    let options = BundleOptions {
        compact,
        ..BundleOptions::default()
    };
    write_bundle(&successors, None, &path, options).unwrap();
    path
}

fn ranked<M: Measure>(graph: &Graph, make: Make<M>, form: RowStorage) -> Result<Ranked> {
    let temp = tempfile::tempdir().unwrap();
    let measure = make(form, Some(temp.path().to_owned()));
    let found = measure.compute(graph, &Limits::default(), &Silent);
    assert_eq!(temp.path().read_dir().unwrap().count(), 0, "a file is left");
    found
}

/// The bits of all scores, and the order.
fn said(ranked: &Ranked) -> String {
    let bits = |scores: &[f64]| scores.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    let columns = ranked.columns().iter();
    let columns: Vec<_> = columns
        .map(|(header, scores)| (header, bits(scores.values.as_slice().unwrap())))
        .collect();
    format!("{columns:?} {:?}", ranked.ranking().order())
}

/// Checks that all forms say the same of a graph.
fn check<M: Measure + Described>(graph: &Arcs, make: Make<M>) {
    let folder = tempfile::tempdir().unwrap();
    let paths = [false, true].map(|compact| on_disk(graph, folder.path(), compact));
    let [graph, forward] = paths.map(|path| Graph::open(path).unwrap());
    let of_result = |found: &Result<Ranked>| match found {
        Ok(found) => said(found),
        Err(problem) => problem.to_string(),
    };
    let expected = of_result(&ranked(&graph, make, RowStorage::Runs));
    for (form, name) in [
        (RowStorage::Auto, "runs"),
        (RowStorage::Compact, "compact"),
        (RowStorage::Disk, "disk"),
    ] {
        for graph in [&graph, &forward] {
            let found = ranked(graph, make, form);
            assert_eq!(of_result(&found), expected, "{} {form:?}", M::ABOUT.name);
            // Without rows, nothing is written.
            let is_swept = found.is_ok_and(|found| found.form().unwrap()["name"] == name);
            assert!(
                is_swept || graph.num_arcs() == 0 || !expected.starts_with('['),
                "{form:?}"
            );
        }
    }
}

/// [`check`] for all measures.
fn check_all(graph: &Arcs) {
    check(graph, &hits);
    check(graph, &leaderrank);
    check(graph, &katz);
    check(graph, &katz_out);
    check(graph, &eigenvector);
    check(graph, &seeley);
    let players = graph.1.iter().copied().filter(|(u, v)| u != v).collect();
    check(&Arcs(graph.0, players), &kendall_wei);
    check(graph, &kendall_wei);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn all_forms_have_the_same_bits(graph in graphs()) {
        check_all(&graph);
    }
}

#[test]
fn rows_of_many_blocks_have_the_same_bits() {
    let graph = large_graph();
    check(&graph, &hits);
    check(&graph, &katz);
    check(&graph, &eigenvector);
}

#[test]
fn components_that_are_copied_and_those_that_are_not_have_the_same_bits() {
    // Two dense components, of which one dominates, and cycles.
    let dense = |first: u32, n: u32| {
        let nodes = move || first..first + n;
        nodes().flat_map(move |x| {
            nodes()
                .filter(move |y| (x * y + x) % 5 > 1)
                .map(move |y| (x, y))
        })
    };
    let cycles = (100..400).map(|x| (x, if x % 3 == 0 { x - 2 } else { x + 1 }));
    let between = (0..400).step_by(7).map(|x| (x % 90, x));
    let arcs = dense(0, 40)
        .chain(dense(45, 50))
        .chain(cycles)
        .chain(between);
    let graph = Arcs(400, arcs.filter(|&(x, y)| x < 45 || y >= 45).collect());
    check(&graph, &eigenvector);
    check(&graph, &katz);
    check(&graph, &seeley);
}

#[test]
fn a_pass_over_the_file_has_the_bits_of_rows_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let arcs = large_graph();
    let in_memory = Graph::from_arcs(arcs.0, arcs.1.iter().copied()).unwrap();
    let on_disk = Graph::open(on_disk(&arcs, folder.path(), true)).unwrap();
    let run = |graph: &Graph| Salsa::default().run(graph).unwrap();
    assert_eq!(said(&run(&on_disk)), said(&run(&in_memory)));
    assert_eq!(run(&on_disk).form().unwrap()["name"], "streamed");
}

/// Where rows in memory do not fit, compact ones take their place, and a note says why.
#[test]
fn the_first_form_that_fits_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let dense = (0..2500).flat_map(|x| (0..2500).map(move |y| (x, y)));
    let dense = Arcs(2500, dense.filter(|(x, y)| (x * y) % 7 < 4).collect());
    let graph = Graph::open(on_disk(&dense, folder.path(), false)).unwrap();
    // Packing takes memory for each thread.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.unwrap().install(|| {
        let runs = ranked(&graph, &hits, RowStorage::Runs).unwrap();
        check_taken(&graph, &Hits::default(), &runs);
        let runs = ranked(&graph, &katz, RowStorage::Runs).unwrap();
        check_taken(&graph, &Katz::default(), &runs);
    });
}

fn check_taken(graph: &Graph, measure: &impl Measure, runs: &Ranked) {
    let [first, second] = &measure.forms_of(graph)[..] else {
        panic!("there are two forms");
    };
    assert!(second.bytes < first.bytes && second.takes_more);
    let limits = Limits::default().memory(first.bytes - 1);
    let found = measure.rank(graph, &limits, &Silent).unwrap();
    assert_eq!(said(&found), said(runs));
    assert_eq!(found.form().unwrap()["name"], "compact");
    let noted = found
        .notes()
        .iter()
        .any(|note| note.contains("compact form"));
    assert!(noted, "{:?}", found.notes());
    let limits = Limits::default().memory(second.bytes - 1);
    assert!(measure.rank(graph, &limits, &Silent).is_err());
}

#[test]
fn what_compact_rows_cannot_do_is_refused() {
    let refusal = |graph: &Graph| {
        let refused = ranked(graph, &hits, RowStorage::Compact);
        refused.err().unwrap().to_string()
    };
    let alone = Graph::from_arcs(2, [(0, 1)]).unwrap();
    assert!(refusal(&alone).contains("only a graph on disk"));
    let folder = tempfile::tempdir().unwrap();
    let weights = folder.path().join("weights.txt");
    std::fs::write(&weights, "2\n").unwrap();
    let graph = Graph::open(on_disk(&Arcs(2, vec![(0, 1)]), folder.path(), false)).unwrap();
    let said = refusal(&graph.with_weights(&weights));
    assert!(
        said.contains("weights") && said.contains("in memory"),
        "{said}"
    );
}

#[test]
fn a_transpose_of_another_graph_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let [one, two] = ["one", "two"].map(|name| folder.join(name));
    let graphs = [
        cycle(5),
        Arcs(5, vec![(0, 1), (1, 2), (2, 3), (3, 4), (4, 1)]),
    ];
    for (path, graph) in [&one, &two].into_iter().zip(&graphs) {
        std::fs::create_dir(path).unwrap();
        on_disk(graph, path, false);
    }
    for (from, file, to) in [(&one, "graph", "g"), (&two, "transpose", "g-t")] {
        for extension in ["graph", "properties"] {
            let from = from.join("false.bv").join(file).with_extension(extension);
            std::fs::copy(from, folder.join(to).with_extension(extension)).unwrap();
        }
    }
    let graph = Graph::open(folder.join("g")).unwrap();
    let said = ranked(&graph, &hits, RowStorage::Compact)
        .err()
        .unwrap()
        .to_string();
    assert!(
        said.contains("g-t.graph: these are not the reversed arcs"),
        "{said}"
    );
}
