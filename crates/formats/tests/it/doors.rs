//! Every file that is at hand is read as what it is, or refused in one line.

use std::path::{Path, PathBuf};
use webrank_base::progress::Silent;
use webrank_formats::import::{ImportFiles, ImportOptions, read};
use webrank_testing::fuzz::written;
use webrank_testing::mutants::{Random, mutant};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The number of arcs in a file, or why it is refused.
fn arcs(file: &Path) -> Result<u64, String> {
    let sources = ImportFiles::new(&[file.to_owned()]).unwrap();
    match read(&sources, &ImportOptions::default(), &Silent) {
        Ok((_, report)) => Ok(report.arcs),
        Err(problem) => Err(problem.to_string()),
    }
}

/// The files in a folder and in those below it.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true if path.extension().is_some_and(|it| it == "bv") => {}
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

fn below(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    files(&Path::new(ROOT).join(folder), &mut found);
    found.sort();
    assert!(!found.is_empty());
    found
}

/// Checks that a problem is a line that names the file.
fn check_line(file: &Path, problem: &str) {
    let name = file.file_name().unwrap().to_string_lossy();
    assert!(!problem.contains('\n'), "{problem}");
    assert!(problem.contains(&*name), "{name}: {problem}");
}

#[test]
fn fixtures_and_corpora_are_read_or_refused_in_one_line() {
    for folder in ["tests/fixtures", "fuzz/corpus"] {
        for file in below(folder) {
            if let Err(problem) = arcs(&file) {
                check_line(&file, &problem);
            }
        }
    }
    for file in below("tests/fixtures/import") {
        if let Err(problem) = arcs(&file) {
            // Numbers of nodes need no names, and a build may lack a format.
            let is_known = ["--ids", "this build does not read"]
                .iter()
                .any(|it| problem.contains(it));
            assert!(is_known, "{problem}");
        }
    }
}

/// So many damaged copies of each file are read.
const MUTANTS: usize = 100;

#[test]
fn damaged_fixtures_are_read_or_refused_in_one_line() {
    let (mut random, mut refused, mut all) = (Random(3), 0, 0);
    for file in below("tests/fixtures/import") {
        let bytes = std::fs::read(&file).unwrap();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        for _ in 0..MUTANTS {
            let mut damaged = mutant(&bytes, &mut random);
            // Some are cut off or repeat bytes, too.
            match random.below(4) {
                0 => damaged.truncate(random.below(damaged.len() + 1)),
                1 => damaged.extend_from_within(random.below(damaged.len() + 1)..),
                _ => {}
            }
            // Large numbers of nodes are refused by the memory that is free, which tests do not know.
            let mut runs = damaged.split(|byte| !byte.is_ascii_digit());
            if damaged.is_ascii() && runs.any(|digits| digits.len() > 6) {
                continue;
            }
            all += 1;
            let path = written(&name, &damaged);
            let read = std::panic::catch_unwind(|| arcs(&path));
            let Ok(read) = read else {
                panic!("{name} fails on {}", damaged.escape_ascii());
            };
            if let Err(problem) = read {
                refused += 1;
                check_line(&path, &problem);
            }
            std::fs::remove_file(&path).unwrap();
        }
    }
    assert!(
        all > 5000 && refused > all / 10,
        "{refused} of {all} refused"
    );
}

#[test]
fn programs_and_prose_are_no_graphs() {
    let mut files = below("crates");
    for folder in [
        "src",
        "docs/src",
        "python/tests",
        "tests/it",
        "fuzz/fuzz_targets",
    ] {
        files.extend(below(folder));
    }
    files.retain(|file| {
        let extension = file.extension().unwrap_or_default();
        ["rs", "toml", "md", "py"].iter().any(|it| extension == *it)
    });
    files.extend(
        ["README.md", "CHANGELOG.md", "Cargo.toml", "Cargo.lock"]
            .map(|name| Path::new(ROOT).join(name)),
    );
    let folder = tempfile::tempdir().unwrap();
    for (place, file) in files.iter().enumerate() {
        let problem = arcs(file).expect_err("it is refused");
        check_line(file, &problem);
        // The content shows it without the name. Lines of two words, such as 'mod x;', are arcs.
        let copy = folder.path().join(format!("{place}.txt"));
        std::fs::copy(file, &copy).unwrap();
        match arcs(&copy) {
            Ok(_) => {
                let text = std::fs::read_to_string(file).unwrap();
                let mut lines = text.lines().map(str::split_whitespace);
                assert!(lines.all(|words| words.count() < 3), "{}", file.display());
            }
            Err(problem) => check_line(&copy, &problem),
        }
    }
}

#[test]
fn binary_files_are_no_graphs() {
    let folder = tempfile::tempdir().unwrap();
    let noise: Vec<u8> = (0..20_000u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    for (name, bytes) in [
        ("image.png", &b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..]),
        ("paper.pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n"),
        ("book.xlsx", b"PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0\0\0\0\0\0\0\0\0\0\0\0\0\x13\0\0\0[Content_Types].xml"),
        ("graph.pkl", b"\x80\x04\x95\x10\0\0\0\0\0\0\0}\x94."),
        ("array.npy", b"\x93NUMPY\x01\0v\0{'descr': '<f8'}"),
        ("links.tar", &[&b"links.csv"[..], &[0; 248], b"ustar\x0000"].concat()),
        ("links.7z", b"7z\xbc\xaf\x27\x1c\0\x04"),
        ("graph.gt", b"\xe2\x9b\xbe gt\x01\0"),
        ("db.duckdb", b"\0\0\0\0\0\0\0\0DUCK\x40\0\0\0"),
        ("noise.csv", &noise),
        ("page.csv", b"<!doctype html>\n<p>a,b\n"),
    ] {
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).unwrap();
        let problem = arcs(&file).expect_err(name);
        check_line(&file, &problem);
    }
}
