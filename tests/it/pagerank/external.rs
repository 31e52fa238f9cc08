//! PageRank with rows and vectors in files: the bits of streamed sweeps, in blocks of any size.

use crate::pagerank::runs::*;
use crate::pagerank::streamed::webs;
use proptest::prelude::*;
use webrank_base::progress::Silent;
use webrank_graph::bundle::{BundleOptions, write_bundle};
use webrank_graph::{Csr, Source};
use webrank_scores::parameters::Dangling;
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
    let source = Source::open(&path).unwrap();
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
    let source = Source::open("graphs/debian.bv".as_ref()).unwrap();
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

/// Scores and ranks in files make the same tables as those in memory.
#[test]
#[cfg(feature = "cli")]
fn external_tables_are_streamed_ones() {
    use crate::support::cli::*;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let bundle = at("g.bv");
    stdout(&["import", DEBIAN, "-o", text(&bundle), "-q"]);
    for (name, options) in [
        ("t.csv", &[][..]),
        ("t.npy", &[]),
        ("t.jsonl", &["--sort", "score"]),
        ("t.tsv", &["--top", "1000"]),
        (
            "t.csv",
            &["--top", "10", "--sort", "score", "--dangling", "none"],
        ),
    ] {
        let table = at(name);
        let written = |form: &str| {
            let command = [
                "pagerank",
                text(&bundle),
                "--form",
                form,
                "-q",
                "--tolerance",
                "1e-6",
            ];
            let output = ["-o", text(&table), "--temp", text(folder.path())];
            stdout(&[&command[..], &output, options].concat());
            let manifest = format!("{name}.json");
            assert_eq!(files(folder.path()), ["g.bv", name, &manifest]);
            let manifest = std::fs::read_to_string(at(&manifest)).unwrap();
            let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
            assert_eq!(manifest["form"]["name"], form);
            let proved = manifest["proved_positions"].clone();
            let bytes = std::fs::read(&table).unwrap();
            std::fs::remove_file(&table).unwrap();
            std::fs::remove_file(at(&format!("{name}.json"))).unwrap();
            (proved, bytes)
        };
        assert!(
            written("external") == written("streamed"),
            "{name} {options:?}"
        );
    }
    let given = at("v.txt");
    std::fs::write(&given, "0ad,1\n").unwrap();
    let command = ["pagerank", text(&bundle), "--preference", text(&given)];
    let message = failure(&[&command[..], &["--form", "external"]].concat(), 2);
    assert!(message.contains("8 bytes a node"), "{message}");
}
