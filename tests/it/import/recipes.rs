//! The recipes of the guide run as they stand, on small files of the names and layouts they name.

use flate2::write::GzEncoder;
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use tempfile::TempDir;
use webrank_testing::cli::*;

fn write_gz(path: &Path, text: &str) {
    let mut out = GzEncoder::new(File::create(path).unwrap(), Default::default());
    out.write_all(text.as_bytes()).unwrap();
    out.finish().unwrap();
}

/// The indented block of the guide's page on data that contains this text, without its indentation.
fn block(containing: &str) -> String {
    let page = fs::read_to_string("docs/src/guide/your-data.md").unwrap();
    let blocks = page.split("\n\n");
    let mut found = blocks.filter(|block| block.starts_with("    ") && block.contains(containing));
    let block = found
        .next()
        .unwrap_or_else(|| panic!("no recipe with {containing}"));
    assert!(found.next().is_none(), "two recipes with {containing}");
    let lines = block.lines().map(|line| line.strip_prefix("    ").unwrap());
    lines.map(|line| format!("{line}\n")).collect()
}

/// Runs lines of a shell in a folder; programs in its `bin` come first.
fn shell(folder: &Path, script: &str) -> Output {
    let rank = Path::new(env!("CARGO_BIN_EXE_rank")).parent().unwrap();
    let path = [&folder.join("bin"), rank].map(|path| text(path).to_owned());
    let path = format!("{}:{}", path.join(":"), std::env::var("PATH").unwrap());
    Command::new("bash")
        .args(["-e", "-u", "-o", "pipefail", "-c", script])
        .current_dir(folder)
        .env("PATH", path)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// The output of a recipe, once it has succeeded.
fn cook(folder: &Path, script: &str) -> String {
    let output = shell(folder, script);
    let utf8 = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let said = utf8(&output.stderr);
    assert!(output.status.success(), "{script}\n{said}");
    utf8(&output.stdout)
}

/// A program in the folder's `bin` that prints a text.
fn program(folder: &Path, name: &str, prints: &str) {
    let bin = folder.join("bin");
    fs::create_dir_all(&bin).unwrap();
    fs::write(bin.join(format!("{name}.json")), prints).unwrap();
    let path = bin.join(name);
    fs::write(
        &path,
        format!("#!/bin/sh\ncat \"$(dirname \"$0\")/{name}.json\"\n"),
    )
    .unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn citations(path: &Path) {
    use parquet::data_type::Int64Type;
    use parquet::file::writer::SerializedFileWriter;
    let schema = "message m { REQUIRED INT64 year; REQUIRED INT64 citing; REQUIRED INT64 cited; }";
    let schema = Arc::new(parquet::schema::parser::parse_message_type(schema).unwrap());
    let file = File::create(path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for values in [[2001, 2002, 2003], [30, 30, 20], [10, 20, 10]] {
        let mut column = group.next_column().unwrap().unwrap();
        let typed = column.typed::<Int64Type>();
        typed.write_batch(&values, None, None).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
}

#[test]
fn any_file_becomes_a_graph() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let pages = [
        "https://blog.example.com/",
        "https://www.example.org/",
        "https://www.unimi.it/",
    ];
    fs::write(
        at("edges.csv"),
        "from,to\nRome,Milan\nMilan,Rome\nTurin,Milan\n",
    )
    .unwrap();
    let snap = "# Directed graph\n# FromNodeId\tToNodeId\n0\t1\n1\t0\n2\t1\n";
    write_gz(&at("soc-LiveJournal1.txt.gz"), snap);
    citations(&at("citations.parquet"));
    write_gz(&at("edges.txt.gz"), "0\t1\n1\t2\n2\t1\n");
    fs::write(
        at("names.txt"),
        pages.map(|page| format!("{page}\n")).concat(),
    )
    .unwrap();
    fs::create_dir(at("parts")).unwrap();
    for part in 0..3 {
        let arcs = (0..200).map(|node| format!("{node} {}\n", (7 * node + part) % 200));
        fs::write(at(&format!("parts/{part}.txt")), arcs.collect::<String>()).unwrap();
    }
    fs::create_dir(at("scratch")).unwrap();
    write_gz(
        &at("host-vertices.txt.gz"),
        "0\tcom.example\n1\tit.unimi.www\n2\torg.example\n",
    );
    write_gz(&at("host-edges.txt.gz"), "0\t1\n2\t1\n");
    let urls = "https://a.example.com/x\thttps://www.unimi.it/\nhttps://b.example.com/\thttps://unimi.it/\n";
    fs::write(at("pages.tsv"), urls).unwrap();
    cook(folder.path(), "rank import pages.tsv -o pages.bv");
    let ranked = "rank pagerank host.tsv -o pagerank.csv";
    fs::write(
        at("host.tsv"),
        "it.unimi\tcom.example\ncom.example\tit.unimi.www\n",
    )
    .unwrap();
    cook(folder.path(), ranked);
    let script = block("rank import parts/").replace("/scratch", "scratch");
    let printed = cook(folder.path(), &script);
    // A page by its prefix, a neighbour, a host.
    for expected in [
        "1,https://www.example.org/",
        "in,2,https://www.unimi.it/",
        "it.unimi.www",
    ] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
    for (bundle, nodes, arcs) in [
        ("livejournal.bv", 3, 3),
        ("citations.bv", 3, 3),
        ("web.bv", 3, 3),
        ("large.bv", 200, 600),
        ("ranks/graph.bv", 3, 2),
        ("domains.bv", 2, 1),
    ] {
        let info = stdout(&["info", text(&at(bundle))]);
        let said = |what: &str, count: i32| {
            info.lines().any(|line| {
                let mut words = line.split_whitespace();
                words.next() == Some(what) && words.next() == Some(&count.to_string())
            })
        };
        assert!(
            said("nodes", nodes) && said("arcs", arcs),
            "{bundle}: {info}"
        );
    }
    assert!(at("ranks/host-ranks.txt.gz").exists());
}

#[test]
fn packages_are_ranked() {
    if Command::new("jq").arg("--version").output().is_err() {
        eprintln!("jq is not installed: the recipes of packages are not run");
        return;
    }
    let folder = TempDir::new().unwrap();
    let cargo = r#"{"resolve": {"nodes": [
        {"id": "tool 1.0", "dependencies": ["log 0.4", "serde 1.0"]},
        {"id": "serde 1.0", "dependencies": ["log 0.4"]},
        {"id": "log 0.4", "dependencies": []}]}}"#;
    program(folder.path(), "cargo", cargo);
    let pip = r#"{"installed": [
        {"metadata": {"name": "Pandas", "requires_dist":
            ["numpy>=1.22.4; python_version < \"3.11\"", "pytest>=7; extra == \"test\""]}},
        {"metadata": {"name": "scipy", "requires_dist": ["NumPy<2.5,>=1.23.5"]}},
        {"metadata": {"name": "a", "requires_dist": ["typing-extensions; extra=='x'", "typing_extensions"]}},
        {"metadata": {"name": "b", "requires_dist": ["Typing.Extensions >4"]}},
        {"metadata": {"name": "typing_extensions", "requires_dist": ["numpy"]}},
        {"metadata": {"name": "numpy"}}]}"#;
    program(folder.path(), "pip", pip);
    let (of_cargo, of_pip) = (block("cargo metadata"), block("pip inspect"));
    assert_eq!(of_cargo, of_pip, "one block holds both");
    let printed = cook(folder.path(), &of_cargo);
    let best: Vec<&str> = printed
        .lines()
        .filter(|line| line.trim_start().starts_with("1 "))
        .collect();
    assert_eq!(best.len(), 2, "{printed}");
    assert!(
        best[0].contains("log 0.4") && best[1].contains("numpy"),
        "{printed}"
    );
    assert!(!printed.contains("pytest"), "{printed}");
    // Three ways to write a name, and one node.
    assert_eq!(printed.matches("typing").count(), 1, "{printed}");
    assert!(printed.contains("6 nodes, 5 arcs"), "{printed}");
}

#[test]
fn links_of_wikipedia_are_imported() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let stream =
        "other-search\tMilan\texternal\t90\nRome\tMilan\tlink\t12\nMilan\tRome\tlink\t30\n";
    write_gz(&at("clickstream-enwiki-2024-01.tsv.gz"), stream);
    write_gz(
        &at("wiki-topcats-page-names.txt.gz"),
        "0 Ancient Rome\n1 Milan\n2 \"Heroes\"\n",
    );
    write_gz(&at("wiki-topcats.txt.gz"), "0 1\n1 0\n2 1\n");
    cook(folder.path(), &block("wiki-topcats.txt.gz"));
    let info = stdout(&["info", text(&at("wikipedia.bv"))]);
    assert!(info.contains("weights          yes"), "{info}");
    let found = stdout(&[
        "lookup",
        text(&at("topcats.bv")),
        "Ancient Rome",
        "\"Heroes\"",
    ]);
    assert!(
        found.contains("Ancient Rome") && found.contains("\"Heroes\""),
        "{found}"
    );
}
