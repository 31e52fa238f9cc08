//! `rank fold`.

use std::fs;
use tempfile::TempDir;
use webrank_testing::cli::*;

#[test]
fn pages_become_hosts_and_hosts_domains() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name);
    let pages = "https://a.example.org/1 https://b.example.org/2\n\
                 https://a.example.org/2 https://b.example.org/2\n\
                 https://a.example.org/1 https://a.example.org/2\n\
                 https://b.example.org/2 http://shop.example.co.uk:8080/x\n";
    fs::write(path("pages.txt"), pages).unwrap();
    let (pages, hosts, domains) = (path("pages.txt"), path("hosts.bv"), path("domains.bv"));
    let said = stdout(&["fold", text(&pages), "--to", "hosts", "-o", text(&hosts)]);
    assert!(said.contains("3 nodes, 3 arcs with weights"), "{said}");
    let scores = stdout(&["outdegree", text(&hosts), "-o", "-", "-q"]);
    assert!(scores.contains(",a.example.org,2.0,"), "{scores}");
    let said = stdout(&[
        "fold",
        text(&hosts),
        "--to",
        "domains",
        "--drop-loops",
        "-o",
        text(&domains),
    ]);
    assert!(said.contains("2 nodes, 1 arc with weights"), "{said}");
    // The arc between the domains weighs 1, those within one weighed 3.
    let weights = fs::read(domains.join("weights.f32")).unwrap();
    assert_eq!(weights, 1f32.to_le_bytes());
    stdout(&["check", text(&domains)]);
    fs::write(path("ids.txt"), "0 1\n").unwrap();
    let bundle = path("ids.bv");
    stdout(&[
        "import",
        text(&path("ids.txt")),
        "--ids",
        "-o",
        text(&bundle),
    ]);
    let problem = failure(
        &[
            "fold",
            text(&bundle),
            "--to",
            "hosts",
            "-o",
            text(&path("x.bv")),
        ],
        1,
    );
    assert!(problem.contains("nodes have no names"), "{problem}");
}
