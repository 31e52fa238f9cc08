//! The output and refusals of `rank ingest`, and the bytes of its bundles.

use super::archives::{gzip, page, record, redirect};
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use webrank_testing::cli::*;

/// Some 300 pages of 12 hosts, with pages that come again.
fn archive(folder: &Path) -> PathBuf {
    let host = |number: usize| format!("http://h{}.example{}.org", number % 12, number % 5);
    let url = |number: usize| format!("{}/{number}", host(number));
    let mut members = Vec::new();
    for place in 0..400 {
        let number = place * 7 % 300;
        let links = (1..9).map(|link| {
            let target = url((number * link + link * link) % 320);
            format!("<a href={target}><a href='/{number}#{link}'>")
        });
        members.extend(gzip(&page(&url(number), &links.collect::<String>())));
    }
    for number in 300..310 {
        members.extend(gzip(&redirect(&url(number), &url(number - 299))));
    }
    let path = folder.join("a.warc.gz");
    std::fs::write(&path, members).unwrap();
    path
}

/// The files of a bundle but its manifest, which names the sources.
fn bundle(path: &Path) -> Vec<(String, Vec<u8>)> {
    let names = files(path).into_iter();
    let read = |name: String| {
        let bytes = std::fs::read(path.join(&name)).unwrap();
        (name, bytes)
    };
    names.map(read).collect()
}

#[test]
fn threads_and_sieves_make_the_same_bytes() {
    let folder = TempDir::new().unwrap();
    archive(folder.path());
    let mut expected = None;
    for options in [
        &["--threads", "1"][..],
        &["--threads", "2"],
        &["--threads", "5"],
        &["--sieve", "memory"],
        &["--sieve", "offline"],
        &["--sieve", "store"],
        &["--sieve", "lsm"],
        &["--sieve", "mercator", "--memory", "200M"],
    ] {
        let arguments = [
            &["ingest", "a.warc.gz", "-o", "web.bv", "--force", "-q"],
            options,
        ]
        .concat();
        let (code, _, problem) = run_in(folder.path(), &arguments);
        assert_eq!(code, Some(0), "{problem}");
        let found = bundle(&folder.path().join("web.bv"));
        let expected = expected.get_or_insert_with(|| found.clone());
        assert!(found == *expected, "{options:?}");
    }
    assert_eq!(files(folder.path()), ["a.warc.gz", "web.bv"]);
}

/// At once or one after the other: the same hosts, arcs and weights.
#[test]
fn hosts_and_domains_are_those_of_rank_fold() {
    let folder = TempDir::new().unwrap();
    archive(folder.path());
    for targets in ["crawled", "all"] {
        let run = |arguments: &[&str]| {
            let (code, said, problem) = run_in(folder.path(), arguments);
            assert_eq!(code, Some(0), "{problem}");
            said
        };
        run(&[
            "ingest",
            "a.warc.gz",
            "-o",
            "web.bv",
            "--targets",
            targets,
            "--force",
        ]);
        for (option, to) in [("--hosts", "hosts"), ("--domains", "domains")] {
            let at_once = [
                "ingest",
                "a.warc.gz",
                "-o",
                "at-once.bv",
                "--targets",
                targets,
            ];
            run(&[&at_once[..], &[option, "--force"]].concat());
            run(&["fold", "web.bv", "--to", to, "-o", "folded.bv", "--force"]);
            let files = |name: &str| {
                let mut files = bundle(&folder.path().join(name));
                files.retain(|(name, _)| name != "manifest.json");
                files
            };
            assert!(files("at-once.bv") == files("folded.bv"), "{targets} {to}");
        }
    }
}

