//! `rank wikipedia`, compared with a slow and obvious computation on made-up wikis.

pub mod made;

use made::{Arcs, Schema, dump, expected, wiki, write, write_gz, write_large};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::Path;
use tempfile::TempDir;
use webrank::Graph;
use webrank_base::progress::Silent;
use webrank_testing::cli::*;

/// The names and arcs of a bundle, and the counts in its manifest.
fn read(bundle: &Path) -> (BTreeSet<String>, Arcs, BTreeMap<String, u64>) {
    let graph = Graph::open(bundle).unwrap();
    let rows = graph.take_successors(&Silent).unwrap();
    let name = |node| graph.name(node).to_string();
    let nodes: Vec<u32> = (0..graph.num_nodes() as u32).collect();
    let arcs = nodes.iter().flat_map(|&node| {
        let targets = rows.row(node).iter();
        targets.map(move |&target| (name(node), name(target)))
    });
    let arcs = arcs.collect();
    let manifest = fs::read_to_string(bundle.join("manifest.json")).unwrap();
    let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
    let counts = manifest["made_from"]["counts"].clone();
    let counts = serde_json::from_value(counts).unwrap();
    (nodes.iter().map(|&node| name(node)).collect(), arcs, counts)
}

#[test]
fn the_graph_is_that_of_a_slow_computation() {
    let wiki = wiki();
    for (schema, reversed) in [
        (Schema::Titles, false),
        (Schema::Both, false),
        (Schema::Numbers, false),
        (Schema::Titles, true),
        (Schema::Numbers, true),
    ] {
        let folder = TempDir::new().unwrap();
        write(&wiki, schema, reversed, folder.path());
        for namespaces in [&[0][..], &[14], &[0, 14, 1, 100]] {
            let bundle = folder.path().join("wiki.bv");
            let mut run = vec![
                "wikipedia",
                text(folder.path()),
                "-o",
                text(&bundle),
                "--force",
            ];
            let numbers: Vec<String> = namespaces.iter().map(|it: &i64| it.to_string()).collect();
            numbers
                .iter()
                .for_each(|it| run.extend(["--namespace", it]));
            let said = stdout(&run);
            let (nodes, arcs, counts) = expected(&wiki, namespaces);
            let (found_nodes, found_arcs, found) = read(&bundle);
            assert_eq!((found_nodes, found_arcs), (nodes, arcs));
            for (what, count) in &counts {
                assert_eq!(found.get(what), Some(count), "{what}");
            }
            let sum: u64 = found
                .iter()
                .filter(|it| it.0.starts_with("links_"))
                .map(|it| it.1)
                .sum();
            assert_eq!(sum - found["links_by_redirects"], found["links"]);
            let used = format!(
                "links: {} of {} are used",
                counts["links_used"], counts["links"]
            );
            assert!(said.contains(&used), "{said}");
        }
    }
}

#[test]
fn nodes_may_have_the_numbers_of_wikidata() {
    let folder = TempDir::new().unwrap();
    write(&wiki(), Schema::Numbers, false, folder.path());
    let bundle = folder.path().join("wiki.bv");
    let said = stdout(&[
        "wikipedia",
        text(folder.path()),
        "-o",
        text(&bundle),
        "--names",
        "qid",
    ]);
    let (nodes, ..) = read(&bundle);
    // The second page of Q1 and the one without a number have their titles.
    let expected = [":Alone", ":Été ,(1), 'a'", "Q1", "Q7386", "Q7391"];
    assert_eq!(nodes, expected.map(str::to_owned).into());
    assert!(
        said.contains("names: 1 nodes have no number of Wikidata; 1 have that of another"),
        "{said}"
    );
    // Without the table, there are none.
    let props = folder.path().join("testwiki-20240501-page_props.sql.gz");
    let aside = folder.path().join("aside.gz");
    fs::rename(&props, &aside).unwrap();
    let run = [
        "wikipedia",
        text(folder.path()),
        "-o",
        text(&bundle),
        "--force",
        "--names",
        "qid",
    ];
    let problem = failure(&run, 2);
    assert!(problem.contains("give it (--page-props)"), "{problem}");
    stdout(&[&run[..], &["--page-props", text(&aside)]].concat());
}

