//! PageRank with rows and vectors in files: the bits of streamed sweeps, in blocks of any size.

use crate::pagerank::runs::*;
use proptest::prelude::*;
use webrank_base::progress::Silent;
use webrank_graph::bundle::{BundleOptions, write_bundle};
use webrank_graph::{Csr, StoredGraph};
use webrank_scores::parameters::Dangling;
use webrank_testing::graphs::webs;
use webrank_walks::pagerank::{Method, PageRank, pagerank_external, pagerank_streamed};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn scores_have_the_bits_of_streamed_ones(
        graph in prop_oneof![3 => webs(30), 1 => webs(300)],
        alpha in prop_oneof![Just(0.0), Just(0.85), Just(0.99)],
        dangling in prop_oneof![Just(Dangling::Preference), Just(Dangling::None)],
        block in prop_oneof![1usize..40, Just(1000)],
        compact in any::<bool>(),
    ) {
        let successors = Csr::from_arcs(graph.0, graph.1.iter().copied()).unwrap();
        let options = BundleOptions { compact, ..BundleOptions::default() };
        let params = PageRank { dangling, ..params(alpha, Method::Power) };
        bits_are_those_of_streamed_ones(&successors, options, &params, &[block.max(graph.0.div_ceil(64))]);
    }
}

fn bits_are_those_of_streamed_ones(
    successors: &Csr,
    options: BundleOptions,
    params: &PageRank,
    blocks: &[usize],
) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.bv");
    write_bundle(successors, None, &path, options).unwrap();
    let source = StoredGraph::open(&path).unwrap();
    let stop = within(1e-10);
    let graph = source.streamed().unwrap();
    let streamed = pagerank_streamed(&graph, params, &stop, &Silent).unwrap();
    for &block in blocks {
        let external = pagerank_external(&source, params, block, folder.path(), &stop, &Silent);
        let external = external.unwrap();
        assert_eq!(bits(&external), bits(&streamed), "blocks of {block}");
        assert_eq!(outcome(&external), outcome(&streamed));
        let left = folder.path().read_dir().unwrap().count();
        assert_eq!(left, 1, "files are left");
    }
}

/// Blocks of several pieces, blocks that arcs neither leave nor enter, and no arcs at all.
#[test]
fn blocks_may_be_large_or_without_arcs() {
    let ring = (0..9_000).flat_map(|node| [1, 2, 5].map(|step| (node, (7 * node + step) % 9_000)));
    let far = [(29_999, 3), (3, 29_999), (29_998, 29_999)];
    for arcs in [ring.chain(far).collect(), vec![]] {
        let successors = Csr::from_arcs(30_000, arcs).unwrap();
        let params = params(0.85, Method::Power);
        let blocks = [500, 8_192, 16_384, 30_000, 100_000];
        bits_are_those_of_streamed_ones(&successors, BundleOptions::default(), &params, &blocks);
    }
}

/// A real graph, in one block and in many.
#[test]
fn a_real_graph_in_many_blocks_has_the_bits_of_streamed_scores() {
    let source = StoredGraph::open(webrank_testing::at!("graphs/debian.bv").as_ref()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (params, stop) = (params(0.85, Method::Power), within(1e-9));
    let streamed = source.streamed().unwrap();
    let streamed = pagerank_streamed(&streamed, &params, &stop, &Silent).unwrap();
    for block in [1_000, 8_192, 70_000] {
        let external = pagerank_external(&source, &params, block, folder.path(), &stop, &Silent);
        assert_eq!(
            bits(&external.unwrap()),
            bits(&streamed),
            "blocks of {block}"
        );
    }
}
