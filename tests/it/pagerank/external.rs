//! `rank pagerank --form external`.

/// Scores and ranks in files make the same tables as those in memory.
#[test]
fn external_tables_are_streamed_ones() {
    use webrank_testing::cli::*;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let bundle = at("g.bv");
    stdout(&["import", DEBIAN, "-o", text(&bundle), "-q"]);
    for (name, options) in [
        ("t.csv", &[][..]),
        ("t.npy", &[]),
        ("t.jsonl", &["--sort", "score"]),
        ("t.tsv", &["--top", "1000"]),
        (
            "t.csv",
            &["--top", "10", "--sort", "score", "--dangling", "none"],
        ),
    ] {
        let table = at(name);
        let written = |form: &str| {
            let command = [
                "pagerank",
                text(&bundle),
                "--form",
                form,
                "-q",
                "--tolerance",
                "1e-6",
            ];
            let output = ["-o", text(&table), "--temp", text(folder.path())];
            stdout(&[&command[..], &output, options].concat());
            let manifest = format!("{name}.json");
            assert_eq!(files(folder.path()), ["g.bv", name, &manifest]);
            let manifest = std::fs::read_to_string(at(&manifest)).unwrap();
            let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
            assert_eq!(manifest["form"]["name"], form);
            let proved = manifest["proved_positions"].clone();
            let bytes = std::fs::read(&table).unwrap();
            std::fs::remove_file(&table).unwrap();
            std::fs::remove_file(at(&format!("{name}.json"))).unwrap();
            (proved, bytes)
        };
        assert!(
            written("external") == written("streamed"),
            "{name} {options:?}"
        );
    }
    let given = at("v.txt");
    std::fs::write(&given, "0ad,1\n").unwrap();
    let command = ["pagerank", text(&bundle), "--preference", text(&given)];
    let message = failure(&[&command[..], &["--form", "external"]].concat(), 2);
    assert!(message.contains("8 bytes a node"), "{message}");
}
