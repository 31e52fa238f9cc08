//! The output and refusals of `rank crawl`, kills, and the graph of what it has fetched.

use super::{HOSTS, reachable, records, sorted, steps, urls, woven};
use crate::crawl::archives;
use crate::web::{Reply, Web, links, not_found};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;
use tempfile::TempDir;
use webrank_testing::cli::*;

/// The arguments of a crawl of a web into the folder `warc`, without waits.
fn arguments(web: &Web, more: &[&str]) -> Vec<String> {
    let mut all: Vec<String> =
        "crawl http://a.test/ -o warc --contact me@example.org --within test \
                                --delay 0s --ip-delay 0s --delay-factor 0"
            .split_whitespace()
            .map(str::to_owned)
            .collect();
    for host in HOSTS {
        all.extend(["--resolve".to_owned(), web.has(host)]);
    }
    all.extend(more.iter().map(|it| (*it).to_owned()));
    all
}

fn crawl(folder: &Path, web: &Web, more: &[&str]) -> (Option<i32>, String, String) {
    let arguments = arguments(web, more);
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    run_in(folder, &arguments)
}

fn start(folder: &Path, web: &Web, more: &[&str]) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin("rank"))
        .args(arguments(web, more))
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Waits until a web was asked so often, or the crawl is over.
fn wait_for(web: &Web, requests: usize, child: &mut Child) {
    while web.asked().len() < requests && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_crawl_that_is_killed_again_and_again_loses_nothing_and_keeps_nothing_twice() {
    for sieve in ["memory", "offline", "mercator", "store", "lsm", "bloom"] {
        let web = Web::start_at(4, woven);
        let folder = TempDir::new().unwrap();
        let more = ["--sieve", sieve, "--warc-size", "6kB", "--fetchers", "4"];
        let mut kills = 0;
        for requests in (3..90).step_by(9) {
            let mut child = start(folder.path(), &web, &more);
            wait_for(&web, requests, &mut child);
            kills += usize::from(child.try_wait().unwrap().is_none());
            let _ = child.kill();
            child.wait().unwrap();
        }
        assert!(kills > 3, "{kills}");
        let (code, said, problem) = crawl(folder.path(), &web, &more);
        assert_eq!((code, problem.as_str()), (Some(0), ""), "{said}");
        let archive = folder.path().join("warc");
        // Every record is whole, and every page has one.
        assert_eq!(urls(&archive), reachable());
        let mut asked: BTreeMap<String, usize> = BTreeMap::new();
        for url in web.urls() {
            *asked.entry(url).or_default() += 1;
        }
        assert_eq!(asked.keys().cloned().collect::<Vec<_>>(), reachable());
        // Only what was under way was asked for again: one URL for each fetcher and kill at most.
        let again: usize = asked.values().map(|times| times - 1).sum();
        assert!(again <= 4 * kills, "{again} of {kills} kills");
        let (_, said, _) = crawl(folder.path(), &web, &more);
        assert!(said.ends_with("no URL waits\n"), "{said}");
        assert_eq!(web.urls().len(), asked.values().sum::<usize>());
    }
}

#[test]
fn what_was_crawled_becomes_the_graph_of_the_web() {
    let web = Web::start(woven);
    let folder = TempDir::new().unwrap();
    let (code, said, problem) = crawl(folder.path(), &web, &["--warc-size", "10kB"]);
    assert_eq!((code, problem.as_str()), (Some(0), ""));
    let pages = reachable().len();
    let lines: Vec<&str> = said.lines().collect();
    assert!(
        lines[0].starts_with(&format!("warc: {pages} pages of 4 hosts, ")),
        "{said}"
    );
    assert!(
        lines[1].starts_with(&format!("{pages} requests (")),
        "{said}"
    );
    assert_eq!(lines[2], "4 requests for robots.txt");
    assert_eq!(
        lines[3],
        // Two links of each page lead to another one but the first, which no link leads to.
        format!(
            "{} links; {pages} to other hosts; {} found in the cache ({:.1}% of those left)",
            3 * pages,
            pages + 1,
            100.0 * (pages + 1) as f64 / (2 * pages) as f64
        )
    );
    assert_eq!(lines[4..], ["no URL waits"]);

    let names = files(&folder.path().join("warc"));
    let archives = names.iter().filter(|name| name.ends_with(".warc.gz"));
    let archives: Vec<String> = archives.map(|name| format!("warc/{name}")).collect();
    assert!(archives.len() > 2, "{names:?}");
    let mut ingest = vec!["ingest", "-o", "web.bv"];
    ingest.extend(archives.iter().map(String::as_str));
    let (code, _, problem) = run_in(folder.path(), &ingest);
    assert_eq!(code, Some(0), "{problem}");
    let mut expected = BTreeSet::new();
    for url in reachable() {
        let (host, path) = url
            .strip_prefix("http://")
            .unwrap()
            .split_once('/')
            .unwrap();
        for (host, path) in steps(host, &format!("/{path}")) {
            expected.insert(format!("{url} http://{host}{path}"));
        }
    }
    let made = archives::Web::of(&folder.path().join("web.bv"));
    assert_eq!(sorted(made.nodes), reachable());
    assert_eq!(made.arcs, expected);
}

/// True if this process, and with it those that it starts, ignores SIGTERM, as jobs in the background
/// of a shell may.
fn ignores_sigterm() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_none_or(|mask| mask & 1 << 14 != 0)
}

