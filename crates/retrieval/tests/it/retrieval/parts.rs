//! `rank index --parts`, and what is searched in parts.

use super::command::thirty;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tempfile::TempDir;
use webrank_testing::cli::*;

const QUERIES: [&str; 6] = [
    "common text1",
    "\"page one\" OR anchors:number7",
    "+common +home +text0",
    "NOT \"common text1\"",
    "anchors:number29 anchors:number3",
    "nothing",
];

fn cut(folder: &Path, name: &str, options: &[&str]) -> (String, String) {
    let [web, index] = ["web.bv", name].map(|name| folder.join(name));
    let from = ["index", text(&web), "-o", text(&index), "--codes", "delta"];
    let said = stdout(&[&from[..], options].concat());
    (text(&index).to_owned(), said)
}

/// Tables are the same, byte for byte, and so are measures of rankings.
#[test]
fn tables_are_those_of_one_index() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    thirty(folder);
    let (one, _) = cut(folder, "one.index", &[]);
    let [queries, qrels, statics] = ["q.tsv", "qrels.txt", "s.csv"].map(|name| folder.join(name));
    std::fs::write(&queries, "a\tcommon text1\nb\tnumber3 number4\n").unwrap();
    std::fs::write(&qrels, "a 0 1 1\nb 0 https://example.org/0004 1\n").unwrap();
    std::fs::write(&statics, "node,score\n29,3\n4,1\n").unwrap();
    let evaluate = |index: &str| {
        let files = ["--queries", text(&queries), "--judgements", text(&qrels)];
        stdout(
            &[
                &["evaluate", index],
                &files[..],
                &["--static", text(&statics)],
            ]
            .concat(),
        )
    };
    for by in ["documents", "terms"] {
        for parts in ["1", "3"] {
            let name = format!("{by}{parts}.index");
            let (index, said) = cut(folder, &name, &["--parts", parts, "--by", by]);
            let line = format!("parts: {parts} by {by}");
            assert!(
                said.contains(&line) && said.contains("strangers 2^-8"),
                "{said}"
            );
            assert!(
                said.contains("lists: 330 postings, 330 positions"),
                "{said}"
            );
            for query in QUERIES {
                for options in [
                    &["--explain"][..],
                    &["--early"],
                    &["--static", text(&statics)],
                ] {
                    let search =
                        |index: &str| stdout(&[&["search", index, query], options].concat());
                    assert_eq!(search(&index), search(&one), "{query} {options:?}");
                }
            }
            assert_eq!(evaluate(&index), evaluate(&one));
            let problem = failure(&["evaluate", &index, "--known-items", "titles"], 1);
            assert!(problem.contains("is in parts"), "{problem}");
        }
    }
}

/// A word that one part has reads one part, also where a link leads to it; -v says so.
#[test]
fn parts_that_are_not_needed_are_not_read() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    thirty(folder);
    let options = ["--parts", "3", "--signature", "40"];
    let (index, said) = cut(folder, "p.index", &options);
    assert!(said.contains("of 10 to 10 pages"), "{said}");
    let away = folder.join("elsewhere");
    std::fs::rename(Path::new(&index).join("part-00001"), &away).unwrap();
    let search = |word: &str| rank(&["search", &index, word, "-v"]).output().unwrap();
    for (word, is_there) in [("number3", true), ("number15", false)] {
        let output = search(word);
        assert_eq!(output.status.success(), is_there);
        let said = String::from_utf8(output.stderr).unwrap();
        let expected = if is_there {
            "parts: 1 of 3 were searched, and "
        } else {
            "part-00001"
        };
        assert!(said.contains(expected), "{said}");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&away, Path::new(&index).join("part-00001")).unwrap();
        assert!(search("number15").status.success());
        // A new index leaves the part elsewhere alone.
        let (_, said) = cut(
            folder,
            "p.index",
            &["--parts", "2", "--by", "terms", "--force"],
        );
        assert!(said.contains("parts: 2 by terms"), "{said}");
        assert!(away.join("lists.bits").is_file() && search("number15").status.success());
    }
    let (_, said) = cut(folder, "p.index", &["--force"]);
    assert!(!said.contains("parts"), "{said}");
    assert!(!files(folder).iter().any(|name| name.starts_with(".rank-")));
    let part = folder.join("p.index/part-00000");
    assert!(!part.exists());
}

#[test]
fn options_of_parts_are_checked() {
    let folder = TempDir::new().unwrap();
    let web = thirty(folder.path());
    let output = folder.path().join("x.index");
    let from = ["index", text(&web), "-o", text(&output)];
    for (options, word) in [
        (&["--parts", "2"][..], "--codes"),
        (&["--codes", "delta", "--by", "terms"], "--parts"),
        (
            &["--codes", "delta", "--parts", "0"],
            "--parts is 0: it must be from 1 to 256",
        ),
        (&["--codes", "delta", "--parts", "257"], "--parts is 257"),
        (
            &["--codes", "delta", "--parts", "2", "--signature", "65"],
            "--signature is 65",
        ),
    ] {
        let problem = failure(&[&from[..], options].concat(), 2);
        assert!(problem.contains(word), "{problem}");
    }
    assert!(!output.exists());
}

/// A run that is killed leaves no index, and the next one removes what it leaves.
#[test]
fn cutting_may_be_killed() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let web = thirty(folder);
    let output = folder.join("k.index");
    let arguments = [
        "index",
        text(&web),
        "-o",
        text(&output),
        "--codes",
        "pfor",
        "--parts",
        "7",
    ];
    let mut kills = 0;
    for moment in 0..40 {
        let mut command = std::process::Command::new(program("rank-index"));
        let mut child = command
            .args(&arguments[1..])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(3 * moment));
        kills += usize::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
        if output.exists() {
            stdout(&["search", text(&output), "common"]);
            std::fs::remove_dir_all(&output).unwrap();
        }
    }
    assert!(kills > 0);
    stdout(&arguments);
    assert_eq!(files(folder), ["k.index", "links.tsv", "web.bv"]);
}
