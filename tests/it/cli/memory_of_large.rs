//! Larger graphs take no more than their plans say: there, what the process takes hides little of what a
//! node does.

use super::memory::{Case, held_and_needed, mixed};
use std::fmt::Write;
use tempfile::TempDir;

const N: u32 = 320_000;

#[test]
fn large_graphs_take_no_more_than_planned() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    // Multiples alone have the structure of a lattice, on which eigenvectors converge slowly.
    let mixed = |x: u32| mixed(mixed(x) ^ (x << 7)) ^ (mixed(x) >> 11);
    let random = (0..4 * N).map(|x| (mixed(x) % N, mixed(x + 9_000_000) % N));
    let star = (1..N).flat_map(|x| [(0, x), (x, 0)]);
    // A walk stays in a large component.
    let ring = (0..N).flat_map(|x| [(x, (x + 1) % N), (x, mixed(x) % N)]);
    let ring = ring.filter(|(from, to)| from != to);
    let random = Case::new(folder, "random", N, false, random);
    let star = Case::new(folder, "star", N, false, star);
    let ring = Case::new(folder, "ring", N, false, ring);

    let sampled = "harmonic --method sample --sources 512";
    // A few sweeps hold as much as many.
    let of_matrices = [
        "eigenvector --tolerance 1e-3",
        "eigenvector --tolerance 1e-3 --form disk --temp TEMP",
        "katz --tolerance 1e-3",
        "seeley --tolerance 1e-3",
        "seeley --tolerance 1e-3 --form disk --temp TEMP",
    ];
    let others = [
        "pagerank --form runs",
        "pagerank --form disk --temp TEMP",
        "hits --tolerance 1e-3",
        "salsa",
        "salsa --weights WEIGHTS",
        "codes",
        "recode --force -o BUNDLE",
        "recode --order degree --force -o BUNDLE",
        sampled,
    ];
    // Long rows are in several lists where they are decoded.
    let decoded = [
        "indegree",
        "outdegree",
        "info",
        "check",
        "components",
        "export --to npz",
    ];
    let of_random = [&of_matrices[..], &others, &decoded].concat();
    // The eigenvectors of a star oscillate.
    let of_star = [&[sampled], &decoded[..]].concat();
    let of_ring = [
        &of_matrices[..],
        &["seeley --tolerance 1e-3 --weights WEIGHTS"],
    ]
    .concat();
    let mut wrong = String::new();
    for (case, commands) in [(random, of_random), (star, of_star), (ring, of_ring)] {
        for command in commands {
            let output = case.run(folder, command, &[]);
            let said = String::from_utf8(output.stderr).unwrap();
            let (held, needed) = held_and_needed(&said);
            if held > needed {
                let graph = case.graph.file_name().unwrap().to_string_lossy();
                writeln!(wrong, "{command} on {graph}: {held} > {needed}").unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
