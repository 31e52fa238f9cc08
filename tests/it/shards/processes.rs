//! Several processes rank shards together, over the loopback interface.

use super::command::cut;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use webrank_testing::cli::*;

/// A file with so many addresses that are free at this moment.
fn hosts(count: usize, folder: &Path) -> PathBuf {
    let listeners: Vec<_> = (0..count)
        .map(|_| TcpListener::bind("127.0.0.1:0").unwrap())
        .collect();
    let lines = listeners
        .iter()
        .map(|listener| format!("{}\n", listener.local_addr().unwrap()));
    let path = folder.join("hosts.txt");
    fs::write(&path, lines.collect::<String>()).unwrap();
    path
}

/// A process that ranks by PageRank, with what it is told besides.
fn start(shards: &Path, hosts: &Path, me: usize, others: &[&str]) -> Child {
    start_measure(&["pagerank"], shards, hosts, me, others)
}

/// A process that ranks by a measure, with what it is told besides.
fn start_measure(
    measure: &[&str],
    shards: &Path,
    hosts: &Path,
    me: usize,
    others: &[&str],
) -> Child {
    Command::new(env!("CARGO_BIN_EXE_rank"))
        .args(measure)
        .args([text(shards), "--hosts", text(hosts), "--threads", "1"])
        .args(["--process", &me.to_string()])
        .args(others)
        .env_remove("RANK_SECRET")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn processes_write_the_bytes_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let shards = cut("4", folder.path());
    let table = |name: &str| folder.path().join(name);
    stdout(&[
        "pagerank",
        text(&shards),
        "-o",
        text(&table("one.csv")),
        "-q",
    ]);
    for workers in [1, 3, 4] {
        let hosts = hosts(workers, folder.path());
        let output = table("all.csv");
        let running: Vec<Child> = (0..workers)
            .map(|me| start(&shards, &hosts, me, &["-o", text(&output)]))
            .collect();
        for process in running {
            let output = process.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", said(&output));
        }
        assert!(fs::read(&output).unwrap() == fs::read(table("one.csv")).unwrap());
        let manifest = fs::read_to_string(table("all.csv.json")).unwrap();
        assert!(
            manifest.contains(&format!("\"workers\": {workers}")),
            "{manifest}"
        );
        // Repeated alone, it has the same bits.
        stdout(&["rerun", text(&table("all.csv.json"))]);
    }
}

/// A worker of weight 2 has two times as many parts, and the bytes stay the same.
#[test]
fn hosts_have_weights() {
    let folder = tempfile::tempdir().unwrap();
    let shards = cut("4", folder.path());
    let table = |name: &str| folder.path().join(name);
    let seeds = ["--seeds", "bash,perl"];
    let one = table("one.csv");
    stdout(
        &[
            &["trustrank", text(&shards), "-o", text(&one), "-q"][..],
            &seeds,
        ]
        .concat(),
    );
    let hosts = hosts(3, folder.path());
    let addresses = fs::read_to_string(&hosts).unwrap();
    let write = |weights: [&str; 3]| {
        let lines = addresses.lines().zip(weights);
        let lines: String = lines
            .map(|(address, weight)| format!("{address} {weight}\n"))
            .collect();
        fs::write(&hosts, lines).unwrap();
    };
    write(["1", "2", " 1 "]);
    let output = table("all.csv");
    let running: Vec<Child> = (0..3)
        .map(|me| {
            let options = [&["-o", text(&output)][..], &seeds].concat();
            start_measure(&["trustrank"], &shards, &hosts, me, &options)
        })
        .collect();
    for process in running {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
    }
    assert!(fs::read(&output).unwrap() == fs::read(&one).unwrap());
    let run = [
        "pagerank",
        text(&shards),
        "--hosts",
        text(&hosts),
        "--process",
        "0",
    ];
    for (weights, code, word) in [
        (["1", "0", "1"], 1, "line 2: not a weight"),
        (["1", "1", "2.5"], 1, "line 3: not a weight"),
        (["1001", "1", "1"], 1, "line 1: not a weight"),
        (["1", "1", "900"], 2, "worker 0 gets none of the 4 parts"),
    ] {
        write(weights);
        let said = failure(&run, code);
        assert!(said.contains(word), "{said}");
    }
}

