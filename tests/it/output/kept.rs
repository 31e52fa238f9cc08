//! Files that are there are not lost: outputs replace outputs of their own kind, and no inputs.

use std::path::Path;
use tempfile::TempDir;
use webrank_testing::cli::*;

/// Every file below a folder, and what it holds.
fn everything(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for name in files(folder) {
        let path = folder.join(&name);
        if path.is_dir() {
            let below = everything(&path).into_iter();
            found.extend(below.map(|(below, bytes)| (format!("{name}/{below}"), bytes)));
        } else {
            found.push((name, std::fs::read(path).unwrap()));
        }
    }
    found
}

/// Runs a command that must fail and change nothing below `folder`.
fn refused(folder: &Path, arguments: &[&str], words: &str) {
    let before = everything(folder);
    let message = failure(arguments, 1);
    assert!(message.contains(words), "{arguments:?}: {message}");
    assert_eq!(everything(folder), before, "{arguments:?}");
}

#[test]
fn only_a_bundle_is_replaced_by_force() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let bundle = small(folder.path());
    let edges = at("edges.tsv");
    std::fs::create_dir(at("work")).unwrap();
    std::fs::write(at("work/thesis"), "x").unwrap();
    std::fs::write(at("notes"), "x").unwrap();
    std::fs::create_dir(at("empty")).unwrap();
    for (output, words) in [
        ("work", "holds 'thesis', which is no file of a bundle"),
        ("notes", "is no bundle"),
        ("empty", "is no bundle"),
    ] {
        let output = at(output);
        let import = ["import", text(&edges), "--force", "-o", text(&output)];
        refused(folder.path(), &import, words);
    }
    // A bundle that somebody keeps other files in.
    std::fs::write(bundle.join("README"), "x").unwrap();
    let import = ["import", text(&edges), "--force", "-o", text(&bundle)];
    refused(folder.path(), &import, "holds 'README'");
    std::fs::remove_file(bundle.join("README")).unwrap();
    rank(&import).assert().success();
    rank(&["check", text(&bundle)]).assert().success();
}

#[test]
fn no_output_replaces_an_input() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let bundle = small(folder.path());
    let bundle = text(&bundle);
    for extension in ["graph", "properties", "offsets"] {
        let from = format!("{bundle}/graph.{extension}");
        std::fs::copy(from, at(&format!("x.{extension}"))).unwrap();
    }
    std::fs::write(at("p.csv"), "a,1\n").unwrap();
    std::fs::write(at("n.txt"), "a\nb\nc\nd\n").unwrap();
    std::fs::write(at("s.txt"), "a\n").unwrap();
    std::fs::write(at("w.csv"), "a,b,1\nb,c,1\nc,a,1\nc,b,1\nd,a,1\n").unwrap();
    for table in ["a.csv", "b.csv"] {
        let table = at(table);
        rank(&["-q", "pagerank", bundle, "-o", &table])
            .assert()
            .success();
    }
    let (x, p, n) = (&at("x"), &at("p.csv"), &at("n.txt"));
    let (s, w, a, b) = (&at("s.txt"), &at("w.csv"), &at("a.csv"), &at("b.csv"));
    let (x_graph, x_new) = (&at("x.graph"), &at("x-t.properties"));
    let inside = &format!("{bundle}/names.txt.zst");
    let (c, json) = (&at("c"), &at("a.csv.json"));
    let is = "is an input of this run";
    for (arguments, words) in [
        (&["pagerank", x, "-o", x_graph][..], is),
        (&["pagerank", x_graph, "-o", x_graph], is),
        // It would become a part of the graph.
        (&["pagerank", x, "-o", x_new], is),
        (&["pagerank", bundle, "-o", inside], "lies in an input"),
        (&["pagerank", bundle, "--preference", p, "-o", p], is),
        (&["pagerank", bundle, "--weights", w, "-o", w], is),
        (&["pagerank", x, "--names", n, "-o", n], is),
        (&["trustrank", bundle, "--seeds-file", s, "-o", s], is),
        (&["compare", a, b, "-o", a], is),
        (&["compare", a, b, "--html", b], is),
        (&["compare", a, b, "-o", json], is),
        (&["compare", a, b, "--rank-by-table", p, "-o", p], is),
        (&["compare", a, b, "-o", c, "--html", c], "written twice"),
        (&["import", n, "-o", n, "--force"], is),
        (
            &["import", inside, "-o", bundle, "--force"],
            "holds an input",
        ),
    ] {
        refused(folder.path(), arguments, words);
    }
    rank(&["-q", "pagerank", bundle, "--preference", p, "-o", a])
        .assert()
        .success();
}

