//! Plans of two sizes of a graph differ by no less than what is held.

use super::memory::{Case, held_and_needed, mixed};
use std::fmt::Write;
use tempfile::TempDir;

/// What a graph four times as large holds more is in its plan. The process, which hides a part of what a
/// node takes, counts in neither.
#[test]
fn plans_grow_as_what_is_held() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let sizes = [40_000, 160_000];
    // Multiples alone have the structure of a lattice, on which eigenvectors converge slowly.
    let mixed = |x: u32| mixed(mixed(x) ^ (x << 7)) ^ (mixed(x) >> 11);
    let random = |n: u32| (0..4 * n).map(move |x| (mixed(x) % n, mixed(x + 9_000_000) % n));
    let star = |n: u32| (1..n).flat_map(|x| [(0, x), (x, 0)]);
    let named = |name: &str, n: u32| format!("{name}{n}");
    let random = sizes.map(|n| Case::new(folder, &named("random", n), n, false, random(n)));
    let star = sizes.map(|n| Case::new(folder, &named("star", n), n, false, star(n)));
    let sampled = "harmonic --method sample --epsilon 0.05";
    let forms = ["pagerank --form runs", "pagerank --form disk --temp TEMP"];
    // The eigenvectors of a star oscillate.
    let of_matrices = [
        "eigenvector",
        "eigenvector --form disk --temp TEMP",
        "katz",
        "seeley",
        "seeley --form disk --temp TEMP",
    ];
    let counted = [
        "hits",
        "salsa",
        "salsa --weights WEIGHTS",
        "codes",
        "recode --force -o BUNDLE",
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
    let all = [&forms[..], &of_matrices, &[sampled], &counted, &decoded].concat();
    let of_star = [&[sampled], &decoded[..]].concat();
    let mut wrong = String::new();
    for (cases, commands) in [(random, all), (star, of_star)] {
        for command in commands {
            let [small, large] = cases.each_ref().map(|case| {
                let output = case.run(folder, command, &[]);
                held_and_needed(&String::from_utf8(output.stderr).unwrap())
            });
            let (held, needed) = (large.0.saturating_sub(small.0), large.1 - small.1);
            if held > needed {
                let graph = cases[1].graph.file_name().unwrap().to_string_lossy();
                writeln!(wrong, "{command} on {graph}: {held} > {needed}").unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
