//! Pages that are copies of others: they are kept, and their links are not followed.

use super::{HOSTS, options, run, sorted, temp, urls};
use crate::web::{Web, links, not_found, page};
use webrank_base::progress::Silent;
use webrank_crawl::crawler::{Copies, crawl};
use webrank_crawl::near::{SimHash, distance};

/// A text of 300 words, of which one is chosen.
fn story(word: &str) -> String {
    let word = |number: usize| match number {
        150 => word.to_owned(),
        _ => format!(
            "w{}",
            ["a", "b", "c", "d", "e", "f", "g"][number % 7].repeat(1 + number % 11)
        ),
    };
    (0..300).map(word).collect::<Vec<_>>().join(" ")
}

/// Two texts whose fingerprints differ in one to three bits.
fn near_texts() -> (String, String) {
    let print = |text: &str| SimHash::default().text(text).fingerprint();
    let first = story("bee");
    let others = (0..1000).map(|number| story(&"ant".repeat(1 + number)));
    let other = others
        .into_iter()
        .find(|it| (1..=3).contains(&distance(print(it), print(&first))));
    (first, other.unwrap())
}

/// Folders with pages that lead to a page below: one, a copy of its bytes, one that is near, and another.
fn mirrors() -> Web {
    let (first, near) = near_texts();
    Web::start(move |_, path| match path {
        "/robots.txt" => not_found(),
        "/" => links(&["/one/", "/copy/", "/near/", "/other/"]),
        "/one/" | "/copy/" => page(&format!("<p>{first}<a href=x>.</a>")),
        "/near/" => page(&format!("<p>{near}<a href=x>.</a>")),
        "/other/" => page("<p>Nothing of that.<a href=x>.</a>"),
        below => page(&format!("<p>{}", below.replace('/', " x"))),
    })
}

#[test]
fn links_of_copies_are_not_followed() {
    let all = ["/", "/copy/", "/near/", "/one/", "/other/"];
    for (copies, below, counts) in [
        (
            Copies::Follow,
            &["/copy/x", "/near/x", "/one/x", "/other/x"][..],
            (0, 0),
        ),
        (Copies::Exact, &["/near/x", "/one/x", "/other/x"], (1, 0)),
        (Copies::Near(0), &["/near/x", "/one/x", "/other/x"], (1, 0)),
        (Copies::Near(3), &["/one/x", "/other/x"], (1, 1)),
    ] {
        let (web, folder) = (mirrors(), temp());
        let mut options = options(&web, &HOSTS);
        options.copies = copies;
        // Every page in a run of its own: what is known of pages is kept.
        let crawled = (2..20).map(|pages| {
            options.budget.pages = pages;
            run(options.clone(), folder.path())
        });
        let crawled = crawled.last().unwrap();
        let expected = all
            .iter()
            .chain(below)
            .map(|path| format!("http://a.test{path}"));
        let expected = sorted(expected.collect());
        assert_eq!(sorted(web.urls()), expected, "{copies:?}");
        assert_eq!(urls(folder.path()), expected, "{copies:?}");
        assert_eq!(
            (crawled.account.copies, crawled.account.near),
            counts,
            "{copies:?}"
        );
    }
}

#[test]
fn a_crawl_goes_on_with_its_own_copies() {
    let (web, folder) = (mirrors(), temp());
    let mut options = options(&web, &HOSTS);
    options.copies = Copies::Near(2);
    run(options.clone(), folder.path());
    options.copies = Copies::Exact;
    let seeds = ["http://a.test/".to_owned()];
    let problem = crawl(&seeds, options.clone(), folder.path(), &Silent).unwrap_err();
    assert!(
        problem
            .to_string()
            .contains("has --copies near --distance 2"),
        "{problem}"
    );
    options.copies = Copies::Near(8);
    let problem = crawl(&seeds, options, folder.path(), &Silent).unwrap_err();
    assert!(problem.to_string().contains("at most 7"), "{problem}");
}
