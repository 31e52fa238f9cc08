//! `rank ingest --checkpoint`: runs that are stopped or killed at any moment go on, and make the bytes
//! of a run that was not.

use super::archives::*;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;
use webrank_base::error::Error;
use webrank_base::progress::Progress;
use webrank_base::progress::Silent;
use webrank_crawl::ingest::{IngestCheckpoint, IngestOptions, Targets, ingest};
use webrank_crawl::sieve::SieveKind;
use webrank_graph::bundle::BundleOptions;
use webrank_testing::cli::*;

/// A plain archive, a compressed one with damage, and a folder: pages that come again, redirects, texts.
fn sources(folder: &Path, pages: usize) -> Vec<PathBuf> {
    let html = |number: usize| {
        let links = [1, 3, 7].map(|link| {
            let to = (number * link + link) % pages;
            format!("<a href=http://a/{to}>to {to}</a><a href=http://a/r{to}>")
        });
        let words = ["ant", "bee", "cat", "dog", "eel"].map(|word| word.repeat(1 + number % 9));
        format!(
            "<title>{number}</title>{}{}",
            words.join(" "),
            links.concat()
        )
    };
    let url = |number: usize| format!("http://a/{}", number % (pages * 3 / 4));
    let (mut plain, mut compressed) = (Vec::new(), Vec::new());
    for number in 0..pages {
        plain.extend(page(&url(number), &html(number)));
        compressed.extend(gzip(&page(&url(number * 5 + pages), &html(number + 1))));
        if number % 4 == 0 {
            plain.extend(redirect(&format!("http://a/r{number}"), &url(number + 1)));
            compressed.extend(gzip(&redirect(&format!("http://a/r{}", number + 2), "/r4")));
            compressed.extend(b"damage");
        }
    }
    let mirror = folder.join("mirror");
    std::fs::create_dir(&mirror).unwrap();
    for number in 0..pages / 4 {
        std::fs::write(mirror.join(format!("{number}.html")), html(number)).unwrap();
    }
    let (one, two) = (folder.join("a.warc"), folder.join("b.warc.gz"));
    std::fs::write(&one, plain).unwrap();
    std::fs::write(&two, compressed).unwrap();
    vec![one, two, mirror]
}

fn all(sieve: SieveKind, checkpoint: Option<IngestCheckpoint>) -> IngestOptions {
    IngestOptions {
        targets: Targets::All,
        sieve,
        fingerprints: true,
        merge_duplicates: Some(0),
        text: true,
        checkpoint,
        ..options()
    }
}

fn bundle(path: &Path) -> Vec<(String, Vec<u8>)> {
    let names = files(path).into_iter();
    names
        .map(|name| (name.clone(), std::fs::read(path.join(name)).unwrap()))
        .collect()
}

/// Stops a run when it has asked so often.
struct Stop(AtomicU64);

impl Progress for Stop {
    fn interrupted(&self) -> bool {
        let left = self.0.load(Relaxed);
        self.0.store(left.saturating_sub(1), Relaxed);
        left == 0
    }
}

/// A run that is stopped over and over again, each time a few steps later, with every sieve.
#[test]
fn runs_that_are_stopped_at_every_step_end_with_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let sources = sources(folder.path(), 120);
    let output = folder.path().join("web.bv");
    let replace = BundleOptions {
        replace: true,
        compact: false,
    };
    let whole = ingest(
        &sources,
        all(SieveKind::Memory, None),
        &output,
        replace,
        &Silent,
    );
    let counts = whole.unwrap().counts;
    assert!(counts.damaged > 10 && counts.redirects > 50 && counts.pages_again > 100);
    let expected = bundle(&output);
    for sieve in [
        SieveKind::Memory,
        SieveKind::Offline,
        SieveKind::Mercator,
        SieveKind::Store,
        SieveKind::Lsm,
    ] {
        for every in [1u64, 2] {
            let kept = folder.path().join("kept");
            let mut stops = 0;
            loop {
                let checkpoint = IngestCheckpoint {
                    folder: kept.clone(),
                    every: Duration::ZERO,
                };
                // Steps that were made are not made again, so that every run gets further; those
                // of going on and of the second pass are, so that runs become longer.
                let stop = Stop((every + stops / 8).into());
                let options = all(sieve, Some(checkpoint));
                match ingest(&sources, options, &output, replace, &stop) {
                    Ok(made) => {
                        assert_eq!(made.counts, counts);
                        break;
                    }
                    Err(Error::Interrupted) => stops += 1,
                    Err(other) => panic!("{other}"),
                }
                assert!(stops < 5000 && kept.exists());
            }
            assert!(stops > 5, "{stops}");
            assert!(!kept.exists());
            assert!(bundle(&output) == expected, "{sieve:?} {every}");
        }
    }
    assert_eq!(
        files(folder.path()),
        ["a.warc", "b.warc.gz", "mirror", "web.bv"]
    );
}

