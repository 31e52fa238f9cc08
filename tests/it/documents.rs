//! What documents repeat is the same everywhere.

use std::fs::read_to_string;

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