#[test]
fn a_signal_ends_a_crawl_that_goes_on() {
    if ignores_sigterm() {
        eprintln!("skipped: SIGTERM is ignored here");
        return;
    }
    let (asked, is_stuck) = (AtomicUsize::new(0), Arc::new(AtomicBool::new(true)));
    let stuck = Arc::clone(&is_stuck);
    // The crawl cannot end before the signal comes.
    let web = Web::start(move |host, path| {
        match asked.fetch_add(1, SeqCst) >= 20 && stuck.load(SeqCst) {
            true => Reply::Silence,
            false => woven(host, path),
        }
    });
    let folder = TempDir::new().unwrap();
    let mut child = start(folder.path(), &web, &[]);
    wait_for(&web, 21, &mut child);
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-TERM", &id]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(143), "{said}");
    assert_eq!(said, "rank: stopped; the same command goes on from warc\n");
    // The last one has had no answer.
    let before = web.urls();
    assert_eq!(
        urls(&folder.path().join("warc")),
        sorted(before[..before.len() - 1].to_vec())
    );
    is_stuck.store(false, SeqCst);
    let (code, ..) = crawl(folder.path(), &web, &[]);
    assert_eq!(code, Some(0));
    assert_eq!(urls(&folder.path().join("warc")), reachable());
    assert_eq!(web.urls().len(), reachable().len() + 1);
}

#[test]
fn what_is_left_out_is_told() {
    let web = Web::start(|host, path| match (host, path) {
        ("b.test", "/robots.txt") => Reply::Bytes(b"HTTP/1.1 500 Oh\r\n\r\n".to_vec()),
        (_, "/robots.txt") => not_found(),
        ("a.test", "/") => links(&["http://b.test/", "/none", "/next", "http://x.example/"]),
        (_, "/none") => not_found(),
        _ => links(&["/next2"]),
    });
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("seeds"), "# one\nhttp://a.test/\n\n").unwrap();
    let run = |more: &[&str]| {
        let (code, said, problem) = crawl(folder.path(), &web, more);
        assert_eq!((code, problem.as_str()), (Some(0), ""));
        said
    };
    let said = run(&["--depth", "1", "seeds"]);
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("warc: 2 pages of 2 hosts, "), "{said}");
    let came = "; 1 with another status than 200; 3 robots.txt: errors of the server";
    assert!(
        lines[1].starts_with("3 requests (") && lines[1].ends_with(came),
        "{said}"
    );
    let robots =
        "4 requests for robots.txt; 1 URL set aside until the next run, as it could not be reached";
    assert_eq!(lines[2], robots);
    assert_eq!(lines[3], "5 links; 1 to other hosts; 1 beyond --depth");
    assert_eq!(run(&["--depth", "1", "-q"]), "");
    // Budgets count from the first run on.
    let other = TempDir::new().unwrap();
    for (pages, end) in [
        ("1", "--pages reached; 3 URLs wait\n"),
        ("9", "no URL waits\n"),
    ] {
        let (_, said, _) = crawl(other.path(), &web, &["--pages", pages]);
        assert!(said.ends_with(end), "{said}");
    }
    let kinds: BTreeSet<String> = records(&other.path().join("warc"))
        .into_iter()
        .map(|(kind, ..)| kind)
        .collect();
    assert_eq!(
        kinds,
        BTreeSet::from(["response".to_owned(), "warcinfo".to_owned()])
    );
}

