use super::super::formats::tests::{import, import_with, named_arcs, problem};
use crate::import::ImportOptions;
use std::io::{Cursor, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// An archive of these files.
fn archive(files: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        let options = SimpleFileOptions::default().compression_method(method);
        archive.start_file(*name, options).unwrap();
        archive.write_all(content).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

const LIST: &[u8] = b"source,target\nant,bee\nbee,cat\n";

fn expected() -> Vec<(String, String)> {
    let arcs = [("ant", "bee"), ("bee", "cat")];
    arcs.map(|(a, b)| (a.to_owned(), b.to_owned())).to_vec()
}

#[test]
fn the_only_file_of_an_archive_is_read() {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), Default::default());
    gzip.write_all(LIST).unwrap();
    let gzip = gzip.finish().unwrap();
    for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
        for files in [
            &[("links.csv", LIST)][..],
            &[
                ("data/links.csv", LIST),
                ("__MACOSX/data/._links.csv", b"x"),
                (".DS_Store", b"x"),
            ],
            &[("links.csv.gz", &gzip[..])],
        ] {
            let graph = import("links.zip", archive(files, method)).unwrap();
            assert_eq!(named_arcs(&graph), expected(), "{method}");
        }
    }
    let gexf = b"<gexf><graph defaultedgetype='directed'><nodes><node id='ant'/></nodes><edges>\
        <edge source='ant' target='bee'/><edge source='bee' target='cat'/></edges></graph></gexf>";
    let graph = import(
        "g.zip",
        archive(&[("g.gexf", gexf)], CompressionMethod::Deflated),
    )
    .unwrap();
    assert_eq!(named_arcs(&graph), expected());
}

#[test]
fn a_file_is_named_after_a_colon() {
    let files: &[(&str, &[u8])] = &[("nodes.csv", b"id,label\n"), ("a/links.csv", LIST)];
    let archive = archive(files, CompressionMethod::Deflated);
    let refused = problem("g.zip", &archive, &ImportOptions::default());
    assert!(
        refused.contains("it has 2 files: 'nodes.csv', 'a/links.csv'; name one after a colon: '"),
        "{refused}"
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.zip");
    std::fs::write(&path, &archive).unwrap();
    let open = |part: &str| {
        let path = folder.path().join(format!("g.zip:{part}"));
        crate::import::open(
            &path,
            &ImportOptions::default(),
            &webrank_base::progress::Silent,
        )
    };
    assert_eq!(named_arcs(&open("a/links.csv").unwrap().0), expected());
    let refused = open("links.csv").err().unwrap().to_string();
    assert!(
        refused.contains("the archive has no file 'links.csv'; it has 2 files"),
        "{refused}"
    );
    std::fs::write(&path, LIST).unwrap();
    let refused = open("x").err().unwrap().to_string();
    assert!(
        refused.contains("is no zip archive and no workbook"),
        "{refused}"
    );
}

#[test]
fn damage_is_found() {
    let options = ImportOptions::default();
    let good = archive(&[("links.csv", LIST)], CompressionMethod::Stored);
    let place = good.windows(3).position(|part| part == b"bee").unwrap();
    let mut bad = good.clone();
    bad[place] = b'x';
    let refused = problem("g.zip", &bad, &options);
    assert!(refused.contains("does not match its checksum"), "{refused}");
    let refused = problem("g.zip", &good[..good.len() - 10], &options);
    assert!(
        refused.contains("not a zip archive that can be read"),
        "{refused}"
    );
    let inner = archive(&[("inner.zip", &good)], CompressionMethod::Stored);
    assert!(import_with("g.zip", &inner, &options).is_err());
    let empty = archive(&[], CompressionMethod::Stored);
    let refused = problem("g.zip", &empty, &options);
    assert!(refused.contains("the archive has no file"), "{refused}");
}

/// A small file that unpacks to a large one is read bit by bit.
#[test]
fn memory_does_not_grow_with_the_content() {
    let mut long = LIST.to_vec();
    long.resize(40 << 20, b'x');
    let archive = archive(&[("x.csv", &long)], CompressionMethod::Deflated);
    assert!(archive.len() < 1 << 20);
    let refused = problem("x.zip", &archive, &ImportOptions::default());
    assert!(refused.contains("longer than 16 MiB"), "{refused}");
}
