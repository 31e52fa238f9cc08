//! In a real control group with little memory, no command is killed.
//!
//! The group is made in the file system of control groups, of either version, as the superuser of a
//! container may; otherwise by the user's systemd. Where neither is allowed, the tests are skipped.
#![cfg(target_os = "linux")]

use super::memory::{COMMANDS, Case, is_linear};
use super::memory_of_files::{ON_FILES, inputs};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

/// The groups made so far.
static GROUPS: AtomicUsize = AtomicUsize::new(0);

/// A way to run commands in a control group with limited memory.
enum Group {
    /// A folder of the file system of control groups, removed when dropped.
    Folder(PathBuf),
    /// The user's systemd, which gets this limit.
    Systemd(String),
}

impl Group {
    /// A group that may hold so many bytes, if this process may make one.
    fn new(bytes: u64) -> Option<Group> {
        let legacy = (
            Path::new("/sys/fs/cgroup/memory"),
            "memory.limit_in_bytes",
            "memory.memsw.limit_in_bytes",
        );
        let unified = (Path::new("/sys/fs/cgroup"), "memory.max", "memory.swap.max");
        for (root, limit, swap) in [legacy, unified] {
            // Tests run side by side, and so may several runs of them.
            let number = GROUPS.fetch_add(1, Ordering::Relaxed);
            let folder = root.join(format!("rank-{}-{number}", std::process::id()));
            if !root.join("cgroup.procs").exists() || fs::create_dir(&folder).is_err() {
                continue;
            }
            let group = Group::Folder(folder.clone());
            if fs::write(folder.join(limit), bytes.to_string()).is_ok() && group.runs_true() {
                // Not there if the machine has no swap.
                let _ = fs::write(folder.join(swap), bytes.to_string());
                return Some(group);
            }
        }
        let group = Group::Systemd(format!("MemoryMax={bytes}"));
        group.runs_true().then_some(group)
    }

    fn runs_true(&self) -> bool {
        let output = self.command("true".as_ref()).output();
        output.is_ok_and(|output| output.status.success())
    }

    /// This program, in the group.
    fn command(&self, program: &Path) -> Command {
        let mut command;
        match self {
            Group::Folder(folder) => {
                command = Command::new("sh");
                command.args(["-c", "echo $$ > \"$0\" && exec \"$@\""]);
                command.arg(folder.join("cgroup.procs"));
            }
            Group::Systemd(limit) => {
                command = Command::new("systemd-run");
                command.args(["--user", "--scope", "--quiet"]);
                command.args(["-p", "MemorySwapMax=0", "-p", limit]);
            }
        }
        command.arg(program);
        command
    }

    /// Runs `rank` in the group.
    fn rank(&self, arguments: &[String]) -> Output {
        let rank = assert_cmd::cargo::cargo_bin("rank");
        self.command(&rank).args(arguments).output().unwrap()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if let Group::Folder(folder) = self {
            // Nothing runs in it, as commands are waited for.
            let _ = fs::remove_dir(folder);
        }
    }
}

/// A group with so many mebibytes; says so if none can be made.
fn group(mebibytes: u64) -> Option<Group> {
    let group = Group::new(mebibytes << 20);
    if group.is_none() {
        eprintln!("skipped: no control group can be made here");
    }
    group
}

#[test]
fn the_limit_of_the_group_is_seen() {
    let Some(group) = group(60) else { return };
    for (command, code) in [
        ("pagerank graphs/debian.bv --top 1", 0),
        ("indegree graphs/debian.bv --top 1", 0),
        ("betweenness graphs/debian.bv --top 1", 1),
        ("harmonic graphs/debian.bv --method exact --top 1", 1),
    ] {
        let words = command.split(' ').chain(["--threads", "8"]);
        let output = group.rank(&words.map(str::to_owned).collect::<Vec<_>>());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{command}: {said}");
        assert_eq!(
            said.contains("of memory, and"),
            code == 1,
            "{command}: {said}"
        );
    }
}

#[test]
fn no_command_is_killed_in_a_small_group() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let case = &Case::all(folder)[0];
    let mut ended = 0;
    let Some(group) = group(60) else { return };
    for command in COMMANDS.iter().filter(|command| is_linear(command)) {
        let output = group.rank(&case.arguments(folder, command));
        let said = String::from_utf8_lossy(&output.stderr);
        let code = output.status.code();
        // A command that was killed has no code.
        assert!(matches!(code, Some(0 | 1 | 3)), "{command}: {said}");
        ended += u32::from(code == Some(0));
        if code == Some(1) {
            let last = said.lines().last().unwrap_or_default();
            assert!(last.starts_with("rank: "), "{command}: {said}");
        }
    }
    assert!(ended > 20, "only {ended} runs fitted");
}

#[test]
fn no_command_on_files_is_killed_in_a_small_group() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    inputs(folder);
    let (mut ended, mut refused) = (0, 0);
    let Some(group) = group(60) else { return };
    for command in ON_FILES {
        let rank = assert_cmd::cargo::cargo_bin("rank");
        let mut run = group.command(&rank);
        run.args(command.split(' ')).args(["--threads", "2"]);
        let output = run.current_dir(folder).output().unwrap();
        for made in ["o.bv", "cc"] {
            let _ = fs::remove_dir_all(folder.join(made));
        }
        let said = String::from_utf8_lossy(&output.stderr);
        match output.status.code() {
            Some(0) => ended += 1,
            Some(1) if said.contains("of memory, and") => refused += 1,
            // A command that was killed has no code.
            code => panic!("{command}: {code:?}, {said}"),
        }
    }
    assert!(
        ended > 5 && refused > 2,
        "{ended} fitted, {refused} did not"
    );
}
