//! `rank ingest --text`: titles, texts, and the texts of links.

use super::archives::*;
use std::collections::BTreeMap;
use std::path::Path;
use webrank_crawl::ingest::{IngestOptions, Targets};
use webrank_formats::import::{ImportOptions, Order};
use webrank_graph::StoredGraph;
use webrank_graph::bundle::{MAX_ANCHORS, MAX_TEXT, MAX_TITLE, Page};
use webrank_testing::cli::*;
use webrank_testing::mutants::Random;

fn with_text(order: Order) -> IngestOptions {
    IngestOptions {
        targets: Targets::All,
        text: true,
        import: ImportOptions {
            order,
            ..ImportOptions::default()
        },
        ..options()
    }
}

/// The pages of a bundle.
fn pages(bundle: &Path) -> Vec<Page> {
    let source = StoredGraph::open(bundle).unwrap();
    let pages = source.pages().unwrap().unwrap();
    pages.collect::<Result<_, _>>().unwrap()
}

/// The pages of an archive of these records.
fn pages_of(records: &[Vec<u8>], options: IngestOptions) -> Vec<Page> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc");
    std::fs::write(&path, records.concat()).unwrap();
    try_ingest(folder.path(), &[path], options).unwrap();
    pages(&folder.path().join("web.bv"))
}

/// Random webs whose titles, texts and links the test knows, in every order of the nodes.
#[test]
fn lines_are_those_of_a_slow_oracle() {
    let orders = [
        Order::Names,
        Order::Given,
        Order::Degree,
        Order::Bfs,
        Order::Llp,
    ];
    for seed in 0..25 {
        let random = &mut Random(seed);
        let count = 1 + random.below(8);
        let url = |page: usize| format!("http://a/{}", (page * 3) % 8);
        let mut expected: BTreeMap<String, (String, String)> = BTreeMap::new();
        let mut links: Vec<(String, String, String)> = Vec::new();
        let mut records = Vec::new();
        for page_number in 0..count {
            let own = url(page_number);
            let title = ["", "a title", "\"é\" \\ 東"][random.below(3)];
            let mut html = format!("<title>{title}</title>");
            let mut text = Vec::new();
            for place in 0..random.below(7) {
                let word = ["one", "two words", "", "&\u{2028}é"][random.below(4)];
                let to = url(random.below(8));
                html += &format!(
                    "<p>p{place}</p><a href='{to}#{place}'>{}</a>",
                    word.replace('&', "&amp;").replace(' ', "\n<b> </b>")
                );
                // The separator of lines is a blank, as all are.
                let shown = word.replace('\u{2028}', " ");
                text.push(format!("p{place}"));
                if !word.is_empty() {
                    text.push(shown.clone());
                }
                if to != own && !word.is_empty() {
                    links.push((own.clone(), to, shown));
                }
            }
            let known = expected.entry(own.clone());
            let first = records.len();
            records.push(page(&own, &html));
            assert_eq!(first, page_number);
            known.or_insert((title.to_owned(), text.join(" ")));
        }
        for order in orders {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.warc");
            std::fs::write(&path, records.concat()).unwrap();
            let (web, _) = try_ingest(folder.path(), &[path], with_text(order)).unwrap();
            let number = |url: &str| web.nodes.iter().position(|name| name == url).unwrap();
            let lines: Vec<Page> = (0..web.nodes.len())
                .map(|node| {
                    let name = &web.nodes[node];
                    let (title, text) = expected.get(name).cloned().unwrap_or_default();
                    let mut to_it: Vec<_> = links.iter().filter(|link| link.1 == *name).collect();
                    // Stable: those of a source stay in their order.
                    match order {
                        Order::Given => to_it.sort_by_key(|link| number(&link.0)),
                        // Orders by arcs come after that by names.
                        _ => to_it.sort_by_key(|link| &link.0),
                    }
                    Page {
                        node: node as u32,
                        title,
                        text,
                        anchors: to_it.into_iter().map(|link| link.2.clone()).collect(),
                    }
                })
                .filter(|page| {
                    !(page.title.is_empty() && page.text.is_empty() && page.anchors.is_empty())
                })
                .collect();
            assert_eq!(
                pages(&folder.path().join("web.bv")),
                lines,
                "{seed} {order:?}"
            );
        }
    }
}

