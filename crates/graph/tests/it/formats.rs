//! BVGraphs in every existing format, compared with the arcs they were made of.

use dsi_bitstream::prelude::*;
use dsi_progress_logger::no_logging;
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use webgraph::prelude::{BvComp, BvCompZ, CompFlags, VecGraph, store_ef_with_data};
use webrank_base::Node;
use webrank_base::progress::Silent;
use webrank_graph::{Csr, Rows, StoredGraph};

/// Successor lists with runs, near copies of the list before, self-loops and empty lists.
fn graphs() -> impl Strategy<Value = Csr> {
    let list = prop::collection::vec((0u32..60, 1u32..12), 0..4);
    let change = prop_oneof![Just(None), (0u32..60).prop_map(Some)];
    let lists = prop::collection::vec((list, any::<bool>(), change), 1..60);
    lists.prop_map(|lists| {
        let n = lists.len() as u32;
        let mut last: Vec<Node> = Vec::new();
        let mut arcs = Vec::new();
        for (node, (runs, copy, change)) in lists.into_iter().enumerate() {
            if !copy {
                let nodes = runs
                    .iter()
                    .flat_map(|&(start, length)| start..start + length);
                last = nodes.filter(|&x| x < n).collect();
            }
            last.extend(change.filter(|&x| x < n));
            arcs.extend(last.iter().map(|&x| (node as Node, x)));
        }
        Csr::from_arcs(n as usize, arcs).unwrap()
    })
}

/// A code; version 0 of the format has one parameter for all zeta codes.
fn codes(k: usize) -> impl Strategy<Value = Codes> {
    prop_oneof![
        Just(Codes::Unary),
        Just(Codes::Gamma),
        Just(Codes::Delta),
        Just(Codes::Omega),
        Just(Codes::Zeta(k)),
        (1usize..=4).prop_map(Codes::Pi),
    ]
}

fn flags() -> impl Strategy<Value = CompFlags> {
    let codes = (1usize..=7).prop_flat_map(|k| (codes(k), codes(k), codes(k), codes(k), codes(k)));
    let window = prop_oneof![Just(0usize), Just(1), Just(7), Just(1000)];
    let depth = prop_oneof![Just(0usize), Just(1), Just(3), Just(100_000)];
    let interval = prop_oneof![Just(0usize), Just(2), Just(4)];
    (codes, window, depth, interval).prop_map(|(codes, window, depth, interval)| CompFlags {
        outdegrees: codes.0,
        references: codes.1,
        blocks: codes.2,
        intervals: codes.3,
        residuals: codes.4,
        min_interval_length: interval,
        compression_window: window,
        max_ref_count: depth,
    })
}

/// The graph in the form of the `webgraph` crate.
fn upstream(graph: &Csr) -> VecGraph {
    let mut other = VecGraph::empty(graph.num_nodes());
    for node in 0..graph.num_nodes() {
        let row = graph.row(node as Node);
        other.add_arcs(row.iter().map(|&target| (node, target as usize)));
    }
    other
}

fn write(graph: &Csr, basename: &Path, flags: CompFlags, little: bool, zuckerli: bool) {
    let graph = upstream(graph);
    let result = match (little, zuckerli) {
        (false, false) => BvComp::with_basename(basename)
            .comp_flags(flags)
            .comp_graph::<BE>(&graph),
        (true, false) => BvComp::with_basename(basename)
            .comp_flags(flags)
            .comp_graph::<LE>(&graph),
        (false, true) => BvCompZ::with_basename(basename)
            .comp_flags(flags)
            .comp_graph::<BE>(&graph),
        (true, true) => BvCompZ::with_basename(basename)
            .comp_flags(flags)
            .comp_graph::<LE>(&graph),
    };
    result.unwrap();
}

fn with(basename: &Path, extension: &str) -> PathBuf {
    basename.with_extension(extension)
}

fn open(path: &Path) -> StoredGraph {
    StoredGraph::open(path).unwrap()
}

/// A graph loaded in both directions.
fn load(path: &Path) -> (Csr, Csr) {
    let source = open(path);
    let backward = source.predecessors(&Silent).unwrap();
    (source.successors(&Silent).unwrap(), backward.rows)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn every_combination_of_codes_is_read(
        graph in graphs(), flags in flags(), little: bool, zuckerli: bool, offsets: bool, cut in 0.0..1.0f64,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let basename = folder.path().join("g");
        write(&graph, &basename, flags, little, zuckerli);
        if !offsets {
            std::fs::remove_file(with(&basename, "offsets")).unwrap();
        }
        let (successors, predecessors) = load(&basename);
        prop_assert_eq!(&successors, &graph);
        prop_assert_eq!(predecessors, graph.transpose().unwrap());
        // A scan from the middle, whose lists copy from lists before it.
        let compressed = open(&basename).compressed().unwrap();
        let start = (cut * graph.num_nodes() as f64) as usize;
        let mut rows = Vec::new();
        compressed
            .for_rows(start..graph.num_nodes(), &mut |node, row| rows.push((node, row.to_vec())))
            .unwrap();
        prop_assert_eq!(rows.len(), graph.num_nodes() - start);
        for (node, row) in rows {
            prop_assert_eq!(row, graph.row(node));
        }
    }

    #[test]
    fn options_of_java_are_read(
        graph in graphs(), k in 1u64..=7, residuals in residuals_of_java(), delta: bool,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let basename = folder.path().join("java");
        write_java(&graph, &basename, k, residuals, delta);
        let (successors, _) = load(&basename);
        prop_assert_eq!(successors, graph);
    }
}