/// Files named one by one, or in a folder; compressed or not; in little memory: the graph is the same.
#[test]
fn bundles_are_the_same_however_tables_are_given() {
    let folder = TempDir::new().unwrap();
    let tables = folder.path().join("tables");
    fs::create_dir(&tables).unwrap();
    write(&wiki(), Schema::Numbers, false, &tables);
    let first = folder.path().join("first.bv");
    stdout(&["wikipedia", text(&tables), "-o", text(&first)]);
    let plain = folder.path().join("plain");
    fs::create_dir(&plain).unwrap();
    let mut given = Vec::new();
    for name in files(&tables) {
        let mut content = Vec::new();
        let file = File::open(tables.join(&name)).unwrap();
        std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(file), &mut content).unwrap();
        // A name says nothing.
        let path = plain.join(name.replace(".sql.gz", ".txt"));
        fs::write(&path, content).unwrap();
        given.push(text(&path).to_owned());
    }
    let second = folder.path().join("second.bv");
    let mut run = vec!["wikipedia", "-o", text(&second)];
    run.extend(given.iter().map(String::as_str));
    stdout(&run);
    for name in files(&first) {
        if name != "manifest.json" {
            let [one, other] =
                [&first, &second].map(|bundle| fs::read(bundle.join(&name)).unwrap());
            assert!(one == other, "{name}");
        }
    }
    assert!(stdout(&["check", text(&second)]).contains("ok: "));
}

#[test]
#[cfg(target_os = "linux")]
fn bundles_are_the_same_in_little_memory() {
    let folder = TempDir::new().unwrap();
    let tables = folder.path().join("tables");
    fs::create_dir(&tables).unwrap();
    write_large(&tables);
    let bundles = ["a.bv", "b.bv"].map(|name| folder.path().join(name));
    stdout(&["wikipedia", text(&tables), "-o", text(&bundles[0])]);
    let run = [
        "wikipedia",
        text(&tables),
        "-o",
        text(&bundles[1]),
        "--memory",
    ];
    let problem = failure(&[&run[..], &["1M"]].concat(), 1);
    let (_, needed) = problem.split_once("needs up to ").unwrap();
    let (needed, _) = needed.split_once(" MB").unwrap();
    // Other memory may grow a little meanwhile.
    let memory = format!("{}M", needed.parse::<f64>().unwrap().ceil() + 4.0);
    let said = stdout(&[&run[..], &[&memory]].concat());
    assert!(said.contains("links: "), "{said}");
    assert_eq!(files(folder.path()), ["a.bv", "b.bv", "tables"]);
    for name in files(&bundles[0]) {
        let [one, other] = [0, 1].map(|it| fs::read(bundles[it].join(&name)).unwrap());
        assert!(one == other, "{name}");
    }
}

#[test]
fn tables_that_do_not_belong_together_are_refused() {
    let folder = TempDir::new().unwrap();
    write(&wiki(), Schema::Numbers, false, folder.path());
    let bundle = folder.path().join("wiki.bv");
    let path = |table: &str| {
        folder
            .path()
            .join(format!("testwiki-20240501-{table}.sql.gz"))
    };
    let refused = |given: &[&Path], words: &str| {
        let mut run = vec!["wikipedia", "-o", text(&bundle)];
        run.extend(given.iter().map(|path| text(path)));
        let problem = failure(&run, 1);
        assert!(problem.contains(words), "{problem}");
        assert_eq!(problem.lines().count(), 1, "{problem}");
        assert!(!bundle.exists());
    };
    let [page, links, redirect, target] = ["page", "pagelinks", "redirect", "linktarget"].map(path);
    refused(
        &[&page, &links, &target],
        "redirect is missing: give redirect.sql.gz, too",
    );
    refused(
        &[&page, &links, &redirect],
        "(pl_target_id): give the table of link targets",
    );
    let again = folder.path().join("again.gz");
    fs::copy(&page, &again).unwrap();
    refused(
        &[&page, &links, &redirect, &target, &again],
        "holds the table page, as ",
    );
    let other = folder.path().join("otherwiki-20240501-page.sql.gz");
    fs::copy(&page, &other).unwrap();
    refused(
        &[&other, &links, &redirect, &target],
        "is of testwiki-20240501, but ",
    );
    fs::remove_file(&other).unwrap();
    let categories = folder.path().join("categorylinks.sql.gz");
    write_gz(
        &categories,
        &dump("categorylinks", &["cl_from"], &[vec!["1".into()]]),
    );
    refused(
        &[&page, &links, &redirect, &target, &categories],
        "holds the table categorylinks",
    );
    // In a folder, it is left alone.
    stdout(&["wikipedia", text(folder.path()), "-o", text(&bundle)]);
    fs::remove_dir_all(&bundle).unwrap();
    refused(&[Path::new("Cargo.toml")], "Cargo.toml: ");
    refused(&[Path::new("graphs")], "the folder has no dumps of tables");
    let none = [
        "wikipedia",
        text(folder.path()),
        "-o",
        text(&bundle),
        "--namespace",
        "6",
    ];
    let problem = failure(&none, 2);
    assert!(
        problem.contains("namespace is 6: the table has no page of it"),
        "{problem}"
    );
}

