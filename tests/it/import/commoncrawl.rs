//! `rank commoncrawl`, compared with a slow and obvious computation.

use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use tempfile::TempDir;
use webrank_testing::cli::*;

const NODES: usize = 60;

/// Arcs from a fixed sequence: some nodes have none, and some are not reached.
fn arcs() -> Vec<(usize, usize)> {
    let mut arcs: Vec<_> = (0..300usize)
        .map(|i| (i * i * 7 % 53, (i * 31 + i * i / 5) % 47))
        .filter(|(source, target)| source != target)
        .collect();
    arcs.sort_unstable();
    arcs.dedup();
    arcs
}

/// Sums of inverse distances from all other nodes, by a search from each node.
fn harmonic(arcs: &[(usize, usize)]) -> Vec<f64> {
    let mut scores = vec![0.0; NODES];
    for start in 0..NODES {
        let mut distances = vec![None; NODES];
        distances[start] = Some(0);
        let mut level = vec![start];
        for distance in 1.. {
            let mut next = Vec::new();
            for &(source, target) in arcs {
                if level.contains(&source) && distances[target].is_none() {
                    distances[target] = Some(distance);
                    next.push(target);
                    scores[target] += 1.0 / f64::from(distance);
                }
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
    }
    scores
}

fn pagerank(arcs: &[(usize, usize)]) -> Vec<f64> {
    let degree = |node| arcs.iter().filter(|arc| arc.0 == node).count();
    let mut scores = vec![1.0 / NODES as f64; NODES];
    for _ in 0..400 {
        let dangling: f64 = (0..NODES)
            .filter(|&node| degree(node) == 0)
            .map(|node| scores[node])
            .sum();
        let mut next = vec![(0.15 + 0.85 * dangling) / NODES as f64; NODES];
        for &(source, target) in arcs {
            next[target] += 0.85 * scores[source] / degree(source) as f64;
        }
        scores = next;
    }
    scores
}

fn write_gz(path: &Path, text: &str) {
    let mut out = GzEncoder::new(File::create(path).unwrap(), Default::default());
    out.write_all(text.as_bytes()).unwrap();
    out.finish().unwrap();
}

/// A release in a folder; with numbers of hosts, of domains.
fn release(folder: &Path, with_hosts: bool) -> (String, String) {
    let vertices = folder.join("cc-test-vertices.txt.gz");
    let lines = (0..NODES).map(|node| match with_hosts {
        true => format!("{node}\torg.example{node:02}\t{}\n", node + 1),
        false => format!("{node}\torg.example{node:02}.www\n"),
    });
    write_gz(&vertices, &lines.collect::<String>());
    // In parts, as large releases come.
    let edges = folder.join("edges");
    fs::create_dir(&edges).unwrap();
    for (part, arcs) in arcs().chunks(100).enumerate() {
        let lines = arcs
            .iter()
            .map(|(source, target)| format!("{source}\t{target}\n"));
        write_gz(
            &edges.join(format!("part-{part}.txt.gz")),
            &lines.collect::<String>(),
        );
    }
    (text(&vertices).to_owned(), text(&edges).to_owned())
}

/// The nodes that each node reaches and is reached from, or all that it hangs together with, itself
/// included.
fn components(arcs: &[(usize, usize)], strong: bool) -> Vec<Vec<usize>> {
    let mut reaches = vec![[false; NODES]; NODES];
    (0..NODES).for_each(|node| reaches[node][node] = true);
    for &(source, target) in arcs {
        reaches[source][target] = true;
        reaches[target][source] |= !strong;
    }
    for through in 0..NODES {
        for from in 0..NODES {
            for to in 0..NODES {
                reaches[from][to] |= reaches[from][through] && reaches[through][to];
            }
        }
    }
    let with = |node: usize| {
        let others = (0..NODES).filter(|&other| reaches[node][other] && reaches[other][node]);
        others.collect()
    };
    (0..NODES).map(with).collect()
}

/// The sizes of components, the largest first, and how many there are of each.
fn sizes(components: &[Vec<usize>]) -> Vec<(usize, usize)> {
    let mut counts = std::collections::BTreeMap::new();
    for (node, component) in components.iter().enumerate() {
        // Each component once, by its first node.
        if component[0] == node {
            *counts.entry(component.len()).or_insert(0) += 1;
        }
    }
    counts.into_iter().rev().collect()
}

fn positions(scores: &[f64]) -> Vec<usize> {
    let larger = |score: f64| {
        scores
            .iter()
            .filter(|&&other| other > score + 1e-12)
            .count()
    };
    scores.iter().map(|&score| 1 + larger(score)).collect()
}

#[test]
fn ranks_are_those_of_a_slow_computation() {
    for with_hosts in [false, true] {
        let folder = TempDir::new().unwrap();
        let (vertices, edges) = release(folder.path(), with_hosts);
        let output = folder.path().join("out");
        stdout(&["commoncrawl", &vertices, &edges, "-o", text(&output)]);
        let mut ranks = String::new();
        let file = File::open(output.join("cc-test-ranks.txt.gz")).unwrap();
        GzDecoder::new(file).read_to_string(&mut ranks).unwrap();
        let mut lines = ranks.lines();
        let header = "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev";
        let of_hosts = if with_hosts { "\t#n_hosts" } else { "" };
        assert_eq!(lines.next(), Some(format!("{header}{of_hosts}").as_str()));
        let arcs = arcs();
        let (harmonic, pagerank) = (harmonic(&arcs), pagerank(&arcs));
        let (harmonic_ranks, pagerank_ranks) = (positions(&harmonic), positions(&pagerank));
        let mut seen = vec![false; NODES];
        for (position, line) in (1..).zip(lines) {
            let fields: Vec<&str> = line.split('\t').collect();
            assert_eq!(fields.len(), if with_hosts { 6 } else { 5 }, "{line}");
            let digits: String = fields[4].chars().filter(char::is_ascii_digit).collect();
            let node: usize = digits.parse().unwrap();
            assert!(!std::mem::replace(&mut seen[node], true), "{line}");
            assert_eq!(fields[0], position.to_string());
            let number = |field: usize| fields[field].parse::<f64>().unwrap();
            assert!((number(1) - harmonic[node]).abs() < 1e-9, "{line}");
            assert!((number(3) - pagerank[node]).abs() < 1e-9, "{line}");
            // Nodes that tie share a rank, and have the positions from it on.
            let ties = |ranks: &[usize]| ranks.iter().filter(|&&rank| rank == ranks[node]).count();
            let of = |ranks: &[usize]| ranks[node]..ranks[node] + ties(ranks);
            assert!(of(&harmonic_ranks).contains(&position), "{line}");
            assert!(
                of(&pagerank_ranks).contains(&(number(2) as usize)),
                "{line}"
            );
            if with_hosts {
                assert_eq!(fields[5], (node + 1).to_string());
            }
        }
        assert!(seen.into_iter().all(|seen| seen));
        let degrees = |name: &str, degree: &dyn Fn(usize) -> usize| {
            let mut counts = vec![0; 1 + (0..NODES).map(degree).max().unwrap()];
            (0..NODES).for_each(|node| counts[degree(node)] += 1);
            let expected: String = counts.iter().map(|count| format!("{count}\n")).collect();
            assert_eq!(fs::read_to_string(output.join(name)).unwrap(), expected);
        };
        degrees("cc-test.outdegree", &|node| {
            arcs.iter().filter(|arc| arc.0 == node).count()
        });
        degrees("cc-test.indegree", &|node| {
            arcs.iter().filter(|arc| arc.1 == node).count()
        });
        let strong = fs::read_to_string(output.join("cc-test.sccdistr")).unwrap();
        let expected = sizes(&components(&arcs, true));
        let line = |(size, count): &(usize, usize)| format!("{size}\t{count}\n");
        assert_eq!(strong, expected.iter().map(line).collect::<String>());
        let name = "cc-test-connected-components-distrib.txt.gz";
        let (mut weak, file) = (String::new(), File::open(output.join(name)).unwrap());
        GzDecoder::new(file).read_to_string(&mut weak).unwrap();
        let line = |(size, count): &(usize, usize)| {
            let percentage = (size * count) as f64 / NODES as f64 * 100.0;
            format!("{count}\t{size}\t{percentage:9.6}%\n")
        };
        let lines: String = sizes(&components(&arcs, false)).iter().map(line).collect();
        assert_eq!(weak, format!("#freq\t#size\t#perc\n{lines}"));
        stdout(&["check", text(&output.join("graph.bv"))]);
        let table = output.join("cc-test-ranks.parquet");
        let verified = stdout(&["verify", text(&table)]);
        assert!(
            verified.contains("pagerank") && verified.contains("harmonic"),
            "{verified}"
        );
    }
}

#[test]
fn files_that_contradict_each_other_are_named() {
    let folder = TempDir::new().unwrap();
    let (vertices, edges) = (folder.path().join("v.txt"), folder.path().join("e.txt"));
    let output = folder.path().join("out");
    let run = [
        "commoncrawl",
        text(&vertices),
        text(&edges),
        "-o",
        text(&output),
    ];
    for (of_vertices, of_edges, words) in [
        (
            "0\ta\n1\tb\n",
            "0\t2\n",
            "v.txt: only 2 names, but arcs name nodes up to number 2",
        ),
        (
            "0\ta\n2\tb\n",
            "0\t1\n",
            "v.txt, line 2: '2' is not the next number, 1",
        ),
        (
            "0\ta\n1\tb\n",
            "0\tx\n",
            "e.txt, line 1: 'x' is not a node number",
        ),
    ] {
        fs::write(&vertices, of_vertices).unwrap();
        fs::write(&edges, of_edges).unwrap();
        let problem = failure(&run, 1);
        assert!(problem.contains(words), "{problem}");
        assert!(!output.exists());
    }
}

/// The files of a folder and of the bundle in it, but for what says how long a run took.
fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for name in files(folder) {
        let path = folder.join(&name);
        if path.is_dir() {
            found.extend(contents(&path));
        } else if !name.ends_with(".parquet.json") {
            found.push((name, fs::read(path).unwrap()));
        }
    }
    found
}

#[test]
#[cfg(unix)]
fn a_run_that_is_killed_is_repeated_in_its_folder() {
    use std::process::{Command, Stdio};
    use std::time::Instant;
    let folder = TempDir::new().unwrap();
    let (vertices, edges) = release(folder.path(), true);
    let output = folder.path().join("out");
    let arguments = ["commoncrawl", &vertices, &edges, "-q", "-o", text(&output)];
    let start = Instant::now();
    stdout(&arguments);
    let mut whole = start.elapsed();
    let expected = contents(&output);
    let message = failure(&arguments, 1);
    assert!(message.contains("already exists"), "{message}");
    let (mut killed, mut unfinished) = (0, 0);
    for attempt in 0..100 {
        if killed >= 6 && unfinished >= 1 {
            break;
        }
        let moment = 1 + attempt % 12;
        fs::remove_dir_all(&output).unwrap();
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("rank"))
            .args(arguments)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(whole.mul_f64(f64::from(moment) / 13.0));
        child.kill().unwrap();
        if child.wait().unwrap().success() {
            // The first run took longer: the machine did other work then.
            whole = whole.mul_f64(0.8);
            continue;
        }
        killed += 1;
        unfinished += usize::from(output.join("unfinished.txt").exists());
        stdout(&arguments);
        assert!(contents(&output) == expected, "moment {moment}");
        assert!(!output.join("unfinished.txt").exists());
    }
    assert!(killed >= 3 && unfinished >= 1, "{killed}, {unfinished}");
}

#[test]
fn no_other_folder_is_taken_over() {
    let folder = TempDir::new().unwrap();
    let (vertices, edges) = release(folder.path(), true);
    let output = folder.path().join("out");
    fs::create_dir(&output).unwrap();
    fs::write(output.join("thesis"), "mine").unwrap();
    let arguments = ["commoncrawl", &vertices, &edges, "-q", "-o", text(&output)];
    let message = failure(&arguments, 1);
    assert!(message.contains("already exists"), "{message}");
    assert_eq!(files(&output), ["thesis"]);
    // One that another run is filling is not, either.
    let mark = output.join("unfinished.txt");
    let lock = File::create(&mark).unwrap();
    lock.lock().unwrap();
    let message = failure(&arguments, 1);
    assert!(message.contains("another run is filling it"), "{message}");
    drop(lock);
    stdout(&arguments);
    assert!(output.join("thesis").exists() && output.join("graph.bv").exists());
}