/// How Java may write residuals: in the code that a flag names, or without a flag in zeta with the
/// `zetak` of the file.
#[derive(Debug, Clone, Copy, PartialEq)]
enum ResidualsOfJava {
    Nibble,
    Golomb,
    Unnamed,
}

fn residuals_of_java() -> impl Strategy<Value = ResidualsOfJava> {
    prop_oneof![
        Just(ResidualsOfJava::Nibble),
        Just(ResidualsOfJava::Golomb),
        Just(ResidualsOfJava::Unnamed)
    ]
}

/// Writes lists as Java may: residuals only, offsets in gamma or delta code.
fn write_java(graph: &Csr, basename: &Path, k: u64, residuals: ResidualsOfJava, delta: bool) {
    let to_natural = |x: i64| {
        if x >= 0 {
            2 * x as u64
        } else {
            (-2 * x - 1) as u64
        }
    };
    let new = || BufBitWriter::<BE, _>::new(MemWordWriterVec::new(Vec::<u64>::new()));
    let (mut bits, mut offsets) = (new(), new());
    let mut written = 0;
    let mut gap = 0;
    for node in 0..graph.num_nodes() {
        match delta {
            true => offsets.write_delta(gap).unwrap(),
            false => offsets.write_gamma(gap).unwrap(),
        };
        let start = written;
        let row = graph.row(node as Node);
        written += bits.write_gamma(row.len() as u64).unwrap();
        let mut last = None;
        for &target in row {
            let value = match last {
                None => to_natural(target as i64 - node as i64),
                Some(last) => (target - last - 1) as u64,
            };
            last = Some(target);
            written += match residuals {
                ResidualsOfJava::Nibble => write_nibble(&mut bits, value),
                ResidualsOfJava::Golomb => bits.write_golomb(value, k).unwrap(),
                ResidualsOfJava::Unnamed => bits.write_zeta(value, k as usize).unwrap(),
            };
        }
        gap = (written - start) as u64;
    }
    match delta {
        true => offsets.write_delta(gap).unwrap(),
        false => offsets.write_gamma(gap).unwrap(),
    };
    for (writer, extension) in [(bits, "graph"), (offsets, "offsets")] {
        let words = writer.into_inner().unwrap().into_inner();
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        if extension == "graph" {
            bytes.truncate(written.div_ceil(8));
        }
        std::fs::write(with(basename, extension), bytes).unwrap();
    }
    let residuals = match residuals {
        ResidualsOfJava::Nibble => "RESIDUALS_NIBBLE",
        ResidualsOfJava::Golomb => "RESIDUALS_GOLOMB",
        ResidualsOfJava::Unnamed => "",
    };
    let offsets = if delta { "|OFFSETS_DELTA" } else { "" };
    let properties = format!(
        "#BVGraph properties\nversion=0\ngraphclass=it.unimi.dsi.webgraph.BVGraph\nnodes={}\n\
         arcs={}\nwindowsize=0\nminintervallength=0\nzetak={k}\n\
         compressionflags={residuals}{offsets}\n",
        graph.num_nodes(),
        graph.num_arcs(),
    );
    std::fs::write(with(basename, "properties"), properties).unwrap();
}

fn write_nibble(bits: &mut impl BitWrite<BE>, value: u64) -> usize {
    let groups = (64 - value.leading_zeros()).div_ceil(3).max(1);
    for group in (0..groups).rev() {
        let stop = u64::from(group == 0) << 3;
        bits.write_bits(stop | value >> (3 * group) & 7, 4).unwrap();
    }
    4 * groups as usize
}

