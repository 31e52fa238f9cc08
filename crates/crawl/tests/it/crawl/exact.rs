//! `rank ingest --merge-copies`: pages with the same bytes become one.

use super::archives::*;
use std::collections::BTreeSet;
use webrank_crawl::ingest::IngestOptions;
use webrank_testing::cli::*;
use webrank_testing::mutants::Random;

/// Random webs in which pages are one of few texts, without text too: those with the same bytes have one node,
/// that of the first, which links to all that any of them links to.
#[test]
fn pages_with_the_same_bytes_become_the_first_of_them() {
    let mut merged = 0;
    for seed in 0..40 {
        let random = &mut Random(seed);
        let count = 1 + random.below(12);
        let html = |kind: usize| match kind {
            0 => String::new(),
            1 => "<a href=/1>".to_owned(),
            kind => format!("<a href=/{kind}>x</a><a href=/0> {}", kind % 2),
        };
        let kinds: Vec<usize> = (0..count).map(|_| random.below(6)).collect();
        let first = |page: usize| kinds.iter().position(|kind| *kind == kinds[page]).unwrap();
        let url = |page: usize| format!("http://a/{page}");
        let records: Vec<Vec<u8>> = (0..count)
            .map(|page_| page(&url(page_), &html(kinds[page_])))
            .collect();
        let options = IngestOptions {
            merge_copies: true,
            ..options()
        };
        let (web, counts) = ingest_records(&records, options);
        let nodes: BTreeSet<String> = (0..count).map(|page| url(first(page))).collect();
        assert_eq!(
            web.nodes,
            nodes.iter().cloned().collect::<Vec<_>>(),
            "{seed}"
        );
        let copies = count - nodes.len();
        assert_eq!(counts.pages_copied, copies as u64);
        assert_eq!(counts.pages_merged, 0);
        let mut arcs = BTreeSet::new();
        for (page, &kind) in kinds.iter().enumerate() {
            let to: &[usize] = match kind {
                0 => &[],
                1 => &[1],
                kind => &[kind, 0],
            };
            for &to in to.iter().filter(|to| **to < count) {
                // Links between copies are none.
                if first(to) != first(page) || to == page {
                    arcs.insert(format!("{} {}", url(first(page)), url(first(to))));
                }
            }
        }
        assert_eq!(web.arcs, arcs, "{seed} {kinds:?}");
        merged += copies;
    }
    assert!(merged > 80, "{merged}");
}

/// The command tells the copies, also after a kill; the manifest names what fingerprints are made of.
#[test]
fn the_command_tells_copies_and_signals() {
    let folder = tempfile::tempdir().unwrap();
    let body = "<p>the same words as in the others";
    let names = ["z", "b", "c"];
    let records: Vec<Vec<u8>> = names
        .iter()
        .map(|name| gzip(&page(&format!("http://a/{name}"), body)))
        .chain([gzip(&page("http://a/d", "<p>other words"))])
        .collect();
    std::fs::write(folder.path().join("a.warc.gz"), records.concat()).unwrap();
    let run = |more: &[&str]| {
        let base = [
            "ingest",
            "a.warc.gz",
            "-o",
            "web.bv",
            "--force",
            "--fingerprints",
        ];
        run_in(folder.path(), &[&base[..], more].concat())
    };
    let (code, said, problem) = run(&[
        "--merge-copies",
        "--signals",
        "characters=5",
        "--bits",
        "32",
    ]);
    assert_eq!(code, Some(0), "{problem}");
    assert!(
        said.contains("4 pages; 2 merged with pages of the same bytes"),
        "{said}"
    );
    let bundle = folder.path().join("web.bv");
    let table = std::fs::read_to_string(bundle.join("merged.tsv")).unwrap();
    assert_eq!(table, "http://a/b\thttp://a/z\nhttp://a/c\thttp://a/z\n");
    let manifest = std::fs::read(bundle.join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    let made = serde_json::json!({"signals": "characters=5", "bits": 32, "weights": "count"});
    assert_eq!(manifest["made_from"]["fingerprints"], made);
    stdout(&["check", text(&bundle)]);
    let (code, _, problem) = run(&["--merge-copies", "--merge-duplicates"]);
    assert_eq!(code, Some(2), "{problem}");
    let (code, _, problem) = run(&["--memory", "1K"]);
    assert_eq!(code, Some(1), "{problem}");
    assert!(
        problem.starts_with("rank: ingest needs up to "),
        "{problem}"
    );
}
