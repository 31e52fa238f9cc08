//! Runs that are damaged, and how levels grow. Kills and results are tested with those of all sieves.

use super::*;
use crate::sieve::SieveKind;
use crate::sieve::tests::{filled_folder, open_small};

/// Each byte of each run, changed, and runs that are cut or missing: refused when the tree is opened.
#[test]
fn a_damaged_run_is_refused() {
    let (folder, out) = filled_folder(SieveKind::Lsm);
    let open = || open_small(SieveKind::Lsm, folder.path(), 9, &mut out.clone()).map(drop);
    open().unwrap();
    let text = std::fs::read(folder.path().join("state")).unwrap();
    let state: State = serde_json::from_slice(&text).unwrap();
    let runs = state.runs.iter().map(|entry| entry.path(folder.path()));
    let runs: Vec<PathBuf> = runs.collect();
    assert!(runs.len() > 1, "{runs:?}");
    for run in &runs {
        let whole = std::fs::read(run).unwrap();
        for place in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[place] ^= 1 << (place % 8);
            std::fs::write(run, damaged).unwrap();
            assert!(open().unwrap_err().to_string().contains("damaged"));
            std::fs::write(run, &whole[..place]).unwrap();
            assert!(open().unwrap_err().to_string().contains("damaged"));
        }
        std::fs::remove_file(run).unwrap();
        assert!(open().unwrap_err().to_string().contains("is missing"));
        std::fs::write(run, &whole).unwrap();
    }
    open().unwrap();
}

/// 50,000 URLs in tables of 100: runs are merged, levels grow by the factor, and the same files are left.
#[test]
fn levels_grow_by_a_factor_and_are_the_same_again() {
    let fill = || {
        let folder = tempfile::tempdir().unwrap();
        let mut out = Vec::new();
        let sizes = Sizes {
            places: 100,
            batch: 1 << 20,
            filters: 1 << 16,
            fan: 4,
        };
        let mut sieve = Lsm::with_sizes(folder.path(), sizes, &mut out).unwrap();
        for number in 0..100_000 {
            let url = format!("http://example.org/{}", number / 2);
            sieve.take(&url, &mut out).unwrap();
        }
        sieve.flush(&mut out).unwrap();
        assert_eq!(out.len(), 50_000);
        let account = sieve.account();
        // Each level writes a signature about as often as the factor says.
        let written = account.bytes_written as f64 / (16.0 * 50_000.0);
        assert!((2.0..40.0).contains(&written), "{written}");
        drop(sieve);
        let state = std::fs::read_to_string(folder.path().join("state")).unwrap();
        let state: serde_json::Value = serde_json::from_str(&state).unwrap();
        let of = |run: &serde_json::Value, name: &str| run[name].as_u64().unwrap();
        let runs = state["runs"].as_array().unwrap().iter();
        let runs: Vec<_> = runs
            .map(|run| (of(run, "level"), of(run, "keys"), of(run, "number")))
            .collect();
        runs
    };
    let runs = fill();
    assert_eq!(runs.iter().map(|run| run.1).sum::<u64>(), 50_000);
    assert!(runs[0].0 >= 4, "{runs:?}");
    assert!(runs.len() < 16, "{runs:?}");
    assert_eq!(fill(), runs);
}
