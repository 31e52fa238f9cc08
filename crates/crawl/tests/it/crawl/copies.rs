//! `rank ingest` with fingerprints, and with pages that become one.

use super::archives::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use webrank_crawl::ingest::{IngestOptions, Targets};
use webrank_crawl::near::{Signals, SimHash, TermWeights, TextUnit, distance};
use webrank_formats::import::{ImportOptions, Order};
use webrank_graph::StoredGraph;
use webrank_testing::cli::*;
use webrank_testing::mutants::Random;

/// A text of 60 words of letters; texts of different numbers have hardly a word in common.
fn template(number: usize) -> String {
    let mut random = Random(1000 + number as u64);
    let mut word = || -> String {
        (0..7)
            .map(|_| char::from(b'b' + random.below(20) as u8))
            .collect()
    };
    (0..60).map(|_| word()).collect::<Vec<_>>().join(" ")
}

/// A page with a date.
fn dated(url: &str, date: &str, html: &str) -> Vec<u8> {
    let record = String::from_utf8(page(url, html)).unwrap();
    let (first, rest) = record.split_once("\r\n").unwrap();
    format!("{first}\r\nWARC-Date: {date}\r\n{rest}").into_bytes()
}

fn fingerprints(bundle: &Path) -> BTreeMap<String, u64> {
    let source = StoredGraph::open(bundle).unwrap();
    let names = source.names().unwrap().unwrap();
    let words = source.fingerprints().unwrap().unwrap();
    let named = words.into_iter().zip(0..);
    named
        .map(|(word, node)| (names.get(node).to_owned(), word))
        .collect()
}

/// Fingerprints do not depend on the order of nodes. Pages without text have none, nor those that
/// were not fetched.
#[test]
fn fingerprints_are_those_of_the_texts() {
    let folder = tempfile::tempdir().unwrap();
    let html = |number: usize| {
        let text = template(number).replacen(' ', "</i> <span>", 1);
        format!(
            "<title>{}</title><script>{}</script><p class='{}'>{text}<a href=/{}>",
            template(90),
            template(91),
            template(92),
            (number * 7 + 1) % 9
        )
    };
    let mut records: Vec<Vec<u8>> = (0..6)
        .map(|number| page(&format!("http://a/{number}"), &html(number)))
        .collect();
    records.push(page("http://a/empty", "<img src=x><a href=/1>"));
    records.push(page("http://a/0", &html(50)));
    let path = folder.path().join("a.warc");
    std::fs::write(&path, records.concat()).unwrap();
    for order in [
        Order::Names,
        Order::Given,
        Order::Degree,
        Order::Bfs,
        Order::Llp,
    ] {
        let options = IngestOptions {
            targets: Targets::All,
            fingerprints: true,
            import: ImportOptions {
                order,
                ..ImportOptions::default()
            },
            ..options()
        };
        try_ingest(folder.path(), std::slice::from_ref(&path), options).unwrap();
        let found = fingerprints(&folder.path().join("web.bv"));
        assert_eq!(found.len(), 9);
        for (url, fingerprint) in found {
            let number = url.rsplit('/').next().unwrap().parse::<usize>().ok();
            let expected = match number.filter(|number| *number < 6) {
                Some(number) => SimHash::default().text(&template(number)).fingerprint(),
                None => 0,
            };
            assert_eq!(fingerprint, expected, "{url} {order:?}");
        }
    }
}

/// Other signals make other fingerprints, which are those of the library.
#[test]
fn fingerprints_are_those_of_the_signals() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc");
    std::fs::write(&path, page("http://a/", &template(1))).unwrap();
    let mut all = BTreeSet::new();
    for unit in [
        TextUnit::Words(1),
        TextUnit::Words(3),
        TextUnit::Characters(5),
    ] {
        for (bits, weights) in [
            (64, TermWeights::Count),
            (64, TermWeights::Log),
            (20, TermWeights::Once),
        ] {
            let signals = Signals {
                unit,
                bits,
                weights,
            };
            let options = IngestOptions {
                fingerprints: true,
                signals,
                ..options()
            };
            try_ingest(folder.path(), std::slice::from_ref(&path), options).unwrap();
            let found = fingerprints(&folder.path().join("web.bv"));
            let expected = SimHash::of(signals).text(&template(1)).fingerprint();
            assert_eq!(found["http://a/"], expected, "{signals:?}");
            assert_eq!(expected >> (bits - 1) >> 1, 0);
            all.insert(expected);
        }
    }
    assert!(all.len() > 5, "{all:?}");
}

