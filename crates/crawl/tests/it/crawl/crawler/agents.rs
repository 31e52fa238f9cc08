//! Several processes that divide the hosts of a crawl: killed, given up, away, and refused.

use super::{MILLISECOND, sorted, urls};
use crate::web::{Web, links, not_found};
use std::collections::BTreeSet;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Instant;
use tempfile::TempDir;
use webrank_testing::cli::*;

/// Twelve hosts.
fn hosts() -> Vec<String> {
    ('a'..='l').map(|first| format!("{first}.test")).collect()
}

/// Where a page leads: to its own host, and to others.
fn steps(host: &str, path: &str) -> Vec<(String, String)> {
    let own: usize = path.trim_start_matches("/p").parse().unwrap_or(0);
    let all = hosts();
    let at = all.iter().position(|it| it == host).unwrap_or(0);
    let to = [(0, 1), (1, 3), (5, 7), (7, 2)];
    to.map(|(hosts, pages)| {
        let page = (own * 3 + pages) % 25;
        (all[(at + hosts) % 12].clone(), format!("/p{page}"))
    })
    .to_vec()
}

/// The web, which answers so many requests, and others when more are allowed.
fn web(allowed: Arc<AtomicUsize>) -> Web {
    let asked = AtomicUsize::new(0);
    Web::start_at(4, move |host, path| {
        let number = asked.fetch_add(1, SeqCst);
        while number >= allowed.load(SeqCst) {
            std::thread::sleep(MILLISECOND);
        }
        if path == "/robots.txt" {
            return not_found();
        }
        let to: Vec<String> = steps(host, path)
            .iter()
            .map(|(host, path)| format!("http://{host}{path}"))
            .collect();
        let to: Vec<&str> = to.iter().map(String::as_str).collect();
        links(&to)
    })
}

/// All pages, by the definition.
fn all_pages() -> Vec<String> {
    let mut found = BTreeSet::from([("a.test".to_owned(), "/".to_owned())]);
    let mut waiting: Vec<_> = found.iter().cloned().collect();
    while let Some((host, path)) = waiting.pop() {
        for next in steps(&host, &path) {
            if found.insert(next.clone()) {
                waiting.push(next);
            }
        }
    }
    let urls = found
        .iter()
        .map(|(host, path)| format!("http://{host}{path}"));
    sorted(urls.collect())
}

/// Agents of a crawl, in folders of their own.
struct Agents {
    folder: TempDir,
    web: Web,
    allowed: Arc<AtomicUsize>,
}

impl Agents {
    fn new(count: usize) -> Self {
        let folder = TempDir::new().unwrap();
        let listeners: Vec<TcpListener> = (0..count)
            .map(|_| TcpListener::bind("127.0.0.1:0").unwrap())
            .collect();
        let addresses = listeners
            .iter()
            .map(|it| it.local_addr().unwrap().to_string());
        let lines = addresses.collect::<Vec<_>>().join("\n");
        std::fs::write(folder.path().join("hosts.txt"), lines).unwrap();
        std::fs::write(folder.path().join("secret"), "word\n").unwrap();
        let allowed = Arc::new(AtomicUsize::new(0));
        Agents {
            folder,
            web: web(Arc::clone(&allowed)),
            allowed,
        }
    }

    fn archive(&self, number: usize) -> PathBuf {
        self.folder.path().join(format!("warc{number}"))
    }

    fn address(&self, number: usize) -> String {
        let hosts = std::fs::read_to_string(self.folder.path().join("hosts.txt")).unwrap();
        hosts.lines().nth(number).unwrap().to_owned()
    }