#[test]
fn the_account_says_what_was_found_and_the_manifest_from_what() {
    let folder = TempDir::new().unwrap();
    let members = [
        gzip(&page(
            "http://a.org/",
            "<a href=x><a href=r><a href=mailto:x><a href=y rel=nofollow>",
        )),
        gzip(&page("http://a.org/x", "<a href=/>")),
        gzip(&page("http://a.org/x", "")),
        gzip(&redirect("http://a.org/r", "/x")),
        b"damaged".to_vec(),
    ];
    let bytes = members.concat();
    std::fs::write(folder.path().join("a.warc.gz"), &bytes).unwrap();
    let (code, said, problem) = run_in(folder.path(), &["ingest", "a.warc.gz", "-o", "web.bv"]);
    assert_eq!((code, problem.as_str()), (Some(0), ""));
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines[0].starts_with("web.bv: 2 nodes, 2 arcs"), "{said}");
    assert!(lines[1].starts_with("4 records ("), "{said}");
    assert!(
        lines[1].ends_with("): 2 pages; 1 page again; 1 redirect; 1 damaged and left out"),
        "{said}"
    );
    assert_eq!(
        lines[2],
        "5 links; 1 with nofollow; 1 to something else than pages; 1 to a page that was not fetched"
    );
    assert!(
        lines[3].starts_with("sieve: 3 URLs taken (33.3% found in the cache), 2 given; a page is lost with probability"),
        "{said}"
    );
    let manifest = std::fs::read(folder.path().join("web.bv/manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    let made_from = &manifest["made_from"];
    let sum = format!("{:032x}", xxhash_rust::xxh3::xxh3_128(&bytes));
    assert_eq!(made_from["sources"]["a.warc.gz"]["xxh3_128"], sum.as_str());
    assert_eq!(made_from["sources"]["a.warc.gz"]["bytes"], bytes.len());
    assert_eq!(made_from["counts"]["pages"], 2);
    assert_eq!(made_from["counts"]["links_not_crawled"], 1);
    // Such a bundle is as any other.
    stdout(&["check", text(&folder.path().join("web.bv"))]);
    let scores = stdout(&[
        "pagerank",
        text(&folder.path().join("web.bv")),
        "-o",
        "-",
        "-q",
    ]);
    assert!(scores.contains("http://a.org/x"), "{scores}");
}

#[test]
fn standard_input_and_several_files_are_read() {
    let folder = TempDir::new().unwrap();
    let one = page("http://a/1", "<a href=2>");
    let two = page("http://a/2", "<a href=1>");
    std::fs::write(folder.path().join("two.warc"), &two).unwrap();
    let output = rank(&["ingest", "-", "two.warc", "-o", "web.bv"])
        .current_dir(folder.path())
        .write_stdin(gzip(&one))
        .output()
        .unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.starts_with("web.bv: 2 nodes, 2 arcs"), "{said}");
}

