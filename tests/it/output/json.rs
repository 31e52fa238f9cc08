//! Outputs of `--json` have the fields that the page of the documentation says.

use crate::import::wikipedia::made::{Schema, wiki, write};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use tempfile::TempDir;
use webrank_testing::cli::*;

/// The rows of the table: what prints the value, its kind, and its fields.
fn documented() -> Vec<[String; 3]> {
    let page = std::fs::read_to_string("docs/src/reference/json.md").unwrap();
    let rows = page
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains('`'));
    rows.map(|row| {
        let mut cells = row.trim_matches('|').split(" | ").map(str::trim);
        [(); 3].map(|()| cells.next().unwrap().replace('`', ""))
    })
    .collect()
}

/// The fields of an object, or of the objects in a list; none may have others.
fn fields(kind: &str, value: &Value) -> String {
    let names = |value: &Value| {
        let names: Vec<&str> = value
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        names.join(", ")
    };
    match kind {
        "object" => names(value),
        "list" => names(&value.as_array().unwrap()[0]),
        _ => panic!("{kind}"),
    }
}

/// Commands that make a graph as an importer does, and the fields that they add; returns how many.
fn check_imports(names: &str, more: &str, values: &BTreeMap<&str, Value>) -> usize {
    let of_import = fields("object", &values["rank import"]);
    let names: Vec<&str> = names.split(", ").collect();
    for name in &names {
        let own = name.strip_prefix("rank ").unwrap();
        let mut added = more.split("; ").filter_map(|part| part.strip_prefix(own));
        let added = added.next().and_then(|part| part.strip_prefix(" also "));
        let mut expected: Vec<&str> = of_import.split(", ").collect();
        expected.extend(added.iter().flat_map(|added| added.split(", ")));
        expected.sort_unstable();
        assert_eq!(
            fields("object", &values[name]),
            expected.join(", "),
            "{name}"
        );
    }
    names.len()
}

/// The words of commands that write graphs, and of plans.
fn made(folder: &Path, table: &str) -> Vec<(&'static str, Value)> {
    let at = |name: &str| text(&folder.join(name)).to_owned();
    std::fs::create_dir(folder.join("pages")).unwrap();
    let page = "<title>A page</title><a href=\"http://b.example/\">b</a>";
    std::fs::write(folder.join("pages/index.html"), page).unwrap();
    std::fs::write(folder.join("vertices.txt"), "0\torg.a\n1\torg.b\n").unwrap();
    std::fs::write(folder.join("edges.txt"), "0\t1\n").unwrap();
    std::fs::write(folder.join("hosts.csv"), "a.example,b.example\n").unwrap();
    std::fs::create_dir(folder.join("wiki")).unwrap();
    write(&wiki(), Schema::Numbers, false, &folder.join("wiki"));
    let run = |words: &str| {
        let words: Vec<String> = words
            .split(' ')
            .map(|word| match word.strip_prefix('@') {
                Some(name) => at(name),
                None => word.to_owned(),
            })
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        serde_json::from_str(&stdout(&words))
            .unwrap_or_else(|problem| panic!("{words:?}: {problem}"))
    };
    let manifest = format!("rerun {table}.json --json");
    [
        ("rank fold", "fold @hosts.csv --to domains -o @f.bv --json"),
        ("rank wikipedia", "wikipedia @wiki -o @w.bv --rank --json"),
        (
            "rank commoncrawl",
            "commoncrawl @vertices.txt @edges.txt -o @cc --json",
        ),
        (
            "rank ingest",
            "ingest @pages -o @p.bv --text --fingerprints --json",
        ),
        ("rank recode", "recode graphs/debian.bv -o @r.bv --json"),
        (
            "rank subgraph",
            "subgraph graphs/debian.bv --nodes @nodes -o @s.bv --json",
        ),
        ("rank export", "export @hosts.csv -o @e.graphml --json"),
        ("rank shard", "shard @e.bv -n 2 -o @e.shards --json"),
        ("rank rerun", &manifest[..]),
        (
            "rank crawl",
            "crawl http://127.0.0.1:1/ --contact a@b.example --time 1s -o @crawl --json",
        ),
        (
            "rank duplicates with --merge",
            "duplicates @p.bv --merge -o @m.bv --json",
        ),
        ("rank index", "index @p.bv -o @p.index --json"),
        (
            "rank plan and --plan",
            "plan --json pagerank graphs/debian.bv",
        ),
    ]
    .map(|(name, words)| (name, run(words)))
    .into()
}

