//! PageRank with rows and vectors in files: the bits of streamed sweeps, in blocks of any size.

use crate::pagerank::runs::*;
use crate::pagerank::streamed::webs;
use proptest::prelude::*;
use webrank::internals::centrality::pagerank::{
    Dangling, Method, PageRank, pagerank_external, pagerank_streamed,
};
use webrank::internals::graph::bundle::{BundleOptions, write_bundle};
use webrank::internals::graph::{Csr, Source};
use webrank::internals::progress::Silent;

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
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("graph.bv");
        let successors = Csr::from_arcs(graph.0, graph.1.iter().copied()).unwrap();
        let options = BundleOptions { compact, ..BundleOptions::default() };
        write_bundle(&successors, None, &path, options).unwrap();
        let source = Source::open(&path).unwrap();
        let params = PageRank { dangling, ..params(alpha, Method::Power) };
        let stop = within(1e-10);
        let streamed = pagerank_streamed(&source.streamed().unwrap(), &params, &stop, &Silent).unwrap();
        let block = block.max(graph.0.div_ceil(64));
        let external = pagerank_external(&source, &params, block, folder.path(), &stop, &Silent).unwrap();
        prop_assert_eq!(bits(&external), bits(&streamed));
        prop_assert_eq!(outcome(&external), outcome(&streamed));
        prop_assert_eq!(folder.path().read_dir().unwrap().count(), 1, "files are left");
    }
}
