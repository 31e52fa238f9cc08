//! Every parser on its corpus in `fuzz/corpus`, and on mutants of it. `tests/README.md` says how
//! many mutants were tried outside of CI.

mod targets;

use crate::support::mutants::{Random, mutant};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};
use targets::TARGETS;

/// The files of a target's corpus, in order of their names.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new("fuzz/corpus").join(target);
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

fn run(name: &str, bytes: &[u8]) {
    if catch_unwind(AssertUnwindSafe(|| targets::run(name, bytes))).is_err() {
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

#[test]
fn corpora_and_their_mutants() {
    for &(name, _) in TARGETS {
        let corpus = corpus(name);
        corpus.iter().for_each(|bytes| run(name, bytes));
        let mut random = Random(1);
        for _ in 0..300 {
            run(name, &next(&corpus, &mut random));
        }
    }
}

/// `FUZZ_SECONDS=600 cargo test --test it -- --ignored --nocapture mutants_for_a_while`, with
/// `FUZZ_SEED` for others.
#[test]
#[ignore = "takes as long as it is told to"]
fn mutants_for_a_while() {
    let number = |name: &str, default: u64| {
        let text = std::env::var(name).ok();
        text.map_or(default, |text| text.parse().unwrap())
    };
    let each = Duration::from_secs(number("FUZZ_SECONDS", 60)) / TARGETS.len() as u32;
    let mut failures = Vec::new();
    for &(name, _) in TARGETS {
        let mut corpus = corpus(name);
        let (mut random, start) = (Random(number("FUZZ_SEED", 2)), Instant::now());
        let mut executions = 0u64;
        while start.elapsed() < each {
            let bytes = next(&corpus, &mut random);
            executions += 1;
            if catch_unwind(|| targets::run(name, &bytes)).is_err() {
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
