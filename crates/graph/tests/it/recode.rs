//! Graphs that are written again hold the same arcs, whatever the codes, the window and the limits.

use dsi_bitstream::dispatch::Codes;
use dsi_bitstream::prelude::BE;
use lender::*;
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use webgraph::prelude::*;
use webrank_base::progress::Silent;
use webrank_graph::bundle::{BundleOptions, write_bundle};
use webrank_graph::codes::{CodeGroup, Coding, CompFlags, FieldCounts, LabCode, written_codes};
use webrank_graph::recode::{Recoded, Recoder, Recoding};
use webrank_graph::{Csr, StoredGraph};
use webrank_testing::graphs::{checked, digraphs};

fn recoded(from: &Path, to: &Path, flags: CompFlags, codes: &str) -> (Recoded, Option<Recoded>) {
    let source = StoredGraph::open(from).unwrap();
    let mut recoding = Recoding {
        coding: Coding {
            flags,
            best: Vec::new(),
        },
        replace: true,
    };
    recoding.coding.set_codes(codes).unwrap();
    let recoder = Recoder::new(&source, recoding, to, &Silent).unwrap();
    recoder.write(to, &Silent).unwrap()
}

/// The rows as the `webgraph` crate reads them.
fn upstream(basename: &Path) -> Vec<Vec<u32>> {
    let graph = BvGraphSeq::with_basename(basename)
        .endianness::<BE>()
        .load()
        .unwrap();
    let mut rows = Vec::new();
    for_!((_, successors) in graph.iter() {
        rows.push(successors.into_iter().map(|target| target as u32).collect());
    });
    rows
}

fn rows(graph: &Csr) -> Vec<Vec<u32>> {
    (0..graph.num_nodes() as u32)
        .map(|node| graph.row(node).to_vec())
        .collect()
}

