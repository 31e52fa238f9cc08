//! `rank shard`, and commands on shards.

use std::fs;
use std::path::Path;
use webrank_testing::cli::*;

/// The message of a command that is refused.
fn refused(arguments: &[&str], word: &str) -> String {
    let said = failure(arguments, 1);
    assert!(said.contains(word), "{said}");
    said
}

pub fn cut(parts: &str, folder: &Path) -> std::path::PathBuf {
    let shards = folder.join("debian.shards");
    let said = stdout(&["shard", DEBIAN, "-n", parts, "-o", text(&shards)]);
    assert!(said.contains("exchanged"), "{said}");
    assert!(said.contains("one machine"), "{said}");
    shards
}

#[test]
fn shards_are_ranked_as_the_streamed_graph_is() {
    let folder = tempfile::tempdir().unwrap();
    let shards = cut("3", folder.path());
    assert!(stdout(&["check", text(&shards)]).starts_with("ok: 3 parts"));
    assert!(stdout(&["info", text(&shards)]).contains("parts            3"));
    let table = |name: &str, arguments: &[&str]| {
        let path = folder.path().join(name);
        stdout(&[&["pagerank"], arguments, &["-o", text(&path), "-q"]].concat());
        fs::read(path).unwrap()
    };
    let whole = table("whole.csv", &[DEBIAN, "--form", "streamed"]);
    assert!(whole == table("one.csv", &[text(&shards)]));
    assert!(
        whole
            == table(
                "three.csv",
                &[text(&shards), "--workers", "3", "--threads", "2"]
            )
    );
    let manifest = fs::read_to_string(folder.path().join("three.csv.json")).unwrap();
    assert!(manifest.contains("\"name\": \"shards\""), "{manifest}");
    // Rows that do not fit into memory are in a file.
    assert!(
        whole
            == table(
                "small.csv",
                &[text(&shards), "--memory", "73M", "--threads", "1"]
            )
    );
    // Nothing is replaced.
    refused(
        &["shard", DEBIAN, "-n", "3", "-o", text(&shards)],
        "already exists",
    );
}

#[test]
fn trust_and_degrees_are_those_of_the_graph() {
    let folder = tempfile::tempdir().unwrap();
    let shards = cut("3", folder.path());
    for degree in ["indegree", "outdegree"] {
        assert!(stdout(&[degree, text(&shards)]) == stdout(&[degree, DEBIAN]));
    }
    let trust = |arguments: &[&str]| {
        stdout(
            &[
                &["trustrank", text(&shards), "--seeds", "bash,perl", "-q"],
                arguments,
            ]
            .concat(),
        )
    };
    let one = trust(&[]);
    assert!(one == trust(&["--workers", "3"]));
    assert!(stdout(&["trustrank", text(&shards), "--seeds", "perl", "--plan"]).contains("shards"));
    for (options, word) in [
        (
            &["--seeds", "perl", "--certify-top", "2"][..],
            "name the graph that was cut",
        ),
        (&["--seeds", "perl", "--workers", "4"], "--workers is 4"),
    ] {
        let said = failure(&[&["trustrank", text(&shards)], options].concat(), 2);
        assert!(said.contains(word), "{said}");
    }
    let select = |graph: &str, workers: &[&str]| {
        let table = stdout(&[&["trustrank", graph, "--select", "5", "-q"], workers].concat());
        let column = |line: &str| line.split(',').nth(1).map(str::to_owned);
        (table.lines().map(column).collect::<Vec<_>>(), table)
    };
    let (one, three) = (
        select(text(&shards), &[]),
        select(text(&shards), &["--workers", "3"]),
    );
    assert!(one.1 == three.1);
    assert_eq!(one.0, select(DEBIAN, &[]).0);
}

