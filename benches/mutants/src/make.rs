//! The copy with all mutants that compile.

use crate::schemata::{self, File};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, iter};

/// Crates whose tests are run, though they have no mutants: they depend on those that have.
const DEPENDENTS: [&str; 2] = ["lengths", "verify"];

pub fn make(copy: &Path, crates: &[&str]) {
    let original = copy.join("original");
    fs::create_dir_all(&original).expect("the copy is a folder");
    let copied = Command::new("sh")
        .args(["-c", "git archive HEAD | tar x -C \"$0\""])
        .arg(&original)
        .status();
    assert!(
        copied.is_ok_and(|status| status.success()),
        "the repository cannot be copied"
    );
    copy_files(copy, Path::new(""), crates);
    let mut files = BTreeMap::new();
    let mut next = 1;
    for name in crates {
        let (first, source) = (next, PathBuf::from("crates").join(name).join("src"));
        for path in sources(&original, &source) {
            let file = File::new(
                fs::read_to_string(original.join(&path)).expect("sources are texts"),
                next,
            )
            .expect("sources are Rust");
            next += file.mutants.len() as u32;
            files.insert(path, file);
        }
        write_new(
            &copy.join(&source).join("mutants.rs"),
            &schemata::switch(first, (next - first) as usize),
        );
    }
    // Begins with the number of all: if that is the same, only tests have changed.
    let known = fs::read_to_string(copy.join("dropped")).unwrap_or_default();
    let mut known: Vec<u32> = known.lines().filter_map(|id| id.parse().ok()).collect();
    if known.first() != Some(&(next - 1)) {
        known.clear();
    }
    let mut dropped: BTreeSet<u32> = known.into_iter().skip(1).collect();
    loop {
        let ranges = write(copy, &files, &dropped);
        let messages = build(copy);
        let before = dropped.clone();
        let mut errors = 0;
        for message in messages
            .iter()
            .filter(|message| message["message"]["level"] == "error")
        {
            let spans = message["message"]["spans"].as_array().into_iter().flatten();
            for span in spans.filter(|span| span["is_primary"] == true) {
                errors += 1;
                dropped.extend(blamed(&ranges, span, &before));
            }
        }
        let list: Vec<String> = iter::once(&(next - 1))
            .chain(&dropped)
            .map(u32::to_string)
            .collect();
        fs::write(copy.join("dropped"), list.join("\n")).expect("the copy is writable");
        println!(
            "{errors} errors, {} of {} mutants dropped",
            dropped.len(),
            next - 1
        );
        if errors == 0 {
            programs(copy, &messages);
            break;
        }
        if before == dropped {
            let texts = messages
                .iter()
                .filter_map(|message| message["message"]["rendered"].as_str());
            panic!("no mutant is to blame:\n{}", texts.collect::<String>());
        }
    }
    let mut list = String::new();
    for (path, file) in &files {
        for mutant in file
            .mutants
            .iter()
            .filter(|mutant| !dropped.contains(&mutant.id))
        {
            let _ = writeln!(
                list,
                "{}\t{}\t{}\t{}",
                mutant.id,
                path.display(),
                mutant.line,
                mutant.change
            );
        }
    }
    fs::write(copy.join("mutants.tsv"), list).expect("the copy is written");
}

/// Copies what is new, without the sources that get mutants and the tests that mutants cannot touch.
fn copy_files(copy: &Path, folder: &Path, crates: &[&str]) {
    let words: Vec<&str> = folder.iter().filter_map(|word| word.to_str()).collect();
    let others = |name: &str| !crates.contains(&name) && !DEPENDENTS.contains(&name);
    if matches!(words[..], ["crates", name, "tests"] if others(name)) {
        return;
    }
    let is_mutated = matches!(words[..], ["crates", name, "src", ..] if crates.contains(&name));
    fs::create_dir_all(copy.join(folder)).expect("the copy is writable");
    let is_other = matches!(words[..], ["crates", name] if others(name));
    for entry in fs::read_dir(copy.join("original").join(folder))
        .expect("folders are read")
        .flatten()
    {
        let (path, file) = (entry.path(), folder.join(entry.file_name()));
        if path.is_dir() {
            copy_files(copy, &file, crates);
            continue;
        }
        if is_mutated && is_source(&file) {
            continue;
        }
        let mut text = fs::read(&path).expect("files are read");
        if is_other && file.ends_with("Cargo.toml") {
            let manifest = String::from_utf8(text).expect("manifests are texts");
            text = match manifest.contains("[lib]\n") {
                true => manifest.replace("[lib]\n", "[lib]\ntest = false\n"),
                false => manifest + "\n[lib]\ntest = false\n",
            }
            .into();
        }
        // A file that is the same is not compiled again.
        if fs::read(copy.join(&file)).ok().as_ref() != Some(&text) {
            fs::copy(&path, copy.join(&file)).expect("the copy is writable");
            fs::write(copy.join(&file), text).expect("the copy is writable");
        }
    }
}

