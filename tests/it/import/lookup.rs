//! `rank lookup`, `rank neighbors` and `rank top`.

use std::fs;
use std::path::Path;
use tempfile::TempDir;
use webrank_graph::bundle::{BundleManifest, FileEntry};
use webrank_testing::cli::*;

#[test]
fn nodes_are_found_by_name_number_and_prefix() {
    let folder = TempDir::new().unwrap();
    let (arcs, bundle) = (
        folder.path().join("arcs.csv"),
        folder.path().join("arcs.bv"),
    );
    fs::write(&arcs, "it.a,it.b\nit.b,org.c\n\"x,y\",it.a\n").unwrap();
    stdout(&["import", text(&arcs), "-o", text(&bundle)]);
    let graph = text(&bundle);
    let found = stdout(&["lookup", graph, "org.c", "x,y"]);
    assert_eq!(found, "node,name\n2,org.c\n3,\"x,y\"\n");
    assert_eq!(
        stdout(&["lookup", graph, "--node", "1", "--node", "0"]),
        "node,name\n1,it.b\n0,it.a\n"
    );
    assert_eq!(
        stdout(&["lookup", graph, "--prefix", "it."]),
        "node,name\n0,it.a\n1,it.b\n"
    );
    assert_eq!(
        stdout(&["lookup", graph, "--prefix", "it.", "--limit", "1"]),
        "node,name\n0,it.a\n"
    );
    let problem = failure(&["lookup", graph, "org.d"], 2);
    assert!(
        problem.contains("'org.d'") && problem.contains("org.c"),
        "{problem}"
    );
    let problem = failure(&["lookup", graph, "--node", "4"], 2);
    assert!(problem.contains("the graph has 4 nodes"), "{problem}");
}

#[test]
fn neighbours_of_both_directions() {
    let folder = TempDir::new().unwrap();
    let arcs = folder.path().join("arcs.tsv");
    fs::write(&arcs, "a\tb\nb\tc\nc\tb\n").unwrap();
    let graph = text(&arcs);
    let all = stdout(&["neighbors", graph, "b", "-q"]);
    assert_eq!(all, "direction,node,name\nin,0,a\nin,2,c\nout,2,c\n");
    assert_eq!(
        stdout(&["neighbors", graph, "b", "--in", "-q"]),
        "direction,node,name\nin,0,a\nin,2,c\n"
    );
    assert_eq!(
        stdout(&["neighbors", graph, "b", "--out", "-q"]),
        "direction,node,name\nout,2,c\n"
    );
    let problem = failure(&["neighbors", graph, "z", "-q"], 2);
    assert!(problem.contains("'z'"), "{problem}");
}

