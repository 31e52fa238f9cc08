//! A target for what users search for.

use serde_json::json;
use webrank_base::progress::Silent;
use webrank_graph::Graph;
use webrank_graph::bundle::{BundleOptions, Nodes, write_nodes};
use webrank_retrieval::build::{IndexOptions, build, names};
use webrank_retrieval::collection::Collection;
use webrank_retrieval::expression::Expression;
use webrank_retrieval::fields::FieldWeights;
use webrank_retrieval::matching::Scoring;
use webrank_retrieval::runs::{Options, parse_measures, read_judgements, read_run, summary};
use webrank_testing::fuzz::{Target, clean, folder, split, written};

/// All targets: each has a file in `fuzz/fuzz_targets` and a folder in `fuzz/corpus`.
pub const TARGETS: &[(&str, Target)] = &[("query", query), ("trec_run", trec_run)];

/// Runs the target of this name, for the programs in `fuzz`.
#[allow(dead_code)]
pub fn run(name: &str, bytes: &[u8]) {
    let found = TARGETS.iter().find(|(target, _)| *target == name);
    found.expect("a target").1(bytes);
}

/// Pages of few words, so that many queries find some of them.
const PAGES_OF_WORDS: [(&str, &str, &[&str]); 5] = [
    ("Ant and bee", "ant bee cat ant", &["bee"]),
    ("", "the cat of the ant, the bee: a b", &[]),
    ("x", "bee", &["ant bee", "cat"]),
    ("東京 é", "or and not to title body ^2 1", &["a"]),
    ("empty", "", &[]),
];

/// An index of the pages in a folder.
fn collection() -> Collection {
    let folder = folder();
    let (bundle, index) = (folder.join("q.bv"), folder.join("q.index"));
    let graph = Graph::from_arcs(PAGES_OF_WORDS.len(), [(0, 1)]).expect("a graph");
    let rows = graph.successors(&Silent).expect("rows");
    let urls =
        ["ant", "bee", "cat", "x", "y"].map(|name| format!("https://{name}.example/").into());
    let nodes = Nodes {
        names: Some(&urls),
        fingerprints: None,
    };
    write_nodes(&rows, None, nodes, &bundle, BundleOptions::default()).expect("a bundle");
    let lines = PAGES_OF_WORDS
        .iter()
        .enumerate()
        .map(|(node, (title, text, anchors))| {
            let page = json!({"node": node, "title": title, "text": text, "anchors": anchors});
            format!("{page}\n")
        });
    let lines: String = lines.collect();
    let packed = zstd::encode_all(lines.as_bytes(), 1).expect("a list takes every byte");
    std::fs::write(bundle.join("pages.jsonl.zst"), packed).expect("a file");
    // It does not know the texts.
    std::fs::remove_file(bundle.join("manifest.json")).expect("a file");
    let names = names(&bundle).expect("names");
    build(&bundle, &names, &index, IndexOptions::within(0), &Silent).expect("an index");
    Collection::open(&index).expect("an index")
}

/// A query, as it is written and as words: every page that matches has parts that sum to its score.
pub fn query(bytes: &[u8]) {
    thread_local! {
        static COLLECTION: Collection = collection();
    }
    let text = String::from_utf8_lossy(bytes);
    let (weights, usual) = (FieldWeights::default(), Scoring::default());
    let parsed = clean(Expression::parse(&text, &weights));
    let words = clean(Expression::of_words(&text, &weights));
    COLLECTION.with(|collection| {
        for expression in parsed.iter().chain(&words) {
            let matches = collection
                .scored(expression, &usual)
                .expect("a sound index");
            assert!(matches.is_empty() || !expression.is_empty());
            let best = collection.best(&matches, None, 3);
            assert_eq!(best.len(), matches.len().min(3));
            for hit in best {
                let parts = collection.parts_by(expression, &usual, hit.page);
                let parts = parts.expect("it matches");
                let (sum, score) = (parts.iter().sum::<f64>(), hit.score);
                assert!(
                    (sum - score).abs() <= 1e-4 * (1.0 + score.abs()),
                    "{parts:?}, {score}"
                );
            }
        }
        if let Some(words) = words {
            let all = collection.matches(&words).expect("a sound index");
            assert!(all.len() <= collection.len());
        }
    });
}

/// A ranking and judgements, separated by a byte 0: finite measures, or a line about what is wrong.
pub fn trec_run(bytes: &[u8]) {
    let (run, judged) = split(bytes);
    let path = written("run.txt", run);
    let run = clean(read_run(&path));
    let judged = clean(read_judgements(&written("qrels.txt", judged)));
    let measures = clean(parse_measures("all")).expect("a list");
    if let (Some(run), Some(judged)) = (run, judged)
        && let Some(found) = clean(summary(
            [&path; 2],
            &run,
            &judged,
            &measures,
            &Options::default(),
        ))
    {
        assert!(found.all.iter().all(|value| value.is_finite()), "{found:?}");
    }
}
