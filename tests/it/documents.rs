//! Documents agree: what they repeat is the same everywhere, and links lead to what is there.

use std::collections::BTreeSet;
use std::fs::read_to_string;
use std::path::{Component, Path, PathBuf};

/// The Markdown files below a folder, in order.
pub fn pages_of(folder: &Path) -> Vec<PathBuf> {
    let mut pages = Vec::new();
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages.extend(pages_of(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    pages.sort();
    pages
}

/// The documents whose links are checked.
fn documents() -> Vec<PathBuf> {
    let top = [
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "SECURITY.md",
        "graphs/README.md",
        "notebooks/README.md",
        "python/NETWORKX.md",
        "python/README.md",
        "tests/README.md",
    ];
    let crates = Path::new("crates").read_dir().unwrap();
    let crates = crates.map(|folder| folder.unwrap().path().join("README.md"));
    let top = top.into_iter().map(PathBuf::from);
    let book = pages_of("docs/src".as_ref());
    top.chain(crates).chain(book).collect()
}

/// A document without blocks of code and without what stands between backticks.
fn prose(text: &str) -> String {
    let mut is_code = false;
    let mut prose = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            let words = line.split('`').step_by(2);
            prose += &words.collect::<Vec<_>>().join("`");
            prose.push('\n');
        }
    }
    prose
}

/// The targets of the links and pictures of a document.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let inline = prose.split("](").skip(1);
    let inline = inline.filter_map(|rest| Some(rest.split_once(')')?.0.to_owned()));
    let definitions = prose.lines().filter_map(|line| {
        let (_, target) = line.strip_prefix('[')?.split_once("]: ")?;
        Some(target.to_owned())
    });
    inline.chain(definitions).collect()
}

/// The anchors of the headings of a document, as GitHub and mdBook name them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut is_code = false;
    let mut anchors = BTreeSet::new();
    for line in text.lines() {
        is_code ^= line.starts_with("```");
        let title = line.trim_start_matches('#');
        if is_code || title.len() == line.len() || !title.starts_with(' ') {
            continue;
        }
        let kept = title.trim().to_lowercase();
        let kept = kept.chars().filter_map(|c| match c {
            ' ' => Some('-'),
            _ if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
            _ => None,
        });
        let name: String = kept.collect();
        let names = (1..).map(|count| format!("{name}-{count}"));
        let mut names = std::iter::once(name.clone()).chain(names);
        let free = names.find(|name| !anchors.contains(name));
        anchors.insert(free.unwrap());
    }
    anchors
}

/// The path that a link leads to, from a folder.
fn joined(folder: &Path, target: &str) -> PathBuf {
    let mut path = folder.to_owned();
    for part in Path::new(target).components() {
        match part {
            Component::ParentDir => assert!(path.pop(), "{target} leads out of the project"),
            Component::CurDir => {}
            part => path.push(part),
        }
    }
    path
}

/// The problem with a link of a document, if there is one.
fn problem(document: &Path, link: &str) -> Option<String> {
    let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
    let path = match target {
        "" => document.to_owned(),
        _ => joined(document.parent().unwrap(), target),
    };
    if !path.exists() {
        return Some(format!("{path:?} is not there"));
    }
    if document.starts_with("docs/src") && !path.starts_with("docs/src") {
        return Some(format!("{path:?} is no page of the book"));
    }
    if !anchor.is_empty() && !anchors(&read_to_string(&path).unwrap()).contains(anchor) {
        return Some(format!("{path:?} has no heading #{anchor}"));
    }
    None
}

