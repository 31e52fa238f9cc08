//! Records of WARC and WAT files, and the graph that they become.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use webrank_base::Node;
use webrank_base::error::Result;
use webrank_base::progress::Silent;
use webrank_crawl::ingest;
use webrank_crawl::ingest::{IngestCounts, IngestOptions, Ingested, Nofollow, Targets};
use webrank_crawl::near::Signals;
use webrank_crawl::sieve::SieveKind;
use webrank_formats::import::ImportOptions;
use webrank_graph::Graph;
use webrank_graph::bundle::BundleOptions;

/// A record of a WARC file.
pub fn record(kind: &str, url: &str, content_type: &str, content: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\nContent-Type: {content_type}\r\n\
         Content-Length: {}\r\n\r\n",
        content.len()
    );
    [head.as_bytes(), content, b"\r\n\r\n"].concat()
}

/// A response with these fields (each ends in `\r\n`).
pub fn response(url: &str, status: &str, fields: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status}\r\n{fields}\r\n");
    let content = [head.as_bytes(), body].concat();
    record(
        "response",
        url,
        "application/http; msgtype=response",
        &content,
    )
}

/// A page of HTML.
pub fn page(url: &str, html: &str) -> Vec<u8> {
    response(
        url,
        "200 OK",
        "Content-Type: text/html\r\n",
        html.as_bytes(),
    )
}

/// A redirect.
pub fn redirect(from: &str, to: &str) -> Vec<u8> {
    let location = format!("Location: {to}\r\n");
    response(from, "301 Moved Permanently", &location, b"")
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

/// The usual options.
pub fn options() -> IngestOptions {
    IngestOptions {
        targets: Targets::Crawled,
        nofollow: Nofollow::Keep,
        sieve: SieveKind::Memory,
        goal: None,
        max_page: 1 << 20,
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

/// A graph: its nodes, and its arcs as `source target`.
#[derive(Debug, PartialEq, Eq)]
pub struct Web {
    pub nodes: Vec<String>,
    pub arcs: BTreeSet<String>,
}

impl Web {
    pub fn of(bundle: &Path) -> Self {
        let graph = Graph::open(bundle).unwrap();
        let rows = graph.successors(&Silent).unwrap();
        let nodes = 0..graph.num_nodes() as Node;
        let name = |node: Node| graph.name(node).to_string();
        let arcs = nodes.clone().flat_map(|node| {
            let targets = rows.row(node).iter();
            targets.map(move |&target| format!("{} {}", name(node), name(target)))
        });
        let arcs = arcs.collect();
        Web {
            nodes: nodes.map(|node| graph.name(node).to_string()).collect(),
            arcs,
        }
    }

    /// Arcs without `http://a/`.
    pub fn short_arcs(&self) -> Vec<String> {
        let short = |arc: &String| arc.replace("http://a/", "/");
        self.arcs.iter().map(short).collect()
    }
}

/// Ingests sources into a bundle in `folder`.
pub fn try_ingest(
    folder: &Path,
    sources: &[PathBuf],
    options: IngestOptions,
) -> Result<(Web, Ingested)> {
    let bundle = folder.join("web.bv");
    let replace = BundleOptions {
        replace: true,
        compact: true,
    };
    let made = ingest::ingest(sources, options, &bundle, replace, &Silent)?;
    Ok((Web::of(&bundle), made))
}

/// Ingests an archive of these records.
pub fn ingest_records(records: &[Vec<u8>], options: IngestOptions) -> (Web, IngestCounts) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc");
    std::fs::write(&path, records.concat()).unwrap();
    let (web, made) = try_ingest(folder.path(), &[path], options).unwrap();
    (web, made.counts)
}
