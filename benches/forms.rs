//! The cost of a PageRank sweep in each form of the graph, as a table:
//!
//!     cargo bench --bench forms -- GRAPH...
//!
//! `gather` is the plain pull of most tools: one read of a premultiplied contribution for every arc,
//! in CSR order. `runs` are the rows that `rank` keeps ([`webrank_linear::runs::RunRows`]), with
//! numbers of 8 bytes and of 4. `streamed` are the rows of successors, decoded in every sweep
//! ([`webrank_walks::pagerank::methods::streamed`]). Milliseconds are the least of many sweeps.

use rayon::prelude::*;
use std::path::Path;
use std::time::Instant;
use webrank_base::output::SpillBudget;
use webrank_base::parallel::blocks::{BLOCK_WEIGHT, cut, split_mut};
use webrank_base::progress::Silent;
use webrank_cluster::Exchange;
use webrank_graph::{Csr, IncomingRows, StoredGraph};
use webrank_scores::parameters::Distribution;
use webrank_walks::pagerank::certificate::{Iteration, PageRankMap};
use webrank_walks::pagerank::equation::Equation;
use webrank_walks::pagerank::methods::power::Power;
use webrank_walks::pagerank::methods::streamed::streamed;
use webrank_walks::pagerank::walk::RandomWalk;

const ALPHA: f64 = 0.85;
const SWEEPS: usize = 20;

/// One sweep over rows of predecessors: scores from contributions, and contributions from scores.
fn gather(rows: &Csr, outdegrees: &[u32], contributions: &[f64], next: &mut [f64]) {
    let blocks = cut(rows.offsets(), BLOCK_WEIGHT);
    let base = (1.0 - ALPHA) / rows.num_nodes() as f64;
    blocks
        .par_iter()
        .zip(split_mut(next, &blocks))
        .for_each(|(block, next)| {
            for (next, node) in next.iter_mut().zip(block.clone()) {
                let row = rows.row(node as u32).iter();
                let inflow: f64 = row.map(|&j| contributions[j as usize]).sum();
                *next = (ALPHA * inflow + base) / outdegrees[node].max(1) as f64;
            }
        });
}

/// The least time that a sweep takes, in milliseconds.
fn least(mut sweep: impl FnMut()) -> f64 {
    let times = (0..SWEEPS).map(|_| {
        let start = Instant::now();
        sweep();
        start.elapsed().as_secs_f64() * 1e3
    });
    times.fold(f64::INFINITY, f64::min)
}

/// Gigabytes per second that all threads together read.
fn bandwidth() -> f64 {
    let data = vec![1u64; 1 << 26];
    let sum = || {
        data.par_chunks(1 << 16)
            .map(|part| part.iter().sum::<u64>())
            .sum::<u64>()
    };
    let ms = least(|| assert_eq!(std::hint::black_box(sum()), data.len() as u64));
    8.0 * data.len() as f64 / ms / 1e6
}

fn measure(path: &Path) -> webrank::Result<()> {
    let source = StoredGraph::open(path)?;
    let backward = source.predecessors(&Silent)?;
    let (n, m) = (backward.rows.num_nodes(), backward.rows.num_arcs() as f64);
    let mut outdegrees = vec![0u32; n];
    backward
        .rows
        .targets()
        .iter()
        .for_each(|&j| outdegrees[j as usize] += 1);
    let mut vectors = [vec![1.0 / n as f64; n], vec![0.0; n]];
    let plain = least(|| {
        let [contributions, next] = &mut vectors;
        gather(&backward.rows, &outdegrees, contributions, next);
        vectors.swap(0, 1);
    });
    let start = Instant::now();
    let walk = RandomWalk::new(IncomingRows {
        rows: backward.rows,
        outdegrees: None,
    })?;
    let build = start.elapsed().as_secs_f64();
    let equation = Equation {
        num_nodes: n,
        alpha: ALPHA,
        preference: &Distribution::Uniform,
        dangling: Some(&Distribution::Uniform),
    };
    let map = PageRankMap {
        walk: &walk,
        equation,
    };
    let even = vec![1.0 / n as f64; n];
    let (mut long, mut short) = (
        Power::<f64>::new(&map, &even),
        Power::<f32>::new(&map, &even),
    );
    let long = least(|| _ = long.sweep().expect("rows are in memory"));
    let short = least(|| _ = short.sweep().expect("rows are in memory"));
    let compressed = source.streamed()?;
    let (room, exchange) = (SpillBudget::in_memory(), &mut Exchange::alone());
    let mut power = streamed(&compressed, equation, even.clone(), &room, exchange)?;
    let streamed = least(|| _ = power.sweep().expect("the graph has been read before"));
    let reads = walk.rows().num_reads() as f64 / m;
    println!(
        "| {} | {m:.0} | {reads:.2} | {build:.3} | {plain:.2} | {:.2} | {long:.2} | {:.2} | {short:.2} | {:.2} | {streamed:.1} | {:.2} |",
        path.display(),
        plain * 1e6 / m,
        long * 1e6 / m,
        short * 1e6 / m,
        streamed * 1e6 / m,
    );
    Ok(())
}

fn main() -> webrank::Result<()> {
    let given: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .collect();
    println!(
        "{} threads, {:.1} GB/s\n",
        rayon::current_num_threads(),
        bandwidth()
    );
    println!(
        "| graph | arcs | reads/arc | build s | gather ms | ns/arc | runs f64 ms | ns/arc | runs f32 ms | ns/arc | streamed ms | ns/arc |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    if given.is_empty() {
        return measure("graphs/rust-doc.bv".as_ref());
    }
    given.iter().try_for_each(|path| measure(path.as_ref()))
}