#[test]
fn processes_compute_every_measure() {
    let folder = tempfile::tempdir().unwrap();
    let shards = cut("3", folder.path());
    let table = |name: &str| folder.path().join(name);
    let (whole, output) = (table("whole.csv"), table("all.csv"));
    for (measure, graph) in [
        (
            &["harmonic", "--method", "hyperball", "--log2m", "5"][..],
            DEBIAN,
        ),
        (
            &["lin", "--method", "sample", "--sources", "90"],
            text(&shards),
        ),
        (&["salsa"], DEBIAN),
        (&["hits", "--tolerance", "1e-3"], text(&shards)),
        (
            &["katz", "--alpha", "1e-4", "--direction", "out"],
            text(&shards),
        ),
        (
            &[
                "eigenvector",
                "--max-iterations",
                "20",
                "--allow-unconverged",
            ],
            text(&shards),
        ),
        (&["pagerank", "--each-seed", "bash,perl"], text(&shards)),
        (&["trustrank", "--select", "7"], text(&shards)),
    ] {
        stdout(&[measure, &[graph, "-o", text(&whole), "-q"]].concat());
        let hosts = hosts(3, folder.path());
        let running: Vec<Child> = (0..3)
            .map(|me| start_measure(measure, &shards, &hosts, me, &["-o", text(&output)]))
            .collect();
        for process in running {
            let output = process.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", said(&output));
        }
        assert!(
            fs::read(&output).unwrap() == fs::read(&whole).unwrap(),
            "{measure:?}"
        );
    }
}

/// The others end with a line that names the worker, soon.
#[test]
fn a_killed_process_ends_all() {
    let folder = tempfile::tempdir().unwrap();
    let shards = cut("3", folder.path());
    let hosts = hosts(3, folder.path());
    // Sweeps without end: no bound is that small.
    let options = [
        "--tolerance",
        "1e-300",
        "--alpha",
        "0.9999999",
        "--max-iterations",
        "1000000000",
        "-q",
    ];
    let mut running: Vec<Child> = (0..3)
        .map(|me| start(&shards, &hosts, me, &options))
        .collect();
    thread::sleep(Duration::from_secs(2));
    assert!(running[1].try_wait().unwrap().is_none());
    running[1].kill().unwrap();
    let killed = Instant::now();
    for (me, process) in running.into_iter().enumerate() {
        let output = process.wait_with_output().unwrap();
        if me != 1 {
            assert_eq!(output.status.code(), Some(1));
            assert_eq!(said(&output).lines().count(), 1, "{}", said(&output));
            // Whoever hears of it first may tell the other.
            assert!(said(&output).contains("worker 1"), "{}", said(&output));
            assert!(output.stdout.is_empty());
        }
    }
    assert!(killed.elapsed() < Duration::from_secs(20));
}

#[test]
fn processes_that_differ_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let shards = cut("2", folder.path());
    for (others, word) in [
        (&["--alpha", "0.5"][..], "other parameters"),
        (&["--secret", "SECRET"], "another secret"),
    ] {
        let secret = folder.path().join("secret");
        fs::write(&secret, "a secret\n").unwrap();
        let others: Vec<&str> = others
            .iter()
            .map(|&word| {
                if word == "SECRET" {
                    text(&secret)
                } else {
                    word
                }
            })
            .collect();
        let hosts = hosts(2, folder.path());
        let first = start(&shards, &hosts, 0, &["--timeout", "3s", "-q"]);
        let second = start(
            &shards,
            &hosts,
            1,
            &[&others[..], &["--timeout", "3s", "-q"]].concat(),
        );
        let second = second.wait_with_output().unwrap();
        assert!(said(&second).contains(word), "{}", said(&second));
        let first = first.wait_with_output().unwrap();
        assert!(said(&first).contains("worker 1"), "{}", said(&first));
        // A worker with another secret ends the connection itself, so the first does not learn why.
        let is_told = word == "other parameters";
        assert_eq!(said(&first).contains(word), is_told, "{}", said(&first));
        assert_eq!(
            (first.status.code(), second.status.code()),
            (Some(1), Some(1))
        );
    }
}

#[test]
fn an_address_that_others_reach_without_a_secret_is_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let shards = cut("2", folder.path());
    let hosts = hosts(2, folder.path());
    let addresses = fs::read_to_string(&hosts).unwrap();
    let secret = folder.path().join("secret");
    fs::write(&secret, "a secret\n").unwrap();
    let words = "there is no secret: give all workers the same --secret FILE";
    for (address, others, is_warned) in [
        ("0.0.0.0", &[][..], true),
        ("0.0.0.0", &["--secret", text(&secret)], false),
        ("127.0.0.1", &[], false),
    ] {
        fs::write(&hosts, addresses.replacen("127.0.0.1", address, 1)).unwrap();
        let alone = start(&shards, &hosts, 0, &[others, &["--timeout", "1s"]].concat());
        let output = alone.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(
            said(&output).contains(words),
            is_warned,
            "{}",
            said(&output)
        );
    }
}

