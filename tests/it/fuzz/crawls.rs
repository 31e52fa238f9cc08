//! Targets for what crawls are made of.

use super::{clean, folder};
use webrank::Silent;
use webrank::internals::crawl::ingest::{IngestOptions, Nofollow, Targets, ingest as make};
use webrank::internals::crawl::near::FingerprintList;
use webrank::internals::crawl::sieve::SieveKind;
use webrank::internals::graph::Source;
use webrank::internals::graph::bundle::BundleOptions;
use webrank::internals::graph::check::check;
use webrank::internals::graph::import::ImportOptions;
use webrank::internals::graph::text::records::Records;

/// A list of fingerprints.
pub fn fingerprints(bytes: &[u8]) {
    if let Some(list) = clean(FingerprintList::parse(Records::of_bytes(bytes))) {
        let named = list.names.map(|names| names.len());
        assert!(named.is_none_or(|named| named == list.fingerprints.len()));
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
        sieve: SieveKind::Memory,
        max_page: if is(3) { 100 } else { 1 << 16 },
        base: "https://example.org/".to_owned(),
        fingerprints: is(4),
        merge_duplicates: is(5).then_some(3),
        text: is(6),
        checkpoint: None,
        fold: None,
        import: ImportOptions::default(),
    };
    let bundle = folder.join("web.bv");
    let replace = BundleOptions {
        replace: true,
        compact: true,
    };
    let Some(made) = clean(make(&[source], options, &bundle, replace, &Silent)) else {
        return;
    };
    let source = Source::open(&bundle).expect("it was just written");
    let names = source.names().expect("it was just written");
    check(&source, names.as_ref(), &Silent).expect("it was just written");
    let counts = made.counts;
    assert!(counts.pages - counts.pages_merged <= made.graph.nodes);
    let Some(names) = names else {
        return;
    };
    for node in 0..names.len() {
        let name = names.get(node as u32);
        assert!(name.starts_with("http") && name.bytes().all(|byte| byte.is_ascii_graphic()));
    }
}
