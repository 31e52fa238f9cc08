//! The crates that are built have licences that `deny.toml` allows, and come once, from the registry.
//!
//! `cargo deny` says the same and more, of every platform and with advisories, but takes the network
//! and minutes to build.

use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;

fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

/// All packages that are built for this machine.
fn packages() -> Vec<Value> {
    let version = output("rustc", &["-vV"]);
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let metadata = output(
        env!("CARGO"),
        &[
            "metadata",
            "--offline",
            "--locked",
            "--format-version=1",
            "--filter-platform",
            host.unwrap(),
        ],
    );
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let built: Vec<&Value> = nodes.iter().map(|node| &node["id"]).collect();
    let packages = metadata["packages"].as_array().unwrap().iter();
    let packages = packages.filter(|package| built.contains(&&package["id"]));
    packages.cloned().collect()
}

/// The texts in quotation marks of the list that starts with this line of `deny.toml`.
fn list(start: &str) -> Vec<String> {
    let text = std::fs::read_to_string("deny.toml").unwrap();
    let lines = text.lines().skip_while(|line| *line != start).skip(1);
    let entries = lines.take_while(|line| *line != "]");
    let first = |line: &str| line.split('"').nth(1).map(str::to_owned);
    entries.filter_map(first).collect()
}

/// Whether an expression such as `(MIT OR Apache-2.0) AND Unicode-3.0` is met by allowed licences.
fn is_met(expression: &str, is_allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut parts: Vec<String> = Vec::new();
    let (mut depth, mut word) = (0, String::new());
    // Words at the top, with what is in parentheses as one word.
    for c in expression.replace('/', " OR ").chars().chain([' ']) {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if c == ' ' && depth == 0 {
            parts.extend((!word.is_empty()).then(|| std::mem::take(&mut word)));
        } else {
            word.push(c);
        }
    }
    let any = parts.split(|part| part == "OR");
    let mut any = any.map(|all| {
        let mut all = all.split(|part| part == "AND");
        all.all(|words| match words {
            [group] if group.starts_with('(') => is_met(&group[1..group.len() - 1], is_allowed),
            words => is_allowed(&words.join(" ")),
        })
    });
    any.any(|met| met)
}

#[test]
fn every_crate_has_a_licence_that_is_allowed_and_comes_from_the_registry() {
    let allowed = list("allow = [");
    assert!(allowed.len() > 5, "{allowed:?}");
    let is_allowed = |licence: &str| allowed.iter().any(|it| it == licence);
    let registry = "registry+https://github.com/rust-lang/crates.io-index";
    let packages = packages();
    assert!(packages.len() > 100);
    for package in &packages {
        let name = &package["name"];
        let licence = package["license"].as_str().unwrap_or("none");
        assert!(is_met(licence, &is_allowed), "{name} has {licence}");
        let source = package["source"].as_str();
        assert!(source.is_none_or(|it| it == registry), "{name}: {source:?}");
    }
}

#[test]
fn crates_that_come_in_several_versions_have_a_reason() {
    let skipped = list("skip = [");
    assert!(!skipped.is_empty());
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages() {
        let [name, version] = ["name", "version"].map(|field| package[field].as_str().unwrap());
        // 0.10.9 is 0.10, and 7.2.4 is 7.
        let mut numbers = version.split('.');
        let major = numbers.next().unwrap();
        let line = match major {
            "0" => format!("{name}@0.{}", numbers.next().unwrap()),
            _ => format!("{name}@{major}"),
        };
        if !skipped.contains(&line) {
            versions.entry(name.to_owned()).or_default().push(line);
        }
    }
    versions.retain(|_, lines| lines.len() > 1);
    assert!(versions.is_empty(), "{versions:?}");
}

#[test]
fn expressions_of_licences_are_understood() {
    let is_allowed = |licence: &str| ["MIT", "Apache-2.0 WITH LLVM-exception"].contains(&licence);
    for (expression, expected) in [
        ("MIT", true),
        ("MIT OR GPL-3.0", true),
        ("GPL-3.0/MIT", true),
        ("MIT AND GPL-3.0", false),
        ("(GPL-3.0 OR MIT) AND Apache-2.0 WITH LLVM-exception", true),
        ("(MIT OR Zlib) AND (GPL-3.0 OR BSL-1.0)", false),
        ("Apache-2.0", false),
    ] {
        assert_eq!(is_met(expression, &is_allowed), expected, "{expression}");
    }
}
