//! Tables of `rank search` and `rank evaluate` are made again, from the same index and files alone.

use super::command::indexed;
use std::fs;
use tempfile::TempDir;
use webrank_testing::cli::*;

#[test]
fn searches_and_evaluations_are_repeated() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let index = indexed(folder);
    let lines: String = (0..12).map(|i| format!("q{i}\tcommon\n")).collect();
    fs::write(folder.join("q.tsv"), lines).unwrap();
    let lines: String = (0..12).map(|i| format!("q{i} 0 {i} 1\n")).collect();
    fs::write(folder.join("qrels.txt"), lines).unwrap();
    fs::write(folder.join("s.csv"), "node,score\n3,2\n0,1\n").unwrap();
    let run = |words: &[&str]| run_in(folder, words);
    let search = [
        "search", &index, "common", "--static", "s.csv", "-o", "hits.csv",
    ];
    let evaluate = [
        "evaluate",
        &index,
        "--queries",
        "q.tsv",
        "--judgements",
        "qrels.txt",
    ];
    let more = [
        "--static", "s.csv", "--draws", "99", "--run", "run.txt", "-o", "e.csv",
    ];
    for words in [&search[..], &[&evaluate[..], &more].concat()] {
        let (code, _, problem) = run(words);
        assert_eq!(code, Some(0), "{problem}");
    }
    fs::remove_file(folder.join("run.txt")).unwrap();
    let before = files(folder);
    for table in ["hits.csv", "e.csv"] {
        let (code, said, problem) = run(&["rerun", &format!("{table}.json")]);
        assert_eq!(code, Some(0), "{problem}");
        assert!(
            said.starts_with(&format!("{table}: the same bits again")),
            "{said}"
        );
    }
    assert_eq!(files(folder), before, "nothing is written");
    // The index is among the files that must be the same.
    let about = folder.join(&index).join("rank-index.json");
    let whole = fs::read_to_string(&about).unwrap();
    fs::write(&about, whole.replace("\"pages\"", " \"pages\"")).unwrap();
    let (code, _, problem) = run(&["rerun", "hits.csv.json"]);
    assert_eq!(code, Some(1));
    assert!(
        problem.contains("rank-index.json: is not what the run of hits.csv.json read"),
        "{problem}"
    );
    fs::write(&about, whole).unwrap();
    fs::write(folder.join("qrels.txt"), "q1 0 2 1\n").unwrap();
    let (code, _, problem) = run(&["rerun", "e.csv.json"]);
    assert!(
        code == Some(1) && problem.contains("qrels.txt: is not what"),
        "{problem}"
    );
    // A file that the manifest does not list could be anything.
    let manifest = folder.join("hits.csv.json");
    let text = fs::read_to_string(&manifest).unwrap();
    fs::write(&manifest, text.replace("rank-index.json", "other.json")).unwrap();
    let (code, _, problem) = run(&["rerun", "hits.csv.json"]);
    assert!(
        code == Some(1) && problem.contains("it has no checksum of"),
        "{problem}"
    );
}

#[test]
fn searches_are_repeated_from_anywhere_with_the_options_of_all_commands() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let index = indexed(folder);
    let (code, _, problem) = run_in(folder, &["search", &index, "common", "-o", "hits.csv"]);
    assert_eq!(code, Some(0), "{problem}");
    let manifest = folder.join("hits.csv.json");
    let rerun = |options: &[&str]| {
        let words = [options, &["rerun", text(&manifest)]].concat();
        run_in("/".as_ref(), &words)
    };
    let (code, said, problem) = rerun(&[]);
    assert_eq!(code, Some(0), "{problem}");
    assert!(said.contains("the same bits again"), "{said}");
    // Options of `rank rerun` hold for the run.
    let (code, said, problem) = rerun(&["--memory", "1K"]);
    assert_eq!((code, said.as_str()), (Some(1), ""));
    assert!(problem.contains("search needs up to"), "{problem}");
    let (_, _, problem) = rerun(&["--threads", "1", "-v"]);
    assert!(problem.contains("were held at most"), "{problem}");
    // Options may stand before the command, as in manifests of earlier versions.
    let written = fs::read_to_string(&manifest).unwrap();
    let mut changed: serde_json::Value = serde_json::from_str(&written).unwrap();
    let command = changed["command"].as_array_mut().unwrap();
    command.insert(1, "-q".into());
    command.insert(1, "1".into());
    command.insert(1, "--threads".into());
    fs::write(&manifest, changed.to_string()).unwrap();
    let (code, said, problem) = rerun(&[]);
    assert_eq!(code, Some(0), "{problem}");
    assert!(said.contains("the same bits again"), "{said}");
    // A command that would print its table is not run.
    let command = changed["command"].as_array_mut().unwrap();
    command.truncate(command.len() - 2);
    fs::write(&manifest, changed.to_string()).unwrap();
    let (code, said, problem) = rerun(&[]);
    assert_eq!((code, said.as_str()), (Some(1), ""));
    assert!(problem.contains("its command writes no table"), "{problem}");
}