/// A page as the test knows it.
struct Known {
    url: String,
    template: usize,
    canonical: Option<usize>,
    date: u64,
    links: Vec<usize>,
}

/// Which page stands for each, by the rule, slowly.
fn standing(pages: &[Known]) -> Vec<usize> {
    let of_template = |template: usize| -> Vec<usize> {
        let all = 0..pages.len();
        all.filter(|&page| pages[page].template == template)
            .collect()
    };
    (0..pages.len())
        .map(|page| {
            let group = of_template(pages[page].template);
            let votes = |page: usize| {
                let others = group.iter().filter(|&&other| other != page);
                others
                    .filter(|&&other| pages[other].canonical == Some(page))
                    .count()
            };
            let most = group.iter().map(|&page| votes(page)).max().unwrap();
            let best = group.iter().copied().filter(|&page| votes(page) == most);
            let best: Vec<usize> = best.collect();
            let oldest = best.iter().map(|&page| pages[page].date).min().unwrap();
            best.into_iter()
                .find(|&page| pages[page].date == oldest)
                .unwrap()
        })
        .collect()
}

#[test]
fn merged_webs_are_those_of_a_slow_oracle() {
    assert!((0..6).all(|one| (0..one).all(|other| {
        let of = |number| SimHash::default().text(&template(number)).fingerprint();
        distance(of(one), of(other)) > 3
    })));
    let mut merged = 0;
    for seed in 0..40 {
        let random = &mut Random(seed);
        let count = 1 + random.below(14);
        let pages: Vec<Known> = (0..count)
            .map(|page| Known {
                url: format!("http://a/{}", (page * 5 + seed as usize) % 17),
                template: random.below(6),
                canonical: (random.below(2) == 0).then(|| random.below(count)),
                date: 2000 + random.below(3) as u64,
                links: (0..random.below(6)).map(|_| random.below(count)).collect(),
            })
            .collect();
        let records: Vec<Vec<u8>> = pages
            .iter()
            .map(|page| {
                let canonical = page.canonical.map(|other| {
                    // Sometimes by way of a redirect.
                    let way = if other % 3 == 0 { "http://a/r" } else { "" };
                    let url = &pages[other].url;
                    let url = if way.is_empty() {
                        url.clone()
                    } else {
                        format!("{way}{other}")
                    };
                    format!("<link rel=canonical href='{url}'>")
                });
                let links = page.links.iter();
                let links = links.map(|&to| format!("<a href='{}'></a>", pages[to].url));
                // Dates are no words.
                let html = format!(
                    "{}{}<p>{} on 3 May 20{}",
                    canonical.unwrap_or_default(),
                    links.collect::<String>(),
                    template(page.template),
                    10 + page.links.len(),
                );
                dated(&page.url, &format!("{}-01-01T00:00:00Z", page.date), &html)
            })
            .chain((0..count).map(|page| redirect(&format!("http://a/r{page}"), &pages[page].url)))
            .collect();
        let standing = standing(&pages);
        let name = |page: usize| pages[standing[page]].url.as_str();
        let nodes: BTreeSet<&str> = (0..count).map(name).collect();
        let mut arcs = BTreeSet::new();
        for (page, known) in pages.iter().enumerate() {
            // The canonical page is linked to, too.
            for &to in known.links.iter().chain(&known.canonical) {
                if standing[page] != standing[to] || page == to {
                    arcs.insert(format!("{} {}", name(page), name(to)));
                }
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.warc");
        std::fs::write(&path, records.concat()).unwrap();
        let options = IngestOptions {
            fingerprints: true,
            merge_duplicates: Some(3),
            ..options()
        };
        let (web, made) = try_ingest(folder.path(), &[path], options).unwrap();
        assert_eq!(
            web.nodes,
            nodes.iter().copied().collect::<Vec<_>>(),
            "{seed}"
        );
        assert_eq!(web.arcs, arcs, "{seed}");
        let copies = count - nodes.len();
        merged += copies;
        assert_eq!(made.counts.pages_merged, copies as u64);
        let bundle = folder.path().join("web.bv");
        let table = std::fs::read_to_string(bundle.join("merged.tsv")).unwrap();
        let expected: String = (0..count)
            .filter(|&page| standing[page] != page)
            .map(|page| format!("{}\t{}\n", pages[page].url, name(page)))
            .collect();
        assert_eq!(table, expected, "{seed}");
        for (url, fingerprint) in fingerprints(&bundle) {
            let page = pages.iter().find(|page| page.url == url).unwrap();
            let text = SimHash::default().text(&template(page.template));
            let near = distance(fingerprint, text.text("on").fingerprint());
            assert!(near <= 16, "{url}: {near}");
        }
    }
    assert!(merged > 100, "{merged}");
}

/// Pages without text are like no other, and those that were not fetched neither.
#[test]
fn pages_without_text_stay_apart() {
    let pages = ["1", "2", "3"].map(|name| page(&format!("http://a/{name}"), "<a href=/4>"));
    let options = IngestOptions {
        targets: Targets::All,
        merge_duplicates: Some(3),
        ..options()
    };
    let (web, counts) = ingest_records(&pages, options);
    assert_eq!((web.nodes.len(), web.arcs.len()), (4, 3));
    assert_eq!((counts.pages_merged, counts.clusters), (0, 0));
}

/// The command says what it merged, and the same bytes come from every sieve but one, any number of
/// threads and little memory; `rank duplicates` finds what is left.
#[test]
fn the_command_merges_and_tells() {
    let folder = tempfile::tempdir().unwrap();
    let records: Vec<Vec<u8>> = (0..300)
        .map(|number| {
            let links = [1, 2, 3].map(|link| (number * link + link) % 300);
            let links = links.map(|to| format!(" <a href=/{to}>to {to}</a>"));
            let html = format!("<p>{}</p>{}", template(number % 100), links.concat());
            let url = format!("http://a/{number}");
            [gzip(&page(&url, &html)), gzip(&page(&url, "again"))].concat()
        })
        .collect();
    std::fs::write(folder.path().join("a.warc.gz"), records.concat()).unwrap();
    let base = "ingest a.warc.gz -o web.bv --force --fingerprints --text";
    let run = |options: &str| {
        let line = [base, options].join(" ");
        let words: Vec<&str> = line.split_whitespace().collect();
        let (code, said, problem) = run_in(folder.path(), &words);
        assert_eq!(code, Some(0), "{problem}");
        said
    };
    run("");
    let bundle = folder.path().join("web.bv");
    let said = stdout(&["duplicates", text(&bundle), "-q"]);
    assert_eq!(said.lines().count(), 301, "{said}");
    let mut expected = None;
    for options in [
        "--threads 1",
        "--threads 3",
        "--sieve memory",
        "--sieve offline",
        "--sieve store --memory 100M",
    ] {
        let said = run(&format!("--merge-duplicates {options}"));
        assert!(
            said.contains(
                "300 pages; 300 pages again; 200 merged with pages that are nearly the same"
            ),
            "{said}"
        );
        let found: Vec<Vec<u8>> = files(&bundle)
            .iter()
            .map(|name| std::fs::read(bundle.join(name)).unwrap())
            .collect();
        let expected = expected.get_or_insert_with(|| found.clone());
        assert!(*expected == found, "{options}");
    }
    stdout(&["check", text(&bundle)]);
    let said = stdout(&["duplicates", text(&bundle), "-q"]);
    assert_eq!(said.lines().count(), 1, "{said}");
    let (code, _, problem) = run_in(
        folder.path(),
        &["ingest", "a.warc.gz", "-o", "x.bv", "--text", "--hosts"],
    );
    assert_eq!(code, Some(2), "{problem}");
}