#[test]
fn links_lead_to_what_is_there() {
    let (mut wrong, mut count) = (Vec::new(), 0);
    for document in documents() {
        for link in links(&read_to_string(&document).unwrap()) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            count += 1;
            let problem = problem(&document, &link);
            wrong.extend(problem.map(|problem| format!("{document:?}: {link}: {problem}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 200, "{count} links");
}

#[test]
fn anchors_are_those_of_headings() {
    let text = "# A `b` c\n```\n# no\n```\n## How sure?\n## How sure?\n#no\n";
    let expected = ["a-b-c", "how-sure", "how-sure-1"].map(str::to_owned);
    assert_eq!(anchors(text), BTreeSet::from(expected));
    assert_eq!(
        links("[a](b) `[c](d)` ![e](f#g)\n[h]: i\n"),
        ["b", "f#g", "i"]
    );
}

#[test]
fn every_page_is_in_the_summary_once() {
    let book = Path::new("docs/src");
    let summary = book.join("SUMMARY.md");
    let listed = links(&read_to_string(&summary).unwrap());
    let mut listed: Vec<PathBuf> = listed.iter().map(|link| book.join(link)).collect();
    listed.sort();
    let mut pages = pages_of(book);
    pages.retain(|page| *page != summary);
    assert_eq!(listed, pages);
}

/// The lines of a program between two that start like these, without indentation and comments.
fn program(lines: &str, prefix: &str) -> Vec<String> {
    let lines = lines.lines().filter_map(|line| line.strip_prefix(prefix));
    let lines = lines.map(|line| line.split(" // ").next().unwrap().trim().to_owned());
    let lines = lines.skip_while(|line| !line.starts_with("let graph"));
    lines
        .take_while(|line| !["Ok(())", "# Ok::<(), webrank::Error>(())"].contains(&&**line))
        .collect()
}

#[test]
fn the_program_in_the_readme_is_the_one_that_is_compiled() {
    let readme = read_to_string("README.md").unwrap();
    let (_, readme) = readme.split_once("```rust\n").unwrap();
    let library = read_to_string("src/lib.rs").unwrap();
    let (ours, compiled) = (program(readme, ""), program(&library, "//!"));
    assert_eq!(ours.len(), 5, "{ours:?}");
    assert_eq!(ours, compiled);
    let imports = "use webrank::{Graph, Measure, PageRank};";
    assert!(readme.contains(imports) && library.contains(imports));
}

#[test]
fn the_version_of_rust_is_the_same_everywhere() {
    let cargo = read_to_string("Cargo.toml").unwrap();
    let (_, version) = cargo.split_once("rust-version = \"").unwrap();
    let version = version.split('"').next().unwrap();
    for file in ["README.md", "CONTRIBUTING.md"] {
        let text = read_to_string(file).unwrap();
        assert!(text.contains(&format!("{version} or later")), "{file}");
    }
}

#[test]
fn the_version_is_the_same_in_the_python_package() {
    let cargo = read_to_string("python/Cargo.toml").unwrap();
    let version = env!("CARGO_PKG_VERSION");
    assert!(cargo.contains(&format!("\nversion = \"{version}\"")));
    assert!(cargo.contains(&format!("path = \"..\", version = \"{version}\"")));
}

/// The tests below a folder: their paths as names, without `mod` and `main`, and their text.
fn tests_below(folder: &Path, prefix: &[&str], found: &mut Vec<(Vec<String>, String)>) {
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let mut name = prefix.to_vec();
        if !["mod", "main", "lib"].contains(&stem) {
            name.push(stem);
        }
        if path.is_dir() {
            tests_below(&path, &name, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = name.into_iter().map(str::to_owned).collect();
            found.push((name, read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn every_test_that_is_named_is_there() {
    let mut files = Vec::new();
    tests_below("tests/it".as_ref(), &[], &mut files);
    for folder in Path::new("crates").read_dir().unwrap() {
        let folder = folder.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap();
        for kind in ["src", "tests/it"] {
            let folder = folder.join(kind);
            if folder.is_dir() {
                tests_below(&folder, &[name], &mut files);
            }
        }
    }
    let is_there = |name: &str| {
        let parts: Vec<&str> = name.split("::").collect();
        files.iter().any(|(file, text)| {
            (0..=2).any(|inside| {
                let (outside, inside) = parts.split_at(parts.len() - inside.min(parts.len() - 1));
                let ends = file.len() >= outside.len()
                    && file[file.len() - outside.len()..].iter().eq(outside);
                let holds = |part: &&str| {
                    text.contains(&format!("fn {part}("))
                        || text.contains(&format!("mod {part} {{"))
                };
                ends && inside.iter().all(holds)
            })
        })
    };
    let text = read_to_string("tests/README.md").unwrap();
    let code = text.split('`').skip(1).step_by(2);
    let is_name = |code: &&str| {
        let is_path = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_:".contains(c);
        code.contains("::") && code.chars().all(is_path)
    };
    let names: Vec<&str> = code.filter(is_name).collect();
    let wrong: Vec<&&str> = names.iter().filter(|name| !is_there(name)).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(names.len() > 300, "{} names", names.len());
}