/// The file itself, as another program reads it.
#[test]
fn the_format_is_a_line_of_json_for_each_node() {
    let folder = tempfile::tempdir().unwrap();
    let records = [
        page("http://a/1", "<title>T</title>x <a href=2>to two</a>"),
        page("http://a/2", "y"),
    ];
    std::fs::write(folder.path().join("a.warc"), records.concat()).unwrap();
    let words = ["ingest", "a.warc", "-o", "web.bv", "--text", "-q"];
    assert_eq!(run_in(folder.path(), &words).0, Some(0));
    let bundle = folder.path().join("web.bv");
    let bytes = std::fs::read(bundle.join("pages.jsonl.zst")).unwrap();
    let lines = String::from_utf8(zstd::decode_all(&bytes[..]).unwrap()).unwrap();
    assert_eq!(
        lines,
        "{\"node\":0,\"title\":\"T\",\"text\":\"x to two\",\"anchors\":[]}\n\
         {\"node\":1,\"title\":\"\",\"text\":\"y\",\"anchors\":[\"to two\"]}\n"
    );
    let manifest = std::fs::read(bundle.join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    let sum = format!("{:032x}", xxhash_rust::xxh3::xxh3_128(&bytes));
    assert_eq!(
        manifest["files"]["pages.jsonl.zst"]["xxh3_128"],
        sum.as_str()
    );
    let said = stdout(&["check", text(&bundle)]);
    assert!(said.contains("2 nodes with text"), "{said}");
    // Another order takes the texts along.
    let ordered = folder.path().join("ordered.bv");
    stdout(&[
        "recode",
        text(&bundle),
        "-o",
        text(&ordered),
        "--order",
        "degree",
        "-q",
    ]);
    let titles: Vec<String> = pages(&ordered).into_iter().map(|page| page.text).collect();
    assert_eq!(titles, ["y", "x to two"]);
    std::fs::remove_file(bundle.join("pages.jsonl.zst")).unwrap();
    let problem = failure(&["info", text(&bundle)], 1);
    assert!(problem.contains("pages.jsonl.zst"), "{problem}");
}

#[test]
fn long_texts_are_cut_at_characters() {
    let long = "é".repeat(MAX_TEXT);
    let html = format!(
        "<title>x{long}</title>{long}<a href=/2>x{}</a>",
        "é".repeat(50_000)
    );
    let more = "<a href=/2>yyyyyyyyyy</a>".repeat(10_000);
    let options = || IngestOptions {
        max_page: 16 << 20,
        ..with_text(Order::Names)
    };
    let found = pages_of(&[page("http://a/1", &html)], options());
    assert_eq!(found[0].title.len(), MAX_TITLE - 1);
    assert_eq!(found[0].text.len(), MAX_TEXT);
    assert_eq!(found[1].anchors.len(), 1);
    assert_eq!(found[1].anchors[0].len(), MAX_ANCHORS - 1);
    let found = pages_of(&[page("http://a/1", &more)], options());
    let anchors = &found[1].anchors;
    assert_eq!(anchors.iter().map(String::len).sum::<usize>(), MAX_ANCHORS);
    assert_eq!(anchors.last().unwrap(), "yyyyyy");
}

/// Descriptions have titles and texts of links, but no text, and so no fingerprint.
#[test]
fn descriptions_give_titles_and_anchors() {
    let json = r#"{"Envelope":{"WARC-Header-Metadata":{"WARC-Type":"response",
        "WARC-Target-URI":"http://a/1"},"Payload-Metadata":{"HTTP-Response-Metadata":{
        "Response-Message":{"Status":"200"},"Headers":{"Content-Type":"text/html"},
        "HTML-Metadata":{"Head":{"Title":" A \n title "},
        "Links":[{"path":"A@/href","url":"/2","text":"to\u0007two"}]}}}}}"#;
    let wat = record(
        "metadata",
        "http://a/1",
        "application/json",
        json.as_bytes(),
    );
    let options = IngestOptions {
        fingerprints: true,
        ..with_text(Order::Names)
    };
    let found = pages_of(&[wat], options);
    assert_eq!(
        (found[0].title.as_str(), found[0].text.as_str()),
        ("A title", "")
    );
    assert_eq!(found[1].anchors, ["to two"]);
}

/// A million links, all with texts, and texts that are mostly control characters, in 128 MB: nothing
/// acts on a terminal.
#[test]
fn texts_take_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let flood: String = (0..1_000_000)
        .map(|link| format!("<a href=/{}>\u{1b}[2J{link}</a>", link % 50_000))
        .collect();
    let records = [
        gzip(&page("http://a/0", &flood)),
        gzip(&page("http://a/1", "\u{1b}]0;x\u{7}\u{9b}y\0")),
    ];
    std::fs::write(folder.path().join("a.warc.gz"), records.concat()).unwrap();
    let words = "ingest a.warc.gz -o web.bv --text --fingerprints --targets all --max-page 64MiB \
                 --threads 2 --memory 300M -q";
    let words: Vec<&str> = words.split_whitespace().collect();
    let (code, _, problem) = run_in(folder.path(), &words);
    assert_eq!(code, Some(0), "{problem}");
    let found = pages(&folder.path().join("web.bv"));
    assert_eq!(found.len(), 50_000);
    let plain = |text: &String| !text.chars().any(char::is_control);
    assert!(
        found
            .iter()
            .all(|page| plain(&page.text) && page.anchors.iter().all(plain))
    );
    let anchors: usize = found.iter().map(|page| page.anchors.len()).sum();
    // But those of the page to itself.
    assert_eq!(anchors, 1_000_000 - 20);
}