/// Each process refuses what one does before it waits for any other.
#[test]
fn every_process_refuses_parameters_alone() {
    let folder = tempfile::tempdir().unwrap();
    let shards = cut("2", folder.path());
    let weights = folder.path().join("weights.csv");
    fs::write(&weights, "source,target,weight\n").unwrap();
    let hosts = hosts(2, folder.path());
    for (measure, options) in [
        ("pagerank", &["--form", "runs"][..]),
        ("pagerank", &["--form", "streamed"]),
        ("pagerank", &["--form", "external"]),
        ("pagerank", &["--derivative"]),
        ("pagerank", &["--certify-top", "5"]),
        ("pagerank", &["--method", "components"]),
        ("pagerank", &["--weights", text(&weights)]),
        ("hits", &["--form", "compact"]),
        ("katz", &["--form", "disk"]),
        ("eigenvector", &["--form", "runs"]),
    ] {
        for me in [0, 1] {
            let begun = Instant::now();
            let process = start_measure(&[measure], &shards, &hosts, me, options);
            let output = process.wait_with_output().unwrap();
            let said = said(&output);
            let what = format!("{} is {}", options[0], options.get(1).unwrap_or(&"given"));
            let is_named =
                said.contains(&what) || measure == "pagerank" && options[0] == "--weights";
            assert!(is_named && said.contains("cut into shards"), "{said}");
            assert_eq!(output.status.code(), Some(2), "{said}");
            // Others would be awaited for a minute.
            assert!(begun.elapsed() < Duration::from_secs(40), "{options:?}");
        }
    }
}

#[test]
fn wrong_hosts_are_refused_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let shards = cut("2", folder.path());
    let hosts = folder.path().join("hosts.txt");
    for (lines, process, code, word) in [
        ("", "0", 1, "no addresses"),
        ("a b\n", "0", 1, "line 1"),
        ("# first\nlocalhost\n", "0", 1, "line 2"),
        ("localhost:1\nlocalhost:1\n", "0", 1, "twice"),
        ("localhost:1\n", "1", 1, "numbered from 0 to 0"),
        ("127.0.0.1:1\n127.0.0.1:2\n127.0.0.1:3\n", "0", 2, "2 parts"),
    ] {
        fs::write(&hosts, lines).unwrap();
        let arguments = [
            "pagerank",
            text(&shards),
            "--hosts",
            text(&hosts),
            "--process",
            process,
        ];
        let said = failure(&arguments, code);
        assert!(said.contains(word), "{said}");
    }
    fs::write(&hosts, "127.0.0.1:1\n127.0.0.1:2\n").unwrap();
    let several = ["--hosts", text(&hosts), "--process", "0"];
    for option in [&several[..], &["--workers", "2"]] {
        let said = failure(&[&["pagerank", DEBIAN], option].concat(), 2);
        assert!(said.contains("rank shard"), "{said}");
    }
}

/// Processes fill one folder if they share it.
#[test]
fn processes_write_the_parts_of_one_table() {
    let folder = tempfile::tempdir().unwrap();
    let shards = cut("4", folder.path());
    let run = |measure: &[&str], name: &str, workers: usize| {
        let hosts = hosts(workers, folder.path());
        let parts = folder.path().join(name);
        let output = format!("{}/", text(&parts));
        let start = |me| start_measure(measure, &shards, &hosts, me, &["-o", &output]);
        let running: Vec<Child> = (0..workers).map(start).collect();
        let told = running.into_iter().map(|process| {
            let output = process.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", said(&output));
            said(&output)
        });
        let told: Vec<String> = told.collect();
        assert!(told.last().unwrap().contains(match workers {
            1 => "measure",
            _ => "worker 0 finishes the table",
        }));
        let read = |name: &String| fs::read(parts.join(name)).unwrap();
        let names = files(&parts)
            .into_iter()
            .filter(|name| name != "_manifest.json");
        names.map(|name| (read(&name), name)).collect::<Vec<_>>()
    };
    for measure in [
        &["pagerank"][..],
        &["harmonic", "--method", "hyperball", "--log2m", "4"],
    ] {
        let one = run(measure, "one", 1);
        assert_eq!(one.len(), 5);
        assert!(one == run(measure, "three", 3));
    }
    assert_eq!(
        files(folder.path()),
        ["debian.shards", "hosts.txt", "one", "three"]
    );
}