#[test]
fn commands_that_take_a_graph_say_what_to_do_with_a_dump() {
    let folder = TempDir::new().unwrap();
    write(&wiki(), Schema::Numbers, false, folder.path());
    for name in files(folder.path()) {
        let problem = failure(&["indegree", text(&folder.path().join(name))], 1);
        assert!(
            problem.contains("'rank wikipedia' makes a graph"),
            "{problem}"
        );
    }
}

#[test]
fn dumps_that_are_cut_off_or_damaged_are_refused_with_their_place() {
    let folder = TempDir::new().unwrap();
    write(&wiki(), Schema::Titles, false, folder.path());
    let bundle = folder.path().join("wiki.bv");
    let path = folder.path().join("testwiki-20240501-pagelinks.sql.gz");
    let run = ["wikipedia", text(folder.path()), "-o", text(&bundle)];
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 20]).unwrap();
    let problem = failure(&run, 1);
    assert!(
        problem.contains("is cut off: its compressed data end too soon"),
        "{problem}"
    );
    let columns = ["pl_from", "pl_namespace", "pl_title"];
    let row = |from: &str| vec![from.to_owned(), "0".to_owned(), "'Ant'".to_owned()];
    let good = dump("pagelinks", &columns, &[row("10"), row("11")]);
    let ends = [good.find("11").unwrap(), good.find("\n-- Dump").unwrap()];
    for end in ends {
        write_gz(&path, &good[..end]);
        let problem = failure(&run, 1);
        assert!(problem.contains("is cut off behind row"), "{problem}");
    }
    for (rows, words) in [
        (
            vec![row("10"), row("x")],
            "row 2: the column pl_from holds no whole number",
        ),
        (
            vec![row("10"), vec!["1".into()]],
            "row 2: 1 values for 3 columns",
        ),
        (
            vec![row("-1")],
            "row 1: the column pl_from holds no number from 0",
        ),
    ] {
        write_gz(&path, &dump("pagelinks", &columns, &rows));
        let problem = failure(&run, 1);
        assert!(problem.contains(words), "{problem}");
        assert!(!bundle.exists());
    }
}

#[test]
fn titles_that_are_no_names_are_refused_with_their_row() {
    let folder = TempDir::new().unwrap();
    write(&wiki(), Schema::Titles, false, folder.path());
    let bundle = folder.path().join("wiki.bv");
    let path = folder.path().join("testwiki-20240501-page.sql.gz");
    let pages = flate2::read::GzDecoder::new(File::open(&path).unwrap());
    let pages = std::io::read_to_string(pages).unwrap();
    assert!(pages.contains("'Ant'"));
    for escape in ["\\0", "\\n"] {
        write_gz(
            &path,
            &pages.replacen("'Ant'", &format!("'A{escape}nt'"), 1),
        );
        let problem = failure(&["wikipedia", text(folder.path()), "-o", text(&bundle)], 1);
        let is_told = ["page.sql.gz", "row ", "is no title of a page"]
            .iter()
            .all(|it| problem.contains(it));
        assert!(is_told && problem.lines().count() == 1, "{problem}");
        assert!(!bundle.exists());
    }
}

#[test]
fn a_plan_needs_no_rows_and_writes_nothing() {
    let folder = TempDir::new().unwrap();
    write(&wiki(), Schema::Numbers, false, folder.path());
    let before = files(folder.path());
    let plan = ["plan", "wikipedia", text(folder.path()), "-o", "wiki.bv"];
    assert!(stdout(&plan).starts_with("wikipedia: "));
    let problem = failure(&[&plan[1..], &["--memory", "3M"]].concat(), 1);
    assert!(problem.contains("wikipedia needs up to"), "{problem}");
    assert_eq!(files(folder.path()), before);
}

#[test]
fn nodes_may_be_ranked_too() {
    let folder = TempDir::new().unwrap();
    write(&wiki(), Schema::Numbers, false, folder.path());
    let bundle = folder.path().join("wiki.bv");
    stdout(&[
        "wikipedia",
        text(folder.path()),
        "-o",
        text(&bundle),
        "--rank",
        "-q",
    ]);
    let table = folder.path().join("wiki-ranks.parquet");
    let verified = stdout(&["verify", text(&table)]);
    assert!(
        verified.contains("pagerank") && verified.contains("harmonic"),
        "{verified}"
    );
    let file = File::open(folder.path().join("wiki-ranks.txt.gz")).unwrap();
    let ranks = std::io::read_to_string(flate2::read::GzDecoder::new(file)).unwrap();
    let header = "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#title";
    assert_eq!(ranks.lines().next(), Some(header));
    assert_eq!(ranks.lines().count(), 6);
}
