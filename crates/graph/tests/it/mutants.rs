//! 4,000 damaged graphs, opened, checked and ranked in this process: the right scores, or one clean
//! line. Byte flips, truncations and splices of bundles, plain graphs, and plain graphs with their
//! transposes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_graph::Graph;
use webrank_graph::bundle::{BundleOptions, write_bundle};
use webrank_graph::{Csr, StoredGraph};
use webrank_measure::Measure;
use webrank_testing::graphs::checked;
use webrank_testing::mutants::{Random, mutant};
use webrank_walks::degree::Indegree;

const MUTANTS: usize = 4_000;

fn graph() -> Csr {
    let n = 24u32;
    let arcs = (0..n).flat_map(|x| {
        let menu = if x % 5 == 4 {
            0..0
        } else {
            x / 6 * 6..x / 6 * 6 + 5
        };
        menu.chain((x % 3 != 0).then_some(x * 7 % n))
            .map(move |y| (x, y))
    });
    Csr::from_arcs(n as usize, arcs).unwrap()
}

/// The files on disk, and the path to open.
struct Subject {
    open: PathBuf,
    files: Vec<(PathBuf, Vec<u8>)>,
}

impl Subject {
    fn new(open: PathBuf, folder: &Path) -> Self {
        let entries = folder
            .read_dir()
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = entries
            .filter(|path| path.is_file() && path.extension().is_some_and(|e| e != "ef"))
            .map(|path| (path.clone(), std::fs::read(path).unwrap()))
            .collect();
        files.sort();
        Subject { open, files }
    }

    /// A bundle with names; a plain graph with offsets; one without; one with its transpose.
    fn all(folder: &Path) -> Vec<Self> {
        let names: Vec<Box<str>> = (0..24).map(|x| format!("page {x:02}").into()).collect();
        let bundle = folder.join("g.bv");
        write_bundle(&graph(), Some(&names), &bundle, BundleOptions::default()).unwrap();
        let plain = |name: &str, extensions: &[&str], transpose: bool| {
            let folder = folder.join(name);
            std::fs::create_dir(&folder).unwrap();
            for extension in extensions {
                let copy = |from: &str, to: &str| {
                    let from = bundle.join(from).with_extension(extension);
                    std::fs::copy(from, folder.join(to).with_extension(extension)).unwrap();
                };
                copy("graph", "x");
                if transpose {
                    copy("transpose", "x-t");
                }
            }
            Subject::new(folder.join("x"), &folder)
        };
        vec![
            plain("a", &["graph", "properties", "offsets"], false),
            plain("b", &["graph", "properties"], false),
            plain("c", &["graph", "properties"], true),
            Subject::new(bundle.clone(), &bundle),
        ]
    }
}

/// The arcs of a graph that passes the check, and the result of a measure.
fn outcome(path: &Path) -> webrank_base::error::Result<(Csr, Csr, Vec<f64>)> {
    let source = StoredGraph::open(path)?;
    checked(&source)?;
    let (successors, predecessors) = source.both(&Silent)?;
    let ranked = Indegree::default().run(&Graph::open(path)?)?;
    Ok((successors, predecessors, ranked.values().to_vec()))
}

/// How many mutants were accepted and refused.
fn try_mutants(seed: u64, count: usize) -> [usize; 2] {
    let folder = tempfile::tempdir().unwrap();
    let subjects = Subject::all(folder.path());
    let whole = outcome(&subjects[0].open).unwrap();
    let mut random = Random(seed);
    let (mut accepted, mut refused) = (0, 0);
    for number in 0..count {
        // Bundles refuse all but one in thousands, so fewer of them do.
        let subject = &subjects[[0, 1, 2, 2, 0, 1, 2, 3][number % 8]];
        let (file, bytes) = &subject.files[random.below(subject.files.len())];
        let damaged = mutant(bytes, &mut random);
        std::fs::write(file, &damaged).unwrap();
        let case = || format!("mutant {number} of {seed}, {}: {damaged:?}", file.display());
        let result = catch_unwind(AssertUnwindSafe(|| outcome(&subject.open)));
        match result.unwrap_or_else(|_| panic!("panic: {}", case())) {
            Err(problem) => {
                refused += 1;
                let message = problem.to_string();
                assert_eq!(message.lines().count(), 1, "{}: {message}", case());
                assert!(message.len() < 1000, "{}: {message}", case());
            }
            Ok(outcome) => {
                accepted += 1;
                let (successors, predecessors, scores) = &outcome;
                assert_eq!(*predecessors, successors.transpose().unwrap(), "{}", case());
                let n = successors.num_nodes();
                let degrees = (0..n).map(|x| predecessors.degree(x as Node) as f64);
                assert!(degrees.eq(scores.iter().copied()), "{}", case());
                // A file with a checksum, or with its transpose beside it, is as it was.
                if subject.files.len() > 3 && file.extension().is_some_and(|e| e == "graph") {
                    assert!(outcome == whole, "{}", case());
                }
            }
        }
        std::fs::write(file, bytes).unwrap();
    }
    for subject in &subjects {
        assert!(outcome(&subject.open).unwrap() == whole);
    }
    [accepted, refused]
}

#[test]
fn damaged_graphs_are_right_or_refused_in_one_line() {
    const PARTS: usize = 4;
    // Graphs this small are read faster without the pool's other threads.
    let part = |seed| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1);
        let pool = pool.build().unwrap();
        pool.install(|| try_mutants(seed, MUTANTS / PARTS))
    };
    let [accepted, refused] = std::thread::scope(|scope| {
        let parts = (0..PARTS as u64).map(|seed| scope.spawn(move || part(seed)));
        let parts: Vec<_> = parts.collect();
        parts.into_iter().fold([0, 0], |sum, part| {
            let [accepted, refused] = part.join().unwrap();
            [sum[0] + accepted, sum[1] + refused]
        })
    });
    assert_eq!(accepted + refused, MUTANTS);
    assert!(accepted > MUTANTS / 50, "{accepted} accepted");
    assert!(refused > MUTANTS / 2, "{refused} refused");
}
