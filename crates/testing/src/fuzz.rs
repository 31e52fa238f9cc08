//! Parsers on their corpora in `fuzz/corpus`, and on mutants of these. `tests/README.md` says how many
//! mutants were tried outside of CI.

use crate::mutants::{Random, mutant};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A parser under test.
pub type Target = fn(&[u8]);

/// The result, if it is not an error; an error must be one line that is not long.
pub fn clean<T>(result: webrank_base::error::Result<T>) -> Option<T> {
    result
        .map_err(|problem| {
            let message = problem.to_string();
            assert!(message.lines().count() == 1, "several lines: {message:?}");
            assert!(message.len() < 4000, "{} bytes: {message:?}", message.len());
        })
        .ok()
}

/// A folder of this thread's own, and a file in it with these bytes.
pub fn written(name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder().join(name);
    std::fs::write(&path, bytes).expect("a temporary file is written");
    path
}

pub fn folder() -> PathBuf {
    thread_local! {
        // In memory where the system has a folder there: bundles wait for the disk.
        static FOLDER: tempfile::TempDir = tempfile::tempdir_in("/dev/shm")
            .or_else(|_| tempfile::tempdir())
            .expect("a temporary folder");
    }
    FOLDER.with(|folder| folder.path().to_owned())
}

/// The parts of an input, separated by a byte 0.
pub fn split(bytes: &[u8]) -> (&[u8], &[u8]) {
    let end = bytes
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(bytes.len());
    (&bytes[..end], bytes.get(end + 1..).unwrap_or_default())
}

/// The files of a target's corpus, in order of their names.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(crate::at!("fuzz/corpus")).join(target);
    let mut files: Vec<_> = folder
        .read_dir()
        .unwrap_or_else(|_| panic!("no folder {}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(!files.is_empty(), "{} is empty", folder.display());
    files
        .iter()
        .map(|file| std::fs::read(file).unwrap())
        .collect()
}

fn run(name: &str, target: Target, bytes: &[u8]) {
    if catch_unwind(AssertUnwindSafe(|| target(bytes))).is_err() {
        panic!(
            "{name} fails on {bytes:?}: {}",
            String::from_utf8_lossy(bytes)
        );
    }
}

/// A mutant of a corpus, or of a mutant, or of two spliced files.
fn next(corpus: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let file = &corpus[random.below(corpus.len())];
    let mut bytes = mutant(file, random);
    if random.below(8) == 0 {
        let other = &corpus[random.below(corpus.len())];
        bytes.truncate(random.below(bytes.len() + 1));
        bytes.extend_from_slice(&other[random.below(other.len() + 1)..]);
    }
    bytes.truncate(1 << 16);
    bytes
}

/// Every target on its corpus, and on mutants of it.
pub fn corpora_and_their_mutants(targets: &[(&str, Target)]) {
    for &(name, target) in targets {
        let corpus = corpus(name);
        corpus.iter().for_each(|bytes| run(name, target, bytes));
        let mut random = Random(1);
        for _ in 0..300 {
            run(name, target, &next(&corpus, &mut random));
        }
    }
}

/// As many mutants as the seconds allow: `FUZZ_SECONDS=600 cargo test --test it -- --ignored --nocapture mutants_for_a_while`, with
/// `FUZZ_SEED` for others, `FUZZ_TARGETS=sif,dimacs` for some targets, and `FUZZ_EXECUTIONS` mutants of each at most.
pub fn mutants_for_a_while(targets: &[(&str, Target)]) {
    let number = |name: &str, default: u64| {
        let text = std::env::var(name).ok();
        text.map_or(default, |text| text.parse().unwrap())
    };
    let chosen = std::env::var("FUZZ_TARGETS").unwrap_or_default();
    let is_chosen = |name: &str| chosen.is_empty() || chosen.split(',').any(|it| it == name);
    let targets = targets.iter().filter(|(name, _)| is_chosen(name));
    let count = targets.clone().count().max(1) as u32;
    let each = Duration::from_secs(number("FUZZ_SECONDS", 60)) / count;
    let most = number("FUZZ_EXECUTIONS", u64::MAX);
    let mut failures = Vec::new();
    for &(name, target) in targets {
        let mut corpus = corpus(name);
        let (mut random, start) = (Random(number("FUZZ_SEED", 2)), Instant::now());
        let mut executions = 0u64;
        while start.elapsed() < each && executions < most {
            let bytes = next(&corpus, &mut random);
            executions += 1;
            if catch_unwind(|| target(&bytes)).is_err() {
                failures.push(format!("{name} fails on {}", bytes.escape_ascii()));
                // Once for each target: the same failure comes again and again.
                break;
            }
            // Without feedback on coverage, now and then a mutant is mutated further.
            if random.below(50) == 0 {
                match corpus.len() < 200 {
                    true => corpus.push(bytes),
                    false => corpus[20 + random.below(180)] = bytes,
                }
            }
        }
        println!("{name}: {executions} executions");
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
