//! Crawls that were stopped go on.

use super::{HOSTS, options, reachable, records, run, sorted, temp, urls, woven};
use crate::web::{Web, links, not_found, response};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;
use webrank_base::error::Error;
use webrank_base::progress::Progress;
use webrank_base::progress::Silent;
use webrank_crawl::crawler::{Budget, CrawlOptions, crawl};
use webrank_crawl::sieve::SieveKind;
use webrank_testing::mutants::{Random, mutant};

/// Asks to stop after some requests.
struct StopsAfter<'a>(&'a Web, usize);

impl Progress for StopsAfter<'_> {
    fn interrupted(&self) -> bool {
        self.0.asked().len() >= self.1
    }
}

/// A setter of a limit.
type Sets = fn(&mut Budget);

/// Limits that a crawl keeps.
const LIMITS: [(&str, Sets); 4] = [
    ("depth is 3", |it| it.depth = 3),
    ("hosts is 3", |it| it.hosts = 3),
    ("host_pages is 3", |it| it.host_pages = Some(3)),
    ("links is 3", |it| it.links = Some(3)),
];

#[test]
fn a_crawl_that_was_stopped_goes_on_with_any_sieve() {
    for sieve in [
        SieveKind::Memory,
        SieveKind::Offline,
        SieveKind::Mercator,
        SieveKind::Store,
        SieveKind::Lsm,
        SieveKind::Bloom,
    ] {
        let web = Web::start_at(4, woven);
        let folder = temp();
        let options = CrawlOptions {
            sieve,
            warc_size: 5000,
            ..options(&web, &HOSTS)
        };
        let seeds = ["http://a.test/".to_owned()];
        for stop in [1, 10, 40, 41, 80] {
            let stopped = crawl(
                &seeds,
                options.clone(),
                folder.path(),
                &StopsAfter(&web, stop),
            );
            assert!(matches!(stopped, Err(Error::Stopped { .. })), "{stopped:?}");
        }
        let other = CrawlOptions {
            sieve: match sieve {
                SieveKind::Store => SieveKind::Memory,
                _ => SieveKind::Store,
            },
            ..options.clone()
        };
        let refused = crawl(&seeds, other, folder.path(), &Silent).unwrap_err();
        assert!(refused.to_string().contains("--sieve"), "{refused}");
        // URLs beyond these limits were given up.
        for (option, change) in LIMITS {
            let mut other = options.clone();
            change(&mut other.budget);
            let refused = crawl(&seeds, other, folder.path(), &Silent).unwrap_err();
            let refused = refused.to_string();
            let expected = format!("{option}: the crawl in this folder has ");
            assert!(refused.contains(&expected), "{refused}");
        }
        let crawled = run(options, folder.path());
        assert_eq!(sorted(web.urls()), reachable());
        assert_eq!(urls(folder.path()), reachable());
        assert_eq!(crawled.account.pages, reachable().len() as u64);
        let robots = web
            .asked()
            .into_iter()
            .filter(|it| it.path == "/robots.txt");
        assert_eq!(robots.count(), 4);
        let infos = records(folder.path())
            .into_iter()
            .filter(|it| it.0 == "warcinfo");
        assert!(infos.count() > 3);
    }
}

