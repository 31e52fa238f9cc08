//! `rank rerun`: the same bits again, or what is different.

use std::path::Path;
use tempfile::TempDir;
use webrank_testing::cli::*;

/// Runs `rank` in a folder: exit code, and what it said.
fn rank_in(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let (code, said, problem) = run_in(folder, arguments);
    (code, said + &problem)
}

#[test]
fn every_format_gives_the_same_bits_again_and_writes_nothing() {
    let folder = TempDir::new().unwrap();
    small(folder.path());
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("out")).unwrap();
    std::fs::write(at("p.csv"), "a,1\nb,3\n").unwrap();
    for (table, options) in [
        ("out/t.csv", &["pagerank", "--preference", "p.csv"][..]),
        ("out/t.csv.gz", &["hits"]),
        ("out/t.csv.zst", &["betweenness", "--arcs"]),
        ("t.parquet", &["harmonic", "--top", "2", "--sort", "score"]),
        ("c.csv", &["trustrank", "--select", "2", "--threads", "1"]),
    ] {
        let run = [&["-q"], options, &["small.bv", "-o", table]].concat();
        let (code, said) = rank_in(folder.path(), &run);
        assert_eq!(code, Some(0), "{said}");
        let before = files(folder.path());
        let manifest = format!("{table}.json");
        // From the folder of the run, and from elsewhere.
        let absolute = at(&manifest);
        for (from, manifest) in [
            (folder.path(), manifest.as_str()),
            (Path::new("/"), text(&absolute)),
        ] {
            let (code, said) = rank_in(from, &["rerun", manifest]);
            assert_eq!(code, Some(0), "{said}");
            assert!(said.contains("the same bits again"), "{said}");
            assert_eq!(said.lines().count(), 1, "{said}");
        }
        assert_eq!(files(folder.path()), before);
    }
    // The whole folder may move.
    let elsewhere = TempDir::new().unwrap();
    let moved = elsewhere.path().join("moved");
    std::fs::rename(folder.path(), &moved).unwrap();
    let (code, said) = rank_in(
        Path::new("/"),
        &["rerun", text(&moved.join("out/t.csv.json"))],
    );
    assert_eq!(code, Some(0), "{said}");
    // Without the table, its manifest says enough.
    std::fs::remove_file(moved.join("out/t.csv")).unwrap();
    let (code, said) = rank_in(&moved, &["rerun", "out/t.csv.json"]);
    assert_eq!(code, Some(0), "{said}");
}

#[test]
fn what_differs_is_said_in_one_line() {
    let folder = TempDir::new().unwrap();
    small(folder.path());
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("p.csv"), "a,1\n").unwrap();
    let run = [
        "-q",
        "pagerank",
        "small.bv",
        "--preference",
        "p.csv",
        "-o",
        "t.csv",
    ];
    assert_eq!(rank_in(folder.path(), &run).0, Some(0));
    let table = std::fs::read_to_string(at("t.csv")).unwrap();
    let differs = |words: &str| {
        let (code, said) = rank_in(folder.path(), &["rerun", "t.csv.json"]);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains(words) && said.lines().count() == 1, "{said}");
    };
    std::fs::write(at("t.csv"), table.replace("0,a,", "0,z,")).unwrap();
    differs("the table has been changed since");
    std::fs::write(at("t.csv"), &table).unwrap();
    std::fs::write(at("p.csv"), "b,1\n").unwrap();
    differs("p.csv: is not what the run of t.csv.json read");
    std::fs::write(at("p.csv"), "a,1\n").unwrap();
    // A run that gave other bits, by another version, say.
    let manifest = std::fs::read_to_string(at("t.csv.json")).unwrap();
    let mut other: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    other["table"]["xxh3_128"] = "0".repeat(32).into();
    std::fs::write(at("t.csv.json"), other.to_string()).unwrap();
    differs("the bits differ");
    std::fs::write(at("t.csv.json"), manifest).unwrap();
    std::fs::write(at("edges.tsv"), "a\tb\nb\ta\n").unwrap();
    let import = ["-q", "import", "edges.tsv", "-o", "small.bv", "--force"];
    assert_eq!(rank_in(folder.path(), &import).0, Some(0));
    differs("is not the graph of");
}

