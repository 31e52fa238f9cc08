//! Files in a bundle are verified, however it is named; files that its manifest lacks are not used.

use std::path::{Path, PathBuf};
use webrank::{Graph, Measure};
use webrank_base::progress::Silent;
use webrank_graph::bundle::{BundleManifest, BundleOptions, write_bundle};
use webrank_graph::{ArcHash, Csr, Direction, StoredGraph};
use webrank_testing::graphs::checked;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

fn graph() -> Csr {
    Csr::from_arcs(4, [(0, 1), (1, 2), (2, 0), (2, 1), (3, 0)]).unwrap()
}

fn bundle(folder: &Path, name: &str, has_names: bool) -> PathBuf {
    let names: Vec<Box<str>> = NAMES.iter().map(|&name| name.into()).collect();
    let path = folder.join(name);
    let names = has_names.then_some(&names[..]);
    write_bundle(&graph(), names, &path, BundleOptions::default()).unwrap();
    path
}

fn refusal(path: &Path) -> String {
    let message = StoredGraph::open(path)
        .err()
        .expect("it is refused")
        .to_string();
    assert_eq!(message.lines().count(), 1, "{message}");
    message
}

/// Changes the manifest as text; its own checksum is that of the changed one.
fn forge(bundle: &Path, from: &str, to: &str) {
    let path = bundle.join("manifest.json");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text}");
    let mut manifest: serde_json::Value = serde_json::from_str(&text.replace(from, to)).unwrap();
    manifest["checksum"] = "".into();
    let manifest: BundleManifest = serde_json::from_value(manifest).unwrap();
    let pretty = |manifest: &BundleManifest| serde_json::to_string_pretty(manifest).unwrap() + "\n";
    let sum = xxhash_rust::xxh3::xxh3_128(pretty(&manifest).as_bytes());
    let checksum = format!("{sum:032x}");
    let manifest = BundleManifest {
        checksum,
        ..manifest
    };
    std::fs::write(path, pretty(&manifest)).unwrap();
}

#[test]
fn files_of_a_bundle_name_the_bundle() {
    let folder = tempfile::tempdir().unwrap();
    let bundle = bundle(folder.path(), "g.bv", true);
    for name in [
        "graph",
        "graph.graph",
        "graph.properties",
        "graph.offsets",
        "graph.ef",
        "manifest.json",
        "names.txt.zst",
    ] {
        let source = StoredGraph::open(&bundle.join(name)).expect(name);
        assert!(
            source.manifest().is_some() && source.has_transpose(),
            "{name}"
        );
        assert_eq!(source.names().unwrap().unwrap().get(3), "d", "{name}");
        assert_eq!(source.successors(&Silent).unwrap(), graph(), "{name}");
        checked(&source).expect(name);
    }
    for name in ["transpose", "transpose.graph"] {
        let source = StoredGraph::open(&bundle.join(name)).expect(name);
        assert_eq!(source.names().unwrap().unwrap().get(3), "d");
        let (successors, predecessors) = source.both(&Silent).unwrap();
        assert_eq!(successors, graph().transpose().unwrap());
        assert_eq!(predecessors, graph());
        checked(&source).expect(name);
    }
    // Damage anywhere is found from any of them.
    let names = bundle.join("names.txt.zst");
    let mut bytes = std::fs::read(&names).unwrap();
    bytes[5] ^= 1;
    std::fs::write(&names, bytes).unwrap();
    assert!(refusal(&bundle.join("graph.graph")).contains("names.txt.zst"));
}

#[test]
fn a_bundle_without_a_manifest_fails_the_check() {
    let folder = tempfile::tempdir().unwrap();
    let bundle = bundle(folder.path(), "g.bv", true);
    std::fs::remove_file(bundle.join("manifest.json")).unwrap();
    let source = StoredGraph::open(&bundle).unwrap();
    assert!(source.lacks_manifest());
    let message = checked(&source).unwrap_err().to_string();
    assert!(message.contains("no manifest.json"), "{message}");
    // Its files are then those of a plain graph.
    let plain = StoredGraph::open(&bundle.join("graph")).unwrap();
    assert!(!plain.lacks_manifest() && !plain.has_names());
}

#[test]
fn files_that_the_manifest_does_not_list_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let plain = bundle(folder.path(), "plain.bv", false);
    let named = bundle(folder.path(), "named.bv", true);
    std::fs::copy(named.join("names.txt.zst"), plain.join("names.txt.zst")).unwrap();
    let message = refusal(&plain);
    assert!(message.contains("names.txt.zst: the file is not in the bundle's manifest"));
    let compact = folder.path().join("compact.bv");
    let options = BundleOptions {
        compact: true,
        ..Default::default()
    };
    write_bundle(&graph(), None, &compact, options).unwrap();
    for extension in ["graph", "properties"] {
        let file = format!("transpose.{extension}");
        std::fs::copy(named.join(&file), compact.join(&file)).unwrap();
    }
    assert!(refusal(&compact).contains("transpose.properties: the file is not in"));
}