#[test]
fn any_file_of_a_graph_names_it_and_the_transpose_beside_it_is_used() {
    let graph = Csr::from_arcs(5, [(0, 1), (0, 2), (1, 1), (3, 0), (3, 4)]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let basename = folder.path().join("a.graph.of.mine");
    let file = |suffix: &str| folder.path().join(format!("a.graph.of.mine{suffix}"));
    // The compressor replaces anything that looks like an extension.
    let plain = folder.path().join("g");
    write(&graph, &plain, CompFlags::default(), false, false);
    write(
        &graph.transpose().unwrap(),
        &folder.path().join("t"),
        CompFlags::default(),
        true,
        false,
    );
    for extension in ["graph", "properties", "offsets"] {
        std::fs::copy(with(&plain, extension), file(&format!(".{extension}"))).unwrap();
        let transpose = with(&folder.path().join("t"), extension);
        std::fs::copy(transpose, file(&format!("-t.{extension}"))).unwrap();
    }
    for path in [
        basename,
        file(".graph"),
        file(".properties"),
        file(".offsets"),
    ] {
        let source = open(&path);
        assert!(source.has_transpose());
        let backward = source.predecessors(&Silent).unwrap();
        assert!(backward.outdegrees.is_none(), "the transpose was not used");
        assert_eq!(backward.rows, graph.transpose().unwrap());
        assert_eq!(source.successors(&Silent).unwrap(), graph);
    }
}

#[test]
fn a_transpose_with_other_counts_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let graph = Csr::from_arcs(3, [(0, 1), (1, 2)]).unwrap();
    let other = Csr::from_arcs(3, [(0, 1)]).unwrap();
    write(
        &graph,
        &folder.path().join("g"),
        CompFlags::default(),
        false,
        false,
    );
    write(
        &other,
        &folder.path().join("g-t"),
        CompFlags::default(),
        false,
        false,
    );
    let problem = StoredGraph::open(&folder.path().join("g"))
        .err()
        .unwrap()
        .to_string();
    assert!(
        problem.contains("g-t.properties") && problem.contains("1 arcs"),
        "{problem}"
    );
}

#[test]
fn graphs_of_one_node_and_without_arcs() {
    for (n, arcs) in [(1, vec![]), (1, vec![(0, 0)]), (1000, vec![])] {
        let graph = Csr::from_arcs(n, arcs).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let basename = folder.path().join("g");
        for little in [false, true] {
            write(&graph, &basename, CompFlags::default(), little, false);
            assert_eq!(load(&basename), (graph.clone(), graph.transpose().unwrap()));
        }
    }
}

#[test]
fn more_arcs_than_32_bits_count_are_scanned() {
    // Each list but the first copies it: 5 billion arcs in a few kilobytes.
    let n = 71_000;
    let folder = tempfile::tempdir().unwrap();
    let basename = folder.path().join("dense");
    let mut bits = BufBitWriter::<BE, _>::new(MemWordWriterVec::new(Vec::<u64>::new()));
    let mut written = 0;
    for node in 0..n as u64 {
        written += bits.write_gamma(n as u64).unwrap();
        if node == 0 {
            // No reference; one interval from 0, of n nodes; no residuals.
            written += bits.write_unary(0).unwrap() + bits.write_gamma(1).unwrap();
            written += bits.write_gamma(0).unwrap() + bits.write_gamma(n as u64 - 4).unwrap();
        } else {
            written += bits.write_unary(1).unwrap() + bits.write_gamma(0).unwrap();
        }
    }
    let words = bits.into_inner().unwrap().into_inner();
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    bytes.truncate(written.div_ceil(8));
    std::fs::write(with(&basename, "graph"), bytes).unwrap();
    let arcs = (n * n) as u64;
    assert!(arcs > 1 << 32);
    let properties = format!("graphclass=BVGraph\nnodes={n}\narcs={arcs}\n");
    std::fs::write(with(&basename, "properties"), properties).unwrap();
    let compressed = open(&basename).compressed().unwrap();
    assert_eq!(compressed.num_arcs(), arcs);
    // A range further in, whose lists are found by following references to the first.
    let range = 1000..1008;
    compressed
        .for_rows(range, &mut |_, row| {
            assert!(row.len() == n && row[n - 1] == n as Node - 1)
        })
        .unwrap();
}

#[test]
fn what_a_bundle_holds_is_opened_by_the_webgraph_crate() {
    use webgraph::traits::{RandomAccessGraph, SequentialLabeling};
    let source = open(webrank_testing::at!("graphs/debian.bv").as_ref());
    let ours = source.successors(&Silent).unwrap();
    let theirs = webgraph::graphs::bvgraph::BvGraph::with_basename(webrank_testing::at!(
        "graphs/debian.bv/graph"
    ))
    .load()
    .unwrap();
    assert_eq!(theirs.num_nodes(), ours.num_nodes());
    for node in (0..ours.num_nodes()).step_by(7) {
        let row = theirs.successors(node).map(|target| target as Node);
        assert!(row.eq(ours.row(node as Node).iter().copied()));
    }
}

#[test]
fn an_ef_file_is_neither_needed_nor_trusted() {
    let graph = Csr::from_arcs(4, [(0, 1), (1, 2), (2, 3)]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let basename = folder.path().join("g");
    write(&graph, &basename, CompFlags::default(), false, false);
    let (bits, offsets, ef) = (
        with(&basename, "graph"),
        with(&basename, "offsets"),
        with(&basename, "ef"),
    );
    store_ef_with_data(4, bits, &offsets, &ef, no_logging!()).unwrap();
    std::fs::remove_file(offsets).unwrap();
    assert_eq!(load(&basename).0, graph);
    std::fs::write(&ef, b"nonsense").unwrap();
    assert_eq!(load(&basename).0, graph);
    assert_eq!(open(&ef).successors(&Silent).unwrap(), graph);
}