fn any_flags() -> impl Strategy<Value = CompFlags> {
    let codes: Vec<Codes> = written_codes().collect();
    let code = || prop::sample::select(codes.clone());
    let limits = (
        prop::sample::select(vec![0usize, 1, 3, 7, 16]),
        prop::sample::select(vec![0usize, 1, 3, i32::MAX as usize]),
        prop::sample::select(vec![0usize, 2, 4, 5]),
    );
    let codes = (code(), code(), code(), code(), code());
    (codes, limits).prop_map(|(codes, (window, references, interval))| CompFlags {
        outdegrees: codes.0,
        references: codes.1,
        blocks: codes.2,
        intervals: codes.3,
        residuals: codes.4,
        compression_window: window,
        max_ref_count: references,
        min_interval_length: interval,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn the_same_arcs_under_any_codes((n, arcs) in digraphs(), flags in any_flags(), auto in any::<bool>()) {
        let folder = TempDir::new().unwrap();
        let (from, to) = (folder.path().join("a.bv"), folder.path().join("b.bv"));
        let graph = Csr::from_arcs(n, arcs).unwrap();
        write_bundle(&graph, None, &from, BundleOptions::default()).unwrap();
        let source = StoredGraph::open(&from).unwrap();
        let mut recoding = Recoding { coding: Coding { flags, best: Vec::new() }, replace: false };
        if auto {
            recoding.coding.set_codes("auto").unwrap();
        }
        let recoder = Recoder::new(&source, recoding, &to, &Silent).unwrap();
        let (written, _) = recoder.write(&to, &Silent).unwrap();
        let again = StoredGraph::open(&to).unwrap();
        checked(&again).unwrap();
        prop_assert_eq!(&again.successors(&Silent).unwrap(), &graph);
        prop_assert_eq!(again.compressed().unwrap().num_bits(), written.after);
        prop_assert_eq!(again.properties().window, flags.compression_window);
        if n > 0 {
            prop_assert_eq!(upstream(&to.join("graph")), rows(&graph));
        }
    }
}

/// Without references, lists are what they are: the best codes take what was counted.
#[test]
fn the_best_codes_take_the_bits_that_were_counted() {
    let folder = TempDir::new().unwrap();
    let to = folder.path().join("b.bv");
    for name in ["debian", "rust-doc"] {
        let from = Path::new(webrank_testing::at!("graphs"))
            .join(name)
            .with_extension("bv");
        let flags = CompFlags {
            compression_window: 0,
            ..CompFlags::default()
        };
        let rows = StoredGraph::open(&from)
            .unwrap()
            .successors(&Silent)
            .unwrap();
        let counts = FieldCounts::of_rows(&rows, &flags, &Silent).unwrap();
        let best = counts.best_codes(&flags);
        let bits = CodeGroup::ALL
            .map(|group| counts.group_bits(group, LabCode::standard(group.code(&best))));
        let (written, _) = recoded(&from, &to, flags, "auto");
        assert_eq!(u128::from(written.after), bits.iter().sum::<u128>());
    }
}

#[test]
fn default_codes_give_the_bytes_that_an_import_gives() {
    let folder = TempDir::new().unwrap();
    let to = folder.path().join("b.bv");
    let from = Path::new(webrank_testing::at!("graphs/debian.bv"));
    let (auto, _) = recoded(from, &to, CompFlags::default(), "auto");
    assert!(auto.after < auto.before);
    recoded(
        &to.clone(),
        &folder.path().join("c.bv"),
        CompFlags::default(),
        "default",
    );
    for name in [
        "graph.graph",
        "graph.properties",
        "graph.ef",
        "names.txt.zst",
        "names.index",
    ] {
        let [before, after] = [from.join(name), folder.path().join("c.bv").join(name)]
            .map(|path| fs::read(path).unwrap());
        assert!(before == after, "{name}");
    }
    // It was compact, and is.
    let files = fs::read_dir(folder.path().join("c.bv")).unwrap().count();
    assert_eq!(files, 6);
}

#[test]
fn every_direction_has_its_own_best_codes_and_names_are_kept() {
    let folder = TempDir::new().unwrap();
    let [from, to] = ["a.bv", "b.bv"].map(|name| folder.path().join(name));
    // Every node points to a node of its own far away; all point to the first.
    let arcs = (0..4000u32).flat_map(|x| [(x, 0), (x, x * 7 % 4001), (x, x * x % 3989)]);
    let graph = Csr::from_arcs(4001, arcs).unwrap();
    let names: Vec<Box<str>> = (0..4001).map(|x| format!("n{x:05}").into()).collect();
    write_bundle(&graph, Some(&names), &from, BundleOptions::default()).unwrap();
    let (forward, transpose) = recoded(&from, &to, CompFlags::default(), "auto");
    let transpose = transpose.unwrap();
    let codes = |recoded: &Recoded| CodeGroup::ALL.map(|group| group.code(&recoded.flags));
    assert_ne!(codes(&forward), codes(&transpose));
    assert!(forward.after < forward.before && transpose.after < transpose.before);
    let source = StoredGraph::open(&to).unwrap();
    let said = checked(&source).unwrap().join("\n");
    assert!(said.contains("the transpose holds exactly"), "{said}");
    assert!(said.contains("4001 names"), "{said}");
    assert_eq!(
        rows(&graph.transpose().unwrap()),
        upstream(&to.join("transpose"))
    );
    // Opened by its transpose, a bundle is written the other way round.
    let turned = folder.path().join("c.bv");
    recoded(
        &to.join("transpose"),
        &turned,
        CompFlags::default(),
        "default",
    );
    let turned = StoredGraph::open(&turned).unwrap();
    checked(&turned).unwrap();
    assert_eq!(
        turned.successors(&Silent).unwrap(),
        graph.transpose().unwrap()
    );
}

#[test]
fn names_of_codes() {
    let mut recoding = Recoding {
        coding: Coding::default(),
        replace: false,
    };
    recoding
        .coding
        .set_codes("auto,residuals=zeta(5), blocks=default")
        .unwrap();
    assert_eq!(
        recoding.coding.best,
        [
            CodeGroup::Outdegrees,
            CodeGroup::References,
            CodeGroup::Intervals
        ]
    );
    assert_eq!(recoding.coding.flags.residuals, Codes::Zeta(5));
    assert_eq!(recoding.coding.flags.blocks, Codes::Gamma);
    recoding
        .coding
        .set_codes("residuals=auto,outdegrees=pi2")
        .unwrap();
    assert_eq!(recoding.coding.best, [CodeGroup::Residuals]);
    assert_eq!(recoding.coding.flags.outdegrees, Codes::Pi(2));
    for wrong in [
        "",
        "best",
        "residual=gamma",
        "residuals=golomb3",
        "blocks",
        "blocks=",
        "=gamma",
        "residuals=zeta9",
    ] {
        let problem = recoding.coding.set_codes(wrong).unwrap_err().to_string();
        assert!(
            problem.contains("components are") && problem.lines().count() == 1,
            "{problem}"
        );
    }
}

#[test]
fn another_transpose_is_refused_and_nothing_is_left() {
    let folder = TempDir::new().unwrap();
    let [one, other] = [2u32, 3].map(|step| {
        let arcs = (0..50u32).map(|x| (x, x * step % 50));
        let path = folder.path().join(format!("{step}.bv"));
        let graph = Csr::from_arcs(50, arcs).unwrap();
        write_bundle(&graph, None, &path, BundleOptions::default()).unwrap();
        path
    });
    let mixed = folder.path().join("mixed");
    fs::create_dir(&mixed).unwrap();
    for (from, stem, to) in [(&one, "graph", "g"), (&other, "transpose", "g-t")] {
        for extension in ["graph", "properties"] {
            let from = from.join(stem).with_extension(extension);
            fs::copy(from, mixed.join(format!("{to}.{extension}"))).unwrap();
        }
    }
    let source = StoredGraph::open(&mixed.join("g")).unwrap();
    let recoding = Recoding {
        coding: Coding::default(),
        replace: false,
    };
    let output = folder.path().join("out.bv");
    let problem = Recoder::new(&source, recoding, &output, &Silent)
        .err()
        .unwrap();
    assert!(
        problem
            .to_string()
            .contains("g-t.graph: these are not the reversed arcs"),
        "{problem}"
    );
    assert!(!output.exists());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}