#[test]
fn what_machines_would_take_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let shards = cut("4", folder.path());
    let info = |options: &[&str]| stdout(&[&["info", text(&shards)], options].concat());
    assert!(!info(&[]).contains("estimate"));
    let told = info(&["--network", "10G", "--cores", "16"]);
    assert!(
        told.contains("estimate         for 4 x 16 cores, 10 Gbit/s"),
        "{told}"
    );
    assert!(
        told.contains("for 144 sweeps, the most for alpha 0.85 and tolerance 1e-9"),
        "{told}"
    );
    assert!(told.contains("2^10 registers"), "{told}");
    // The bytes are those of every part with a worker.
    let after = |text: &str, start: &str| {
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix(start))
            .unwrap();
        line.split(" between")
            .next()
            .unwrap()
            .split(" a sweep")
            .next()
            .unwrap()
            .trim()
            .to_owned()
    };
    assert_eq!(after(&told, "pagerank sweep"), after(&told, "exchanged"));
    let alone = info(&[
        "--network",
        "10G",
        "--cores",
        "16",
        "--workers",
        "1",
        "--log2m",
        "8",
    ]);
    assert_eq!(after(&alone, "pagerank sweep"), "0 B");
    assert!(alone.contains("2^8 registers"), "{alone}");
    rank(&["info", text(&shards), "--cores", "2"])
        .assert()
        .code(2);
    for (graph, options, word) in [
        (
            text(&shards),
            &["--network", "1G", "--cores", "0"][..],
            "--cores is 0",
        ),
        (
            text(&shards),
            &["--network", "0", "--cores", "1"],
            "--network is 0",
        ),
        (
            text(&shards),
            &["--network", "1G", "--cores", "1", "--workers", "5"],
            "--workers is 5",
        ),
        (
            text(&shards),
            &["--network", "1G", "--cores", "1", "--alpha", "1"],
            "--alpha is 1",
        ),
        (
            DEBIAN,
            &["--network", "1G", "--cores", "1"],
            "see rank shard",
        ),
    ] {
        let said = failure(&[&["info", graph], options].concat(), 2);
        assert!(said.contains(word), "{said}");
    }
}

#[test]
fn a_file_of_arcs_is_cut_like_its_bundle() {
    let folder = tempfile::tempdir().unwrap();
    let (arcs, bundle) = (folder.path().join("arcs.tsv"), folder.path().join("g.bv"));
    fs::write(&arcs, "a\tb\nb\tc\nc\ta\nd\tb\ne\ta\nb\te\n").unwrap();
    stdout(&["import", text(&arcs), "-o", text(&bundle), "-q"]);
    let plans = [&arcs, &bundle].map(|graph| {
        let shards = folder.path().join("s");
        stdout(&["shard", text(graph), "-n", "2", "-o", text(&shards), "-q"]);
        let own = fs::read(shards.join("part-00001/own.graph")).unwrap();
        let ranked = stdout(&["pagerank", text(&shards), "--workers", "2"]);
        fs::remove_dir_all(shards).unwrap();
        (own, ranked)
    });
    assert!(plans[0] == plans[1]);
    assert!(
        plans[0].1.contains("\nb,") || plans[0].1.contains(",b,"),
        "{}",
        plans[0].1
    );
}

/// Every flipped byte, every file cut short and every missing file is named, by a line.
#[test]
fn damage_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let arcs = folder.path().join("arcs.tsv");
    let lines: String = (0..60)
        .map(|k| format!("{}\t{}\n", k % 13, k * k % 17))
        .collect();
    fs::write(&arcs, lines).unwrap();
    let shards = folder.path().join("s");
    stdout(&["shard", text(&arcs), "-n", "2", "-o", text(&shards), "-q"]);
    let part = shards.join("part-00001");
    let files = fs::read_dir(&part)
        .unwrap()
        .map(|file| file.unwrap().path());
    for file in files.chain([shards.join("plan.json")]) {
        if file.file_name().unwrap() == "names.index" {
            // Nothing reads it here.
            continue;
        }
        let whole = fs::read(&file).unwrap();
        let mut variants = vec![None, Some(whole[..whole.len() / 2].to_vec())];
        for place in [0, whole.len() / 3, whole.len().saturating_sub(1)] {
            let mut flipped = whole.clone();
            if let Some(byte) = flipped.get_mut(place) {
                *byte ^= 1;
                variants.push(Some(flipped));
            }
        }
        for variant in variants
            .into_iter()
            .filter(|variant| *variant != Some(whole.clone()))
        {
            match variant {
                None => fs::remove_file(&file).unwrap(),
                Some(bytes) => fs::write(&file, bytes).unwrap(),
            }
            for command in [&["check"][..], &["pagerank"]] {
                let said = failure(&[command, &[text(&shards)]].concat(), 1);
                let is_named = said.contains("part-00001") || said.contains("plan.json");
                assert!(is_named, "{}: {said}", file.display());
                // Advice on a graph of its own does not help a part.
                let is_wrong = said.contains("delete it") || said.contains("bundle is damaged");
                assert!(!is_wrong, "{}: {said}", file.display());
            }
            fs::write(&file, &whole).unwrap();
        }
    }
    stdout(&["check", text(&shards)]);
}

