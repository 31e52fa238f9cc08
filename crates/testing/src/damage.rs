//! Random damage of files, by proptest.

use crate::fuzz::clean;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::Index;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use webrank_base::error::Result;

/// A change of the bytes of a file.
#[derive(Debug, Clone)]
enum Damage {
    Flip(Index, u8),
    Truncate(Index),
    Extend(Vec<u8>),
    Swap(Index, Index, usize),
    Zero(Index, usize),
    Empty,
}

fn damage() -> impl Strategy<Value = Damage> {
    let place = any::<Index>;
    prop_oneof![
        4 => (place(), 0..8u8).prop_map(|(place, bit)| Damage::Flip(place, bit)),
        2 => place().prop_map(Damage::Truncate),
        1 => vec(any::<u8>(), 1..40).prop_map(Damage::Extend),
        2 => (place(), place(), 1..64usize).prop_map(|(a, b, length)| Damage::Swap(a, b, length)),
        2 => (place(), 1..64usize).prop_map(|(place, length)| Damage::Zero(place, length)),
        1 => Just(Damage::Empty),
    ]
}

impl Damage {
    fn apply(&self, bytes: &mut Vec<u8>) {
        if bytes.is_empty() {
            bytes.push(b'x');
            return;
        }
        let end = bytes.len();
        match self {
            Damage::Flip(place, bit) => bytes[place.index(end)] ^= 1 << bit,
            Damage::Truncate(place) => bytes.truncate(place.index(end)),
            Damage::Extend(more) => bytes.extend(more),
            Damage::Swap(a, b, length) => {
                let (a, b) = (a.index(end), b.index(end));
                for step in 0..*length.min(&(end - a.max(b))) {
                    bytes.swap(a + step, b + step);
                }
            }
            Damage::Zero(place, length) => {
                let start = place.index(end);
                bytes[start..end.min(start + length)].fill(0);
            }
            Damage::Empty => bytes.clear(),
        }
    }
}

/// All files below a folder, in the order of their names.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = folder.read_dir().expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let all = paths.flat_map(|path| match path.is_dir() {
        true => files(&path),
        false => vec![path],
    });
    let mut all: Vec<PathBuf> = all.collect();
    all.sort();
    all
}

/// Damages each file below a folder in so many ways. The result of `read` is then an error of one line,
/// or that of before; never a panic, nor anything that takes long. Returns how many were refused.
///
/// # Panics
/// If it is anything else.
pub fn is_refused_or_harmless<T: PartialEq + Debug>(
    folder: &Path,
    ways: u32,
    read: impl Fn() -> Result<T>,
) -> usize {
    let whole: Vec<(PathBuf, Vec<u8>)> = files(folder)
        .into_iter()
        .map(|path| (path.clone(), fs::read(path).expect("a file is read")))
        .collect();
    let restore = || {
        for path in files(folder) {
            fs::remove_file(path).expect("a file is removed");
        }
        for (path, bytes) in &whole {
            fs::write(path, bytes).expect("a file is written");
        }
    };
    let expected = read().expect("what is whole is read");
    let refused = std::cell::Cell::new(0);
    for (path, bytes) in &whole {
        let config = Config {
            cases: ways,
            failure_persistence: None,
            ..Config::default()
        };
        let random = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let tried = TestRunner::new_with_rng(config, random).run(&vec(damage(), 1..4), |damage| {
            restore();
            let mut damaged = bytes.clone();
            damage.iter().for_each(|it| it.apply(&mut damaged));
            fs::write(path, &damaged).expect("a file is written");
            let begun = Instant::now();
            match clean(read()) {
                Some(found) => assert_eq!(found, expected, "{} {damage:?}", path.display()),
                None => refused.set(refused.get() + 1),
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "{damage:?}");
            Ok(())
        });
        tried.unwrap_or_else(|problem| panic!("{}: {problem}", path.display()));
    }
    restore();
    refused.get()
}