/// Real kills, at moments that differ from run to run.
#[test]
#[cfg(unix)]
fn runs_that_are_killed_go_on() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    sources(folder.path(), 3000);
    let command = |options: &[&str]| {
        let words = "ingest a.warc b.warc.gz mirror --text --merge-duplicates --fingerprints -q -o";
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("rank"));
        command
            .current_dir(folder.path())
            .args(words.split(' '))
            .args(options);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        command
    };
    let start = std::time::Instant::now();
    assert!(command(&["whole.bv"]).status().unwrap().success());
    let whole = start.elapsed();
    let kept = ["web.bv", "--checkpoint", "kept", "--checkpoint-every", "0s"];
    let (mut kills, mut delay) = (0u32, whole / 50);
    loop {
        let mut run = command(&kept).spawn().unwrap();
        std::thread::sleep(delay);
        run.kill().unwrap();
        let output = run.wait_with_output().unwrap();
        if output.status.success() {
            break;
        }
        let problem = String::from_utf8_lossy(&output.stderr);
        assert!(problem.is_empty(), "{problem}");
        kills += 1;
        // Killed when all was done but the checkpoint was not yet removed.
        if folder.path().join("web.bv").exists() {
            break;
        }
        // In the end, a run has all the time that it needs.
        delay = delay * 23 / 20;
        assert!(kills < 200);
    }
    assert!(bundle(&folder.path().join("web.bv")) == bundle(&folder.path().join("whole.bv")));
}

#[test]
fn other_sources_options_and_folders_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let sources = sources(folder.path(), 120);
    let output = folder.path().join("web.bv");
    let kept = folder.path().join("kept");
    let run = |sources: &[PathBuf], change: &dyn Fn(&mut IngestOptions), steps: u64| {
        let checkpoint = IngestCheckpoint {
            folder: kept.clone(),
            every: Duration::ZERO,
        };
        let mut options = all(SieveKind::Memory, Some(checkpoint));
        change(&mut options);
        let bundle = BundleOptions {
            replace: true,
            compact: true,
        };
        let stop = Stop(steps.into());
        ingest(sources, options, &output, bundle, &stop)
            .err()
            .map(|problem| problem.to_string())
    };
    let stopped = run(&sources, &|_| {}, 5).unwrap();
    let state = std::fs::read(kept.join("state.json")).unwrap();
    assert_eq!(stopped, Error::Interrupted.to_string());
    let other = "is the checkpoint of other sources or options";
    assert!(run(&sources[1..], &|_| {}, 9).unwrap().contains(other));
    assert!(
        run(&sources, &|it| it.text = false, 9)
            .unwrap()
            .contains(other)
    );
    assert!(
        run(&sources, &|it| it.max_page += 1, 9)
            .unwrap()
            .contains(other)
    );
    // A source that has changed where it was read.
    let whole = std::fs::read(&sources[0]).unwrap();
    let changed = String::from_utf8(whole.clone())
        .unwrap()
        .replacen("ant", "ANT", 1);
    let changed_words = "has changed since the checkpoint was written";
    std::fs::write(&sources[0], changed).unwrap();
    assert!(run(&sources, &|_| {}, 9).unwrap().contains(changed_words));
    std::fs::write(&sources[0], &whole[..700]).unwrap();
    assert!(run(&sources, &|_| {}, 9).unwrap().contains(changed_words));
    std::fs::write(&sources[0], whole).unwrap();
    // A damaged state, and files that lost their ends.
    let mut damaged = state.clone();
    damaged[20] ^= 1;
    std::fs::write(kept.join("state.json"), damaged).unwrap();
    assert!(
        run(&sources, &|_| {}, 9)
            .unwrap()
            .contains("is damaged, or of another version")
    );
    std::fs::write(kept.join("state.json"), &state).unwrap();
    for name in ["pages.zst", "redirects"] {
        let file = std::fs::read(kept.join(name)).unwrap();
        std::fs::write(kept.join(name), &file[..10]).unwrap();
        assert!(
            run(&sources, &|_| {}, 9)
                .unwrap()
                .contains("is shorter than it was")
        );
        std::fs::write(kept.join(name), file).unwrap();
    }
    // Nothing of that did harm, and what reading does not depend on may change.
    assert_eq!(
        run(&sources, &|it| it.targets = Targets::Crawled, u64::MAX),
        None
    );
    std::fs::create_dir(&kept).unwrap();
    std::fs::write(kept.join("precious"), "x").unwrap();
    let problem = run(&sources, &|_| {}, 9).unwrap();
    assert!(
        problem.contains("is no checkpoint of 'rank ingest'"),
        "{problem}"
    );
    assert_eq!(files(&kept), ["precious"]);
}