#[test]
fn the_best_rows_of_a_table() {
    let folder = TempDir::new().unwrap();
    let table = folder.path().join("scores.csv");
    fs::write(
        &table,
        "name,score,other\nit.a,1,9\norg.b,3,1\nit.c,2,1\nit.d,2,0\n",
    )
    .unwrap();
    let rows = |more: &[&str]| -> Vec<String> {
        let shown = stdout(&[&["top", text(&table)], more].concat());
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        shown.lines().skip(1).map(words).collect()
    };
    let it = rows(&["--prefix", "it."]);
    assert_eq!(it, ["2 2 it.c", "2 2 it.d", "4 1 it.a"]);
    assert_eq!(rows(&["--limit", "1"]), ["1 3 org.b"]);
    let json = stdout(&["top", text(&table), "-n", "1", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        json,
        serde_json::json!([{ "rank": 1, "score": 3.0, "name": "org.b" }])
    );
    let problem = failure(&["top", text(&table), "--column", "x"], 1);
    assert!(problem.contains("no such column"), "{problem}");
}

/// A bundle of names that are not in order, and the same without an index.
fn with_and_without_index(folder: &TempDir) -> [String; 2] {
    let arcs = folder.path().join("arcs.tsv");
    fs::write(&arcs, "it.b\torg.c\norg.c\tit.a\nit.a\tit.b\n12\torg.c\n").unwrap();
    let [new, old] = ["new.bv", "old.bv"].map(|name| folder.path().join(name));
    for bundle in [&new, &old] {
        let order = ["--order", "given", "-o", text(bundle)];
        stdout(&[&["import", text(&arcs)], &order[..]].concat());
    }
    let file = |name: &str| old.join(name);
    // Bundles of earlier versions have one frame for all names.
    let names = zstd::decode_all(&fs::read(file("names.txt.zst")).unwrap()[..]).unwrap();
    assert_eq!(names, b"it.b\norg.c\nit.a\n12\n");
    let frame = zstd::encode_all(&names[..], 9).unwrap();
    fs::write(file("names.txt.zst"), &frame).unwrap();
    fs::remove_file(file("names.index")).unwrap();
    relist(&old);
    [new, old].map(|bundle| text(&bundle).to_owned())
}

/// Makes the manifest list the files that are there, as they are.
fn relist(bundle: &Path) {
    let path = bundle.join("manifest.json");
    let manifest = fs::read_to_string(&path).unwrap();
    let mut manifest: BundleManifest = serde_json::from_str(&manifest).unwrap();
    manifest.files.retain(|name, _| bundle.join(name).exists());
    for (name, entry) in &mut manifest.files {
        *entry = FileEntry::of(&bundle.join(name)).unwrap();
    }
    manifest.checksum.clear();
    let pretty = |manifest: &_| serde_json::to_string_pretty(manifest).unwrap() + "\n";
    let sum = xxhash_rust::xxh3::xxh3_128(pretty(&manifest).as_bytes());
    manifest.checksum = format!("{sum:032x}");
    fs::write(path, pretty(&manifest)).unwrap();
}

#[test]
fn a_bundle_without_an_index_gives_the_same_answers() {
    let folder = TempDir::new().unwrap();
    let bundles = with_and_without_index(&folder);
    for bundle in &bundles {
        let bundle = bundle.as_str();
        for (arguments, expected) in [
            (
                &["lookup", bundle, "it.a", " org.c "][..],
                "node,name\n2,it.a\n1,org.c\n",
            ),
            (
                &["lookup", bundle, "--prefix", "it."],
                "node,name\n2,it.a\n0,it.b\n",
            ),
            (
                &["lookup", bundle, "--prefix", "", "--limit", "3"],
                "node,name\n3,12\n2,it.a\n0,it.b\n",
            ),
            (&["lookup", bundle, "--node", "3"], "node,name\n3,12\n"),
            (
                &["neighbors", bundle, "org.c", "-q"],
                "direction,node,name\nin,0,it.b\nin,3,12\nout,2,it.a\n",
            ),
        ] {
            assert_eq!(stdout(arguments), expected, "{arguments:?}");
        }
        // A name is a number, so no number is a node.
        for key in ["1", "it.c"] {
            let problem = failure(&["lookup", bundle, key], 2);
            assert!(problem.contains(&format!("'{key}'")), "{problem}");
        }
        assert!(failure(&["lookup", bundle, "it.c"], 2).contains("did you mean"));
        stdout(&["check", bundle]);
    }
    assert!(stdout(&["check", &bundles[0]]).contains("the index of names leads to each"));
    // A copy of a bundle without an index has one, and that of another is the same.
    for (bundle, copy) in bundles.iter().zip(["a.bv", "b.bv"]) {
        let copy = folder.path().join(copy);
        stdout(&["recode", bundle, "-o", text(&copy), "-q"]);
        for file in ["names.txt.zst", "names.index"] {
            let [one, other] =
                [Path::new(&bundles[0]), &copy].map(|at| fs::read(at.join(file)).unwrap());
            assert!(one == other, "{file}");
        }
    }
}

#[test]
fn a_look_up_reads_neither_the_graph_nor_all_names() {
    let folder = TempDir::new().unwrap();
    let [bundle, _] = with_and_without_index(&folder);
    let damage = |name: &str| {
        let path = Path::new(&bundle).join(name);
        let mut bytes = fs::read(&path).unwrap();
        bytes[5] ^= 1;
        fs::write(path, bytes).unwrap();
    };
    damage("graph.graph");
    assert_eq!(stdout(&["lookup", &bundle, "it.a"]), "node,name\n2,it.a\n");
    assert!(failure(&["neighbors", &bundle, "it.a"], 1).contains("graph.graph"));
    assert!(failure(&["check", &bundle], 1).contains("graph.graph"));
    damage("names.txt.zst");
    assert!(failure(&["lookup", &bundle, "it.a"], 1).contains("names.txt.zst: byte 0"));
}

#[test]
fn an_index_that_is_not_that_of_the_manifest_is_refused() {
    let folder = TempDir::new().unwrap();
    let [bundle, old] = with_and_without_index(&folder);
    let index = |bundle: &str| Path::new(bundle).join("names.index");
    fs::copy(index(&bundle), index(&old)).unwrap();
    assert!(
        failure(&["info", &old], 1)
            .contains("names.index: the file is not in the bundle's manifest")
    );
    relist(Path::new(&bundle));
    let other = folder.path().join("other.bv");
    let arcs = folder.path().join("arcs.tsv");
    stdout(&["import", text(&arcs), "-o", text(&other)]);
    fs::copy(index(text(&other)), index(&bundle)).unwrap();
    let problem = failure(&["lookup", &bundle, "it.a"], 1);
    assert!(problem.contains("names.index: byte 0"), "{problem}");
    assert!(failure(&["check", &bundle], 1).contains("names.index"));
    relist(Path::new(&bundle));
    let problem = failure(&["lookup", &bundle, "it.a"], 1);
    assert!(problem.contains("names.index: byte 0"), "{problem}");
    assert!(failure(&["check", &bundle], 1).contains("names.index"));
}

#[test]
fn nodes_that_share_a_name_are_said_at_once() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("arcs.txt"), "0\t1\n1\t2\n2\t3\n3\t4\n").unwrap();
    let [arcs, names, output] = ["arcs.txt", "names.txt", "g.bv"].map(at);
    for (lines, told) in [
        ("a\nb\nc\nd\ne\n", None),
        (
            "a\nb\nb\nb\ne\n",
            Some("2 nodes have a name that another has, too, the first is 'b'"),
        ),
        (
            "e\nc\na\nc\ne\n",
            Some("2 nodes have a name that another has, too, the first is 'c'"),
        ),
    ] {
        std::fs::write(&names, lines).unwrap();
        for order in [&[][..], &["--order", "bfs"]] {
            let import = [
                "import",
                text(&arcs),
                "--ids",
                "--names",
                text(&names),
                "--force",
            ];
            let said = stdout(&[&import[..], order, &["-o", text(&output)]].concat());
            match told {
                Some(told) => assert!(said.contains(told), "{said}"),
                None => assert!(!said.contains("another has"), "{said}"),
            }
        }
    }
}