#[test]
fn other_commands_say_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let shards = cut("2", folder.path());
    for command in ["betweenness", "seeley", "components", "export", "codes"] {
        let output = ["-o", text(&folder.path().join("out.parquet"))].map(str::to_owned);
        let output = match command {
            "export" => output.to_vec(),
            _ => vec![],
        };
        let mut arguments = vec![command, text(&shards)];
        arguments.extend(output.iter().map(String::as_str));
        refused(&arguments, "name the graph that was cut");
    }
    let sampled = ["integration", text(&shards), "--method", "sample"];
    let said = failure(&sampled, 2);
    assert!(said.contains("name the graph that was cut"), "{said}");
    for command in ["katz", "eigenvector", "hits", "salsa"] {
        let weights = text(&shards.join("plan.json")).to_owned();
        let said = failure(&[command, text(&shards), "--weights", &weights], 2);
        assert!(
            said.contains("--weights is given: the graph is cut"),
            "{said}"
        );
    }
    let said = failure(&["shard", DEBIAN, "-n", "0", "-o", "x"], 2);
    assert!(said.contains("1 to"), "{said}");
    for (options, word) in [
        (&["--workers", "3"][..], "--workers is 3"),
        (&["--derivative"], "name the graph that was cut"),
    ] {
        let said = failure(&[&["pagerank", text(&shards)], options].concat(), 2);
        assert!(said.contains(word), "{said}");
    }
    let said = failure(&["eigenvector", text(&shards), "--method", "power"], 2);
    assert!(
        said.contains("--method is power: the graph is cut"),
        "{said}"
    );
}

#[test]
#[cfg(target_os = "linux")]
fn cutting_holds_no_more_than_it_says() {
    let folder = tempfile::tempdir().unwrap();
    for (name, graph) in [("debian", DEBIAN), ("rust-doc", "graphs/rust-doc.bv")] {
        let shards = folder.path().join(name);
        let run = [
            "shard",
            graph,
            "-n",
            "5",
            "-o",
            text(&shards),
            "-v",
            "--threads",
            "2",
        ];
        let output = rank(&run).assert().success();
        let said = String::from_utf8(output.get_output().stderr.clone()).unwrap();
        let number = |before: &str, after: &str| -> f64 {
            let line = said
                .lines()
                .find(|line| line.contains(before) && line.contains(after));
            let words = line.unwrap().split_whitespace();
            words.filter_map(|word| word.parse().ok()).next().unwrap()
        };
        let (needed, held) = (
            number("shard needs", "at most"),
            number("were held", "at most"),
        );
        assert!(held <= 1.15 * needed, "{held} of {needed}");
        let refused = failure(&[&run[..5], &["x", "--memory", "20M"]].concat(), 1);
        assert!(refused.contains("needs up to"), "{refused}");
        // Rows that do not fit into memory are sorted in files.
        let sorted = folder.path().join("sorted");
        // The memory of the process itself is not the same in each run.
        let memory = format!("{:.0}", 1.02 * needed);
        let with = [
            &run[..4],
            &["-o", text(&sorted), "--memory", &memory],
            &run[6..],
        ];
        stdout(&with.concat());
        let plan = |shards: &Path| fs::read(shards.join("plan.json")).unwrap();
        assert!(plan(&shards) == plan(&sorted));
        fs::remove_dir_all(sorted).unwrap();
    }
}

/// A cut that is killed leaves no shards, and the next one removes what it leaves.
#[test]
#[cfg(unix)]
fn cuts_may_be_killed() {
    let folder = tempfile::tempdir().unwrap();
    let shards = folder.path().join("s");
    let run = ["shard", DEBIAN, "-n", "40", "-o", text(&shards), "-q"];
    for moment in 0..12 {
        let mut cut = std::process::Command::new(env!("CARGO_BIN_EXE_rank"))
            .args(run)
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20 * moment));
        cut.kill().unwrap();
        cut.wait().unwrap();
        if shards.exists() {
            stdout(&["check", text(&shards)]);
            fs::remove_dir_all(&shards).unwrap();
        }
    }
    stdout(&run);
    assert_eq!(files(folder.path()), ["s"]);
    stdout(&["check", text(&shards)]);
}