#[test]
fn wrong_arguments_are_refused_before_anything_is_asked() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("warc");
    let path = text(&path);
    let crawl = ["crawl", "http://a.test/", "-o", path];
    let refused = |more: &[&str], code| failure(&[&crawl[..], more].concat(), code);
    let contact = ["--contact", "me@example.org"];
    let with = |more: &[&str], code| refused(&[&contact[..], more].concat(), code);
    assert!(
        refused(&["--contact", "nobody (here)"], 2)
            .contains("--contact is nobody (here): give a page")
    );
    assert!(
        with(&["--user-agent", "my bot"], 2).contains("--user-agent is my bot: a name of letters")
    );
    assert!(with(&["--resolve", "a.test"], 2).contains("--resolve is a.test: write HOST:ADDRESS"));
    assert!(with(&["--fetchers", "0"], 2).contains("--fetchers is 0"));
    assert!(with(&["--delay-factor=-1"], 2).contains("--delay-factor is -1"));
    assert!(with(&["--delay", "5h"], 2).contains("--delay is"));
    assert!(with(&["--ip-delay", "5h"], 2).contains("--ip-delay is"));
    assert!(with(&["--max-crawl-delay", "5h"], 2).contains("--max-crawl-delay is"));
    assert!(with(&["--timeout", "0s"], 2).contains("--timeout is"));
    assert!(with(&["--connect-timeout", "0s"], 2).contains("--connect-timeout is"));
    assert!(with(&["--priority", "deep"], 2).contains("it is one of breadth, short"));
    assert!(with(&["--priority", "words="], 2).contains("write words=A,B"));
    assert!(with(&["--distance", "2"], 2).contains("--copies"));
    assert!(with(&["--copies", "near", "--distance", "8"], 2).contains("'--distance <K>'"));
    assert!(with(&["--max-page", "0"], 2).contains("--max-page is 0"));
    assert!(with(&["http://me:secret@b.test/"], 2).contains("a seed is a URL"));
    assert!(with(&["\u{1b}[31m://x"], 2).contains("\\u{1b}[31m"));
    let exact = with(&["--copies", "exact", "--distance", "3"], 2);
    assert!(
        exact.contains("--distance is 3: it is for --copies near"),
        "{exact}"
    );
    assert!(with(&["--within", ""], 2).contains("--within is '': give a domain"));
    let host = with(&["w.example.org"], 1);
    assert!(
        host.contains("no such file; write https://w.example.org"),
        "{host}"
    );
    let lists = TempDir::new().unwrap();
    let list = lists.path().join("seeds");
    std::fs::write(&list, "# one\nhttp://a.test/\nnothing\n").unwrap();
    let line = with(&[text(&list)], 1);
    assert!(line.contains("seeds, line 3: a seed is a URL"), "{line}");
    assert!(with(&["missing-file"], 1).contains("missing-file: cannot read"));
    assert!(files(folder.path()).is_empty());
    std::fs::create_dir(path).unwrap();
    std::fs::write(Path::new(path).join("x"), "").unwrap();
    assert!(with(&[], 1).contains("already exists, and holds no crawl"));
    // The state of something else.
    std::fs::create_dir(Path::new(path).join("state")).unwrap();
    assert!(with(&[], 1).contains("already exists, and holds no crawl"));
    assert_eq!(files(path.as_ref()), ["state", "x"]);
}
