//! `rank check` compares what Java's properties state about the lists with the lists.

use dsi_bitstream::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use webrank_base::progress::Silent;
use webrank_graph::{Csr, StoredGraph};
use webrank_testing::graphs;

type Bits = BufBitWriter<BE, MemWordWriterVec<u64, Vec<u64>>>;
type Counts = BTreeMap<&'static str, usize>;

/// Writes numbers in gamma code or unary, and counts their bits.
struct Writer {
    bits: Bits,
    counts: Counts,
    total: usize,
}

impl Writer {
    fn gamma(&mut self, component: &'static str, number: u64) {
        let written = self.bits.write_gamma(number).unwrap();
        self.add(component, written);
    }

    fn add(&mut self, component: &'static str, count: usize) {
        *self.counts.entry(component).or_default() += count;
        if component.starts_with("bits") {
            self.total += count;
        }
    }

    fn reference(&mut self, back: u64) {
        let written = self.bits.write_unary(back).unwrap();
        self.add("bitsforreferences", written);
    }
}

/// Eight nodes whose lists are known by hand: node 0 points to 1 to 6 (an interval) and node 7 (a
/// residual); each other node copies from the one before all but its first block of two, and adds 0.
fn write(basename: &Path) -> (Csr, Counts) {
    let mut out = Writer {
        bits: Bits::new(MemWordWriterVec::new(Vec::new())),
        counts: Counts::new(),
        total: 0,
    };
    let names = [
        "blocks",
        "intervals",
        "outdegrees",
        "references",
        "residuals",
    ];
    for name in names.map(|name| &*format!("bitsfor{name}").leak()) {
        out.add(name, 0);
    }
    out.gamma("bitsforoutdegrees", 7);
    out.reference(0);
    out.gamma("bitsforintervals", 1);
    out.gamma("bitsforintervals", 2); // 1 = 0 + 1, as a natural number
    out.gamma("bitsforintervals", 6 - 4);
    out.add("intervalisedarcs", 6);
    out.gamma("bitsforresiduals", 14);
    out.add("residualarcs", 1);
    let mut rows = vec![vec![1, 2, 3, 4, 5, 6, 7]];
    for node in 1..4 {
        let copied: Vec<u32> = rows[node - 1][2..].to_vec();
        out.gamma("bitsforoutdegrees", copied.len() as u64 + 1);
        out.reference(1);
        // Two blocks: none copied, two skipped; the rest is copied.
        out.gamma("bitsforblocks", 2);
        out.gamma("bitsforblocks", 0);
        out.gamma("bitsforblocks", 1);
        out.add("copiedarcs", copied.len());
        out.gamma("bitsforintervals", 0);
        out.gamma("bitsforresiduals", 2 * node as u64 - 1); // 0 = node - node
        out.add("residualarcs", 1);
        rows.push([vec![0], copied].concat());
    }
    for _ in 4..8 {
        out.gamma("bitsforoutdegrees", 0);
        rows.push(Vec::new());
    }
    let words = out.bits.into_inner().unwrap().into_inner();
    let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    bytes.truncate(out.total.div_ceil(8));
    std::fs::write(basename.with_extension("graph"), bytes).unwrap();
    let arcs = (0..)
        .zip(&rows)
        .flat_map(|(x, row)| row.iter().map(move |&y| (x, y)));
    let graph = Csr::from_arcs(8, arcs).unwrap();
    (graph, out.counts)
}

fn checked(basename: &Path, graph: &Csr, counts: &Counts) -> Result<Vec<String>, String> {
    let stated = counts
        .iter()
        .map(|(name, count)| format!("{name}={count}\n"));
    let properties = format!(
        "graphclass=it.unimi.dsi.webgraph.BVGraph\nversion=0\nnodes=8\narcs={}\nzetak=3\n\
         compressionflags=RESIDUALS_GAMMA\n{}",
        graph.num_arcs(),
        stated.collect::<String>()
    );
    std::fs::write(basename.with_extension("properties"), properties).unwrap();
    let source = StoredGraph::open(basename).map_err(|problem| problem.to_string())?;
    assert_eq!(&source.successors(&Silent).unwrap(), graph);
    graphs::checked(&source).map_err(|problem| problem.to_string())
}

#[test]
fn statistics_of_java_are_compared() {
    let folder = tempfile::tempdir().unwrap();
    let basename = folder.path().join("g");
    let (graph, counts) = write(&basename);
    assert_eq!(counts.len(), 8);
    let said = checked(&basename, &graph, &counts).unwrap();
    crate::counted::check(&StoredGraph::open(&basename).unwrap());
    assert!(
        said.iter().any(|said| said.starts_with("8 statistics")),
        "{said:?}"
    );
    for (&name, &count) in &counts {
        for wrong in [count + 1, count.wrapping_sub(1) % 1000, 2 * count + 1] {
            let mut stated = counts.clone();
            stated.insert(name, wrong);
            let message = checked(&basename, &graph, &stated).unwrap_err();
            let stated =
                format!("g.graph: the properties state {name}={wrong}, but the lists have");
            assert!(message.contains(&stated), "{message}");
        }
        let one = Counts::from([(name, count)]);
        checked(&basename, &graph, &one).unwrap();
    }
    let none = checked(&basename, &graph, &Counts::new()).unwrap();
    assert!(!none.iter().any(|said| said.contains("statistics")));
}

#[test]
fn codes_longer_than_64_bits_are_damage() {
    let folder = tempfile::tempdir().unwrap();
    let basename = folder.path().join("g");
    let arcs = (0..40u32).map(|x| (x, x * x * 7 % 1000));
    let graph = Csr::from_arcs(1000, arcs).unwrap();
    let row = |x: usize| graph.row(x as u32).iter().map(move |&y| (x, y as usize));
    let mut upstream = webgraph::prelude::VecGraph::empty(1000);
    upstream.add_arcs((0..1000).flat_map(row));
    let mut comp = webgraph::prelude::BvComp::with_basename(&basename);
    comp.comp_graph::<BE>(&upstream).unwrap();
    let properties = basename.with_extension("properties");
    let text = std::fs::read_to_string(&properties).unwrap();
    let kept = text.lines().filter(|line| !line.starts_with("length="));
    std::fs::write(&properties, kept.collect::<Vec<_>>().join("\n")).unwrap();
    let _ = std::fs::remove_file(basename.with_extension("offsets"));
    let file = basename.with_extension("graph");
    let bytes = std::fs::read(&file).unwrap();
    let mut long = 0;
    for place in 0..30 {
        let (before, after) = bytes.split_at(place);
        std::fs::write(&file, [before, &[0; 64], after].concat()).unwrap();
        let source = StoredGraph::open(&basename).unwrap();
        let message = source.successors(&Silent).unwrap_err().to_string();
        assert!(message.contains("g.graph: node "), "{place}: {message}");
        assert_eq!(message.lines().count(), 1);
        long += usize::from(message.contains("a number is longer than any in a graph"));
    }
    // Unless the rest of the number before is wrong already.
    assert!(long > 5, "{long}");
}
