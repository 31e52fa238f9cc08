//! Outputs for a person at a terminal. The program `script` of util-linux is the terminal.

use std::process::Command;
use tempfile::TempDir;
use webrank_testing::cli::*;

/// The output of a command at a terminal, its standard error included; none without `script`.
fn shown(command: &str) -> Option<String> {
    let rank = assert_cmd::cargo::cargo_bin("rank");
    let line = format!("{} {command}", rank.to_str().unwrap());
    let terminal = Command::new("script")
        .args(["-q", "-e", "-c", &line, "/dev/null"])
        .stdin(std::process::Stdio::null())
        .output();
    let Ok(output) = terminal else {
        eprintln!("skipped: there is no program 'script'");
        return None;
    };
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{command}: {text}");
    Some(text.replace("\r\n", "\n"))
}

#[test]
fn a_terminal_shows_the_summary_and_the_20_best() {
    for (command, count) in [
        ("pagerank graphs/debian.bv --quiet", 20),
        ("pagerank graphs/debian.bv --quiet --top 3", 3),
        (
            "harmonic graphs/rust-doc.bv --method hyperball --log2m 5 --quiet",
            20,
        ),
    ] {
        let Some(text) = shown(command) else {
            return;
        };
        let (summary, best) = text.split_once("\n\n").unwrap();
        assert!(summary.starts_with("graph     graphs/"), "{text}");
        assert_eq!(best.lines().count(), 1 + count, "{text}");
        if command.starts_with("pagerank") {
            let as_told = [&command.split(' ').collect::<Vec<_>>()[..], &["--summary"]].concat();
            let told = stdout(&as_told);
            let told: Vec<&str> = told.lines().collect();
            assert_eq!(text.lines().collect::<Vec<_>>(), told);
        }
    }
}

#[test]
fn progress_is_shown_at_a_terminal_alone_and_then_goes_away() {
    let run = "betweenness graphs/debian.bv --method sources --samples 1500 --threads 1";
    let Some(text) = shown(run) else {
        return;
    };
    // A bar that is drawn again and again, and cleared before the result.
    assert!(text.contains('\u{1b}'), "{text}");
    assert!(text.contains("searching"), "{text}");
    let quiet = shown(&format!("{run} --quiet")).unwrap();
    assert!(!quiet.contains('\u{1b}'), "{quiet}");
    let words: Vec<&str> = run.split(' ').collect();
    let piped = rank(&words).assert().success().get_output().stderr.clone();
    assert!(piped.is_empty(), "{}", String::from_utf8_lossy(&piped));
}

#[test]
fn a_table_for_a_terminal_is_a_table_if_it_is_asked_for() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let Some(text) = shown(&format!("indegree {} -o - --quiet", text(&bundle))) else {
        return;
    };
    assert!(text.starts_with("node,name,score,rank\n"), "{text}");
}

#[test]
fn control_characters_of_names_do_not_act_at_a_terminal() {
    let folder = TempDir::new().unwrap();
    let edges = folder.path().join("edges.tsv");
    std::fs::write(&edges, "a\u{1b}]0;x\u{7}b\tc\nc\t\u{9b}2Jd\n").unwrap();
    let bundle = folder.path().join("odd.bv");
    rank(&["import", text(&edges), "-q", "-o", text(&bundle)])
        .assert()
        .success();
    let graph = text(&bundle);
    for command in [
        format!("export {graph} -q --to edges -o -"),
        format!("export {graph} -q --to matrixmarket -o -"),
        format!("export {graph} -q --to edges -o /dev/stdout"),
        format!("indegree {graph} -q -o -"),
        format!("indegree {graph} -q -o /dev/stdout"),
        format!("betweenness --arcs {graph} -q -o /dev/tty"),
    ] {
        let Some(shown) = shown(&command) else {
            return;
        };
        let acts = |c: char| c.is_control() && !matches!(c, '\n' | '\t' | '\r');
        assert!(!shown.contains(acts), "{command}: {shown:?}");
        // A matrix has no names.
        let has_names = !command.contains("matrixmarket");
        assert_eq!(
            shown.contains("\\u{9b}2Jd"),
            has_names,
            "{command}: {shown}"
        );
    }
    // A pipe gets the bytes of the names.
    for output in ["-", "/dev/stdout"] {
        let piped = stdout(&["export", graph, "--to", "edges", "-o", output]);
        assert!(piped.contains("a\u{1b}]0;x\u{7}b\tc"), "{piped:?}");
    }
}

