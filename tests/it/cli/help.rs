//! `rank --help` and `rank help COMMAND`.

use crate::support::cli::*;

#[test]
fn every_subcommand_explains_itself() {
    let help = stdout(&["--help"]);
    let commands = help
        .split("Commands:")
        .nth(1)
        .unwrap()
        .split("Options:")
        .next()
        .unwrap();
    let names: Vec<&str> = commands
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(names.contains(&"pagerank") && names.contains(&"harmonic"));
    for name in names {
        assert!(!stdout(&["help", name]).is_empty());
    }
}
