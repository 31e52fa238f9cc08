//! The crate compiles on every system: what only some have stands behind a `cfg`.

use std::path::Path;

/// Calls `visit` with every file of Rust below a folder, and its text.
pub fn for_sources(folder: &Path, visit: &mut impl FnMut(&Path, &str)) {
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            for_sources(&path, visit);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            visit(&path, &std::fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn what_only_some_systems_have_stands_behind_a_cfg() {
    let mut found = 0;
    let mut check = |path: &Path, text: &str| {
        let mut before = "";
        for (number, line) in text.lines().enumerate() {
            if line.contains("std::os::") {
                found += 1;
                assert!(
                    before.trim_start().starts_with("#[cfg("),
                    "{}:{}: no cfg in the line before: {line}",
                    path.display(),
                    number + 1
                );
            }
            before = line;
        }
    };
    for_sources("src".as_ref(), &mut check);
    for entry in Path::new("crates").read_dir().unwrap() {
        for_sources(&entry.unwrap().path().join("src"), &mut check);
    }
    assert!(found > 0, "the search finds what it is for");
}
