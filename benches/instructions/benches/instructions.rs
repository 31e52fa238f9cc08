//! Counts the instructions of `rank` on one graph, on one thread, where they are the same in every
//! run (to one in a thousand: addresses differ).

use gungraun::{Command, binary_benchmark, binary_benchmark_group, main};

/// The program to measure: `$RANK`, by default the release build of this checkout.
fn rank() -> String {
    let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/release/rank");
    option_env!("RANK").unwrap_or(default).to_owned()
}

#[binary_benchmark]
#[bench::pagerank("pagerank")]
#[bench::pagerank_gauss_seidel("pagerank --method gauss-seidel")]
#[bench::pagerank_components("pagerank --method components")]
#[bench::pagerank_streamed("pagerank --form streamed")]
#[bench::trustrank("trustrank --select 5")]
#[bench::katz("katz --alpha 0.001")]
#[bench::eigenvector("eigenvector")]
#[bench::hits("hits")]
#[bench::salsa("salsa")]
#[bench::seeley("seeley --tolerance 1e-6")]
#[bench::leaderrank("leaderrank")]
#[bench::indegree("indegree")]
#[bench::harmonic("harmonic")]
#[bench::harmonic_top("harmonic --top 10")]
#[bench::closeness_hyperball("closeness --method hyperball --log2m 5")]
#[bench::betweenness_approx("betweenness --method approx --epsilon 0.05")]
fn rust_doc(arguments: &str) -> Command {
    let mut words = arguments.split(' ');
    let graph = concat!(env!("CARGO_MANIFEST_DIR"), "/../../graphs/rust-doc.bv");
    Command::new(rank())
        .arg(words.next().unwrap_or_default())
        .arg(graph)
        .args(words)
        .args(["--threads", "1", "--quiet", "-o", "/dev/null"])
        .build()
}

binary_benchmark_group!(name = kernels, benchmarks = rust_doc);

main!(binary_benchmark_groups = kernels);
