//! In a real control group with little memory, no command is killed.
#![cfg(target_os = "linux")]

use std::process::{Command, Output};

/// Runs `rank` in a group of its own with this limit, if the user's systemd makes one.
fn run_in_group(bytes: u64, arguments: &[&str]) -> Option<Output> {
    let group = |program: &std::path::Path, arguments: &[&str]| {
        let run = Command::new("systemd-run")
            .args([
                "--user",
                "--scope",
                "--quiet",
                "-p",
                "MemorySwapMax=0",
                "-p",
            ])
            .arg(format!("MemoryMax={bytes}"))
            .arg(program)
            .args(arguments)
            .output();
        run.ok()
    };
    let is_allowed = group("true".as_ref(), &[]).is_some_and(|output| output.status.success());
    let rank = assert_cmd::cargo::cargo_bin("rank");
    is_allowed.then(|| group(&rank, arguments).unwrap())
}

#[test]
fn the_limit_of_the_group_is_seen() {
    for (command, code) in [
        ("pagerank graphs/debian.bv --top 1", 0),
        ("indegree graphs/debian.bv --top 1", 0),
        ("betweenness graphs/debian.bv --top 1", 1),
        ("harmonic graphs/debian.bv --method exact --top 1", 1),
    ] {
        let words = command.split(' ').chain(["--threads", "8"]);
        let Some(output) = run_in_group(60 << 20, &words.collect::<Vec<_>>()) else {
            eprintln!("skipped: no control group can be made here");
            return;
        };
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{command}: {said}");
        assert_eq!(
            said.contains("of memory, and"),
            code == 1,
            "{command}: {said}"
        );
    }
}
