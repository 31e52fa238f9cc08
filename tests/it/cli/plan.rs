//! `--plan`: what a command would need, before it does anything.

use crate::support::cli::*;
use std::fs;

/// The form that a plan takes, and its megabytes.
fn taken(plan: &str) -> Option<(String, f64)> {
    let line = plan.lines().find(|line| line.ends_with(", taken"))?;
    let (name, rest) = line.split_at(16);
    let megabytes = rest.split_whitespace().next().unwrap();
    Some((name.trim().to_owned(), megabytes.parse().unwrap()))
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
        (&["--memory", "44M"], "streamed"),
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
    }
}

/// Counters that do not fit are advanced in slices, and the plan says so.
#[test]
fn slices_are_planned() {
    let folder = tempfile::tempdir().unwrap();
    let scores = folder.path().join("s.csv");
    let run = ["harmonic", DEBIAN, "-o", text(&scores), "--threads", "1"];
    let given = ["--method", "hyperball", "--memory", "70M"];
    let plan = stdout(&[&run[..], &given, &["--plan"]].concat());
    assert!(plan.contains("MB at most, which do not fit"), "{plan}");
    assert!(plan.contains("MB at least, taken"), "{plan}");
    assert_eq!(taken(&plan).unwrap().0, "in slices");
    let said = rank(&[&run[..], &given].concat()).assert().success();
    let said = String::from_utf8(said.get_output().stderr.clone()).unwrap();
    assert!(said.contains("were advanced in"), "{said}");
}
