//! Bits an arc and speed of decoding under codes, windows and limits of references; what random
//! access costs, by offsets and by skips.
//!
//!     cargo bench --bench codes -- GRAPH...
//!
//! Each figure is the least of several rounds, in which all cases take turns.

#[path = "support/webgen.rs"]
mod webgen;

use dsi_bitstream::prelude::BE;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Instant;
use webgraph::prelude::{BvGraph, LoadMem, RandomAccessGraph, SequentialLabeling};
use webrank::Silent;
use webrank_graph::bundle::{BundleOptions, write_bundle};
use webrank_graph::codes::{Coding, CompFlags};
use webrank_graph::recode::{Recoder, Recoding};
use webrank_graph::{Compressed, Rows, StoredGraph};

const ROUNDS: usize = 5;
/// Rows that are read at random places.
const READ: usize = 2_000;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

fn main() -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let given = std::env::args()
        .skip(1)
        .filter(|one| !one.starts_with("--"));
    let mut graphs: Vec<PathBuf> = given.map(PathBuf::from).collect();
    if graphs.is_empty() {
        graphs.extend(["graphs/rust-doc.bv", "graphs/debian.bv"].map(PathBuf::from));
    }
    let pages = folder.path().join("pages(200000).bv");
    write_bundle(
        &webgen::pages(200_000),
        None,
        &pages,
        BundleOptions::default(),
    )?;
    graphs.push(pages);
    for graph in &graphs {
        measure(graph, folder.path())?;
    }
    Ok(())
}

/// A graph with some codes, window and limit, and the least nanoseconds an arc.
struct Case {
    name: String,
    bits_per_arc: f64,
    seconds: f64,
    graph: Compressed,
    upstream: Upstream,
    /// Scan, random rows, and both by `webgraph`.
    nanoseconds: [f64; 4],
}

type Upstream = Box<dyn Fn(Option<&[usize]>) -> u64>;

impl Case {
    fn new(
        source: &StoredGraph,
        folder: &Path,
        codes: &str,
        window: usize,
        limit: usize,
    ) -> Outcome<Self> {
        let mut recoding = Recoding {
            coding: Coding {
                flags: CompFlags {
                    compression_window: window,
                    max_ref_count: limit,
                    ..CompFlags::default()
                },
                best: Vec::new(),
            },
            replace: true,
        };
        recoding.coding.set_codes(codes)?;
        let references = match limit {
            0..100 => limit.to_string(),
            _ => "unlimited".into(),
        };
        let name = format!("{codes} | {window} | {references}");
        let output = folder.join("recoded.bv");
        let recoder = Recoder::new(source, recoding, &output, &Silent)?;
        let start = Instant::now();
        let (written, _) = recoder.write(&output, &Silent)?;
        let seconds = start.elapsed().as_secs_f64();
        Ok(Case {
            name,
            bits_per_arc: written.after as f64 / source.properties().arcs as f64,
            seconds,
            graph: StoredGraph::open(&output)?.compressed()?,
            upstream: upstream(&output.join("graph"))?,
            nanoseconds: [f64::INFINITY; 4],
        })
    }

    fn round(&mut self, nodes: &[usize]) {
        let mut time = |place: usize, work: &dyn Fn() -> u64| {
            let start = Instant::now();
            let arcs = black_box(work());
            let nanoseconds = start.elapsed().as_nanos() as f64 / arcs as f64;
            self.nanoseconds[place] = self.nanoseconds[place].min(nanoseconds);
        };
        let graph = &self.graph;
        time(0, &|| rows(graph, 0..graph.num_nodes()));
        time(1, &|| {
            let rows = nodes.iter().map(|&node| rows(graph, node..node + 1));
            rows.sum()
        });
        time(2, &|| (self.upstream)(None));
        time(3, &|| (self.upstream)(Some(nodes)));
    }
}