#[test]
fn plans_are_json_wherever_it_is_asked_for() {
    let of = |words: &[&str]| -> Value { serde_json::from_str(&stdout(words)).unwrap() };
    let work = |plan: &Value| (plan["work"].clone(), plan["nodes"].clone());
    let expected = (json!("pagerank"), json!(63436));
    for words in [
        &["plan", "--json", "pagerank", DEBIAN][..],
        &["plan", "pagerank", "--json", DEBIAN],
        &["pagerank", DEBIAN, "--json", "--plan"],
        &["--plan", "pagerank", DEBIAN, "--json", "--memory", "4G"],
    ] {
        let plan = of(words);
        assert_eq!(work(&plan), expected, "{words:?}");
        let forms = plan["forms"].as_array().unwrap();
        let taken = |form: &&Value| form["taken"] == true;
        assert_eq!(forms.iter().filter(taken).count(), 1, "{plan}");
    }
    let plan = of(&["path", DEBIAN, "vlc", "libc6", "--json", "--plan"]);
    assert_eq!(work(&plan), (json!("path"), Value::Null));
}

#[test]
fn every_command_that_prints_has_json() {
    const WITHOUT: [&str; 3] = ["completions", "man", "plan"];
    let names = subcommands().into_iter().chain(TOOLS.iter().cloned());
    for name in names.filter(|name| name != "help" && !WITHOUT.contains(&&name[..])) {
        let help = stdout(&[&name, "--help"]);
        assert!(help.contains("--json"), "{name}");
    }
}

#[test]
fn what_goes_to_the_standard_output_is_no_place_for_json() {
    for words in [
        &["export", DEBIAN, "--to", "gml"][..],
        &["subgraph", DEBIAN, "--nodes", "x"],
        &["join", "x"],
    ] {
        let said = failure(&[words, &["-o", "-", "--json"][..]].concat(), 2);
        assert!(said.contains("name a file"), "{said}");
    }
}

#[test]
fn every_value_has_the_fields_that_are_documented() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| text(&folder.path().join(name)).to_owned();
    let (table, joint, edges) = (at("t.csv"), at("j.csv"), at("e.csv"));
    std::fs::write(&edges, "from,to,why\na,b,x\nb,c,y\n").unwrap();
    std::fs::write(at("nodes"), "libc6\nvlc\n").unwrap();
    rank(&["-q", "pagerank", DEBIAN, "-o", &table])
        .assert()
        .success();
    let commands: &[(&str, &[&str])] = &[
        ("every ranking command", &["pagerank", DEBIAN]),
        ("rank top", &["top", &table]),
        ("rank lookup", &["lookup", DEBIAN, "libc6"]),
        ("rank neighbors", &["neighbors", DEBIAN, "libc6"]),
        ("rank path", &["path", DEBIAN, "vlc", "libc6"]),
        ("rank explain", &["explain", DEBIAN, "libc6", &table]),
        ("rank verify", &["verify", &table]),
        ("rank compare", &["compare", &table, &table]),
        (
            "rank join with --output",
            &["join", &table, &table, "-o", &joint],
        ),
        ("rank import", &["import", &edges, "-o", &at("e.bv")]),
        ("rank info", &["info", DEBIAN]),
        ("rank components", &["components", DEBIAN]),
        ("rank distances", &["distances", DEBIAN]),
        ("rank check", &["check", DEBIAN]),
        ("rank measures", &["measures"]),
    ];
    let values: BTreeMap<&str, Value> = commands
        .iter()
        .map(|(name, arguments)| {
            let printed = stdout(&[arguments, &["--json"][..]].concat());
            (*name, serde_json::from_str(&printed).unwrap())
        })
        .collect();
    let made = made(folder.path(), &table);
    let values = BTreeMap::from_iter(values.into_iter().chain(made));
    let (mut last, mut seen) = (String::new(), 0);
    for [name, kind, expected] in documented() {
        if let Some(more) = expected.strip_prefix("those of rank import; ") {
            seen += check_imports(&name, more, &values);
            continue;
        }
        let value = match name.strip_prefix("... its ") {
            Some(field) => &values[&last[..]][field],
            None => {
                seen += 1;
                last.clone_from(&name);
                &values[&name[..]]
            }
        };
        assert_eq!(fields(&kind, value), expected, "{name}");
    }
    assert_eq!(seen, values.len());
}