#[test]
fn the_first_screen_is_for_newcomers() {
    let folder = TempDir::new().unwrap();
    let links = folder.path().join("links.csv");
    std::fs::write(&links, "source,target\na,b\nb,c\nc,a\nc,d\nd,a\n").unwrap();
    let Some(text_of) = shown(&format!("harmonic {} --quiet", text(&links))) else {
        return;
    };
    let expected = format!(
        "graph     {}: 4 nodes, 5 arcs\nmeasure   harmonic\nmethod    exact\n\n    rank  score    node\n       \
         1  2.50000  a\n       2  2.00000  b\n       3  1.83333  c\n       3  1.83333  d\n",
        links.display()
    );
    assert_eq!(text_of, expected);
    let detailed = shown(&format!("harmonic {} -v", text(&links))).unwrap();
    assert!(
        detailed.contains("measure   harmonic (direction in, normalize false)\n"),
        "{detailed}"
    );

    // Nodes that symmetry does not tell apart tie, and the order says so.
    std::fs::write(&links, "source,target\nA,B\nB,C\nC,A\n").unwrap();
    let circle = shown(&format!("pagerank {} --quiet", text(&links))).unwrap();
    assert!(
        circle.contains("order     all positions are proved\n"),
        "{circle}"
    );
    assert!(!circle.contains('~'), "{circle}");

    let rust = shown("pagerank graphs/rust-doc.bv --quiet").unwrap();
    assert!(rust.contains("\nmeasure   pagerank\n"), "{rust}");
    assert!(
        rust.contains("\n       1  0.121867  settings.html\n"),
        "{rust}"
    );
    let debian = shown("pagerank graphs/debian.bv --quiet").unwrap();
    assert!(!debian.contains("was chosen"), "{debian}");
    let detailed = shown("pagerank graphs/debian.bv -v").unwrap();
    assert!(
        detailed.contains("the method components was chosen"),
        "{detailed}"
    );
}

#[test]
fn commands_stand_under_headings() {
    let Some(help) = shown("--help") else {
        return;
    };
    let plain = console_free(&help);
    let about = "Rank the nodes of graphs of any size, with certified error bounds.\n\nGRAPH is a file of arcs";
    assert!(plain.starts_with(about), "{plain}");
    let headings = [
        "Rank:",
        "Compare and explain:",
        "Graphs:",
        "Data in and out:",
        "Crawl and search:",
        "Machines:",
    ];
    let places = headings.map(|heading| plain.find(&format!("\n{heading}\n")).unwrap());
    assert!(places.is_sorted(), "{plain}");
}

/// A text without what makes its letters bold.
fn console_free(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| {
        plain + part.split_once('m').map_or("", |(_, rest)| rest)
    })
}

#[test]
fn scores_are_told_to_programs() {
    let json = stdout(&["-q", "pagerank", "graphs/debian.bv", "--json", "-n", "2"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        json["manifest"]["columns"]["score"]["measure"], "pagerank",
        "{json}"
    );
    let best = json["best"].as_array().unwrap();
    assert_eq!(best.len(), 2);
    assert_eq!(
        (&best[0]["rank"], &best[0]["name"]),
        (&1.into(), &"libc6".into())
    );
    assert_eq!(best[0]["certain"], true);
    let json = stdout(&[
        "-q",
        "harmonic",
        "graphs/debian.bv",
        "--method",
        "hyperball",
        "--json",
    ]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let best = json["best"].as_array().unwrap();
    assert_eq!(best.len(), 20);
    assert!(
        best.iter()
            .all(|row| row["lower"].as_f64() <= row["upper"].as_f64()),
        "{best:?}"
    );
}

#[test]
fn parameters_that_are_defaults_are_not_in_summaries() {
    let graph = format!("{}/graphs/rust-doc.bv", env!("CARGO_MANIFEST_DIR"));
    let measures = |words: &[&str]| -> Vec<String> {
        let summary = stdout(&[words, &[&graph, "--summary"]].concat());
        let lines = summary.lines().filter(|line| line.starts_with("measure"));
        lines
            .map(|line| line["measure".len()..].trim().to_owned())
            .collect()
    };
    for measure in [
        "pagerank",
        "leaderrank",
        "harmonic",
        "closeness",
        "eigenvector",
        "lin",
        "decay",
        "integration",
        "reachable",
        "eccentricity",
        "indegree",
        "outdegree",
    ] {
        assert_eq!(measures(&[measure]), [measure]);
    }
    for measure in ["salsa", "hits"] {
        assert_eq!(measures(&[measure]), ["authority", "hub"], "{measure}");
    }
    let katz = &measures(&["katz"])[0];
    assert!(
        katz.starts_with("katz (alpha 0.0") && !katz.contains("beta"),
        "{katz}"
    );
    assert_eq!(
        measures(&["pagerank", "--alpha", "0.5"]),
        ["pagerank (alpha 0.5)"]
    );
}