/// The arcs of some rows, which are decoded.
fn rows(graph: &Compressed, range: std::ops::Range<usize>) -> u64 {
    let mut arcs = 0;
    let scan = graph.for_rows(range, &mut |_, row| arcs += black_box(row).len() as u64);
    scan.map(|()| arcs).expect("the graph is whole")
}

/// A scan of all rows, or some rows, by `webgraph`: the number of arcs.
fn upstream(basename: &Path) -> Outcome<Upstream> {
    let graph = BvGraph::with_basename(basename)
        .endianness::<BE>()
        .mode::<LoadMem>()
        .load()?;
    Ok(Box::new(move |nodes| {
        let mut arcs = 0;
        match nodes {
            Some(nodes) => {
                for &node in nodes {
                    graph.successors(node).for_each(|target| {
                        black_box(target);
                        arcs += 1;
                    });
                }
            }
            None => {
                lender::for_!((_, successors) in graph.iter() {
                    successors.into_iter().for_each(|target| {
                        black_box(target);
                        arcs += 1;
                    });
                });
            }
        }
        arcs
    }))
}

/// Nodes in no order.
fn places(count: usize, of: usize) -> Vec<usize> {
    let mixed = |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
    (0..count as u64)
        .map(|i| (mixed(i + 1) as usize * 31) % of)
        .collect()
}

fn measure(path: &Path, folder: &Path) -> Outcome<()> {
    let source = StoredGraph::open(path)?;
    let unlimited = i32::MAX as usize;
    let mut cases = vec![Case::new(&source, folder, "default", 7, 3)?];
    for window in [7, 16, 64] {
        for limit in [1, 3, unlimited] {
            cases.push(Case::new(&source, folder, "auto", window, limit)?);
        }
    }
    let nodes = places(READ, source.properties().nodes);
    for _ in 0..ROUNDS {
        cases.iter_mut().for_each(|case| case.round(&nodes));
    }
    println!("\n{}\n", path.display());
    println!(
        "| codes | window | references | bits/arc | written s | scan ns/arc | random ns/arc | webgraph scan | webgraph random |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    for case in &cases {
        let [scan, random, upstream_scan, upstream_random] = case.nanoseconds;
        println!(
            "| {} | {:.3} | {:.2} | {scan:.2} | {random:.1} | {upstream_scan:.2} | {upstream_random:.1} |",
            case.name, case.bits_per_arc, case.seconds
        );
    }
    skips(&cases[0].graph, &nodes)
}

/// Rows at random places, by the offset of each node, and by the offset of every 2^k-th node and the
/// rows from there on.
fn skips(graph: &Compressed, nodes: &[usize]) -> Outcome<()> {
    let n = graph.num_nodes();
    let many = places(1 << 20, n);
    let ef = graph
        .path()
        .with_extension("ef")
        .metadata()
        .map_or(0, |file| file.len());
    let mut lookup = f64::INFINITY;
    let mut row = [f64::INFINITY; 9];
    let start = Instant::now();
    for _ in 0..ROUNDS {
        let begin = start.elapsed();
        let sum: u64 = many.iter().map(|&node| graph.bits_of(node).start).sum();
        black_box(sum);
        lookup = lookup.min((start.elapsed() - begin).as_nanos() as f64 / many.len() as f64);
        for (k, least) in row.iter_mut().enumerate() {
            let begin = start.elapsed();
            for &node in nodes {
                black_box(rows(graph, (node >> k << k)..node + 1));
            }
            let nanoseconds = (start.elapsed() - begin).as_nanos() as f64;
            *least = least.min(nanoseconds / nodes.len() as f64);
        }
    }
    println!("\n| offsets | bits/node | ns a row |\n|---|---:|---:|");
    println!(
        "| Elias-Fano ({lookup:.0} ns a look-up of both ends) | {:.1} | {:.0} |",
        8.0 * ef as f64 / n as f64,
        row[0]
    );
    for (k, least) in row.iter().enumerate() {
        println!(
            "| every {} nodes | {:.2} | {least:.0} |",
            1 << k,
            64.0 / f64::from(1 << k)
        );
    }
    Ok(())
}
