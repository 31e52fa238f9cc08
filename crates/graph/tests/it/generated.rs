//! The generated graphs of the benches are the same everywhere, and look like the web.

#[path = "../../../../benches/support/webgen.rs"]
mod webgen;

use std::collections::HashSet;
use webrank_base::Node;
use webrank_graph::Csr;

fn share(graph: &Csr, of: impl Fn(Node) -> bool) -> f64 {
    let n = graph.num_nodes() as Node;
    (0..n).filter(|&node| of(node)).count() as f64 / n as f64
}

/// An order-dependent checksum of offsets and targets.
fn checksum(graph: &Csr) -> u64 {
    let targets = graph.targets().iter().map(|&target| target as u64);
    let all = graph.offsets().iter().copied().chain(targets);
    all.fold(0, |sum: u64, x| {
        (sum.rotate_left(5) ^ x).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    })
}

#[test]
fn pages_look_like_a_crawl() {
    let graph = webgen::pages(50_000);
    let dangling = share(&graph, |node| graph.degree(node) == 0);
    assert!((0.2..0.3).contains(&dangling), "{dangling}");
    let self_loops = share(&graph, |node| graph.row(node).contains(&node));
    assert!((0.2..0.4).contains(&self_loops), "{self_loops}");
    let mean = graph.num_arcs() as f64 / graph.num_nodes() as f64;
    assert!((8.0..14.0).contains(&mean), "{mean}");
    let reversed = graph.transpose().unwrap();
    let distinct: HashSet<&[Node]> = (0..50_000).map(|node| reversed.row(node)).collect();
    assert!(distinct.len() < 30_000, "{} distinct rows", distinct.len());
    let pairs = graph.targets().windows(2);
    let consecutive = pairs.filter(|pair| pair[0] + 1 == pair[1]).count();
    assert!(
        2 * consecutive as u64 > graph.num_arcs(),
        "{consecutive} consecutive"
    );
}

#[test]
fn five_of_six_hosts_are_dangling() {
    let graph = webgen::hosts(50_000);
    let dangling = share(&graph, |node| graph.degree(node) == 0);
    assert!((0.82..0.85).contains(&dangling), "{dangling}");
}

#[test]
fn papers_cite_earlier_ones() {
    let graph = webgen::citations(5_000);
    assert!((0..5_000).all(|paper| graph.row(paper).iter().all(|&cited| cited < paper)));
    let mean = graph.num_arcs() as f64 / 5_000.0;
    assert!((15.0..20.0).contains(&mean), "{mean}");
}

#[test]
fn graphs_are_the_same_everywhere() {
    assert_eq!(checksum(&webgen::pages(10_000)), 0xF9A9_CEB2_D07A_34B7);
    assert_eq!(checksum(&webgen::hosts(10_000)), 0xF28D_D0E0_01BA_BD89);
    assert_eq!(checksum(&webgen::citations(10_000)), 0x294B_B850_B7FA_B851);
    assert_eq!(webgen::pages(0).num_nodes(), 0);
    assert_eq!(webgen::hosts(1).num_nodes(), 1);
}