    fn start(&self, number: usize, more: &[&str]) -> Child {
        let base = "crawl http://a.test/ --contact me@example.org --within test --delay 0s \
                    --ip-delay 0s --delay-factor 0 --fetchers 3 --timeout 300s \
                    --agents hosts.txt";
        let (number, folder) = (number.to_string(), format!("warc{number}"));
        let mut command = Command::new(assert_cmd::cargo::cargo_bin("rank"));
        command.args(base.split_whitespace());
        command.args(["--process", &number]);
        if !more.contains(&"--secret") {
            command.args(["--secret", "secret"]);
        }
        if !more.contains(&"-o") {
            command.args(["-o", &folder]);
        }
        for host in hosts() {
            command.args(["--resolve", &self.web.has(&host)]);
        }
        command
            .args(more)
            .current_dir(self.folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// The words of an agent that fails: one line.
    fn fails(&self, number: usize, more: &[&str], code: i32) -> String {
        let (code_of, _, problem) = told(self.start(number, more));
        assert_eq!(code_of, Some(code), "{problem}");
        let errors = problem
            .lines()
            .filter(|line| !line.contains("is away; what"));
        assert_eq!(errors.count(), 1, "{problem}");
        problem
    }

    /// Waits until the web has answered so many requests: it answers no more.
    fn wait_for(&self, requests: usize) {
        self.allowed.store(requests, SeqCst);
        let begun = Instant::now();
        while self.web.asked().len() < requests {
            assert!(begun.elapsed().as_secs() < 60, "{:?}", self.web.urls());
            std::thread::sleep(MILLISECOND);
        }
    }

    /// Waits until these agents have ended well, while the web answers all.
    fn end(&self, running: Vec<Child>) {
        self.allowed.store(usize::MAX, SeqCst);
        for child in running {
            let (code, said, problem) = told(child);
            assert_eq!(code, Some(0), "{said}{problem}");
            assert!(said.ends_with("no URL waits\n"), "{said}");
            assert!(said.contains(" messages to other agents; "), "{said}");
        }
    }

    /// The pages in the archives of these agents, each with pages.
    fn pages(&self, of: &[usize]) -> Vec<String> {
        let pages = of.iter().map(|&number| urls(&self.archive(number)));
        let pages: Vec<Vec<String>> = pages.collect();
        let host = |url: &String| url.split('/').nth(2).unwrap_or("").to_owned();
        let hosts = pages.iter().map(|pages| pages.iter().map(host).collect());
        let hosts: Vec<BTreeSet<String>> = hosts.collect();
        for (one, other) in hosts
            .iter()
            .flat_map(|one| hosts.iter().map(move |it| (one, it)))
        {
            assert!(
                std::ptr::eq(one, other) || one.is_disjoint(other),
                "{hosts:?}"
            );
        }
        assert!(hosts.iter().all(|hosts| !hosts.is_empty()), "{hosts:?}");
        sorted(pages.concat())
    }
}

fn told(child: Child) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

fn kill(child: &mut Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn agents_that_are_killed_again_and_again_lose_nothing_and_keep_nothing_twice() {
    for victims in [[0, 0, 0], [1, 1, 2], [2, 0, 1]] {
        let agents = Agents::new(3);
        let mut running: Vec<Child> = (0..3).map(|number| agents.start(number, &[])).collect();
        for (place, victim) in victims.into_iter().enumerate() {
            agents.wait_for(60 + 50 * place);
            kill(&mut running[victim]);
            running[victim] = agents.start(victim, &[]);
        }
        agents.end(running);
        assert_eq!(agents.pages(&[0, 1, 2]), all_pages(), "{victims:?}");
        // Nothing is left to do.
        agents.end((0..3).map(|number| agents.start(number, &[])).collect());
        assert_eq!(agents.pages(&[0, 1, 2]), all_pages());
    }
}

/// Each folder goes on with its own agent; all of them can be killed at once.
#[test]
fn all_agents_go_on_together() {
    let agents = Agents::new(3);
    for requests in [40, 120] {
        let mut running: Vec<Child> = (0..3).map(|number| agents.start(number, &[])).collect();
        agents.wait_for(requests);
        running.iter_mut().for_each(kill);
    }
    let other = agents.fails(1, &["-o", "warc0"], 2);
    assert!(
        other.contains("is that of agent 0 of 3, weights 1 1 1"),
        "{other}"
    );
    agents.end((0..3).map(|number| agents.start(number, &[])).collect());
    assert_eq!(agents.pages(&[0, 1, 2]), all_pages());
}

/// Its hosts go to the others, which crawl them anew; their own hosts stay where they are.
#[test]
fn an_agent_whose_folder_is_lost_can_be_given_up() {
    for lost in 0..3 {
        let agents = Agents::new(3);
        let mut running: Vec<Child> = (0..3).map(|number| agents.start(number, &[])).collect();
        agents.wait_for(150);
        running.iter_mut().for_each(kill);
        std::fs::remove_dir_all(agents.archive(lost)).unwrap();
        let others: Vec<usize> = (0..3).filter(|it| *it != lost).collect();
        let number = lost.to_string();
        let without = ["--without", number.as_str()];
        agents.end(
            others
                .iter()
                .map(|&it| agents.start(it, &without))
                .collect(),
        );
        assert_eq!(agents.pages(&others), all_pages(), "{lost}");
        let refused = agents.fails(others[0], &[], 2);
        let expected = format!("give --without {lost}");
        assert!(refused.contains(&expected), "{refused}");
        let refused = agents.fails(lost, &without, 2);
        assert!(refused.contains("it is this one"), "{refused}");
    }
}

#[test]
fn strangers_and_others_are_kept_out() {
    let agents = Agents::new(2);
    std::fs::write(agents.folder.path().join("other"), "another word").unwrap();
    let mut first = agents.start(0, &[]);
    let address = agents.address(0);
    while TcpStream::connect(&address).is_err() && first.try_wait().unwrap().is_none() {
        std::thread::sleep(MILLISECOND);
    }
    for bytes in [
        &b"GET / HTTP/1.1\r\n\r\n"[..],
        b"webrankA",
        &[b"webrankA".as_slice(), &[1; 44]].concat(),
        &[0xff; 1000],
        b"",
    ] {
        let mut stranger = TcpStream::connect(&address).unwrap();
        let _ = stranger.write_all(bytes);
    }
    for (more, why) in [
        (
            ["--secret", "other"],
            "has another secret: give all the same",
        ),
        (["--depth", "3"], "has other options or another version"),
        (
            ["--within", "example.org"],
            "has other options or another version",
        ),
        (["--without", "5"], "agents are numbered from 0 to 1"),
    ] {
        let more = [&more[..], &["-o", "other-warc"]].concat();
        let code = if more[0] == "--without" { 2 } else { 1 };
        let problem = agents.fails(1, &more, code);
        assert!(problem.contains(why), "{problem}");
        let folder = agents.folder.path().join("other-warc");
        let _ = std::fs::remove_dir_all(folder);
    }
    let taken = agents.fails(0, &["-o", "other-warc"], 1);
    assert!(taken.contains("cannot listen here"), "{taken}");
    assert!(first.try_wait().unwrap().is_none());
    agents.end(vec![first, agents.start(1, &[])]);
    assert_eq!(agents.pages(&[0, 1]), all_pages());
}

/// It ends when nothing else is left to do, and goes on when both are there.
#[test]
fn an_agent_does_not_wait_for_ever_for_another() {
    let agents = Agents::new(2);
    agents.allowed.store(usize::MAX, SeqCst);
    let problem = agents.fails(0, &["--absence", "1s"], 1);
    let expected = format!("agent 1 ({}): is away for 1s", agents.address(1));
    assert!(problem.contains(&expected), "{problem}");
    agents.end((0..2).map(|number| agents.start(number, &[])).collect());
    assert_eq!(agents.pages(&[0, 1]), all_pages());
}

/// A folder that is older than what others have heard of it.
#[test]
fn a_folder_that_was_put_back_is_found_out() {
    let agents = Agents::new(2);
    let copy = |from: &Path, to: &Path| {
        let done = Command::new("cp")
            .args(["-r", text(from), text(to)])
            .status();
        assert!(done.unwrap().success());
    };
    let mut running: Vec<Child> = (0..2).map(|number| agents.start(number, &[])).collect();
    agents.wait_for(60);
    running.iter_mut().for_each(kill);
    let old = agents.folder.path().join("old");
    copy(&agents.archive(1), &old);
    agents.end((0..2).map(|number| agents.start(number, &[])).collect());
    std::fs::remove_dir_all(agents.archive(1)).unwrap();
    std::fs::rename(&old, agents.archive(1)).unwrap();
    let running: Vec<Child> = (0..2)
        .map(|number| agents.start(number, &["--absence", "2s"]))
        .collect();
    for child in running {
        let (code, _, problem) = told(child);
        assert_eq!(code, Some(1), "{problem}");
    }
}
