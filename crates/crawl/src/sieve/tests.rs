//! Tests of all sieves: against a list of what was seen, and cut at every write.

use super::disk::fuse;
use super::*;
use proptest::prelude::*;
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use webrank_testing::damage::is_refused_or_harmless;

/// The obvious sieve.
fn first_sights(urls: &[String]) -> Vec<String> {
    let mut seen = HashSet::new();
    let new = urls.iter().filter(|url| seen.insert(*url));
    new.cloned().collect()
}

/// Opens the sieves on disk with room for about so many URLs at a time.
pub(super) fn open_small(
    kind: SieveKind,
    folder: &Path,
    urls: usize,
    out: &mut dyn UrlSink,
) -> Result<Box<dyn Sieve>> {
    let bytes = urls as u64 * 20;
    Ok(match kind {
        SieveKind::Offline => Box::new(offline::Offline::with_room(folder, bytes, out)?),
        SieveKind::Mercator => Box::new(mercator::Mercator::with_places(folder, urls, out)?),
        SieveKind::Store => Box::new(store::Store::with_room(folder, bytes, 1 << 20, out)?),
        SieveKind::Lsm => {
            let sizes = lsm::Sizes {
                places: (urls / 9).max(1),
                batch: bytes,
                filters: 256,
                fan: 2,
            };
            Box::new(lsm::Lsm::with_sizes(folder, sizes, out)?)
        }
        SieveKind::Memory | SieveKind::Bloom => open((kind, None), folder, LEAST_MEMORY, out)?,
    })
}

const ALL: [SieveKind; 6] = [
    SieveKind::Memory,
    SieveKind::Offline,
    SieveKind::Mercator,
    SieveKind::Store,
    SieveKind::Lsm,
    SieveKind::Bloom,
];

const ON_DISK: [SieveKind; 4] = [
    SieveKind::Offline,
    SieveKind::Mercator,
    SieveKind::Store,
    SieveKind::Lsm,
];

/// Arrivals of what is given, in memory.
#[derive(Default)]
struct Arrivals(BTreeMap<u64, String>, Vec<u64>);

impl UrlSink for Arrivals {
    fn give(&mut self, arrival: u64, url: &str) -> Result<()> {
        self.0.insert(arrival, url.to_owned());
        self.1.push(arrival);
        Ok(())
    }

    fn mark(&mut self) -> Result<u64> {
        Ok(self.1.len() as u64)
    }

    fn cut(&mut self, mark: u64) -> Result<()> {
        assert_eq!(mark, self.1.len() as u64);
        Ok(())
    }
}

/// A sieve behind a cache, as others.
struct Behind(Cached);

impl Sieve for Behind {
    fn take(&mut self, url: &str, out: &mut dyn UrlSink) -> Result<()> {
        self.0.take(url, out)
    }

    fn flush(&mut self, out: &mut dyn UrlSink) -> Result<()> {
        self.0.flush(out)
    }

    fn taken(&self) -> u64 {
        0
    }