/// Source files below a folder, in order, without those of tests.
fn sources(copy: &Path, folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<_> = fs::read_dir(copy.join(folder))
        .expect("crates have sources")
        .flatten()
        .collect();
    entries.sort_by_key(|entry| entry.file_name());
    let below = |entry: &fs::DirEntry| {
        let path = folder.join(entry.file_name());
        if entry.path().is_dir() {
            sources(copy, &path)
        } else {
            vec![path]
        }
    };
    let paths = entries.iter().flat_map(below);
    paths.filter(|path| is_source(path)).collect()
}

/// Whether a file gets mutants: it is Rust, and no file of tests.
fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "rs") && !path.ends_with("tests.rs")
}

type Ranges = BTreeMap<PathBuf, Vec<(u32, usize, usize)>>;

fn write(copy: &Path, files: &BTreeMap<PathBuf, File>, dropped: &BTreeSet<u32>) -> Ranges {
    let one = |(path, file): (&PathBuf, &File)| {
        let (mut text, ranges) = file.text(|id| !dropped.contains(&id));
        if path.ends_with("src/lib.rs") {
            text.push_str("\nmod mutants;\n");
        }
        write_new(&copy.join(path), &text);
        (path.clone(), ranges)
    };
    files.iter().map(one).collect()
}

fn write_new(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().expect("files are in folders")).expect("the copy is writable");
    if !fs::read_to_string(path).is_ok_and(|before| before == text) {
        fs::write(path, text).expect("the copy is writable");
    }
}

fn build(copy: &Path) -> Vec<Value> {
    let mut cargo = Command::new("cargo");
    cargo
        .args([
            "build",
            "--workspace",
            "--locked",
            "--tests",
            "--keep-going",
            "--message-format=json",
        ])
        .current_dir(copy);
    let output = cargo.stderr(Stdio::inherit()).output().expect("cargo runs");
    output
        .stdout
        .split(|&byte| byte == b'\n')
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect()
}

/// The innermost mutant around an error; if there is none, those within it; then those near it, before all.
fn blamed(ranges: &Ranges, span: &Value, dropped: &BTreeSet<u32>) -> Vec<u32> {
    let number = |key: &str| span[key].as_u64().unwrap_or(0) as usize;
    let (begin, end) = (number("byte_start"), number("byte_end"));
    let Some(mutants) = ranges.get(Path::new(span["file_name"].as_str().unwrap_or_default()))
    else {
        return Vec::new();
    };
    let around = mutants
        .iter()
        .filter(|range| range.1 <= begin && end <= range.2)
        .min_by_key(|range| range.2 - range.1);
    let among = |from: usize, to: usize| {
        mutants
            .iter()
            .filter(|range| from <= range.1 && range.2 <= to)
            .map(|range| range.0)
            .collect()
    };
    let nearer = [300, 1000, 4000].map(|bytes| among(begin.saturating_sub(bytes), end + bytes / 4));
    let choices = [
        around
            .into_iter()
            .map(|range| range.0)
            .collect::<Vec<u32>>(),
        among(begin, end),
    ]
    .into_iter()
    .chain(nearer);
    choices
        .into_iter()
        .find(|choice| choice.iter().any(|id| !dropped.contains(id)))
        .unwrap_or_default()
}

/// Lists programs of tests: the crate, where it runs, the program.
fn programs(copy: &Path, messages: &[Value]) {
    let mut list = String::new();
    for message in messages
        .iter()
        .filter(|message| message["profile"]["test"] == true)
    {
        let (Some(program), Some(manifest)) = (
            message["executable"].as_str(),
            message["manifest_path"].as_str(),
        ) else {
            continue;
        };
        let folder = Path::new(manifest)
            .parent()
            .expect("manifests are in folders");
        let name = folder
            .strip_prefix(fs::canonicalize(copy).expect("the copy is there"))
            .unwrap_or(folder);
        let name = iter::once("rank")
            .chain(name.iter().filter_map(|part| part.to_str()))
            .last()
            .expect("one at least");
        let _ = writeln!(list, "{name}\t{}\t{program}", folder.display());
    }
    fs::write(copy.join("programs.tsv"), list).expect("the copy is written");
}