#[test]
fn what_cannot_be_made_is_one_line_and_leaves_nothing() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("text.txt"), "no archive\n").unwrap();
    std::fs::write(at("page.warc"), page("http://a/", "")).unwrap();
    std::fs::write(at("nothing.warc"), "").unwrap();
    let three = "filedesc://x.arc 0.0.0.0 20040101000000 text/plain 4\n3 0 \n\n";
    std::fs::write(at("three.arc"), three).unwrap();
    std::fs::write(at("x\u{1b}[2J.warc"), "x").unwrap();
    std::fs::create_dir(at("empty")).unwrap();
    std::fs::create_dir(at("taken")).unwrap();
    std::fs::create_dir(at("crawled")).unwrap();
    std::fs::write(at("crawled/crawl-00000.warc.gz"), "x").unwrap();
    let before = files(folder.path());
    for (arguments, code, words) in [
        (&["missing.warc"][..], 1, "no such file"),
        (&["text.txt"], 1, "has no WARC record"),
        (
            &["x\u{1b}[2J.warc"],
            1,
            "x\\u{1b}[2J.warc: has no WARC record",
        ),
        (&["empty"], 1, "has no file whose name ends in .html"),
        (
            &["crawled"],
            1,
            "holds archives and no HTML; give its files, such as crawled/crawl-00000.warc.gz",
        ),
        (&["page.warc", "--base", "x"], 2, "--base is x: "),
        (&["page.warc", "--max-page", "0"], 2, "--max-page is 0: "),
        (&["page.warc", "--bits", "65"], 2, "'--bits <B>'"),
        (&["page.warc", "--bits", "7"], 2, "'--bits <B>'"),
        (
            &["page.warc", "--bits", "8"],
            2,
            "--bits is 8: it is for --fingerprints",
        ),
        (
            &["page.warc", "--weights", "log"],
            2,
            "--weights is log: it is for --fingerprints",
        ),
        (
            &["page.warc", "--merge-duplicates", "--bits", "16"],
            2,
            "--distance is 3: of 100000 pairs",
        ),
        (&["nothing.warc"], 1, "nothing.warc: holds nothing"),
        (
            &["three.arc"],
            1,
            "three.arc: cannot read: it is an ARC file of version 3",
        ),
        (
            &["page.warc", "--fingerprints", "--signals", "letters=3"],
            2,
            "write words=N or characters=N",
        ),
        (
            &["page.warc", "--signals", "words=5"],
            2,
            "--signals is words=5: it is for --fingerprints",
        ),
        (&["page.warc", "--codes", "x"], 2, "--codes is 'x': "),
        (&["page.warc", "-o", "taken"], 1, "already exists"),
        (&["page.warc", "-o", "none/web.bv"], 1, "none"),
        (&["page.warc", "--temp", "none"], 1, "none"),
    ] {
        let output = ["-o", "web.bv"];
        let output = if arguments.contains(&"-o") {
            &[][..]
        } else {
            &output
        };
        let arguments = [&["ingest"], arguments, output].concat();
        let (found, said, problem) = run_in(folder.path(), &arguments);
        assert_eq!(found, Some(code), "{problem}");
        assert!(
            problem.contains(words) && problem.lines().count() == 1,
            "{problem}"
        );
        assert!(said.is_empty(), "{said}");
        assert_eq!(files(folder.path()), before, "{arguments:?}");
    }
}

/// A page of a gigabyte between two others, in 128 MB of memory.
#[test]
fn a_page_of_a_gigabyte_takes_little_memory() {
    let folder = TempDir::new().unwrap();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<a href=/2>";
    let part = gzip_zeros(1 << 30, head);
    let members = [
        gzip(&page("http://a/1", "")),
        part,
        gzip(&page("http://a/2", "")),
    ];
    std::fs::write(folder.path().join("a.warc.gz"), members.concat()).unwrap();
    let arguments = [
        "ingest",
        "a.warc.gz",
        "-o",
        "web.bv",
        "--memory",
        "128M",
        "--verbose",
    ];
    let (code, said, problem) = run_in(folder.path(), &arguments);
    assert_eq!(code, Some(0), "{problem}");
    assert!(
        said.contains("3 nodes, 1 arc") && said.contains("1 page cut at --max-page"),
        "{said}"
    );
    let held = problem.lines().find_map(|line| {
        let line = line.strip_prefix("rank: memory: ")?;
        line.strip_suffix(" bytes were held at most")?
            .parse::<u64>()
            .ok()
    });
    assert!(held.unwrap() < 128 << 20, "{problem}");
}

/// A record of a response whose body ends in so many zeros, compressed.
fn gzip_zeros(zeros: usize, start: &str) -> Vec<u8> {
    use std::io::Write;
    let whole = record(
        "response",
        "http://a/big",
        "application/http",
        start.as_bytes(),
    );
    let text = String::from_utf8(whole).unwrap();
    let length = format!("Content-Length: {}", start.len());
    let longer = format!("Content-Length: {}", start.len() + zeros);
    let text = text.replace(&length, &longer);
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(text.trim_end_matches("\r\n").as_bytes())
        .unwrap();
    let chunk = vec![b' '; 1 << 20];
    (0..zeros >> 20).for_each(|_| out.write_all(&chunk).unwrap());
    out.write_all(b"\r\n\r\n").unwrap();
    out.finish().unwrap()
}
