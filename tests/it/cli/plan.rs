//! `rank plan`: what a command would need, before it does anything.
#![cfg(target_os = "linux")]

use super::memory::{COMMANDS, Case, logged};
use super::memory_of_files::{ON_FILES, inputs};
use std::fs;
use webrank_testing::cli::*;

/// The form that a plan takes, and its megabytes.
fn taken(plan: &str) -> Option<(String, f64)> {
    let line = plan.lines().find(|line| line.ends_with(", taken"))?;
    let (name, rest) = line.split_at(16);
    let megabytes = rest.split_whitespace().next().unwrap();
    Some((name.trim().to_owned(), megabytes.parse().unwrap()))
}

#[test]
fn a_plan_of_a_plan_is_refused() {
    for words in [&["plan", "plan"][..], &["plan", "plan", "pagerank", DEBIAN]] {
        let message = failure(words, 2);
        assert!(message.contains("name a command to plan"), "{message}");
    }
}

#[test]
fn the_form_of_a_plan_is_the_one_that_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let (bundle, scores) = (folder.path().join("g.bv"), folder.path().join("s.csv"));
    stdout(&["import", DEBIAN, "-o", text(&bundle), "-q"]);
    let run = [
        "pagerank",
        text(&bundle),
        "-o",
        text(&scores),
        "--threads",
        "1",
    ];
    let options: [(&[&str], &str); 6] = [
        (&[], "runs"),
        (&["--form", "compact"], "compact"),
        (&["--form", "disk"], "disk"),
        (&["--form", "streamed"], "streamed"),
        (&["--form", "external"], "external"),
        (&["--memory", "42M"], "streamed"),
    ];
    for (given, form) in options {
        let plan = stdout(&[&run[..], given, &["--plan"]].concat());
        assert!(
            plan.starts_with("pagerank: 63436 nodes, 309498 arcs; "),
            "{plan}"
        );
        let (name, megabytes) = taken(&plan).unwrap();
        assert_eq!(name, form);
        assert_eq!(files(folder.path()), ["g.bv"], "a plan writes nothing");
        stdout(&[&run[..], given].concat());
        let manifest = fs::read_to_string(scores.with_extension("csv.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
        assert_eq!(manifest["form"]["name"], form);
        let peak = manifest["peak_memory_bytes"].as_f64().unwrap();
        assert!(
            peak <= 1.15e6 * megabytes,
            "{form}: {peak} of {megabytes} MB"
        );
        fs::remove_file(&scores).unwrap();
        fs::remove_file(scores.with_extension("csv.json")).unwrap();
    }
}

/// The peak of a run with rows and vectors in files is within its plan, in one block and in the least
/// memory.
#[test]
fn external_plans_bound_what_is_held() {
    let folder = tempfile::tempdir().unwrap();
    let scores = folder.path().join("s.csv");
    for graph in [DEBIAN, "graphs/rust-doc.bv"] {
        let run = ["pagerank", graph, "--form", "external", "-q"];
        let output = ["-o", text(&scores), "--threads", "1"];
        let run = [&run[..], &output].concat();
        let needed = failure(&[&run[..], &["--memory", "1M"]].concat(), 1);
        let (_, needed) = needed.split_once("needs up to ").unwrap();
        let (needed, _) = needed.split_once(" MB").unwrap();
        let least = (needed.parse::<f64>().unwrap() + 0.1).ceil();
        for memory in [format!("{least}M"), "1G".to_owned()] {
            let within = [&run[..], &["--memory", &memory]].concat();
            let (name, megabytes) = taken(&stdout(&[&within[..], &["--plan"]].concat())).unwrap();
            assert_eq!(name, "external");
            stdout(&within);
            let manifest = fs::read_to_string(scores.with_extension("csv.json")).unwrap();
            let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
            let peak = manifest["peak_memory_bytes"].as_f64().unwrap();
            assert!(
                peak <= 1.15e6 * megabytes,
                "{graph}: {peak} of {megabytes} MB with {memory}"
            );
            fs::remove_file(&scores).unwrap();
            fs::remove_file(scores.with_extension("csv.json")).unwrap();
        }
    }
}

#[test]
fn a_plan_that_does_not_fit_is_an_error() {
    let output = rank(&["pagerank", DEBIAN, "--memory", "2M", "--plan"])
        .assert()
        .code(1);
    let output = output.get_output();
    let plan = String::from_utf8(output.stdout.clone()).unwrap();
    assert_eq!(plan.matches("which do not fit").count(), 4, "{plan}");
    assert!(taken(&plan).is_none());
    let said = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(said.contains("allow more"), "{said}");
}

#[test]
fn every_measure_has_a_plan() {
    let commands: [(&[&str], &str); 5] = [
        (&["harmonic"], "harmonic: "),
        (&["betweenness"], "betweenness: "),
        (&["betweenness", "--arcs"], "betweenness: "),
        (&["eigenvector"], "eigenvector: "),
        (&["trustrank", "--select", "3"], "inverse pagerank: "),
    ];
    for (command, measure) in commands {
        let plan = stdout(&[&command[..1], &[DEBIAN], &command[1..], &["--plan"]].concat());
        let (name, megabytes) = taken(&plan).unwrap();
        let form = if measure == "eigenvector: " {
            "runs"
        } else {
            "in memory"
        };
        assert!(name == form && megabytes > 18.0, "{plan}");
        assert!(plan.starts_with(measure), "{plan}");
        assert!(plan.contains("about "), "{plan}");
    }
}

/// Commands have the same plan behind `rank plan`, wherever options of all commands stand.
#[test]
fn rank_plan_is_an_option_of_every_command() {
    let forms = |words: &[&str]| {
        let plan = stdout(words);
        let lines = plan.lines();
        let without_times = |line: &str| line.split(", about").next().unwrap().to_owned();
        lines.map(without_times).collect::<Vec<_>>()
    };
    let expected = forms(&["pagerank", DEBIAN, "--plan", "--memory", "8G"]);
    assert_eq!(expected.len(), 5);
    for given in [
        &["plan", "pagerank", DEBIAN, "--memory", "8G"][..],
        &["plan", "--memory", "8G", "pagerank", DEBIAN],
        &["--memory", "8G", "plan", "pagerank", "--", DEBIAN],
    ] {
        assert_eq!(forms(given), expected);
    }
    for (given, words) in [
        (&["plan", "measures"][..], "leave the plan out"),
        (&["plan", "plan", "info", DEBIAN], "name a command to plan"),
        (
            &["plan", "pagerank", DEBIAN, "--alpha", "2"],
            "--alpha is 2",
        ),
    ] {
        let problem = failure(given, 2);
        assert!(problem.contains(words), "{problem}");
    }
}

/// Plans say what is announced before the work, to which the tests of memory hold all commands.
#[test]
fn plans_are_what_commands_are_held_to() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let case = Case::small(folder);
    inputs(folder);
    let before = files(folder);
    let check = |command: &str, arguments: &[String]| {
        let planned = arguments.iter().map(String::as_str);
        let planned: Vec<&str> = planned.filter(|word| *word != "--json").collect();
        let planned = [&planned[..], &["--plan", "-v", "--threads", "2"]].concat();
        let output = rank(&planned).current_dir(folder).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{command}: {said}");
        let plan = String::from_utf8(output.stdout).unwrap();
        let (_, megabytes) = taken(&plan).unwrap();
        let needed = logged(&said, "bytes at ").unwrap() as f64 / 1e6;
        // The number that a plan prints is enough.
        let rounded_up = needed..needed + 0.1001;
        assert!(rounded_up.contains(&megabytes), "{command}: {plan}{said}");
        assert_eq!(files(folder), before, "{command} writes nothing");
    };
    for command in COMMANDS {
        let mut arguments = case.arguments(folder, command);
        // Arguments of `check` are added.
        arguments.truncate(arguments.len() - 3);
        check(command, &arguments);
    }
    let of_files = ON_FILES.iter().filter(|it| !it.starts_with("commoncrawl"));
    for command in of_files.chain(&["import arcs.tsv -o o.bv", "shard g.bv -n 2 -o g.shards"]) {
        let arguments: Vec<String> = command.split(' ').map(str::to_owned).collect();
        check(command, &arguments);
    }
}

/// Counters that do not fit are advanced in slices, and the plan says so.
#[test]
fn slices_are_planned() {
    let folder = tempfile::tempdir().unwrap();
    let scores = folder.path().join("s.csv");
    let run = ["harmonic", DEBIAN, "-o", text(&scores), "--threads", "1"];
    // Far more than what a small process does not take of what is planned for it.
    let given = ["--method", "hyperball", "--log2m", "10", "--memory", "70M"];
    let plan = stdout(&[&run[..], &given, &["--plan"]].concat());
    let [_, whole, slices] = &plan.lines().collect::<Vec<_>>()[..] else {
        panic!("{plan}");
    };
    assert!(whole.contains("MB at most, about "), "{plan}");
    assert!(whole.ends_with("which do not fit"), "{plan}");
    assert!(slices.contains("MB at least, HyperBall in about"), "{plan}");
    assert_eq!(taken(&plan).unwrap().0, "in slices");
    let said = rank(&[&run[..], &given].concat()).assert().success();
    let said = String::from_utf8(said.get_output().stderr.clone()).unwrap();
    assert!(said.contains("were advanced in"), "{said}");
}