#[test]
fn paths_lead_from_one_node_to_another() {
    let folder = TempDir::new().unwrap();
    let links = folder.path().join("links.csv");
    fs::write(&links, "source,target\na,b\na,c\nb,d\nc,d\nd,e\n").unwrap();
    let path = |more: &[&str]| stdout(&[&["-q", "path", text(&links)], more].concat());
    assert_eq!(
        path(&["a", "e"]),
        "length    3\npaths     2\n\na -> b -> d -> e\n"
    );
    let all = path(&["a", "d", "--all"]);
    assert_eq!(
        all,
        "length    2\npaths     2\n\na -> b -> d\na -> c -> d\n"
    );
    assert_eq!(path(&["e", "a"]), "no path leads from e to a\n");
    assert!(path(&["e", "b", "--undirected"]).ends_with("\ne -> d -> b\n"));
    let json: serde_json::Value = serde_json::from_str(&path(&["a", "d", "--json"])).unwrap();
    assert_eq!(json["length"], 2);
    assert_eq!(json["count"], "2");
    assert_eq!(
        json["paths"][0][1],
        serde_json::json!({ "node": 1, "name": "b" })
    );
    let roads = folder.path().join("roads.csv");
    fs::write(&roads, "a,b,0.1\nb,c,0.2\na,c,0.3\na,d,9\n").unwrap();
    let path = |more: &[&str]| stdout(&[&["-q", "path", text(&roads), "a"], more].concat());
    assert_eq!(
        path(&["c", "--all", "--lengths", "weights"]),
        "length    0.3\npaths     2\n\na -> b -> c\na -> c\n"
    );
    let within = ["--lengths", "weights", "--cutoff", "8.9"];
    let none = path(&[&["d"], &within[..]].concat());
    assert_eq!(none, "no path leads from a to d\n");
    assert!(path(&["c"]).starts_with("length    1\n"));
    let unknown = failure(&["-q", "path", text(&links), "a", "x"], 2);
    assert!(unknown.contains("'x'"), "{unknown}");
}

#[test]
fn nodes_are_told_to_programs() {
    let folder = TempDir::new().unwrap();
    let links = folder.path().join("links.csv");
    fs::write(&links, "source,target\na,b\na,c\nb,a\n").unwrap();
    let told = |words: &[&str]| -> serde_json::Value {
        serde_json::from_str(&stdout(&[&["-q"], words, &["--json"]].concat())).unwrap()
    };
    let found = told(&["lookup", text(&links), "b"]);
    assert_eq!(found, serde_json::json!([{ "node": 1, "name": "b" }]));
    let found = told(&["neighbors", text(&links), "a", "-n", "1"]);
    let expected = serde_json::json!([
        { "direction": "in", "node": 1, "name": "b" },
        { "direction": "out", "node": 1, "name": "b" },
    ]);
    assert_eq!(found, expected);
}