#[test]
fn what_waits_for_an_unreachable_robots_txt_is_asked_for_in_the_next_run() {
    let is_up = Arc::new(AtomicBool::new(false));
    let up = Arc::clone(&is_up);
    let web = Web::start(move |host, path| match (host, path) {
        ("b.test", "/robots.txt") if !up.load(SeqCst) => response("503 Later", "", b""),
        (_, "/robots.txt") => not_found(),
        ("a.test", _) => links(&["http://b.test/", "http://b.test/x", "http://b.test/x#y"]),
        _ => links(&[]),
    });
    let folder = temp();
    let options = options(&web, &["a.test", "b.test"]);
    for _ in 0..2 {
        let crawled = run(options.clone(), folder.path());
        assert_eq!((crawled.account.pages, crawled.account.unknown), (1, 2));
        assert_eq!(crawled.waiting, 0);
    }
    // Nothing but a robots.txt was asked for.
    let elsewhere = temp();
    let seeds = ["http://b.test/".to_owned()];
    let crawled = crawl(&seeds, options.clone(), elsewhere.path(), &Silent).unwrap();
    assert_eq!((crawled.account.requests, crawled.account.unknown), (0, 1));
    is_up.store(true, SeqCst);
    let crawled = crawl(&seeds, options.clone(), elsewhere.path(), &Silent).unwrap();
    assert_eq!((crawled.account.pages, crawled.account.unknown), (1, 0));
    let crawled = run(options, folder.path());
    assert_eq!((crawled.account.pages, crawled.account.unknown), (3, 0));
    let all = ["http://a.test/", "http://b.test/", "http://b.test/x"];
    assert_eq!(urls(folder.path()), all);
    let asked = sorted(web.urls());
    assert_eq!(
        asked,
        [all[0], all[1], all[1], all[2]],
        "once for each folder"
    );
}

#[test]
fn the_delay_of_a_host_holds_from_run_to_run() {
    let web = Web::start(|_, path| match path {
        "/robots.txt" => response("200 OK", "", b"User-agent: *\nCrawl-delay: 0.4"),
        "/" => links(&["/x", "/y"]),
        _ => links(&[]),
    });
    let folder = temp();
    let mut options = options(&web, &["a.test"]);
    for pages in 1..=3 {
        options.budget.pages = pages;
        run(options.clone(), folder.path());
    }
    let asked = web
        .asked()
        .into_iter()
        .filter(|it| it.path != "/robots.txt");
    let times: Vec<_> = asked.map(|it| it.begun).collect();
    assert_eq!(times.len(), 3);
    for two in times.windows(2) {
        assert!(two[1] - two[0] >= Duration::from_millis(400), "{two:?}");
    }
}

/// Whatever has become of the journal, the crawl goes on, or a line says that it cannot.
#[test]
fn a_damaged_journal_is_refused_in_one_line() {
    let web = Web::start_at(4, woven);
    let folder = temp();
    let options = options(&web, &HOSTS);
    let seeds = ["http://a.test/".to_owned()];
    let stopped = crawl(
        &seeds,
        options.clone(),
        folder.path(),
        &StopsAfter(&web, 30),
    );
    assert!(matches!(stopped, Err(Error::Stopped { .. })), "{stopped:?}");
    let path = folder.path().join("state/journal.redb");
    let (before, mut refused) = (copied(folder.path()), 0);
    let whole = std::fs::read(&path).unwrap();
    let mut random = Random(7);
    let mut damaged: Vec<Vec<u8>> = (0..40).map(|_| mutant(&whole, &mut random)).collect();
    damaged.extend([0, 1, 100, 4096, whole.len() / 2].map(|length| whole[..length].to_vec()));
    for bytes in damaged {
        restore(folder.path(), &before);
        std::fs::write(&path, &bytes).unwrap();
        let mut budget = options.clone();
        // The budget of pages does not matter.
        budget.budget.pages = 0;
        if let Err(problem) = crawl(&seeds, budget, folder.path(), &Silent) {
            let said = problem.to_string();
            assert!(said.contains("journal") && !said.contains('\n'), "{said}");
            refused += 1;
        }
    }
    assert!(refused > 10, "{refused}");
    restore(folder.path(), &before);
    run(options, folder.path());
    assert_eq!(urls(folder.path()), reachable());
}

/// The files below a folder.
fn copied(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files.extend(copied(&path)),
            false => files.push((path.clone(), std::fs::read(&path).unwrap())),
        }
    }
    files
}

/// Puts back these files, and no others.
fn restore(folder: &Path, files: &[(PathBuf, Vec<u8>)]) {
    copied(folder)
        .iter()
        .for_each(|(path, _)| std::fs::remove_file(path).unwrap());
    files
        .iter()
        .for_each(|(path, bytes)| std::fs::write(path, bytes).unwrap());
}
