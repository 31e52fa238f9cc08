//! What `--json` prints has the fields that the page of the documentation says.

use serde_json::Value;
use std::collections::BTreeMap;
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

#[test]
fn every_value_has_the_fields_that_are_documented() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| text(&folder.path().join(name)).to_owned();
    let (table, joint, edges) = (at("t.csv"), at("j.csv"), at("e.csv"));
    std::fs::write(&edges, "from,to,why\na,b,x\nb,c,y\n").unwrap();
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
    let (mut last, mut seen) = (String::new(), 0);
    for [name, kind, expected] in documented() {
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
    assert_eq!(seen, commands.len());
}