#[test]
#[cfg(unix)]
fn an_input_is_known_behind_a_link() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let bundle = small(folder.path());
    std::fs::write(at("p.csv"), "a,1\n").unwrap();
    std::os::unix::fs::symlink("p.csv", at("link.csv")).unwrap();
    let (p, link) = (at("p.csv"), at("link.csv"));
    let run = [
        "pagerank",
        text(&bundle),
        "--preference",
        text(&p),
        "-o",
        text(&link),
    ];
    refused(folder.path(), &run, "is an input");
}

#[test]
fn a_name_too_long_for_the_manifest_is_refused_before_the_table_is_written() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let table = folder.path().join("t".repeat(253));
    std::fs::write(&table, "old").unwrap();
    let run = ["pagerank", text(&bundle), "-o", text(&table)];
    refused(folder.path(), &run, "cannot write");
}

#[test]
#[cfg(unix)]
fn a_private_table_stays_private_and_so_does_its_manifest() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let table = folder.path().join("t.csv");
    std::fs::write(&table, "old").unwrap();
    std::fs::set_permissions(&table, PermissionsExt::from_mode(0o600)).unwrap();
    rank(&["-q", "pagerank", text(&bundle), "-o", text(&table)])
        .assert()
        .success();
    for name in ["t.csv", "t.csv.json"] {
        let mode = folder.path().join(name).metadata().unwrap().mode();
        assert_eq!(mode & 0o777, 0o600, "{name}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn open_files_are_written_to_and_get_no_manifest() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    let table = stdout(&["pagerank", text(&bundle)]);
    for (output, redirection) in [
        ("/dev/stdout", "> out"),
        ("/dev/fd/3", "3> out"),
        ("/proc/self/fd/3", "3> out"),
        ("/dev/fd/3", "3>&1 | cat > out"),
    ] {
        let script = format!("\"$0\" -q pagerank small.bv -o {output} {redirection}");
        let status = std::process::Command::new("sh")
            .args(["-c", &script])
            .arg(assert_cmd::cargo::cargo_bin("rank"))
            .current_dir(folder.path())
            .status();
        assert!(status.unwrap().success(), "{output} {redirection}");
        let out = folder.path().join("out");
        assert_eq!(
            std::fs::read_to_string(&out).unwrap(),
            table,
            "{output} {redirection}"
        );
        std::fs::remove_file(out).unwrap();
        assert_eq!(files(folder.path()), ["edges.tsv", "small.bv"]);
    }
    assert!(!Path::new("/dev/stdout.json").exists());
}

#[test]
fn a_bound_holds_only_for_the_table_that_was_written() {
    let folder = TempDir::new().unwrap();
    let bundle = small(folder.path());
    for extension in ["csv", "csv.gz", "csv.zst", "parquet"] {
        let at = |name: &str| folder.path().join(format!("{name}.{extension}"));
        let (old, new) = (at("old"), at("new"));
        for (alpha, table) in [("0.5", &old), ("0.9", &new)] {
            rank(&[
                "-q",
                "pagerank",
                text(&bundle),
                "--alpha",
                alpha,
                "-o",
                text(table),
            ])
            .assert()
            .success();
        }
        let compare = ["compare", text(&old), text(&new), "--respect-bounds"];
        let said = rank(&compare).assert().success();
        let said = String::from_utf8(said.get_output().stderr.clone()).unwrap();
        assert_eq!(said.matches("within").count(), 2, "{said}");
        // A run that is killed before the manifest is replaced leaves this.
        std::fs::copy(&new, &old).unwrap();
        let said = rank(&compare).assert().success();
        let said = String::from_utf8(said.get_output().stderr.clone()).unwrap();
        assert_eq!(said.matches("do not belong together").count(), 1, "{said}");
        let compare = ["compare", text(&old), text(&old), "--respect-bounds"];
        let message = failure(&compare, 2);
        assert!(message.contains("do not belong together"), "{message}");
        let explain = rank(&["explain", text(&bundle), "a", text(&old)]);
        let said = { explain }.assert().success();
        let note = String::from_utf8(said.get_output().stderr.clone()).unwrap();
        assert!(note.contains("do not belong together"), "{note}");
        let said = String::from_utf8(said.get_output().stdout.clone()).unwrap();
        assert!(!said.contains("alpha 0.5"), "{said}");
    }
}

/// A link stays, whatever its name ends with, and what it leads to is replaced.
#[test]
#[cfg(unix)]
fn a_link_to_a_bundle_stays_and_its_target_is_replaced() {
    use std::os::unix::fs::symlink;
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    small(folder.path());
    std::fs::create_dir(at("disk")).unwrap();
    std::fs::rename(at("small.bv"), at("disk/g.bv")).unwrap();
    symlink("disk/g.bv", at("link")).unwrap();
    std::fs::write(at("other.tsv"), "x\ty\n").unwrap();
    for (end, edges, nodes) in [
        ("", "other.tsv", "nodes            2\n"),
        ("/", "edges.tsv", "nodes            4\n"),
    ] {
        let output = format!("{}{end}", text(&at("link")));
        let edges = at(edges);
        stdout(&["import", text(&edges), "--force", "-o", &output]);
        assert!(at("link").is_symlink(), "{output}");
        let info = stdout(&["info", text(&at("disk/g.bv"))]);
        assert!(info.contains(nodes), "{output}: {info}");
        assert_eq!(files(&at("disk")), ["g.bv"]);
        let message = failure(&["import", text(&edges), "-o", &output], 1);
        assert!(message.contains("already exists"), "{message}");
    }
}

/// In a folder where all may write, a link of somebody else's is no output. Only the superuser can
/// make one for this test.
#[test]
#[cfg(target_os = "linux")]
fn a_link_that_another_user_has_put_into_a_shared_folder_is_refused() {
    use std::os::unix::fs::{PermissionsExt, lchown, symlink};
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let bundle = small(folder.path());
    std::fs::create_dir(at("shared")).unwrap();
    let mode = PermissionsExt::from_mode(0o1777);
    std::fs::set_permissions(at("shared"), mode).unwrap();
    std::fs::write(at("thesis"), "mine").unwrap();
    symlink(at("thesis"), at("shared/t.csv")).unwrap();
    symlink(&bundle, at("shared/g.bv")).unwrap();
    let [table, graph] = ["shared/t.csv", "shared/g.bv"].map(at);
    if [&table, &graph]
        .iter()
        .any(|link| lchown(link, Some(4242), None).is_err())
    {
        eprintln!("skipped: no link of another user can be made here");
        return;
    }
    let words = "is a link that another user has put into a folder where all may write";
    let rank_it = ["indegree", text(&bundle), "-o", text(&table)];
    refused(folder.path(), &rank_it, words);
    let edges = at("edges.tsv");
    let import = ["import", text(&edges), "--force", "-o", text(&graph)];
    refused(folder.path(), &import, words);
    // One's own is followed.
    lchown(&table, Some(0), None).unwrap();
    stdout(&["-q", "indegree", text(&bundle), "-o", text(&table)]);
    assert!(
        std::fs::read_to_string(at("thesis"))
            .unwrap()
            .starts_with("node,")
    );
}
