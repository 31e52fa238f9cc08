//! Targets for what crawls are made of.

use std::path::Path;
use webrank_base::progress::Silent;
use webrank_crawl::ingest::{IngestOptions, Ingested, Nofollow, Targets, ingest as make};
use webrank_crawl::near::{FingerprintList, Signals};
use webrank_crawl::sieve::SieveKind;
use webrank_formats::import::ImportOptions;
use webrank_graph::StoredGraph;
use webrank_graph::bundle::BundleOptions;
use webrank_graph::check::check;
use webrank_tables::text::records::Records;
use webrank_testing::fuzz::{Target, clean, folder, split};

/// All targets: each has a file in `fuzz/fuzz_targets` and a folder in `fuzz/corpus`.
pub const TARGETS: &[(&str, Target)] = &[
    ("fingerprints", fingerprints),
    ("ingest", ingest),
    ("fetched", fetched),
];

/// Runs the target of this name, for the programs in `fuzz`.
#[allow(dead_code)]
pub fn run(name: &str, bytes: &[u8]) {
    let found = TARGETS.iter().find(|(target, _)| *target == name);
    found.expect("a target").1(bytes);
}

/// A list of fingerprints.
pub fn fingerprints(bytes: &[u8]) {
    if let Some(list) = clean(FingerprintList::parse(Records::of_bytes(bytes))) {
        let named = list.names.map(|names| names.len());
        assert!(named.is_none_or(|named| named == list.fingerprints.len()));
    }
}

const REPLACE: BundleOptions = BundleOptions {
    replace: true,
    compact: true,
};

fn plain() -> IngestOptions {
    IngestOptions {
        targets: Targets::All,
        nofollow: Nofollow::Drop,
        sieve: SieveKind::Memory,
        goal: None,
        max_page: 1 << 16,
        base: "https://example.org/".to_owned(),
        fingerprints: false,
        signals: Signals::default(),
        merge_duplicates: None,
        merge_copies: false,
        text: false,
        checkpoint: None,
        fold: None,
        import: ImportOptions::default(),
    }
}

/// A byte of options, and an archive, or a page of HTML in a folder.
pub fn ingest(bytes: &[u8]) {
    let [options, bytes @ ..] = bytes else {
        return;
    };
    let is = |bit: u8| options >> bit & 1 == 1;
    let folder = folder().join("crawl");
    let mirror = folder.join("mirror");
    std::fs::create_dir_all(&mirror).expect("a folder");
    let (source, file) = match is(0) {
        true => (mirror.clone(), mirror.join("page.html")),
        false => (folder.join("a.warc"), folder.join("a.warc")),
    };
    std::fs::write(file, bytes).expect("a file");
    let options = IngestOptions {
        targets: if is(1) {
            Targets::All
        } else {
            Targets::Crawled
        },
        nofollow: if is(2) {
            Nofollow::Drop
        } else {
            Nofollow::Keep
        },
        max_page: if is(3) { 100 } else { 1 << 16 },
        fingerprints: is(4),
        merge_duplicates: is(5).then_some(3),
        text: is(6),
        ..plain()
    };
    let bundle = folder.join("web.bv");
    let Some(made) = clean(make(&[source], options, &bundle, REPLACE, &Silent)) else {
        return;
    };
    check_made(&bundle, &made);
}

/// Checks that a graph that was made is sound.
fn check_made(bundle: &Path, made: &Ingested) {
    let source = StoredGraph::open(bundle).expect("it was just written");
    let names = source.names().expect("it was just written");
    check(&source, names.as_ref(), &Silent).expect("it was just written");
    let counts = &made.counts;
    assert!(counts.pages - counts.pages_merged <= made.graph.nodes);
    let Some(names) = names else {
        return;
    };
    for node in 0..names.len() {
        let name = names.get(node as u32);
        assert!(name.starts_with("http") && name.bytes().all(|byte| byte.is_ascii_graphic()));
    }
}

/// A URL, a byte 0, and a response to a crawler: as a page, as a robots.txt, and as a record of the archive.
pub fn fetched(bytes: &[u8]) {
    use std::time::Duration;
    use webrank_crawl::crawler::trial;
    const MAX_PAGE: usize = 1 << 14;
    let (url, response) = split(bytes);
    let Ok(url) = std::str::from_utf8(url) else {
        return;
    };
    let Some(trial) = trial(url, "testbot", response, MAX_PAGE) else {
        return;
    };
    for to in &trial.leads_to {
        assert!(
            to.starts_with("http") && to.bytes().all(|byte| byte.is_ascii_graphic()),
            "{to:?}"
        );
    }
    if let Some((_, Some(delay))) = trial.rules {
        assert!(delay < Duration::MAX);
    }
    assert!(
        trial
            .retry_after
            .is_none_or(|wait| wait <= Duration::from_secs(600))
    );
    assert!(!trial.is_page || !trial.record.is_empty());
    if trial.record.is_empty() {
        return;
    }
    // `rank ingest` reads what the crawler writes.
    let folder = folder().join("fetched");
    std::fs::create_dir_all(&folder).expect("a folder");
    let archive = folder.join("a.warc.gz");
    std::fs::write(&archive, &trial.record).expect("a file");
    let bundle = folder.join("web.bv");
    let options = IngestOptions {
        max_page: MAX_PAGE as u64,
        ..plain()
    };
    let made = clean(make(&[archive], options, &bundle, REPLACE, &Silent)).expect("an archive");
    check_made(&bundle, &made);
    assert_eq!(
        (made.counts.records, made.counts.pages),
        (1, trial.is_page.into())
    );
}