    fn account(&self) -> SieveStats {
        self.0.account()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Six sieves, behind caches of any size or none, batches of 1 to 40 URLs, flushed at any time: the same URLs in the same order.
    #[test]
    fn every_sieve_gives_what_the_obvious_one_gives(
        urls in prop::collection::vec("http://[ab]/[a-c]{0,3}é?", 0..120),
        batch in 1usize..40,
        flush_every in 1usize..60,
        places in prop::option::of(1usize..20),
    ) {
        let expected = first_sights(&urls);
        for kind in ALL {
            let folder = tempfile::tempdir().unwrap();
            let mut out = Arrivals::default();
            let mut sieve = open_small(kind, folder.path(), batch, &mut out).unwrap();
            if let Some(places) = places {
                let cache = Cache::with_room(places);
                sieve = Box::new(Behind(Cached::behind(cache, sieve)));
            }
            for (index, url) in urls.iter().enumerate() {
                sieve.take(url, &mut out).unwrap();
                if index % flush_every == 0 {
                    sieve.flush(&mut out).unwrap();
                }
            }
            sieve.flush(&mut out).unwrap();
            prop_assert!(out.1.is_sorted(), "{kind:?}");
            let given: Vec<String> = out.0.values().cloned().collect();
            prop_assert_eq!(&given, &expected, "{:?}", kind);
            prop_assert!(out.0.iter().all(|(&arrival, url)| urls[arrival as usize] == *url));
            let account = sieve.account();
            prop_assert_eq!(account.taken, urls.len() as u64);
            prop_assert_eq!(account.given, expected.len() as u64);
        }
    }
}

fn urls(count: usize) -> Vec<String> {
    // Some three of four were seen before.
    let number = |index: usize| (index * index + 7 * index) % (count / 4 + 1);
    let url = |index| {
        format!(
            "https://example.org/{}/{}",
            number(index) % 7,
            number(index)
        )
    };
    (0..count).map(url).collect()
}

/// Feeds a sieve from where it is, as after a kill, until it is through or cut.
fn feed(kind: SieveKind, folder: &Path, file: &Path, urls: &[String]) -> Result<()> {
    let mut out = LineFile::open(file)?;
    let mut sieve = open_small(kind, folder, 9, &mut out)?;
    for url in &urls[sieve.taken() as usize..] {
        sieve.take(url, &mut out)?;
    }
    sieve.flush(&mut out)
}

/// Every operation on every file is once the last one of its process; then the next process goes on.
#[test]
fn a_kill_at_any_write_loses_and_repeats_nothing() {
    let urls = urls(24);
    let expected = first_sights(&urls).join("\n") + "\n";
    for kind in ON_DISK {
        let mut cuts = 0;
        for operations in 0.. {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("out");
            let sieve = folder.path().join("sieve");
            std::fs::create_dir(&sieve).unwrap();
            fuse::set(Some(operations));
            let cut = feed(kind, &sieve, &file, &urls);
            fuse::set(None);
            if cut.is_ok() {
                assert_eq!(std::fs::read_to_string(&file).unwrap(), expected);
                break;
            }
            cuts += 1;
            feed(kind, &sieve, &file, &urls).unwrap();
            let found = std::fs::read_to_string(&file).unwrap();
            assert_eq!(found, expected, "{kind:?} cut at operation {operations}");
        }
        assert!(cuts > 20, "{kind:?}: only {cuts} operations");
    }
}

/// Many kills of one run: progress is made as long as a batch fits between two.
#[test]
fn many_kills_lose_and_repeat_nothing() {
    let urls = urls(60);
    let expected = first_sights(&urls).join("\n") + "\n";
    for kind in ON_DISK {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("out");
        let sieve = folder.path().join("sieve");
        std::fs::create_dir(&sieve).unwrap();
        let mut operations = 1;
        loop {
            fuse::set(Some(operations));
            let cut = feed(kind, &sieve, &file, &urls);
            fuse::set(None);
            if cut.is_ok() {
                break;
            }
            operations += 5;
        }
        assert_eq!(
            std::fs::read_to_string(&file).unwrap(),
            expected,
            "{kind:?}"
        );
    }
}

pub(super) fn filled_folder(kind: SieveKind) -> (tempfile::TempDir, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let mut out = Vec::new();
    let mut sieve = open_small(kind, folder.path(), 9, &mut out).unwrap();
    for url in urls(60) {
        sieve.take(&url, &mut out).unwrap();
    }
    sieve.flush(&mut out).unwrap();
    (folder, out)
}

/// Each byte of the state, changed: refused, before a URL is forgotten.
#[test]
fn a_damaged_state_is_refused() {
    for kind in [SieveKind::Offline, SieveKind::Mercator, SieveKind::Lsm] {
        let (folder, out) = filled_folder(kind);
        let path = folder.path().join("state");
        let state = std::fs::read(&path).unwrap();
        let refused = |state: &[u8]| {
            std::fs::write(&path, state).unwrap();
            let mut given = out.clone();
            let opened = open_small(kind, folder.path(), 9, &mut given);
            let problem = opened.err().expect("a state that is not as it was written");
            assert_eq!(given, out);
            problem.to_string()
        };
        for place in 0..state.len() {
            for bit in 0..8 {
                let mut damaged = state.clone();
                damaged[place] ^= 1 << bit;
                refused(&damaged);
            }
        }
        let text = String::from_utf8(state.clone()).unwrap();
        assert!(refused((text.clone() + " ").as_bytes()).contains("damaged"));
        assert!(refused(&state[..state.len() - 1]).contains("not the state of a sieve"));
        let other = text.replace("\"version\":2", "\"version\":1");
        assert!(refused(other.as_bytes()).contains("another version"));
        std::fs::write(&path, &state).unwrap();
        open_small(kind, folder.path(), 9, &mut out.clone()).unwrap();
    }
}

/// Each byte of the sorted file, changed: refused, or the same URLs come out.
#[test]
fn a_damaged_sieve_is_refused() {
    for kind in [SieveKind::Offline, SieveKind::Mercator] {
        let (folder, out) = filled_folder(kind);
        let files: Vec<PathBuf> = folder
            .path()
            .read_dir()
            .unwrap()
            .map(|e| e.unwrap().path())
            .collect();
        let seen = files
            .iter()
            .find(|file| file.file_stem().unwrap() == "seen")
            .unwrap();
        let whole = std::fs::read(seen).unwrap();
        let state = std::fs::read(folder.path().join("state")).unwrap();
        for place in 0..=whole.len() {
            let mut damaged = whole.clone();
            match damaged.get_mut(place) {
                Some(byte) => *byte ^= 1 << (place % 8),
                None => damaged.truncate(place / 2),
            }
            std::fs::write(seen, &damaged).unwrap();
            std::fs::write(folder.path().join("state"), &state).unwrap();
            let mut given = out.clone();
            let mut sieve = open_small(kind, folder.path(), 9, &mut given).unwrap();
            sieve.take("http://new/", &mut given).unwrap();
            let problem = sieve.flush(&mut given).unwrap_err().to_string();
            assert!(problem.contains("damaged"), "{problem}");
            assert_eq!(given, out);
        }
        std::fs::write(folder.path().join("state"), b"{}").unwrap();
        let problem = open_small(kind, folder.path(), 9, &mut Vec::new())
            .err()
            .unwrap();
        assert!(
            problem.to_string().contains("not the state of a sieve"),
            "{problem}"
        );
    }
}

/// A folder of one sieve is not taken for that of another.
#[test]
fn a_sieve_of_another_kind_is_refused() {
    let (folder, mut out) = filled_folder(SieveKind::Offline);
    let problem = open_small(SieveKind::Mercator, folder.path(), 9, &mut out)
        .err()
        .unwrap();
    assert!(
        problem
            .to_string()
            .contains("not the state of a sieve 'mercator'"),
        "{problem}"
    );
}

/// Memory stays as it is said, whatever the number of URLs.
#[test]
fn memory_is_constant() {
    for kind in [
        SieveKind::Offline,
        SieveKind::Mercator,
        SieveKind::Store,
        SieveKind::Lsm,
        SieveKind::Bloom,
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut out = Vec::new();
        let sieve = open((kind, None), folder.path(), LEAST_MEMORY, &mut out).unwrap();
        assert!(sieve.account().memory <= LEAST_MEMORY, "{kind:?}");
    }
    let problem = open(
        (SieveKind::Offline, None),
        Path::new(""),
        1000,
        &mut Vec::new(),
    )
    .err()
    .unwrap();
    assert!(problem.to_string().contains("4 MiB or more"), "{problem}");
}

/// Whatever becomes of a file of any sieve, no URL comes out twice, or a line says what is damaged.
#[test]
fn random_damage_lets_no_url_through_again() {
    let kinds = [
        SieveKind::Offline,
        SieveKind::Mercator,
        SieveKind::Store,
        SieveKind::Lsm,
    ];
    for kind in kinds {
        let (folder, out) = filled_folder(kind);
        let refused = is_refused_or_harmless(folder.path(), 24, || {
            let mut given = out.clone();
            let mut sieve = open_small(kind, folder.path(), 9, &mut given)?;
            for url in urls(60) {
                sieve.take(&url, &mut given)?;
            }
            sieve.flush(&mut given)?;
            Ok(given)
        });
        assert!(refused > 10, "{kind:?}: {refused}");
    }
}
