//! Files of ARC make the graphs that files of WARC make. The fixtures are written and checked by
//! `tests/fixtures/make_arc_fixtures.py`.

use super::archives::*;
use std::path::PathBuf;
use webrank_crawl::ingest::{IngestOptions, Ingested, Targets};
use webrank_testing::mutants::{Random, mutant};

const FIXTURES: [&str; 4] = ["one.arc", "one.arc.gz", "two.arc.gz", "whole.arc.gz"];

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(webrank_testing::at!("tests/fixtures/arc")).join(name)
}

fn ingest(path: PathBuf) -> (Web, Ingested) {
    let folder = tempfile::tempdir().unwrap();
    let options = IngestOptions {
        targets: Targets::All,
        ..options()
    };
    try_ingest(folder.path(), &[path], options).unwrap()
}

#[test]
fn archives_of_both_versions_make_one_graph() {
    for name in FIXTURES {
        let (web, made) = ingest(fixture(name));
        assert_eq!(
            web.nodes,
            [
                "http://a.test/",
                "http://a.test/bare",
                "http://a.test/bees",
                "http://a.test/new"
            ],
            "{name}"
        );
        let arcs: Vec<String> = web
            .arcs
            .iter()
            .map(|arc| arc.replace("http://a.test", ""))
            .collect();
        assert_eq!(
            arcs,
            ["/ /bees", "/ /new", "/bare /new", "/bees /", "/new /bees"],
            "{name}"
        );
        let counts = made.counts;
        assert_eq!(
            (counts.records, counts.pages, counts.redirects),
            (9, 4, 1),
            "{name}"
        );
        assert_eq!(
            (counts.not_ok, counts.not_html, counts.damaged),
            (1, 1, 0),
            "{name}"
        );
    }
}

/// Schemes have no case, only the length of a head is needed, and what is no page of the web is counted.
#[test]
fn every_record_is_a_page_or_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.arc");
    let content = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>x</p>\n";
    let record = |head: &str| format!("{head} {}\n{content}\n", content.len());
    let records = [
        "filedesc://a.arc 0.0.0.0 20040101000000 text/plain",
        "HTTP://A.ORG/1 1.2.3.4 20040101000000 text/html",
        "Https://a.org/2 1.2.3.4 200401010000 text/html",
        "http://a.org/3 1.2.3.4 20040101000000 text/html; charset=utf-8",
        "ftp://a.org/4 1.2.3.4 20040101000000 text/html",
        "mailto:x@a.org 1.2.3.4 20040101000000 text/html",
    ];
    std::fs::write(&path, records.map(record).concat()).unwrap();
    let (web, made) = ingest(path.clone());
    let expected = ["http://a.org/1", "http://a.org/3", "https://a.org/2"];
    assert_eq!(web.nodes, expected);
    let counts = made.counts;
    assert_eq!((counts.records, counts.no_response), (6, 3));
    assert_eq!(counts.damaged, 0);
    // A length beyond the end of the file does not hide what follows.
    let huge = "http://a.org/0 1.2.3.4 20040101000000 text/html 1000000000000000000\nx\n";
    std::fs::write(
        &path,
        [huge.to_owned(), records.map(record).concat()].concat(),
    )
    .unwrap();
    let (web, made) = ingest(path);
    assert_eq!((web.nodes.len(), made.counts.damaged), (3, 1));
    let said = webrank_testing::cli::rank(&["ingest", "a.arc", "-o", "said.bv", "-v"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8(said.stderr).unwrap();
    assert!(said.contains("a.arc: damage at or before byte "), "{said}");
}

/// The pages of the ARC as WARC, with its dates.
#[test]
fn arcs_and_warcs_make_the_same_graph() {
    let html = "Content-Type: text/html\r\n";
    let warc = [
        response(
            "http://a.test/",
            "200 OK",
            html,
            b"<a href=bees>x</a><a href=old>x</a>",
        ),
        response("http://a.test/bees", "200 OK", html, b"<a href=/>x</a>"),
        redirect("http://a.test/old", "/new"),
        response("http://a.test/new", "200 OK", html, b"<a href=/bees>x</a>"),
        record(
            "resource",
            "http://a.test/bare",
            "text/html",
            b"<a href=/new>x</a>",
        ),
    ];
    let options = IngestOptions {
        targets: Targets::All,
        ..options()
    };
    let (expected, _) = ingest_records(&warc, options);
    assert_eq!(ingest(fixture("two.arc.gz")).0, expected);
}

/// 300 mutants of each archive: a part of the graph, or one line.
#[test]
fn damaged_arcs_become_parts_of_their_graph() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["one.arc.gz", "two.arc.gz"] {
        let whole = std::fs::read(fixture(name)).unwrap();
        let (known, _) = ingest(fixture(name));
        let random = &mut Random(11);
        let mut lost = 0;
        for number in 0..300 {
            let path = folder.path().join("a.arc.gz");
            std::fs::write(&path, mutant(&whole, random)).unwrap();
            match try_ingest(folder.path(), &[path], options()) {
                Ok((web, made)) => {
                    // A redirect that is lost leaves its source.
                    let is_known = |arc: &String| known.arcs.contains(arc) || arc.contains("/old");
                    assert!(web.arcs.iter().all(is_known), "{number}: {:?}", web.arcs);
                    lost += usize::from(web.arcs.len() < known.arcs.len());
                    assert!(
                        web.arcs.len() == known.arcs.len()
                            || made.counts.damaged > 0
                            || made.counts.records < 9
                    );
                }
                Err(problem) => {
                    let problem = problem.to_string();
                    assert!(!problem.contains('\n'), "{problem}");
                }
            }
        }
        assert!(lost > 20, "{lost}");
    }
}
