//! Folders of HTML.

use super::archives::*;
use std::path::Path;
use webrank_crawl::ingest::{IngestOptions, Targets};

fn write(folder: &Path, files: &[(&str, &str)]) {
    for (name, text) in files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

#[test]
fn files_are_pages_and_links_are_read_as_a_server_would() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("mirror");
    write(
        &root,
        &[
            (
                "index.html",
                "<a href=sub><a href=sub/><a href=sub/index.html?x#y><a href='a%20b.html'>
                 <a href=%61%20b.html><a href=ü.html><a href='q.html?x=1'><a href=missing.html>
                 <a href=/docs/sub/><a href=https://example.org/elsewhere>",
            ),
            (
                "sub/index.html",
                "<a href=..><a href=../index.html><a href=deep/er/x.HTM>",
            ),
            ("sub/deep/er/x.HTM", "<a href=x.HTM>"),
            ("a b.html", ""),
            ("ü.html", ""),
            ("q.html", ""),
            ("q.html?x=1.html", ""),
            ("style.css", "<a href=index.html>"),
            ("page.txt", "<a href=index.html>"),
        ],
    );
    #[cfg(unix)]
    std::os::unix::fs::symlink("index.html", root.join("link.html")).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(".", root.join("loop")).unwrap();
    let based = || IngestOptions {
        base: "https://example.org/docs".to_owned(),
        ..options()
    };
    let (web, made) = try_ingest(folder.path(), std::slice::from_ref(&root), based()).unwrap();
    let short: Vec<String> = web
        .nodes
        .iter()
        .map(|n| n.replace("https://example.org/docs/", ""))
        .collect();
    assert_eq!(
        short,
        [
            "%C3%BC.html",
            "a%20b.html",
            "index.html",
            "q.html",
            "q.html%3Fx=1.html",
            "sub/deep/er/x.HTM",
            "sub/index.html",
        ]
    );
    let arcs: Vec<String> = web
        .arcs
        .iter()
        .map(|a| a.replace("https://example.org/docs/", ""))
        .collect();
    assert_eq!(
        arcs,
        [
            "index.html %C3%BC.html",
            "index.html a%20b.html",
            "index.html q.html",
            "index.html sub/index.html",
            "sub/deep/er/x.HTM sub/deep/er/x.HTM",
            "sub/index.html index.html",
            "sub/index.html sub/deep/er/x.HTM",
        ]
    );
    assert_eq!(made.counts.links_not_crawled, 2);
    let all = IngestOptions {
        targets: Targets::All,
        ..based()
    };
    let (web, _) = try_ingest(folder.path(), std::slice::from_ref(&root), all).unwrap();
    assert!(
        web.nodes
            .contains(&"https://example.org/elsewhere".to_owned())
    );
    // Without a base, names show no folder of this machine.
    let bare = IngestOptions {
        base: "file:///".to_owned(),
        ..options()
    };
    let (web, _) = try_ingest(folder.path(), std::slice::from_ref(&root), bare).unwrap();
    assert!(web.nodes.contains(&"file:///sub/index.html".to_owned()));
    assert_eq!(web.arcs.len(), 7);
}

#[test]
fn a_mirror_and_an_archive_make_one_graph() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("mirror");
    write(&root, &[("x.html", "<a href=http://a/1>")]);
    let archive = folder.path().join("a.warc.gz");
    std::fs::write(
        &archive,
        gzip(&page("http://a/1", "<a href=https://example.org/x.html>")),
    )
    .unwrap();
    let (web, _) = try_ingest(folder.path(), &[root, archive], options()).unwrap();
    assert_eq!(web.arcs.len(), 2);
}