#[test]
fn the_form_of_the_run_is_taken_or_the_rerun_refused() {
    let folder = TempDir::new().unwrap();
    let table = folder.path().join("t.csv");
    let run = ["pagerank", "graphs/debian.bv", "-q", "-o", text(&table)];
    let manifest = format!("{}.json", text(&table));
    rank(&[&run[..], &["--threads", "2"]].concat())
        .assert()
        .success();
    // Enough for the streamed form, which gives other bits, and not for the one that was taken.
    let rerun = ["rerun", &manifest, "--memory"];
    let message = failure(&[&rerun[..], &["44M"]].concat(), 1);
    assert!(message.contains("needs up to"), "{message}");
    let said = stdout(&[&rerun[..], &["1G"]].concat());
    assert!(said.contains("the same bits again"), "{said}");
    // And the other way round.
    rank(&[&run[..], &["--memory", "44M", "--threads", "2"]].concat())
        .assert()
        .success();
    let said = stdout(&["rerun", &manifest]);
    assert!(said.contains("the same bits again"), "{said}");
}

#[test]
fn every_file_that_is_read_has_a_fingerprint() {
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;
    use xxhash_rust::xxh3::xxh3_128;
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let at = |name: &str| folder.path().join(name);
    let numbers: Vec<u8> = (1..=5u8).flat_map(|x| f32::from(x).to_le_bytes()).collect();
    std::fs::write(at("w.f32"), numbers).unwrap();
    std::fs::write(at("w.csv"), "a,b,1\nb,c,2\nc,a,3\nc,b,4\nd,a,5\n").unwrap();
    std::fs::write(at("v.csv"), "a,1\nb,2\nc,3\nd,4\n").unwrap();
    std::fs::write(at("v.txt"), "1\n2\n3\n4\n").unwrap();
    std::fs::write(at("seeds.txt"), "a\nc\n").unwrap();
    let mut names = GzEncoder::new(Vec::new(), Compression::default());
    names.write_all(b"d\nc\nb\na\n").unwrap();
    std::fs::write(at("names.gz"), names.finish().unwrap()).unwrap();
    for (command, inputs) in [
        ("pagerank --weights w.f32", &["w.f32"][..]),
        (
            "pagerank --preference v.csv --dangling-vector v.txt",
            &["v.csv", "v.txt"],
        ),
        ("pagerank --each-seed-file seeds.txt", &["seeds.txt"]),
        (
            "trustrank --seeds-file seeds.txt --names names.gz",
            &["names.gz", "seeds.txt"],
        ),
        ("katz --weights w.csv --beta v.txt", &["v.txt", "w.csv"]),
        ("harmonic --weights v.txt", &["v.txt"]),
        ("seeley --weights w.csv", &["w.csv"]),
        ("betweenness --arcs --names names.gz", &["names.gz"]),
        (
            "betweenness --method sources --sources-file seeds.txt",
            &["seeds.txt"],
        ),
        ("indegree", &[]),
    ] {
        let words = command
            .split(' ')
            .chain(["-q", text(&bundle), "-o", "t.csv"]);
        let (code, said) = rank_in(folder.path(), &words.collect::<Vec<_>>());
        assert_eq!(code, Some(0), "{command}: {said}");
        let manifest = std::fs::read_to_string(at("t.csv.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
        let recorded = manifest["inputs"].as_object().cloned().unwrap_or_default();
        assert_eq!(recorded.keys().collect::<Vec<_>>(), inputs, "{command}");
        let (code, said) = rank_in(folder.path(), &["rerun", "t.csv.json"]);
        assert_eq!(code, Some(0), "{command}: {said}");
        for (name, entry) in &recorded {
            let bytes = std::fs::read(at(name)).unwrap();
            assert_eq!(entry["bytes"], bytes.len());
            assert_eq!(entry["xxh3_128"], format!("{:032x}", xxh3_128(&bytes)));
            // One byte more, which is no number and no name.
            std::fs::write(at(name), [&bytes[..], b"\n"].concat()).unwrap();
            let (code, said) = rank_in(folder.path(), &["rerun", "t.csv.json"]);
            assert_eq!(code, Some(1), "{command}: {said}");
            let line = format!("rank: {name}: is not what the run of t.csv.json read");
            assert!(
                said.starts_with(&line) && said.lines().count() == 1,
                "{said}"
            );
            std::fs::remove_file(at(name)).unwrap();
            let (code, said) = rank_in(folder.path(), &["rerun", "t.csv.json"]);
            assert_eq!(code, Some(1), "{command}: {said}");
            assert!(said.starts_with(&format!("rank: {name}")), "{said}");
            std::fs::write(at(name), bytes).unwrap();
        }
    }
}

#[test]
fn only_rankings_are_repeated() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let table = folder.path().join("t.csv");
    rank(&["-q", "indegree", text(&bundle), "-o", text(&table)])
        .assert()
        .success();
    let path = folder.path().join("t.csv.json");
    let manifest = std::fs::read_to_string(&path).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let edges = folder.path().join("edges.tsv");
    let victim = folder.path().join("thesis.tsv");
    std::fs::write(&victim, "thesis").unwrap();
    let (graph, victim) = (text(&bundle), text(&victim));
    for command in [
        &["rank", "export", graph, "-o", victim][..],
        &["rank", "recode", graph, "-o", victim, "--force"],
        &[
            "rank", "subgraph", graph, "-o", victim, "--nodes", "a", "--force",
        ],
        &[
            "rank", "fold", graph, "--to", "hosts", "-o", victim, "--force",
        ],
    ] {
        let mut changed = manifest.clone();
        changed["command"] = serde_json::json!(command);
        std::fs::write(&path, changed.to_string()).unwrap();
        failure(&["rerun", text(&path)], 1);
        assert_eq!(std::fs::read_to_string(victim).unwrap(), "thesis");
    }
    for (field, value, words) in [
        (
            "command",
            serde_json::json!(["rank", "import", text(&edges), "-o", "x.bv"]),
            "no table",
        ),
        (
            "command",
            serde_json::json!(["rank", "export", graph, "-o", victim]),
            "no table",
        ),
        (
            "command",
            serde_json::json!(["rank", "indegree", graph]),
            "no table",
        ),
        (
            "command",
            serde_json::json!(["rank", "join", text(&table)]),
            "no table",
        ),
        (
            "command",
            serde_json::json!(["rank", "-q", "commoncrawl", "v.txt"]),
            "makes several files",
        ),
        (
            "command",
            serde_json::json!(["rank", "indegree", "--nonsense"]),
            "no such command",
        ),
        (
            "command",
            serde_json::json!(["rank", "indegree", "\u{fffd}"]),
            "not UTF-8",
        ),
        ("table", serde_json::json!(null), "no checksum"),
        ("folder", serde_json::json!(""), "the folder of its run"),
        ("folder", serde_json::json!("nowhere"), "cannot enter"),
    ] {
        let mut changed = manifest.clone();
        changed[field] = value;
        std::fs::write(&path, changed.to_string()).unwrap();
        let message = failure(&["rerun", text(&path)], 1);
        assert!(message.contains(words), "{message}");
    }
    // A table stands for its manifest.
    std::fs::write(&path, manifest.to_string()).unwrap();
    assert_eq!(
        stdout(&["rerun", text(&table)]),
        stdout(&["rerun", text(&path)])
    );
    let message = failure(&["rerun", text(&folder.path().join("t.cvs"))], 1);
    assert!(message.contains("did you mean"), "{message}");
}

#[test]
fn a_joint_table_is_joined_again_and_what_cannot_be_repeated_says_why() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    small(folder);
    let run = |arguments: &[&str]| run_in(folder, arguments);
    for command in [
        &["pagerank", "small.bv", "-q", "-o", "p.csv"][..],
        &["indegree", "small.bv", "-q", "-o", "i.csv"],
        &["join", "p.csv", "i.csv", "-q", "-o", "j.csv"],
    ] {
        assert_eq!(run(command).0, Some(0), "{command:?}");
    }
    let (code, said, _) = run(&["rerun", "j.csv.json"]);
    assert_eq!(code, Some(0));
    assert!(said.contains("the same bits again"), "{said}");
    assert_eq!(
        run(&["indegree", "small.bv", "-q", "--top", "2", "-o", "i.csv"]).0,
        Some(0)
    );
    let (code, _, problem) = run(&["rerun", "j.csv.json"]);
    assert_eq!(code, Some(1));
    assert!(
        problem.contains("i.csv: is not what the run of j.csv.json read"),
        "{problem}"
    );
    // Manifests of earlier versions have no checksums of the tables.
    let text = std::fs::read_to_string(folder.join("j.csv.json")).unwrap();
    let mut manifest: serde_json::Value = serde_json::from_str(&text).unwrap();
    manifest.as_object_mut().unwrap().remove("inputs").unwrap();
    std::fs::write(folder.join("j.csv.json"), manifest.to_string()).unwrap();
    let (_, _, problem) = run(&["rerun", "j.csv.json"]);
    assert!(
        problem.contains("it has no checksum of 'p.csv'"),
        "{problem}"
    );
    std::fs::write(folder.join("v.txt"), "0\ta\n1\tb\n").unwrap();
    std::fs::write(folder.join("e.txt"), "0\t1\n1\t0\n").unwrap();
    let (code, _, problem) = run(&["commoncrawl", "v.txt", "e.txt", "-q", "-o", "cc"]);
    assert_eq!(code, Some(0), "{problem}");
    let (code, _, problem) = run(&["rerun", "cc/v-ranks.parquet.json"]);
    assert_eq!(code, Some(1));
    assert!(problem.contains("makes several files"), "{problem}");
}