#[test]
fn a_manifest_does_not_lead_out_of_its_bundle() {
    for name in ["../x", "/etc/passwd", "a/b", ".", "..", "", "a\\\\b"] {
        let folder = tempfile::tempdir().unwrap();
        let bundle = bundle(folder.path(), "g.bv", false);
        forge(&bundle, "\"graph.ef\"", &format!("\"{name}\""));
        let message = refusal(&bundle);
        assert!(
            message.contains("not the name of a file in the bundle"),
            "{message}"
        );
    }
}

#[test]
fn the_manifest_holds_the_hash_of_the_arcs() {
    let folder = tempfile::tempdir().unwrap();
    let bundle = bundle(folder.path(), "g.bv", false);
    let source = StoredGraph::open(&bundle).unwrap();
    let hash = source.manifest().unwrap().arc_hash;
    assert_eq!(hash, Some(ArcHash::of(&graph(), Direction::Out)));
    let other = Csr::from_arcs(4, [(0, 1), (1, 2), (2, 0), (2, 1), (3, 1)]).unwrap();
    let text = |hash| serde_json::to_string(&hash).unwrap();
    let other = ArcHash::of(&other, Direction::Out);
    forge(&bundle, &text(hash.unwrap()), &text(other));
    let source = StoredGraph::open(&bundle).unwrap();
    for message in [
        checked(&source).unwrap_err().to_string(),
        source.both(&Silent).unwrap_err().to_string(),
    ] {
        assert!(message.contains("not those of the manifest"), "{message}");
    }
    // Bundles of earlier versions have none.
    forge(&bundle, &format!("\"arc_hash\": {},", text(other)), "");
    checked(&StoredGraph::open(&bundle).unwrap()).unwrap();
}

#[test]
fn a_transpose_of_another_graph_is_refused_where_both_directions_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let other = Csr::from_arcs(4, [(0, 1), (1, 2), (2, 0), (2, 1), (3, 1)]).unwrap();
    let (one, two) = (folder.path().join("1.bv"), folder.path().join("2.bv"));
    write_bundle(&graph(), None, &one, BundleOptions::default()).unwrap();
    write_bundle(&other, None, &two, BundleOptions::default()).unwrap();
    for (from, file, to) in [(&one, "graph", "g"), (&two, "transpose", "g-t")] {
        for extension in ["graph", "properties"] {
            let from = from.join(file).with_extension(extension);
            std::fs::copy(from, folder.path().join(to).with_extension(extension)).unwrap();
        }
    }
    let path = folder.path().join("g");
    let refused = |result: webrank::Result<()>| {
        let message = result.unwrap_err().to_string();
        assert!(
            message.contains("g-t.graph: these are not the reversed arcs"),
            "{message}"
        );
    };
    let open = || Graph::open(&path).unwrap();
    refused(open().both(&Silent).map(drop));
    refused(webrank::Harmonic::default().run(&open()).map(drop));
    let graph = open();
    graph.predecessors(&Silent).unwrap();
    refused(graph.successors(&Silent).map(drop));
    refused(StoredGraph::open(&path).unwrap().both(&Silent).map(drop));
    let checked = checked(&StoredGraph::open(&path).unwrap());
    assert!(checked.unwrap_err().to_string().contains("g-t.graph"));
}

#[cfg(unix)]
mod links_and_pipes {
    use super::*;

    #[test]
    fn links_to_regular_files_are_followed() {
        let folder = tempfile::tempdir().unwrap();
        let bundle = bundle(folder.path(), "g.bv", true);
        let (file, elsewhere) = (bundle.join("graph.graph"), folder.path().join("elsewhere"));
        std::fs::rename(&file, &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &file).unwrap();
        checked(&StoredGraph::open(&bundle).unwrap()).unwrap();
        std::fs::write(&elsewhere, b"other bytes").unwrap();
        assert!(refusal(&bundle).contains("graph.graph"));
    }

    #[test]
    fn pipes_and_devices_are_refused_before_they_are_read() {
        for name in [
            "graph.graph",
            "graph.properties",
            "names.txt.zst",
            "manifest.json",
        ] {
            let folder = tempfile::tempdir().unwrap();
            let bundle = bundle(folder.path(), "g.bv", true);
            let file = bundle.join(name);
            std::fs::remove_file(&file).unwrap();
            std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
            assert!(refusal(&bundle).contains("not a regular file"));
            std::fs::remove_file(&file).unwrap();
            let made = std::process::Command::new("mkfifo").arg(&file).status();
            if made.is_ok_and(|status| status.success()) {
                assert!(refusal(&bundle).contains("not a regular file"));
            }
        }
    }
}

#[cfg(feature = "cli")]
#[test]
fn commands_warn_where_a_manifest_is_missing() {
    use webrank_testing::cli::*;
    let folder = tempfile::tempdir().unwrap();
    let bundle = bundle(folder.path(), "g.bv", true);
    let quiet = rank(&["indegree", text(&bundle)]).assert().success();
    assert!(!String::from_utf8_lossy(&quiet.get_output().stderr).contains("manifest"));
    std::fs::remove_file(bundle.join("manifest.json")).unwrap();
    let loud = rank(&["indegree", text(&bundle)]).assert().success();
    let said = String::from_utf8_lossy(&loud.get_output().stderr).into_owned();
    assert!(said.contains("no manifest.json"), "{said}");
    assert!(failure(&["check", text(&bundle)], 1).contains("no manifest.json"));
}
